//! Models as worlds that Gymnasium steps, one or many at once.
//!
//! A step is answered in the form of Gymnasium. Made up in Python it took 1.6 µs without Gymnasium's wrappers, and takes 0.33 µs here.

use crate::errors::wrong;
use crate::model::Model;
use crate::rules::{Given, Outcome, Rules};
use numpy::{PyArray1, PyArrayMethods};
use occupancy::seed::{Rng, Seed};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat};

const BEFORE_RESET: &str = "reset the environment before its first step";

/// What Gymnasium wants of a step: observation, reward, whether it ended, whether it was cut off, and all else by name.
type Stepped<'py, Flag> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Flag, Flag, Bound<'py, PyDict>);

/// A world of a model.
#[pyclass(module = "occupancy._core")]
pub struct World {
    rules: Rules,
    rng: Rng,
    /// The state, and the steps since the start of the episode.
    now: Option<(u32, u64)>,
    costs: Vec<f64>,
    /// The numbers of the states as NumPy has them.
    observations: Vec<Py<PyAny>>,
}

#[pymethods]
impl World {
    /// A world that has yet to be reset. Observations are handed out as they are given, one for every state.
    #[new]
    fn new(model: &Model, given: Given, observations: Vec<Py<PyAny>>) -> PyResult<World> {
        if observations.len() != model.cmdp.states() {
            return wrong(format!("{} observations of {} states", observations.len(), model.cmdp.states()));
        }
        let rules = Rules::new(model, given);
        let costs = vec![0.0; rules.costs()];
        Ok(World { rules, rng: Seed(0).rng("environment"), now: None, costs, observations })
    }

    /// Begins its random numbers anew, by a name: the environment of a trial has `run 0/LEARNER/environment`.
    fn seed(&mut self, seed: u64, stream: &str) {
        self.rng = Seed(seed).rng(stream);
    }

    /// Starts an episode, in a state if one is given.
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        state: Option<u32>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyDict>)> {
        let start = self.rules.start(&mut self.rng);
        let state = self.rules.state(state.unwrap_or(start))?;
        self.now = Some((state, 0));
        self.costs.fill(0.0);
        Ok((self.observation(py, state), self.info(py, state)?))
    }

    /// Takes an action.
    fn step<'py>(&mut self, py: Python<'py>, action: i64) -> PyResult<Stepped<'py, bool>> {
        let Some((state, before)) = self.now else { return wrong(BEFORE_RESET) };
        let stepped = self.rules.step(state, action, before, &mut self.rng, &mut self.costs);
        let Some(Outcome { next, reward, ended, truncated }) = stepped else {
            return Err(self.rules.no_action(state, action));
        };
        self.now = Some((next, before + 1));
        let paid = if self.rules.has_vector_reward() {
            let all: Vec<f64> = std::iter::once(reward).chain(self.costs.iter().map(|cost| -cost)).collect();
            PyArray1::from_slice(py, &all).into_any()
        } else {
            PyFloat::new(py, reward).into_any()
        };
        Ok((self.observation(py, next), paid, ended, truncated, self.info(py, next)?))
    }

    /// The state it is in, if it was reset.
    #[getter]
    fn state(&self) -> Option<u32> {
        self.now.map(|(state, _)| state)
    }
}

impl World {
    fn observation<'py>(&self, py: Python<'py>, state: u32) -> Bound<'py, PyAny> {
        self.observations[state as usize].bind(py).clone()
    }

    fn info<'py>(&self, py: Python<'py>, state: u32) -> PyResult<Bound<'py, PyDict>> {
        let info = PyDict::new(py);
        info.set_item(intern!(py, "cost"), total(&self.costs))?;
        info.set_item(intern!(py, "costs"), PyArray1::from_slice(py, &self.costs))?;
        if let Some(mask) = self.rules.mask(state) {
            info.set_item(intern!(py, "action_mask"), PyArray1::from_slice(py, &mask))?;
        }
        Ok(info)
    }
}

/// Many worlds of one model, each with its own state and random numbers. Those that are over start again in the next step.
#[pyclass(module = "occupancy._core")]
pub struct Worlds {
    rules: Rules,
    rngs: Vec<Rng>,
    /// Empty until they are reset.
    states: Vec<u32>,
    steps: Vec<u64>,
    is_over: Vec<bool>,
    seen: Seen,
}

/// What the last step came to, world by world.
struct Seen {
    next: Vec<i64>,
    reward: Vec<f64>,
    costs: Vec<f64>,
    ended: Vec<bool>,
    truncated: Vec<bool>,
}

#[pymethods]
impl Worlds {
    /// So many worlds that have yet to be reset.
    #[new]
    fn new(model: &Model, count: usize, given: Given) -> Worlds {
        let rules = Rules::new(model, given);
        let costs = vec![0.0; count * rules.costs()];
        let (next, reward, truncated) = (vec![0; count], vec![0.0; count], vec![false; count]);
        let seen = Seen { next, reward, costs, ended: truncated.clone(), truncated };
        let rngs = vec![Seed(0).rng("environment"); count];
        Worlds { rules, rngs, states: Vec::new(), steps: vec![0; count], is_over: vec![false; count], seen }
    }

    /// Begins the random numbers of a world anew, by a name.
    fn seed(&mut self, world: usize, seed: u64, stream: &str) {
        if let Some(rng) = self.rngs.get_mut(world) {
            *rng = Seed(seed).rng(stream);
        }
    }

    /// Starts an episode in every world.
    fn reset<'py>(&mut self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyDict>)> {
        self.states = self.rngs.iter_mut().map(|rng| self.rules.start(rng)).collect();
        self.seen.next = self.states.iter().map(|&state| i64::from(state)).collect();
        self.steps.fill(0);
        self.is_over.fill(false);
        self.seen.costs.fill(0.0);
        Ok((PyArray1::from_slice(py, &self.seen.next).into_any(), self.info(py)?))
    }

    /// Takes an action in every world.
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: &Bound<'py, PyArray1<i64>>,
    ) -> PyResult<Stepped<'py, Bound<'py, PyArray1<bool>>>> {
        let actions = actions.try_readonly()?;
        let actions = actions.as_slice()?;
        if self.states.is_empty() {
            return wrong(BEFORE_RESET);
        }
        if actions.len() != self.states.len() {
            return wrong(format!(
                "{} actions are given, expected one for each of {} worlds",
                actions.len(),
                self.states.len()
            ));
        }
        py.detach(|| self.step_all(actions))?;
        let seen = &self.seen;
        let paid = if self.rules.has_vector_reward() { self.rewards() } else { seen.reward.clone() };
        let paid = PyArray1::from_vec(py, paid);
        let paid = match self.rules.has_vector_reward() {
            true => paid.reshape([actions.len(), 1 + self.rules.costs()])?.into_any(),
            false => paid.into_any(),
        };
        let next = PyArray1::from_slice(py, &seen.next).into_any();
        let (ended, truncated) =
            (PyArray1::from_slice(py, &seen.ended), PyArray1::from_slice(py, &seen.truncated));
        Ok((next, paid, ended, truncated, self.info(py)?))
    }
}

impl Worlds {
    fn step_all(&mut self, actions: &[i64]) -> PyResult<()> {
        let (seen, width) = (&mut self.seen, self.rules.costs());
        for (world, &action) in actions.iter().enumerate() {
            let costs = &mut seen.costs[world * width..(world + 1) * width];
            let (rng, state) = (&mut self.rngs[world], self.states[world]);
            let outcome = if self.is_over[world] {
                costs.fill(0.0);
                self.steps[world] = 0;
                Outcome { next: self.rules.start(rng), reward: 0.0, ended: false, truncated: false }
            } else {
                let stepped = self.rules.step(state, action, self.steps[world], rng, costs);
                let stepped = stepped.ok_or_else(|| self.rules.no_action(state, action))?;
                self.steps[world] += 1;
                stepped
            };
            self.states[world] = outcome.next;
            self.is_over[world] = outcome.ended || outcome.truncated;
            seen.next[world] = i64::from(outcome.next);
            (seen.reward[world], seen.ended[world]) = (outcome.reward, outcome.ended);
            seen.truncated[world] = outcome.truncated;
        }
        Ok(())
    }

    /// The vector reward of every world.
    fn rewards(&self) -> Vec<f64> {
        let (width, seen) = (self.rules.costs(), &self.seen);
        let of = |(world, &reward): (usize, &f64)| {
            let costs = &seen.costs[world * width..(world + 1) * width];
            std::iter::once(reward).chain(costs.iter().map(|cost| -cost)).collect::<Vec<_>>()
        };
        seen.reward.iter().enumerate().flat_map(of).collect()
    }

    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (width, count) = (self.rules.costs(), self.states.len());
        let info = PyDict::new(py);
        let costs = PyArray1::from_slice(py, &self.seen.costs);
        let sums = match width {
            1 => PyArray1::from_slice(py, &self.seen.costs),
            _ => PyArray1::from_vec(py, self.sums()),
        };
        info.set_item(intern!(py, "cost"), sums)?;
        info.set_item(intern!(py, "costs"), costs.reshape([count, width])?)?;
        if self.states.first().is_some_and(|&state| self.rules.mask(state).is_some()) {
            let masks: Vec<i8> =
                self.states.iter().filter_map(|&state| self.rules.mask(state)).flatten().collect();
            let columns = masks.len() / count;
            info.set_item(
                intern!(py, "action_mask"),
                PyArray1::from_vec(py, masks).reshape([count, columns])?,
            )?;
        }
        Ok(info)
    }

    /// The sum of the costs of every world.
    fn sums(&self) -> Vec<f64> {
        let width = self.rules.costs();
        (0..self.states.len())
            .map(|world| total(&self.seen.costs[world * width..(world + 1) * width]))
            .collect()
    }
}

fn total(costs: &[f64]) -> f64 {
    costs.iter().fold(0.0, |sum, cost| sum + cost)
}
