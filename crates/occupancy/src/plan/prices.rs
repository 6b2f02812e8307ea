//! The default planner: a search over the prices λ of the budgets.
//!
//! ```text
//! max over policies  J(r)  s.t.  J(c) ≤ τ        =        min over λ ≥ 0  λ·τ + max over policies  J(r − λ·c)
//! ```
//!
//! At fixed prices the problem is unconstrained and [`super::response`] improves a deterministic policy for it. Every
//! policy evaluated is a point (J(r), J(c)); the master program mixes the points known so far within the budgets, its
//! duals are the next prices, and the response to them is a new point or the proof that there is none better
//! (Dantzig and Wolfe, 1960; for one budget, Kelley's cutting planes). Prices change after every single improvement:
//! an evaluation holds for all prices, so that nothing is lost, and waiting for the best policy at prices that are not
//! the last ones only costs evaluations. Mixtures are mixtures of occupancy measures: mixing action probabilities
//! would be something else.
//!
//! Before that, the same search with the reward left out finds the mixture whose greatest scaled violation is least:
//! the budgets can be met iff it is at most 1e-9.

use super::assemble::{Mixture, assemble};
use super::choices::Choices;
use super::evaluation::Evaluator;
use super::master::{Master, Mixed, Point};
use super::policy_iteration::dot;
use super::region::Chosen;
use super::response::{Column, Inner, Responder, Response, Scope};
use super::value_iteration::Stop;
use super::{Evaluations, From, OffSupport, Planner, Progress, Verdict, Watch};
use crate::error::{Error, Result};
use crate::model::Cmdp;

/// The greatest scaled violation that counts as feasible.
pub(crate) const FEASIBLE: f64 = 1e-9;

/// By how much budgets are widened, in units of the largest cost: policies that use a budget up exactly would otherwise
/// be told apart by the last bits of their costs, at prices without meaning.
const EDGE: f64 = 1e-14;

/// A response that adds less than this to the master's value, in units of the largest reward, ends the search.
const PROGRESS: f64 = 1e-13;

/// A gap above this at the end calls for value iteration to settle near-ties that policy iteration cannot see.
const RESCUE_GAP: f64 = 1e-10;

/// Where the least violation known and its lower bound are further apart than this, with the edge of feasibility
/// between them, nothing is claimed.
const UNSETTLED: f64 = 1e-6;

/// Responses in a row that are known already: where two sets of prices are equally good up to rounding, the search can
/// go from one to the other for ever.
const IDLE: usize = 100;

/// Bounds the work where rounding stalls the search.
const STEPS: usize = 100_000;

/// Searches over prices, with policy or value iteration inside.
pub struct PriceSearch {
    responder: Responder,
    off_support: OffSupport,
    /// The policies of the last plan.
    last: Vec<Chosen>,
}

impl PriceSearch {
    /// Policy iteration inside: exact and the fastest.
    pub fn new(off_support: OffSupport) -> PriceSearch {
        PriceSearch { responder: Responder::new(Inner::PolicyIteration), off_support, last: Vec::new() }
    }

    /// Relative value iteration inside, to a span of `span` times the largest signal.
    pub fn by_value_iteration(span: f64, off_support: OffSupport) -> PriceSearch {
        let stop = Stop { span, sweeps: 100_000 };
        PriceSearch { responder: Responder::new(Inner::ValueIteration(stop)), off_support, last: Vec::new() }
    }

    /// The verdict on the rows of a model, or on all rows within radii of them.
    pub(crate) fn search(
        &mut self,
        choices: Choices,
        from: From,
        watch: Watch,
    ) -> Result<(Verdict, Vec<(f64, Column)>)> {
        let mut scope = Scope::new(choices, from)?;
        self.responder.iteration.evaluator.forget_failures();
        let mut search = Search::new(&mut self.responder, &mut scope, watch);
        let mut found = search.run(&self.last)?;
        drop(search);
        for (_, column) in &mut found.columns {
            self.responder.complete_mass(&scope, column)?;
        }
        self.last = found.columns.iter().map(|(_, column)| column.chosen.clone()).collect();
        self.responder.iteration.weigh(choices.model, &found.weights);
        let Evaluations { switched, left_out } = self.responder.evaluations(&scope);
        if scope.is_large() {
            self.responder.iteration.evaluator = Evaluator::default();
        }
        let mixture = Mixture {
            columns: &found.columns,
            weighted: &self.responder.iteration.weighted,
            bias: &self.responder.iteration.bias,
            off_support: self.off_support,
        };
        let mut plan = assemble(&scope, &mixture)?;
        plan.evaluations.switched += switched;
        plan.evaluations.left_out = left_out;
        let verdict = match found.violation {
            Some(violation) => Verdict::Infeasible(plan.into_nearest(violation)),
            None => {
                let error = self.responder.error(&scope) * choices.model.signals().size(0);
                plan.gap = (found.upper - plan.gain).max(0.0) + error;
                plan.prices = found.prices;
                Verdict::Optimal(plan)
            }
        };
        Ok((verdict, found.columns))
    }
}

impl Planner for PriceSearch {
    fn plan_watched(&mut self, model: &Cmdp, from: From, watch: Watch) -> Result<Verdict> {
        Ok(self.search(Choices { model, radii: None }, from, watch)?.0)
    }
}

/// What the search ends with.
struct Found {
    /// The points of the best mixture and their weights.
    columns: Vec<(f64, Column)>,
    /// The weights ω of the signals at the end, which the responder's bias belongs to.
    weights: Vec<f64>,
    prices: Vec<f64>,
    upper: f64,
    /// The least violation, where the budgets cannot be met.
    violation: Option<f64>,
}

/// One budget that can bind: J(c_i) ≤ τ_i, measured in units of the largest |c_i|.
struct Constraint {
    signal: usize,
    budget: f64,
    scale: f64,
}

struct Search<'a, 'b> {
    responder: &'a mut Responder,
    scope: &'a mut Scope<'b>,
    watch: Watch<'a>,
    constraints: Vec<Constraint>,
    reward_scale: f64,
    /// The policies evaluated so far, and the points that they are.
    pool: Vec<Column>,
    points: Vec<Point>,
    master: Master,
}

impl<'a, 'b> Search<'a, 'b> {
    fn new(responder: &'a mut Responder, scope: &'a mut Scope<'b>, watch: Watch<'a>) -> Search<'a, 'b> {
        let model = scope.choices.model;
        let binding = |&i: &usize| {
            let most = model.signals().cost(i).iter().copied().fold(f64::NEG_INFINITY, f64::max);
            model.budgets()[i] < most
        };
        let constraint = |i: usize| Constraint {
            signal: i + 1,
            budget: model.budgets()[i],
            scale: model.signals().size(i + 1).max(1e-12),
        };
        let constraints = (0..model.costs()).filter(binding).map(constraint).collect();
        let size = model.signals().size(0);
        let reward_scale = if size > 0.0 { size } else { 1.0 };
        let (pool, points, master) = (Vec::new(), Vec::new(), Master::default());
        Search { responder, scope, watch, constraints, reward_scale, pool, points, master }
    }

    fn run(&mut self, last: &[Chosen]) -> Result<Found> {
        let weights = self.weights(1.0, &[]);
        for policy in last {
            let column = self.responder.begin(self.scope, &weights, Some(policy))?;
            self.add(column);
        }
        if last.is_empty() {
            let column = self.responder.begin(self.scope, &weights, None)?;
            self.add(column);
        }
        if self.constraints.is_empty() {
            return self.best_within(0.0);
        }
        if self.scope.is_large() {
            self.approach()?;
        }
        let (mixed, weights) = self.least_violation()?;
        if mixed.value > FEASIBLE {
            let (columns, violation) = (self.mixture(&mixed), Some(mixed.value));
            return Ok(Found { columns, weights, prices: Vec::new(), upper: f64::NAN, violation });
        }
        self.best_within(mixed.value.max(0.0) + EDGE)
    }

    /// The weights ω of the signals at prices per unit of the scaled costs.
    fn weights(&self, reward: f64, prices: &[f64]) -> Vec<f64> {
        let mut weights = vec![0.0; self.scope.choices.model.signals().count()];
        weights[0] = reward / self.reward_scale;
        for (constraint, price) in self.constraints.iter().zip(prices) {
            weights[constraint.signal] = -price / constraint.scale;
        }
        weights
    }

    /// (J(c_i) − τ_i) / scale_i.
    fn violation(&self, column: &Column, i: usize) -> f64 {
        let constraint = &self.constraints[i];
        (column.gains[constraint.signal] - constraint.budget) / constraint.scale
    }

    /// Looks for policies within the budgets by raising all prices together, from far below the level at which giving
    /// up every reward would pay. At prices without end, as the least violation asks for them, policies loiter in
    /// places that are hardly ever left, and chains of many states that fall nearly apart cannot be solved by
    /// iteration.
    fn approach(&mut self) -> Result<()> {
        let mut level = 0.0;
        for steps in 1..=48 {
            let worst = match self.pool.last() {
                Some(column) => {
                    (0..self.constraints.len()).map(|i| self.violation(column, i)).fold(f64::MIN, f64::max)
                }
                None => return Ok(()),
            };
            let gain = self.pool.last().map(|column| column.gains[0]).filter(|_| worst <= 0.0);
            let evaluations = self.responder.evaluations(self.scope);
            let progress = Progress { steps, gain, upper: f64::INFINITY, violation: worst, evaluations };
            if worst <= 0.0 || (self.watch)(&progress).is_break() {
                return Ok(());
            }
            if level == 0.0 {
                let reward = self.pool.last().map_or(0.0, |column| column.gains[0]);
                level = ((reward - self.least_signal(0)) / self.reward_scale / worst / 256.0).max(1e-12);
            }
            let weights = self.weights(1.0, &vec![level; self.constraints.len()]);
            let Response { column, .. } = self.responder.respond(self.scope, &weights)?;
            if !self.is_known(&column) {
                self.add(column);
            }
            level *= 2.0;
        }
        Ok(())
    }

    /// Mixes the pool so that the greatest violation is least, asking for better policies until there are none.
    fn least_violation(&mut self) -> Result<(Mixed, Vec<f64>)> {
        let count = self.constraints.len();
        // No policy violates less than this, so that a hopeless budget does not drown the digits of the others.
        let floor = self.constraints.iter().map(|c| (self.least_signal(c.signal) - c.budget) / c.scale);
        let floor = floor.fold(0.0, f64::max);
        let (mut steps, mut idle, mut rescued, mut lower) = (0, 0, false, f64::NEG_INFINITY);
        loop {
            steps += 1;
            let mixed = self.master.least_violation(&self.points, floor).ok_or_else(|| self.lost())?;
            let (least, prices) = (mixed.value - floor, &mixed.prices);
            let weights = self.weights(0.0, prices);
            if mixed.value <= 0.0 {
                return Ok((mixed, weights));
            }
            let (violation, evaluations) = (mixed.value, self.responder.evaluations(self.scope));
            let progress = Progress { steps, gain: None, upper: f64::INFINITY, violation, evaluations };
            if (self.watch)(&progress).is_break() {
                return Err(Error::Stopped { violation: mixed.value });
            }
            let Response { column, optimal, upper } = self.answer(&weights, rescued)?;
            let budgets =
                self.constraints.iter().zip(prices).map(|(c, price)| price * (c.budget / c.scale + floor));
            lower = lower.max(-upper - budgets.sum::<f64>());
            let reached: f64 = (0..count).map(|i| prices[i] * (self.violation(&column, i) - floor)).sum();
            let old = self.is_known(&column);
            idle = if old { idle + 1 } else { 0 };
            let ends = idle > IDLE || optimal && (old || reached >= least - PROGRESS * (1.0 + least.abs()));
            if ends && !rescued && least - lower > RESCUE_GAP * (1.0 + least.abs()) {
                rescued = true;
            } else if ends || steps > STEPS {
                let (least, lower) = (mixed.value, lower + floor);
                let settled = least <= FEASIBLE || lower > FEASIBLE || least - lower <= UNSETTLED;
                return if settled { Ok((mixed, weights)) } else { Err(Error::Unsettled { least, lower }) };
            }
            if !old {
                self.add(column);
            }
        }
    }

    /// The response to weights: by the inner solver, or by the one that settles near-ties.
    fn answer(&mut self, weights: &[f64], rescue: bool) -> Result<Response> {
        match rescue {
            false => self.responder.respond(self.scope, weights),
            true => self.responder.rescue(self.scope, weights),
        }
    }

    fn least_signal(&self, signal: usize) -> f64 {
        self.scope.choices.model.signals().signal(signal).iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Mixes the pool for the greatest reward within the budgets (widened by `slack`, at the edge of feasibility).
    fn best_within(&mut self, slack: f64) -> Result<Found> {
        let (mut best, mut steps, mut idle, mut rescued) = ((f64::INFINITY, Vec::new()), 0, 0, false);
        loop {
            steps += 1;
            let mixed = self.master.best(&self.points, slack).ok_or_else(|| self.lost())?;
            let prices = mixed.prices.clone();
            let weights = self.weights(1.0, &prices);
            let Response { column, upper, optimal } = self.answer(&weights, rescued)?;
            let budgets =
                self.constraints.iter().zip(&prices).map(|(c, price)| price * (c.budget / c.scale + slack));
            let budgets: f64 = budgets.sum();
            // What large prices add and subtract is certain up to rounding only.
            let bound = upper + budgets + 8.0 * f64::EPSILON * (upper.abs() + budgets.abs());
            if bound < best.0 {
                best = (bound, prices);
            }
            let gained = dot(&weights, &column.gains) + budgets - mixed.value;
            let old = self.is_known(&column);
            let gain = Some(mixed.value * self.reward_scale);
            let (upper, evaluations) = (best.0 * self.reward_scale, self.responder.evaluations(self.scope));
            let progress = Progress { steps, gain, upper, violation: 0.0, evaluations };
            let stopped = (self.watch)(&progress).is_break();
            idle = if old { idle + 1 } else { 0 };
            let ends =
                stopped || idle > IDLE || optimal && (old || gained <= PROGRESS * (1.0 + mixed.value.abs()));
            if ends && !stopped && !rescued && best.0 - mixed.value > RESCUE_GAP * (1.0 + mixed.value.abs()) {
                rescued = true;
            } else if ends || steps > STEPS {
                let mut prices = vec![0.0; self.scope.choices.model.costs()];
                for (constraint, price) in self.constraints.iter().zip(&best.1) {
                    prices[constraint.signal - 1] = price * self.reward_scale / constraint.scale;
                }
                let most =
                    self.scope.choices.model.signals().reward().iter().copied().fold(f64::MIN, f64::max);
                let upper = (best.0 * self.reward_scale).min(most);
                return Ok(Found { columns: self.mixture(&mixed), weights, prices, upper, violation: None });
            }
            if !old {
                self.add(column);
            }
        }
    }

    /// Whether the pool has a point at the same place, so that only rounding makes another one look better.
    fn is_known(&self, column: &Column) -> bool {
        let signals = self.scope.choices.model.signals();
        let same = |other: &Column| {
            let both = other.gains.iter().zip(&column.gains);
            both.enumerate().all(|(k, (x, y))| (x - y).abs() <= 4.0 * f64::EPSILON * signals.size(k))
        };
        self.pool.iter().any(same)
    }

    fn lost(&self) -> Error {
        let model = self.scope.choices.model;
        Error::Master { states: model.states(), policies: self.pool.len() }
    }

    /// Takes a policy into the pool, with the point that it is.
    fn add(&mut self, column: Column) {
        let violations = (0..self.constraints.len()).map(|i| self.violation(&column, i)).collect();
        self.points.push(Point { reward: column.gains[0] / self.reward_scale, violations });
        self.pool.push(column);
    }

    /// The policies of a mixture and their weights.
    fn mixture(&mut self, mixed: &Mixed) -> Vec<(f64, Column)> {
        let total: f64 = mixed.weights.iter().map(|(_, weight)| weight).sum();
        let share = |&(k, weight): &(usize, f64)| (weight / total, std::mem::take(&mut self.pool[k]));
        mixed.weights.iter().map(share).collect()
    }
}
