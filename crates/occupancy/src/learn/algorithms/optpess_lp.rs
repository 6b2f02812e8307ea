//! OptPess-LP: optimistic in the reward, pessimistic in the cost, so that no episode is over the budget (Liu, Zhou, Kalathil,
//! Kumar and Tian, *Learning policies with zero or bounded constraint violation for constrained MDPs*, 2021).
//!
//! ```text
//! known: a safe policy π⁰ and its cost c⁰ < τ ,   Z = ln(16 S² A H K / δ) ,   β = √( Z / max(1,n) )
//! r̃ = r̄ + α β ,  α = 1 + S H + 4 H (1 + S H) / (τ − c⁰) ,     c̃ = c̄ + (1 + S H) β
//! for episodes k = 1, …, K
//!     if V_c̃(π⁰; p̄) ≥ (τ + c⁰) / 2   follow π⁰ for an episode
//!     else   π_k  ←  argmax V_r̃(π; p̄)  with  V_c̃(π; p̄) ≤ τ ,   and follow it for an episode
//! ```
//!
//! If rewards and costs are told, 1 + S H becomes S H. Nothing is clipped. With a scale below 1 the promise is gone, partly
//! because a pair that was never visited looks cheap: there its cost is then at least the greatest one.

use crate::arithmetic::elementary::ln;
use crate::error::Result;
use crate::learn::parts::episodic::backward::Backward;
use crate::learn::parts::episodic::config::EpisodicConfig;
use crate::learn::parts::episodic::estimates::Estimates;
use crate::learn::parts::episodic::options::{Confidence, Counting, Replan};
use crate::learn::parts::episodic::planning::{EpisodePlanning, Replanning, infeasible};
use crate::learn::parts::episodic::radii::{Sizes, hoeffding};
use crate::learn::parts::episodic::safety::SafeBaseline;
use crate::learn::parts::estimate::UnvisitedKernel;
use crate::learn::{Epoch, Knowledge, Learner, Now, PlanReport, Wants};
use crate::model::{Policy, Task};
use crate::options;
use crate::seed::Rng;

const NAME: &str = "optpess-lp";

options! {
    /// The options of optpess-lp.
    pub struct OptPessLpConfig {
        /// When it plans again.
        replan: Replan = Replan::Every, "every or doubled" => |_| true;
        with {
            /// How sure it is.
            confidence: Confidence = Confidence::default();
            /// What it counts.
            counting: Counting = Counting::default();
            /// What is known to be safe.
            safe: SafeBaseline = SafeBaseline::default();
        }
    }
}

impl EpisodicConfig for OptPessLpConfig {
    type Learner = OptPessLp;
    const NAME: &'static str = NAME;
    const ABOUT: &'static str =
        "episodes: optimistic in the reward and pessimistic in the cost, beside a safe policy";

    fn wants(&self) -> Wants {
        self.counting.wants()
    }

    fn fill_in(&mut self) {
        self.confidence.scale.get_or_insert(0.0001);
    }

    fn learner(&self, task: &Task, knowledge: &Knowledge) -> Result<OptPessLp> {
        OptPessLp::new(self, task, knowledge)
    }
}

/// Optimistic in the reward, pessimistic in the cost.
pub struct OptPessLp {
    estimates: Estimates,
    planning: EpisodePlanning,
    replanning: Replanning,
    backward: Backward,
    baseline: Policy,
    /// (τ + c⁰) / 2.
    threshold: f64,
    log: f64,
    scale: f64,
    /// α and 1 + S H.
    reward_weight: f64,
    cost_weight: f64,
    /// Whether a pair that was never visited costs at least 1.
    wary: bool,
}

impl OptPessLp {
    fn new(config: &OptPessLpConfig, task: &Task, knowledge: &Knowledge) -> Result<OptPessLp> {
        let estimates = Estimates::new(NAME, task, knowledge, &config.counting, UnvisitedKernel::Uniform)?;
        let (cost, budget) = config.safe.cost.below_budget(NAME, &estimates)?;
        let Sizes { pairs, states, horizon, episodes, delta, .. } =
            Sizes::of(&estimates, task.rounds(), config.confidence.delta);
        let own = if estimates.knows_signals() { 0.0 } else { 1.0 };
        let cost_weight = own + states * horizon;
        Ok(OptPessLp {
            backward: Backward::new(&estimates, 1),
            planning: EpisodePlanning::new(),
            replanning: Replanning::new(config.replan),
            baseline: config.safe.policy(NAME, task)?,
            threshold: 0.5 * (budget + cost),
            log: ln(16.0 * states * pairs * horizon * episodes / delta),
            scale: config.confidence.factor(),
            reward_weight: cost_weight + 4.0 * horizon * cost_weight / (budget - cost),
            cost_weight,
            wary: config.confidence.factor() < 1.0,
            estimates,
        })
    }

    /// r̃ for signal 0, c̃ for signal 1.
    fn signal(&self, k: usize, row: usize, mean: f64) -> f64 {
        let visits = self.estimates.visits[row];
        let weight = if k == 0 { self.reward_weight } else { self.cost_weight };
        let moved = mean + weight * self.scale * hoeffding(visits, self.log);
        if k > 0 && self.wary && visits == 0 { moved.max(1.0) } else { moved }
    }

    /// V_c̃(π⁰; p̄).
    fn pessimistic_cost(&mut self) -> f64 {
        let costs: Vec<f64> =
            (0..self.estimates.rows()).map(|row| self.signal(1, row, self.estimates.means[1][row])).collect();
        let policy = self.baseline.probabilities();
        self.backward.evaluate(&self.estimates, policy, |_, row| costs[row], |_, _, q| q)[0]
    }

    /// The plan, unless the safe policy is to be followed.
    fn plan(&mut self) -> Result<Option<(Policy, PlanReport)>> {
        if self.pessimistic_cost() >= self.threshold {
            return Ok(None);
        }
        let written: Vec<Vec<f64>> = (0..2)
            .map(|k| {
                self.estimates.means[k].iter().enumerate().map(|(row, &x)| self.signal(k, row, x)).collect()
            })
            .collect();
        self.estimates.write_signals(|k, row, _| written[k][row])?;
        self.planning.plan(&self.estimates, None)
    }
}

impl Learner for OptPessLp {
    fn next_epoch(&mut self, now: &Now, _rng: &mut Rng) -> Result<Epoch> {
        self.estimates.update(now);
        if let Some(epoch) = self.replanning.kept(&self.estimates) {
            return Ok(epoch);
        }
        let planned = self.plan()?.unwrap_or_else(|| (self.baseline.clone(), infeasible(1)));
        Ok(self.replanning.planned(&self.estimates, planned))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::algorithms::fixture::Led;
    use crate::learn::algorithms::table1::*;
    use crate::learn::parts::told::BaselinePolicy;
    use crate::plan::Verdict;

    /// Branches and optima of 56 plans beside the policy that runs with probability 0.1.
    #[test]
    fn plans_of_fixed_counts_are_those_of_another_implementation() {
        let (task, knowledge) = task(1);
        for entry in entries("optpess_lp") {
            let mut config = OptPessLpConfig::default();
            config.confidence.scale = Some(number(&entry["scale"]));
            config.safe.baseline = Some(BaselinePolicy::Uniform);
            config.safe.cost.baseline_cost = Some(0.5);
            let mut learner = OptPessLp::new(&config, &task, &knowledge).unwrap();
            learner.baseline = Policy::unchecked([0.9, 0.1].repeat(25), 1);
            // The file has no special rule for pairs that were never visited.
            learner.wary = false;
            fill(&mut learner.estimates, &entry["case"]);
            let what = format!("case {} scale {}", entry["case"], entry["scale"]);
            assert_close(&[learner.log], &entry["Z"], &what);
            assert_close(&[learner.reward_weight], &entry["alpha_r"], &what);
            assert_close(&[learner.pessimistic_cost()], &entry["pessimistic_value_of_pi0"], &what);
            assert_close(&[learner.threshold], &entry["threshold"], &what);
            let planned = learner.plan().unwrap();
            assert_eq!(planned.is_some(), entry["branch"] == "lp", "{what}");
            if planned.is_some() {
                let Verdict::Optimal(plan) = learner.planning.verdict(&learner.estimates, None).unwrap()
                else {
                    panic!("{what}")
                };
                assert_close(&[plan.value.reward], &entry["value"], &what);
                assert_same_plan(&plan, &entry, &what);
            }
        }
    }

    /// With a scale below 1 a pair that was never seen costs 1: the safe policy is followed until its own pairs are known.
    #[test]
    fn it_rests_until_resting_is_known_to_be_safe() {
        let mut led = Led::new(1.0);
        let mut config = OptPessLpConfig::default();
        config.confidence.scale = Some(0.0);
        config.safe.baseline = Some(BaselinePolicy::Uniform);
        config.safe.cost.baseline_cost = Some(0.0);
        let mut learner = OptPessLp::new(&config, &led.task, &led.knowledge).unwrap();
        learner.baseline = Policy::unchecked(vec![1.0, 0.0, 1.0, 1.0, 0.0, 1.0], 1);
        led.ask(&mut learner);
        assert_eq!((learner.pessimistic_cost(), learner.threshold), (2.0, 0.5));
        assert!(learner.plan().unwrap().is_none());
        led.walk([0, 3]);
        let policy = led.ask(&mut learner);
        assert_eq!((learner.pessimistic_cost(), policy[0], policy[3]), (0.0, 1.0, 1.0));
        led.walk([0, 4]);
        let policy = led.ask(&mut learner);
        assert_eq!(policy[4], 1.0, "work is seen to pay 1 for 1");
    }

    #[test]
    fn what_it_has_to_know_is_asked_for() {
        let led = Led::new(1.0);
        let refused = |config: &OptPessLpConfig| {
            OptPessLp::new(config, &led.task, &led.knowledge).err().unwrap().to_string()
        };
        let mut config = OptPessLpConfig::default();
        assert!(refused(&config).starts_with(
            "optpess-lp has to know the cost of an episode under a safe policy: give baseline_cost"
        ));
        config.safe.cost.baseline_cost = Some(1.0);
        assert_eq!(refused(&config), "baseline_cost of optpess-lp is 1, expected a number below the budget");
        config.safe.cost.baseline_cost = Some(0.0);
        assert!(
            refused(&config).starts_with("optpess-lp has to know a policy within the budgets: give baseline")
        );
    }
}
