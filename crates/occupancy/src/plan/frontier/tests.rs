//! The frontier of models with a single state, where a plan is a mixture of two actions at most and can be listed.

use super::*;
use crate::error::Error;
use crate::model::{Cmdp, CmdpBuilder, Policy, Value};
use crate::plan::Problem;
use crate::plan::{
    Certificate, Ended, Evaluations, Infeasible, Plan, PlannerConfig, Progress, Verdict, WeightedPolicy,
};
use proptest::prelude::*;

/// Plans a single state with at most one budget by trying every action and every mixture of two.
#[derive(Debug)]
struct Mixtures;

impl Planner for Mixtures {
    fn plan_watched(&mut self, problem: &Problem, _: Watch) -> Result<Verdict> {
        let model = problem.model;
        let reward = model.signals().reward();
        let mut best: Option<(f64, Vec<f64>)> = None;
        for (a, b, share) in mixtures(model) {
            let mut occupancy = vec![0.0; model.pairs()];
            occupancy[a] += share;
            occupancy[b] += 1.0 - share;
            let gain: f64 = occupancy.iter().zip(reward).map(|(p, r)| p * r).sum();
            if best.as_ref().is_none_or(|(most, _)| gain > *most) {
                best = Some((gain, occupancy));
            }
        }
        let Some((gain, occupancy)) = best else {
            let (least_costs, policies, occupancy) = (vec![0.0], Vec::new(), Vec::new());
            let evaluations = Evaluations::default();
            let nearest = Infeasible {
                violation: 1.0,
                least_costs,
                policies,
                occupancy,
                weights: Vec::new(),
                evaluations,
            };
            return Ok(Verdict::Infeasible(nearest));
        };
        let policies = vec![WeightedPolicy { weight: 1.0, policy: Policy::new(model, occupancy.clone())? }];
        let value = Value {
            reward: gain,
            costs: vec![0.0; model.costs()],
            errors: vec![0.0; model.signals().count()],
        };
        let prices = vec![0.0; model.costs()];
        let (gap, classes, evaluations, ended) = (0.0, 1, Evaluations::default(), Ended::Proved);
        let plan = Plan { policies, occupancy, value, prices, gap, classes, evaluations, ended };
        Ok(Verdict::Optimal(plan))
    }

    /// It knows no prices: those of another planner prove what it says.
    fn certify(&mut self, problem: &Problem, verdict: &Verdict) -> Result<Certificate> {
        let mut other = PlannerConfig::default().build();
        let mut verdict = verdict.clone();
        if let (Verdict::Optimal(plan), Verdict::Optimal(known)) = (&mut verdict, other.plan(problem)?) {
            plan.prices = known.prices;
        }
        other.certify(problem, &verdict)
    }
}

/// All (a, b, share of a) within the budget: single actions, and mixtures that use it up.
fn mixtures(model: &Cmdp) -> Vec<(usize, usize, f64)> {
    let cost = |a: usize| if model.costs() == 0 { 0.0 } else { model.signals().cost(0)[a] };
    let budget = model.budgets().first().copied().unwrap_or(f64::INFINITY);
    let mut all = Vec::new();
    for a in 0..model.pairs() {
        if cost(a) <= budget {
            all.push((a, a, 1.0));
            let dearer = (0..model.pairs()).filter(|&b| cost(b) > budget);
            all.extend(dearer.map(|b| (a, b, (cost(b) - budget) / (cost(b) - cost(a)))));
        }
    }
    all
}

/// One state; each action is (reward, costs).
fn one_state(actions: &[(f64, &[f64])], budgets: &[f64]) -> Cmdp {
    let mut model = CmdpBuilder::new(1, budgets);
    for &(reward, costs) in actions {
        model.pair(0, &[(0, 1.0)], reward, costs);
    }
    model.build().unwrap()
}

fn points(model: &Cmdp, cost: usize) -> Vec<(f64, f64, f64)> {
    let found = frontier(&mut Mixtures, &Problem::average(model), cost).unwrap();
    found.points.iter().map(|p| (p.budget, p.gain, p.price)).collect()
}

#[test]
fn a_frontier_has_the_corners_of_the_upper_left_hull() {
    let model =
        one_state(&[(0.0, &[0.0]), (3.0, &[1.0]), (4.0, &[2.0]), (3.4, &[1.9]), (1.0, &[0.9])], &[0.5]);
    assert_eq!(points(&model, 0), [(0.0, 0.0, 3.0), (1.0, 3.0, 1.0), (2.0, 4.0, 0.0)]);
}

#[test]
fn points_inside_an_edge_are_no_break_points() {
    let model =
        one_state(&[(0.0, &[0.0]), (0.1, &[0.1]), (0.3, &[0.3]), (0.7, &[0.7]), (1.0, &[1.0])], &[0.5]);
    let found = points(&model, 0);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!((found[0].0, found[1].0), (0.0, 1.0));
}

#[test]
fn ties_at_both_ends_do_not_hide_the_corners() {
    // The planner takes the first of equals: the worst of the least cost and the dearest of the greatest gain.
    let model = one_state(&[(-1.0, &[0.0]), (2.0, &[5.0]), (0.0, &[0.0]), (2.0, &[1.0])], &[0.5]);
    assert_eq!(points(&model, 0), [(0.0, 0.0, 2.0), (1.0, 2.0, 0.0)]);
}

#[test]
fn a_budget_that_never_matters_has_one_point() {
    let model = one_state(&[(-1.0, &[0.0]), (2.0, &[5.0]), (2.0, &[0.0])], &[0.5]);
    assert_eq!(points(&model, 0), [(0.0, 2.0, 0.0)]);
    assert_eq!(points(&one_state(&[(1.0, &[0.3])], &[0.5]), 0), [(0.3, 1.0, 0.0)]);
}

#[test]
fn the_other_budget_is_kept() {
    let actions: [(f64, &[f64]); 3] = [(0.0, &[0.0, 0.0]), (2.0, &[1.0, 1.0]), (1.0, &[2.0, 0.0])];
    let free = one_state(&actions, &[0.5, f64::INFINITY]);
    assert_eq!(points(&free, 0), [(0.0, 0.0, 2.0), (1.0, 2.0, 0.0)]);
    let tight = one_state(&actions, &[0.5, 0.0]);
    assert_eq!(points(&tight, 0), [(0.0, 0.0, 0.5), (2.0, 1.0, 0.0)]);
}

#[test]
fn where_the_other_budget_cannot_be_met_the_frontier_is_empty() {
    let model = one_state(&[(1.0, &[0.0, 1.0])], &[0.5, 0.5]);
    assert_eq!(points(&model, 0), []);
}

#[test]
fn a_cost_that_does_not_exist_is_an_error() {
    let model = one_state(&[(1.0, &[0.0])], &[0.5]);
    let error = frontier(&mut Mixtures, &Problem::average(&model), 1).unwrap_err();
    assert_eq!(error.to_string(), "cost is 1, expected the index of one of the model's costs");
}

/// Plans like another planner, with a wider gap; stops with the watch.
#[derive(Debug)]
struct Unsure {
    gap: f64,
    ended: Ended,
    /// So many plans are sure.
    sure: usize,
}

impl Planner for Unsure {
    fn plan_watched(&mut self, problem: &Problem, watch: Watch) -> Result<Verdict> {
        let progress =
            Progress { steps: 1, gain: None, upper: 0.0, violation: 1.0, evaluations: Default::default() };
        let stopped = watch(&progress).is_break();
        let Verdict::Optimal(plan) = Mixtures.plan(problem)? else { panic!("budgets can be met") };
        let ended = if stopped { Ended::Stopped } else { self.ended };
        let gap = if self.sure > 0 { 0.0 } else { self.gap };
        self.sure = self.sure.saturating_sub(1);
        Ok(Verdict::Optimal(Plan { gap, ended, ..plan }))
    }
}

const THREE_CORNERS: [(f64, &[f64]); 3] = [(0.0, &[0.0]), (3.0, &[1.0]), (4.0, &[2.0])];

#[test]
fn an_end_or_a_corner_that_no_plan_settles_is_an_error() {
    let model = one_state(&THREE_CORNERS, &[0.5]);
    let unsure = |sure, gap, ended| frontier(&mut Unsure { gap, ended, sure }, &Problem::average(&model), 0);
    assert_eq!(
        unsure(0, 0.05, Ended::OutOfSteps).unwrap_err().to_string(),
        "the least cost is not settled: the search ran out of steps at a gain of 0 with a gap of 0.05, above 1e-6 of the \
         largest reward"
    );
    assert!(unsure(0, f64::NAN, Ended::Proved).is_err());
    // Costs are known to 2e-6 if they are settled, gains to 4e-6.
    let error = unsure(2, 3e-6, Ended::Proved).unwrap_err().to_string();
    assert!(
        error.starts_with("the frontier between the budgets 0 and 2 is not settled: rounding ended"),
        "{error}"
    );
    assert_eq!(unsure(0, 1e-9, Ended::OutOfSteps).unwrap().points.len(), 3);
}

#[test]
fn a_corner_that_is_lower_than_the_gaps_is_none() {
    let model = one_state(&[(0.0, &[0.0]), (0.5 + 1e-8, &[0.5]), (1.0, &[1.0])], &[0.5]);
    let found = |gap| {
        frontier(&mut Unsure { gap, ended: Ended::Proved, sure: 0 }, &Problem::average(&model), 0).unwrap()
    };
    assert_eq!((found(0.0).points.len(), found(0.0).gap), (3, 2.0 * SAME_POINT));
    let wide = found(1e-7);
    assert!(wide.points.len() == 2 && wide.gap >= 2e-7, "{wide:?}");
}

#[test]
fn a_frontier_that_is_stopped_has_its_ends_and_says_what_is_missing() {
    let model = one_state(&THREE_CORNERS, &[0.5]);
    let after = |questions: usize| {
        let mut asked = 0;
        let mut watch = |_: &Progress| {
            asked += 1;
            if asked > questions { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut planner = Unsure { gap: 0.0, ended: Ended::Proved, sure: 0 };
        frontier_watched(&mut planner, &Problem::average(&model), 0, usize::MAX, &mut watch)
    };
    assert!(matches!(after(1), Err(Error::Stopped { .. })));
    let ends = after(2).unwrap();
    assert_eq!((ends.points.len(), ends.unsearched), (2, vec![(0.0, 2.0)]));
    let corner = after(3).unwrap();
    assert_eq!((corner.points.len(), corner.unsearched), (3, vec![(0.0, 1.0), (1.0, 2.0)]));
    assert!(after(5).unwrap().unsearched.is_empty());
}

#[test]
fn of_a_few_points_the_highest_are_found_and_what_is_missing_is_told() {
    let hull: [(f64, &[f64]); 5] =
        [(0.0, &[0.0]), (4.0, &[1.0]), (7.0, &[2.0]), (8.0, &[3.0]), (8.5, &[4.0])];
    let model = one_state(&hull, &[0.5]);
    let among = |most: usize| {
        let mut go_on = |_: &Progress| ControlFlow::Continue(());
        frontier_watched(&mut Mixtures, &Problem::average(&model), 0, most, &mut go_on).unwrap()
    };
    let budgets = |found: &Frontier| found.points.iter().map(|point| point.budget).collect::<Vec<f64>>();
    let three = among(3);
    assert_eq!(
        (budgets(&three), &three.unsearched[..]),
        (vec![0.0, 2.0, 4.0], &[(0.0, 2.0), (2.0, 4.0)][..])
    );
    // The line of slope 8.5 / 4 through (2, 7), which found it, is at 2.75 where the cost is least and the gain known 0.
    assert!((three.missing - 2.75).abs() < 1e-9, "{}", three.missing);
    assert_eq!(budgets(&among(0)), [0.0, 4.0]);
    assert_eq!(budgets(&among(5)), [0.0, 1.0, 2.0, 3.0, 4.0]);
    let all = among(usize::MAX);
    assert_eq!((all.points.len(), all.unsearched, all.missing), (5, vec![], 0.0));
}

/// Counts the plans of another planner.
#[derive(Debug)]
struct Counting(usize);

impl Planner for Counting {
    fn plan_watched(&mut self, problem: &Problem, watch: Watch) -> Result<Verdict> {
        self.0 += 1;
        Mixtures.plan_watched(problem, watch)
    }

    fn certify(&mut self, problem: &Problem, verdict: &Verdict) -> Result<Certificate> {
        Mixtures.certify(problem, verdict)
    }
}

#[test]
fn the_ends_of_a_frontier_of_many_corners_take_a_few_plans() {
    // 200 corners on a parabola, behind a worse policy of the least cost and a dearer one of the greatest gain.
    let place = |i: usize| (i as f64 / 100.0 * (4.0 - i as f64 / 100.0), [i as f64 / 100.0]);
    let hull: Vec<(f64, [f64; 1])> = (0..=200).map(place).collect();
    let ties: [(f64, [f64; 1]); 2] = [(-1.0, [0.0]), (4.0, [3.0])];
    let all: Vec<(f64, &[f64])> = ties.iter().chain(&hull).map(|(r, c)| (*r, &c[..])).collect();
    let model = one_state(&all, &[0.5]);
    let (problem, mut go_on) = (Problem::average(&model), |_: &Progress| ControlFlow::Continue(()));
    let mut planner = Counting(0);
    let (first, last) = frontier_ends(&mut planner, &problem, 0, &mut go_on).unwrap().unwrap();
    assert_eq!(((first.budget, first.gain), (last.budget, last.gain)), ((0.0, 0.0), (2.0, 4.0)));
    assert!(planner.0 <= 8, "{} plans", planner.0);
    let mut watch = |_: &Progress| ControlFlow::Break(());
    let mut unsure = Unsure { gap: 0.0, ended: Ended::Proved, sure: 0 };
    assert!(matches!(frontier_ends(&mut unsure, &problem, 0, &mut watch), Err(Error::Stopped { .. })));
}

proptest! {
    #[test]
    fn the_ends_are_those_of_the_whole_frontier(
        actions in proptest::collection::vec((-3i32..4, 0i32..8), 1..12),
    ) {
        let costs: Vec<[f64; 1]> = actions.iter().map(|a| [f64::from(a.1) / 4.0]).collect();
        let list: Vec<(f64, &[f64])> = actions.iter().zip(&costs).map(|(a, c)| (f64::from(a.0), &c[..])).collect();
        let model = one_state(&list, &[0.5]);
        let whole = points(&model, 0);
        let mut go_on = |_: &Progress| ControlFlow::Continue(());
        let (first, last) = frontier_ends(&mut Mixtures, &Problem::average(&model), 0, &mut go_on).unwrap().unwrap();
        let end = |at: usize| (whole[at].0, whole[at].1);
        prop_assert_eq!(((first.budget, first.gain), (last.budget, last.gain)), (end(0), end(whole.len() - 1)));
    }

    #[test]
    fn a_frontier_is_concave_and_no_mixture_lies_above_it(
        actions in proptest::collection::vec((-3i32..4, 0i32..8), 1..12),
    ) {
        let costs: Vec<[f64; 1]> = actions.iter().map(|a| [f64::from(a.1) / 4.0]).collect();
        let list: Vec<(f64, &[f64])> = actions.iter().zip(&costs).map(|(a, c)| (f64::from(a.0), &c[..])).collect();
        let found = points(&one_state(&list, &[0.5]), 0);
        prop_assert!(found.windows(2).all(|w| w[0].0 < w[1].0 && w[0].1 < w[1].1 && w[0].2 > w[1].2));
        prop_assert_eq!(found[0].0, costs.iter().map(|c| c[0]).fold(f64::INFINITY, f64::min));
        for (gain, cost) in list {
            let above = |w: &(f64, f64, f64)| gain > w.1 + w.2 * (cost[0] - w.0) + 1e-9;
            prop_assert!(!found.iter().any(above));
        }
        for point in &found {
            prop_assert!(actions.iter().any(|a| f64::from(a.0) == point.1 && f64::from(a.1) / 4.0 == point.0));
        }
    }
}
