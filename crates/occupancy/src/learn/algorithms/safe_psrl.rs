//! Safe-PSRL: a sampled model, at a price that rises by a little more than the costs (Kalagarla, Jain and Nuzzo, *Safe posterior
//! sampling for constrained MDPs with bounded constraint violation*, 2025).
//!
//! ```text
//! known: r, c and the cost c⁰ < τ of some policy ;   λ_1 = 0
//! for episodes k = 1, 2, …
//!     η_k = (τ − c⁰) H √k ,   ε_k = 5 H^1.5 √(S² A) (ln(k S A H) + 1) / √( k ln(k S A H) )
//!     p_k ~ posterior , the same at all stages
//!     π_k  ←  argmax V(π; r − (λ_k/η_k) c, p_k)
//!     λ_{k+1} = max(0, λ_k + V_c(π_k; p_k) + ε_k − τ)
//!     follow π_k for an episode
//! ```
//!
//! The posterior is Dir(α + N) with α = 0.1, as in the authors' experiments. Their code has 0.05 and 1 in the place of the 5 of the
//! paper's box: the option `eps_scale` multiplies it. Of equal actions the first is taken.

use crate::arithmetic::elementary::ln;
use crate::error::Result;
use crate::learn::parts::episodic::backward::Backward;
use crate::learn::parts::episodic::config::EpisodicConfig;
use crate::learn::parts::episodic::estimates::Estimates;
use crate::learn::parts::episodic::options::Counting;
use crate::learn::parts::episodic::planning::priced;
use crate::learn::parts::episodic::posterior::draw_rows;
use crate::learn::parts::episodic::radii::Sizes;
use crate::learn::parts::episodic::safety::BaselineCost;
use crate::learn::parts::estimate::UnvisitedKernel;
use crate::learn::{Epoch, Knowledge, Learner, Now, Until, Wants};
use crate::model::{Policy, Task};
use crate::options;
use crate::seed::Rng;

const NAME: &str = "safe-psrl";

options! {
    /// The options of safe-psrl.
    pub struct SafePsrlConfig {
        /// The prior weight of every successor.
        alpha: f64 = 0.1, "a number from 1e-6 to 1e6" => |alpha| (1e-6..=1e6).contains(alpha);
        /// By how much prices rise beyond the costs is multiplied by this; 1 is the paper's constant.
        eps_scale: Option<f64> = None, "a number from 0 to 1e6" => |scale| scale.is_none_or(|scale| (0.0..=1e6).contains(&scale));
        with {
            /// What it counts.
            counting: Counting = Counting { pool_steps: true, ..Counting::known() };
            /// What is known to be safe.
            safe: BaselineCost = BaselineCost::default();
        }
    }
}

impl EpisodicConfig for SafePsrlConfig {
    type Learner = SafePsrl;
    const NAME: &'static str = NAME;
    const ABOUT: &'static str =
        "episodes: a sampled model, at a price that rises by a little more than the costs";

    fn wants(&self) -> Wants {
        self.counting.wants()
    }

    fn fill_in(&mut self) {
        self.eps_scale.get_or_insert(0.001);
    }

    fn learner(&self, task: &Task, knowledge: &Knowledge) -> Result<SafePsrl> {
        SafePsrl::new(self, task, knowledge)
    }
}

/// A sampled model, at a price that rises by a little more than the costs.
pub struct SafePsrl {
    /// The sampled kernel, and the signals.
    estimates: Estimates,
    backward: Backward,
    policy: Vec<f64>,
    /// λ_k.
    price: f64,
    episode: u64,
    sizes: Sizes,
    alpha: f64,
    pooled: bool,
    eps_scale: f64,
    budget: f64,
    /// τ − c⁰.
    room: f64,
}

impl SafePsrl {
    fn new(config: &SafePsrlConfig, task: &Task, knowledge: &Knowledge) -> Result<SafePsrl> {
        let estimates = Estimates::new(NAME, task, knowledge, &config.counting, UnvisitedKernel::Uniform)?;
        let (cost, budget) = config.safe.below_budget(NAME, &estimates)?;
        Ok(SafePsrl {
            backward: Backward::new(&estimates, 2),
            policy: vec![0.0; estimates.rows()],
            price: 0.0,
            episode: 0,
            sizes: Sizes::of(&estimates, task.rounds(), 1.0),
            alpha: config.alpha,
            pooled: config.counting.pool_steps,
            eps_scale: config.eps_scale.unwrap_or(1.0),
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
        let log = ln(k * pairs * horizon);
        let size = 5.0 * horizon * horizon.sqrt() * (states * pairs).sqrt();
        self.eps_scale * size * (log + 1.0) / (k * log).sqrt()
    }

    /// Plans the episode of number `episode` in the sampled model, and moves the price on; the values of reward and cost.
    fn step(&mut self) -> Vec<f64> {
        let weights = [1.0, -self.price / self.price_unit()];
        let margin = self.margin();
        let SafePsrl { estimates, backward, policy, .. } = self;
        let values = backward.improve(estimates, &weights, |k, row| estimates.means[k][row], policy);
        self.price = (self.price + values[1] + margin - self.budget).max(0.0);
        values
    }
}

impl Learner for SafePsrl {
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch> {
        self.episode += 1;
        self.estimates.update(now);
        draw_rows(&mut self.estimates.models, now.counts, self.alpha, self.pooled, rng);
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

    /// A prior weight of a million makes every row uniform to a thousandth. Then work brings 1 and half of 1, and costs as much.
    #[test]
    fn the_price_rises_by_what_the_plan_costs_too_much_in_the_sampled_model() {
        let mut led = Led::new(1.0);
        let mut config = SafePsrlConfig { alpha: 1e6, eps_scale: Some(0.0), ..SafePsrlConfig::default() };
        config.safe.baseline_cost = Some(0.0);
        let mut learner = SafePsrl::new(&config, &led.task, &led.knowledge).unwrap();
        let policy = led.ask(&mut learner);
        assert_eq!((policy[1], policy[4]), (1.0, 1.0));
        assert!((learner.price - 0.5).abs() < 0.01, "{}", learner.price);
        // By hand, for k = 1, S = 2, S A = 3 and H = 2: 5 · 2^1.5 √6 (ln 6 + 1) / √(ln 6).
        learner.eps_scale = 1.0;
        let margin = 5.0 * 8.0_f64.sqrt() * 6.0_f64.sqrt() * (ln(6.0) + 1.0) / ln(6.0).sqrt();
        assert!((learner.margin() - margin).abs() < 1e-9);
    }
}
