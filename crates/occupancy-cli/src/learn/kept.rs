//! What is kept of a run while it goes on, so that it can be stopped at any moment: a learner may plan for seconds between two
//! steps, and does not hear of anything meanwhile.

use occupancy::model::Policy;
use occupancy::sim::{Baseline, Observer, Planned, Record, ValueGaps, ValueObserver, Walked};
use occupancy_lab::timed::Stopwatch;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A run so far.
#[derive(Default)]
pub struct Kept {
    /// The levels of the true model, once they are known.
    pub baseline: Option<Baseline>,
    /// What was recorded.
    pub record: Record,
    /// The last policy that was planned, or the last followed where none was.
    pub policy: Option<Policy>,
    /// Plans that were followed although they were not known to be the best ones.
    pub unsettled: u64,
    /// The exact gaps of the policies that were followed, at the last record.
    pub values: ValueGaps,
    /// The time spent in the learner.
    pub planning: Duration,
    /// The time from the beginning of the trial to the last record.
    pub total: Duration,
    /// What is to be said while it runs.
    pub hints: Vec<String>,
    planned: bool,
}

/// The one place where it is kept: the run writes, and whoever stops the run reads.
#[derive(Clone, Default)]
pub struct Shared(Arc<Mutex<Kept>>);

impl Shared {
    /// What is kept. A run that panicked left whole records behind.
    pub fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keeps what happens in a trial.
pub struct Keeper<'a> {
    kept: Shared,
    began: Instant,
    stopwatch: Stopwatch,
    values: ValueObserver<'a>,
}

impl<'a> Keeper<'a> {
    /// For a trial that begins now, and is seen by `values` too.
    pub fn new(kept: Shared, values: ValueObserver<'a>) -> Keeper<'a> {
        Keeper { kept, began: Instant::now(), stopwatch: Stopwatch::default(), values }
    }
}

/// The last number of every column.
fn ends(columns: &[Vec<f64>]) -> Vec<Vec<f64>> {
    columns.iter().map(|column| column.last().copied().into_iter().collect()).collect()
}

impl Observer for Keeper<'_> {
    fn asking(&mut self) {
        self.stopwatch.asking();
    }

    fn planned(&mut self, planned: &Planned) {
        self.stopwatch.planned(planned);
        self.values.planned(planned);
        let (mut kept, report) = (self.kept.lock(), &planned.epoch.report);
        kept.planning = self.stopwatch.planning;
        kept.unsettled += u64::from(report.as_ref().is_some_and(|report| !report.settled));
        if report.is_some() || !kept.planned {
            kept.planned |= report.is_some();
            kept.policy = Some(planned.epoch.policy.as_ref().clone());
        }
    }

    fn walked(&mut self, walked: &Walked) {
        self.values.walked(walked);
    }

    fn recorded(&mut self, record: &Record) -> ControlFlow<()> {
        let _ = self.values.recorded(record);
        let gaps = &self.values.gaps;
        let mut kept = self.kept.lock();
        kept.values = ValueGaps { signed: ends(&gaps.signed), strong: ends(&gaps.strong) };
        kept.record.catch_up(record);
        kept.total = self.began.elapsed();
        ControlFlow::Continue(())
    }
}
