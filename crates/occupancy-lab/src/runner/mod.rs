//! The runner: all runs of an experiment on all cores, each stored soon after it ends.
//!
//! Runs that are stored already are left alone. A run that fails, or is faulty enough to panic, is noted, and the others
//! go on. When nothing can be stored any more, everything stops: what is stored stays.

mod work;

use crate::error::{Damage, Error, Result};
use crate::experiment::Experiment;
use crate::store::{Session, Store, Stored};
use crate::timed::{TimedTrial, TrialWatch};
use occupancy::model::Cmdp;
use occupancy::sim::{Baseline, Observer, TrialConfig, ValueObserver};
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use work::Work;

/// Runs experiments.
#[derive(Clone, Debug)]
pub struct Runner<'a> {
    /// What is to be run.
    pub experiment: &'a Experiment,
    /// The true model.
    pub model: &'a Cmdp,
    /// The length of an episode, if the model is one of stages: then the exact gaps of the policies are recorded, too.
    pub horizon: Option<usize>,
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
    /// Runs of each learner that are to be done.
    counts: Vec<usize>,
    /// Runs of each learner that are stored already.
    pub kept: Vec<usize>,
    /// Files that are not what was written, from the folder: they are made again.
    pub damaged: Vec<(PathBuf, Damage)>,
}

impl Agenda {
    /// How many runs are to be done.
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Whether no runs are to be done.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// How many runs of a learner are to be done.
    pub fn of(&self, learner: usize) -> usize {
        self.counts.get(learner).copied().unwrap_or(0)
    }
}

/// How far a learner has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearnerProgress {
    /// Its label.
    pub label: String,
    /// Runs to be done in this session.
    pub runs: usize,
    /// Those that have ended and are stored, failed ones included.
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
pub type ProgressWatch<'a> = &'a mut dyn FnMut(&[LearnerProgress]) -> ControlFlow<()>;

/// How a run is done.
type TrialRun<'a> = &'a (dyn Fn(&TrialConfig, TrialWatch) -> occupancy::Result<TimedTrial> + Sync);

impl Runner<'_> {
    /// What of the runs is stored already and what is to be done, learner by learner.
    pub fn agenda(&self, store: &Store) -> Result<Agenda> {
        let mut agenda = Agenda { damaged: store.damage()?, ..Agenda::default() };
        let last = self.runs.end.min(self.experiment.runs);
        for (place, learner) in self.experiment.learners.iter().enumerate() {
            let (mut kept, before) = (0, agenda.tasks.len());
            for run in self.runs.start..last {
                match store.stored(&learner.label, run)? {
                    Stored::Whole => {
                        kept += 1;
                        continue;
                    }
                    Stored::Missing => {}
                    Stored::Damaged { file, damage } => agenda.damaged.push((file, damage)),
                }
                agenda.tasks.push((place, run));
            }
            agenda.kept.push(kept);
            agenda.counts.push(agenda.tasks.len() - before);
        }
        Ok(agenda)
    }

    /// Does what is to be done.
    pub fn run(
        &self,
        agenda: &Agenda,
        store: &Store,
        session: &Session,
        watch: ProgressWatch,
    ) -> Result<Outcome> {
        let stores_values = self.experiment.values;
        let trial = |config: &TrialConfig, watch: TrialWatch| {
            let mut values = ValueObserver::new(config.model, self.horizon, config.baseline.optimum());
            let mut beside: Vec<&mut dyn Observer> = Vec::new();
            if stores_values {
                beside.push(&mut values);
            }
            let mut timed = match (self.horizon, config.run) {
                (None, 0) => TimedTrial::run_with_terms(config, &mut beside, watch)?,
                _ => TimedTrial::run_beside(config, &mut beside, watch)?,
            };
            timed.trial.record.values = stores_values.then_some(values.gaps);
            Ok(timed)
        };
        self.run_with(agenda, store, session, watch, &trial)
    }

    /// The same, with another way to do a run.
    fn run_with(
        &self,
        agenda: &Agenda,
        store: &Store,
        session: &Session,
        watch: ProgressWatch,
        trial: TrialRun,
    ) -> Result<Outcome> {
        if agenda.is_empty() && agenda.damaged.is_empty() {
            store.sweep();
            return Ok(Outcome::default());
        }
        store.prepare(session)?;
        let mut agenda = agenda.clone();
        if store.is_busy() {
            // Another process begins at the front: meet it in the middle.
            agenda.tasks.reverse();
        }
        let mut outcome = Work::new(self, &agenda, store, trial).all(watch)?;
        if outcome.broken.is_none() {
            outcome.broken = store.finish(session).err();
        }
        store.leave();
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests;
