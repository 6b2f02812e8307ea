//! The planner that solves the occupancy LP with a general solver: slower, plainer, and independent of the others.

use super::assemble::Draft;
use super::choices::Choices;
use super::linear_program::Program;
use super::prices::FEASIBLE;
use super::response::{Scope, Structure};
use super::{
    Ended, Evaluations, From, OffSupport, Plan, Planner, PriceSearch, Verdict, Watch, WeightedPolicy,
};
use crate::error::{Error, Result};
use crate::model::chain::averages;
use crate::model::{Cmdp, evaluate};

/// A larger gap, as a share of the largest reward, means that the solver was beyond its precision.
const BELIEVED: f64 = 1e-6;

/// Solves the linear program over occupancy measures.
///
/// A stationary policy is read off the program's solution and evaluated. Where none attains it (the optimum then
/// needs a policy drawn at the start), the policies are those of a [`PriceSearch`]; value, prices and bound remain
/// the program's.
pub struct OccupancyLp {
    off_support: OffSupport,
}

impl OccupancyLp {
    /// A planner whose policies act by `off_support` where the plan never comes.
    pub fn new(off_support: OffSupport) -> OccupancyLp {
        OccupancyLp { off_support }
    }

    /// The plan of an occupancy, visits on the way, and w and h for the pinned rule.
    fn plan_of(
        &self,
        model: &Cmdp,
        from: From,
        (occupancy, visits): (&[f64], &[f64]),
        (weighted, bias): (&[f64], &[f64]),
    ) -> Result<Option<Plan>> {
        let scope = Scope::new(Choices { model, radii: None }, from, Structure::default())?;
        let draft = Draft { scope: &scope, occupancy, weighted, bias, off_support: self.off_support };
        let (policy, evaluation) = match scope.start() {
            None => {
                let policy = draft.policy(&[], self.off_support, Vec::new());
                let marginal = |s: usize| (s, occupancy[model.pairs_of(s)].iter().sum::<f64>());
                let start: Vec<(usize, f64)> = (0..model.states()).map(marginal).collect();
                let total: f64 = start.iter().map(|(_, mass)| mass).sum();
                let start: Vec<(usize, f64)> = start.into_iter().map(|(s, mass)| (s, mass / total)).collect();
                let evaluation = evaluate(model, &policy, &start)?;
                (policy, evaluation)
            }
            Some(start) => match draft.attaining(visits, start, &averages(model, occupancy))? {
                Some(found) => found,
                None => return Ok(None),
            },
        };
        Ok(Some(Plan {
            policies: vec![WeightedPolicy { weight: 1.0, policy }],
            occupancy: evaluation.occupancy,
            gain: evaluation.gain,
            costs: evaluation.costs,
            prices: Vec::new(),
            gap: f64::NAN,
            classes: evaluation.classes,
            evaluations: Evaluations { switched: evaluation.switched, left_out: 0 },
            ended: Ended::Proved,
        }))
    }
}

impl Planner for OccupancyLp {
    fn plan_watched(&mut self, model: &Cmdp, from: From, _: Watch) -> Result<Verdict> {
        let program = Program::new(model, from)?;
        let (violation, occupancy, visits) = program.least_violation()?;
        if violation > FEASIBLE {
            let (steps, flat) = (vec![-1.0; model.pairs()], vec![0.0; model.states()]);
            let Some(plan) = self.plan_of(model, from, (&occupancy, &visits), (&steps, &flat))? else {
                return PriceSearch::new(self.off_support).plan(model, from);
            };
            return Ok(Verdict::Infeasible(plan.into_nearest(violation)));
        }
        let solution = program.optimum(violation.max(0.0))?;
        let mut weighted = model.signals().reward().to_vec();
        for (i, price) in solution.prices.iter().enumerate() {
            weighted.iter_mut().zip(model.signals().cost(i)).for_each(|(w, c)| *w -= price * c);
        }
        let found = (solution.occupancy.as_slice(), solution.visits.as_slice());
        let plan = match self.plan_of(model, from, found, (&weighted, &solution.bias))? {
            Some(plan) => plan,
            None => match PriceSearch::new(self.off_support).plan(model, from)? {
                Verdict::Optimal(plan) => plan,
                verdict => return Ok(verdict),
            },
        };
        let gap = (solution.upper - plan.gain).max(0.0);
        if gap > BELIEVED * model.signals().size(0) {
            let reason = format!("its solution and its dual differ by {gap:e}");
            return Err(Error::LinearProgram { states: model.states(), pairs: model.pairs(), reason });
        }
        Ok(Verdict::Optimal(Plan { prices: solution.prices, gap, ..plan }))
    }
}
