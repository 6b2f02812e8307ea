//! One trial: a learner acts in a model, step by step.
//!
//! Acting, counting and stopping are written here and nowhere else. A step draws an action and a successor, counts the
//! transition, and takes one from what is left of the pair's visits in this epoch; in a large model it also adds to the sums
//! that are recorded. Nothing else happens in it.

use super::alias::{AliasTable, Drawn, SlotRange};
use super::recorder::Recorder;
use super::sums::Sums;
use super::{Baseline, Grid, Observer, Planned, Record, Walked};
use crate::error::{Error, Result};
use crate::learn::{Counts, Epoch, Knowledge, LearnerConfig, Now};
use crate::model::{Cmdp, Policy, Task};
use crate::seed::{Rng, Seed};
use rand::Rng as _;
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

/// A policy on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The epoch, from 1.
    pub epoch: u64,
    /// The steps taken before it.
    pub step: u64,
    /// The policy.
    pub policy: Policy,
    /// Its prices; empty where it was not planned.
    pub prices: Vec<f64>,
}

/// Epochs whose policies are kept grow by this factor: 40 of them reach epoch 100 000.
const SNAPSHOT_GROWTH: f64 = 1.345;

impl TrialConfig<'_> {
    /// Runs the trial. Observers see what happens and change nothing; one that breaks off ends it with
    /// [`Error::Interrupted`].
    pub fn run(&self, observers: &mut [&mut dyn Observer]) -> Result<Trial> {
        let task = Task::of(self.model, self.rounds);
        let mut learner = self.learner.build(&task, &self.knowledge())?;
        let stream = |purpose: &str| {
            let name = format!("run {}/{}/{purpose}", self.run, self.learner.name());
            self.seed.rng(&name)
        };
        let mut learner_rng = stream("learner");
        let mut walk = Walk::new(self.model, stream("environment"), stream("action"));
        let (optimum, budgets) = (self.baseline.optimum(), self.model.budgets());
        let mut recorder = Recorder::new(self.grid, &walk.counts, optimum, budgets);
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
            };
            let epoch = learner.next_epoch(&now, &mut learner_rng)?;
            let planned = Planned { learner: learner.as_ref(), epoch: &epoch, state: walk.state as usize };
            observers.iter_mut().for_each(|observer| observer.planned(&planned));
            recorder.epoch(&epoch);
            walk.follow(self.model, &epoch);
            self.walk_epoch(&mut walk, &epoch, &mut recorder, observers)?;
            snapshots.add(epoch, last.end);
            walk.counts.tally();
            last.update(&walk, &recorder.sums);
            let walked = Walked { steps: last.steps, sums: &last.sums };
            observers.iter_mut().for_each(|observer| observer.walked(&walked));
        }
        let (policy, snapshots) = snapshots.finish(self.model);
        let (unsettled, record, counts) = (recorder.unsettled, recorder.finish(), walk.counts);
        Ok(Trial { record, policy, snapshots, unsettled, counts })
    }

    /// Steps until the epoch ends, recording on the way.
    fn walk_epoch(
        &self,
        walk: &mut Walk,
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

    /// What the learner's user chose to tell it.
    fn knowledge(&self) -> Knowledge {
        let successors = self.learner.wants_successors().then(|| {
            let row = |pair| self.model.kernel().row(pair).iter().map(|(next, _)| next).collect();
            (0..self.model.pairs()).map(row).collect()
        });
        Knowledge { successors, policies: self.baseline.policies.clone() }
    }
}

/// The walk through the model: where it is and what it has counted.
struct Walk {
    counts: Counts,
    state: u32,
    step: u64,
    /// Draws a transition of each pair.
    transitions: AliasTable,
    /// Draws a pair of each state.
    actions: AliasTable,
    /// Visits that each pair has left in this epoch.
    left: Vec<u64>,
    environment: Rng,
    action: Rng,
}

impl Walk {
    fn new(model: &Cmdp, mut environment: Rng, action: Rng) -> Walk {
        let mut counts = Counts::new(model);
        let (support, _) = counts.taken_mut();
        let actions = AliasTable::new((0..model.states()).map(|state| model.pairs_of(state).len()));
        let mut transitions = AliasTable::new((0..model.pairs()).map(|pair| support.entries(pair).len()));
        for pair in 0..model.pairs() {
            let row = model.kernel().row(pair).iter().zip(support.entries(pair));
            let outcome = |((next, p), entry)| (Drawn { index: entry as u32, then: actions.place(next) }, p);
            transitions.set(pair, row.map(outcome));
        }
        let start = model.start();
        let mut first = AliasTable::new([start.len()].into_iter());
        let outcome =
            |&(state, p): &(usize, f64)| (Drawn { index: state as u32, then: SlotRange::default() }, p);
        first.set(0, start.iter().map(outcome));
        Walk {
            counts,
            state: first.draw(first.place(0), environment.next_u64()).index,
            step: 0,
            transitions,
            actions,
            left: vec![u64::MAX; model.pairs()],
            environment,
            action,
        }
    }

    /// Takes up the policy and the limits of an epoch.
    fn follow(&mut self, model: &Cmdp, epoch: &Epoch) {
        for state in 0..model.states() {
            let outcomes = model.pairs_of(state).map(|pair| {
                let then = self.transitions.place(pair);
                (Drawn { index: pair as u32, then }, epoch.policy.probabilities()[pair])
            });
            self.actions.set(state, outcomes);
        }
        for (pair, left) in self.left.iter_mut().enumerate() {
            *left = epoch.until.visits.map_or(u64::MAX, |limit| limit.of(self.counts.visits(pair)));
        }
    }

    /// At most so many steps; whether a pair's visits ran out.
    fn steps(&mut self, most: u64, sums: &mut Sums) -> bool {
        match sums {
            Sums::Counted(_) => self.steps_telling(most, |_| ()),
            Sums::Running(ledger) => self.steps_telling(most, |transition| ledger.add(transition)),
        }
    }

    /// The same, telling of every transition.
    #[inline(always)]
    fn steps_telling(&mut self, most: u64, mut tell: impl FnMut(u32)) -> bool {
        let (support, taken) = self.counts.taken_mut();
        let mut place = self.actions.place(self.state as usize);
        let mut entry = None;
        let mut ended = false;
        let mut done = 0;
        while done < most && !ended {
            let pair = self.actions.draw(place, self.action.next_u64());
            let transition = self.transitions.draw(pair.then, self.environment.next_u64());
            place = transition.then;
            entry = Some(transition.index);
            taken[transition.index as usize] += 1;
            tell(transition.index);
            let left = &mut self.left[pair.index as usize];
            *left -= 1;
            ended = *left == 0;
            done += 1;
        }
        if let Some(entry) = entry {
            self.state = support.all_successors()[entry as usize];
        }
        self.step += done;
        ended
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
    fn update(&mut self, walk: &Walk, sums: &Sums) {
        let signals = walk.counts.signals();
        let totals: Vec<f64> = (0..signals).map(|k| sums.signal(k, &walk.counts)).collect();
        self.totals.resize(signals, 0.0);
        self.sums = totals.iter().zip(&self.totals).map(|(now, before)| now - before).collect();
        self.totals = totals;
        self.steps = walk.step - self.end;
        self.end = walk.step;
    }
}

/// Keeps policies on the way: of an epoch with a random and a planned part, the planned one.
#[derive(Default)]
struct Snapshots {
    epoch: u64,
    next: f64,
    kept: Vec<Snapshot>,
    /// Whether the last of them was planned.
    kept_plan: bool,
    last: Option<Snapshot>,
    planned: bool,
}

impl Snapshots {
    fn add(&mut self, epoch: Epoch, step: u64) {
        self.epoch += u64::from(epoch.begins);
        let planned = epoch.report.is_some();
        let prices = epoch.report.map_or(Vec::new(), |report| report.prices);
        let snapshot = Snapshot { epoch: self.epoch, step, policy: epoch.policy, prices };
        if self.epoch as f64 >= self.next {
            self.kept.push(snapshot.clone());
            self.kept_plan = planned;
            self.next = (self.next * SNAPSHOT_GROWTH).max(self.epoch as f64 + 1.0);
        } else if let Some(kept) = self.kept.last_mut().filter(|kept| kept.epoch == self.epoch)
            && planned
            && !self.kept_plan
        {
            *kept = snapshot.clone();
            self.kept_plan = true;
        }
        if planned || !self.planned {
            self.planned |= planned;
            self.last = Some(snapshot);
        }
    }

    fn finish(mut self, model: &Cmdp) -> (Policy, Vec<Snapshot>) {
        let Some(last) = self.last else { return (Policy::uniform(model), self.kept) };
        let policy = last.policy.clone();
        if self.kept.last().is_none_or(|kept| kept.epoch < last.epoch) {
            self.kept.push(last);
        }
        (policy, self.kept)
    }
}
