//! The policies of run 0 on its way, each with what it would earn and cost in the true model if it were followed for ever.

use super::numbers::{Exact, Short};
use crate::Result;
use occupancy::chain::evaluate;
use occupancy::model::Cmdp;
use occupancy::plan::{Plan, PlannerConfig, Problem, Verdict};
use occupancy::sim::Snapshot;
use serde::Serialize;

/// A state takes part in a plan that is there for more than this share of the time.
pub const NOTHING: f64 = crate::figure::scene::NOTHING;

/// A policy of run 0 with its long-run averages in the true model, and how it is shown.
#[derive(Clone, Debug, Serialize)]
pub struct SnapshotData<T> {
    epoch: u64,
    step: u64,
    prices: Vec<Short>,
    reward: Exact,
    costs: Vec<Exact>,
    policy: T,
}

impl<T> SnapshotData<T> {
    /// A policy, shown by its probabilities and its occupancy.
    pub fn of(
        model: &Cmdp,
        snapshot: &Snapshot,
        show: impl FnOnce(&[f64], &[f64]) -> T,
    ) -> Result<SnapshotData<T>> {
        let found = evaluate(model, &snapshot.policy, model.start())?;
        Ok(SnapshotData {
            epoch: snapshot.epoch,
            step: snapshot.step,
            prices: snapshot.prices.iter().copied().map(Short).collect(),
            reward: Exact(found.value.reward),
            costs: found.value.costs.iter().copied().map(Exact).collect(),
            policy: show(snapshot.policy.probabilities(), &found.occupancy),
        })
    }
}

/// The best plan within the budgets, or within others; `None` if there is none, or none that is settled.
pub fn plan(model: &Cmdp, budgets: Option<&[f64]>) -> Result<Option<Plan>> {
    let mut planner = PlannerConfig::default().build();
    let verdict = match budgets {
        None => planner.plan(&Problem::average(model))?,
        // The budget is the cost of a policy: rounding must not exclude it.
        Some(budgets) => {
            let budgets: Vec<f64> = budgets.iter().map(|budget| budget + 1e-12).collect();
            planner.plan(&Problem::average(&model.clone().with_budgets(&budgets)?))?
        }
    };
    Ok(match verdict {
        Verdict::Optimal(plan) if plan.is_settled(model) => Some(plan),
        Verdict::Optimal(_) | Verdict::Infeasible(_) => None,
    })
}

/// π(a∣s) of a plan: its occupancy where it comes, its first policy elsewhere.
pub fn shares(plan: &Plan, model: &Cmdp) -> Vec<f64> {
    let mut shares = plan.policies.first().map_or_else(Vec::new, |one| one.policy.probabilities().to_vec());
    if plan.policies.len() < 2 {
        return shares;
    }
    for state in 0..model.states() {
        let pairs = model.pairs_of(state);
        let time: f64 = plan.occupancy[pairs.clone()].iter().sum();
        if time > NOTHING {
            pairs.for_each(|pair| shares[pair] = plan.occupancy[pair] / time);
        }
    }
    shares
}
