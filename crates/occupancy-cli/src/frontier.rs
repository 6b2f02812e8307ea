//! `occupancy frontier`: the best gain as a function of one budget.

use crate::args::{self, Frontier, Planner};
use crate::constraint::{self, Direction};
use crate::failure::{Failure, Result, wrong};
use crate::show::ink::Ink;
use crate::show::progress::of_frontier;
use crate::source::Source;
use crate::watch::{Stopped, Watcher, Words};
use crate::{csv, json, output, show, source};
use occupancy::arithmetic::Interval;
use occupancy::plan::{self, FrontierPoint};
use occupancy_lab::figure::frontier::{FrontierFigure, OwnBudget};
use occupancy_lab::{figure, staged};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::time::Instant;

/// A frontier as it is shown: in the original sign of its cost.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The model's name.
    pub source: String,
    /// The cost's name.
    pub cost: String,
    /// Its direction: `AtMost` has the least budget first, `AtLeast` the greatest.
    pub direction: Direction,
    /// Break points from the tightest budget to the loosest that matters.
    pub points: Vec<FrontierPoint>,
    /// The model's own budget.
    pub budget: f64,
    /// No policy meets a budget that is tighter than this: proved, while the first point is what some policy is proved to meet.
    pub least_budget: f64,
    /// How far policies may lie beyond the points, as a share of the largest reward and cost.
    pub gap: f64,
    /// Why the search was stopped before its end, if it was.
    pub stopped: Option<Stopped>,
    /// Budgets between which corners may be missing, because of that or because no more points were asked for.
    pub unsearched: Vec<(f64, f64)>,
    /// By how much the gain may be higher there than on the line between the points.
    pub missing: f64,
}

impl Curve {
    /// The gain and the price at a budget, `None` where no policy meets it.
    pub fn at(&self, budget: f64) -> Option<(f64, f64)> {
        let tight = |x: f64| self.direction.shown(x);
        // The model's budget may be the least achievable cost up to rounding.
        let rounding = 1e-9 * budget.abs().min(1.0);
        let within = |point: &&FrontierPoint| tight(point.budget) <= tight(budget) + rounding;
        let point = self.points.iter().rev().find(within)?;
        let more = if point.price > 0.0 { (tight(budget) - tight(point.budget)).max(0.0) } else { 0.0 };
        Some((point.gain + point.price * more, point.price))
    }

    /// What is drawn of it.
    fn figure(&self) -> FrontierFigure {
        let own = |budget| OwnBudget { budget, gain: self.at(budget).map(|(gain, _)| gain) };
        FrontierFigure {
            model: self.source.clone(),
            cost: self.cost.clone(),
            at_least: self.direction == Direction::AtLeast,
            points: self.points.iter().map(|point| (point.budget, point.gain)).collect(),
            own: self.budget.is_finite().then(|| own(self.budget)),
        }
    }

    /// Whether a corner may be missing at a budget.
    pub fn is_unsearched(&self, budget: f64) -> bool {
        let inside = |&(a, b): &(f64, f64)| a.min(b) < budget && budget < a.max(b);
        self.unsearched.iter().any(inside)
    }
}

/// Runs the command.
pub fn run(args: &Frontier) -> Result<()> {
    output::check_targets(&args.source.source, args.csv.iter().chain(&args.svg))?;
    if args.time_limit.is_some() && args.plan.planner == Planner::Lp {
        return wrong("--time-limit does not apply to --planner lp, which cannot be stopped early");
    }
    let began = Instant::now();
    let limit = args.time_limit.map(|seconds| (began, seconds));
    let source = source::open_within(&args.source, &args.plan.criterion, limit)?;
    let cost = chosen_cost(&source, args.cost_name.as_deref())?;
    let (found, stopped) = search(args, &source, cost, began)?;
    let shown = |point: &FrontierPoint| FrontierPoint {
        budget: source.shown(cost, point.budget),
        cost_ranges: json::shown_ranges(&source, &point.cost_ranges),
        ..point.clone()
    };
    let curve = Curve {
        source: source.title(),
        cost: source.costs[cost].name.clone(),
        direction: source.costs[cost].direction,
        points: found.points.iter().map(shown).collect(),
        budget: source.shown(cost, source.model.budgets()[cost]),
        least_budget: source.shown(cost, found.least_cost),
        gap: found.gap,
        stopped,
        unsearched: found
            .unsearched
            .iter()
            .map(|&(a, b)| (source.shown(cost, a), source.shown(cost, b)))
            .collect(),
        missing: found.missing,
    };
    let text = if args.json {
        in_json(&curve)
    } else {
        show::frontier::describe(&curve, args.all, Ink::for_stdout())
    };
    let whole = curve.stopped.is_none() || curve.unsearched.is_empty();
    if !whole && (args.csv.is_some() || args.svg.is_some()) {
        output::print(&text)?;
        let text = "the frontier is not whole, so that --csv and --svg are not written";
        return Err(Failure::Stopped(text.to_string()));
    }
    if args.svg.is_some() && curve.points.is_empty() {
        return wrong("--svg has nothing to draw: the other budgets cannot be met");
    }
    let mut files = Vec::new();
    if let Some(path) = &args.csv {
        let table = csv::frontier(&curve.cost, &curve.points);
        files.push(staged::stage(path, |out| out.write_all(table.as_bytes()))?);
    }
    if let Some(path) = &args.svg {
        let picture = output::picture(path, figure::frontier::draw(&curve.figure()))?;
        files.push(staged::stage(path, |out| out.write_all(&picture))?);
    }
    files.into_iter().try_for_each(staged::Staged::publish)?;
    output::print(&text)
}

/// The frontier, to its end or until it is stopped.
fn search(
    args: &Frontier,
    source: &Source,
    cost: usize,
    began: Instant,
) -> Result<(plan::Frontier, Option<Stopped>)> {
    let problem = source::problem(&args.plan, source)?;
    let mut planner = source::planner(args.plan.planner, args::OffSupport::default()).build();
    let most = args.points.unwrap_or(usize::MAX);
    if args.plan.planner == Planner::Lp {
        // It cannot stop early, so that a signal has to end the program at once.
        let go_on = &mut |_: &plan::Progress| ControlFlow::Continue(());
        return Ok((plan::frontier_watched(planner.as_mut(), &problem, cost, most, go_on)?, None));
    }
    let words = Words { progress: of_frontier, nothing: without_ends };
    let mut watcher = Watcher::since((began, args.time_limit), 0, words);
    planner.stop_by(watcher.flag.clone());
    let watch = &mut |step: &plan::Progress| watcher.see(step);
    let found = plan::frontier_watched(planner.as_mut(), &problem, cost, most, watch);
    watcher.searched();
    match (found, watcher.finish()) {
        (Err(occupancy::Error::Stopped { .. }), Some(stopped)) => {
            Err(Failure::Stopped(without_ends(stopped, f64::INFINITY)))
        }
        (found, stopped) => Ok((found?, stopped)),
    }
}

/// That there is nothing to show; no budget is violated where all of them are asked about.
fn without_ends(stopped: Stopped, _violation: f64) -> String {
    format!("{} before both ends of the frontier were known", stopped.what())
}

fn chosen_cost(source: &Source, name: Option<&str>) -> Result<usize> {
    let names: Vec<&str> = source.costs.iter().map(|cost| cost.name.as_str()).collect();
    match (name, names.len()) {
        (Some(name), _) => constraint::find_cost(&source.costs, name),
        (None, 1) => Ok(0),
        (None, 0) => {
            wrong(format!("{} has no costs, so no frontier; --cost names those of a .drn file", source.name))
        }
        (None, _) => {
            wrong(format!("{} has several costs, choose with --cost-name: {}", source.name, names.join(", ")))
        }
    }
}

fn in_json(curve: &Curve) -> String {
    let ends = |range: &Interval| json!([range.low, range.high]);
    let point = |point: &FrontierPoint| {
        json!({
            "budget": point.budget,
            "gain": point.gain,
            "price": point.price,
            "gap": point.gap,
            "gain_range": ends(&point.gain_range),
            "cost_ranges": point.cost_ranges.iter().map(ends).collect::<Vec<Value>>(),
        })
    };
    let points: Vec<Value> = curve.points.iter().map(point).collect();
    let here = curve.at(curve.budget);
    json::line(&json!({
        "source": curve.source,
        "cost": curve.cost,
        "direction": curve.direction.ascii(),
        "points": points,
        "least_budget": curve.least_budget.is_finite().then_some(curve.least_budget),
        "budget": curve.budget,
        "gain": here.map(|(gain, _)| gain),
        "price": here.map(|(_, price)| price),
        "gap": curve.gap,
        "stopped": curve.stopped.map(Stopped::name),
        "unsearched": curve.unsearched,
        "missing": curve.missing,
    }))
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// The frontier of the small rover.
    pub fn curve() -> Curve {
        let point = |budget, gain, price| FrontierPoint {
            budget,
            gain,
            price,
            gap: 1e-15,
            gain_range: Interval { low: gain - 1e-15, high: gain },
            cost_ranges: vec![Interval { low: budget, high: budget + 1e-15 }],
        };
        Curve {
            source: "marsrover-4x4".into(),
            cost: "risky".into(),
            direction: Direction::AtMost,
            points: vec![point(0.0, -0.875, 0.5), point(0.25, -0.75, 0.0)],
            budget: 0.2,
            least_budget: 0.0,
            gap: 2e-11,
            stopped: None,
            unsearched: Vec::new(),
            missing: 0.0,
        }
    }

    /// The same, stopped before anything between its ends was looked at.
    pub fn stopped() -> Curve {
        let (stopped, unsearched) = (Some(Stopped::Interrupt), vec![(0.0, 0.25)]);
        Curve { stopped, unsearched, missing: 0.125, ..curve() }
    }

    #[test]
    fn gains_between_break_points_lie_on_the_line() {
        let curve = curve();
        let (gain, price) = curve.at(0.2).unwrap();
        assert!((gain + 0.775).abs() < 1e-12 && price == 0.5);
        assert_eq!(curve.at(7.0), Some((-0.75, 0.0)));
        assert_eq!(curve.at(f64::INFINITY), Some((-0.75, 0.0)));
        assert_eq!(curve.at(-0.1), None);
    }

    #[test]
    fn a_constraint_of_the_other_direction_loosens_downwards() {
        let mut curve = curve();
        curve.direction = Direction::AtLeast;
        curve.points.iter_mut().for_each(|point| point.budget = 1.0 - point.budget);
        let (gain, _) = curve.at(0.8).unwrap();
        assert!((gain + 0.775).abs() < 1e-12);
        assert_eq!((curve.at(1.1), curve.at(0.0)), (None, Some((-0.75, 0.0))));
    }

    #[test]
    fn json_has_the_points_and_the_models_own_budget() {
        let value: Value = serde_json::from_str(&in_json(&curve())).unwrap();
        let expected = json!({
            "budget": 0.25, "gain": -0.75, "price": 0.0, "gap": 1e-15,
            "gain_range": [-0.75 - 1e-15, -0.75], "cost_ranges": [[0.25, 0.25 + 1e-15]],
        });
        assert_eq!((&value["points"][1], &value["least_budget"]), (&expected, &json!(0.0)));
        assert_eq!((&value["budget"], &value["price"]), (&json!(0.2), &json!(0.5)));
        assert_eq!((&value["stopped"], &value["unsearched"]), (&Value::Null, &json!([])));
        let value: Value = serde_json::from_str(&in_json(&stopped())).unwrap();
        assert_eq!((&value["stopped"], &value["unsearched"]), (&json!("interrupt"), &json!([[0.0, 0.25]])));
        assert_eq!(value["missing"], json!(0.125));
    }
}
