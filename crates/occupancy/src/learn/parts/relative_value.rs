//! Relative value iteration: the best policy for one signal w in the long run.
//!
//! ```text
//! V ← max_a  w(s,a) + Σ P(s′∣s,a) V(s′) ,   then V ← V − V(0)          until  max ΔV − min ΔV < tolerance
//! ```
//!
//! The paper's published code subtracts a running estimate of the gain instead of V(0); both are constants, so that
//! policies, differences of values and the stopping rule are the same. With `staying` σ > 0 every transition is mixed with
//! staying, (1 − σ) P + σ I, whose best policies are the same (Puterman 1994, 8.5.4) and whose chains are never periodic.

use crate::arithmetic::dense::products;
use crate::model::Cmdp;
use crate::options;
use crate::seed::Rng;
use rand::RngExt;

/// The most sweeps over all states; the paper's number.
const MOST_SWEEPS: usize = 50_000;

options! {
    /// How value iteration goes and when it ends.
    pub struct ValueIterationOptions {
        /// Value iteration ends when all states improve by the same, to within this.
        tolerance: f64 = 1e-8, "a number from 1e-12 to 1" => |tolerance| (1e-12..=1.0).contains(tolerance);
        /// The share of staying that value iteration mixes into every transition, so that no chain is periodic.
        staying: f64 = 0.05, "a number from 0 to 0.9" => |share| (0.0..=0.9).contains(share);
        /// Whether value iteration begins with the values of the last epoch.
        warm: bool = true, "true or false" => |_| true;
    }
}

/// Finds the best policy for one signal.
pub struct RelativeValueIteration {
    tolerance: f64,
    staying: f64,
    warm: bool,
    value: [Vec<f64>; 1],
    next: Vec<f64>,
    /// Σ P V of every pair.
    onward: Vec<f64>,
    /// Whether the values reached the tolerance at all times, or sweeps ran out.
    settled: bool,
}

impl RelativeValueIteration {
    /// An iteration with these options.
    pub fn new(options: &ValueIterationOptions) -> RelativeValueIteration {
        let ValueIterationOptions { tolerance, staying, warm } = *options;
        RelativeValueIteration {
            tolerance,
            staying,
            warm,
            value: [Vec::new()],
            next: Vec::new(),
            onward: Vec::new(),
            settled: true,
        }
    }

    /// The pair to take in every state; ties are broken at random.
    pub fn solve(&mut self, model: &Cmdp, signal: &[f64], rng: &mut Rng) -> Vec<usize> {
        let states = model.states();
        let value = &mut self.value[0];
        if !self.warm || value.len() != states {
            value.clear();
            value.resize(states, 0.0);
        }
        self.next.resize(states, 0.0);
        self.onward.resize(model.pairs(), 0.0);
        self.settled &= (0..MOST_SWEEPS).any(|_| self.sweep(model, signal) < self.tolerance);
        self.look_ahead(model);
        (0..states).map(|state| self.greedy(model, signal, state, rng)).collect()
    }

    /// Whether all that was solved since this was last asked reached the tolerance.
    pub fn take_settled(&mut self) -> bool {
        std::mem::replace(&mut self.settled, true)
    }

    /// One update of all values; returns max ΔV − min ΔV.
    fn sweep(&mut self, model: &Cmdp, signal: &[f64]) -> f64 {
        self.look_ahead(model);
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        let value = &mut self.value[0];
        for (state, next) in self.next.iter_mut().enumerate() {
            let mut best = f64::NEG_INFINITY;
            for pair in model.pairs_of(state) {
                best = best.max(signal[pair] + (1.0 - self.staying) * self.onward[pair]);
            }
            *next = best + self.staying * value[state];
            least = least.min(*next - value[state]);
            most = most.max(*next - value[state]);
        }
        let level = self.next[0];
        value.iter_mut().zip(&self.next).for_each(|(value, next)| *value = next - level);
        most - least
    }

    /// Σ P V of every pair.
    fn look_ahead(&mut self, model: &Cmdp) {
        match model.kernel().dense() {
            Some(rows) => products(rows, None, &self.value, &mut self.onward),
            None => {
                for (pair, onward) in self.onward.iter_mut().enumerate() {
                    *onward = model.kernel().row(pair).dot(&self.value[0]);
                }
            }
        }
    }

    fn greedy(&self, model: &Cmdp, signal: &[f64], state: usize, rng: &mut Rng) -> usize {
        let worth = |pair: usize| signal[pair] + (1.0 - self.staying) * self.onward[pair];
        let best = model.pairs_of(state).map(worth).fold(f64::NEG_INFINITY, f64::max);
        let tied = model.pairs_of(state).filter(|&pair| worth(pair) == best);
        let chosen = match tied.clone().count() {
            0 | 1 => 0,
            count => rng.random_range(0..count),
        };
        tied.clone().nth(chosen).unwrap_or(model.pairs_of(state).start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::evaluate;
    use crate::model::{CmdpBuilder, Policy};
    use crate::seed::Seed;

    fn with_staying(staying: f64) -> ValueIterationOptions {
        ValueIterationOptions { staying, ..ValueIterationOptions::default() }
    }

    #[test]
    fn the_policy_is_the_best_for_its_signal() {
        // Laps of 2 steps with reward 1, or of 3 steps with reward 2; both are periodic.
        let mut model = CmdpBuilder::new(4, &[]);
        model.pair(0, &[(1, 1.0)], 0.0, &[]).pair(0, &[(2, 1.0)], 0.0, &[]);
        model.pair(1, &[(0, 1.0)], 1.0, &[]).pair(2, &[(3, 1.0)], 0.0, &[]).pair(3, &[(0, 1.0)], 2.0, &[]);
        let model = model.build().unwrap();
        let mut rng = Seed(3).rng("ties");
        for staying in [0.05, 0.3] {
            let mut iteration = RelativeValueIteration::new(&with_staying(staying));
            let pairs = iteration.solve(&model, model.signals().reward(), &mut rng);
            let policy = Policy::deterministic(&model, pairs).unwrap();
            let found = evaluate(&model, &policy, model.start()).unwrap();
            assert!((found.value.reward - 2.0 / 3.0).abs() < 1e-12, "{}", found.value.reward);
            assert!(iteration.take_settled());
        }
    }

    #[test]
    fn sweeps_that_run_out_are_told_once() {
        let mut model = CmdpBuilder::new(2, &[]);
        model.pair(0, &[(1, 1.0)], 0.0, &[]).pair(1, &[(0, 1.0)], 1.0, &[]);
        let model = model.build().unwrap();
        // Without staying, the values of a lap of two steps swing for ever.
        let mut iteration = RelativeValueIteration::new(&with_staying(0.0));
        let mut rng = Seed(3).rng("ties");
        iteration.solve(&model, model.signals().reward(), &mut rng);
        assert_eq!([iteration.take_settled(), iteration.take_settled()], [false, true]);
    }
}
