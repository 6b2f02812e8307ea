//! A stationary policy π(a∣s): one probability per pair.

use super::Cmdp;
use crate::error::{Error, Result};

/// The probability of every pair's action in its state.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    probabilities: Vec<f64>,
}

impl Policy {
    /// From one probability per pair; each state's must sum to 1 within 1e-9 and are divided by their sum.
    pub fn new(model: &Cmdp, mut probabilities: Vec<f64>) -> Result<Policy> {
        if probabilities.len() != model.pairs() {
            let (found, expected) = (probabilities.len(), model.pairs());
            return Err(Error::TableLength { what: "a policy", found, expected });
        }
        for state in 0..model.states() {
            let row = &mut probabilities[model.pairs_of(state)];
            let sum: f64 = row.iter().sum();
            if row.iter().any(|&p| !(0.0..=1.0 + 1e-9).contains(&p))
                || sum.is_nan()
                || (sum - 1.0).abs() > 1e-9
            {
                return Err(Error::PolicyRow { state: model.names().state(state), sum });
            }
            row.iter_mut().for_each(|p| *p /= sum);
        }
        Ok(Policy { probabilities })
    }

    /// The policy that always takes the given pair of each state.
    pub fn deterministic(model: &Cmdp, pair_of_state: impl IntoIterator<Item = usize>) -> Policy {
        let mut probabilities = vec![0.0; model.pairs()];
        pair_of_state.into_iter().for_each(|pair| probabilities[pair] = 1.0);
        Policy { probabilities }
    }

    /// The policy that takes every action of a state with the same probability.
    pub fn uniform(model: &Cmdp) -> Policy {
        let mut probabilities = vec![0.0; model.pairs()];
        for state in 0..model.states() {
            let pairs = model.pairs_of(state);
            let share = 1.0 / pairs.len() as f64;
            probabilities[pairs].fill(share);
        }
        Policy { probabilities }
    }

    /// From rows that are distributions already.
    pub(crate) fn from_rows(probabilities: Vec<f64>) -> Policy {
        Policy { probabilities }
    }

    pub(crate) fn into_rows(self) -> Vec<f64> {
        self.probabilities
    }

    /// π(a∣s) of every pair.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }
}
