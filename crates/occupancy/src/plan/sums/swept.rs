//! The response to prices on a large model whose sum is discounted: by sweeps, and two systems of equations.

use super::pushed::{MOST_PASSES, pushed_visits};
use super::search::{Column, Response};
use super::stationary::{LARGE, Pairs, Stationary};
use super::value_iteration::Discounted;
use crate::error::Result;

/// The search on a large model ends at a gap of this share of what its sum may come to: the residuals of iteration leave
/// a tenth of that.
pub(super) const RESOLUTION: f64 = 1e-11;

impl Stationary<'_> {
    /// Whether prices are answered by value iteration.
    pub fn is_swept(&self) -> bool {
        self.model.states() > LARGE && self.factor < 1.0
    }

    /// The response on a large model. Value iteration comes close to the best policy, and its visits tell the gains of all signals;
    /// a system of equations tells its values at the prices, and with them how much better others may be.
    pub(super) fn respond_by_sweeps(&mut self, weights: &[f64]) -> Result<Response<Pairs>> {
        let signal = self.sweep_values(weights);
        self.solve_weighted(&signal)?;
        let column = self.swept_column()?;
        self.look_ahead(weights);
        let (better, excess) = self.improved();
        let upper = self.weighted_gain() + excess.max(0.0) * self.length;
        Ok(Response { column, optimal: better == self.policy, upper })
    }

    /// The same without knowing how good it is, for half of the time.
    pub(super) fn respond_by_sweeps_alone(&mut self, weights: &[f64]) -> Result<Column<Pairs>> {
        self.sweep_values(weights);
        // Its values are rough: the next sweeps begin with what they have in common to gain.
        self.is_evaluated = false;
        self.swept_column()
    }

    /// Improves the policy and its weighted values by value iteration; the weighted signal of every pair.
    fn sweep_values(&mut self, weights: &[f64]) -> Vec<f64> {
        let (model, signals) = (self.model, self.model.signals());
        let mut signal = vec![0.0; model.pairs()];
        for (k, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
            signal.iter_mut().zip(signals.signal(k)).for_each(|(sum, x)| *sum += weight * x);
        }
        let discounted = Discounted { model, factor: self.factor, signal };
        if !self.is_evaluated {
            discounted.shift(&self.policy, &mut self.weighted);
        }
        discounted.iterate(&mut self.policy, &mut self.weighted, &self.stop);
        discounted.signal
    }

    /// The policy, and what it is worth by its visits.
    fn swept_column(&mut self) -> Result<Column<Pairs>> {
        let signals = self.model.signals();
        let visits = match pushed_visits(self.model, self.factor, &self.policy, &self.start, MOST_PASSES) {
            Some(visits) => visits,
            None if self.is_evaluated => self.visits()?,
            None => {
                self.load(0, |_, _| 0.0)?;
                self.visits()?
            }
        };
        let gain = |k: usize| -> f64 {
            let taken = self.policy.iter().map(|&pair| signals.signal(k)[pair as usize]);
            visits.iter().zip(taken).map(|(visits, x)| visits * x).sum()
        };
        let gains = (0..signals.count()).map(gain).collect();
        Ok(Column { gains, policy: self.policy.clone(), loop_states: Vec::new() })
    }

    /// Solves for the weighted values under the policy, beginning with those at hand.
    fn solve_weighted(&mut self, signal: &[f64]) -> Result<()> {
        self.load(1, |_, pair| signal[pair])?;
        let mut values = [std::iter::once(0.0).chain(self.weighted.iter().copied()).collect()];
        let solved = self.solver.biases(true, &mut [0.0], &mut values);
        solved.map_err(|why| self.ending().failed(why))?;
        self.weighted.copy_from_slice(&values[0][1..]);
        self.is_evaluated = true;
        Ok(())
    }
}
