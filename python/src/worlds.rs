//! Models as worlds to act in, one or many at once.

use crate::arrays::vector;
use crate::errors::wrong;
use crate::model::Model;
use numpy::{PyArray1, PyArrayMethods};
use occupancy::seed::{Rng, Seed};
use occupancy::sim::Stepper;
use pyo3::prelude::*;

/// Some worlds of one model, each with its own state and random numbers.
#[pyclass(module = "occupancy._core")]
pub struct Worlds {
    stepper: Stepper,
    costs: usize,
    /// Whether a cost stands negated in the model.
    negated: Vec<bool>,
    states: Vec<u32>,
    rngs: Vec<Rng>,
    is_end: Vec<bool>,
}

#[pymethods]
impl Worlds {
    /// So many worlds; those of `ends` end an episode.
    #[new]
    fn new(model: &Model, count: usize, ends: Vec<usize>) -> Worlds {
        let cmdp = &model.cmdp;
        let mut is_end = vec![false; cmdp.states()];
        ends.iter().filter(|&&state| state < cmdp.states()).for_each(|&state| is_end[state] = true);
        Worlds {
            stepper: Stepper::new(cmdp),
            costs: cmdp.costs(),
            negated: (0..cmdp.costs()).map(|i| cmdp.names().is_negated(i)).collect(),
            states: vec![0; count],
            rngs: vec![Seed(0).rng("environment"); count],
            is_end,
        }
    }

    /// Begins the random numbers of a world anew, by a name: the environment of a trial has `run 0/LEARNER/environment`.
    fn seed(&mut self, world: usize, seed: u64, stream: &str) {
        if let Some(rng) = self.rngs.get_mut(world) {
            *rng = Seed(seed).rng(stream);
        }
    }

    /// Starts a world again; returns its state.
    fn reset(&mut self, world: usize) -> u32 {
        let state = self.stepper.start(&mut self.rngs[world]);
        self.states[world] = state;
        state
    }

    /// Puts a world into a state.
    fn place(&mut self, world: usize, state: u32) -> PyResult<()> {
        if state as usize >= self.is_end.len() {
            return wrong(format!("state {state} does not exist; there are {}", self.is_end.len()));
        }
        self.states[world] = state;
        Ok(())
    }

    /// A step of one world: next state, reward, costs, and whether it ended.
    fn step(&mut self, world: usize, action: usize) -> PyResult<(u32, f64, Vec<f64>, bool)> {
        let state = self.states[world];
        let Some(pair) = self.stepper.pair(state, action) else { return self.no_action(state, action) };
        let happened = self.stepper.step(pair, &mut self.rngs[world]);
        self.states[world] = happened.next;
        let cost = |i: usize| self.shown(i, self.stepper.signal(i + 1, happened));
        let costs = (0..self.costs).map(cost).collect();
        Ok((happened.next, self.stepper.signal(0, happened), costs, self.is_end[happened.next as usize]))
    }

    /// A step of all worlds, written into arrays. Worlds that `restart` start again instead, for nothing.
    #[allow(clippy::too_many_arguments)] // arrays, by name
    fn step_all(
        &mut self,
        py: Python<'_>,
        actions: &Bound<'_, PyArray1<i64>>,
        restart: &Bound<'_, PyArray1<bool>>,
        next: &Bound<'_, PyArray1<i64>>,
        reward: &Bound<'_, PyArray1<f64>>,
        costs: &Bound<'_, PyArray1<f64>>,
        ended: &Bound<'_, PyArray1<bool>>,
    ) -> PyResult<()> {
        let (actions, restart) = (vector(actions)?, vector(restart)?);
        let count = self.states.len();
        let lengths = [actions.len(), restart.len(), next.len()?, reward.len()?, ended.len()?];
        if lengths != [count; 5] || costs.len()? != count * self.costs {
            return wrong(format!("there are {count} worlds, and an array is of another length"));
        }
        let (mut next, mut reward) = (next.try_readwrite()?, reward.try_readwrite()?);
        let (mut costs, mut ended) = (costs.try_readwrite()?, ended.try_readwrite()?);
        let (next, reward) = (next.as_slice_mut()?, reward.as_slice_mut()?);
        let (costs, ended) = (costs.as_slice_mut()?, ended.as_slice_mut()?);
        py.detach(|| {
            for world in 0..count {
                if restart[world] {
                    next[world] = i64::from(self.reset(world));
                    (reward[world], ended[world]) = (0.0, false);
                    costs[world * self.costs..(world + 1) * self.costs].fill(0.0);
                    continue;
                }
                let (state, action) = (self.states[world], actions[world]);
                let pair = usize::try_from(action).ok().and_then(|action| self.stepper.pair(state, action));
                let Some(pair) = pair else { return self.no_action(state, action) };
                let happened = self.stepper.step(pair, &mut self.rngs[world]);
                self.states[world] = happened.next;
                next[world] = i64::from(happened.next);
                reward[world] = self.stepper.signal(0, happened);
                for i in 0..self.costs {
                    costs[world * self.costs + i] = self.shown(i, self.stepper.signal(i + 1, happened));
                }
                ended[world] = self.is_end[happened.next as usize];
            }
            Ok(())
        })
    }

    /// How many actions a state has.
    fn actions(&self, state: u32) -> usize {
        self.stepper.actions(state)
    }
}

impl Worlds {
    fn shown(&self, cost: usize, x: f64) -> f64 {
        if self.negated[cost] { 0.0 - x } else { x }
    }

    fn no_action<T>(&self, state: u32, action: impl std::fmt::Display) -> PyResult<T> {
        wrong(format!("state {state} has no action {action}; it has {}", self.stepper.actions(state)))
    }
}
