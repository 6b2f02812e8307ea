//! Biases of more digits than a double has, for classes that are hardly ever left: iterative refinement (Wilkinson, 1963).
//!
//! ```text
//! h ← h + d,  v ← v + e   for   e + d = ρ + P d,   ρ = x + P h − h − v
//! ```
//!
//! h is a sum of two doubles, ρ is computed by the arithmetic that checks a proof, and d by the solver that h came from. Where a
//! policy stays for 1e12 steps in each of two classes, h is 1e11 and its last place 1e-5: no h of one double has a ρ that is
//! smaller. Each round gains the digits that the solver has.

use super::{Course, Solved};
use crate::arithmetic::extremes::{greatest, greatest_size};
use crate::arithmetic::{Interval, two_sum};
use crate::chain::solver::{Solver, Unsolved};
use crate::threads::{at_once, shares};
use crate::verify::{Bias, Rows, SignalWitness, brings};

/// A range that is wider than this share of the signal is worth the time of other biases.
const WIDE: f64 = 1e-10;

/// ρ this small, as a share of the signal, is what rounding leaves.
const SMALL: f64 = 1e-15;

/// How often a bias is refined at most: two rounds were enough for biases of 4e11.
const ROUNDS: usize = 5;

impl Course<'_> {
    /// Whether what is proved of a signal is known to few digits.
    pub(super) fn is_wide(&self, signal: &SignalWitness, k: usize) -> bool {
        self.width(signal) > WIDE * self.model.signals().size(k)
    }

    /// The greatest distance of the two sides on the course.
    pub(super) fn width(&self, signal: &SignalWitness) -> f64 {
        let of_state = |&state: &usize| {
            let opposite = signal.opposite.as_ref().map_or(f64::INFINITY, |other| other.gain[state]);
            (signal.proof.gain[state] - opposite).abs()
        };
        greatest(self.chain.states.iter().map(of_state))
    }

    /// Adds to biases what they lack.
    pub(super) fn refine(&self, solver: &mut Solver, solved: &mut Solved) -> Result<(), Unsolved> {
        let signals = solved.biases.len();
        let mut last = f64::INFINITY;
        for low in &mut solved.lows {
            low.resize(self.chain.states.len(), 0.0);
        }
        for _ in 0..ROUNDS {
            let lacking: Vec<Vec<f64>> = (0..signals).map(|k| self.residual(solved, k)).collect();
            let size = |k: usize| self.model.signals().size(k).max(f64::MIN_POSITIVE);
            let most = |k: usize| greatest_size(lacking[k].iter().copied()) / size(k);
            let most = greatest((0..signals).map(most));
            if most <= SMALL || !most.is_finite() || most > 0.5 * last {
                break;
            }
            last = most;
            let more = self.solve(solver, |node, k| lacking[k][node], None)?;
            for k in 0..signals {
                let all = solved.biases[k].iter_mut().zip(&mut solved.lows[k]).zip(&more.biases[k]);
                for ((high, low), more) in all {
                    let (sum, lost) = two_sum(*high, *more);
                    (*high, *low) = two_sum(sum, *low + lost);
                }
                solved.values[k].iter_mut().zip(&more.values[k]).for_each(|(value, more)| *value += more);
            }
        }
        Ok(())
    }

    /// ρ of every node.
    fn residual(&self, solved: &Solved, k: usize) -> Vec<f64> {
        let (high, low) = (self.by_state(&solved.biases[k]), self.by_state(&solved.lows[k]));
        let (bias, rows) = (Bias { high: &high, low: &low }, Rows::Of(self.policy));
        let signal = |pair: usize| Interval::exact(self.model.signals().signal(k)[pair]);
        let of_share = |nodes: std::ops::Range<usize>| {
            let mut found = Vec::with_capacity(nodes.len());
            for node in nodes {
                let state = self.chain.states[node];
                rows.each(self.model, state, |row| {
                    let (low, high) = brings(self.model, (state, row), signal, bias).ends();
                    found.push(0.5 * (low + high) - solved.values[k][node]);
                });
            }
            found
        };
        at_once(shares(self.chain.states.len()), of_share).concat()
    }
}
