//! A policy by the logarithms of its probabilities, for steps that multiply them.
//!
//! A probability that was multiplied down to 0 would never come back, and all of a state's might be; logarithms stay numbers.

use super::estimates::Estimates;
use crate::arithmetic::elementary::{exp, ln};
use crate::arithmetic::extremes::greatest;

/// ln π and π of every row.
#[derive(Clone, Debug)]
pub struct LogPolicy {
    /// ln π.
    pub logs: Vec<f64>,
    /// π.
    pub probabilities: Vec<f64>,
}

impl LogPolicy {
    /// Every action with the same probability.
    pub fn uniform(estimates: &Estimates) -> LogPolicy {
        LogPolicy::new(estimates.uniform().probabilities().to_vec())
    }

    /// From positive probabilities.
    pub fn new(probabilities: Vec<f64>) -> LogPolicy {
        LogPolicy { logs: probabilities.iter().map(|&p| ln(p)).collect(), probabilities }
    }

    /// π(a∣s) becomes exp(weight(row, ln π(a∣s))), divided by the sum over a, in every state of every stage.
    pub fn reweigh(&mut self, estimates: &Estimates, weight: impl Fn(usize, f64) -> f64) {
        for (stage, state) in estimates.places() {
            let rows = estimates.rows_of(stage, state);
            let (logs, shares) = (&mut self.logs[rows.clone()], &mut self.probabilities[rows.clone()]);
            logs.iter_mut().zip(rows).for_each(|(log, row)| *log = weight(row, *log));
            // The greatest weight becomes 1, so that none overflows.
            let most = greatest(logs.iter().copied());
            let mut sum = 0.0;
            for (share, log) in shares.iter_mut().zip(logs.iter_mut()) {
                *log -= most;
                *share = exp(*log);
                sum += *share;
            }
            let log_sum = ln(sum);
            logs.iter_mut().for_each(|log| *log -= log_sum);
            shares.iter_mut().for_each(|share| *share /= sum);
        }
    }
}
