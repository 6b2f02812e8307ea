//! The levels of episodes: what the true model allows over an episode, told for one step of it.

use super::{Baseline, Level};
use crate::error::{Error, Result};
use crate::model::{Cmdp, Criterion, Policy};
use crate::plan::{Plan, Planner, PlannerConfig, Problem, Verdict, Watch};

impl Baseline {
    /// The levels of episodes of `horizon` steps in a model, divided by the horizon; its policies are those of
    /// [`Cmdp::layered`].
    pub fn of_episodes(model: &Cmdp, horizon: usize, watch: Watch) -> Result<Baseline> {
        let mut levels = Levels {
            planner: PlannerConfig::default().build(),
            horizon,
            watch,
            what: "the optimum of an episode",
        };
        let (optimal, policies) = match levels.plan(model)? {
            Verdict::Optimal(plan) => {
                let policies = plan.policies.clone();
                (Some(levels.level(model, plan)?), policies)
            }
            Verdict::Infeasible(found) => (None, found.policies),
        };
        let free = model.clone().with_budgets(&vec![f64::INFINITY; model.costs()])?;
        levels.what = "the optimum of an episode without budgets";
        let fast = levels.best(&free)?;
        levels.what = "the least cost of an episode";
        let safe = if model.costs() == 1 { Some(levels.safe(&free)?) } else { None };
        let stationary = |one: crate::plan::WeightedPolicy| {
            (one.weight, Policy::unchecked(one.policy.probabilities().to_vec(), 1))
        };
        Ok(Baseline { optimal, fast, safe, policies: policies.into_iter().map(stationary).collect() })
    }
}

/// Plans levels, one after the other.
struct Levels<'a> {
    planner: Box<dyn Planner>,
    horizon: usize,
    watch: Watch<'a>,
    what: &'static str,
}

impl Levels<'_> {
    fn plan(&mut self, model: &Cmdp) -> Result<Verdict> {
        self.planner.plan_watched(&self.problem(model), self.watch)
    }

    fn problem<'m>(&self, model: &'m Cmdp) -> Problem<'m> {
        Problem::new(model, Criterion::Episodes { horizon: self.horizon })
    }

    /// The level of the best policy, which there is.
    fn best(&mut self, model: &Cmdp) -> Result<Level> {
        match self.plan(model)? {
            Verdict::Optimal(plan) => self.level(model, plan),
            Verdict::Infeasible(found) => {
                Err(Error::Unsettled { least: found.violation, lower: found.violation })
            }
        }
    }

    /// The level of a plan for one step, proved.
    fn level(&mut self, model: &Cmdp, plan: Plan) -> Result<Level> {
        let mut verdict = Verdict::Optimal(plan);
        let certificate = self.planner.certify(&self.problem(model), &verdict)?;
        certificate.correct(&mut verdict);
        let Verdict::Optimal(plan) = verdict else {
            return Err(Error::Unproved { reason: format!("{} is no plan any more", self.what) });
        };
        let steps = self.horizon as f64;
        let plan = plan.settled_by(steps, model, || self.what.to_string())?;
        let ranges = std::iter::once(&certificate.proof.gain).chain(&certificate.proof.costs);
        Ok(Level {
            reward: plan.value.reward / steps,
            costs: plan.value.costs.iter().map(|cost| cost / steps).collect(),
            ranges: ranges.map(|range| (range.low / steps, range.high / steps)).collect(),
        })
    }

    /// The least cost, and the best reward at that cost.
    fn safe(&mut self, free: &Cmdp) -> Result<Level> {
        let cheapest: Vec<f64> = free.signals().cost(0).iter().map(|c| 0.0 - c).collect();
        let question = free.with_signals(cheapest, Vec::new(), &[])?;
        let least = -self.best(&question)?.reward * self.horizon as f64;
        // The budget is wider than the least cost by what rounding may have done to it.
        let room = 1e-9 * self.horizon as f64 * free.signals().size(1);
        let mut level = self.best(&free.clone().with_budgets(&[least + room])?)?;
        // What the plan costs beyond the least cost is the room it was given.
        level.costs[0] = level.costs[0].min(least / self.horizon as f64);
        Ok(level)
    }
}
