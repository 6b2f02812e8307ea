//! What is known of a policy that is safe: the policy itself, or what it costs.

use super::estimates::Estimates;
use crate::error::{LearnerProblem, Result};
use crate::learn::parts::told::BaselinePolicy;
use crate::model::{Policy, Task};
use crate::options;

options! {
    /// The cost of a policy that is known to be safe.
    pub struct BaselineCost {
        /// The cost of an episode under the safe policy, below the budget.
        baseline_cost: Option<f64> = None, "a number" => |cost| cost.is_none_or(f64::is_finite);
    }
}

options! {
    /// A policy that is known to be safe, and its cost.
    pub struct SafeBaseline {
        /// The safe policy: a table as `solve --policy` writes it (one without a column stage holds for all stages), or uniform.
        baseline: Option<BaselinePolicy> = None, BaselinePolicy::EXPECTED => BaselinePolicy::in_range;
        with {
            /// Its cost.
            cost: BaselineCost = BaselineCost::default();
        }
    }
}

impl BaselineCost {
    /// The cost of the safe policy and the budget, in units: the first is below the second.
    pub fn below_budget(&self, learner: &'static str, estimates: &Estimates) -> Result<(f64, f64)> {
        check_one_cost(learner, estimates)?;
        let given = self.baseline_cost.ok_or(LearnerProblem::NoBaselineCost { learner })?;
        let (cost, budget) = (estimates.units.cost_of_episode(0, given), estimates.budget(0));
        if cost >= budget {
            let expected = "a number below the budget".to_string();
            let option = "baseline_cost";
            return Err(LearnerProblem::Contradiction { learner, option, value: given, expected }.into());
        }
        Ok((cost, budget))
    }
}

impl SafeBaseline {
    /// The safe policy.
    pub fn policy(&self, learner: &'static str, task: &Task) -> Result<Policy> {
        let baseline = self.baseline.as_ref().ok_or(LearnerProblem::NoBaseline { learner })?;
        baseline.policy(learner, task)
    }
}

/// Refuses a task that has not exactly one cost with a budget.
pub fn check_one_cost(learner: &'static str, estimates: &Estimates) -> Result<()> {
    let costs = estimates.costs();
    if costs == 1 && estimates.budget(0).is_finite() {
        return Ok(());
    }
    Err(LearnerProblem::Costs { learner, takes: "one cost with a budget", costs }.into())
}
