//! Every planner finds the values that independent solvers found, and its policies attain them.

use crate::attained::attained;
use occupancy::model::Cmdp;
use occupancy::model::Origin;
use occupancy::model::drn::{self, DrnSignals};
use occupancy::plan::Problem;
use occupancy::plan::{OffSupport, PlannerConfig, PlannerKind, Verdict, frontier};
use serde_json::Value;
use std::path::{Path, PathBuf};

struct Case {
    name: String,
    model: Cmdp,
    /// The scopes that the source answers, and its answers; `None` is infeasible.
    answers: Vec<(Origin, Option<f64>)>,
}

fn cases(folder: &str, models: &str, scopes: &[(&str, Origin)]) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let text = std::fs::read_to_string(folder.join("expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&text).unwrap();
    let case = |(name, case): (&String, &Value)| {
        let budgets = case["budgets"].as_object().unwrap();
        let mut costs: Vec<(String, f64)> =
            budgets.iter().map(|(c, b)| (c.clone(), b.as_f64().unwrap())).collect();
        costs.sort_by(|a, b| a.0.cmp(&b.0));
        let path: PathBuf = folder.join(models).join(case["model"].as_str().unwrap());
        let model = drn::read(&path, &DrnSignals { reward: Some("r".into()), costs }).unwrap();
        let answers = scopes.iter().map(|&(key, from)| (from, case[key].as_f64())).collect();
        Case { name: name.clone(), model, answers }
    };
    expected.as_object().unwrap().iter().map(case).collect()
}

fn check(case: &Case, kind: PlannerKind, tolerance: f64, gap: f64) -> Vec<String> {
    let mut wrong = Vec::new();
    let model = &case.model;
    for &(from, expected) in &case.answers {
        let mut say = |what: String| wrong.push(format!("{} {from:?} {kind:?}: {what}", case.name));
        let mut planner = PlannerConfig { kind, off_support: OffSupport::Pinned }.build();
        let close = |k: usize, x: f64, y: f64| (x - y).abs() <= 1e-8 * model.signals().size(k).max(1.0);
        match (planner.plan(&Problem::average(model).counted_from(from)), expected) {
            (Ok(Verdict::Optimal(plan)), Some(value)) => {
                if (plan.value.reward - value).abs() > tolerance {
                    say(format!("gain {} instead of {value}", plan.value.reward));
                }
                let size = model.signals().size(0).max(1e-300);
                if !(plan.gap <= gap * size && plan.gap >= 0.0) {
                    say(format!("gap {:e}", plan.gap));
                }
                let found = attained(model, from, &plan.policies, &plan.occupancy);
                let stated = std::iter::once(plan.value.reward).chain(plan.value.costs.iter().copied());
                for (k, (x, y)) in found.iter().zip(stated).enumerate() {
                    if !close(k, *x, y) {
                        say(format!("signal {k} is stated as {y}, attained {x}"));
                    }
                }
                if plan.policies.len() > 1 + model.costs() {
                    say(format!("{} policies for {} costs", plan.policies.len(), model.costs()));
                }
                for (i, cost) in plan.value.costs.iter().enumerate() {
                    if *cost > model.budgets()[i] + 2e-9 * model.signals().size(i + 1) {
                        say(format!("cost {i} is {cost}, budget {}", model.budgets()[i]));
                    }
                }
            }
            (Ok(Verdict::Infeasible(nearest)), None) => {
                let found = attained(model, from, &nearest.policies, &nearest.occupancy);
                let violation =
                    |i: usize| (found[i + 1] - model.budgets()[i]) / model.signals().size(i + 1).max(1e-12);
                let most = (0..model.costs()).map(violation).fold(f64::NEG_INFINITY, f64::max);
                if (most - nearest.violation).abs() > 1e-8 * most.max(1.0) {
                    say(format!("violation stated as {}, attained {most}", nearest.violation));
                }
            }
            (Ok(Verdict::Optimal(plan)), None) => {
                say(format!("gain {} instead of infeasible", plan.value.reward))
            }
            (Ok(Verdict::Infeasible(found)), Some(value)) => {
                say(format!("violation {} instead of gain {value}", found.violation));
            }
            (Err(error), _) => say(error.to_string()),
        }
    }
    wrong
}

fn all_cases() -> Vec<Case> {
    let mut all = cases("golden", ".", &[("value", Origin::Start)]);
    all.extend(cases("reference", "models", &[("start", Origin::Start), ("anywhere", Origin::Anywhere)]));
    all
}

fn check_all(kind: PlannerKind, tolerance: f64, gap: f64) {
    let cases = all_cases();
    assert!(cases.len() > 200, "only {} cases", cases.len());
    let wrong: Vec<String> = cases.iter().flat_map(|case| check(case, kind, tolerance, gap)).collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_price_search_finds_every_reference_value() {
    check_all(PlannerKind::Prices, 1e-7, 1e-9);
}

#[test]
fn the_price_search_by_value_iteration_finds_every_reference_value() {
    check_all(PlannerKind::PricesByValueIteration, 1e-7, 1e-7);
}

#[test]
fn the_linear_program_finds_every_reference_value() {
    check_all(PlannerKind::Lp, 1e-7, 1e-7);
}

/// What a frontier proves holds the values that other solvers found, each to its own tolerance.
#[test]
fn frontiers_are_proved_around_every_reference_value() {
    let mut asked = 0;
    for Case { name, model, answers } in all_cases().iter().filter(|case| case.model.costs() == 1) {
        let (from, expected) = answers[0];
        let found =
            frontier(&mut *PlannerConfig::default().build(), &Problem::average(model).counted_from(from), 0)
                .unwrap();
        let (budget, points) = (model.budgets()[0], &found.points);
        let slack = 1e-7 * model.signals().size(0).max(1.0);
        for (a, b) in points.iter().zip(&points[1..]) {
            // Of two corners the one that costs less earns less, and both are proved.
            assert!(a.cost_ranges[0].high < b.cost_ranges[0].low && a.gain_range.low < b.gain_range.high);
        }
        let Some(value) = expected else {
            assert!(points[0].cost_ranges[0].high > budget && found.least_cost > budget - 1e-7, "{name}");
            continue;
        };
        asked += 1;
        // Every line above a corner is above all policies; a chord between two of them is below some.
        let at = points.iter().rposition(|point| point.budget <= budget + 1e-9).unwrap();
        let (point, widest) = (&points[at], points[at..].iter().take(2).map(|point| point.gap));
        let interpolated = point.gain + point.price * (budget - point.budget).max(0.0);
        let widest = widest.fold(0.0, f64::max);
        assert!((interpolated - value).abs() <= widest + slack, "{name}: {interpolated} instead of {value}");
        assert!(widest <= 1e-6 * model.signals().size(0).max(1e-300), "{name}: {widest:e}");
    }
    assert!(asked > 50, "only {asked} cases have one cost");
}

/// Where a policy has to be drawn at the start, the two planners find their policies in different ways, so that hardly any
/// numbers agree to the last bit.
#[test]
fn the_linear_program_borrows_nothing_from_the_price_search() {
    let plan = |case: &Case, kind, from| {
        let config = PlannerConfig { kind, off_support: OffSupport::Pinned };
        match config.build().plan(&Problem::average(&case.model).counted_from(from)).unwrap() {
            Verdict::Optimal(plan) => Some(plan),
            Verdict::Infeasible(_) => None,
        }
    };
    let (mut drawn, mut same) = (0, 0);
    for case in all_cases() {
        for &(from, _) in &case.answers {
            let Some(own) = plan(&case, PlannerKind::Lp, from).filter(|plan| plan.policies.len() > 1) else {
                continue;
            };
            let other = plan(&case, PlannerKind::Prices, from).unwrap();
            drawn += 1;
            same += usize::from(own.occupancy == other.occupancy);
        }
    }
    assert!(drawn >= 10 && same < drawn / 2, "{same} of {drawn} drawn plans have the same bits");
}
