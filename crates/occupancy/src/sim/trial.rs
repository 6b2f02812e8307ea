//! One trial: a learner acts in a model, step by step.
//!
//! The learner is asked, its epoch is walked step by step, and what happened is recorded, here and nowhere else.

use super::acting::{Acting, Streams};
use super::compact::{Compact, Shape};
use super::narrow::Narrow;
use super::recorder::Recorder;
use super::snapshots::Snapshots;
use super::sums::{Sums, are_running};
use super::tables::{Tables, Wide};
use super::{Baseline, Grid, Observer, Planned, Record, Snapshot, Walked};
use crate::error::{Error, Result};
use crate::learn::{Counts, Epoch, Knowledge, Learner, LearnerConfig, Now};
use crate::model::{Cmdp, Policy, Task};
use crate::seed::{Rng, Seed};
use std::ops::ControlFlow;

/// Everything that a trial depends on.
#[derive(Clone, Copy, Debug)]
pub struct TrialConfig<'a> {
    /// The true model.
    pub model: &'a Cmdp,
    /// Its levels.
    pub baseline: &'a Baseline,
    /// The learner.
    pub learner: &'a dyn LearnerConfig,
    /// T.
    pub rounds: u64,
    /// When to record.
    pub grid: &'a Grid,
    /// The seed of the experiment.
    pub seed: Seed,
    /// Which of its runs this is.
    pub run: u64,
}

/// What a trial leaves behind.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The cumulative sums.
    pub record: Record,
    /// The last policy that was planned, or the last followed where none was.
    pub policy: Policy,
    /// Policies and prices at epochs 1, 2, 3, … in growing distances, and at the last.
    pub snapshots: Vec<Snapshot>,
    /// Plans that were followed although they were not known to be the best ones in the learner's model.
    pub unsettled: u64,
    /// All that was counted.
    pub counts: Counts,
}

impl TrialConfig<'_> {
    /// Runs the trial. Observers see what happens and change nothing; one that breaks off ends it with
    /// [`Error::Interrupted`].
    pub fn run(&self, observers: &mut [&mut dyn Observer]) -> Result<Trial> {
        let learner = self.learner()?;
        let (counts, streams) = (Counts::new(self.model), self.streams());
        // Learners that want their steps look up the transition of each, which narrow tables have elsewhere.
        let narrow = are_running(&counts) && streams.ends.is_none();
        match Shape::of(&counts) {
            Some(shape) if narrow && Narrow::fits(shape) => {
                let narrow = Narrow::new(shape, self.model, &counts);
                self.run_as(learner, Acting::new(self.model, counts, narrow, streams), observers)
            }
            Some(shape) => {
                let compact = Compact::new(shape, self.model, &counts);
                self.run_as(learner, Acting::new(self.model, counts, compact, streams), observers)
            }
            None => {
                let wide = Wide::new(self.model, &counts);
                self.run_as(learner, Acting::new(self.model, counts, wide, streams), observers)
            }
        }
    }

    /// The learner before its first epoch.
    fn learner(&self) -> Result<Box<dyn Learner>> {
        let task = Task::of(self.model, self.rounds);
        self.learner.build(&task, &knowledge(self.model, self.learner, &self.baseline.policies))
    }

    /// What acting draws from.
    fn streams(&self) -> Streams {
        Streams {
            environment: self.stream("environment"),
            action: self.stream("action"),
            ends: self.learner.wants().trajectory.then(|| self.stream("ends")),
        }
    }

    /// The random numbers of a purpose.
    fn stream(&self, purpose: &str) -> Rng {
        self.seed.rng(&format!("run {}/{}/{purpose}", self.run, self.learner.name()))
    }

    /// Asks the learner and walks its epochs until all rounds are over.
    fn run_as<T: Tables>(
        &self,
        mut learner: Box<dyn Learner>,
        mut walk: Acting<T>,
        observers: &mut [&mut dyn Observer],
    ) -> Result<Trial> {
        let mut learner_rng = self.stream("learner");
        let (optimum, budgets) = (self.baseline.optimum(), self.model.budgets());
        let sums = Sums::new(&walk.counts, optimum, budgets, &walk.tables);
        let mut recorder = Recorder::new(self.grid, sums, budgets.len());
        let mut snapshots = Snapshots::default();
        let mut last = LastEpoch::default();
        while walk.step < self.rounds {
            observers.iter_mut().for_each(|observer| observer.asking());
            let now = Now {
                step: walk.step,
                state: walk.state as usize,
                counts: &walk.counts,
                last_steps: last.steps,
                last_sums: &last.sums,
                trajectory: walk.trajectory(),
            };
            let epoch = learner.next_epoch(&now, &mut learner_rng)?;
            let planned = Planned { learner: learner.as_ref(), epoch: &epoch, state: walk.state as usize };
            observers.iter_mut().for_each(|observer| observer.planned(&planned));
            recorder.epoch(&epoch);
            walk.follow(self.model, &epoch);
            self.walk_epoch(&mut walk, &epoch, &mut recorder, observers)?;
            snapshots.add(epoch, last.end);
            walk.tally(&mut recorder.sums);
            last.update(&walk, &recorder.sums);
            let walked = Walked { steps: last.steps, sums: &last.sums };
            observers.iter_mut().for_each(|observer| observer.walked(&walked));
        }
        let (policy, snapshots) = snapshots.finish(self.model);
        let (unsettled, record, counts) = (recorder.unsettled, recorder.finish(), walk.counts);
        Ok(Trial { record, policy, snapshots, unsettled, counts })
    }

    /// Steps until the epoch ends, recording on the way.
    fn walk_epoch<T: Tables>(
        &self,
        walk: &mut Acting<T>,
        epoch: &Epoch,
        recorder: &mut Recorder,
        observers: &mut [&mut dyn Observer],
    ) -> Result<()> {
        let end = walk.step.saturating_add(epoch.until.steps).min(self.rounds);
        loop {
            let stop = end.min(recorder.next());
            let ended = walk.steps(stop - walk.step, &mut recorder.sums);
            if walk.step == recorder.next() {
                recorder.record(walk.step, &walk.counts);
                // Every observer is told, whatever the others say.
                let told = observers.iter_mut().map(|observer| observer.recorded(&recorder.record));
                if told.filter(ControlFlow::is_break).count() > 0 {
                    return Err(Error::Interrupted { step: walk.step, rounds: self.rounds });
                }
            }
            if ended || walk.step == end {
                return Ok(());
            }
        }
    }
}

/// Refuses a learner that cannot act in a model for so many rounds, or has to know what it was not told.
pub fn check_learner(model: &Cmdp, learner: &dyn LearnerConfig, rounds: u64) -> Result<()> {
    learner.check_size(model)?;
    learner.build(&Task::of(model, rounds), &knowledge(model, learner, &[])).map(drop)
}

/// What a learner wants to be told of a model; the optimal policies are for the oracle.
fn knowledge(model: &Cmdp, learner: &dyn LearnerConfig, policies: &[(f64, Policy)]) -> Knowledge {
    let wants = learner.wants();
    let row = |pair| model.kernel().row(pair).iter().map(|(next, _)| next).collect();
    let signal = |k: usize| model.signals().signal(k).to_vec();
    Knowledge {
        successors: wants.successors.then(|| (0..model.pairs()).map(row).collect()),
        signals: wants.signals.then(|| (0..model.signals().count()).map(signal).collect()),
        kernel: wants.kernel.then(|| model.kernel().clone()),
        policies: policies.to_vec(),
    }
}

/// What happened in the last epoch.
#[derive(Default)]
struct LastEpoch {
    steps: u64,
    sums: Vec<f64>,
    end: u64,
    totals: Vec<f64>,
}

impl LastEpoch {
    fn update<T: Tables>(&mut self, walk: &Acting<T>, sums: &Sums) {
        let (signals, visits) = (walk.counts.signals(), walk.trajectory());
        self.steps = walk.step - self.end;
        self.end = walk.step;
        if !visits.is_empty() {
            self.sums.resize(signals, 0.0);
            for (k, sum) in self.sums.iter_mut().enumerate() {
                let values = walk.counts.values(k);
                *sum = visits.iter().map(|visit| values[visit.transition as usize]).sum();
            }
            return;
        }
        let totals = sums.of_signals(&walk.counts);
        self.totals.resize(signals, 0.0);
        self.sums = totals.iter().zip(&self.totals).map(|(now, before)| now - before).collect();
        self.totals = totals;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::EnvConfig;
    use crate::learn::Registry;
    use crate::model::CmdpBuilder;
    use crate::sim::Level;

    /// Epochs that end by visits, steps that are wanted one by one, and a policy that stays, in models with and without stages.
    #[test]
    fn compact_and_wide_tables_give_the_same_trial() {
        let options = [("states", "12"), ("actions", "3")].map(|(key, value)| (key.into(), value.into()));
        let plain = EnvConfig::from_options("garnet", &options).unwrap().build().unwrap();
        let staged = plain.clone().in_episodes(4).unwrap();
        let level = Level { reward: 0.5, costs: vec![0.3], ranges: Vec::new() };
        let baseline =
            Baseline { optimal: Some(level.clone()), fast: level, safe: None, policies: Vec::new() };
        let (rounds, grid) = (4000, Grid::new(4000, &[]));
        for (kind, model) in
            [("uniform", &plain.model), ("psrl-transitions", &plain.model), ("triple-q", &staged.model)]
        {
            let learner = Registry::standard().find(kind).unwrap();
            let (seed, run, baseline, grid) = (Seed(5), 2, &baseline, &grid);
            let config = TrialConfig { model, baseline, learner: learner.as_ref(), rounds, grid, seed, run };
            let counts = Counts::new(model);
            assert!(Shape::of(&counts).is_some(), "{kind} has compact tables");
            let wide = Wide::new(model, &counts);
            let walk = Acting::new(model, counts, wide, config.streams());
            let wide = config.run_as(config.learner().unwrap(), walk, &mut []).unwrap();
            let compact = config.run(&mut []).unwrap();
            assert_eq!((compact.record.steps(), &compact.record), (rounds, &wide.record), "{kind}");
            assert_eq!(compact.counts.taken(), wide.counts.taken(), "{kind}");
        }
    }

    /// The same for rows of 16 bytes and counts in bytes, which only large models have.
    #[test]
    fn narrow_and_wide_tables_give_the_same_trial() {
        let states = 1000;
        let mut model = CmdpBuilder::new(states, &[]);
        for pair in 0..2 * states {
            let jumps = [(1, 0.1), (7, 0.2), (pair % 40 + 8, 0.3), (211, 0.4)];
            let row = jumps.map(|(jump, p)| ((pair / 2 + jump) % states, p));
            model.pair(pair / 2, &row, (pair % 9) as f64, &[]);
        }
        let model = model.build().unwrap();
        let level = Level { reward: 0.0, costs: Vec::new(), ranges: Vec::new() };
        let baseline =
            Baseline { optimal: Some(level.clone()), fast: level, safe: None, policies: Vec::new() };
        let (rounds, grid) = (50_000, Grid::new(50_000, &[]));
        let learner = Registry::standard().find("uniform").unwrap();
        let (seed, run, model, baseline, grid) = (Seed(5), 2, &model, &baseline, &grid);
        let config = TrialConfig { model, baseline, learner: learner.as_ref(), rounds, grid, seed, run };
        let counts = Counts::new(model);
        assert!(are_running(&counts) && Shape::of(&counts).is_some_and(Narrow::fits));
        let wide = Wide::new(model, &counts);
        let walk = Acting::new(model, counts, wide, config.streams());
        let wide = config.run_as(config.learner().unwrap(), walk, &mut []).unwrap();
        let narrow = config.run(&mut []).unwrap();
        assert_eq!((&narrow.record, narrow.counts.taken()), (&wide.record, wide.counts.taken()));
        assert_eq!(narrow.counts.taken().iter().sum::<u64>(), rounds);
    }
}
