//! The golden models are read as they say they are, and every question about them fits its model.

use occupancy::model::drn::{self, DrnSignals};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn files() -> Vec<PathBuf> {
    let all = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    all.filter(|path| path.extension().is_some_and(|extension| extension == "drn")).collect()
}

/// The line after a section's name.
fn section<'a>(text: &'a str, name: &str) -> &'a str {
    text.lines().skip_while(|&line| line != name).nth(1).unwrap()
}

fn costs_of(text: &str) -> Vec<(String, f64)> {
    let names = section(text, "@reward_models").split_whitespace();
    names.filter(|&name| name != "r").map(|name| (name.to_string(), 1.0)).collect()
}

#[test]
fn every_model_has_the_counts_that_it_states() {
    assert_eq!(files().len(), 7);
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let costs = costs_of(&text);
        let model = drn::read(&path, &DrnSignals { reward: None, costs: costs.clone() }).unwrap();
        assert_eq!(model.states().to_string(), section(&text, "@nr_states"), "{path:?}");
        assert_eq!(model.pairs().to_string(), section(&text, "@nr_choices"), "{path:?}");
        assert_eq!(model.costs(), costs.len(), "{path:?}");
        assert_eq!(model.start(), [(0, 1.0)], "{path:?}");
        let transitions = text.lines().filter(|line| line.contains(" : ")).count();
        let positive: usize = (0..model.pairs()).map(|pair| model.kernel().row(pair).iter().count()).sum();
        assert_eq!(positive, transitions, "{path:?}");
    }
}

#[test]
fn every_question_fits_its_model() {
    let text = std::fs::read_to_string(folder().join("expected.json")).unwrap();
    let questions: Value = serde_json::from_str(&text).unwrap();
    for (name, question) in questions.as_object().unwrap() {
        let budgets = question["budgets"].as_object().unwrap().iter();
        let costs: Vec<(String, f64)> =
            budgets.map(|(cost, budget)| (cost.clone(), budget.as_f64().unwrap())).collect();
        let path = folder().join(question["model"].as_str().unwrap());
        let all = costs_of(&std::fs::read_to_string(&path).unwrap());
        assert_eq!(costs.len(), all.len(), "{name}");
        let model = drn::read(path, &DrnSignals { reward: Some("r".into()), costs: costs.clone() }).unwrap();
        assert!(model.budgets().iter().zip(&costs).all(|(budget, cost)| *budget == cost.1), "{name}");
    }
}

#[test]
fn the_smallest_model_is_read_entry_by_entry() {
    let signals = DrnSignals { reward: None, costs: vec![("c0".into(), 0.5)] };
    let model = drn::read(folder().join("commit.drn"), &signals).unwrap();
    assert_eq!(model.signals().reward(), [1.0, 0.0, 0.0]);
    assert_eq!(model.signals().cost(0), [1.0, 0.0, 0.0]);
    let rows: Vec<Vec<(usize, f64)>> = (0..3).map(|pair| model.kernel().row(pair).iter().collect()).collect();
    assert_eq!(rows, [[(0, 1.0)], [(1, 1.0)], [(1, 1.0)]]);
    assert_eq!((model.pairs_of(0), model.pairs_of(1)), (0..2, 2..3));
}
