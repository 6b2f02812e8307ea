//! A model as a world to act in: where a step leads, what it brings, and when an episode is over.

use crate::errors::{self, wrong};
use crate::model::Model;
use occupancy::seed::Rng;
use occupancy::sim::{Happened, Stepper};
use pyo3::prelude::*;

/// How a model is acted in, as Python says it.
#[derive(FromPyObject)]
pub struct Given {
    /// States that end an episode.
    ends: Vec<usize>,
    /// The most steps of an episode.
    horizon: Option<u64>,
    /// The names of the actions.
    columns: Vec<String>,
    /// The place of every action among those of its state, state by state, −1 where there is none; nothing if every state has
    /// every action in the same order.
    places: Option<Vec<i64>>,
    vector_reward: bool,
}

/// What one world and many have in common.
pub struct Rules {
    stepper: Stepper,
    model: Model,
    negated: Vec<bool>,
    is_end: Vec<bool>,
    given: Given,
}

/// What a step came to.
pub struct Outcome {
    /// Where it led.
    pub next: u32,
    /// What it earned.
    pub reward: f64,
    /// Whether the episode has come to an end.
    pub ended: bool,
    /// Whether it is cut off without one.
    pub truncated: bool,
}

impl Rules {
    /// The rules of a model.
    pub fn new(model: &Model, given: Given) -> Rules {
        let cmdp = &model.cmdp;
        let mut is_end = vec![false; cmdp.states()];
        given.ends.iter().filter(|&&state| state < cmdp.states()).for_each(|&state| is_end[state] = true);
        let negated = (0..cmdp.costs()).map(|i| cmdp.names().is_negated(i)).collect();
        Rules { stepper: Stepper::new(cmdp), model: model.clone(), negated, is_end, given }
    }

    /// How many costs there are.
    pub fn costs(&self) -> usize {
        self.negated.len()
    }

    /// Whether the reward is a vector: the reward, then the negated costs.
    pub fn has_vector_reward(&self) -> bool {
        self.given.vector_reward
    }

    /// A state to start in.
    pub fn start(&self, rng: &mut Rng) -> u32 {
        self.stepper.start(rng)
    }

    /// The number of a state, if there is one.
    pub fn state(&self, state: u32) -> PyResult<u32> {
        match (state as usize) < self.is_end.len() {
            true => Ok(state),
            false => wrong(format!("there is no state {state}; they are 0 to {}", self.is_end.len() - 1)),
        }
    }

    /// Takes an action (a column of tables) in a state, after so many steps of the episode; costs are written as they are called.
    /// `None` if the state does not have it.
    #[inline]
    pub fn step(
        &self,
        state: u32,
        action: i64,
        before: u64,
        rng: &mut Rng,
        costs: &mut [f64],
    ) -> Option<Outcome> {
        let happened = self.stepper.step(self.pair(state, action)?, rng);
        for (i, cost) in costs.iter_mut().enumerate() {
            *cost = self.shown(i, happened);
        }
        let ended = self.is_end[happened.next as usize];
        let truncated = !ended && self.given.horizon.is_some_and(|horizon| before + 1 >= horizon);
        Some(Outcome { next: happened.next, reward: self.stepper.signal(0, happened), ended, truncated })
    }

    fn shown(&self, cost: usize, happened: Happened) -> f64 {
        let x = self.stepper.signal(cost + 1, happened);
        if self.negated[cost] { 0.0 - x } else { x }
    }

    fn pair(&self, state: u32, action: i64) -> Option<usize> {
        let action = usize::try_from(action).ok()?;
        match &self.given.places {
            None => self.stepper.pair(state, action),
            Some(places) => {
                let row = places.chunks_exact(self.given.columns.len()).nth(state as usize)?;
                self.stepper.pair(state, usize::try_from(*row.get(action)?).ok()?)
            }
        }
    }

    /// Which actions a state has, as 0 and 1; `None` if every state has every action.
    pub fn mask(&self, state: u32) -> Option<Vec<i8>> {
        let places = self.given.places.as_ref()?;
        let row = places.chunks_exact(self.given.columns.len()).nth(state as usize)?;
        Some(row.iter().map(|&place| i8::from(place >= 0)).collect())
    }

    /// That a state does not have an action.
    pub fn no_action(&self, state: u32, action: i64) -> PyErr {
        let columns = &self.given.columns;
        let named = usize::try_from(action).ok().and_then(|action| columns.get(action)).cloned();
        let asked = named.unwrap_or_else(|| action.to_string());
        let own = (0_i64..).zip(columns).filter(|(action, _)| self.pair(state, *action).is_some());
        let own: Vec<String> = own.map(|(action, name)| numbered(action, name)).collect();
        let state = self.model.cmdp.names().state(state as usize);
        errors::Error::new_err(format!("state {state} has no action {asked}; it has {}", own.join(", ")))
    }
}

/// An action by its number and, if it has another one, its name.
fn numbered(action: i64, name: &str) -> String {
    if name == action.to_string() { name.to_string() } else { format!("{action} ({name})") }
}
