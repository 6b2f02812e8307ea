//! How far estimates may be off: the radii and bonuses of the papers on episodes.
//!
//! ```text
//! Hoeffding   √( L / max(1, n) )                                          for rewards and costs
//! Bernstein   2 √( p̄ (1 − p̄) L / max(1, n) ) + (14/3) L / max(1, n)      for each transition probability
//! ```

use super::estimates::Estimates;
use crate::arithmetic::elementary::ln;

/// √( L / max(1, n) ).
pub fn hoeffding(visits: u64, log: f64) -> f64 {
    (log / visits.max(1) as f64).sqrt()
}

/// 2 √( p (1 − p) L / n ) + (14/3) L / n, for n ≥ 1.
pub fn bernstein(p: f64, visits: u64, log: f64) -> f64 {
    let share = log / visits as f64;
    2.0 * (p * (1.0 - p) * share).sqrt() + 14.0 / 3.0 * share
}

/// How far each transition probability of a row may be off. Where nothing was seen every distribution is possible, whatever the
/// scale.
#[derive(Clone, Copy, Debug)]
pub struct BoxRule {
    /// L.
    pub log: f64,
    /// What all radii are multiplied by.
    pub scale: f64,
    /// Whether radii are 1 at most: probabilities are no further apart.
    pub capped: bool,
}

impl BoxRule {
    /// Writes the radii of a row, one for every state.
    pub fn write(&self, estimates: &Estimates, row: usize, radii: &mut [f64]) {
        let (visits, kernel) = (estimates.visits[row], estimates.kernel(row));
        if visits == 0 {
            return radii.fill(1.0);
        }
        for (radius, &p) in radii.iter_mut().zip(kernel) {
            *radius = self.scale * bernstein(p, visits, self.log);
            if self.capped {
                *radius = radius.min(1.0);
            }
        }
    }
}

/// The radii of every transition probability, for the rows that have changed.
#[derive(Clone, Debug)]
pub struct BoxRadii {
    /// A radius for every state of every row.
    pub radii: Vec<f64>,
    rule: BoxRule,
}

impl BoxRadii {
    /// Radii by a rule.
    pub fn new(estimates: &Estimates, rule: BoxRule) -> BoxRadii {
        BoxRadii { radii: vec![1.0; estimates.rows() * estimates.states()], rule }
    }

    /// Brings the rows up to date that an update of the estimates has changed.
    pub fn refresh(&mut self, estimates: &Estimates) {
        let states = estimates.states();
        for &row in &estimates.changed {
            self.rule.write(estimates, row, &mut self.radii[row * states..(row + 1) * states]);
        }
    }

    /// Σ over the successors of a row.
    pub fn sum(&self, estimates: &Estimates, row: usize) -> f64 {
        let states = estimates.states();
        self.radii[row * states..(row + 1) * states].iter().sum()
    }
}

/// The sizes that logarithms are made of.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// S A: the pairs of a stage.
    pub pairs: f64,
    /// S.
    pub states: f64,
    /// H.
    pub horizon: f64,
    /// K: how many episodes there will be.
    pub episodes: f64,
    /// m.
    pub costs: f64,
    /// δ.
    pub delta: f64,
}

impl Sizes {
    /// The sizes of a task of so many rounds.
    pub fn of(estimates: &Estimates, rounds: u64, delta: f64) -> Sizes {
        let horizon = estimates.horizon() as f64;
        Sizes {
            pairs: estimates.pairs() as f64,
            states: estimates.states() as f64,
            horizon,
            episodes: (rounds as f64 / horizon).max(1.0),
            costs: estimates.costs() as f64,
            delta,
        }
    }

    /// ln( 6 S A H K / δ ), of transitions (Efroni et al. 2020).
    pub fn log_transitions(&self) -> f64 {
        ln(6.0 * self.pairs * self.horizon * self.episodes / self.delta)
    }

    /// 2 ln( 6 S A H (m + 1) K / δ ), of rewards and costs (Efroni et al. 2020).
    pub fn log_signals(&self) -> f64 {
        2.0 * ln(6.0 * self.pairs * self.horizon * (self.costs + 1.0) * self.episodes / self.delta)
    }
}

/// 1 / √( H² m K / ρ² ): how far prices move for each unit by which a cost is over its budget (Efroni et al. 2020).
pub fn dual_step(estimates: &Estimates, rounds: u64, rho: f64) -> f64 {
    let Sizes { horizon, costs, episodes, .. } = Sizes::of(estimates, rounds, 1.0);
    rho / (horizon * horizon * costs.max(1.0) * episodes).sqrt()
}
