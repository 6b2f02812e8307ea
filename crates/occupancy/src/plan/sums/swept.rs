//! The response to prices on a large model whose sum is discounted: by sweeps, and two systems of equations.

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

    /// The response on a large model. Value iteration comes close to the best policy; one system of equations tells its values at
    /// the prices, and the transposed one its visits, which tell the gains of all signals.
    pub(super) fn respond_by_sweeps(&mut self, weights: &[f64]) -> Result<Response<Pairs>> {
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
        self.solve_weighted(&discounted.signal)?;
        let visits = self.visits()?;
        let gain = |k: usize| -> f64 {
            let taken = self.policy.iter().map(|&pair| signals.signal(k)[pair as usize]);
            visits.iter().zip(taken).map(|(visits, x)| visits * x).sum()
        };
        let gains = (0..signals.count()).map(gain).collect();
        self.look_ahead(weights);
        let (better, excess) = self.improved();
        let column = Column { gains, policy: self.policy.clone(), loop_states: Vec::new() };
        let upper = self.weighted_gain() + excess.max(0.0) * self.length;
        Ok(Response { column, optimal: better == self.policy, upper })
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
