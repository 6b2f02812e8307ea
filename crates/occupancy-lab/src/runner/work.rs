//! The threads of a session: workers do runs and pack them, one thread brings what is packed to the disk.
//!
//! Bringing one file to the disk takes as long as bringing dozens: what was packed while the last runs were stored is stored
//! together. A run has ended when it is stored. A kill loses what has not ended: the group under way and the one that waits,
//! a second's work at most on a disk that stores a group in half of that.

use super::{Agenda, FailedRun, LearnerProgress, Outcome, ProgressWatch, Runner, TrialRun};
use crate::error::{Error, Result};
use crate::experiment::NamedLearner;
use crate::parallel;
use crate::store::{Parcel, Store, Stored};
use crate::timed::TimedTrial;
use occupancy::seed::Seed;
use occupancy::sim::{Grid, TrialConfig};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// How often the watcher is told.
const PAUSE: Duration = Duration::from_millis(50);
/// So many runs wait to be stored, and are then stored together; workers wait for room.
const GROUP: usize = 64;

/// What the threads of a session share.
pub(super) struct Work<'a> {
    trial: TrialRun<'a>,
    runner: &'a Runner<'a>,
    agenda: &'a Agenda,
    store: &'a Store<'a>,
    grid: Grid,
    next: AtomicUsize,
    ended: AtomicUsize,
    stop: AtomicBool,
    counts: Vec<Counts>,
    outcome: Mutex<Outcome>,
    woken: Condvar,
    asleep: Mutex<()>,
}

/// Steps, ended runs and failed runs of a learner.
#[derive(Default)]
struct Counts {
    steps: AtomicU64,
    ended: AtomicUsize,
    failed: AtomicUsize,
}

/// A run that is to be stored, and the place of its learner.
type Packed = (usize, Parcel);

/// What became of a run.
enum Done {
    /// It is to be stored.
    Packed(Box<Parcel>),
    /// There is nothing to store: it failed, or another process was faster.
    Ended,
    /// It was stopped on its way.
    Interrupted,
}

impl<'a> Work<'a> {
    pub fn new(runner: &'a Runner, agenda: &'a Agenda, store: &'a Store, trial: TrialRun<'a>) -> Work<'a> {
        Work {
            trial,
            runner,
            agenda,
            store,
            grid: runner.experiment.grid(),
            next: AtomicUsize::new(0),
            ended: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            counts: runner.experiment.learners.iter().map(|_| Counts::default()).collect(),
            outcome: Mutex::new(Outcome::default()),
            woken: Condvar::new(),
            asleep: Mutex::new(()),
        }
    }

    /// Does everything.
    pub fn all(self, watch: ProgressWatch) -> Result<Outcome> {
        if self.agenda.is_empty() {
            return Ok(Outcome::default());
        }
        std::thread::scope(|scope| -> Result<()> {
            let (packed, unpacked) = sync_channel(GROUP);
            let keeper = Builder::new().spawn_scoped(scope, || self.write_all(unpacked));
            let mut started = keeper.map(|_| 0);
            for _ in 0..self.runner.jobs.max(1).min(self.agenda.len()) {
                let packed = packed.clone();
                let worker = Builder::new().spawn_scoped(scope, || self.worker(packed));
                // Fewer workers than asked for do the same, as long as there is one.
                started = match (started, worker) {
                    (Ok(count), Ok(_)) => Ok(count + 1),
                    (Ok(0), Err(error)) => Err(error),
                    (before, _) => before,
                };
            }
            drop(packed);
            let threads = self.runner.jobs.max(1).min(self.agenda.len());
            started.map_err(|source| {
                self.stop.store(true, Ordering::Relaxed);
                Error::Thread { thread: 1, threads, source }
            })?;
            self.watch(watch);
            Ok(())
        })?;
        let mut outcome = self.outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
        outcome.stopped = self.stop.into_inner() && outcome.broken.is_none();
        outcome.failed.sort_by_key(|failed| (failed.learner, failed.run));
        Ok(outcome)
    }

    /// Tells of the progress until every run has ended.
    fn watch(&self, watch: ProgressWatch) {
        let mut progress = self.beginning();
        let all = self.agenda.len();
        while self.ended.load(Ordering::Acquire) < all && !self.stop.load(Ordering::Relaxed) {
            if watch(self.update(&mut progress)).is_break() {
                self.stop.store(true, Ordering::Relaxed);
            }
            let guard = self.asleep.lock().unwrap_or_else(PoisonError::into_inner);
            drop(self.woken.wait_timeout(guard, PAUSE));
        }
        // Also while the last ones stop, so that the watcher can lose its patience.
        while self.ended.load(Ordering::Acquire) < all {
            let _ = watch(self.update(&mut progress));
            std::thread::sleep(PAUSE);
        }
        let _ = watch(self.update(&mut progress));
    }

    fn beginning(&self) -> Vec<LearnerProgress> {
        let one = |(place, learner): (usize, &NamedLearner)| {
            let (label, runs) = (learner.label.clone(), self.agenda.of(place));
            LearnerProgress { label, runs, ended: 0, failed: 0, steps: 0 }
        };
        self.runner.experiment.learners.iter().enumerate().map(one).collect()
    }

    fn update<'p>(&self, progress: &'p mut [LearnerProgress]) -> &'p [LearnerProgress] {
        for (learner, counts) in progress.iter_mut().zip(&self.counts) {
            learner.ended = counts.ended.load(Ordering::Relaxed);
            learner.failed = counts.failed.load(Ordering::Relaxed);
            learner.steps = counts.steps.load(Ordering::Relaxed);
        }
        progress
    }

    /// Does runs until there are none left.
    fn worker(&self, packed: SyncSender<Packed>) {
        loop {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&(place, run)) = self.agenda.tasks.get(at) else { return };
            if self.stop.load(Ordering::Relaxed) {
                self.end(1);
                continue;
            }
            match self.task(place, run) {
                // The keeper listens as long as there is a worker.
                Done::Packed(parcel) => drop(packed.send((place, *parcel))),
                Done::Interrupted => self.end(1),
                Done::Ended => {
                    self.counts[place].ended.fetch_add(1, Ordering::Relaxed);
                    self.end(1);
                }
            }
        }
    }

    fn end(&self, runs: usize) {
        self.ended.fetch_add(runs, Ordering::Release);
        // Only the last one has to wake the watcher at once.
        if self.ended.load(Ordering::Acquire) >= self.agenda.len() {
            self.woken.notify_one();
        }
    }

    /// Stores what is packed, as much at a time as there is.
    fn write_all(&self, unpacked: Receiver<Packed>) {
        while let Ok(first) = unpacked.recv() {
            let group = std::iter::once(first).chain(unpacked.try_iter().take(GROUP - 1));
            let (places, parcels): (Vec<usize>, Vec<Parcel>) = group.unzip();
            // Where a disk has no room for all of them, it may have some for one.
            if !self.write(&places, &parcels) && parcels.len() > 1 {
                places.chunks(1).zip(parcels.chunks(1)).all(|(place, parcel)| self.write(place, parcel));
            }
            self.end(places.len());
        }
    }

    /// Stores some runs; `false` where that fails: then no more runs are begun.
    fn write(&self, places: &[usize], parcels: &[Parcel]) -> bool {
        let kept = catch_unwind(AssertUnwindSafe(|| self.store.write_runs(parcels)));
        let error = match kept {
            Ok(Ok(())) => {
                for &place in places {
                    self.counts[place].ended.fetch_add(1, Ordering::Relaxed);
                }
                self.note(|outcome| outcome.done += places.len());
                return true;
            }
            Ok(Err(error)) => error,
            Err(panic) => {
                let source = std::io::Error::other(fault(panic.as_ref()));
                Error::File { path: self.store.folder().to_path_buf(), source }
            }
        };
        self.stop.store(true, Ordering::Relaxed);
        self.note(|outcome| outcome.broken = outcome.broken.take().or(Some(error)));
        false
    }

    /// Does a run and packs it.
    fn task(&self, place: usize, run: u64) -> Done {
        let learner = &self.runner.experiment.learners[place];
        // Another process may have been faster; a run that it has not stored is done here.
        if self.store.stored(&learner.label, run).is_ok_and(|stored| stored == Stored::Whole) {
            self.note(|outcome| outcome.elsewhere += 1);
            return Done::Ended;
        }
        let packed = catch_unwind(AssertUnwindSafe(|| {
            self.trial(place, learner, run).map(|trial| {
                self.note(|outcome| outcome.unsettled += trial.trial.unsettled);
                self.store.pack(&learner.label, run, &trial)
            })
        }));
        let reason = match packed {
            Ok(Ok(parcel)) => return Done::Packed(Box::new(parcel)),
            Ok(Err(occupancy::Error::Interrupted { .. })) => return Done::Interrupted,
            Ok(Err(error)) => error.to_string(),
            Err(panic) => fault(panic.as_ref()),
        };
        self.counts[place].failed.fetch_add(1, Ordering::Relaxed);
        let label = learner.label.clone();
        self.note(|outcome| outcome.failed.push(FailedRun { learner: place, label, run, reason }));
        Done::Ended
    }

    fn trial(&self, place: usize, learner: &NamedLearner, run: u64) -> occupancy::Result<TimedTrial> {
        let runner = self.runner;
        let config = TrialConfig {
            model: runner.model,
            baseline: runner.baseline,
            learner: learner.config.as_ref(),
            rounds: runner.experiment.rounds,
            grid: &self.grid,
            seed: Seed(runner.experiment.seed),
            run,
        };
        let mut before = 0;
        (self.trial)(&config, &mut |step| {
            self.counts[place].steps.fetch_add(step - before, Ordering::Relaxed);
            before = step;
            if self.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    }

    fn note(&self, change: impl FnOnce(&mut Outcome)) {
        change(&mut self.outcome.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// What is said of a panic.
fn fault(panic: &(dyn std::any::Any + Send)) -> String {
    format!("a fault in occupancy, please report it: {}", parallel::message(panic))
}
