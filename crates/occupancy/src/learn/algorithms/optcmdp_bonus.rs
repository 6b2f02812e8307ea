//! OptCMDP-bonus: OptCMDP with a bonus in the place of the sets (Efroni, Mannor and Pirotta, *Exploration–Exploitation in
//! Constrained MDPs*, 2020).
//!
//! ```text
//! for episodes k = 1, …, K
//!     b = β^r + H Σ_{s′} β^p(s′)
//!     π_k  ←  best policy within the budgets for (p̄, r̄ + b, c̄_i − b)
//!     follow π_k for an episode
//! ```
//!
//! β^r and β^p stand in [`crate::learn::parts::episodic::optimism`]; each is 1 at most by default, because estimates between 0
//! and 1 are no further off. Where nothing was seen p̄ is uniform. If no policy meets the budgets every action is as likely as
//! another, which the paper leaves open.

use crate::error::Result;
use crate::learn::parts::episodic::config::EpisodicConfig;
use crate::learn::parts::episodic::estimates::Estimates;
use crate::learn::parts::episodic::optimism::BonusOptimism;
use crate::learn::parts::episodic::options::{Confidence, Counting, Limits, Replan};
use crate::learn::parts::episodic::planning::{EpisodePlanning, Replanning};
use crate::learn::parts::estimate::UnvisitedKernel;
use crate::learn::{Epoch, Knowledge, Learner, Now, Wants};
use crate::model::Task;
use crate::options;
use crate::seed::Rng;

const NAME: &str = "optcmdp-bonus";

options! {
    /// The options of optcmdp-bonus.
    pub struct OptCmdpBonusConfig {
        /// When it plans again.
        replan: Replan = Replan::Every, "every or doubled" => |_| true;
        with {
            /// How sure it is.
            confidence: Confidence = Confidence::default();
            /// How far optimism goes.
            limits: Limits = Limits::capped();
            /// What it counts.
            counting: Counting = Counting::default();
        }
    }
}

impl EpisodicConfig for OptCmdpBonusConfig {
    type Learner = OptCmdpBonus;
    const NAME: &'static str = NAME;
    const ABOUT: &'static str = "episodes: plans with more reward and less cost where little was seen";

    fn wants(&self) -> Wants {
        self.counting.wants()
    }

    fn fill_in(&mut self) {
        self.confidence.scale.get_or_insert(0.0003);
    }

    fn learner(&self, task: &Task, knowledge: &Knowledge) -> Result<OptCmdpBonus> {
        OptCmdpBonus::new(self, task, knowledge)
    }
}

/// Plans with more reward and less cost where little was seen.
pub struct OptCmdpBonus {
    optimism: BonusOptimism,
    planning: EpisodePlanning,
    replanning: Replanning,
}

impl OptCmdpBonus {
    fn new(config: &OptCmdpBonusConfig, task: &Task, knowledge: &Knowledge) -> Result<OptCmdpBonus> {
        let estimates = Estimates::new(NAME, task, knowledge, &config.counting, UnvisitedKernel::Uniform)?;
        Ok(OptCmdpBonus {
            optimism: BonusOptimism::new(estimates, task.rounds(), &config.confidence, &config.limits),
            planning: EpisodePlanning::new(),
            replanning: Replanning::new(config.replan),
        })
    }
}

impl Learner for OptCmdpBonus {
    fn next_epoch(&mut self, now: &Now, _rng: &mut Rng) -> Result<Epoch> {
        self.optimism.update(now);
        if let Some(epoch) = self.replanning.kept(&self.optimism.estimates) {
            return Ok(epoch);
        }
        self.optimism.write_signals()?;
        let planned = self.planning.plan_or_uniform(&self.optimism.estimates, None)?;
        Ok(self.replanning.planned(&self.optimism.estimates, planned))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::algorithms::fixture::Led;
    use crate::learn::algorithms::table1::*;
    use crate::plan::Verdict;

    /// Bonuses, status and optimum of 56 plans, and the plans themselves where they are unique.
    #[test]
    fn plans_of_fixed_counts_are_those_of_another_implementation() {
        for entry in entries("optcmdp_bonus") {
            let costs = entry["m"].as_u64().unwrap() as usize;
            let (task, knowledge) = task(costs);
            let mut config = OptCmdpBonusConfig::default();
            config.confidence.scale = Some(number(&entry["scale"]));
            let mut learner = OptCmdpBonus::new(&config, &task, &knowledge).unwrap();
            fill(&mut learner.optimism.estimates, &entry["case"]);
            learner.optimism.refresh();
            learner.optimism.write_signals().unwrap();
            let what = format!("case {} m {costs} scale {}", entry["case"], entry["scale"]);
            assert_close(&[learner.optimism.bonuses.iter().sum()], &entry["check"]["bonus_sum"], &what);
            assert_close(&learner.optimism.bonuses[..1], &entry["check"]["bonus_000"], &what);
            match learner.planning.verdict(&learner.optimism.estimates, None).unwrap() {
                Verdict::Optimal(plan) => {
                    assert_eq!(entry["status"], "optimal", "{what}");
                    assert_close(&[plan.value.reward], &entry["value"], &what);
                    assert_same_plan(&plan, &entry, &what);
                    if entry["unique"] == true {
                        let values = true_values(plan.policies[0].policy.probabilities(), costs);
                        let found = (values[0], number(&entry["true"]["reward"]));
                        assert!((found.0 - found.1).abs() < 1e-4, "{what}: {found:?}");
                    }
                }
                Verdict::Infeasible(_) => assert_eq!(entry["status"], "infeasible", "{what}"),
            }
        }
    }

    /// A pair that was never seen has the bonus 0 β^r + H Σ 1 = 4, which no reward makes up for.
    #[test]
    fn it_tries_everything_once_and_then_rests_and_works() {
        let mut led = Led::new(1.0);
        let mut config = OptCmdpBonusConfig::default();
        config.confidence.scale = Some(0.0);
        let mut learner = OptCmdpBonus::new(&config, &led.task, &led.knowledge).unwrap();
        led.ask(&mut learner);
        assert_eq!(learner.optimism.bonuses, [4.0; 6]);
        led.walk([0, 3]);
        let policy = led.ask(&mut learner);
        assert_eq!((learner.optimism.bonuses[0], policy[1]), (0.0, 1.0), "work was never tried");
        led.walk([1, 5]);
        let policy = led.ask(&mut learner);
        assert_eq!((policy[0], policy[4]), (1.0, 1.0), "work was never tried at the second stage");
        led.walk([0, 4]);
        let policy = led.ask(&mut learner);
        assert_eq!((policy[0], policy[4]), (1.0, 1.0), "0.5 + 1, for a cost of 1");
    }
}
