//! The task: all that a learner is told of the model it acts in.
//!
//! It knows which states and actions there are, the budgets, between which numbers rewards and costs lie, where it
//! starts and how long it has. It does not know the transitions, nor which reward or cost belongs to which pair; since
//! a [`Task`] does not hold them, peeking does not compile.

use super::builder::{SUM_TOLERANCE, check_start};
use super::cmdp::{check_budget, in_range};
use super::support::Support;
use super::{Cmdp, Kernel, Names, Signals};
use crate::error::{Error, Result};
use std::ops::Range;
use std::sync::Arc;

/// States, actions, budgets, ranges of the signals, start and length of a learning task.
#[derive(Clone, Debug)]
pub struct Task {
    first_pair: Vec<usize>,
    budgets: Vec<f64>,
    bounds: Vec<(f64, f64)>,
    start: Vec<(usize, f64)>,
    names: Names,
    rounds: u64,
    /// The length of an episode and the names of a stage, in a model of stages.
    stages: Option<(usize, Names)>,
}

/// What has to be said of a world of which no model is known.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    /// How many actions each state has.
    pub actions: Vec<usize>,
    /// The names of the costs.
    pub costs: Vec<String>,
    /// Their budgets.
    pub budgets: Vec<f64>,
    /// The least and the greatest reward, and then cost, of a step.
    pub bounds: Vec<(f64, f64)>,
    /// Where it starts, and begins again after an end.
    pub start: Vec<(usize, f64)>,
}

impl World {
    fn check(&self) -> Result<()> {
        if self.actions.is_empty() {
            return Err(Error::NoStates);
        }
        if let Some(state) = self.actions.iter().position(|&actions| actions == 0) {
            return Err(Error::NoActions { state: state.to_string() });
        }
        if self.budgets.len() != self.costs.len() {
            return Err(Error::BudgetCount { found: self.budgets.len(), expected: self.costs.len() });
        }
        if self.bounds.len() != 1 + self.costs.len() {
            let (found, expected) = (self.bounds.len(), 1 + self.costs.len());
            return Err(Error::TableLength { what: "the ranges of rewards and costs", found, expected });
        }
        for (name, &budget) in self.costs.iter().zip(&self.budgets) {
            check_budget(name, budget)?;
        }
        let wrong = |&(least, most): &(f64, f64)| !(in_range(least) && in_range(most) && least <= most);
        if let Some(&(least, most)) = self.bounds.iter().find(|bounds| wrong(bounds)) {
            let (option, expected) = ("range", "two numbers, the smaller one first");
            return Err(Error::Option { option, value: format!("({least}, {most})"), expected });
        }
        Ok(())
    }
}

impl Task {
    /// What may be known of a model in which a learner acts for `rounds` steps.
    pub fn of(model: &Cmdp, rounds: u64) -> Task {
        let bounds = (0..model.signals.count()).map(|k| model.signals.bounds(k)).collect();
        let (first_pair, budgets) = (model.first_pair.clone(), model.budgets.clone());
        let stages = model.stages.as_ref().map(|stages| (stages.horizon, stages.names.clone()));
        let (start, names) = (model.start.clone(), model.names.clone());
        Task { first_pair, budgets, bounds, start, names, rounds, stages }
    }

    /// A task in a world of which no model is known. With a `horizon` the states are those of its stages ([`Cmdp::layered`]),
    /// and the budgets those of an episode.
    pub fn of_world(world: &World, rounds: u64, horizon: Option<usize>) -> Result<Task> {
        world.check()?;
        let stages = horizon.unwrap_or(1).max(1);
        let (states, pairs) = (world.actions.len(), world.actions.iter().sum::<usize>());
        let mut first_pair = vec![0];
        for stage in 0..stages {
            let within = world.actions.iter().scan(stage * pairs, |first, actions| {
                *first += actions;
                Some(*first)
            });
            first_pair.extend(within);
        }
        let names = Names::of_costs(world.costs.clone());
        let budgets = world.budgets.iter().map(|budget| budget / stages as f64).collect();
        let start = check_start(&world.start, states, SUM_TOLERANCE)?;
        let stages = horizon.map(|horizon| (horizon, names.clone()));
        Ok(Task { first_pair, budgets, bounds: world.bounds.clone(), start, names, rounds, stages })
    }

    /// The length of an episode, if the states are those of the stages of an episode ([`Cmdp::layered`]).
    pub fn horizon(&self) -> Option<usize> {
        self.stages.as_ref().map(|(horizon, _)| *horizon)
    }

    /// The task of a single stage, with the budgets of an episode; `None` without episodes.
    pub fn stage(&self) -> Option<Task> {
        let (horizon, names) = self.stages.as_ref()?;
        let states = self.states() / horizon;
        Some(Task {
            first_pair: self.first_pair[..=states].to_vec(),
            budgets: self.budgets.iter().map(|budget| budget * *horizon as f64).collect(),
            bounds: self.bounds.clone(),
            start: self.start.clone(),
            names: names.clone(),
            rounds: self.rounds,
            stages: None,
        })
    }

    /// The start distribution, as states with positive probability.
    pub fn start(&self) -> &[(usize, f64)] {
        &self.start
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.first_pair.len() - 1
    }

    /// How many pairs (state, action) there are.
    pub fn pairs(&self) -> usize {
        self.first_pair[self.states()]
    }

    /// How many costs there are (m).
    pub fn costs(&self) -> usize {
        self.budgets.len()
    }

    /// The pairs of a state.
    pub fn pairs_of(&self, state: usize) -> Range<usize> {
        self.first_pair[state]..self.first_pair[state + 1]
    }

    /// The budgets τ_i.
    pub fn budgets(&self) -> &[f64] {
        &self.budgets
    }

    /// The least and the greatest value of a signal: 0 is the reward, i + 1 the cost i.
    pub fn bounds(&self, k: usize) -> (f64, f64) {
        self.bounds[k]
    }

    /// T: how many steps there will be.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// A model of this shape in which nothing is known yet: every action stays, and all signals are 0. Learners write
    /// their estimates into it.
    pub fn blank(&self) -> Cmdp {
        let mut support = Support::new();
        for state in 0..self.states() {
            for _ in self.pairs_of(state) {
                support.push(state as u32);
                support.end_pair();
            }
        }
        let none = vec![0.0; self.pairs()];
        Cmdp {
            first_pair: self.first_pair.clone(),
            kernel: Kernel::from_sparse(self.states(), Arc::new(support), vec![1.0; self.pairs()]),
            signals: Signals::of_pairs(none.clone(), vec![none; self.costs()]),
            budgets: self.budgets.clone(),
            start: self.start.clone(),
            names: self.names.clone(),
            stages: None,
        }
    }
}
