//! Value iteration of a discounted sum on a large model: nearly the best policy, for less than a system of equations costs.
//!
//! Sweeps go in place, now forth and now back. Those that look at all actions carry news from one end of the model to the other;
//! those that follow the policy cost a fraction. What they leave is settled by policy iteration.

use super::stationary::Pairs;
use crate::arithmetic::extremes::{greater, greatest_size};
use crate::model::Cmdp;
use crate::stop::StopFlag;

/// Sweeps of each kind in a round.
const IMPROVING: usize = 2;
const FOLLOWING: usize = 4;

/// Rounds after which a system of equations is worth more. (After 10 rounds on a slippery grid of 1e6 states, the policy was so
/// rough that its system took 100 iterations instead of 26.)
const ROUNDS: usize = 40;

/// Value iteration hands over when a sweep changes values by less than this share of the largest signal.
const HAND_OVER: f64 = 1e-4;

/// Actions that are better by less than this share of the values' size are as good. Grids have many ways of the same length:
/// if rounding chose among them, their costs would change in every round.
const ROUNDING: f64 = 4e-15;

/// A discounted sum of one signal.
pub(super) struct Discounted<'a> {
    pub model: &'a Cmdp,
    pub factor: f64,
    /// w, by pair.
    pub signal: Vec<f64>,
}

impl Discounted<'_> {
    /// Adds to all values what they have in common to gain: sweeps alone would find it at the rate γ.
    pub fn shift(&self, policy: &Pairs, v: &mut [f64]) {
        let gained = |(state, before): (usize, &f64)| self.value(policy[state] as usize, v) - before;
        let mean = v.iter().enumerate().map(gained).sum::<f64>() / v.len() as f64;
        v.iter_mut().for_each(|v| *v += mean / (1.0 - self.factor));
    }

    /// Improves a policy and its values.
    pub fn iterate(&self, policy: &mut Pairs, v: &mut [f64], stop: &StopFlag) {
        let target = HAND_OVER * greatest_size(self.signal.iter().copied());
        for _ in 0..ROUNDS {
            let mut changed = f64::INFINITY;
            for sweep in 0..IMPROVING {
                changed = self.sweep(policy, v, sweep % 2 == 0, true);
            }
            if changed <= target || stop.asked() {
                return;
            }
            for sweep in 0..FOLLOWING {
                self.sweep(policy, v, sweep % 2 == 0, false);
            }
        }
    }

    fn value(&self, pair: usize, v: &[f64]) -> f64 {
        self.signal[pair] + self.factor * self.model.kernel().row(pair).dot(v)
    }

    /// The greatest w + γ P v of a state's pairs, and a pair that has it: that of the policy if none is better.
    fn best(&self, state: usize, chosen: u32, v: &[f64], rounding: f64) -> (f64, u32) {
        let mut best = (self.value(chosen as usize, v), chosen);
        for pair in self.model.pairs_of(state).filter(|&pair| pair != chosen as usize) {
            let other = self.value(pair, v);
            if other > best.0 + rounding {
                best = (other, pair as u32);
            }
        }
        best
    }

    /// v = w + γ P v in place, forth or back, by the best actions or by those of the policy; the greatest change.
    fn sweep(&self, policy: &mut Pairs, v: &mut [f64], forth: bool, improves: bool) -> f64 {
        let rounding = ROUNDING * greatest_size(v.iter().copied());
        let mut most = 0.0;
        for step in 0..v.len() {
            let state = if forth { step } else { v.len() - 1 - step };
            let before = v[state];
            if improves {
                (v[state], policy[state]) = self.best(state, policy[state], v, rounding);
            } else {
                v[state] = self.value(policy[state] as usize, v);
            }
            most = greater(most, (v[state] - before).abs());
        }
        most
    }
}
