//! Fixed counts on a model of five states, and what an independent implementation makes of them.
//!
//! The files in `tests/table1` were computed by a Python implementation (NumPy, HiGHS, cvxpy) that was written from the
//! algorithms' formulas and is not the authors' code; `tests/table1/README.md` says what they hold.

use crate::learn::Knowledge;
use crate::learn::parts::episodic::estimates::Estimates;
use crate::model::{Cmdp, CmdpBuilder, Task};
use crate::plan::Plan;
use serde_json::Value;

/// The entries of a file.
pub fn entries(file: &str) -> Vec<Value> {
    list(&read(file)["entries"]).to_vec()
}

/// A file of `tests/table1`.
pub fn read(file: &str) -> Value {
    let path = format!("{}/tests/table1/{file}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

pub fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// All numbers of nested lists, in order.
pub fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(values) => values.iter().flat_map(numbers).collect(),
        other => vec![number(other)],
    }
}

/// The model as episodes, with its first costs.
pub fn model(costs: usize) -> Cmdp {
    let given = &read("cases")["model"];
    let budgets = &numbers(&given["budgets"])[..costs];
    let mut model = CmdpBuilder::new(5, budgets);
    for state in 0..5 {
        for action in 0..2 {
            let row = numbers(&given["kernel"][state][action]);
            let row: Vec<(usize, f64)> = row.into_iter().enumerate().filter(|&(_, p)| p > 0.0).collect();
            let cost = |i: usize| number(&given["costs"][i][state][action]);
            let costs: Vec<f64> = (0..costs).map(cost).collect();
            model.pair(state, &row, number(&given["reward"][state][action]), &costs);
        }
    }
    model.build().unwrap().layered(5).unwrap()
}

/// The task of 1000 episodes, and the true signals.
pub fn task(costs: usize) -> (Task, Knowledge) {
    let model = model(costs);
    let signals = (0..=costs).map(|k| model.signals().signal(k).to_vec()).collect();
    (Task::of(&model, 5000), Knowledge { signals: Some(signals), ..Knowledge::default() })
}

/// Takes in the counts of a case.
pub fn fill(estimates: &mut Estimates, case: &Value) {
    let cases = read("cases");
    let case = list(&cases["cases"]).iter().find(|one| one["id"] == *case).unwrap();
    let (arrivals, rewards) = (numbers(&case["n"]), numbers(&case["R"]));
    let costs: Vec<Vec<f64>> = list(&case["C"]).iter().map(numbers).collect();
    for row in 0..estimates.rows() {
        let arrivals: Vec<u64> = arrivals[row * 5..(row + 1) * 5].iter().map(|&n| n as u64).collect();
        let of_costs = costs[..estimates.costs()].iter().map(|sums| sums[row]);
        let sums: Vec<f64> = std::iter::once(rewards[row]).chain(of_costs).collect();
        estimates.set_row(row, &arrivals, &sums);
    }
}

/// The probability of the second action in every state of every stage.
pub fn second_action(policy: &[f64]) -> Vec<f64> {
    policy.chunks_exact(2).map(|row| row[1]).collect()
}

/// What a policy comes to in the true model.
pub fn true_values(policy: &[f64], costs: usize) -> Vec<f64> {
    let model = model(costs);
    let mut values = vec![vec![0.0; model.states()]; costs + 1];
    for state in (0..model.states()).rev() {
        for (k, values) in values.iter_mut().enumerate() {
            let worth = |pair: usize| {
                let onward = if state >= 20 { 0.0 } else { model.kernel().row(pair).dot(values) };
                policy[pair] * (model.signals().signal(k)[pair] + onward)
            };
            values[state] = model.pairs_of(state).map(worth).sum();
        }
    }
    values.iter().map(|values| values[0]).collect()
}

/// Whether two numbers agree to 1e-7, the larger one's size at least 1.
pub fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-7 * (1.0 + expected.abs())
}

/// That all numbers of a list agree with those of a file.
#[track_caller]
pub fn assert_close(found: &[f64], expected: &Value, what: &str) {
    let expected = numbers(expected);
    assert_eq!(found.len(), expected.len(), "{what}");
    for (i, (&found, &expected)) in found.iter().zip(&expected).enumerate() {
        assert!(close(found, expected), "{what}, number {i}: {found}, expected {expected}");
    }
}

/// That a plan is the one of a file, if the file says that there is only one: its occupancy, which may vary by 1e-5, and its prices.
#[track_caller]
pub fn assert_same_plan(plan: &Plan, entry: &Value, what: &str) {
    if entry["unique"] != true {
        return;
    }
    let expected = numbers(&entry["occupancy"]);
    let far = plan.occupancy.iter().zip(&expected).find(|(a, b)| (*a - *b).abs() > 2e-5);
    assert!(far.is_none(), "{what}: {far:?}");
    for (found, expected) in plan.prices.iter().zip(numbers(&entry["prices"])) {
        assert!(
            (found - expected).abs() <= 1e-6 * (1.0 + expected.abs()),
            "{what}: {found}, expected {expected}"
        );
    }
}
