//! Dual ascent in one model: prices and a mixture of policies that settle together.
//!
//! ```text
//! λ_i ← max(0, λ_i + s_j (J(c_i) − τ_i)) ,   s_j ∝ 1/√j ,      J of the best policy at the prices λ
//! D(λ) = J(r) + Σ λ_i (τ_i − J(c_i))  ≥  optimum  ≥  the mixture, where it meets the budgets
//! ```
//!
//! The average occupancy of the later policies approaches the optimum; this is what the paper's relaxation is meant to
//! compute. Value iteration is needed only for a policy not met before: ascent runs among the policies known until it
//! settles, then asks for the best policy at its prices, and ends when that one is no better by the relative gap.

use super::relative_value::RelativeValueIteration;
use crate::error::Result;
use crate::model::{Cmdp, Evaluation, Policy, evaluate};
use crate::seed::Rng;

/// Steps among known policies before the next is asked for.
const STEPS: usize = 400;
/// At most so many policies in one model.
const POLICIES: usize = 40;

/// Prices that are kept from model to model.
pub(super) struct DualAscent {
    gap: f64,
    pub prices: Vec<f64>,
}

/// What ascent ends with.
pub(super) struct Ascended {
    /// The occupancy of the mixture.
    pub occupancy: Vec<f64>,
    /// Whether the budgets can be met, as far as it is known.
    pub feasible: bool,
}

/// The sizes that steps and gaps are measured in.
struct Scale {
    reward: f64,
    least_reward: f64,
    costs: Vec<f64>,
}

impl DualAscent {
    pub fn new(gap: f64, costs: usize) -> DualAscent {
        DualAscent { gap, prices: vec![0.0; costs] }
    }

    /// Ascends in a model, for a learner in `state`.
    pub fn solve(
        &mut self,
        model: &Cmdp,
        state: usize,
        iteration: &mut RelativeValueIteration,
        rng: &mut Rng,
    ) -> Result<Ascended> {
        let scale = Scale::of(model);
        let mut known: Vec<Evaluation> = Vec::new();
        let mut weights = Vec::new();
        let mut feasible = true;
        while known.len() < POLICIES {
            let policy = iteration.solve(model, &priced(model, &self.prices), rng);
            let policy = Policy::deterministic(model, policy)?;
            let found = evaluate(model, &policy, &[(state, 1.0)])?;
            let upper = lagrangian(&found, &self.prices, model.budgets());
            feasible = upper >= scale.least_reward - 1e-9 * scale.reward;
            let best = known.iter().map(|one| lagrangian(one, &self.prices, model.budgets()));
            if !feasible || best.fold(f64::NEG_INFINITY, f64::max) >= upper - self.gap * scale.reward {
                break;
            }
            known.push(found);
            weights = self.ascend(&known, model.budgets(), &scale);
        }
        let mut occupancy = vec![0.0; model.pairs()];
        for (one, weight) in known.iter().zip(&weights) {
            occupancy.iter_mut().zip(&one.occupancy).for_each(|(sum, share)| *sum += weight * share);
        }
        Ok(Ascended { occupancy, feasible })
    }

    /// Ascends among known policies; returns the share of the later half of the steps at which each was the best.
    fn ascend(&mut self, known: &[Evaluation], budgets: &[f64], scale: &Scale) -> Vec<f64> {
        let mut weights = vec![0.0; known.len()];
        let later = STEPS / 2;
        for step in 1..=STEPS {
            let value = |one: &Evaluation| lagrangian(one, &self.prices, budgets);
            let best = (0..known.len()).max_by(|&a, &b| value(&known[a]).total_cmp(&value(&known[b])));
            let best = best.unwrap_or(0);
            for (i, price) in self.prices.iter_mut().enumerate() {
                let rate = scale.reward / (scale.costs[i] * scale.costs[i] * (step as f64).sqrt());
                let excess = known[best].costs[i] - budgets[i];
                *price = (*price + rate * excess).max(0.0);
            }
            if step > later {
                weights[best] += 1.0 / (STEPS - later) as f64;
            }
        }
        weights
    }
}

impl Scale {
    fn of(model: &Cmdp) -> Scale {
        let (least, most) = model.signals().bounds(0);
        let cost = |i: usize| {
            let ((least, most), budget) = (model.signals().bounds(i + 1), model.budgets()[i]);
            let size = (most - budget).abs().max((budget - least).abs());
            if size.is_finite() && size > 1e-12 { size } else { 1.0 }
        };
        Scale {
            reward: if most - least > 1e-12 { most - least } else { 1.0 },
            least_reward: least,
            costs: (0..model.costs()).map(cost).collect(),
        }
    }
}

/// r(s,a) − Σ λ_i c_i(s,a); the constant Σ λ_i τ_i moves no policy.
pub(super) fn priced(model: &Cmdp, prices: &[f64]) -> Vec<f64> {
    let mut signal = model.signals().reward().to_vec();
    for (i, price) in prices.iter().enumerate().filter(|&(_, &price)| price > 0.0) {
        signal.iter_mut().zip(model.signals().cost(i)).for_each(|(sum, cost)| *sum -= price * cost);
    }
    signal
}

/// J(r) + Σ λ_i (τ_i − J(c_i)), where a budget without limit has no price.
fn lagrangian(one: &Evaluation, prices: &[f64], budgets: &[f64]) -> f64 {
    let terms = prices.iter().zip(budgets).zip(&one.costs).filter(|((price, _), _)| **price > 0.0);
    one.gain + terms.map(|((price, budget), cost)| price * (budget - cost)).sum::<f64>()
}
