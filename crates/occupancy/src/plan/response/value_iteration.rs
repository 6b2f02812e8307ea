//! Relative value iteration on a communicating region, stopped by the span of the Bellman residual.
//!
//! ```text
//! B(s) = max_a [ w(s,a) + Σ P(s′∣s,a) h(s′) ] − h(s)           min B ≤ optimal gain ≤ max B
//! h ← h + ½ B − ½ B(first state)
//! ```
//!
//! The half step is the aperiodicity transform P′ = ½ I + ½ P: without it the iteration never settles on periodic
//! chains (Puterman, 1994, section 8.5.4). The bounds hold for every h, so that stopping early costs precision, not
//! truth. Chains that fall nearly apart take as many sweeps as their weakest link is rare; when the sweeps run out,
//! policy iteration takes over from the values reached.

use super::evaluation::Evaluated;
use super::policy_iteration::{PolicyIteration, doubt};
use super::region::{Chosen, Region};
use crate::arithmetic::extremes::{greatest, least};
use crate::chain::solver::Solver;
use crate::error::Result;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stop {
    /// max B − min B at which the values are good enough, as a share of the largest weighted signal.
    pub span: f64,
    /// Sweeps after which policy iteration takes over, as it does where values are lost.
    pub sweeps: usize,
    /// Whether a large model may be evaluated on the way.
    pub leaps: bool,
}

/// The bias of the greedy policy takes the place of a sweep as long as the span falls to this share of the last.
const LEAP: f64 = 0.5;

/// Where leaps were taken, so many sweeps that do not bring the span down to that share either end the iteration if it is as narrow as
/// this, as a share of the largest weighted signal: what is left is rounding, or mixes too slowly. On ten million states the last digits of the
/// biases may leave a span that no sweep narrows. A wide span falls slowly at first if ways are long.
const PATIENCE: usize = 50;
const NARROW: f64 = 1e-8;

/// The greedy policy of the last values, evaluated exactly; returns an upper bound on the weighted gain.
///
/// Starts from the bias of `evaluated`; [`PolicyIteration::weigh`] must have set the weights.
pub(crate) fn solve(
    at: &mut PolicyIteration,
    region: &Region,
    weights: &[f64],
    chosen: &mut Chosen,
    evaluated: &mut Evaluated,
    stop: Stop,
) -> Result<f64> {
    let size =
        region.states.iter().flat_map(|&s| region.pairs(s as usize)).map(|pair| at.weighted[pair].abs());
    let size = greatest(size).max(f64::MIN_POSITIVE);
    let tolerance = stop.span * size;
    let mut residual = vec![0.0; region.states.len()];
    at.set_bias(region, weights, evaluated);
    let (mut sweep, mut last) = (0, f64::INFINITY);
    let (mut lowest, mut halved) = (f64::INFINITY, (f64::INFINITY, 0));
    loop {
        at.greedy(region, chosen, &mut residual);
        let low = least(residual.iter().copied());
        let high = greatest(residual.iter().copied());
        sweep += 1;
        at.evaluator.check_stop()?;
        lowest = high.min(lowest);
        if high - low <= LEAP * halved.0 {
            halved = (high - low, sweep);
        }
        let may_end = stop.leaps && at.evaluator.is_iterative() && high - low <= NARROW * size;
        let stalls = may_end && sweep > halved.1 + PATIENCE;
        if high - low <= tolerance || stalls {
            let (signal, bias) = at.sizes(region);
            let high = if stalls { lowest } else { high } + doubt(signal, bias);
            // By these values the bound is seen, and not always by the bias of the policy: a proof of a large model begins with them.
            let is_large = Solver::is_large(region.states.len(), 0);
            let seen = is_large.then(|| region.states.iter().map(|&state| at.bias[state as usize]).collect());
            at.evaluator.evaluate(region, weights, chosen, evaluated)?;
            if let Some(values) = seen {
                evaluated.sum = Some((weights.to_vec(), values));
            }
            return Ok(high);
        }
        if sweep >= stop.sweeps || high == f64::INFINITY {
            at.evaluator.out_of_sweeps += 1;
            at.evaluator.evaluate(region, weights, chosen, evaluated)?;
            return at.solve(region, weights, chosen, evaluated);
        }
        // On a large model a solved chain is worth thousands of sweeps, as long as it leads on.
        let leap = stop.leaps && at.evaluator.is_iterative() && high - low <= LEAP * last;
        last = if leap { high - low } else { 0.0 };
        if leap && at.evaluator.evaluate(region, weights, chosen, evaluated).is_ok() {
            at.set_bias(region, weights, evaluated);
            continue;
        }
        for (&state, b) in region.states.iter().zip(&residual) {
            at.bias[state as usize] += 0.5 * (b - residual[0]);
        }
    }
}

#[cfg(test)]
mod tests;
