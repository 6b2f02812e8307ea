//! OptCMDP: the best policy of the most favourable model within confidence sets (Efroni, Mannor and Pirotta, *Exploration–
//! Exploitation in Constrained MDPs*, 2020).
//!
//! ```text
//! for episodes k = 1, …, K
//!     r̂ = r̄ + β^r ,   ĉ_i = c̄_i − β^r ,   |p(s′) − p̄(s′)| ≤ β^p(s′)       at every stage
//!     π_k  ←  best policy within the budgets for (p, r̂, ĉ) with the most favourable such p
//!     follow π_k for an episode
//! ```
//!
//! β^r and β^p stand in [`crate::learn::parts::episodic::optimism`]. The paper's linear program in H S² A variables is solved
//! without writing it down ([`crate::plan::EpisodePlanner`]). Where nothing was seen every distribution is possible, whatever
//! the scale. If no policy meets the budgets every action is as likely as another, which the paper leaves open.

use crate::error::Result;
use crate::learn::parts::episodic::config::EpisodicConfig;
use crate::learn::parts::episodic::estimates::Estimates;
use crate::learn::parts::episodic::optimism::BoxOptimism;
use crate::learn::parts::episodic::options::{Confidence, Counting, Limits, Replan};
use crate::learn::parts::episodic::planning::{EpisodePlanning, Replanning};
use crate::learn::parts::estimate::UnvisitedKernel;
use crate::learn::{Epoch, Knowledge, Learner, Now, Wants};
use crate::model::Task;
use crate::options;
use crate::plan::KernelSet;
use crate::seed::Rng;

const NAME: &str = "optcmdp";

options! {
    /// The options of optcmdp.
    pub struct OptCmdpConfig {
        /// When it plans again.
        replan: Replan = Replan::Every, "every or doubled" => |_| true;
        with {
            /// How sure it is.
            confidence: Confidence = Confidence::default();
            /// How far optimism goes.
            limits: Limits = Limits::default();
            /// What it counts.
            counting: Counting = Counting::default();
        }
    }
}

impl EpisodicConfig for OptCmdpConfig {
    type Learner = OptCmdp;
    const NAME: &'static str = NAME;
    const ABOUT: &'static str = "episodes: plans with the most favourable model within confidence sets";

    fn wants(&self) -> Wants {
        self.counting.wants()
    }

    fn fill_in(&mut self) {
        self.confidence.scale.get_or_insert(0.03);
    }

    fn learner(&self, task: &Task, knowledge: &Knowledge) -> Result<OptCmdp> {
        OptCmdp::new(self, task, knowledge)
    }
}

/// Plans with the most favourable model within confidence sets.
pub struct OptCmdp {
    optimism: BoxOptimism,
    planning: EpisodePlanning,
    replanning: Replanning,
}

impl OptCmdp {
    fn new(config: &OptCmdpConfig, task: &Task, knowledge: &Knowledge) -> Result<OptCmdp> {
        let estimates = Estimates::new(NAME, task, knowledge, &config.counting, UnvisitedKernel::Uniform)?;
        Ok(OptCmdp {
            optimism: BoxOptimism::new(estimates, task.rounds(), &config.confidence, &config.limits),
            planning: EpisodePlanning::new(),
            replanning: Replanning::new(config.replan),
        })
    }
}

impl Learner for OptCmdp {
    fn next_epoch(&mut self, now: &Now, _rng: &mut Rng) -> Result<Epoch> {
        self.optimism.update(now)?;
        if let Some(epoch) = self.replanning.kept(&self.optimism.estimates) {
            return Ok(epoch);
        }
        let BoxOptimism { estimates, boxes, .. } = &self.optimism;
        let planned = self.planning.plan_or_uniform(estimates, Some(KernelSet::Boxes(boxes)))?;
        Ok(self.replanning.planned(estimates, planned))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::algorithms::fixture::Led;
    use crate::learn::algorithms::table1::*;
    use crate::plan::Verdict;

    /// Radii, status and optimum of 112 plans, and the plans themselves where they are unique.
    #[test]
    fn plans_of_fixed_counts_are_those_of_another_implementation() {
        for entry in entries("optcmdp") {
            let costs = entry["m"].as_u64().unwrap() as usize;
            let (task, knowledge) = task(costs);
            let mut config = OptCmdpConfig::default();
            config.confidence.scale = Some(number(&entry["scale"]));
            config.limits.clip_signals = entry["clip"].as_bool().unwrap();
            let mut learner = OptCmdp::new(&config, &task, &knowledge).unwrap();
            fill(&mut learner.optimism.estimates, &entry["case"]);
            learner.optimism.refresh().unwrap();
            let what =
                format!("case {} m {costs} scale {} clip {}", entry["case"], entry["scale"], entry["clip"]);
            let BoxOptimism { estimates, boxes, .. } = &learner.optimism;
            assert_close(&[boxes.radii().iter().sum()], &entry["check"]["beta_p_sum"], &what);
            let rewards = estimates.models.iter().flat_map(|model| model.signals().reward()).sum();
            assert_close(&[rewards], &entry["check"]["r_hat_sum"], &what);
            let set = Some(KernelSet::Boxes(boxes));
            match learner.planning.verdict(estimates, set).unwrap() {
                Verdict::Optimal(plan) => {
                    assert_eq!(entry["status"], "optimal", "{what}");
                    assert_close(&[plan.value.reward], &entry["value"], &what);
                    assert_same_plan(&plan, &entry, &what);
                }
                Verdict::Infeasible(_) => assert_eq!(entry["status"], "infeasible", "{what}"),
            }
        }
    }

    /// Without bonuses a plan takes what was seen to pay, and nothing is known of the rest.
    #[test]
    fn it_first_rests_and_then_works_as_soon_as_it_has_seen_both() {
        let mut led = Led::new(1.0);
        let mut config = OptCmdpConfig::default();
        config.confidence.scale = Some(0.0);
        let mut learner = OptCmdp::new(&config, &led.task, &led.knowledge).unwrap();
        led.ask(&mut learner);
        led.walk([0, 3]);
        let policy = led.ask(&mut learner);
        assert_eq!((policy[0], policy[3]), (1.0, 1.0), "0.5 + 0.5 is all that is known to be had");
        led.walk([0, 4]);
        let policy = led.ask(&mut learner);
        assert_eq!((policy[0], policy[4]), (1.0, 1.0), "0.5 + 1, for a cost of 1");
        assert_eq!(learner.optimism.estimates.visits, [2, 0, 0, 1, 1, 0]);
    }

    #[test]
    fn plans_are_kept_until_visits_double() {
        let mut led = Led::new(1.0);
        let config = OptCmdpConfig { replan: Replan::Doubled, ..OptCmdpConfig::default() };
        let mut learner = OptCmdp::new(&config, &led.task, &led.knowledge).unwrap();
        let now_planned = |learner: &OptCmdp| learner.optimism.estimates.visits[0];
        led.ask(&mut learner);
        let mut kept = Vec::new();
        for _ in 0..8 {
            led.walk([0, 3]);
            let before = learner.replanning.clone();
            led.ask(&mut learner);
            if learner.replanning.planned_visits() != before.planned_visits() {
                kept.push(now_planned(&learner));
            }
        }
        assert_eq!(kept, [1, 2, 4, 8]);
    }
}
