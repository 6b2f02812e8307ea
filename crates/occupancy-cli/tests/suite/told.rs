//! Learners that have to be told something: what they are told is used, and what is missing is asked for.

use crate::program::{folder, json, path, refused};
use serde_json::Value;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn every_learner_runs_under_every_preset() {
    for learner in json(&["learners", "--json"]).as_array().unwrap() {
        let name = learner["name"].as_str().unwrap();
        let options: Vec<&str> =
            learner["options"].as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
        let told = [
            ("baseline", "uniform"),
            ("baseline_cost", "0.1"),
            ("rho", "2"),
            ("gap", "0.1"),
            ("span", "1"),
            ("t_mix", "2"),
            ("t_hit", "2"),
        ];
        let told = told.iter().filter(|(option, _)| options.contains(option) && name != "psrl-lagrangian");
        let told: Vec<String> =
            told.flat_map(|(option, value)| ["--set".into(), format!("{option}={value}")]).collect();
        for preset in ["published", "paper", "sound", "theory"] {
            let mut args =
                vec!["learn", "marsrover-4x4", name, "--preset", preset, "--rounds", "60", "--json"];
            if learner["setting"] == "episodes" {
                args.extend(["--horizon", "3"]);
            }
            args.extend(told.iter().map(String::as_str));
            assert!(number(&json(&args)["average_reward"]) <= 0.0, "{name} {preset}");
        }
    }
}

const E5: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/e5.cmdp");

#[test]
fn what_a_learner_has_to_know_is_asked_for_at_once() {
    let refused = |args: &[&str]| refused(&[&["learn", E5], args].concat());
    let no_episodes = refused(&["optcmdp"]);
    assert!(
        no_episodes.contains("optcmdp learns in episodes: give their length by --horizon H"),
        "{no_episodes}"
    );
    let no_price = refused(&["optdual", "--horizon", "5"]);
    assert!(no_price.contains("optdual has to know how large prices may become: give rho"), "{no_price}");
    let two_costs = refused(&["triple-q", "--horizon", "5"]);
    assert!(
        two_costs.contains("triple-q takes one cost with a budget, but the model has 2 costs"),
        "{two_costs}"
    );
}

/// A safe policy is a table as `solve --policy` writes it; the learner that follows it to the end costs what it costs.
#[test]
fn a_baseline_is_read_from_a_table() {
    let folder = folder("baseline");
    let (model, policy) = (path(&folder, "one.cmdp"), path(&folder, "safe.csv"));
    std::fs::write(&model, "cost c <= 0.9\nstate a\n  safe reward 0.2 -> a\n  pays reward 1 c 1 -> a\n")
        .unwrap();
    std::fs::write(&policy, "state,action,probability\na,safe,0.75\na,pays,0.25\n").unwrap();
    let baseline = format!("baseline={policy}");
    let args =
        ["learn", &model, "dope", "--horizon", "2", "--episodes", "20", "--preset", "theory", "--json"];
    let told = ["--set", &baseline, "--set", "baseline_cost=0.5", "--set", "baseline_episodes=20"];
    let found = json(&[&args[..], &told].concat());
    // The budget of an episode is 0.9, of which the policy takes 2 · 0.25; the optimum is 0.4 + 0.9 · 0.8.
    assert!((number(&found["value_violation"][0]["signed"]) - 20.0 * (0.5 - 0.9)).abs() < 1e-9);
    assert!((number(&found["value_regret"]["signed"]) - 20.0 * (0.4 + 0.72 - 0.8)).abs() < 1e-9, "{found}");
    let missing =
        refused(&[&args[..], &["--set", "baseline=none.csv", "--set", "baseline_cost=0.5"]].concat());
    assert!(missing.contains("none.csv: "), "{missing}");
}
