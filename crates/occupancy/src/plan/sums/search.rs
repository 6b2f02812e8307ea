//! The search over prices, for any criterion that answers to them with a policy and a bound.
//!
//! It is Dantzig and Wolfe's, as in [`crate::plan::search::prices`], and simpler: responses are exact, and there is nothing to
//! forecast. A response may also be a loop that pays at the prices whenever it is repeated (a ray of the occupancies); its
//! rounds are bought by the budgets, without a share of the mixture's weight.

use crate::arithmetic::extremes::greatest;
use crate::error::{Error, Result, SumProblem};
use crate::model::Cmdp;
use crate::plan::mixture::master::{Master, Points};
use crate::plan::tolerance::{EDGE, PROGRESS, SUM_FEASIBLE, UNDECIDED};
use crate::plan::{Ended, Progress, Watch};

/// Responses in a row that are known already; two sets of prices may be equally good up to rounding.
const IDLE: usize = 100;

/// Bounds the work if rounding stalls the search.
const STEPS: usize = 100_000;

/// Prices of large models are raised so many times, from this share of the level at which all rewards would be given up, by this
/// factor.
const RAISES: usize = 24;
const FIRST_LEVEL: f64 = 256.0;
const RAISE: f64 = 4.0;

/// A policy, or a loop, and what it is worth.
#[derive(Clone, Debug)]
pub(crate) struct Column<P> {
    /// J(x) of every signal; of a loop, what one step in it brings on average.
    pub gains: Vec<f64>,
    pub policy: P,
    /// The states of a loop that can be repeated; none for policies.
    pub loop_states: Vec<u32>,
}

impl<P> Column<P> {
    pub fn is_loop(&self) -> bool {
        !self.loop_states.is_empty()
    }
}

/// The answer to prices.
pub(crate) struct Response<P> {
    pub column: Column<P>,
    /// Nothing is better at these prices.
    pub optimal: bool,
    /// What no policy exceeds at these prices; infinite if that is not known.
    pub upper: f64,
}

/// A criterion, as far as the search needs it.
pub(crate) trait Responder {
    /// How a policy is stored.
    type Policy;

    /// A policy that is good, or best, for the sum of the signals with these weights. Asked again, it is better, until it is
    /// optimal.
    fn respond(&mut self, weights: &[f64]) -> Result<Response<Self::Policy>>;

    /// How large J(x) may be for each signal, roughly: the units of the search.
    fn sizes(&self) -> Vec<f64>;

    /// Values that differ by less, in units of the search, are the same.
    fn resolution(&self) -> f64 {
        0.0
    }
}

/// What the search found.
pub(crate) struct Found<P> {
    /// Policies with weights that sum to 1, and loops with their numbers of steps.
    pub mixture: Vec<(f64, Column<P>)>,
    /// What no policy within the budgets exceeds.
    pub upper: f64,
    /// λ_i of every cost; if infeasible, the weights that prove it.
    pub prices: Vec<f64>,
    /// The prices as they are a first guess for another search: those of the reward, feasible or not.
    pub first_prices: Vec<f64>,
    /// The least scaled violation, if no policy meets the budgets.
    pub violation: Option<f64>,
    pub ended: Ended,
}

/// One budget, in units of what its cost may come to.
struct Constraint {
    signal: usize,
    budget: f64,
    scale: f64,
}

/// Searches for the best mixture within the budgets of a model.
pub(crate) fn search<R: Responder>(
    responder: &mut R,
    model: &Cmdp,
    first_prices: &[f64],
    watch: Watch,
) -> Result<Found<R::Policy>> {
    let sizes = responder.sizes();
    let unit = |size: f64| if size > 1e-12 { size } else { 1.0 };
    let constraint = |i: usize| Constraint {
        signal: i + 1,
        budget: model.budgets()[i],
        scale: unit(sizes[i + 1].max(1e-6 * model.budgets()[i].abs())),
    };
    let constraints: Vec<Constraint> =
        (0..model.costs()).filter(|&i| model.budgets()[i].is_finite()).map(constraint).collect();
    let mut points = Points::default();
    points.reset(constraints.len(), 32);
    let search = Search {
        responder,
        model,
        watch,
        constraints,
        reward_scale: unit(sizes[0]),
        columns: Vec::new(),
        points,
        master: Master::default(),
        steps: 0,
    };
    search.run(first_prices)
}

struct Search<'a, R: Responder> {
    responder: &'a mut R,
    model: &'a Cmdp,
    watch: Watch<'a>,
    constraints: Vec<Constraint>,
    reward_scale: f64,
    columns: Vec<Column<R::Policy>>,
    points: Points,
    master: Master,
    steps: usize,
}

impl<R: Responder> Search<'_, R> {
    fn run(mut self, first_prices: &[f64]) -> Result<Found<R::Policy>> {
        // The response to the last prices, if there are any, and to none: often the two sides of the mixture.
        let last = self.scaled(first_prices);
        for prices in last.into_iter().chain([vec![0.0; self.constraints.len()]]) {
            self.respond_to(&prices)?;
        }
        if self.responder.resolution() > 0.0 {
            self.approach()?;
        }
        let violation = if self.constraints.is_empty() { 0.0 } else { self.least_violation()? };
        if violation > SUM_FEASIBLE {
            let prices = self.master.mixed.prices.clone();
            let by_cost = self.by_cost(&prices, 1.0);
            return Ok(self.found(f64::NEG_INFINITY, by_cost, Some(violation), Ended::Proved));
        }
        self.best_within(violation.max(0.0) + EDGE)
    }

    /// First prices in the units of the search; none if they are for other costs.
    fn scaled(&self, prices: &[f64]) -> Option<Vec<f64>> {
        let fits = prices.len() == self.model.costs() && prices.iter().any(|&price| price > 0.0);
        let scaled = |c: &Constraint| prices[c.signal - 1] * c.scale / self.reward_scale;
        fits.then(|| self.constraints.iter().map(scaled).collect())
    }

    /// Takes in a policy that answers to prices: the first that is one, loops aside.
    fn respond_to(&mut self, prices: &[f64]) -> Result<()> {
        let mut weights = self.weights(1.0, prices);
        loop {
            let Response { column, .. } = self.responder.respond(&weights)?;
            let is_loop = column.is_loop();
            self.add_if_new(column);
            if !is_loop {
                return Ok(());
            }
            // Without the signals every policy is as good as another, and none is a loop that pays.
            weights.fill(0.0);
        }
    }

    /// The weights of the signals at prices in the units of the search.
    fn weights(&self, reward: f64, prices: &[f64]) -> Vec<f64> {
        let mut weights = vec![0.0; self.model.signals().count()];
        weights[0] = reward / self.reward_scale;
        for (constraint, price) in self.constraints.iter().zip(prices) {
            weights[constraint.signal] = -price / constraint.scale;
        }
        weights
    }

    /// Takes a column in, if there is none at its place yet.
    fn add_if_new(&mut self, column: Column<R::Policy>) -> bool {
        let size = |k: usize| match self.constraints.iter().find(|c| c.signal == k) {
            Some(constraint) => constraint.scale,
            None => self.reward_scale,
        };
        let same = |other: &Column<R::Policy>| {
            let both = other.gains.iter().zip(&column.gains).enumerate();
            other.is_loop() == column.is_loop()
                && both.into_iter().all(|(k, (x, y))| (x - y).abs() <= 4.0 * f64::EPSILON * size(k))
        };
        if self.columns.iter().any(same) {
            return false;
        }
        let reward = column.gains[0] / self.reward_scale;
        if column.is_loop() {
            let costs = self.constraints.iter().map(|c| column.gains[c.signal] / c.scale);
            self.points.push_ray(reward, costs);
        } else {
            let violations = self.constraints.iter().map(|c| (column.gains[c.signal] - c.budget) / c.scale);
            self.points.push(reward, violations);
        }
        self.columns.push(column);
        true
    }

    /// Σ price · budget in the units of the search.
    fn priced_budgets(&self, slack: f64) -> f64 {
        let prices = &self.master.mixed.prices;
        self.constraints.iter().zip(prices).map(|(c, price)| price * (c.budget / c.scale + slack)).sum()
    }

    /// Looks for a policy within the budgets by raising all prices together, on large models: policies that care for costs alone
    /// loiter, and their chains take ten times as long to solve.
    fn approach(&mut self) -> Result<()> {
        let mut level = 0.0;
        for _ in 0..RAISES {
            let Some(gains) = self.columns.last().map(|column| column.gains.clone()) else { return Ok(()) };
            let worst = greatest(self.constraints.iter().map(|c| (gains[c.signal] - c.budget) / c.scale));
            if worst <= 0.0 || self.is_stopped(None, f64::INFINITY, worst) {
                return Ok(());
            }
            if level == 0.0 {
                let signals = self.model.signals();
                let least = signals.range(0).0 / signals.size(0).max(f64::MIN_POSITIVE);
                level = ((gains[0] / self.reward_scale - least) / worst / FIRST_LEVEL).max(1e-12);
            }
            self.respond_to(&vec![level; self.constraints.len()])?;
            level *= RAISE;
        }
        Ok(())
    }

    /// Mixes so that the greatest violation is least, asking for better policies until there are none.
    fn least_violation(&mut self) -> Result<f64> {
        let (mut idle, mut lower) = (0, f64::NEG_INFINITY);
        loop {
            self.steps += 1;
            self.master.least_violation(&self.points, 0.0).ok_or_else(|| self.lost())?;
            let value = self.master.mixed.value;
            if value <= 0.0 {
                return Ok(value);
            }
            if self.is_stopped(None, f64::INFINITY, value) {
                return Err(Error::Stopped { violation: value });
            }
            let weights = self.weights(0.0, &self.master.mixed.prices);
            let Response { column, optimal, upper } = match self.responder.respond(&weights) {
                Err(Error::Stopped { .. }) => return Err(Error::Stopped { violation: value }),
                other => other?,
            };
            lower = lower.max(-upper - self.priced_budgets(0.0));
            let reached =
                self.dot(&weights, &column) + if column.is_loop() { 0.0 } else { self.priced_budgets(0.0) };
            let gained = if column.is_loop() { reached } else { value + reached };
            let new = self.add_if_new(column);
            idle = if new { 0 } else { idle + 1 };
            let ends = idle > IDLE || optimal && (!new || gained <= PROGRESS * (1.0 + value.abs()));
            if ends || value - lower <= PROGRESS || self.steps > STEPS {
                let settled = value <= SUM_FEASIBLE || lower > 0.0 || value - lower <= UNDECIDED;
                return if settled { Ok(value) } else { Err(Error::Unsettled { least: value, lower }) };
            }
        }
    }

    /// Mixes for the greatest reward within the budgets, each widened by `slack` at the edge of feasibility.
    fn best_within(mut self, slack: f64) -> Result<Found<R::Policy>> {
        let (mut best, mut best_prices, mut idle) = (f64::INFINITY, Vec::new(), 0);
        loop {
            self.steps += 1;
            self.master.best(&self.points, slack).ok_or_else(|| self.unbounded())?;
            let value = self.master.mixed.value;
            let weights = self.weights(1.0, &self.master.mixed.prices);
            let answer = self.responder.respond(&weights);
            let Response { column, upper, optimal } = match answer {
                Err(Error::Stopped { .. }) => {
                    let prices = self.by_cost(&best_prices, self.reward_scale);
                    return Ok(self.found(best, prices, None, Ended::Stopped));
                }
                other => other?,
            };
            let budgets = self.priced_budgets(slack);
            let bound = upper + budgets + 8.0 * f64::EPSILON * (upper.abs() + budgets.abs());
            if bound < best {
                best = bound;
                best_prices.clone_from(&self.master.mixed.prices);
            }
            let reached = self.dot(&weights, &column);
            let gained = if column.is_loop() { reached } else { reached + budgets - value };
            let new = self.add_if_new(column);
            idle = if new { 0 } else { idle + 1 };
            let stopped = self.is_stopped(Some(value), best, 0.0);
            let closed = best - value <= self.responder.resolution() * (1.0 + value.abs());
            let proved = closed || optimal && (!new || gained <= PROGRESS * (1.0 + value.abs()));
            if stopped || proved || idle > IDLE || self.steps > STEPS {
                let ended = match (stopped, proved) {
                    (true, _) => Ended::Stopped,
                    (false, true) => Ended::Proved,
                    (false, false) => Ended::OutOfSteps,
                };
                let prices = self.by_cost(&best_prices, self.reward_scale);
                return Ok(self.found(best, prices, None, ended));
            }
        }
    }

    fn dot(&self, weights: &[f64], column: &Column<R::Policy>) -> f64 {
        weights.iter().zip(&column.gains).map(|(weight, gain)| weight * gain).sum()
    }

    /// Tells the watcher how far the search has come; whether it is to end.
    fn is_stopped(&mut self, value: Option<f64>, upper: f64, violation: f64) -> bool {
        let gain = value.map(|value| value * self.reward_scale);
        let upper = upper * self.reward_scale;
        let progress =
            Progress { steps: self.steps, gain, upper, violation, evaluations: Default::default() };
        (self.watch)(&progress).is_break()
    }

    /// Prices in units of the model, by cost.
    fn by_cost(&self, prices: &[f64], reward_scale: f64) -> Vec<f64> {
        let mut by_cost = vec![0.0; self.model.costs()];
        for (constraint, price) in self.constraints.iter().zip(prices) {
            by_cost[constraint.signal - 1] = price * reward_scale / constraint.scale;
        }
        by_cost
    }

    fn found(self, best: f64, prices: Vec<f64>, violation: Option<f64>, ended: Ended) -> Found<R::Policy> {
        let weights = self.master.mixed.weights.clone();
        let points = weights.iter().filter(|(k, _)| !self.columns[*k].is_loop());
        let total: f64 = points.map(|(_, weight)| weight).sum();
        let mut columns: Vec<Option<Column<R::Policy>>> = self.columns.into_iter().map(Some).collect();
        let take = |(k, weight): (usize, f64)| {
            let column = columns[k].take()?;
            Some((if column.is_loop() { weight } else { weight / total }, column))
        };
        let first_prices = if violation.is_none() { prices.clone() } else { Vec::new() };
        Found {
            mixture: weights.into_iter().filter_map(take).collect(),
            upper: best * self.reward_scale,
            prices,
            first_prices,
            violation,
            ended,
        }
    }

    fn lost(&self) -> Error {
        Error::Master { states: self.model.states(), policies: self.columns.len() }
    }

    /// Without loops the master is bounded; with them, one of those that pay has no budget to stop it.
    fn unbounded(&self) -> Error {
        let loops = self.columns.iter().filter(|column| column.is_loop());
        let pays = |column: &&Column<R::Policy>| column.gains[0];
        let most = greatest(loops.clone().map(|column| pays(&column)));
        match loops.rev().find(|column| pays(column) >= most) {
            Some(column) => Error::Sum(SumProblem::Unbounded {
                loop_through: loop_names(self.model, &column.loop_states),
            }),
            None => self.lost(),
        }
    }
}

/// The states of a loop, at most five by name.
pub(crate) fn loop_names(model: &Cmdp, states: &[u32]) -> String {
    let mut names: Vec<String> =
        states.iter().take(5).map(|&state| model.names().state(state as usize)).collect();
    if states.len() > 5 {
        names.push(format!("{} more", states.len() - 5));
    }
    names.join(", ")
}
