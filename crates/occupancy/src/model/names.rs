//! Names of states, actions and costs; an unnamed thing is called by its index.

use crate::error::{Error, Result};

/// Names, each list optional.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    pub(super) states: Option<Vec<String>>,
    pub(super) actions: Option<Vec<String>>,
    pub(super) costs: Option<Vec<String>>,
}

impl Names {
    /// The name of a state, or its index.
    pub fn state(&self, state: usize) -> String {
        name(&self.states, state, state)
    }

    /// The name of a pair's action, or its index among the actions of its state.
    pub(super) fn action(&self, pair: usize, index: usize) -> String {
        name(&self.actions, pair, index)
    }

    /// The name of a cost, or `c0`, `c1`, ….
    pub fn cost(&self, cost: usize) -> String {
        match &self.costs {
            Some(names) if cost < names.len() => names[cost].clone(),
            _ => format!("c{cost}"),
        }
    }

    /// What signal k is called in words: `reward`, `cost heat`.
    pub(super) fn signal(&self, k: usize) -> String {
        if k == 0 { "reward".to_string() } else { format!("cost {}", self.cost(k - 1)) }
    }

    /// Whether states are named.
    pub fn has_states(&self) -> bool {
        self.states.is_some()
    }

    pub(super) fn check(&self, states: usize, pairs: usize, costs: usize) -> Result<()> {
        let lists = [
            ("states", &self.states, states),
            ("actions", &self.actions, pairs),
            ("costs", &self.costs, costs),
        ];
        for (what, list, expected) in lists {
            match list {
                Some(names) if names.len() != expected => {
                    return Err(Error::NameCount { what, found: names.len(), expected });
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn name(names: &Option<Vec<String>>, at: usize, index: usize) -> String {
    names.as_ref().and_then(|names| names.get(at)).cloned().unwrap_or_else(|| index.to_string())
}
