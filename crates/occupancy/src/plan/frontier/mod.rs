//! The frontier: the optimal gain as a function of one budget, with its exact break points.
//!
//! ```text
//! g(τ) = max J(r)   subject to   J(c) ≤ τ   and the other budgets
//! ```
//!
//! The attainable points (J(c), J(r)) fill a convex region, and g is its upper left boundary: concave, piecewise
//! linear, with corners where deterministic behaviour changes. A corner that lies above the line from A to B is found
//! by planning without this budget for the reward r − λc, λ being the slope from A to B; when nothing lies above,
//! A–B is an edge. The search starts from the least cost and the greatest gain. Neither has to be a corner (planners
//! break ties as they like): the search finds the corner above the one and to the left of the other by itself, and
//! what is left of the first two is a vertical and a horizontal edge, dropped at the end. The alternative, asking for
//! the least cost at the greatest gain, needs a constraint that holds with equality only, where a tolerance of 1e-9 in
//! the gain becomes 1e-9/λ in the budget.
//!
//! The line above which most may be missing is looked at first, so that a search that ends early knows the frontier
//! about equally well everywhere. A model of 1000 states can have thousands of corners; [`frontier_ends`] finds the first
//! and the last one alone.
//!
//! Every plan is certified for the budget that it uses up, at the prices that it answers. That proves its point to lie in
//! intervals, and a line λτ + const above all policies; the least of these lines at a corner is what its gain is measured by.

mod chain;
mod search;
mod spans;

use chain::Point;

use super::{Planner, Watch};
use crate::arithmetic::Interval;
use crate::arithmetic::extremes::greatest;
use crate::error::Result;
use crate::plan::Problem;
use crate::plan::tolerance::SAME_POINT;
use search::Search;
use spans::Spans;
use std::ops::ControlFlow;

/// The optimal gain as a function of one budget: concave and piecewise linear between the points.
#[derive(Clone, Debug, Default)]
pub struct Frontier {
    /// Break points by ascending budget: the first has the least achievable cost, the last the least cost of the
    /// greatest gain. Empty where the other budgets cannot be met.
    pub points: Vec<FrontierPoint>,
    /// No policy within the other budgets costs less than this: what is proved of the first budget.
    pub least_cost: f64,
    /// Every policy lies below the frontier once its gain is lowered by this share of the largest |reward|, and its cost
    /// raised by this share of the largest |cost|; except for costs between two budgets of `unsearched`.
    pub gap: f64,
    /// Budgets between which corners may be missing, because the search was stopped or had as many points as were asked
    /// for; empty if it came to its end.
    pub unsearched: Vec<(f64, f64)>,
    /// Nor does a policy gain more than this above the lines between the points there.
    pub missing: f64,
}

/// A break point of the frontier.
#[derive(Clone, Debug, PartialEq)]
pub struct FrontierPoint {
    /// The budget τ.
    pub budget: f64,
    /// The optimal gain at that budget.
    pub gain: f64,
    /// The price λ on the segment from here to the next point; 0 at the last one.
    pub price: f64,
    /// Proved: the optimum at this budget is at most `gain + gap`, and a policy that costs as much earns `gain − gap`.
    pub gap: f64,
    /// What that policy earns is proved to be in here.
    pub gain_range: Interval,
    /// And what it costs, by cost of the model.
    pub cost_ranges: Vec<Interval>,
}

/// The frontier of budget `cost`, all other budgets being the model's. A corner that no plan settles is an error.
pub fn frontier(planner: &mut dyn Planner, problem: &Problem, cost: usize) -> Result<Frontier> {
    frontier_watched(planner, problem, cost, usize::MAX, &mut |_| ControlFlow::Continue(()))
}

/// The same, with at most `most` points (both ends at least), telling `watch` of every step of every plan. When it breaks off,
/// the corners found so far are returned with the budgets between which others may be missing, or [`crate::Error::Stopped`] if the
/// two ends are not known yet.
pub fn frontier_watched(
    planner: &mut dyn Planner,
    problem: &Problem,
    cost: usize,
    most: usize,
    watch: Watch,
) -> Result<Frontier> {
    problem.model.check_cost(cost)?;
    let mut search = Search::new(planner, problem.clone(), cost, watch);
    let Some((cheapest, richest)) = search.extremes()? else {
        return Ok(Frontier::default());
    };
    let mut spans = Spans::new(cheapest, richest);
    let unsearched = search.corners(&mut spans, most)?;
    let missing = greatest(unsearched.iter().map(|span| span.height).chain([0.0]));
    let unsearched = unsearched.iter().map(|span| spans.budgets(span)).collect();
    let points = search.size.break_points(&spans.chain());
    let points = points.into_iter().map(|(point, price)| search.proved(point, price)).collect();
    // Once for what the plans leave open, and once for corners that are too low to be told.
    let gap = 2.0 * SAME_POINT.max(search.gap);
    Ok(Frontier { points, least_cost: search.least_cost, gap, unsearched, missing })
}

/// The first and the last corner of the frontier of budget `cost`, without the ones between: the best gain at the least cost,
/// and the least cost of the greatest gain. `None` where the other budgets cannot be met; [`crate::Error::Stopped`] when `watch` breaks
/// off.
pub fn frontier_ends(
    planner: &mut dyn Planner,
    problem: &Problem,
    cost: usize,
    watch: Watch,
) -> Result<Option<(FrontierPoint, FrontierPoint)>> {
    problem.model.check_cost(cost)?;
    let mut search = Search::new(planner, problem.clone(), cost, watch);
    let Some((cheapest, richest)) = search.extremes()? else { return Ok(None) };
    let chain = search.outer_corners(cheapest, richest)?;
    let chain: Vec<&Point> = chain.iter().collect();
    let corners = search.size.break_points(&chain);
    let mut corners = corners.into_iter().map(|(corner, price)| search.proved(corner, price));
    let first = corners.next();
    let last = corners.next_back().or_else(|| first.clone());
    Ok(first.zip(last))
}

#[cfg(test)]
mod tests;
