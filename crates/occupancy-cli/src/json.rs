//! Answers for programs: one JSON object, numbers as exact as they are.

use crate::solve::Answer;
use crate::source::Source;
use occupancy::plan::{From, Infeasible, Plan, Verdict};
use serde_json::{Map, Value, json};

/// The object that `solve --json` prints. Infinite budgets are null.
pub fn answer(answer: &Answer) -> String {
    let model = &answer.source.model;
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_string(), value);
    put("source", json!(answer.source.name));
    put("states", json!(model.states()));
    put("pairs", json!(model.pairs()));
    put("cost_names", json!(answer.source.costs.iter().map(|cost| &cost.name).collect::<Vec<_>>()));
    put(
        "directions",
        json!(answer.source.costs.iter().map(|cost| cost.direction.ascii()).collect::<Vec<_>>()),
    );
    put("budgets", shown(answer.source, model.budgets()));
    put("planner", json!(answer.planner));
    let (scope, state) = match answer.from {
        From::Start => ("start", None),
        From::Anywhere => ("anywhere", None),
        From::State(state) => ("state", Some(model.names().state(state))),
    };
    put("scope", json!(scope));
    if let Some(state) = state {
        put("from_state", json!(state));
    }
    put("seconds", json!(answer.seconds));
    match &answer.verdict {
        Verdict::Optimal(plan) => optimal(answer.source, plan, &mut put),
        Verdict::Infeasible(found) => infeasible(answer.source, found, &mut put),
    }
    put("policies", policies(answer));
    put("occupancy", json!(answer.occupancy()));
    line(&Value::Object(object))
}

/// A value as a line of text.
pub fn line(value: &Value) -> String {
    format!("{value}\n")
}

fn optimal(source: &Source, plan: &Plan, put: &mut dyn FnMut(&str, Value) -> Option<Value>) {
    put("verdict", json!("optimal"));
    put("gain", json!(plan.gain));
    put("costs", shown(source, &plan.costs));
    put("prices", json!(plan.prices));
    put("gap", json!(plan.gap));
    put("classes", json!(plan.classes));
}

fn infeasible(source: &Source, found: &Infeasible, put: &mut dyn FnMut(&str, Value) -> Option<Value>) {
    put("verdict", json!("infeasible"));
    put("violation", json!(found.violation));
    put("least_costs", shown(source, &found.least_costs));
    for key in ["gain", "costs", "prices", "gap", "classes"] {
        put(key, Value::Null);
    }
}

/// Values by cost in their original signs.
fn shown(source: &Source, values: &[f64]) -> Value {
    json!(values.iter().enumerate().map(|(i, &x)| source.shown(i, x)).collect::<Vec<f64>>())
}

fn policies(answer: &Answer) -> Value {
    let model = &answer.source.model;
    let entries = answer.policies().iter().map(|one| {
        let probabilities = one.policy.probabilities();
        let rows: Vec<&[f64]> =
            (0..model.states()).map(|state| &probabilities[model.pairs_of(state)]).collect();
        json!({ "weight": one.weight, "rows": rows })
    });
    entries.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    fn parsed(source: &Source, verdict: Verdict) -> Value {
        let text =
            super::answer(&Answer { source, verdict, planner: "lp", from: From::State(3), seconds: 0.5 });
        assert_eq!(text.lines().count(), 1);
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn numbers_come_back_as_they_were() {
        let source = fixture::rover();
        let mut plan = fixture::rover_plan(&source.model);
        plan.gain = -0.1 - 0.2;
        let value = parsed(&source, Verdict::Optimal(plan.clone()));
        assert_eq!(value["gain"].as_f64(), Some(plan.gain));
        let occupancy: Vec<f64> =
            value["occupancy"].as_array().unwrap().iter().filter_map(Value::as_f64).collect();
        assert_eq!(occupancy, plan.occupancy);
        assert_eq!(
            (value["verdict"].as_str(), value["from_state"].as_str()),
            (Some("optimal"), Some("(1, 4)"))
        );
        let rows = value["policies"][0]["rows"].as_array().unwrap();
        assert_eq!((rows.len(), rows[14].as_array().unwrap().len()), (16, 4));
    }

    #[test]
    fn an_infinite_budget_is_null() {
        let mut source = fixture::rover();
        source.model = source.model.with_budgets(&[f64::INFINITY]).unwrap();
        let plan = fixture::rover_plan(&source.model);
        assert_eq!(parsed(&source, Verdict::Optimal(plan))["budgets"], json!([null]));
    }

    #[test]
    fn infeasible_has_the_least_costs_and_no_gain() {
        let source = fixture::rover();
        let value = parsed(&source, Verdict::Infeasible(fixture::rover_infeasible(&source.model)));
        assert_eq!(value["verdict"], "infeasible");
        assert_eq!(
            (&value["least_costs"], &value["violation"], &value["gain"]),
            (&json!([0.0]), &json!(0.1), &Value::Null)
        );
    }
}
