//! The levels that learners are compared with: what the true model allows.

use crate::error::Result;
use crate::model::{Cmdp, Policy};
use crate::plan::{From, PlannerConfig, Verdict, frontier};
use serde::{Deserialize, Serialize};

/// Gains and costs of the best policies of a model.
#[derive(Clone, Debug)]
pub struct Baseline {
    /// The best within the budgets; `None` where no policy meets them.
    pub optimal: Option<Level>,
    /// The best without budgets: with one cost, that of the least cost among them.
    pub fast: Level,
    /// The least cost, and the best gain at that cost; with several costs there is no such policy.
    pub safe: Option<Level>,
    /// The policies of the optimal plan, or of the closest one, and their weights.
    pub policies: Vec<(f64, Policy)>,
}

/// Long-run averages of a policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// J(r).
    pub reward: f64,
    /// J(c_i).
    pub costs: Vec<f64>,
}

impl Baseline {
    /// The levels of a model, from its start.
    pub fn of(model: &Cmdp) -> Result<Baseline> {
        let mut planner = PlannerConfig::default().build();
        let (optimal, policies) = match planner.plan(model, From::Start)? {
            Verdict::Optimal(plan) => (Some(Level { reward: plan.gain, costs: plan.costs }), plan.policies),
            Verdict::Infeasible(found) => (None, found.policies),
        };
        let free = model.clone().with_budgets(&vec![f64::INFINITY; model.costs()])?;
        let (fast, safe) = if model.costs() == 1 {
            let frontier = frontier(planner.as_mut(), &free, From::Start, 0)?;
            let level =
                |point: &crate::plan::FrontierPoint| Level { reward: point.gain, costs: vec![point.budget] };
            (frontier.points.last().map(level), frontier.points.first().map(level))
        } else {
            (None, None)
        };
        let fast = match fast {
            Some(fast) => fast,
            None => match planner.plan(&free, From::Start)? {
                Verdict::Optimal(plan) => Level { reward: plan.gain, costs: plan.costs },
                Verdict::Infeasible(found) => Level { reward: f64::NAN, costs: found.least_costs },
            },
        };
        let policies = policies.into_iter().map(|one| (one.weight, one.policy)).collect();
        Ok(Baseline { optimal, fast, safe, policies })
    }

    /// r*, where there is one.
    pub fn optimum(&self) -> Option<f64> {
        self.optimal.as_ref().map(|level| level.reward)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::EnvConfig;

    #[test]
    fn the_papers_levels() {
        for (name, optimal, fast, safe) in [
            ("marsrover-4x4", -0.775, (-0.75, 0.25), -0.875),
            ("marsrover-8x8", -0.938_095_238_1, (-12.0 / 13.0, 3.0 / 13.0), -20.0 / 21.0),
            ("box", -0.865, (-5.0 / 6.0, 5.0 / 6.0), -0.875),
        ] {
            let env = EnvConfig::from_options(name, &[]).unwrap().build().unwrap();
            let baseline = Baseline::of(&env.model).unwrap();
            assert!((baseline.optimum().unwrap() - optimal).abs() < 1e-9, "{name}");
            assert!((baseline.fast.reward - fast.0).abs() < 1e-9, "{name}");
            assert!((baseline.fast.costs[0] - fast.1).abs() < 1e-9, "{name}");
            let found = baseline.safe.unwrap();
            assert!((found.reward - safe).abs() < 1e-9 && found.costs[0].abs() < 1e-9, "{name}");
        }
    }
}
