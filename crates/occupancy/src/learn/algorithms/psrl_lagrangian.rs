//! PSRLLagrangian: primal-dual posterior sampling (the paper's Algorithm 2).
//!
//! ```text
//! for epochs k = 1, 2, …
//!     r̄_k, c̄_k  ←  means of what was seen
//!     p_k(·∣s,a) ~ Dir(prior + N(s,a,·))
//!     π_k        ←  best policy for r̄_k + Σ λ_i (τ_i − c̄_i) in p_k, by relative value iteration
//!     λ_{k+1,i}  =  max(0, λ_{k,i} + η (J(c_i) − τ_i))
//!     follow the mixture π̃_k = π̃_{k−1} + (π_k − π̃_{k−1}) / k until the epoch ends
//! ```
//!
//! J is the value of π_k in p_k (`dual = model`, the paper's text) or the average cost seen in the epoch (`observed`, its
//! published code, which also follows π_k itself). One step of the prices in an epoch is little: `ascent` takes as many as
//! it needs inside each.

use crate::chain::{entered_classes, evaluate};
use crate::error::Result;
use crate::learn::parts::dual_ascent::{DualAscent, priced};
use crate::learn::parts::estimate::Estimate;
use crate::learn::parts::execution::{Executor, policy_of};
use crate::learn::parts::posterior::Posterior;
use crate::learn::parts::prior::PriorRows;
use crate::learn::parts::relative_value::RelativeValueIteration;
use crate::learn::settings::{DualSignal, OnInfeasible, Settings};
use crate::learn::{Epoch, EpochRule, Learner, Now, PlanReport};
use crate::model::{Cmdp, Policy, Task};
use crate::seed::Rng;

/// Plans by value iteration in a drawn model, at prices that adapt.
pub(in crate::learn) struct PsrlLagrangian {
    estimate: Estimate,
    posterior: Posterior,
    iteration: RelativeValueIteration,
    ascent: DualAscent,
    executor: Executor,
    dual: DualSignal,
    eta: f64,
    infeasible: OnInfeasible,
    epochs: EpochRule,
    task: Task,
}

impl PsrlLagrangian {
    pub fn new(task: &Task, settings: &Settings, prior: Option<PriorRows>) -> PsrlLagrangian {
        PsrlLagrangian {
            estimate: Estimate::new(task, settings),
            posterior: Posterior::new(&settings.prior, prior),
            iteration: RelativeValueIteration::new(settings.tolerance, settings.staying, settings.warm),
            ascent: DualAscent::new(settings.gap, task.costs()),
            executor: Executor::new(settings.execute, settings.mixed),
            dual: settings.dual,
            eta: settings.eta.unwrap_or(0.0),
            infeasible: settings.infeasible,
            epochs: settings.epochs,
            task: task.clone(),
        }
    }

    /// λ_i ← max(0, λ_i + η (J(c_i) − τ_i)).
    fn dual_step(&mut self, costs: impl Iterator<Item = f64>) {
        for ((price, cost), budget) in self.ascent.prices.iter_mut().zip(costs).zip(self.task.budgets()) {
            *price = (*price + self.eta * (cost - budget)).max(0.0);
        }
    }

    /// π_k and the prices it was planned at; how many classes it has is counted when it is executed.
    fn plan(&mut self, now: &Now, rng: &mut Rng) -> Result<(Policy, PlanReport)> {
        if self.dual == DualSignal::Ascent {
            return self.plan_by_ascent(now, rng);
        }
        if self.dual == DualSignal::Observed && now.last_steps > 0 {
            self.dual_step(now.last_sums[1..].iter().map(|sum| sum / now.last_steps as f64));
        }
        let prices = self.ascent.prices.clone();
        let model = &self.estimate.model;
        let pairs = self.iteration.solve(model, &priced(model, &self.ascent.prices), rng);
        let policy = Policy::deterministic(model, pairs)?;
        if self.dual == DualSignal::Model {
            let costs = evaluate(model, &policy, &[(now.state, 1.0)])?.costs;
            self.dual_step(costs.into_iter());
        }
        let settled = self.iteration.take_settled();
        Ok((policy, PlanReport { feasible: true, classes: 1, prices, settled }))
    }

    fn plan_by_ascent(&mut self, now: &Now, rng: &mut Rng) -> Result<(Policy, PlanReport)> {
        let model = &self.estimate.model;
        let found = self.ascent.solve(model, now.state, &mut self.iteration, rng)?;
        let (feasible, prices) = (found.feasible, self.ascent.prices.clone());
        let policy = match (found.feasible, self.infeasible) {
            (true, _) => policy_of(model, found.occupancy),
            // Ascent has only proved that there is nothing to mix; what comes closest is another question.
            (false, OnInfeasible::LeastCost) => self.estimate.plan(now, rng)?.0,
            (false, OnInfeasible::Explore) => self.estimate.explore(now.counts),
            (false, OnInfeasible::Uniform) => Policy::uniform(model),
            (false, OnInfeasible::Drop) => {
                Policy::deterministic(model, self.iteration.solve(model, model.signals().reward(), rng))?
            }
        };
        if !found.feasible {
            self.ascent.prices.fill(0.0);
        }
        let settled = self.iteration.take_settled();
        Ok((policy, PlanReport { feasible, classes: 1, prices, settled }))
    }
}

impl Learner for PsrlLagrangian {
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch> {
        self.estimate.means(now.counts, |_, _, mean| mean)?;
        self.posterior.draw(now.counts, &mut self.estimate.model, rng)?;
        let (planned, mut report) = self.plan(now, rng)?;
        let policy = self.executor.execute(planned, &self.estimate.model, now.state, rng)?;
        report.classes = entered_classes(&self.estimate.model, &policy, now.state);
        let until = self.epochs.until(now, self.task.rounds());
        Ok(Epoch { policy, until, begins: true, report: Some(report) })
    }

    fn drawn(&self) -> Option<&Cmdp> {
        Some(&self.estimate.model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::Counts;
    use crate::model::text;
    use crate::seed::Seed;

    #[test]
    fn least_cost_is_played_when_the_first_bound_proves_that_no_policy_meets_the_budgets() {
        let model = text::parse(
            "cost heat <= 0.2
             state here
               work  reward 2  heat 1    -> here
               wait  reward 1  heat 0.5  -> here
               rest            heat 0.5  -> here",
        );
        let model = model.unwrap();
        let (dual, infeasible) = (DualSignal::Ascent, OnInfeasible::LeastCost);
        let settings = Settings { dual, infeasible, ..Settings::default() };
        let mut learner = PsrlLagrangian::new(&Task::of(&model, 10), &settings, None);
        learner.estimate.model = model.clone();
        // Prices of an earlier model, at which every policy is worth less than the least reward.
        learner.ascent.prices = vec![1e3];
        let counts = Counts::new(&model);
        let now = Now { step: 0, state: 0, counts: &counts, last_steps: 0, last_sums: &[] };
        let (policy, report) = learner.plan_by_ascent(&now, &mut Seed(1).rng("ties")).unwrap();
        assert!(!report.feasible && learner.ascent.prices == [0.0]);
        // The widened budget lets a share of 2e-7 work.
        let [work, wait, rest] = policy.probabilities() else { panic!("three actions") };
        assert!(*work < 1e-6 && *wait > 1.0 - 1e-6 && *rest < 1e-6, "{policy:?}");
    }
}
