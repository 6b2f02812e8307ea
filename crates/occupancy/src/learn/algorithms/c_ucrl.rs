//! C-UCRL: pessimism about costs with known transitions and a safe policy to begin with (Zheng and Ratliff, *Constrained upper
//! confidence reinforcement learning with known dynamics*, 2020).
//!
//! ```text
//! for blocks k = 1, 2, …, from step t_k on
//!     h steps of the baseline policy
//!     r̃ = min(1, r̄ + w) ,   c̃_i = min(1, c̄_i + w) ,   w(s,a) = scale √( ln(S A (m+1) π² t_k³ / (3 δ)) / (2 N⁺) )
//!     π_k  ←  best policy within the budgets for (P, r̃, c̃); the baseline if there is none
//!     (k − 1) h steps of π_k
//! ```
//!
//! The original form of what [`super::CucrlConservativeConfig`] is in the comparison of Provodin et al. (2022), where transitions are
//! estimated and the baseline is uniform. Here, if the baseline is within the budgets and `scale` is 1, every policy that is
//! followed is so with probability 1 − δ. Signals lie in [0, 1] there; elsewhere w is relative to their range, and the cut is at the
//! greatest value.

use super::cucrl_conservative::{random_steps, scale};
use crate::error::{LearnerProblem, Result};
use crate::learn::parts::episodic::options::Confidence;
use crate::learn::parts::epochs::{BlockPart, Blocks};
use crate::learn::parts::estimate::{Estimate, UnvisitedSignals, unit_range};
use crate::learn::parts::planning::draw;
use crate::learn::parts::told::BaselinePolicy;
use crate::learn::{Epoch, Knowledge, Learner, LearnerConfig, Now, PlanReport, Wants};
use crate::model::{Origin, Policy, Task};
use crate::options;
use crate::plan::{OffSupport, Planner, PlannerConfig, PlannerKind, Problem, Verdict};
use crate::seed::Rng;
use std::sync::Arc;

const NAME: &str = "c-ucrl";

options! {
    /// The options of c-ucrl.
    pub struct CUcrlConfig {
        /// A policy that is within the budgets.
        baseline: Option<BaselinePolicy> = None, BaselinePolicy::EXPECTED => BaselinePolicy::in_range;
        /// Steps of the baseline in each block; by default ⌈T^(1/3)⌉.
        h: Option<u64> = None, "a count of at least 1" => |h| h.is_none_or(|h| h >= 1);
        /// What the policy does in states that the plan never visits.
        off_support: OffSupport = OffSupport::Pinned, "pinned, uniform or first" => |_| true;
        with {
            /// How sure it is.
            confidence: Confidence = Confidence::default();
        }
    }
}

impl LearnerConfig for CUcrlConfig {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "knows the transitions and a safe policy; plans with more cost where little was seen"
    }

    fn fill_in(&mut self, rounds: u64) {
        self.h.get_or_insert(random_steps(rounds));
    }

    fn requires(&self, _option: &str) -> bool {
        false
    }

    fn wants(&self) -> Wants {
        Wants { kernel: true, ..Wants::default() }
    }

    fn most_plans(&self, _pairs: usize, rounds: u64) -> Option<u64> {
        Some(Blocks::most(self.h.unwrap_or(1), rounds))
    }

    fn make(&self, task: &Task, knowledge: &Knowledge) -> Result<Box<dyn Learner>> {
        Ok(Box::new(CUcrl::new(self, task, knowledge)?))
    }
}

/// Plans with more cost where little was seen, and explores by a safe policy.
pub struct CUcrl {
    estimate: Estimate,
    planner: Box<dyn Planner>,
    baseline: Arc<Policy>,
    blocks: Blocks,
    h: u64,
    /// t_k: the first step of the present block, counted from 1.
    began: u64,
    scale: f64,
    delta: f64,
    task: Task,
}

impl CUcrl {
    fn new(config: &CUcrlConfig, task: &Task, knowledge: &Knowledge) -> Result<CUcrl> {
        let baseline = config.baseline.as_ref().ok_or(LearnerProblem::NoBaseline { learner: NAME })?;
        let (what, how) =
            ("the transition probabilities", "whoever builds it hands them over as Knowledge::kernel");
        let missing = LearnerProblem::Unknown { learner: NAME, what, how };
        let kernel = knowledge.kernel.as_ref().ok_or(missing)?;
        let mut estimate = Estimate::new(task, &UnvisitedSignals::default());
        estimate.model.rewrite_rows(|pair, row| row.extend(kernel.row(pair).iter()))?;
        let planner = PlannerConfig { kind: PlannerKind::Prices, off_support: config.off_support };
        Ok(CUcrl {
            estimate,
            planner: planner.build(),
            baseline: Arc::new(baseline.policy(NAME, task)?),
            blocks: Blocks::default(),
            h: config.h.unwrap_or(random_steps(task.rounds())),
            began: 1,
            scale: config.confidence.factor(),
            delta: config.confidence.delta,
            task: task.clone(),
        })
    }

    /// The plan with what was counted; the baseline if the budgets cannot be met.
    fn plan(&mut self, now: &Now, rng: &mut Rng) -> Result<(Arc<Policy>, PlanReport)> {
        let w = self.scale * scale(&self.task, self.began, self.delta).sqrt();
        self.estimate.means(now.counts, |k, pair, mean| {
            let (least, width) = unit_range(&self.task, k);
            let raised = mean + width * w / (now.counts.visits(pair).max(1) as f64).sqrt();
            raised.min(least + width)
        })?;
        let model = &self.estimate.model;
        Ok(match self.planner.plan(&Problem::average(model).counted_from(Origin::State(now.state)))? {
            Verdict::Optimal(plan) => {
                let (classes, settled, prices) = (plan.classes, plan.is_settled(model), plan.prices);
                let report = PlanReport { feasible: true, classes, prices, settled };
                (Arc::new(draw(plan.policies, rng)), report)
            }
            Verdict::Infeasible(_) => {
                let prices = vec![0.0; self.task.costs()];
                let report = PlanReport { feasible: false, classes: 1, prices, settled: true };
                (self.baseline.clone(), report)
            }
        })
    }
}

impl Learner for CUcrl {
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch> {
        let (until, begins) = match self.blocks.next(self.h, now.step, self.task.rounds()) {
            BlockPart::Random(until) => {
                self.began = now.step + 1;
                return Ok(Epoch::unplanned(self.baseline.clone(), until));
            }
            BlockPart::Planned { until, begins } => (until, begins),
        };
        if begins {
            self.began = now.step + 1;
        }
        Ok(Epoch { begins, ..Epoch::planned(self.plan(now, rng)?, until) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::algorithms::fixture::{at, seen, told};
    use crate::learn::{Counts, Until};
    use crate::model::{Cmdp, CmdpBuilder};
    use crate::seed::Seed;

    /// One state: working brings 1 and costs 1, resting nothing.
    fn work_or_rest() -> Cmdp {
        let mut model = CmdpBuilder::new(1, &[0.5]);
        model.pair(0, &[(0, 1.0)], 1.0, &[1.0]).pair(0, &[(0, 1.0)], 0.0, &[0.0]);
        model.build().unwrap()
    }

    fn learner(model: &Cmdp) -> CUcrl {
        let config =
            CUcrlConfig { baseline: Some(BaselinePolicy::Uniform), h: Some(3), ..Default::default() };
        CUcrl::new(&config, &Task::of(model, 1000), &told(model)).unwrap()
    }

    #[test]
    fn the_first_epochs_by_hand() {
        let (model, mut rng) = (work_or_rest(), Seed(1).rng("none"));
        let mut learner = learner(&model);
        let mut next = |counts: &Counts, step: u64| {
            let epoch = learner.next_epoch(&at(counts, step, 3), &mut rng).unwrap();
            (
                epoch.until,
                epoch.begins,
                epoch.report.map(|report| report.feasible),
                epoch.policy.probabilities()[0],
            )
        };
        // Block 1 is the baseline alone, block 2 has as many planned steps. Each action was seen three times: costs are 1 with their
        // bonus, and the baseline goes on.
        assert_eq!(next(&seen(&model, &[0, 0]), 0), (Until::steps(3), true, None, 0.5));
        assert_eq!(next(&seen(&model, &[2, 1]), 3), (Until::steps(3), true, None, 0.5));
        assert_eq!(next(&seen(&model, &[3, 3]), 6), (Until::steps(3), false, Some(false), 0.5));
        // Block 3: h steps of the baseline, 2 h planned ones. With w = √(ln(2 · 2 π² t³ / 0.15) / 2 / N), t = 10 at its beginning,
        // working costs 1 and resting w, of which x and 1 − x are taken: x + (1 − x) w = 0.5.
        assert_eq!(next(&seen(&model, &[3, 6]), 9), (Until::steps(3), true, None, 0.5));
        let (until, begins, feasible, works) = next(&seen(&model, &[2000, 2000]), 12);
        assert_eq!((until, begins, feasible), (Until::steps(6), false, Some(true)));
        let w =
            (crate::arithmetic::elementary::ln(4.0 * 9.869_604_401_089_358 * 1000.0 / 0.15) / 4000.0).sqrt();
        assert!((works - (0.5 - w) / (1.0 - w)).abs() < 1e-9, "{works}, w = {w}");
    }

    #[test]
    fn what_it_has_to_know_is_said() {
        let model = work_or_rest();
        let task = Task::of(&model, 10);
        let refused = |config: &CUcrlConfig, knowledge: &Knowledge| {
            CUcrl::new(config, &task, knowledge).err().map(|error| error.to_string()).unwrap()
        };
        let expected = "c-ucrl has to know a policy within the budgets: give baseline, the path of a policy's table as `occupancy solve --policy` writes it, or uniform";
        assert_eq!(refused(&CUcrlConfig::default(), &told(&model)), expected);
        let given = CUcrlConfig { baseline: Some(BaselinePolicy::Uniform), ..Default::default() };
        assert!(
            refused(&given, &Knowledge::default())
                .starts_with("c-ucrl has to know the transition probabilities")
        );
    }
}
