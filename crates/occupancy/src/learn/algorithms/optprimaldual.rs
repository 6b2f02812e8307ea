//! OptPrimalDual-CMDP: a policy that follows its own optimistic action values, and prices that follow its costs (Efroni, Mannor
//! and Pirotta, *Exploration–Exploitation in Constrained MDPs*, 2020).
//!
//! ```text
//! π_1 uniform ,   λ_1 = 0 ,   t_λ = √( H² m K / ρ² ) ,   t_K = √( 2 ln A / (H² (1 + m ρ)² K) )
//! for episodes k = 1, …, K
//!     Q^r, Q^{c_i}  ←  truncated action values of π_k for r̄ + b and c̄_i − b on p̄
//!     π_{k+1}(a∣s) ∝ π_k(a∣s) exp( t_K (Q^r − Σ λ_{k,i} Q^{c_i}) )
//!     λ_{k+1,i} = min(ρ, max(0, λ_{k,i} + (V_{c_i}(π_k) − τ_i) / t_λ))
//!     follow π_k for an episode
//! ```
//!
//! b is the bonus of OptCMDP-bonus. Truncation keeps Q^r at H − h or below and Q^c at 0 or above (stages h = 0, 1, …). A is the
//! greatest number of actions of a state. The prices rise with the truncated cost of the policy that is followed: the paper's
//! box writes the untruncated one, its proof uses this.

use crate::arithmetic::elementary::ln;
use crate::error::Result;
use crate::learn::parts::episodic::backward::Backward;
use crate::learn::parts::episodic::config::EpisodicConfig;
use crate::learn::parts::episodic::estimates::Estimates;
use crate::learn::parts::episodic::log_policy::LogPolicy;
use crate::learn::parts::episodic::optimism::BonusOptimism;
use crate::learn::parts::episodic::options::{Confidence, Counting, Limits, PriceBound};
use crate::learn::parts::episodic::planning::priced;
use crate::learn::parts::episodic::radii::dual_step;
use crate::learn::parts::estimate::UnvisitedKernel;
use crate::learn::{Epoch, Knowledge, Learner, Now, Until, Wants};
use crate::model::{Policy, Task};
use crate::options;
use crate::seed::Rng;

const NAME: &str = "optprimaldual";

options! {
    /// The options of optprimaldual.
    pub struct OptPrimalDualConfig {
        with {
            /// How sure it is.
            confidence: Confidence = Confidence::default();
            /// How far optimism goes.
            limits: Limits = Limits::capped();
            /// What it counts.
            counting: Counting = Counting::default();
            /// What is known of the prices.
            prices: PriceBound = PriceBound::default();
        }
    }
}

impl EpisodicConfig for OptPrimalDualConfig {
    type Learner = OptPrimalDual;
    const NAME: &'static str = NAME;
    const ABOUT: &'static str =
        "episodes: a policy that follows its optimistic action values, and prices its costs";

    fn wants(&self) -> Wants {
        self.counting.wants()
    }

    fn fill_in(&mut self) {
        self.confidence.scale.get_or_insert(0.0001);
    }

    fn learner(&self, task: &Task, knowledge: &Knowledge) -> Result<OptPrimalDual> {
        OptPrimalDual::new(self, task, knowledge)
    }
}

/// A policy that follows its optimistic action values, and prices that follow its costs.
pub struct OptPrimalDual {
    optimism: BonusOptimism,
    backward: Backward,
    /// π_k.
    policy: LogPolicy,
    /// λ_k.
    prices: Vec<f64>,
    rho: f64,
    /// t_K.
    policy_step: f64,
    /// 1 / t_λ.
    price_step: f64,
}

impl OptPrimalDual {
    fn new(config: &OptPrimalDualConfig, task: &Task, knowledge: &Knowledge) -> Result<OptPrimalDual> {
        let estimates = Estimates::new(NAME, task, knowledge, &config.counting, UnvisitedKernel::Uniform)?;
        let rho = config.prices.rho(NAME, &estimates)?;
        let (horizon, costs) = (estimates.horizon() as f64, estimates.costs() as f64);
        let width = horizon * (1.0 + costs * rho);
        let episodes = (task.rounds() as f64 / horizon).max(1.0);
        Ok(OptPrimalDual {
            backward: Backward::new(&estimates, estimates.costs() + 1),
            policy: LogPolicy::uniform(&estimates),
            prices: vec![0.0; estimates.costs()],
            rho,
            policy_step: (2.0 * ln(estimates.most_actions() as f64) / (width * width * episodes)).sqrt(),
            price_step: dual_step(&estimates, task.rounds(), rho),
            optimism: BonusOptimism::new(estimates, task.rounds(), &config.confidence, &config.limits),
        })
    }

    /// Evaluates the policy, and moves policy and prices on; its truncated values, the reward's first.
    fn step(&mut self) -> Vec<f64> {
        let OptPrimalDual { optimism, backward, policy, prices, rho, policy_step, price_step } = self;
        let estimates = &optimism.estimates;
        let horizon = estimates.horizon();
        let cut = |k: usize, stage: usize, q: f64| {
            if k == 0 { q.min((horizon - stage) as f64) } else { q.max(0.0) }
        };
        let values =
            backward.evaluate(estimates, &policy.probabilities, |k, row| optimism.signal(k, row), cut);
        let q = &backward.action_values;
        let worth =
            |row: usize| prices.iter().zip(&q[1..]).fold(q[0][row], |sum, (price, q)| sum - price * q[row]);
        policy.reweigh(estimates, |row, log| log + *policy_step * worth(row));
        for (i, price) in prices.iter_mut().enumerate() {
            let ahead = *price + *price_step * (values[i + 1] - estimates.budget(i));
            *price = ahead.clamp(0.0, *rho);
        }
        values
    }
}

impl Learner for OptPrimalDual {
    fn next_epoch(&mut self, now: &Now, _rng: &mut Rng) -> Result<Epoch> {
        self.optimism.update(now);
        let report = priced(&self.optimism.estimates, &self.prices);
        let policy = Policy::unchecked(self.policy.probabilities.clone(), 1);
        self.step();
        Ok(Epoch::planned((policy, report), Until::steps(self.optimism.estimates.horizon() as u64)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::algorithms::fixture::Led;
    use crate::learn::algorithms::table1::*;

    /// Truncated values, policies and prices of 56 steps.
    #[test]
    fn steps_from_fixed_counts_are_those_of_another_implementation() {
        let given = numbers(&read("optprimaldual")["given_policy_run"]);
        for entry in entries("optprimaldual") {
            let costs = entry["m"].as_u64().unwrap() as usize;
            let (task, knowledge) = task(costs);
            let mut config = OptPrimalDualConfig::default();
            config.confidence.scale = Some(number(&entry["scale"]));
            config.prices.rho = Some(number(&entry["rho"]));
            let mut learner = OptPrimalDual::new(&config, &task, &knowledge).unwrap();
            fill(&mut learner.optimism.estimates, &entry["case"]);
            learner.optimism.refresh();
            learner.prices = numbers(&entry["prices"]);
            if entry["policy"] != "uniform" {
                learner.policy = LogPolicy::new(
                    &learner.optimism.estimates,
                    given.iter().flat_map(|&run| [1.0 - run, run]).collect(),
                );
            }
            let what =
                format!("case {} m {costs} scale {} {}", entry["case"], entry["scale"], entry["policy"]);
            assert_close(&[learner.policy_step], &entry["t_K"], &what);
            assert_close(&[learner.price_step], &entry["dual_step"], &what);
            let values = learner.step();
            assert_close(&values[..1], &entry["reward_value"], &what);
            assert_close(&values[1..], &entry["cost_values"], &what);
            let q = &learner.backward.action_values;
            assert_close(&[q[0].iter().sum()], &entry["Qr_sum"], &what);
            assert_close(&q[0][..2], &entry["Qr_first_state"], &what);
            assert_close(&second_action(&learner.policy.probabilities), &entry["next_policy_run"], &what);
            assert_close(&learner.prices, &entry["next_prices"], &what);
        }
    }

    /// Truncation keeps all that was never seen at H − h for the reward and at 0 for the cost.
    #[test]
    fn the_policy_leans_to_what_was_not_seen() {
        let mut led = Led::new(1.0);
        let mut config = OptPrimalDualConfig::default();
        config.confidence.scale = Some(0.0);
        config.prices.rho = Some(4.0);
        let mut learner = OptPrimalDual::new(&config, &led.task, &led.knowledge).unwrap();
        let policy = led.ask(&mut learner);
        assert_eq!(policy, [0.5, 0.5, 1.0, 0.5, 0.5, 1.0]);
        led.walk([0, 3]);
        assert_eq!(led.ask(&mut learner), policy, "nothing was seen when the second policy was made");
        // Q of the second stage: 0.5 for rest, and 1 at most for work; t_K = √(2 ln 2 / (4 · 25 · 4)).
        let step = (2.0 * ln(2.0) / 400.0_f64).sqrt();
        let third = &learner.policy.probabilities;
        assert!((third[4] / third[3] - crate::arithmetic::elementary::exp(0.5 * step)).abs() < 1e-12);
        assert_eq!(learner.prices, [0.0]);
    }
}
