//! A trial with its times, and if wanted with the terms of its regret.
//!
//! Times are CPU times of the thread that runs the trial: they are the same on an idle and on a busy machine.

use crate::clock::thread_time;
use crate::terms::{TermObserver, Terms};
use occupancy::Result;
use occupancy::sim::{Observer, OnRecord, Planned, Trial, TrialConfig};
use std::ops::ControlFlow;
use std::time::Duration;

/// A trial and how long it took.
#[derive(Clone, Debug)]
pub struct TimedTrial {
    /// What the trial left behind.
    pub trial: Trial,
    /// What regret and violation are made of, if that was asked for and the learner has a model to show.
    pub terms: Vec<Terms>,
    /// The CPU time spent in the learner.
    pub planning: Duration,
    /// The CPU time of the whole trial, without that of its terms.
    pub total: Duration,
}

/// How far a trial has come; breaks it off.
pub type TrialWatch<'a> = &'a mut dyn FnMut(u64) -> ControlFlow<()>;

/// Measures the CPU time between a question to the learner and its answer.
#[derive(Debug, Default)]
pub struct Stopwatch {
    asked: Option<Duration>,
    /// All of it so far.
    pub planning: Duration,
}

impl Observer for Stopwatch {
    fn asking(&mut self) {
        self.asked = Some(thread_time());
    }

    fn planned(&mut self, _: &Planned) {
        self.planning +=
            self.asked.take().map_or(Duration::ZERO, |asked| thread_time().saturating_sub(asked));
    }
}

impl TimedTrial {
    /// Runs a trial; `watch` is told of the steps taken at every point of the grid, and breaks it off.
    pub fn run(config: &TrialConfig, watch: TrialWatch) -> Result<TimedTrial> {
        TimedTrial::observed(config, watch, None, &mut [])
    }

    /// The same, seen by others, whose time is a part of the total.
    pub fn run_beside(
        config: &TrialConfig,
        others: &mut [&mut dyn Observer],
        watch: TrialWatch,
    ) -> Result<TimedTrial> {
        TimedTrial::observed(config, watch, None, others)
    }

    /// The same, with [`TimedTrial::terms`]. These take time of their own, but change nothing else.
    pub fn run_with_terms(
        config: &TrialConfig,
        others: &mut [&mut dyn Observer],
        watch: TrialWatch,
    ) -> Result<TimedTrial> {
        TimedTrial::observed(config, watch, Some(TermObserver::new(config.model, config.baseline)), others)
    }

    fn observed(
        config: &TrialConfig,
        watch: TrialWatch,
        mut terms: Option<TermObserver>,
        others: &mut [&mut dyn Observer],
    ) -> Result<TimedTrial> {
        let started = thread_time();
        let (mut stopwatch, mut watch) = (Stopwatch::default(), OnRecord(watch));
        // The stopwatch stops before the terms are computed.
        let mut observers: Vec<&mut dyn Observer> = vec![&mut stopwatch, &mut watch];
        if let Some(terms) = &mut terms {
            observers.push(terms);
        }
        observers.extend(others.iter_mut().map(|other| &mut **other as &mut dyn Observer));
        let trial = config.run(&mut observers)?;
        let aside = terms.as_ref().map_or(Duration::ZERO, |terms| terms.time);
        let total = thread_time().saturating_sub(started + aside);
        let terms = terms.map(TermObserver::finish).unwrap_or_default();
        Ok(TimedTrial { trial, terms, planning: stopwatch.planning, total })
    }
}
