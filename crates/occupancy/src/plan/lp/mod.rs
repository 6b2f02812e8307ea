//! The planner that solves the occupancy LP with a general solver: slower, plainer, and independent of the others.

mod draws;
mod program;

use crate::chain::solver::Way;
use crate::chain::{Evaluation, evaluate};
use crate::chain::{Wanted, averages};
use crate::error::Result;
use crate::model::Origin;
use crate::model::{Cmdp, Policy, Value};
use crate::plan::answer::assemble::Draft;
use crate::plan::response::choices::Choices;
use crate::plan::response::{Scope, Structure};
use crate::plan::tolerance::FEASIBLE;
use crate::plan::tolerance::LP_GAP;
use crate::plan::{Ended, OffSupport, Plan, Planner, Problem, Verdict, Watch, WeightedPolicy};
use draws::{draws, support};
use program::Program;
use std::fmt;

/// Solves the linear program over occupancy measures.
///
/// A stationary policy is read off the program's solution and evaluated. If none attains it, because the optimum needs a
/// policy drawn at the start, the solution is taken apart into such policies. Nothing comes from another planner: what the
/// program does not answer is an error.
pub struct OccupancyLp {
    off_support: OffSupport,
}

impl OccupancyLp {
    /// A planner whose policies act by `off_support` where the plan never comes.
    pub fn new(off_support: OffSupport) -> OccupancyLp {
        OccupancyLp { off_support }
    }

    /// The plan of an occupancy, visits on the way, and w and h for the pinned rule; its policies are mixed for the
    /// greatest reward within budgets widened by `slack`, or for the least violation.
    fn plan_of(
        &self,
        program: &Program,
        origin: Origin,
        (occupancy, visits): (&[f64], &[f64]),
        (weighted, bias): (&[f64], &[f64]),
        slack: Option<f64>,
    ) -> Result<Plan> {
        let model = program.model;
        let scope = Scope::new(Choices { model, radii: None }, origin, Structure::default())?;
        let draft = Draft {
            scope: &scope,
            occupancy,
            weighted,
            bias,
            way: Way::default(),
            off_support: self.off_support,
            hurries: false,
        };
        let Some(start) = scope.start() else {
            let policy = draft.policy(&[], self.off_support, Vec::new());
            let marginal = |s: usize| (s, occupancy[model.pairs_of(s)].iter().sum::<f64>());
            let start: Vec<(usize, f64)> = (0..model.states()).map(marginal).collect();
            let total: f64 = start.iter().map(|(_, mass)| mass).sum();
            let start: Vec<(usize, f64)> = start.into_iter().map(|(s, mass)| (s, mass / total)).collect();
            let evaluation = evaluate(model, &policy, &start)?;
            return Ok(mixed(model, vec![(1.0, policy, evaluation)]));
        };
        if let Some((policy, evaluation)) =
            draft.attaining(visits, start, &averages(model, occupancy), Wanted::Occupancy)?
        {
            return Ok(mixed(model, vec![(1.0, policy, evaluation)]));
        }
        let found = draws(&draft, visits, start)?;
        let weights = program.mix(found.iter().map(|(_, evaluation)| evaluation), slack)?;
        let drawn = found.into_iter().zip(weights).filter(|(_, weight)| *weight > 0.0);
        let plan =
            mixed(model, drawn.map(|((policy, evaluation), weight)| (weight, policy, evaluation)).collect());
        // What the solver's tolerance hid may be one stationary policy after all.
        let again = Draft { occupancy: &plan.occupancy, ..draft };
        let stated = averages(model, &plan.occupancy);
        Ok(match again.attaining(visits, start, &stated, Wanted::Occupancy)? {
            Some((policy, evaluation)) => mixed(model, vec![(1.0, policy, evaluation)]),
            None => plan,
        })
    }
}

/// The plan of policies with weights, without prices and gap.
fn mixed(model: &Cmdp, drawn: Vec<(f64, Policy, Evaluation)>) -> Plan {
    let mut plan = Plan { value: Value::default(), ended: Ended::Proved, ..Plan::empty() };
    for (weight, policy, evaluation) in drawn {
        let add = |sums: &mut Vec<f64>, values: &[f64]| {
            sums.resize(values.len(), 0.0);
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += weight * value);
        };
        plan.value.reward += weight * evaluation.value.reward;
        add(&mut plan.value.costs, &evaluation.value.costs);
        add(&mut plan.value.errors, &evaluation.value.errors);
        add(&mut plan.occupancy, &evaluation.occupancy);
        plan.evaluations.switched += evaluation.switched;
        plan.policies.push(WeightedPolicy { weight, policy });
    }
    let parts = support(model, &plan.occupancy);
    let occupied = |state: &usize| plan.occupancy[model.pairs_of(*state)].iter().any(|&mass| mass > 0.0);
    let mut classes: Vec<u32> = (0..model.states()).filter(occupied).map(|state| parts.of[state]).collect();
    classes.sort_unstable();
    classes.dedup();
    plan.classes = classes.len();
    plan
}

impl fmt::Debug for OccupancyLp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OccupancyLp").field("off_support", &self.off_support).finish_non_exhaustive()
    }
}

impl Planner for OccupancyLp {
    fn plan_watched(&mut self, problem: &Problem, _: Watch) -> Result<Verdict> {
        let Problem { model, origin, .. } = *problem;
        let program = Program::new(model, origin)?;
        let (least, occupancy, visits) = program.least_violation()?;
        let mut slack = least.max(0.0);
        if least > FEASIBLE {
            let (steps, flat) = (vec![-1.0; model.pairs()], vec![0.0; model.states()]);
            let plan = self.plan_of(&program, origin, (&occupancy, &visits), (&steps, &flat), None)?;
            let over = |i: usize| {
                (plan.value.costs[i] - model.budgets()[i]) / model.signals().size(i + 1).max(1e-12)
            };
            let attained = (0..model.costs()).map(over).fold(f64::NEG_INFINITY, f64::max);
            if attained > FEASIBLE {
                return Ok(Verdict::Infeasible(plan.into_nearest(attained, Vec::new())));
            }
            slack = attained.max(0.0);
        }
        let solution = program.optimum(slack)?;
        let mut weighted = model.signals().reward().to_vec();
        for (i, price) in solution.prices.iter().enumerate() {
            weighted.iter_mut().zip(model.signals().cost(i)).for_each(|(w, c)| *w -= price * c);
        }
        let found = (solution.occupancy.as_slice(), solution.visits.as_slice());
        let plan = self.plan_of(&program, origin, found, (&weighted, &solution.bias), Some(slack))?;
        let gap = (solution.upper - plan.value.reward).max(0.0) + plan.value.errors[0];
        if gap > LP_GAP * model.signals().size(0) {
            return Err(program.failed(format!("its solution and its dual differ by {gap:e}")));
        }
        Ok(Verdict::Optimal(Plan { prices: solution.prices, gap, ..plan }))
    }
}
