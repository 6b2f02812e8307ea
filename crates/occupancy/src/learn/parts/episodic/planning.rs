//! Plans of an episode on estimates, within the budgets.

use super::estimates::Estimates;
use super::options::Replan;
use crate::error::{Error, Result};
use crate::learn::{Epoch, PlanReport, Until};
use crate::model::Policy;
use crate::plan::{EpisodePlanner, KernelSet, Layers, OffSupport, SETTLED, Verdict};
use std::sync::Arc;

/// The planner of a learner of episodes.
#[derive(Debug)]
pub struct EpisodePlanning {
    planner: EpisodePlanner,
}

impl EpisodePlanning {
    /// Policies act at random in states that the plan never visits, as in the papers.
    #[expect(clippy::new_without_default, reason = "a planner is made on purpose")]
    pub fn new() -> EpisodePlanning {
        EpisodePlanning { planner: EpisodePlanner::new(OffSupport::Uniform) }
    }

    /// The best policy of the estimated models for the signals written into them, over a set of kernels if there is one; `None`
    /// if no policy meets the budgets there, or rounding hides whether one does.
    pub fn plan(
        &mut self,
        estimates: &Estimates,
        set: Option<KernelSet>,
    ) -> Result<Option<(Policy, PlanReport)>> {
        match self.verdict(estimates, set) {
            Ok(Verdict::Optimal(plan)) => {
                let size = estimates.models[0].signals().size(0).max(1.0) * estimates.horizon() as f64;
                let report = PlanReport {
                    feasible: true,
                    classes: 1,
                    prices: estimates.units.prices_outside(&plan.prices),
                    settled: plan.gap <= SETTLED * size,
                };
                Ok(plan.policies.into_iter().next().map(|one| (in_layers(one.policy), report)))
            }
            Ok(Verdict::Infeasible(_)) => Ok(None),
            Err(Error::Unsettled { .. } | Error::Underflow { .. } | Error::Master { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The same; every action alike if there is no plan.
    pub fn plan_or_uniform(
        &mut self,
        estimates: &Estimates,
        set: Option<KernelSet>,
    ) -> Result<(Policy, PlanReport)> {
        let planned = self.plan(estimates, set)?;
        Ok(planned.unwrap_or_else(|| (estimates.uniform(), infeasible(estimates.costs()))))
    }

    /// What the planner says of the estimated models.
    pub(crate) fn verdict(&mut self, estimates: &Estimates, set: Option<KernelSet>) -> Result<Verdict> {
        self.planner.plan(Layers::each(&estimates.models)?, set)
    }

    /// The best policy at prices in the units of the estimates, and what it comes to with the kernel that is best for it.
    pub fn respond(
        &mut self,
        estimates: &Estimates,
        set: Option<KernelSet>,
        prices: &[f64],
    ) -> Result<(Policy, Vec<f64>)> {
        let (policy, value) =
            self.planner.respond_unchecked(Layers::each(&estimates.models)?, set, prices)?;
        Ok((in_layers(policy), std::iter::once(value.reward).chain(value.costs).collect()))
    }
}

/// A policy by stage as a policy of the model of stages.
fn in_layers(policy: Policy) -> Policy {
    Policy::unchecked(policy.into_probabilities(), 1)
}

/// A policy that was found at prices, in the units of the estimates.
pub fn priced(estimates: &Estimates, prices: &[f64]) -> PlanReport {
    let prices = estimates.units.prices_outside(prices);
    PlanReport { feasible: true, classes: 1, prices, settled: true }
}

/// The news that no policy met the budgets.
pub fn infeasible(costs: usize) -> PlanReport {
    PlanReport { feasible: false, classes: 1, prices: vec![0.0; costs], settled: true }
}

/// When to plan again, and what was planned last.
#[derive(Clone, Debug)]
pub struct Replanning {
    rule: Replan,
    /// The visits of every row at the last plan.
    planned: Vec<u64>,
    last: Option<Arc<Policy>>,
}

impl Replanning {
    /// By a rule.
    pub fn new(rule: Replan) -> Replanning {
        Replanning { rule, planned: Vec::new(), last: None }
    }

    /// The visits of every row at the last plan.
    #[cfg(test)]
    pub fn planned_visits(&self) -> &[u64] {
        &self.planned
    }

    /// The next episode with the policy that is kept, unless it is time to plan again; asked after every update of the
    /// estimates.
    pub fn kept(&self, estimates: &Estimates) -> Option<Epoch> {
        let policy = self.last.as_ref()?;
        let doubled = |&row: &usize| {
            let before = self.planned[row];
            estimates.visits[row] - before >= before.max(1)
        };
        if estimates.changed.iter().any(doubled) {
            return None;
        }
        let until = Until::steps(estimates.horizon() as u64);
        Some(Epoch { changed: Some(Vec::new()), ..Epoch::unplanned(Arc::clone(policy), until) })
    }

    /// The next episode with what was planned, which is kept as long as the rule says.
    pub fn planned(&mut self, estimates: &Estimates, planned: (Policy, PlanReport)) -> Epoch {
        let epoch = Epoch::planned(planned, Until::steps(estimates.horizon() as u64));
        if self.rule == Replan::Doubled {
            self.planned.clone_from(&estimates.visits);
            self.last = Some(Arc::clone(&epoch.policy));
        }
        epoch
    }
}
