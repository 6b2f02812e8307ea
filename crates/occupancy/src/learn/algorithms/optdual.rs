//! OptDual-CMDP: prices that follow the costs of optimistic plans (Efroni, Mannor and Pirotta, *Exploration–Exploitation in
//! Constrained MDPs*, 2020).
//!
//! ```text
//! λ_1 = 0 ,   t_λ = √( H² m K / ρ² )
//! for episodes k = 1, …, K
//!     π_k, p_k  ←  best policy and most favourable kernel in the box for r̂ − Σ λ_{k,i} ĉ_i
//!     λ_{k+1,i} = max(0, λ_{k,i} + (V_{ĉ_i}(π_k; p_k) − τ_i) / t_λ)
//!     follow π_k for an episode
//! ```
//!
//! r̂, ĉ and the box are those of OptCMDP. Prices rise with the optimistic cost of the policy that is about to be followed, and
//! have no upper bound. Of equal actions the first is taken.

use crate::error::Result;
use crate::learn::parts::episodic::config::EpisodicConfig;
use crate::learn::parts::episodic::estimates::Estimates;
use crate::learn::parts::episodic::optimism::BoxOptimism;
use crate::learn::parts::episodic::options::{Confidence, Counting, Limits, PriceBound};
use crate::learn::parts::episodic::planning::{EpisodePlanning, priced};
use crate::learn::parts::episodic::radii::dual_step;
use crate::learn::parts::estimate::UnvisitedKernel;
use crate::learn::{Epoch, Knowledge, Learner, Now, Until, Wants};
use crate::model::{Policy, Task};
use crate::options;
use crate::plan::KernelSet;
use crate::seed::Rng;

const NAME: &str = "optdual";

options! {
    /// The options of optdual.
    pub struct OptDualConfig {
        with {
            /// How sure it is.
            confidence: Confidence = Confidence::default();
            /// How far optimism goes.
            limits: Limits = Limits::default();
            /// What it counts.
            counting: Counting = Counting::default();
            /// What is known of the prices.
            prices: PriceBound = PriceBound::default();
        }
    }
}

impl EpisodicConfig for OptDualConfig {
    type Learner = OptDual;
    const NAME: &'static str = NAME;
    const ABOUT: &'static str = "episodes: optimistic plans at prices that follow their costs";

    fn wants(&self) -> Wants {
        self.counting.wants()
    }

    fn fill_in(&mut self) {
        self.confidence.scale.get_or_insert(0.01);
    }

    fn learner(&self, task: &Task, knowledge: &Knowledge) -> Result<OptDual> {
        OptDual::new(self, task, knowledge)
    }
}

/// Optimistic plans at prices that follow their costs.
pub struct OptDual {
    optimism: BoxOptimism,
    planning: EpisodePlanning,
    /// λ_k.
    prices: Vec<f64>,
    /// 1 / t_λ.
    step: f64,
}

impl OptDual {
    fn new(config: &OptDualConfig, task: &Task, knowledge: &Knowledge) -> Result<OptDual> {
        let estimates = Estimates::new(NAME, task, knowledge, &config.counting, UnvisitedKernel::Uniform)?;
        let rho = config.prices.rho(NAME, &estimates)?;
        Ok(OptDual {
            step: dual_step(&estimates, task.rounds(), rho),
            prices: vec![0.0; estimates.costs()],
            optimism: BoxOptimism::new(estimates, task.rounds(), &config.confidence, &config.limits),
            planning: EpisodePlanning::new(),
        })
    }

    /// The policy of the next episode and its optimistic values; prices move on.
    fn step(&mut self) -> Result<(Policy, Vec<f64>)> {
        let BoxOptimism { estimates, boxes, .. } = &self.optimism;
        let (policy, values) =
            self.planning.respond(estimates, Some(KernelSet::Boxes(boxes)), &self.prices)?;
        for (i, price) in self.prices.iter_mut().enumerate() {
            *price = (*price + self.step * (values[i + 1] - estimates.budget(i))).max(0.0);
        }
        Ok((policy, values))
    }
}

impl Learner for OptDual {
    fn next_epoch(&mut self, now: &Now, _rng: &mut Rng) -> Result<Epoch> {
        self.optimism.update(now)?;
        let report = priced(&self.optimism.estimates, &self.prices);
        let (policy, _) = self.step()?;
        Ok(Epoch::planned((policy, report), Until::steps(self.optimism.estimates.horizon() as u64)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::algorithms::fixture::Led;
    use crate::learn::algorithms::table1::*;

    /// Values, policies and prices of 56 steps.
    #[test]
    fn steps_from_fixed_counts_are_those_of_another_implementation() {
        let mut same = 0;
        for entry in entries("optdual") {
            let costs = entry["m"].as_u64().unwrap() as usize;
            let (task, knowledge) = task(costs);
            let mut config = OptDualConfig::default();
            config.confidence.scale = Some(number(&entry["scale"]));
            config.prices.rho = Some(number(&entry["rho"]));
            let mut learner = OptDual::new(&config, &task, &knowledge).unwrap();
            fill(&mut learner.optimism.estimates, &entry["case"]);
            learner.optimism.refresh().unwrap();
            learner.prices = numbers(&entry["prices"]);
            let what = format!(
                "case {} m {costs} scale {} prices {}",
                entry["case"], entry["scale"], entry["prices"]
            );
            assert_close(&[learner.step], &entry["dual_step"], &what);
            let prices = learner.prices.clone();
            let (policy, values) = learner.step().unwrap();
            let value =
                prices.iter().zip(&values[1..]).fold(values[0], |sum, (price, cost)| sum - price * cost);
            assert_close(&[value], &entry["value"], &what);
            // Equal actions may be told apart by rounding: then reward and costs differ, and the prices with them.
            let actions: Vec<f64> = numbers(&entry["policy"]);
            if second_action(policy.probabilities()) == actions {
                assert_close(&values[..1], &entry["reward_part"], &what);
                assert_close(&values[1..], &entry["cost_parts"], &what);
                assert_close(&learner.prices, &entry["next_prices"], &what);
                same += 1;
            }
        }
        assert!(same >= 50, "only {same} of 56 policies are the same");
    }

    /// t_λ = √(H² m K / ρ²) = √(4 · 4 / 16) = 1: a price rises by as much as the cost is over the budget of 0.5.
    #[test]
    fn the_price_rises_by_what_the_plan_costs_too_much() {
        let mut led = Led::new(0.5);
        let mut config = OptDualConfig::default();
        config.confidence.scale = Some(0.0);
        config.prices.rho = Some(4.0);
        let mut learner = OptDual::new(&config, &led.task, &led.knowledge).unwrap();
        led.ask(&mut learner);
        assert_eq!(learner.prices, [0.0], "a plan of no cost leaves it at 0");
        led.walk([0, 4]);
        let policy = led.ask(&mut learner);
        assert_eq!((policy[0], policy[4], learner.prices[0]), (1.0, 1.0, 0.5));
        led.walk([0, 4]);
        // Working brings 1 − 0.5 · 1 now, as resting at the second stage would if it were known: nothing is known of it.
        led.ask(&mut learner);
        assert_eq!(learner.prices, [1.0]);
        led.walk([0, 3]);
        let policy = led.ask(&mut learner);
        assert_eq!((policy[3], learner.prices[0]), (1.0, 0.5), "resting costs nothing, and the price falls");
    }
}
