//! Planning in the model that a learner believes in, and what to do if no policy meets the budgets there.

use crate::error::{Error, Result};
use crate::learn::{Counts, Now, PlanReport};
use crate::model::Origin;
use crate::model::{Cmdp, Policy, Task};
use crate::options::{Form, OptionValue};
use crate::plan::Problem;
use crate::plan::{
    Infeasible, OffSupport, Plan, Planner, PlannerConfig, PlannerKind, Verdict, WeightedPolicy, quickest_way,
};
use crate::seed::Rng;
use crate::{options, words};
use rand::RngExt;

/// Budgets that no policy meets are widened to what can be met, and by this share of the cost's size.
const WIDENED: f64 = 1e-7;

words! {
    /// Where a plan's long run is counted from.
    pub enum PlanFrom {
        /// From wherever it is best: the paper's linear program.
        Anywhere = "anywhere",
        /// From the state the learner is in.
        Here = "here",
    }
}

words! {
    /// What a learner does when no policy meets the budgets in its model.
    pub enum OnInfeasible {
        /// Walks to the state visited least, in the fewest steps.
        Explore = "explore",
        /// Comes as close to the budgets as can be, and takes the most reward among such policies.
        LeastCost = "least-cost",
        /// Plans without the budgets.
        Drop = "drop",
        /// Takes every action with the same probability.
        Uniform = "uniform",
    }
}

impl OptionValue for OffSupport {
    const FORM: Form = Form::Word;

    fn parse(text: &str) -> Option<OffSupport> {
        [OffSupport::Pinned, OffSupport::Uniform, OffSupport::First]
            .into_iter()
            .find(|rule| rule.show() == text)
    }

    fn show(&self) -> String {
        match self {
            OffSupport::Pinned => "pinned".into(),
            OffSupport::Uniform => "uniform".into(),
            OffSupport::First => "first".into(),
        }
    }
}

impl OptionValue for PlannerKind {
    const FORM: Form = Form::Word;

    fn parse(text: &str) -> Option<PlannerKind> {
        [PlannerKind::Prices, PlannerKind::PricesByValueIteration, PlannerKind::Lp]
            .into_iter()
            .find(|kind| kind.show() == text)
    }

    fn show(&self) -> String {
        match self {
            PlannerKind::Prices => "prices".into(),
            PlannerKind::PricesByValueIteration => "prices-vi".into(),
            PlannerKind::Lp => "lp".into(),
        }
    }
}

options! {
    /// How a learner plans in its model.
    pub struct PlanOptions {
        /// Where the plan's long run is counted from.
        from: PlanFrom = PlanFrom::Here, "anywhere or here" => |_| true;
        /// What the policy does in states that the plan never visits.
        off_support: OffSupport = OffSupport::Pinned, "pinned, uniform or first" => |_| true;
        /// What is done when no policy meets the budgets in the learner's model.
        infeasible: OnInfeasible = OnInfeasible::Explore, "explore, least-cost, drop or uniform" => |_| true;
        /// The planner.
        planner: PlannerKind = PlannerKind::Prices, "prices, prices-vi or lp" => |_| true;
    }
}

impl PlanOptions {
    /// The defaults, with another way out of infeasible models.
    pub fn if_infeasible(infeasible: OnInfeasible) -> PlanOptions {
        PlanOptions { infeasible, ..PlanOptions::default() }
    }
}

/// A planner within the budgets, and a way out if there is no plan.
pub struct Planning {
    task: Task,
    planner: Box<dyn Planner>,
    from: PlanFrom,
    infeasible: OnInfeasible,
}

impl Planning {
    /// A planner with these options.
    pub fn new(task: &Task, options: &PlanOptions) -> Planning {
        let planner = PlannerConfig { kind: options.planner, off_support: options.off_support };
        Planning {
            task: task.clone(),
            planner: planner.build(),
            from: options.from,
            infeasible: options.infeasible,
        }
    }

    /// The policy to follow in a model, by a plan within the budgets.
    pub fn plan(&mut self, model: &Cmdp, now: &Now, rng: &mut Rng) -> Result<(Policy, PlanReport)> {
        let verdict = self.planner.plan(&Problem::average(model).counted_from(self.origin(now)));
        self.policy_after(verdict, model, now, rng)
    }

    fn origin(&self, now: &Now) -> Origin {
        match self.from {
            PlanFrom::Anywhere => Origin::Anywhere,
            PlanFrom::Here => Origin::State(now.state),
        }
    }

    /// The policy to follow after a verdict on a model. A model in which rounding hides whether the budgets can be met is
    /// treated like one in which they cannot.
    pub fn policy_after(
        &mut self,
        verdict: Result<Verdict>,
        model: &Cmdp,
        now: &Now,
        rng: &mut Rng,
    ) -> Result<(Policy, PlanReport)> {
        let closest = match verdict {
            Ok(Verdict::Optimal(plan)) => return Ok(of_plan(plan, model, rng)),
            Ok(Verdict::Infeasible(found)) => Some(found),
            Err(Error::Unsettled { .. } | Error::Underflow { .. } | Error::Master { .. }) => None,
            Err(error) => return Err(error),
        };
        let (policy, settled) = match (self.infeasible, closest) {
            (OnInfeasible::Uniform, _) | (OnInfeasible::LeastCost, None) => (Policy::uniform(model), true),
            (OnInfeasible::Explore, _) => (least_visited(model, now.counts), true),
            (OnInfeasible::Drop, _) => {
                self.replan(model, &vec![f64::INFINITY; self.task.costs()], now, rng)?
            }
            (OnInfeasible::LeastCost, Some(found)) => self.least_cost(model, found, now, rng),
        };
        let prices = vec![0.0; self.task.costs()];
        Ok((policy, PlanReport { feasible: false, classes: 1, prices, settled }))
    }

    /// The best policy within the least costs that can be had, and whether it is known to be that.
    fn least_cost(&mut self, model: &Cmdp, found: Infeasible, now: &Now, rng: &mut Rng) -> (Policy, bool) {
        let widened = |(i, &cost): (usize, &f64)| {
            let size = model.signals().size(i + 1).max(1.0);
            self.task.budgets()[i].max(cost + WIDENED * size)
        };
        let budgets: Vec<f64> = found.least_costs.iter().enumerate().map(widened).collect();
        match self.replan(model, &budgets, now, rng) {
            Ok(replanned) => replanned,
            Err(_) => (draw(found.policies, rng), true),
        }
    }

    /// The best policy within other budgets, and whether it is known to be that.
    fn replan(&mut self, model: &Cmdp, budgets: &[f64], now: &Now, rng: &mut Rng) -> Result<(Policy, bool)> {
        let model = model.clone().with_budgets(budgets)?;
        match self.planner.plan(&Problem::average(&model).counted_from(self.origin(now)))? {
            Verdict::Optimal(plan) => {
                let (policy, report) = of_plan(plan, &model, rng);
                Ok((policy, report.settled))
            }
            Verdict::Infeasible(found) => Ok((draw(found.policies, rng), true)),
        }
    }
}

/// The quickest way to the state visited least.
pub fn least_visited(model: &Cmdp, counts: &Counts) -> Policy {
    let least = (0..model.states()).min_by_key(|&state| counts.state_visits(state));
    quickest_way(model, least.unwrap_or(0))
}

fn of_plan(plan: Plan, model: &Cmdp, rng: &mut Rng) -> (Policy, PlanReport) {
    let settled = plan.is_settled(model);
    let report = PlanReport { feasible: true, classes: plan.classes, prices: plan.prices, settled };
    (draw(plan.policies, rng), report)
}

/// One of the policies of a plan, by their weights; nothing is drawn if there is one.
pub fn draw(mut policies: Vec<WeightedPolicy>, rng: &mut Rng) -> Policy {
    let mut left = if policies.len() > 1 { rng.random::<f64>() } else { 0.0 };
    let chosen = policies.iter().position(|one| {
        left -= one.weight;
        left < 0.0
    });
    policies.swap_remove(chosen.unwrap_or(policies.len() - 1)).policy
}
