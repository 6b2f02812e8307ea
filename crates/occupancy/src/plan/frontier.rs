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
//! Every plan is certified for the budget that it uses up, at the prices that it answers. That proves its point to lie in
//! intervals, and a line λτ + const above all policies; the least of these lines at a corner is what its gain is measured by.

use super::answer::certificate::certain_gap;
use super::{Ended, Plan, Planner, SETTLED, Verdict, Watch};
use crate::arithmetic::Interval;
use crate::arithmetic::extremes::{greater, greatest};
use crate::chain::averages;
use crate::error::{Error, Result};
use crate::model::Cmdp;
use crate::plan::Problem;
use crate::plan::tolerance::SAME_POINT;
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
    /// Budgets between which corners may be missing, because the search was stopped; empty if it came to its end.
    pub unsearched: Vec<(f64, f64)>,
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
    frontier_watched(planner, problem, cost, &mut |_| ControlFlow::Continue(()))
}

/// The same, telling `watch` of every step of every plan. When it breaks off, the corners found so far are returned with
/// the budgets between which others may be missing, or [`Error::Stopped`] if the two ends are not known yet.
pub fn frontier_watched(
    planner: &mut dyn Planner,
    problem: &Problem,
    cost: usize,
    watch: Watch,
) -> Result<Frontier> {
    problem.model.check_cost(cost)?;
    let mut search = Search::new(planner, problem.clone(), cost, watch);
    let Some(cheapest) = search.end_point(0.0, 1.0, "the least cost")? else {
        return Ok(Frontier::default());
    };
    let Some(richest) = search.end_point(1.0, 0.0, "the greatest gain")? else {
        return Ok(Frontier::default());
    };
    let mut chain = vec![cheapest.clone()];
    search.corners_between(&cheapest, &richest, &mut chain)?;
    chain.push(richest);
    let points =
        search.size.break_points(chain).into_iter().map(|(point, price)| search.proved(point, price));
    // Once for what the plans leave open, and once for corners that are too low to be told.
    let gap = 2.0 * SAME_POINT.max(search.gap);
    let (points, least_cost, unsearched) = (points.collect(), search.least_cost, search.unsearched);
    Ok(Frontier { points, least_cost, gap, unsearched })
}

/// Long-run average cost and reward of a plan, and what is proved of them.
#[derive(Clone, Debug)]
struct Point {
    cost: f64,
    gain: f64,
    gain_range: Interval,
    cost_ranges: Vec<Interval>,
}

/// No policy whose cost is at most τ, and that is within the other budgets, gains more than `optimum` + `price` (τ − `budget`).
struct Line {
    budget: f64,
    price: f64,
    optimum: f64,
}

impl Line {
    fn at(&self, budget: f64) -> f64 {
        let more = Interval::exact(budget) - Interval::exact(self.budget);
        (Interval::exact(self.optimum) + more.times(self.price)).high
    }
}

/// The sizes of the two signals, which say what counts as rounding.
#[derive(Clone, Copy, Debug)]
struct Size {
    reward: f64,
    cost: f64,
}

/// What a plan for a mixture of the two signals found.
enum Found {
    /// Its point, and its gap as a share of the sizes that were mixed.
    Best(Point, f64),
    /// The other budgets cannot be met.
    Nothing,
    /// The watcher broke it off.
    Stopped,
}

struct Search<'a> {
    planner: &'a mut dyn Planner,
    problem: Problem<'a>,
    cost: usize,
    watch: Watch<'a>,
    /// The other costs, and their budgets.
    others: Vec<Vec<f64>>,
    budgets: Vec<f64>,
    size: Size,
    /// The widest gap so far, as a share of the sizes.
    gap: f64,
    lines: Vec<Line>,
    least_cost: f64,
    unsearched: Vec<(f64, f64)>,
}

impl<'a> Search<'a> {
    fn new(planner: &'a mut dyn Planner, problem: Problem<'a>, cost: usize, watch: Watch<'a>) -> Search<'a> {
        let model = problem.model;
        let kept = (0..model.costs()).filter(|&i| i != cost);
        let others = kept.clone().map(|i| model.signals().cost(i).to_vec()).collect();
        let budgets = kept.map(|i| model.budgets()[i]).collect();
        let size = Size { reward: model.signals().size(0), cost: model.signals().size(cost + 1) };
        let (lines, least_cost, unsearched) = (Vec::new(), f64::NEG_INFINITY, Vec::new());
        Search {
            planner,
            problem,
            cost,
            watch,
            others,
            budgets,
            size,
            gap: 0.0,
            lines,
            least_cost,
            unsearched,
        }
    }

    /// What the best plan for the reward `of_reward`·r − `of_cost`·c without this budget is; `what` it is for is named
    /// if it is not settled.
    fn best(&mut self, of_reward: f64, of_cost: f64, what: impl Fn() -> String) -> Result<Found> {
        let (reward, cost) =
            (self.problem.model.signals().reward(), self.problem.model.signals().cost(self.cost));
        // The shares sum to 1 up to rounding, which must not carry the largest signals beyond what a model may have.
        let mix = |(r, c): (&f64, &f64)| (of_reward * r - of_cost * c).clamp(-1e100, 1e100);
        let mixed = reward.iter().zip(cost).map(mix).collect();
        let question = self.problem.model.with_signals(mixed, self.others.clone(), &self.budgets)?;
        // Not that of the mixed signal, in which reward and cost may cancel out.
        let size = of_reward * self.size.reward + of_cost * self.size.cost;
        let size = if size > 0.0 { size } else { 1.0 };
        let plan = match self.planner.plan_watched(&self.problem.about(&question), self.watch)
        {
            Ok(Verdict::Infeasible(_)) => return Ok(Found::Nothing),
            Ok(Verdict::Optimal(Plan { ended: Ended::Stopped, .. })) | Err(Error::Stopped { .. }) => {
                return Ok(Found::Stopped);
            }
            Ok(Verdict::Optimal(plan)) => plan.settled_within(SETTLED * size, &what)?,
            Err(error) => return Err(error),
        };
        let searched = plan.gap;
        let (point, gap) = if of_reward > 0.0 {
            self.point(plan, of_reward, of_cost)?
        } else {
            self.cheapest(&question, plan)?
        };
        // What is proved may be less than what the search was sure of, and the other way round.
        let gap = greater(gap, searched);
        if gap.is_nan() || gap > SETTLED * size {
            let why = "rounding left its proof open";
            return Err(Error::NotSettled { what: what(), why, gain: point.gain, gap });
        }
        self.gap = self.gap.max(gap / size);
        Ok(Found::Best(point, gap / size))
    }

    /// The point of a plan for `of_reward`·r − `of_cost`·c, as it is proved, and its gap.
    fn point(&mut self, plan: Plan, of_reward: f64, of_cost: f64) -> Result<(Point, f64)> {
        let price = of_cost / of_reward;
        let mut prices: Vec<f64> = plan.prices.iter().map(|price| price / of_reward).collect();
        prices.insert(self.cost, price);
        let stated = averages(self.problem.model, &plan.occupancy);
        let budget = stated[self.cost + 1];
        let mut budgets = self.problem.model.budgets().to_vec();
        budgets[self.cost] = budget;
        let asked = self.problem.model.clone().with_budgets(&budgets)?;
        let verdict = Verdict::Optimal(Plan { prices, ..plan });
        let proof = self.planner.certify(&self.problem.about(&asked), &verdict)?.proof;
        self.lines.push(Line { budget, price, optimum: proof.optimum });
        let (cost, gain) = (proof.costs[self.cost].nearest(budget), proof.gain.nearest(stated[0]));
        let gap = of_reward * certain_gap(gain, proof.optimum, proof.gain.low);
        Ok((Point { cost, gain, gain_range: proof.gain, cost_ranges: proof.costs }, gap))
    }

    /// The point of a plan for the least cost, and its gap; sets what no policy is below.
    fn cheapest(&mut self, question: &Cmdp, plan: Plan) -> Result<(Point, f64)> {
        let verdict = Verdict::Optimal(plan.clone());
        self.least_cost =
            -self.planner.certify(&self.problem.about(question), &verdict)?.proof.optimum;
        // The prices of this plan are for the cost alone: none of them bounds the gain.
        let plan = Plan { prices: vec![0.0; self.others.len()], ..plan };
        let (point, _) = self.point(plan, 1.0, 0.0)?;
        let gap = point.cost_ranges[self.cost].farthest(self.least_cost);
        Ok((point, gap))
    }

    /// A break point, with the least line above it.
    fn proved(&self, point: Point, price: f64) -> FrontierPoint {
        let Point { cost: budget, gain, gain_range, cost_ranges } = point;
        let optimum = -greatest(self.lines.iter().map(|line| -line.at(budget)));
        let gap = certain_gap(gain, optimum, gain_range.low);
        FrontierPoint { budget, gain, price, gap, gain_range, cost_ranges }
    }

    /// One end of the frontier, or nothing where the other budgets cannot be met.
    fn end_point(&mut self, of_reward: f64, of_cost: f64, what: &str) -> Result<Option<Point>> {
        match self.best(of_reward, of_cost, || what.to_string())? {
            Found::Best(point, _) => Ok(Some(point)),
            Found::Nothing => Ok(None),
            Found::Stopped => Err(Error::Stopped { violation: f64::INFINITY }),
        }
    }

    /// Appends to `chain`, from left to right, the corners strictly between two points of the boundary.
    fn corners_between(&mut self, left: &Point, right: &Point, chain: &mut Vec<Point>) -> Result<()> {
        if right.cost <= left.cost || right.gain <= left.gain {
            return Ok(());
        }
        let slope = (right.gain - left.gain) / (right.cost - left.cost);
        // Gains so much larger than costs that their ratio overflows: nothing between them can be told apart.
        if !slope.is_finite() {
            return Ok(());
        }
        // Divided by 1 + λ, so that a steep slope does not make huge rewards.
        let what = || format!("the frontier between the budgets {} and {}", left.cost, right.cost);
        let (found, gap) = match self.best(1.0 / (1.0 + slope), slope / (1.0 + slope), what)? {
            Found::Best(found, gap) => (found, gap),
            Found::Nothing => return Ok(()),
            Found::Stopped => {
                self.unsearched.push((left.cost, right.cost));
                return Ok(());
            }
        };
        // A corner that is lower than the gap may as well be a point inside of an edge.
        if !self.size.is_above(&found, left, right, SAME_POINT.max(gap)) {
            return Ok(());
        }
        self.corners_between(left, &found, chain)?;
        chain.push(found.clone());
        self.corners_between(&found, right, chain)
    }
}

impl Size {
    /// Whether `point` lies above the line from `left` to `right`, by more than a share of the sizes of gain and cost.
    fn is_above(self, point: &Point, left: &Point, right: &Point, share: f64) -> bool {
        let (run, rise) = (right.cost - left.cost, right.gain - left.gain);
        let excess = (point.gain - left.gain) * run - (point.cost - left.cost) * rise;
        excess > share * (self.reward * run.abs() + self.cost * rise.abs())
    }

    /// The corners of a chain from left to right, with their prices: without vertical and level ends, without points inside an
    /// edge.
    fn break_points(self, chain: Vec<Point>) -> Vec<(Point, f64)> {
        let mut corners: Vec<Point> = Vec::with_capacity(chain.len());
        for point in chain {
            while let Some(last) = corners.last() {
                let higher = point.gain - last.gain > SAME_POINT * self.reward;
                let dearer = point.cost - last.cost > SAME_POINT * self.cost;
                let bends = corners.len() < 2 || {
                    self.is_above(last, &corners[corners.len() - 2], &point, SAME_POINT)
                };
                if higher && (!dearer || !bends) {
                    corners.pop();
                } else {
                    break;
                }
            }
            let rises = corners.last().is_none_or(|last| point.gain - last.gain > SAME_POINT * self.reward);
            if rises {
                corners.push(point);
            }
        }
        let price = |i: usize| match corners.get(i + 1) {
            Some(next) => (next.gain - corners[i].gain) / (next.cost - corners[i].cost),
            None => 0.0,
        };
        let prices: Vec<f64> = (0..corners.len()).map(price).collect();
        corners.into_iter().zip(prices).collect()
    }
}

#[cfg(test)]
mod tests;
