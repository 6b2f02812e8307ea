//! OptPess-PrimalDual: prices that rise by a little more than the costs, so that violations stay bounded (Liu, Zhou, Kalathil,
//! Kumar and Tian, *Learning policies with zero or bounded constraint violation for constrained MDPs*, 2021).
//!
//! ```text
//! known: the cost c⁰ < τ of some policy ,   δ′ = δ / (16 S² A H) ,   β = √( ln(K/δ′) / max(1,n) )
//! r̃ = r̄ + (1 + S H) β ,   c̃ = c̄ − (1 + S H) β ,   λ_1 = 0
//! for episodes k = 1, …, K
//!     η_k = (τ − c⁰) H √k ,   ε_k = 5 H² √(S³ A) (ln(k/δ′) + 1) / √( k ln(k/δ′) )
//!     π_k  ←  argmax V(π; r̃ − (λ_k/η_k) c̃, p̄)
//!     λ_{k+1} = max(0, λ_k + max(V_c̃(π_k; p̄), 0) + ε_k − τ)
//!     follow π_k for an episode
//! ```
//!
//! If rewards and costs are told, 1 + S H becomes S H. ε_k has no upper bound, as in the paper: thousands of times the budget at
//! first, which the option `eps_scale` makes smaller. Of equal actions the first is taken.

use crate::arithmetic::elementary::ln;
use crate::error::Result;
use crate::learn::parts::episodic::backward::Backward;
use crate::learn::parts::episodic::config::EpisodicConfig;
use crate::learn::parts::episodic::estimates::Estimates;
use crate::learn::parts::episodic::options::{Confidence, Counting};
use crate::learn::parts::episodic::planning::priced;
use crate::learn::parts::episodic::radii::{Sizes, hoeffding};
use crate::learn::parts::episodic::safety::BaselineCost;
use crate::learn::parts::estimate::UnvisitedKernel;
use crate::learn::{Epoch, Knowledge, Learner, Now, Until, Wants};
use crate::model::{Policy, Task};
use crate::options;
use crate::seed::Rng;

const NAME: &str = "optpess-primaldual";

options! {
    /// The options of optpess-primaldual.
    pub struct OptPessPrimalDualConfig {
        /// By how much prices rise beyond the costs is multiplied by this; 1 is the paper's constant.
        eps_scale: Option<f64> = None, "a number from 0 to 1e6" => |scale| scale.is_none_or(|scale| (0.0..=1e6).contains(&scale));
        with {
            /// How sure it is.
            confidence: Confidence = Confidence::default();
            /// What it counts.
            counting: Counting = Counting::default();
            /// What is known to be safe.
            safe: BaselineCost = BaselineCost::default();
        }
    }
}

impl EpisodicConfig for OptPessPrimalDualConfig {
    type Learner = OptPessPrimalDual;
    const NAME: &'static str = NAME;
    const ABOUT: &'static str = "episodes: prices that rise by a little more than the optimistic costs";

    fn wants(&self) -> Wants {
        self.counting.wants()
    }

    fn fill_in(&mut self) {
        self.confidence.scale.get_or_insert(0.0003);
        self.eps_scale.get_or_insert(0.0001);
    }

    fn learner(&self, task: &Task, knowledge: &Knowledge) -> Result<OptPessPrimalDual> {
        OptPessPrimalDual::new(self, task, knowledge)
    }
}

/// Prices that rise by a little more than the optimistic costs.
pub struct OptPessPrimalDual {
    estimates: Estimates,
    backward: Backward,
    policy: Vec<f64>,
    /// λ_k.
    price: f64,
    episode: u64,
    sizes: Sizes,
    /// δ′.
    delta: f64,
    scale: f64,
    eps_scale: f64,
    /// 1 + S H.
    weight: f64,
    budget: f64,
    /// τ − c⁰.
    room: f64,
}

impl OptPessPrimalDual {
    fn new(
        config: &OptPessPrimalDualConfig,
        task: &Task,
        knowledge: &Knowledge,
    ) -> Result<OptPessPrimalDual> {
        let estimates = Estimates::new(NAME, task, knowledge, &config.counting, UnvisitedKernel::Uniform)?;
        let (cost, budget) = config.safe.below_budget(NAME, &estimates)?;
        let sizes = Sizes::of(&estimates, task.rounds(), config.confidence.delta);
        let own = if estimates.knows_signals() { 0.0 } else { 1.0 };
        Ok(OptPessPrimalDual {
            backward: Backward::new(&estimates, 2),
            policy: vec![0.0; estimates.rows()],
            price: 0.0,
            episode: 0,
            delta: sizes.delta / (16.0 * sizes.states * sizes.pairs * sizes.horizon),
            scale: config.confidence.factor(),
            eps_scale: config.eps_scale.unwrap_or(1.0),
            weight: own + sizes.states * sizes.horizon,
            sizes,
            budget,
            room: budget - cost,
            estimates,
        })
    }

    /// η_k.
    fn price_unit(&self) -> f64 {
        self.room * self.sizes.horizon * (self.episode as f64).sqrt()
    }

    /// ε_k.
    fn margin(&self) -> f64 {
        let Sizes { states, pairs, horizon, .. } = self.sizes;
        let k = self.episode as f64;
        let log = ln(k / self.delta);
        let size = 5.0 * horizon * horizon * (states * states * pairs).sqrt();
        self.eps_scale * size * (log + 1.0) / (k * log).sqrt()
    }

    /// Plans the episode of number `episode`, and moves the price on; the values of reward and cost.
    fn step(&mut self) -> Vec<f64> {
        let (unit, margin) = (self.price_unit(), self.margin());
        let log = ln(self.sizes.episodes / self.delta);
        let OptPessPrimalDual { estimates, backward, policy, .. } = self;
        let bonus = |row: usize| self.weight * self.scale * hoeffding(estimates.visits[row], log);
        let signal = |k: usize, row: usize| {
            let mean = estimates.means[k][row];
            if k == 0 { mean + bonus(row) } else { mean - bonus(row) }
        };
        let values = backward.improve(estimates, &[1.0, -self.price / unit], signal, policy);
        self.price = (self.price + values[1].max(0.0) + margin - self.budget).max(0.0);
        values
    }
}

impl Learner for OptPessPrimalDual {
    fn next_epoch(&mut self, now: &Now, _rng: &mut Rng) -> Result<Epoch> {
        self.episode += 1;
        self.estimates.update(now);
        let report = priced(&self.estimates, &[self.price / self.price_unit()]);
        self.step();
        let policy = Policy::unchecked(self.policy.clone(), 1);
        Ok(Epoch::planned((policy, report), Until::steps(self.estimates.horizon() as u64)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::algorithms::fixture::Led;
    use crate::learn::algorithms::table1::*;

    /// Margins, policies, values and prices of 42 steps.
    #[test]
    fn steps_from_fixed_counts_are_those_of_another_implementation() {
        let (task, knowledge) = task(1);
        for entry in entries("optpess_primaldual") {
            let mut config = OptPessPrimalDualConfig::default();
            config.confidence.scale = Some(number(&entry["scale"]));
            config.eps_scale = Some(number(&entry["eps_scale"]));
            config.safe.baseline_cost = Some(0.5);
            let mut learner = OptPessPrimalDual::new(&config, &task, &knowledge).unwrap();
            fill(&mut learner.estimates, &entry["case"]);
            (learner.episode, learner.price) = (entry["k"].as_u64().unwrap(), number(&entry["price"]));
            let what = format!("case {} scale {} k {}", entry["case"], entry["scale"], entry["k"]);
            assert_close(
                &[learner.price_unit(), learner.margin()],
                &serde_json::json!([entry["eta"], entry["epsilon"]]),
                &what,
            );
            let (price, unit) = (learner.price, learner.price_unit());
            let values = learner.step();
            assert_close(&[values[0] - price / unit * values[1]], &entry["lagrangian_value"], &what);
            assert_close(&second_action(&learner.policy), &entry["policy"], &what);
            assert_close(&values[1..], &entry["cost_value"], &what);
            assert_close(&[learner.price], &entry["next_price"], &what);
            assert_close(&true_values(&learner.policy, 1)[..1], &entry["true"]["reward"], &what);
        }
    }

    /// Without bonuses and margins the price rises by what the plan costs too much, from a budget of 0.5.
    #[test]
    fn the_price_rises_with_the_cost() {
        let mut led = Led::new(0.5);
        let mut config =
            OptPessPrimalDualConfig { eps_scale: Some(0.0), ..OptPessPrimalDualConfig::default() };
        config.confidence.scale = Some(0.0);
        config.safe.baseline_cost = Some(0.0);
        let mut learner = OptPessPrimalDual::new(&config, &led.task, &led.knowledge).unwrap();
        let policy = led.ask(&mut learner);
        assert_eq!((policy[0], policy[3], learner.price), (1.0, 1.0, 0.0), "the first of equal actions");
        led.walk([0, 4]);
        let policy = led.ask(&mut learner);
        assert_eq!((policy[0], policy[4], learner.price), (1.0, 1.0, 0.5));
        led.walk([0, 3]);
        // η_3 = 0.5 · 2 · √3: working brings 1 − 0.5/√3 = 0.71, resting 0.5.
        let policy = led.ask(&mut learner);
        assert_eq!((policy[4], learner.price), (1.0, 1.0));
    }
}
