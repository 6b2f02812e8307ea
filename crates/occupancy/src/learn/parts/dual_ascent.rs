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
use crate::chain::{Evaluation, evaluate};
use crate::error::Result;
use crate::model::{Cmdp, Policy};
use crate::seed::Rng;

/// Steps among known policies after which the gap is looked at.
const STEPS: usize = 400;
/// At most so many times; the gap then stays larger than asked for.
const ROUNDS: usize = 50;
/// At most so many policies in one model.
const POLICIES: usize = 40;

/// Prices that are kept from model to model.
pub struct DualAscent {
    gap: f64,
    /// λ_i.
    pub prices: Vec<f64>,
}

/// What ascent ends with.
pub struct Ascended {
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
    /// Ascent from prices of 0 that ends at this relative gap.
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
        let mut known = Known { policies: Vec::new(), budgets: model.budgets(), scale: &scale, steps: 0 };
        let mut weights = Vec::new();
        let mut feasible = true;
        while known.policies.len() < POLICIES {
            let pairs = iteration.solve(model, &priced(model, &self.prices), rng);
            let found = evaluate(model, &Policy::deterministic(model, pairs)?, &[(state, 1.0)])?;
            let upper = lagrangian(&found, &self.prices, model.budgets());
            feasible = upper >= scale.least_reward - 1e-9 * scale.reward;
            if !feasible || known.best(&self.prices).1 >= upper - self.gap * scale.reward {
                break;
            }
            known.policies.push(found);
            weights = known.ascend(&mut self.prices, self.gap);
        }
        let mut occupancy = vec![0.0; model.pairs()];
        for (one, weight) in known.policies.iter().zip(&weights) {
            occupancy.iter_mut().zip(&one.occupancy).for_each(|(sum, share)| *sum += weight * share);
        }
        Ok(Ascended { occupancy, feasible })
    }
}

/// The policies known in one model.
struct Known<'a> {
    policies: Vec<Evaluation>,
    budgets: &'a [f64],
    scale: &'a Scale,
    /// Steps taken so far.
    steps: usize,
}

impl Known<'_> {
    /// The best policy at some prices, and its Lagrangian.
    fn best(&self, prices: &[f64]) -> (usize, f64) {
        let values = self.policies.iter().map(|one| lagrangian(one, prices, self.budgets));
        let worst = (0, f64::NEG_INFINITY);
        values.enumerate().fold(worst, |best, one| if one.1 > best.1 { one } else { best })
    }

    /// Ascends until mixture and prices agree to within the gap, or no mixture meets the budgets; returns the mixture and
    /// leaves the prices of the least upper bound.
    fn ascend(&mut self, prices: &mut Vec<f64>, gap: f64) -> Vec<f64> {
        let mut weights = Vec::new();
        let mut least = (f64::INFINITY, prices.clone());
        for _ in 0..ROUNDS {
            weights = self.round(prices, &mut least);
            let upper = least.0;
            let reward = mean(&self.policies, &weights, |one| one.value.reward);
            let over = |i: usize| mean(&self.policies, &weights, |one| one.value.costs[i]) - self.budgets[i];
            let within = (0..prices.len()).all(|i| over(i) <= gap * self.scale.costs[i]);
            if upper < self.scale.least_reward || (within && upper - reward <= gap * self.scale.reward) {
                break;
            }
        }
        *prices = least.1;
        weights
    }

    /// Some steps; returns the share of the later half at which each policy was the best, and lowers the least upper bound
    /// with its prices. Ends early at a bound that no mixture can reach.
    fn round(&mut self, prices: &mut [f64], least: &mut (f64, Vec<f64>)) -> Vec<f64> {
        let mut weights = vec![0.0; self.policies.len()];
        for step in 1..=STEPS {
            self.steps += 1;
            let (best, value) = self.best(prices);
            if value < least.0 {
                *least = (value, prices.to_vec());
            }
            if value < self.scale.least_reward {
                weights[best] = 1.0;
                return weights;
            }
            for (i, price) in prices.iter_mut().enumerate() {
                let size = self.scale.costs[i];
                let rate = self.scale.reward / (size * size * (self.steps as f64).sqrt());
                *price = (*price + rate * (self.policies[best].value.costs[i] - self.budgets[i])).max(0.0);
            }
            if step > STEPS / 2 {
                weights[best] += 2.0 / STEPS as f64;
            }
        }
        weights
    }
}

fn mean(policies: &[Evaluation], weights: &[f64], value: impl Fn(&Evaluation) -> f64) -> f64 {
    policies.iter().zip(weights).map(|(one, weight)| weight * value(one)).sum()
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
pub fn priced(model: &Cmdp, prices: &[f64]) -> Vec<f64> {
    let mut signal = model.signals().reward().to_vec();
    for (i, price) in prices.iter().enumerate().filter(|&(_, &price)| price > 0.0) {
        signal.iter_mut().zip(model.signals().cost(i)).for_each(|(sum, cost)| *sum -= price * cost);
    }
    signal
}

/// J(r) + Σ λ_i (τ_i − J(c_i)), where a budget without limit has no price.
fn lagrangian(one: &Evaluation, prices: &[f64], budgets: &[f64]) -> f64 {
    let terms = prices.iter().zip(budgets).zip(&one.value.costs).filter(|((price, _), _)| **price > 0.0);
    one.value.reward + terms.map(|((price, budget), cost)| price * (budget - cost)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::parts::relative_value::ValueIterationOptions;
    use crate::model::text;
    use crate::plan::Problem;
    use crate::plan::{PlannerConfig, Verdict};
    use crate::seed::Seed;

    const MODEL: &str = "
        cost heat <= BUDGET
        cost noise <= 0.4
        state cool
          rest                              -> cool
          work  reward 2  noise 1           -> cool 0.5, warm 0.5
        state warm
          rest            heat 1            -> cool
          work  reward 3  heat 1  noise 1   -> warm 0.9, cool 0.1
          wait  reward 1  heat 1            -> warm";

    fn ascended(budget: &str) -> (Cmdp, Ascended, DualAscent) {
        let model = text::parse(&MODEL.replace("BUDGET", budget)).unwrap();
        let mut iteration = RelativeValueIteration::new(&ValueIterationOptions::default());
        let mut ascent = DualAscent::new(1e-3, 2);
        let found = ascent.solve(&model, 0, &mut iteration, &mut Seed(1).rng("ties")).unwrap();
        (model, found, ascent)
    }

    #[test]
    fn the_mixture_reaches_the_optimum_to_within_the_gap() {
        for budget in ["0.25", "0.5", "0.9", "inf"] {
            let (model, found, ascent) = ascended(budget);
            let Verdict::Optimal(plan) =
                PlannerConfig::default().build().plan(&Problem::average(&model)).unwrap()
            else {
                panic!("budgets can be met")
            };
            let averages = crate::chain::averages(&model, &found.occupancy);
            assert!(
                found.feasible && (averages[0] - plan.value.reward).abs() < 3e-3 * 3.0,
                "{averages:?} {}",
                plan.value.reward
            );
            let within =
                averages[1..].iter().zip(model.budgets()).all(|(cost, budget)| *cost < budget + 2e-3);
            assert!(within, "{averages:?}, prices {:?}", ascent.prices);
        }
    }

    #[test]
    fn budgets_that_cannot_be_met_are_noticed() {
        assert!(!ascended("-0.1").1.feasible);
    }
}
