//! The default planner: a search over the prices λ of the budgets.
//!
//! ```text
//! max over policies  J(r)  s.t.  J(c) ≤ τ        =        min over λ ≥ 0  λ·τ + max over policies  J(r − λ·c)
//! ```
//!
//! At fixed prices the problem is unconstrained and [`crate::plan::response`] improves a deterministic policy for it. Every
//! policy evaluated is a point (J(r), J(c)); the master program mixes the points known so far within the budgets, its
//! duals are the next prices, and the response to them is a new point or the proof that there is none better
//! (Dantzig and Wolfe, 1960; for one budget, Kelley's cutting planes). Prices change after every single improvement:
//! an evaluation holds for all prices, so that nothing is lost, and waiting for the best policy at prices that are not
//! the last ones only costs evaluations. Mixtures are mixtures of occupancy measures: mixing action probabilities
//! would be something else.
//!
//! Before that, the same search with the reward left out finds the mixture whose greatest scaled violation is least:
//! the budgets can be met iff it is at most 1e-9.

use crate::arithmetic::extremes::greatest;
use crate::error::{Error, Result};
use crate::model::Origin;
use crate::plan::answer::assemble::{Mixture, assemble, unassembled};
use crate::plan::answer::certificate::{Certificate, certify, guesses};
use crate::plan::guess::scout::Scout;
use crate::plan::mixture::pool::Pool;
use crate::plan::response::choices::Choices;
use crate::plan::response::column::Column;
use crate::plan::response::policy_iteration::dot;
use crate::plan::response::value_iteration::Stop;
use crate::plan::response::{Inner, Responder, Response, Scope, Structure};
use crate::plan::sums::SumPlanner;
use crate::plan::sums::certificate::certify as certify_sum;
use crate::plan::tolerance::{EDGE, FEASIBLE, PROGRESS, RESCUE_GAP, UNDECIDED};
use crate::plan::{Ended, Evaluations, OffSupport, Plan, Planner, Problem, Progress, Verdict, Watch};
use crate::stop::StopFlag;
use std::fmt;
use std::ops::ControlFlow;

/// Responses in a row that are known already: where two sets of prices are equally good up to rounding, the search can
/// go from one to the other for ever.
const IDLE: usize = 100;

/// Responses in a row that are known already and bring no better bound, of chains that fall nearly apart: policy iteration goes to
/// and fro between classes that are worth the same.
const STALLED: usize = 4;

/// Bounds the work where rounding stalls the search.
const STEPS: usize = 100_000;

/// Searches over prices, with policy or value iteration inside.
pub struct PriceSearch {
    pub(super) responder: Responder,
    off_support: OffSupport,
    /// The policies of the last plan and their weights.
    last: Vec<(f64, Column)>,
    pool: Pool,
    scout: Scout,
    structure: Structure,
    /// Vectors for the next plan.
    spare: Plan,
    /// The biases of the last plan's policy, if they are at hand: a proof begins with them.
    biases: Vec<Vec<f64>>,
    /// Plans by criteria that are sums.
    sums: SumPlanner,
    stop: StopFlag,
}

impl PriceSearch {
    /// Policy iteration inside: exact and the fastest.
    pub fn new(off_support: OffSupport) -> PriceSearch {
        PriceSearch::of(Inner::PolicyIteration, off_support)
    }

    /// Relative value iteration inside, to a span of `span` times the largest signal.
    pub fn by_value_iteration(span: f64, off_support: OffSupport) -> PriceSearch {
        PriceSearch::of(Inner::ValueIteration(Stop { span, sweeps: 100_000, leaps: false }), off_support)
    }

    fn of(inner: Inner, off_support: OffSupport) -> PriceSearch {
        PriceSearch {
            responder: Responder::new(inner),
            off_support,
            last: Vec::new(),
            pool: Pool::default(),
            scout: Scout::default(),
            structure: Structure::default(),
            spare: Plan::empty(),
            biases: Vec::new(),
            sums: SumPlanner::default(),
            stop: StopFlag::default(),
        }
    }

    /// The verdict on the rows of a model, or on all rows within radii of them; and the policies it is made of.
    pub(crate) fn search(
        &mut self,
        choices: Choices,
        origin: Origin,
        watch: Watch,
    ) -> Result<(Verdict, &[(f64, Column)])> {
        self.structure.stop = self.stop.clone();
        self.responder.stop_by(self.stop.clone());
        let mut scope = Scope::new(choices, origin, std::mem::take(&mut self.structure))?;
        self.pool.clear(&mut self.responder);
        self.pool.reset(choices.model);
        self.responder.iteration.evaluator.forget();
        self.responder.iteration.evaluator.forget_failures();
        let (responder, pool) = (&mut self.responder, &mut self.pool);
        let search = Search { responder, scope: &mut scope, watch, pool, steps: 0 };
        let found = search.run(&self.last, &mut self.scout)?;
        // What was found is put together even if the end was asked for.
        let insisted = self.stop.insisted_only();
        self.responder.stop_by(insisted.clone());
        scope.stop_by(insisted);
        self.responder.reuse(self.last.drain(..).map(|(_, column)| column));
        self.pool.mixture(&mut self.last);
        self.last.iter_mut().for_each(|(_, column)| column.unpack(choices.model));
        let completed = self.responder.complete_masses(&scope, &mut self.last);
        self.responder.iteration.weigh(choices.model, &self.pool.terms.weights);
        let evaluations = self.responder.evaluations(&scope);
        if scope.is_large() {
            self.pool.columns = Vec::new();
            self.responder.shrink();
        }
        let verdict = self.verdict(&scope, &found, evaluations, completed)?;
        self.structure = scope.into_structure();
        Ok((verdict, &self.last))
    }

    /// Puts the verdict together from the policies found, if their masses were completed.
    fn verdict(
        &mut self,
        scope: &Scope,
        found: &Found,
        evaluations: Evaluations,
        completed: Result<()>,
    ) -> Result<Verdict> {
        let (model, terms) = (scope.choices.model, &self.pool.terms);
        let into = std::mem::replace(&mut self.spare, Plan::empty());
        let guesses =
            if scope.is_large() && completed.is_ok() { guesses(&self.responder, scope) } else { Vec::new() };
        let mixture = Mixture {
            columns: &self.last,
            guesses: &guesses,
            way: self.responder.iteration.evaluator.way(),
            weighted: &self.responder.iteration.weighted,
            bias: &self.responder.iteration.bias,
            off_support: self.off_support,
        };
        let (mut plan, biases) = match completed.and_then(|()| assemble(scope, &mixture, into)) {
            Err(Error::Stopped { .. }) if found.violation.is_none() => {
                let plan = unassembled(scope, &self.last);
                // Their masses are not to be believed.
                self.last.clear();
                (plan, Vec::new())
            }
            assembled => assembled?,
        };
        self.biases = biases;
        let switched = plan.evaluations.switched + evaluations.switched;
        plan.evaluations = Evaluations { switched, ..evaluations };
        if let Some(violation) = found.violation {
            let weights = (1..=model.costs()).map(|k| 0.0 - terms.weights[k]).collect();
            return Ok(Verdict::Infeasible(plan.into_nearest(violation, weights)));
        }
        if plan.ended != Ended::Stopped {
            plan.ended = found.ended;
        }
        plan.gap = greatest([0.0, found.upper - plan.value.reward]) + plan.value.errors[0];
        plan.prices.resize(model.costs(), 0.0);
        for (constraint, price) in terms.constraints.iter().zip(&self.pool.best_prices) {
            plan.prices[constraint.signal - 1] = price * terms.reward_scale / constraint.scale;
        }
        Ok(Verdict::Optimal(plan))
    }
}

impl fmt::Debug for PriceSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PriceSearch").field("off_support", &self.off_support).finish_non_exhaustive()
    }
}

impl Planner for PriceSearch {
    fn plan_watched(&mut self, problem: &Problem, watch: Watch) -> Result<Verdict> {
        if let Some(restarting) = self.restarting(problem)? {
            return self.plan_restarting(&restarting, watch);
        }
        if !problem.criterion.is_average() {
            self.sums.stop = self.stop.clone();
            return self.sums.plan(problem, self.off_support, watch);
        }
        Ok(self.search(Choices { model: problem.model, radii: None }, problem.origin, watch)?.0)
    }

    fn reuse(&mut self, plan: Plan) {
        self.spare = plan;
    }

    fn certify(&mut self, problem: &Problem, verdict: &Verdict) -> Result<Certificate> {
        let biases = std::mem::take(&mut self.biases);
        if problem.criterion.is_average() {
            let stop = self.stop.insisted_only();
            certify(&mut self.responder, biases, problem, verdict, &stop)
        } else {
            certify_sum(problem, verdict, &self.stop.insisted_only())
        }
    }

    fn stop_by(&mut self, stop: StopFlag) {
        self.stop = stop;
    }
}

/// What the search ends with, besides the mixture and the weights in the pool.
struct Found {
    upper: f64,
    ended: Ended,
    /// The least violation, where the budgets cannot be met.
    violation: Option<f64>,
}

struct Search<'a, 'b> {
    responder: &'a mut Responder,
    scope: &'a mut Scope<'b>,
    watch: Watch<'a>,
    pool: &'a mut Pool,
    /// Policies looked at, on the way into the budgets and after it.
    steps: usize,
}

impl Search<'_, '_> {
    fn run(mut self, last: &[(f64, Column)], scout: &mut Scout) -> Result<Found> {
        self.pool.terms.weigh(1.0, std::iter::empty());
        if scout.can_see(self.responder, self.scope, self.pool) {
            scout.fill_pool(self.responder, self.scope, self.pool, last)?;
        }
        if self.pool.columns.is_empty() {
            self.fill_pool(last)?;
        }
        if self.pool.terms.constraints.is_empty() {
            return self.best_within(0.0);
        }
        if self.scope.is_large() {
            self.approach()?;
        }
        let least = self.least_violation()?;
        if least > FEASIBLE {
            return Ok(Found { upper: f64::NAN, ended: Ended::Proved, violation: Some(least) });
        }
        self.best_within(least.max(0.0) + EDGE)
    }

    /// Evaluates the last policies, or a first one.
    fn fill_pool(&mut self, last: &[(f64, Column)]) -> Result<()> {
        let policies = last.iter().map(|(_, column)| Some(&column.chosen));
        for policy in policies.chain(last.is_empty().then_some(None)) {
            let column = self.responder.first_column(self.scope, &self.pool.terms.weights, policy)?;
            self.pool.add(column);
        }
        Ok(())
    }

    /// Mixes the pool so that the greatest violation is least, asking for better policies until there are none.
    fn least_violation(&mut self) -> Result<f64> {
        // No policy violates less than this, so that a hopeless budget does not drown the digits of the others.
        let constraints = self.pool.terms.constraints.iter();
        let floor = constraints.map(|c| (self.least_signal(c.signal) - c.budget) / c.scale);
        let floor = greatest(floor).max(0.0);
        let (mut steps, mut idle, mut rescued, mut lower) = (0, 0, false, f64::NEG_INFINITY);
        loop {
            steps += 1;
            self.pool.least_violation(floor).ok_or_else(|| self.lost())?;
            let value = self.pool.master.mixed.value;
            self.pool.weigh(0.0);
            if value <= 0.0 {
                return Ok(value);
            }
            if self.tell(None, f64::INFINITY, value).is_break() {
                return Err(Error::Stopped { violation: value });
            }
            let Response { column, optimal, upper } = match self.answer(rescued) {
                Err(Error::Stopped { .. }) => return Err(Error::Stopped { violation: value }),
                other => other?,
            };
            let (least, prices) = (value - floor, &self.pool.master.mixed.prices);
            let constraints = self.pool.terms.constraints.iter();
            let budgets = constraints.zip(prices).map(|(c, price)| price * (c.budget / c.scale + floor));
            lower = lower.max(-upper - budgets.sum::<f64>());
            let above = |(i, price): (usize, &f64)| price * (self.pool.violation(&column, i) - floor);
            let reached: f64 = prices.iter().enumerate().map(above).sum();
            let new = self.add_if_new(column);
            idle = if new { 0 } else { idle + 1 };
            let ends = idle > IDLE || optimal && (!new || reached >= least - PROGRESS * (1.0 + least.abs()));
            if ends && !rescued && least - lower > RESCUE_GAP * (1.0 + least.abs()) {
                rescued = true;
            } else if ends || steps > STEPS {
                let lower = lower + floor;
                let settled = value <= FEASIBLE || lower > FEASIBLE || value - lower <= UNDECIDED;
                return if settled { Ok(value) } else { Err(Error::Unsettled { least: value, lower }) };
            }
        }
    }

    /// Mixes the pool for the greatest reward within the budgets (widened by `slack`, at the edge of feasibility).
    fn best_within(&mut self, slack: f64) -> Result<Found> {
        let reward_scale = self.pool.terms.reward_scale;
        let (mut best, mut steps, mut idle, mut stalled, mut rescued) = (f64::INFINITY, 0, 0, 0, false);
        loop {
            steps += 1;
            self.pool.best(slack).ok_or_else(|| self.lost())?;
            let value = self.pool.master.mixed.value;
            self.pool.weigh(1.0);
            if let Some(found) = self.at_rest(value) {
                return Ok(found);
            }
            let Response { column, upper, optimal } = match self.answer(rescued) {
                Err(Error::Stopped { .. }) => return Ok(self.found(best, Ended::Stopped)),
                other => other?,
            };
            let (constraints, prices) = (&self.pool.terms.constraints, &self.pool.master.mixed.prices);
            let budgets =
                constraints.iter().zip(prices).map(|(c, price)| price * (c.budget / c.scale + slack));
            let budgets: f64 = budgets.sum();
            // What large prices add and subtract is certain up to rounding only.
            let bound = upper + budgets + 8.0 * f64::EPSILON * (upper.abs() + budgets.abs());
            let is_better = bound < best;
            if is_better {
                best = bound;
                self.pool.best_prices.clone_from(prices);
            }
            let gained = dot(&self.pool.terms.weights, &column.gains) + budgets - value;
            let new = self.add_if_new(column);
            let stopped = self.tell(Some(value * reward_scale), self.upper(best), 0.0).is_break();
            idle = if new { 0 } else { idle + 1 };
            stalled = if new || is_better { 0 } else { stalled + 1 };
            let closed = self.upper(best) <= value * reward_scale;
            let proved = closed || optimal && (!new || gained <= PROGRESS * (1.0 + value.abs()));
            let stalls = stalled > STALLED && !rescued && self.responder.eliminates(self.scope);
            let ends = stopped || idle > IDLE || proved || stalls;
            if ends && !stopped && !closed && !rescued && best - value > RESCUE_GAP * (1.0 + value.abs()) {
                rescued = true;
            } else if ends || steps > STEPS {
                let ended = match (stopped, proved) {
                    (true, _) => Ended::Stopped,
                    (false, true) => Ended::Proved,
                    (false, false) => Ended::OutOfSteps,
                };
                return Ok(self.found(best, ended));
            }
        }
    }

    /// Tells the watcher of a step: the gain of a plan, if there is one, what none exceeds, and the least violation.
    fn tell(&mut self, gain: Option<f64>, upper: f64, violation: f64) -> ControlFlow<()> {
        self.steps += 1;
        let evaluations = self.responder.evaluations(self.scope);
        (self.watch)(&Progress { steps: self.steps, gain, upper, violation, evaluations })
    }

    /// What no plan exceeds, given the least bound at any prices: no policy earns more than the greatest reward.
    fn upper(&self, best: f64) -> f64 {
        let (_, most) = self.scope.choices.model.signals().range(0);
        (best * self.pool.terms.reward_scale).min(most)
    }

    fn found(&self, best: f64, ended: Ended) -> Found {
        Found { upper: self.upper(best), ended, violation: None }
    }

    /// The response to the weights set last: by the inner solver, or by the one that settles near-ties.
    fn answer(&mut self, rescue: bool) -> Result<Response> {
        if rescue {
            self.responder.rescue(self.scope, &self.pool.terms.weights)
        } else {
            self.responder.respond(self.scope, &self.pool.terms.weights)
        }
    }

    /// Takes a policy into the pool, if it is a new one.
    fn add_if_new(&mut self, mut column: Column) -> bool {
        if self.scope.is_large() {
            column.pack(self.scope.choices.model);
        }
        self.pool.add_if_new(self.scope.choices.model.signals(), column, self.responder)
    }

    fn least_signal(&self, signal: usize) -> f64 {
        self.scope.choices.model.signals().range(signal).0
    }

    fn lost(&self) -> Error {
        let model = self.scope.choices.model;
        Error::Master { states: model.states(), policies: self.pool.columns.len() }
    }
}

mod approach;
mod at_rest;
#[cfg(test)]
mod tests;
