//! The runner: all runs of an experiment on all cores, each stored as soon as it ends.
//!
//! Runs that are stored already are left alone. A run that fails, or is faulty enough to panic, is noted, and the others
//! go on. When nothing can be stored any more, everything stops: what is stored stays.

use super::store::{Session, Store, Stored};
use super::{Baseline, Experiment, Grid, NamedLearner, Trial, TrialConfig, TrialWatch};
use crate::error::{Damage, Error, Result};
use crate::model::Cmdp;
use crate::seed::Seed;
use std::ops::{ControlFlow, Range};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How often the watcher is told.
const PAUSE: Duration = Duration::from_millis(50);

/// Runs experiments.
#[derive(Clone, Debug)]
pub struct Runner<'a> {
    /// What is to be run.
    pub experiment: &'a Experiment,
    /// The true model.
    pub model: &'a Cmdp,
    /// Its levels.
    pub baseline: &'a Baseline,
    /// Which runs; those beyond the experiment's own are not run.
    pub runs: Range<u64>,
    /// Threads.
    pub jobs: usize,
}

/// What there is to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agenda {
    /// Learner (by its place) and run.
    tasks: Vec<(usize, u64)>,
    /// Runs of each learner that are stored already.
    pub kept: Vec<usize>,
    /// Runs whose files are not what was written: learner, run and damage.
    pub damaged: Vec<(String, u64, Damage)>,
}

impl Agenda {
    /// How many runs are to be done.
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Whether nothing is to be done.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// How many runs of a learner are to be done.
    pub fn of(&self, learner: usize) -> usize {
        self.tasks.iter().filter(|task| task.0 == learner).count()
    }
}

/// How far a learner has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearnerProgress {
    /// Its label.
    pub label: String,
    /// Runs to be done in this session.
    pub runs: usize,
    /// Those that have ended, failed ones included.
    pub ended: usize,
    /// Those that failed.
    pub failed: usize,
    /// Steps taken in this session.
    pub steps: u64,
}

/// A run that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedRun {
    /// The place of its learner.
    pub learner: usize,
    /// The learner's label.
    pub label: String,
    /// The run.
    pub run: u64,
    /// Why.
    pub reason: String,
}

/// How a session ended.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Runs that were done.
    pub done: usize,
    /// Runs that another process stored in the meantime.
    pub elsewhere: usize,
    /// Runs that failed.
    pub failed: Vec<FailedRun>,
    /// Plans in the runs done that were followed although they were not known to be the best ones.
    pub unsettled: u64,
    /// Whether the watcher stopped it.
    pub stopped: bool,
    /// Why nothing could be stored any more.
    pub broken: Option<Error>,
}

/// Told of the progress again and again; breaks everything off.
pub type RunWatch<'a> = &'a mut dyn FnMut(&[LearnerProgress]) -> ControlFlow<()>;

impl Runner<'_> {
    /// What of the runs is stored already and what is to be done, learner by learner.
    pub fn agenda(&self, store: &Store) -> Result<Agenda> {
        let mut agenda = Agenda::default();
        let last = self.runs.end.min(self.experiment.runs);
        for (place, learner) in self.experiment.learners.iter().enumerate() {
            agenda.kept.push(0);
            for run in self.runs.start..last {
                match store.stored(&learner.label, run)? {
                    Stored::Whole => {
                        agenda.kept[place] += 1;
                        continue;
                    }
                    Stored::Missing => {}
                    Stored::Damaged(damage) => agenda.damaged.push((learner.label.clone(), run, damage)),
                }
                agenda.tasks.push((place, run));
            }
        }
        Ok(agenda)
    }

    /// Does what is to be done.
    pub fn run(&self, agenda: &Agenda, store: &Store, session: &Session, watch: RunWatch) -> Result<Outcome> {
        let trial = |config: &TrialConfig, watch: TrialWatch| match config.run {
            0 => config.run_with_terms(watch),
            _ => config.run(watch),
        };
        self.run_with(agenda, store, session, watch, &trial)
    }

    /// The same, with another way to do a run.
    fn run_with(
        &self,
        agenda: &Agenda,
        store: &Store,
        session: &Session,
        watch: RunWatch,
        trial: TrialRun,
    ) -> Result<Outcome> {
        if agenda.is_empty() {
            store.sweep();
            return Ok(Outcome::default());
        }
        store.prepare(session)?;
        let mut agenda = agenda.clone();
        if store.is_busy() {
            // Another process begins at the front: meet it in the middle.
            agenda.tasks.reverse();
        }
        let grid = self.experiment.grid();
        let work = Work::new(self, &agenda, store, &grid, trial);
        let threads = self.jobs.max(1).min(agenda.tasks.len());
        std::thread::scope(|scope| {
            for thread in 1..=threads {
                let started = std::thread::Builder::new().spawn_scoped(scope, || work.worker());
                if let Err(source) = started {
                    work.stop.store(true, Ordering::Relaxed);
                    return Err(Error::Thread { thread, threads, source });
                }
            }
            work.watch(watch);
            Ok(())
        })?;
        let mut outcome = work.outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
        outcome.stopped = work.stop.into_inner() && outcome.broken.is_none();
        outcome.failed.sort_by_key(|failed| (failed.learner, failed.run));
        if outcome.broken.is_none() {
            outcome.broken = store.finish(session).err();
        }
        Ok(outcome)
    }
}

/// How a run is done.
type TrialRun<'a> = &'a (dyn Fn(&TrialConfig, TrialWatch) -> Result<Trial> + Sync);

/// What the threads of a session share.
struct Work<'a> {
    trial: TrialRun<'a>,
    runner: &'a Runner<'a>,
    tasks: &'a [(usize, u64)],
    store: &'a Store<'a>,
    grid: &'a Grid,
    next: AtomicUsize,
    ended: AtomicUsize,
    stop: AtomicBool,
    /// Steps, ended runs and failed runs of each learner.
    steps: Vec<AtomicU64>,
    counts: Vec<(AtomicUsize, AtomicUsize)>,
    outcome: Mutex<Outcome>,
    woken: Condvar,
    asleep: Mutex<()>,
}

impl<'a> Work<'a> {
    fn new(
        runner: &'a Runner,
        agenda: &'a Agenda,
        store: &'a Store,
        grid: &'a Grid,
        trial: TrialRun<'a>,
    ) -> Work<'a> {
        let learners = runner.experiment.learners.len();
        Work {
            trial,
            runner,
            tasks: &agenda.tasks,
            store,
            grid,
            next: AtomicUsize::new(0),
            ended: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            steps: (0..learners).map(|_| AtomicU64::new(0)).collect(),
            counts: (0..learners).map(|_| Default::default()).collect(),
            outcome: Mutex::new(Outcome::default()),
            woken: Condvar::new(),
            asleep: Mutex::new(()),
        }
    }

    /// Tells of the progress until every run has ended.
    fn watch(&self, watch: RunWatch) {
        while self.ended.load(Ordering::Acquire) < self.tasks.len() && !self.stop.load(Ordering::Relaxed) {
            if watch(&self.progress()).is_break() {
                self.stop.store(true, Ordering::Relaxed);
            }
            let guard = self.asleep.lock().unwrap_or_else(PoisonError::into_inner);
            drop(self.woken.wait_timeout(guard, PAUSE));
        }
        // Also while the last ones stop, so that the watcher can lose its patience.
        while self.ended.load(Ordering::Acquire) < self.tasks.len() {
            let _ = watch(&self.progress());
            std::thread::sleep(PAUSE);
        }
        let _ = watch(&self.progress());
    }

    fn progress(&self) -> Vec<LearnerProgress> {
        let one = |(place, learner): (usize, &NamedLearner)| LearnerProgress {
            label: learner.label.clone(),
            runs: self.tasks.iter().filter(|task| task.0 == place).count(),
            ended: self.counts[place].0.load(Ordering::Relaxed),
            failed: self.counts[place].1.load(Ordering::Relaxed),
            steps: self.steps[place].load(Ordering::Relaxed),
        };
        self.runner.experiment.learners.iter().enumerate().map(one).collect()
    }

    /// Does runs until there are none left.
    fn worker(&self) {
        loop {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&(place, run)) = self.tasks.get(at) else { return };
            if !self.stop.load(Ordering::Relaxed) {
                self.task(place, run);
                self.counts[place].0.fetch_add(1, Ordering::Relaxed);
            }
            self.ended.fetch_add(1, Ordering::Release);
            self.woken.notify_one();
        }
    }

    fn task(&self, place: usize, run: u64) {
        let learner = &self.runner.experiment.learners[place];
        // Another process may have been faster; a run that it has not stored is done here.
        if self.store.stored(&learner.label, run).is_ok_and(|stored| stored == Stored::Whole) {
            self.note(|outcome| outcome.elsewhere += 1);
            return;
        }
        let ran = catch_unwind(AssertUnwindSafe(|| self.trial(place, learner, run)));
        let reason = match ran {
            Ok(Ok(trial)) => match self.store.keep(&learner.label, run, &trial) {
                Ok(()) => {
                    return self.note(|outcome| {
                        outcome.done += 1;
                        outcome.unsettled += trial.unsettled;
                    });
                }
                Err(error) => {
                    self.stop.store(true, Ordering::Relaxed);
                    return self.note(|outcome| outcome.broken = outcome.broken.take().or(Some(error)));
                }
            },
            Ok(Err(Error::Interrupted { .. })) => return,
            Ok(Err(error)) => error.to_string(),
            Err(_) => "a fault in occupancy, please report it".to_string(),
        };
        self.counts[place].1.fetch_add(1, Ordering::Relaxed);
        let label = learner.label.clone();
        self.note(|outcome| outcome.failed.push(FailedRun { learner: place, label, run, reason }));
    }

    fn trial(&self, place: usize, learner: &NamedLearner, run: u64) -> Result<Trial> {
        let runner = self.runner;
        let config = TrialConfig {
            model: runner.model,
            baseline: runner.baseline,
            learner: &learner.config,
            rounds: runner.experiment.rounds,
            grid: self.grid,
            seed: Seed(runner.experiment.seed),
            run,
        };
        let mut before = 0;
        (self.trial)(&config, &mut |step| {
            self.steps[place].fetch_add(step - before, Ordering::Relaxed);
            before = step;
            if self.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    }

    fn note(&self, change: impl FnOnce(&mut Outcome)) {
        change(&mut self.outcome.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

#[cfg(test)]
mod tests;
