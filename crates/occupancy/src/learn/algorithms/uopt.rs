//! UOpt-RPGPD: a regularised policy and price that converge themselves, not only on average (Kitamura, Kozuno, Kato, Ichihara,
//! Nishimori, Sannai, Sonoda, Kumagai and Matsuo, *A policy gradient primal–dual algorithm for constrained MDPs with uniform PAC
//! guarantees*, 2024), and the learner of Müller, Alatur, Cevher, Ramponi and He (*Truly no-regret learning in constrained MDPs*,
//! 2024) by another schedule.
//!
//! ```text
//! u_i = 1 − c_i ,  V_{u_i} ≥ H − τ_i is required ;   π_0 uniform ,   λ_0 = 0
//! for episodes k = 0, 1, …
//!     Q^r_h = min( r + b + p̄ V , (1 + t_k ln A)(H − h) ) ,   V = Σ_a π_k (Q^r − t_k ln π_k) ;      Q^{u_i} likewise with t = 0
//!     π_{k+1} ∝ π_k^{1 − η_k t_k} exp( η_k (Q^r + Σ λ_{k,i} Q^{u_i}) )
//!     λ_{k+1,i} = max(0, λ_{k,i} + η_k (H − τ_i − V_{u_i}(π_k) − t_k λ_{k,i}))
//!     follow π_k for an episode
//! ```
//!
//! ```text
//! uopt       η_k = (k+3)^−0.53 ,  t_k = (k+3)^−0.4 ,  b = φ Σ_{s′} √p̄ + 5 φ² ,  φ² = (2 ln ln max(2n, e) + 2 ln(48 S² A H / δ)) / n
//! mueller    η = Ξ K^{−5/7} / (H² m) ,  t = K^{−1/7} ,  λ ≤ 4 H / Ξ ,  b of OptCMDP-bonus ,  Ξ the Slater gap
//! ```
//!
//! n counts at least one visit. With `uopt` and estimated signals b is larger by φ. The prefactors of `mueller` are recalled, not
//! read. The authors' code of UOpt differs in two details: the entropy has one factor π too many, and the price moves with the new
//! policy's share of the old action values.

use crate::arithmetic::elementary::{ln, pow};
use crate::error::{LearnerProblem, Result};
use crate::learn::parts::episodic::backward::Backward;
use crate::learn::parts::episodic::config::EpisodicConfig;
use crate::learn::parts::episodic::estimates::Estimates;
use crate::learn::parts::episodic::log_policy::LogPolicy;
use crate::learn::parts::episodic::optimism::BonusOptimism;
use crate::learn::parts::episodic::options::{Confidence, Counting, Limits};
use crate::learn::parts::episodic::planning::priced;
use crate::learn::parts::episodic::radii::Sizes;
use crate::learn::parts::estimate::UnvisitedKernel;
use crate::learn::{Epoch, Knowledge, Learner, Now, Until, Wants};
use crate::model::{Policy, Task};
use crate::seed::Rng;
use crate::{options, words};

const NAME: &str = "uopt";

words! {
    /// How fast policy and prices move.
    pub enum Schedule {
        /// Kitamura et al.: steps and regularisation shrink with the episodes.
        Uopt = "uopt",
        /// Müller et al.: both are fixed by the number of episodes.
        Mueller = "mueller",
    }
}

options! {
    /// The options of uopt.
    pub struct UoptConfig {
        /// How fast policy and prices move.
        schedule: Schedule = Schedule::Uopt, "uopt or mueller" => |_| true;
        /// The Slater gap, needed by mueller: some policy stays below every budget of an episode by at least this.
        gap: Option<f64> = None, "a number above 0" => |gap| gap.is_none_or(|gap| gap > 0.0 && gap.is_finite());
        with {
            /// How sure it is.
            confidence: Confidence = Confidence::default();
            /// What it counts.
            counting: Counting = Counting::known();
        }
    }
}

impl EpisodicConfig for UoptConfig {
    type Learner = Uopt;
    const NAME: &'static str = NAME;
    const ABOUT: &'static str = "episodes: a regularised policy and price that converge themselves";

    fn wants(&self) -> Wants {
        self.counting.wants()
    }

    fn fill_in(&mut self) {
        self.confidence.scale.get_or_insert(0.0003);
    }

    fn learner(&self, task: &Task, knowledge: &Knowledge) -> Result<Uopt> {
        Uopt::new(self, task, knowledge)
    }
}

/// A regularised policy and price.
pub struct Uopt {
    optimism: BonusOptimism,
    backward: Backward,
    policy: LogPolicy,
    /// λ_k.
    prices: Vec<f64>,
    episode: u64,
    rates: Rates,
    /// b of `uopt`: its scale and 2 ln(48 S² A H / δ).
    scale: f64,
    log: f64,
    schedule: Schedule,
}

/// What the schedule fixes.
#[derive(Clone, Copy, Debug)]
struct Rates {
    /// η and t, if they do not depend on the episode.
    fixed: Option<(f64, f64)>,
    most_price: f64,
}

impl Uopt {
    fn new(config: &UoptConfig, task: &Task, knowledge: &Knowledge) -> Result<Uopt> {
        let estimates = Estimates::new(NAME, task, knowledge, &config.counting, UnvisitedKernel::Uniform)?;
        let sizes = Sizes::of(&estimates, task.rounds(), config.confidence.delta);
        let rates = match config.schedule {
            Schedule::Uopt => Rates { fixed: None, most_price: f64::INFINITY },
            Schedule::Mueller => mueller(config.gap, &estimates, sizes)?,
        };
        Ok(Uopt {
            backward: Backward::new(&estimates, estimates.costs() + 1),
            policy: LogPolicy::uniform(&estimates),
            prices: vec![0.0; estimates.costs()],
            episode: 0,
            rates,
            scale: config.confidence.factor(),
            log: 2.0 * ln(48.0 * sizes.states * sizes.pairs * sizes.horizon / sizes.delta),
            schedule: config.schedule,
            optimism: BonusOptimism::new(estimates, task.rounds(), &config.confidence, &Limits::capped()),
        })
    }

    /// η_k and t_k.
    fn rates(&self) -> (f64, f64) {
        let k = self.episode as f64 + 3.0;
        self.rates.fixed.unwrap_or_else(|| (pow(k, -0.53), pow(k, -0.4)))
    }

    /// Brings the bonuses up to date with the estimates.
    fn refresh(&mut self) {
        if self.schedule == Schedule::Mueller {
            return self.optimism.refresh();
        }
        let BonusOptimism { estimates, bonuses, .. } = &mut self.optimism;
        for &row in &estimates.changed {
            let n = estimates.visits[row].max(1) as f64;
            let squared = (2.0 * ln(ln((2.0 * n).max(std::f64::consts::E))) + self.log) / n;
            let roots: f64 = estimates.kernel(row).iter().map(|p| p.sqrt()).sum();
            let of_signals = if estimates.knows_signals() { 0.0 } else { squared.sqrt() };
            bonuses[row] = self.scale * (squared.sqrt() * roots + 5.0 * squared + of_signals);
        }
    }

    /// Evaluates the policy and moves policy and prices on; the value of the reward and of every 1 − c_i.
    fn step(&mut self) -> Vec<f64> {
        let (rate, weight) = self.rates();
        let Uopt { optimism, backward, policy, prices, rates, .. } = self;
        let estimates = &optimism.estimates;
        let (horizon, most_entropy) = (estimates.horizon(), ln(estimates.most_actions() as f64));
        let (means, bonuses) = (&estimates.means[..], &optimism.bonuses[..]);
        let signal = move |k: usize, row: usize| {
            let mean = means[k][row];
            bonuses[row] + if k == 0 { mean } else { 1.0 - mean }
        };
        let cut = move |k: usize, stage: usize, q: f64| {
            let longest = (horizon - stage) as f64;
            q.min(if k == 0 { (1.0 + weight * most_entropy) * longest } else { longest })
        };
        let values =
            backward.evaluate_with(estimates, &policy.probabilities, signal, cut, |k, rows, value| {
                if k == 0 { value + weight * policy.entropy(rows) } else { value }
            });
        let q = &backward.action_values;
        let worth =
            |row: usize| prices.iter().zip(&q[1..]).fold(q[0][row], |sum, (price, q)| sum + price * q[row]);
        policy.reweigh(estimates, |row, log| (1.0 - rate * weight) * log + rate * worth(row));
        for (i, price) in prices.iter_mut().enumerate() {
            let required = horizon as f64 - estimates.budget(i);
            let ahead = *price + rate * (required - values[i + 1] - weight * *price);
            *price = ahead.clamp(0.0, rates.most_price);
        }
        values
    }
}

fn mueller(gap: Option<f64>, estimates: &Estimates, sizes: Sizes) -> Result<Rates> {
    let missing = LearnerProblem::Unknown {
        learner: NAME,
        what: "the Slater gap",
        how: "give gap, by which some policy stays below every budget of an episode; schedule=uopt does without",
    };
    let Sizes { horizon, episodes, costs, .. } = sizes;
    let gap = if costs > 0.0 { estimates.units.difference(0, gap.ok_or(missing)?) } else { 1.0 };
    let rate = gap / (horizon * horizon * costs.max(1.0)) * pow(episodes, -5.0 / 7.0);
    Ok(Rates { fixed: Some((rate, pow(episodes, -1.0 / 7.0))), most_price: 4.0 * horizon / gap })
}

impl Learner for Uopt {
    fn next_epoch(&mut self, now: &Now, _rng: &mut Rng) -> Result<Epoch> {
        self.optimism.estimates.update(now);
        self.refresh();
        let report = priced(&self.optimism.estimates, &self.prices);
        let policy = Policy::unchecked(self.policy.probabilities.clone(), 1);
        self.step();
        self.episode += 1;
        Ok(Epoch::planned((policy, report), Until::steps(self.optimism.estimates.horizon() as u64)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::algorithms::fixture::Led;
    use crate::learn::algorithms::table1::*;

    /// Rates, values, policies and prices of 42 steps.
    #[test]
    fn steps_from_fixed_counts_are_those_of_another_implementation() {
        let (task, knowledge) = task(1);
        for entry in entries("regularised_primaldual") {
            let mut config = UoptConfig::default();
            config.confidence.scale = Some(number(&entry["scale"]));
            let mut learner = Uopt::new(&config, &task, &knowledge).unwrap();
            fill(&mut learner.optimism.estimates, &entry["case"]);
            learner.refresh();
            learner.prices = vec![number(&entry["price"])];
            learner.episode = entry["k"].as_u64().unwrap();
            let what = format!("case {} scale {} k {}", entry["case"], entry["scale"], entry["k"]);
            let rates = learner.rates();
            assert_close(
                &[rates.0, rates.1],
                &serde_json::json!([entry["eta"], entry["regularisation"]]),
                &what,
            );
            let values = learner.step();
            assert_close(&values[1..], &entry["utility_value"], &what);
            let q = &learner.backward.action_values;
            assert_close(&q[0][..2], &entry["Qr_first_state"], &what);
            assert_close(&q[1][..2], &entry["Qu_first_state"], &what);
            assert_close(&second_action(&learner.policy.probabilities), &entry["next_policy_run"], &what);
            assert_close(&learner.prices, &entry["next_price"], &what);
        }
    }

    /// Without bonuses, by hand: η_0 = 3^−0.53, and Q of the second stage is 0.5 for rest and 1 for work.
    #[test]
    fn the_first_step_is_that_of_the_box() {
        let mut led = Led::new(1.0);
        let mut config = UoptConfig::default();
        config.confidence.scale = Some(0.0);
        let mut learner = Uopt::new(&config, &led.task, &led.knowledge).unwrap();
        assert_eq!(led.ask(&mut learner), [0.5, 0.5, 1.0, 0.5, 0.5, 1.0]);
        let (next, rate) = (&learner.policy.probabilities, pow(3.0, -0.53));
        assert!((next[4] / next[3] - crate::arithmetic::elementary::exp(0.5 * rate)).abs() < 1e-12);
        // The uniform policy has utility 0.5 + 0.75 where p̄ is uniform, above the 2 − 1 that is required.
        assert_eq!(learner.prices, [0.0]);
        let tight = Led::new(0.25);
        let mut learner = Uopt::new(&config, &tight.task, &tight.knowledge).unwrap();
        let values = learner.step();
        assert!((values[1] - 1.25).abs() < 1e-12 && (learner.prices[0] - 0.5 * rate).abs() < 1e-12);
    }
}
