//! Environments of the literature have the optima that an independent solver (HiGHS) found.
//!
//! `tests/table1/environments.py` writes every model down a second time, in Python, and solves it as one linear program.

use occupancy::env::{Env, EnvConfig};
use occupancy::model::{Cmdp, Criterion, text};
use occupancy::plan::{OffSupport, Planner, PriceSearch, Problem, Verdict};
use serde_json::Value;
use std::path::Path;

fn stored() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/table1/environments.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn environment(name: &str, options: &[(&str, &str)]) -> Env {
    let options: Vec<_> = options.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    EnvConfig::from_options(name, &options).unwrap().build().unwrap()
}

fn gain(model: &Cmdp, criterion: Criterion) -> f64 {
    match PriceSearch::new(OffSupport::Pinned).plan(&Problem::new(model, criterion)).unwrap() {
        Verdict::Optimal(plan) => plan.value.reward,
        Verdict::Infeasible(found) => panic!("infeasible by {}", found.violation),
    }
}

/// The optimum by what is asked of an environment: an episode, and the same as averages of its model of stages.
fn optima(env: &Env) -> Vec<f64> {
    let average = gain(&env.model, Criterion::Average);
    match &env.episodes {
        None => vec![average],
        Some(episodes) => {
            let sum = gain(&episodes.model, Criterion::Episodes { horizon: episodes.horizon });
            vec![sum, average * episodes.horizon as f64]
        }
    }
}

#[test]
fn every_environment_has_its_optimum() {
    let stored = stored();
    for (key, name, options) in [
        ("media", "media", &[][..]),
        ("media without a budget", "media", &[("budget", "inf")]),
        ("inventory", "inventory", &[]),
        ("inventory by successors", "inventory", &[("weights", "successor")]),
        ("job-scheduling", "job-scheduling", &[]),
        ("needle", "needle", &[]),
        ("needle of 5", "needle", &[("length", "5")]),
        ("two-state", "two-state", &[]),
        ("wireless-queue of 5", "wireless-queue", &[("capacity", "5")]),
        ("wireless-queue of 10", "wireless-queue", &[]),
        ("wireless-queue of 20", "wireless-queue", &[("capacity", "20")]),
    ] {
        let expected = stored[key].as_f64().unwrap();
        for found in optima(&environment(name, options)) {
            assert!((found - expected).abs() < 1e-8, "{key}: {found} instead of {expected}");
        }
    }
}

#[test]
fn the_two_states_leave_hardly_any_room_below_the_budget() {
    let least = stored()["least cost of two-state"].as_f64().unwrap();
    let env = |budget: f64| environment("two-state", &[("budget", &budget.to_string())]).model;
    gain(&env(least + 1e-6), Criterion::Average);
    let below = env(least - 1e-6);
    let verdict = PriceSearch::new(OffSupport::Pinned).plan(&Problem::average(&below)).unwrap();
    assert!(matches!(verdict, Verdict::Infeasible(_)));
}

#[test]
fn the_example_of_five_states_has_its_optima() {
    let stored = stored();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/e5.cmdp");
    let model = text::parse(&std::fs::read_to_string(path).unwrap()).unwrap();
    let none = f64::INFINITY;
    for (key, budgets) in
        [("no", [none, none]), ("cost0", [1.2, none]), ("cost1", [none, 0.8]), ("both", [1.2, 0.8])]
    {
        let expected = stored[format!("e5 within {key} budgets")].as_f64().unwrap();
        let model = model.clone().with_budgets(&budgets).unwrap();
        let found = gain(&model, Criterion::Episodes { horizon: 5 });
        assert!((found - expected).abs() < 1e-9, "{key}: {found} instead of {expected}");
    }
    assert_eq!(model.budgets(), [1.2, 0.8]);
}

#[test]
fn a_garnet_of_stages_has_its_optimum_by_averages_and_by_backward_induction() {
    let options = [("states", "4"), ("actions", "3"), ("horizon", "5"), ("costs", "2"), ("seed", "7")];
    let env = environment("garnet", &options);
    // `occupancy export` of its model of stages, solved by HiGHS.
    let expected = 3.712699830133696;
    let found = optima(&env);
    assert!(found.iter().all(|found| (found - expected).abs() < 1e-8), "{found:?}");
}
