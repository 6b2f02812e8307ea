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
use crate::learn::parts::estimate::{Estimate, UnvisitedSignals};
use crate::learn::parts::execution::{Execution, Executor, Mixed, policy_of};
use crate::learn::parts::planning::{OnInfeasible, PlanOptions, Planning, least_visited};
use crate::learn::parts::posterior::Posterior;
use crate::learn::parts::prior::Prior;
use crate::learn::parts::relative_value::{RelativeValueIteration, ValueIterationOptions};
use crate::learn::{
    DenseOption, Epoch, EpochRule, Knowledge, Learner, LearnerConfig, Now, PlanReport, Wants,
};
use crate::model::{Cmdp, Policy, Task};
use crate::seed::Rng;
use crate::{options, words};

words! {
    /// What moves the prices.
    pub enum DualSignal {
        /// The average cost seen in the last epoch.
        Observed = "observed",
        /// The long-run average cost of the last policy in the model it was planned in.
        Model = "model",
        /// Many steps inside each epoch, until prices and policies settle in the sampled model.
        Ascent = "ascent",
    }
}

options! {
    /// The options of psrl-lagrangian.
    pub struct PsrlLagrangianConfig {
        /// The weights of all transitions before any is seen; `known` is told which successors are possible, `sparse` is for
        /// models of many states.
        prior: Prior = Prior::Add(0.1), Prior::EXPECTED => Prior::in_range;
        /// When an epoch ends.
        epochs: EpochRule = EpochRule::Doubling,
            "doubling, tsde, v1.2, fixed:STEPS (at least 1) or power:α (⌈T^α⌉ steps, α from 0 to 1)" => EpochRule::in_range;
        /// What is done when no policy meets the budgets in the learner's model.
        infeasible: OnInfeasible = OnInfeasible::Explore, "explore, least-cost, drop or uniform" => |_| true;
        with {
            /// What it assumes of pairs never visited.
            unvisited: UnvisitedSignals = UnvisitedSignals::default();
            /// How its prices move.
            prices: PriceOptions = PriceOptions::default();
            /// How it plans.
            iteration: ValueIterationOptions = ValueIterationOptions::default();
        }
    }
}

options! {
    /// How prices move, and which policy is executed.
    pub struct PriceOptions {
        /// The step of the prices.
        eta: Option<f64> = None, "a number from 0 to 1e6" => |eta| eta.is_none_or(|eta| (0.0..=1e6).contains(&eta));
        /// What moves the prices.
        dual: DualSignal = DualSignal::Ascent, "observed, model or ascent" => |_| true;
        /// Which policy is executed.
        execute: Execution = Execution::Current,
            "current, action-mixture, occupancy-mixture or sampled" => |_| true;
        /// Which past policies a mixture has.
        mixed: Mixed = Mixed::Half, "all, half, or a count of at least 1" => |_| true;
        /// The relative gap at which dual ascent stops.
        gap: f64 = 1e-3, "a number from 1e-9 to 1" => |gap| (1e-9..=1.0).contains(gap);
    }
}

impl PsrlLagrangianConfig {
    fn learner(&self, task: &Task, knowledge: &Knowledge) -> Result<PsrlLagrangian> {
        Ok(PsrlLagrangian {
            estimate: Estimate::new(task, &self.unvisited),
            posterior: Posterior::new(&self.prior, task, knowledge)?,
            planning: Planning::new(task, &PlanOptions::if_infeasible(self.infeasible)),
            iteration: RelativeValueIteration::new(&self.iteration),
            ascent: DualAscent::new(self.prices.gap, task.costs()),
            executor: Executor::new(self.prices.execute, self.prices.mixed),
            dual: self.prices.dual,
            eta: self.prices.eta.unwrap_or(0.0),
            infeasible: self.infeasible,
            epochs: self.epochs,
            task: task.clone(),
        })
    }
}

impl LearnerConfig for PsrlLagrangianConfig {
    fn name(&self) -> &'static str {
        "psrl-lagrangian"
    }

    fn about(&self) -> &'static str {
        "plans by value iteration in a drawn model, at prices that adapt to the costs"
    }

    fn requires(&self, option: &str) -> bool {
        option != "eta" || self.prices.dual != DualSignal::Ascent
    }

    fn wants(&self) -> Wants {
        Wants { successors: self.prior.wants_successors(), ..Wants::default() }
    }

    fn most_plans(&self, pairs: usize, rounds: u64) -> Option<u64> {
        Some(self.epochs.most(pairs, rounds))
    }

    fn dense_option(&self) -> Option<DenseOption> {
        self.prior.dense_option()
    }

    fn make(&self, task: &Task, knowledge: &Knowledge) -> Result<Box<dyn Learner>> {
        Ok(Box::new(self.learner(task, knowledge)?))
    }
}

/// Plans by value iteration in a drawn model, at prices that adapt.
pub struct PsrlLagrangian {
    estimate: Estimate,
    posterior: Posterior,
    planning: Planning,
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
    /// The model that was drawn for the last epoch.
    pub fn drawn(&self) -> &Cmdp {
        &self.estimate.model
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
            let costs = evaluate(model, &policy, &[(now.state, 1.0)])?.value.costs;
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
            (false, OnInfeasible::LeastCost) => self.planning.plan(model, now, rng)?.0,
            (false, OnInfeasible::Explore) => least_visited(model, now.counts),
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
        Ok(Epoch::planned((policy, report), self.epochs.until(now, self.task.rounds())))
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
        let config = PsrlLagrangianConfig {
            infeasible,
            prices: PriceOptions { dual, ..PriceOptions::default() },
            ..PsrlLagrangianConfig::default()
        };
        let mut learner = config.learner(&Task::of(&model, 10), &Knowledge::default()).unwrap();
        learner.estimate.model = model.clone();
        // Prices of an earlier model, at which every policy is worth less than the least reward.
        learner.ascent.prices = vec![1e3];
        let counts = Counts::new(&model);
        let now = Now { step: 0, state: 0, counts: &counts, last_steps: 0, last_sums: &[], trajectory: &[] };
        let (policy, report) = learner.plan_by_ascent(&now, &mut Seed(1).rng("ties")).unwrap();
        assert!(!report.feasible && learner.ascent.prices == [0.0]);
        // The widened budget lets a share of 2e-7 work.
        let [work, wait, rest] = policy.probabilities() else { panic!("three actions") };
        assert!(*work < 1e-6 && *wait > 1.0 - 1e-6 && *rest < 1e-6, "{policy:?}");
    }
}
