//! A learner in a world of which no model is known: it is asked for an action, and told what came of it.
//!
//! The same epochs, counts and draws as in a trial ([`super::TrialConfig`]); only the transitions come from elsewhere. Where an
//! episode ends, the last pair leads to the state in which the next one begins: the learner sees one endless walk. With a
//! horizon the states are those of its stages, and an episode that ends before is stayed in for nothing until it is over.

use super::alias::{AliasTable, Drawn, SlotRange};
use crate::error::{Error, Result};
use crate::learn::{Counts, Epoch, Knowledge, Learner, LearnerConfig, Now, Visit};
use crate::model::{Policy, Task, World};
use crate::seed::{Rng, Seed};
use rand::Rng as _;

/// How long a learner acts, and by which random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentOptions {
    /// T: after so many steps it keeps its last policy.
    pub rounds: u64,
    /// The steps of an episode, for learners of episodes.
    pub horizon: Option<usize>,
    /// The seed of its random numbers.
    pub seed: Seed,
    /// Which of the runs with this seed it is.
    pub run: u64,
}

/// A step in the world and what it brought.
#[derive(Clone, Debug, PartialEq)]
pub struct Experience<'a> {
    /// Where it was taken.
    pub state: usize,
    /// What was done, among the actions of the state.
    pub action: usize,
    /// Where it led.
    pub next: usize,
    /// The reward, and then the costs.
    pub signals: &'a [f64],
    /// Whether the episode ended there.
    pub ended: bool,
}

/// A learner that acts in a world.
pub struct Agent {
    learner: Box<dyn Learner>,
    task: Task,
    horizon: usize,
    /// The states of a stage.
    states: usize,
    stage: usize,
    counts: Counts,
    step: u64,
    /// The last step of an episode, until it is known where the next one begins.
    pending: Option<(usize, Vec<f64>)>,
    current: Option<Current>,
    epochs: u64,
    last_steps: u64,
    last_sums: Vec<f64>,
    actions: AliasTable,
    learner_rng: Rng,
    action_rng: Rng,
}

/// The epoch that is being walked.
struct Current {
    epoch: Epoch,
    /// Visits that each pair has left, if they are limited.
    left: Option<Vec<u64>>,
    steps: u64,
    sums: Vec<f64>,
    /// Pairs and where they led.
    trajectory: Vec<(u32, u32)>,
    is_over: bool,
}

impl Agent {
    /// A learner that has seen nothing of a world yet.
    pub fn new(config: &dyn LearnerConfig, world: &World, options: AgentOptions) -> Result<Agent> {
        let task = Task::of_world(world, options.rounds, options.horizon)?;
        let learner = config.build(&task, &Knowledge::default())?;
        let stream =
            |purpose: &str| options.seed.rng(&format!("run {}/{}/{purpose}", options.run, config.name()));
        let horizon = options.horizon.unwrap_or(1).max(1);
        Ok(Agent {
            learner,
            horizon,
            states: task.states() / horizon,
            stage: 0,
            counts: Counts::of_task(&task),
            step: 0,
            pending: None,
            current: None,
            epochs: 0,
            last_steps: 0,
            last_sums: Vec::new(),
            actions: AliasTable::new((0..task.states()).map(|state| task.pairs_of(state).len())),
            learner_rng: stream("learner"),
            action_rng: stream("action"),
            task,
        })
    }

    /// What to do in a state: an index among its actions.
    pub fn act(&mut self, state: usize) -> Result<usize> {
        self.check_state("state", state)?;
        self.begin_in(state);
        let node = self.stage * self.states + state;
        Ok(self.choose(node)? - self.task.pairs_of(node).start)
    }

    /// Sees what came of an action.
    pub fn observe(&mut self, seen: &Experience) -> Result<()> {
        self.check_state("state", seen.state)?;
        self.check_state("next", seen.next)?;
        self.check_signals(seen.signals)?;
        self.begin_in(seen.state);
        let pairs = self.task.pairs_of(self.stage * self.states + seen.state);
        if seen.action >= pairs.len() {
            let (value, expected) = (seen.action.to_string(), "one of the actions of the state");
            return Err(Error::Option { option: "action", value, expected });
        }
        self.arrive(pairs.start + seen.action, seen.next, seen.signals, seen.ended);
        if seen.ended {
            self.stay_until_the_end(seen.next)?;
        }
        Ok(())
    }

    /// How many steps were counted.
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// How many epochs were begun.
    pub fn epochs(&self) -> u64 {
        self.epochs
    }

    /// All that was counted.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// What is known of the world.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// The policy that is followed, once there is one.
    pub fn policy(&self) -> Option<&Policy> {
        self.current.as_ref().map(|current| current.epoch.policy.as_ref())
    }

    fn check_state(&self, option: &'static str, state: usize) -> Result<()> {
        let expected = "one of the states of the world";
        if state < self.states {
            Ok(())
        } else {
            Err(Error::Option { option, value: state.to_string(), expected })
        }
    }

    fn check_signals(&self, signals: &[f64]) -> Result<()> {
        let (found, expected) = (signals.len(), 1 + self.task.costs());
        if found != expected {
            return Err(Error::TableLength { what: "a reward with its costs", found, expected });
        }
        for (k, &value) in signals.iter().enumerate() {
            let (least, most) = self.task.bounds(k);
            if !(least..=most).contains(&value) {
                let option = if k == 0 { "reward" } else { "cost" };
                let expected = "a number within the range that was declared for it";
                return Err(Error::Option { option, value: value.to_string(), expected });
            }
        }
        Ok(())
    }

    /// The last step of an episode led here, where the next one begins.
    fn begin_in(&mut self, state: usize) {
        if let Some((pair, signals)) = self.pending.take() {
            self.count(pair, state, &signals);
        }
    }

    /// A pair led to a state, or to the end.
    fn arrive(&mut self, pair: usize, next: usize, signals: &[f64], ended: bool) {
        if self.task.horizon().is_none() {
            match ended {
                true => self.pending = Some((pair, signals.to_vec())),
                false => self.count(pair, next, signals),
            }
        } else if self.stage + 1 < self.horizon {
            self.stage += 1;
            self.count(pair, self.stage * self.states + next, signals);
        } else {
            self.counts.observe_end(pair, next);
            self.pending = Some((pair, signals.to_vec()));
            self.stage = 0;
        }
    }

    /// Plays an episode that has ended too early to its last stage: in the same state, for nothing.
    fn stay_until_the_end(&mut self, state: usize) -> Result<()> {
        let nothing = vec![0.0; 1 + self.task.costs()];
        while self.task.horizon().is_some() && self.pending.is_none() {
            let pair = self.choose(self.stage * self.states + state)?;
            self.arrive(pair, state, &nothing, true);
        }
        Ok(())
    }

    fn count(&mut self, pair: usize, next: usize, signals: &[f64]) {
        self.counts.observe(pair, next, signals);
        self.step += 1;
        let Some(current) = &mut self.current else { return };
        current.steps += 1;
        current.sums.iter_mut().zip(signals).for_each(|(sum, signal)| *sum += signal);
        if self.task.horizon().is_some() {
            current.trajectory.push((pair as u32, next as u32));
        }
        let left = current.left.as_mut().map(|left| &mut left[pair]);
        let ran_out = left.is_some_and(|left| {
            *left = left.saturating_sub(1);
            *left == 0
        });
        current.is_over |= ran_out || current.steps >= current.epoch.until.steps;
    }

    /// Draws a pair of a node; the learner is asked first if its epoch is over.
    fn choose(&mut self, node: usize) -> Result<usize> {
        let is_over = self.current.as_ref().is_none_or(|current| current.is_over);
        if is_over && (self.current.is_none() || self.step < self.task.rounds()) {
            self.ask(node)?;
        }
        let bits = self.action_rng.next_u64();
        Ok(self.actions.draw(self.actions.place(node), bits).index as usize)
    }

    fn ask(&mut self, node: usize) -> Result<()> {
        let mut walked = Vec::new();
        if let Some(current) = self.current.take() {
            (self.last_steps, self.last_sums) = (current.steps, current.sums);
            walked = current.trajectory;
        }
        let visit = |&(pair, next): &(u32, u32)| self.counts.visit(pair as usize, next as usize);
        let trajectory: Vec<Visit> = walked.iter().filter_map(visit).collect();
        let now = Now {
            step: self.step,
            state: node,
            counts: &self.counts,
            last_steps: self.last_steps,
            last_sums: &self.last_sums,
            trajectory: &trajectory,
        };
        let epoch = self.learner.next_epoch(&now, &mut self.learner_rng)?;
        self.follow(epoch);
        Ok(())
    }

    /// Takes up the policy and the limits of an epoch.
    fn follow(&mut self, epoch: Epoch) {
        let changed = epoch.changed.clone().filter(|_| self.epochs > 0);
        let states = changed.unwrap_or_else(|| (0..self.task.states() as u32).collect());
        for state in states {
            let pairs = self.task.pairs_of(state as usize);
            let row = pairs.clone().zip(&epoch.policy.probabilities()[pairs]);
            let drawn = row.map(|(pair, &p)| (Drawn { index: pair as u32, then: SlotRange::default() }, p));
            self.actions.set(state as usize, drawn);
        }
        let limit = epoch.until.visits;
        let limit_of = |limit: crate::learn::VisitLimit| {
            (0..self.task.pairs()).map(|pair| limit.of(self.counts.visits(pair))).collect()
        };
        self.epochs += u64::from(epoch.begins);
        self.current = Some(Current {
            left: limit.map(limit_of),
            epoch,
            steps: 0,
            sums: vec![0.0; 1 + self.task.costs()],
            trajectory: Vec::new(),
            is_over: false,
        });
    }
}
