//! Given these counts, the plan is this: cases of an independent implementation in Python (`tests/table1`), for learners of long-run
//! averages on the model of five states as one stationary chain.

use super::table1::{entries, numbers, read};
use super::{UcCurl, UcCurlConfig, UcrlCmdp, UcrlCmdpConfig};
use crate::learn::parts::episodic::options::Confidence;
use crate::learn::{Counts, Knowledge};
use crate::model::{Cmdp, CmdpBuilder, Task};
use crate::plan::{Optimism, Verdict};
use crate::seed::Seed;
use serde_json::Value;

/// T, and t, of all cases.
const ROUNDS: u64 = 10_000;
/// Budgets of a step.
const BUDGETS: [f64; 2] = [0.24, 0.32];

/// The model of five states with these of its costs and their budgets; pairs alternate between walk and run.
pub fn five_states(costs: &[usize], budgets: &[f64]) -> Cmdp {
    let mut model = CmdpBuilder::new(5, budgets);
    for state in 0..5 {
        let s = state as f64;
        let (walk, run): (Vec<_>, Vec<_>) = match state {
            4 => (vec![(4, 0.8), (0, 0.2)], vec![(4, 0.9), (0, 0.1)]),
            _ => (
                vec![(state + 1, 0.6), (state, 0.4)],
                vec![((state + 2).min(4), 0.7), (state, 0.1), (0, 0.2)],
            ),
        };
        let of = |runs: f64| costs.iter().map(|&i| [runs, s * s / 32.0][i]).collect::<Vec<f64>>();
        model.pair(state, &walk, 0.1 + 0.2 * s, &of(0.0)).pair(state, &run, 0.05 + 0.21 * s, &of(1.0));
    }
    model.build().unwrap()
}

/// The counts of a case, those of all steps of an episode together.
pub fn pooled(case: usize, model: &Cmdp) -> Counts {
    let cases = read("cases");
    let all = cases["cases"].as_array().unwrap();
    let found = &all.iter().find(|one| one["id"] == case).unwrap()["n"];
    let mut counts = Counts::new(model);
    for pair in 0..model.pairs() {
        let (support, _) = counts.taken_mut();
        let entries = support.entries(pair);
        let next: Vec<usize> = support.successors(entries.clone()).iter().map(|&s| s as usize).collect();
        let of = |s: &usize| -> u64 {
            let steps = found.as_array().unwrap().iter();
            steps.map(|step| step[pair / 2][pair % 2][*s].as_u64().unwrap()).sum()
        };
        let taken: Vec<u64> = next.iter().map(of).collect();
        counts.taken_mut().1[entries].copy_from_slice(&taken);
    }
    counts.tally();
    counts
}

/// The signals of a model, told.
pub fn told(model: &Cmdp) -> Knowledge {
    let signals = (0..=model.costs()).map(|k| model.signals().signal(k).to_vec()).collect();
    Knowledge { signals: Some(signals), ..Knowledge::default() }
}

fn sure(scale: f64) -> Confidence {
    Confidence { scale: Some(scale), ..Confidence::default() }
}

/// The plan of a learner for a case.
fn plan(entry: &Value, model: &Cmdp) -> Optimism {
    let (scale, tightening) = (entry["scale"].as_f64().unwrap(), entry["tightening"].as_f64().unwrap());
    let (task, knowledge) = (Task::of(model, ROUNDS), told(model));
    let counts = pooled(entry["case"].as_u64().unwrap() as usize, model);
    let mut rng = Seed(1).rng("none");
    if entry["set"] == "box" {
        let config = UcrlCmdpConfig {
            confidence: sure(scale),
            margins: vec![tightening; model.costs()],
            ..Default::default()
        };
        return UcrlCmdp::new(&config, &task, &knowledge).unwrap().optimism(&counts, &mut rng).unwrap();
    }
    let config = UcCurlConfig { confidence: sure(scale), ..Default::default() };
    let mut learner = UcCurl::new(&config, &task, &knowledge).unwrap();
    learner.believe(&counts, ROUNDS, &mut rng).unwrap();
    learner.optimism(tightening).unwrap()
}

#[test]
fn plans_over_boxes_and_balls_have_the_values_of_the_extended_program() {
    let entries = entries("average_extended_lp");
    assert_eq!(entries.len(), 168);
    for entry in &entries {
        let costs: Vec<usize> = numbers(&entry["costs"]).iter().map(|&i| i as usize).collect();
        let budgets: Vec<f64> = costs.iter().map(|&i| BUDGETS[i]).collect();
        match plan(entry, &five_states(&costs, &budgets)).verdict {
            Verdict::Optimal(plan) => {
                let expected = entry["value"].as_f64().unwrap_or(f64::NAN);
                assert!((plan.value.reward - expected).abs() < 1e-7, "{entry}: {}", plan.value.reward);
            }
            Verdict::Infeasible(found) => {
                assert_eq!(entry["status"], "infeasible", "{entry}: infeasible by {}", found.violation);
            }
        }
    }
}
