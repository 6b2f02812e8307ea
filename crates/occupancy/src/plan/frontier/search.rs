//! The search for corners: plans for mixtures of the two signals, each of them certified.

use super::FrontierPoint;
use super::chain::{Point, Size};
use super::spans::{Span, Spans};
use crate::arithmetic::Interval;
use crate::arithmetic::extremes::{greater, greatest};
use crate::chain::averages;
use crate::error::{Error, Result};
use crate::model::Cmdp;
use crate::plan::answer::certificate::certain_gap;
use crate::plan::tolerance::SAME_POINT;
use crate::plan::{Ended, Plan, Planner, Problem, SETTLED, Verdict, Watch};

/// The corner at an end is looked for first at a slope that is so many times flatter, or steeper, than the line between the
/// ends: on garnets of 1000 states that is the right one nine times in ten, where the line's own slope takes five plans more.
const BEYOND: f64 = 1024.0;

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

/// What a plan for a mixture of the two signals found.
enum Found {
    /// Its point, and its gap as a share of the sizes that were mixed.
    Best(Point, f64),
    /// The other budgets cannot be met.
    Nothing,
    /// The watcher broke it off.
    Stopped,
}

/// What a plan found above the line between two points.
enum Above {
    Corner(Point),
    /// The line is an edge.
    Nothing,
    /// The watcher broke it off.
    Stopped,
}

pub(super) struct Search<'a> {
    planner: &'a mut dyn Planner,
    problem: Problem<'a>,
    cost: usize,
    watch: Watch<'a>,
    /// The other costs, and their budgets.
    others: Vec<Vec<f64>>,
    budgets: Vec<f64>,
    pub size: Size,
    /// The widest gap so far, as a share of the sizes.
    pub gap: f64,
    lines: Vec<Line>,
    pub least_cost: f64,
}

impl<'a> Search<'a> {
    pub fn new(
        planner: &'a mut dyn Planner,
        problem: Problem<'a>,
        cost: usize,
        watch: Watch<'a>,
    ) -> Search<'a> {
        let model = problem.model;
        let kept = (0..model.costs()).filter(|&i| i != cost);
        let others = kept.clone().map(|i| model.signals().cost(i).to_vec()).collect();
        let budgets = kept.map(|i| model.budgets()[i]).collect();
        let size = Size { reward: model.signals().size(0), cost: model.signals().size(cost + 1) };
        let (gap, lines, least_cost) = (0.0, Vec::new(), f64::NEG_INFINITY);
        Search { planner, problem, cost, watch, others, budgets, size, gap, lines, least_cost }
    }

    /// The least cost and the greatest gain, or nothing where the other budgets cannot be met.
    pub fn extremes(&mut self) -> Result<Option<(Point, Point)>> {
        let Some(cheapest) = self.extreme(0.0, 1.0, "the least cost")? else { return Ok(None) };
        let richest = self.extreme(1.0, 0.0, "the greatest gain")?;
        Ok(richest.map(|richest| (cheapest, richest)))
    }

    fn extreme(&mut self, of_reward: f64, of_cost: f64, what: &str) -> Result<Option<Point>> {
        match self.best(of_reward, of_cost, || what.to_string())? {
            Found::Best(point, _) => Ok(Some(point)),
            Found::Nothing => Ok(None),
            Found::Stopped => Err(Error::Stopped { violation: f64::INFINITY }),
        }
    }

    /// Finds corners until there are none left, or as many as are wanted; the spans that nobody has looked at.
    pub fn corners(&mut self, spans: &mut Spans, most: usize) -> Result<Vec<Span>> {
        while let Some(span) = spans.highest() {
            let enough = || self.size.break_points(&spans.chain()).len() >= most;
            if enough() {
                spans.put_back(span);
                break;
            }
            let (left, right) = spans.between(&span);
            let slope = left.slope_to(right).unwrap_or(0.0);
            match self.above(left, right, slope)? {
                Above::Corner(corner) => spans.divide(span, corner),
                Above::Nothing => {}
                Above::Stopped => {
                    spans.put_back(span);
                    break;
                }
            }
        }
        Ok(spans.left_over())
    }

    /// The points on the way to the first and the last corner, from left to right. The slope of the line from the last point
    /// found to the end finds the next one, as in Newton's method: beyond the last corner nothing lies above.
    pub fn outer_corners(&mut self, cheapest: Point, richest: Point) -> Result<Vec<Point>> {
        let Some(between) = cheapest.slope_to(&richest) else { return Ok(vec![cheapest, richest]) };
        let mut left = Vec::new();
        let mut slope = Some(between * BEYOND).filter(|slope| slope.is_finite()).or(Some(between));
        while let Some(steep) = slope {
            let near = left.last().unwrap_or(&richest);
            let Some(corner) = self.corner_towards_an_end(&cheapest, near, steep)? else { break };
            slope = cheapest.slope_to(&corner);
            left.push(corner);
        }
        let mut right: Vec<Point> = Vec::new();
        let mut slope = Some(between / BEYOND);
        while let Some(flat) = slope {
            let near = right.last().or(left.first()).unwrap_or(&cheapest);
            let Some(corner) = self.corner_towards_an_end(near, &richest, flat)? else { break };
            slope = corner.slope_to(&richest);
            right.push(corner);
        }
        left.reverse();
        Ok([vec![cheapest], left, right, vec![richest]].concat())
    }

    fn corner_towards_an_end(&mut self, left: &Point, right: &Point, slope: f64) -> Result<Option<Point>> {
        match self.above(left, right, slope)? {
            Above::Corner(corner) => Ok(Some(corner)),
            Above::Nothing => Ok(None),
            // The corners that are missing may be the ones at the ends.
            Above::Stopped => Err(Error::Stopped { violation: f64::INFINITY }),
        }
    }

    /// The corner above the line between two points that is the furthest in the direction of a slope.
    fn above(&mut self, left: &Point, right: &Point, slope: f64) -> Result<Above> {
        // Divided by 1 + λ, so that a steep slope does not make huge rewards.
        let what = || format!("the frontier between the budgets {} and {}", left.cost, right.cost);
        let (found, gap) = match self.best(1.0 / (1.0 + slope), slope / (1.0 + slope), what)? {
            Found::Best(found, gap) => (found, gap),
            Found::Nothing => return Ok(Above::Nothing),
            Found::Stopped => return Ok(Above::Stopped),
        };
        // A corner that is lower than the gap may as well be a point inside of an edge.
        let is_above = self.size.is_above(&found, left, right, SAME_POINT.max(gap));
        Ok(if is_above { Above::Corner(found) } else { Above::Nothing })
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
        let plan = match self.planner.plan_watched(&self.problem.about(&question), self.watch) {
            Ok(Verdict::Infeasible(_)) => return Ok(Found::Nothing),
            Ok(Verdict::Optimal(Plan { ended: Ended::Stopped, .. })) | Err(Error::Stopped { .. }) => {
                return Ok(Found::Stopped);
            }
            Ok(Verdict::Optimal(plan)) => plan.settled_within(SETTLED * size, &what)?,
            Err(error) => return Err(error),
        };
        let searched = plan.gap;
        let proved = if of_reward > 0.0 {
            self.point(plan, of_reward, of_cost)
        } else {
            self.cheapest(&question, plan)
        };
        let (point, gap) = match proved {
            Err(Error::Stopped { .. }) => return Ok(Found::Stopped),
            proved => proved?,
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
        let (gain_range, cost_ranges, optimum) = (proof.gain, proof.costs, proof.optimum);
        Ok((Point { cost, gain, gain_range, cost_ranges, slope: price, optimum }, gap))
    }

    /// The point of a plan for the least cost, and its gap; sets what no policy is below.
    fn cheapest(&mut self, question: &Cmdp, plan: Plan) -> Result<(Point, f64)> {
        let verdict = Verdict::Optimal(plan.clone());
        self.least_cost = -self.planner.certify(&self.problem.about(question), &verdict)?.proof.optimum;
        // The prices of this plan are for the cost alone: none of them bounds the gain.
        let plan = Plan { prices: vec![0.0; self.others.len()], ..plan };
        let (point, _) = self.point(plan, 1.0, 0.0)?;
        let gap = point.cost_ranges[self.cost].farthest(self.least_cost);
        let optimum = point.gain;
        Ok((Point { slope: f64::INFINITY, optimum, ..point }, gap))
    }

    /// A break point, with the least line above it.
    pub fn proved(&self, point: Point, price: f64) -> FrontierPoint {
        let Point { cost: budget, gain, gain_range, cost_ranges, .. } = point;
        let optimum = -greatest(self.lines.iter().map(|line| -line.at(budget)));
        let gap = certain_gap(gain, optimum, gain_range.low);
        FrontierPoint { budget, gain, price, gap, gain_range, cost_ranges }
    }
}
