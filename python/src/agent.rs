//! Learners of the library in worlds that Python brings.

use crate::arrays::array;
use crate::errors;
use crate::learn::{Which, configured};
use crate::learner::Counts;
use crate::raised::{self, Raised};
use numpy::PyArray1;
use occupancy::model::World;
use occupancy::seed::Seed;
use occupancy::sim::{self, AgentOptions, Experience};
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// The world, and for how long it is acted in.
#[derive(FromPyObject)]
struct Described {
    name: String,
    actions: Vec<usize>,
    costs: Vec<String>,
    budgets: Vec<f64>,
    bounds: Vec<(f64, f64)>,
    start: Vec<(usize, f64)>,
    rounds: u64,
    horizon: Option<usize>,
    seed: u64,
    run: u64,
    preset: String,
    options: Vec<(String, String)>,
}

/// A learner that acts in a world.
#[pyclass(module = "occupancy._core")]
pub struct Agent {
    /// Nobody waits for the lock: it makes a learner, which may be sent to another thread, one that may be shared.
    agent: Mutex<sim::Agent>,
    raised: Raised,
}

impl Agent {
    fn agent(&mut self) -> &mut sim::Agent {
        self.agent.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    fn raise(&self, error: occupancy::Error) -> PyErr {
        raised::take(&self.raised).unwrap_or_else(|| errors::of(error))
    }
}

#[pymethods]
impl Agent {
    #[new]
    fn new(which: Which, world: Described) -> PyResult<Agent> {
        let (config, raised) = configured(which, &world.preset, &world.name, world.rounds, &world.options)?;
        let Described { rounds, horizon, run, .. } = world;
        let options = AgentOptions { rounds, horizon, seed: Seed(world.seed), run };
        let Described { actions, costs, budgets, bounds, start, .. } = world;
        let world = World { actions, costs, budgets, bounds, start };
        let made = sim::Agent::new(config.as_ref(), &world, options);
        let agent = made.map_err(|error| raised::take(&raised).unwrap_or_else(|| errors::of(error)))?;
        Ok(Agent { agent: Mutex::new(agent), raised })
    }

    /// What to do in a state.
    fn act(&mut self, py: Python<'_>, state: usize) -> PyResult<usize> {
        let agent = self.agent();
        py.detach(|| agent.act(state)).map_err(|error| self.raise(error))
    }

    /// Sees what came of an action.
    fn observe(
        &mut self,
        py: Python<'_>,
        state: usize,
        action: usize,
        next: usize,
        signals: Vec<f64>,
        ended: bool,
    ) -> PyResult<()> {
        let agent = self.agent();
        let seen = Experience { state, action, next, signals: &signals, ended };
        py.detach(|| agent.observe(&seen)).map_err(|error| self.raise(error))
    }

    #[getter]
    fn steps(&mut self) -> u64 {
        self.agent().steps()
    }

    #[getter]
    fn epochs(&mut self) -> u64 {
        self.agent().epochs()
    }

    fn counts(&mut self) -> Counts {
        let agent = self.agent();
        Counts::of(agent.counts(), agent.task().pairs())
    }

    /// The policy that is followed, by pair of every stage.
    fn policy<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        self.agent().policy().map(|policy| array(py, policy.probabilities().to_vec())).transpose()
    }
}
