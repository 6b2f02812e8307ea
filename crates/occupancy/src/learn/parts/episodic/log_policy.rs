//! A policy by the logarithms of its probabilities, for steps that multiply them.
//!
//! A probability that was multiplied down to 0 would never come back, and all of a state's might be; logarithms stay numbers.

use super::estimates::Estimates;
use crate::arithmetic::elementary::{exp_all, ln};
use crate::arithmetic::extremes::greatest;
use std::ops::Range;

/// π of every row, and its logarithm up to a constant of each state.
#[derive(Clone, Debug)]
pub struct LogPolicy {
    /// ln π less that of the state's likeliest action.
    logs: Vec<f64>,
    /// π.
    pub probabilities: Vec<f64>,
}

impl LogPolicy {
    /// Every action with the same probability.
    pub fn uniform(estimates: &Estimates) -> LogPolicy {
        let probabilities = estimates.uniform().into_probabilities();
        LogPolicy { logs: vec![0.0; probabilities.len()], probabilities }
    }

    /// From positive probabilities.
    #[cfg(test)]
    pub fn new(estimates: &Estimates, probabilities: Vec<f64>) -> LogPolicy {
        let mut policy = LogPolicy { logs: vec![0.0; probabilities.len()], probabilities };
        let logs: Vec<f64> = policy.probabilities.iter().map(|&p| ln(p)).collect();
        policy.reweigh(estimates, |row, _| logs[row]);
        policy
    }

    /// −Σ π ln π of the state with these rows. The likeliest action has a logarithm of 0, so that ln π = log + ln of its share.
    pub fn entropy(&self, rows: Range<usize>) -> f64 {
        let shares = &self.probabilities[rows.clone()];
        let logs: f64 = shares.iter().zip(&self.logs[rows]).map(|(share, log)| share * log).sum();
        -logs - ln(greatest(shares.iter().copied()))
    }

    /// π(a∣s) becomes exp(weight(row, ln π(a∣s))), divided by the sum over a, in every state of every stage. The logarithm is
    /// given up to a constant of the state, which makes no difference to weights that are linear in it.
    pub fn reweigh(&mut self, estimates: &Estimates, weight: impl Fn(usize, f64) -> f64) {
        for (stage, state) in estimates.places() {
            let rows = estimates.rows_of(stage, state);
            let logs = &mut self.logs[rows.clone()];
            logs.iter_mut().zip(rows).for_each(|(log, row)| *log = weight(row, *log));
            // The greatest weight becomes 1, so that none overflows.
            let most = greatest(logs.iter().copied());
            logs.iter_mut().for_each(|log| *log -= most);
        }
        self.probabilities.copy_from_slice(&self.logs);
        exp_all(&mut self.probabilities);
        for (stage, state) in estimates.places() {
            let shares = &mut self.probabilities[estimates.rows_of(stage, state)];
            let sum = shares.iter().fold(0.0, |sum, share| sum + share);
            shares.iter_mut().for_each(|share| *share /= sum);
        }
    }
}
