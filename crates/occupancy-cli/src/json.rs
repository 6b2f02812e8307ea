//! Answers for programs: one JSON object, numbers as exact as they are.
//!
//! The tables of a large model are written row by row: as a tree of values they would take many times their size.

pub mod evaluate;
pub mod learn;

use crate::solve::Answer;
use crate::source::Source;
use crate::watch::Stopped;
use occupancy::arithmetic::Interval;
use occupancy::model::{Cmdp, Criterion, Origin};
use occupancy::plan::{Evaluations, Infeasible, Plan, Verdict};
use occupancy::verify::missed;
use occupancy_lab::report::without_controls;
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// Above this many states, policies and occupancy are left out unless asked for.
const MOST_STATES: usize = 10_000;

/// What an answer is written with, besides its numbers.
#[derive(Clone, Debug, Default)]
pub struct Content {
    /// Policies and occupancy, however large the model is.
    pub full: bool,
    /// The vectors that prove it; policies belong to them.
    pub witness: bool,
    /// The hash of the model, if it is known already.
    pub model_hash: Option<String>,
}

/// Writes the object that `solve --json` prints. Infinite numbers are null.
pub fn write(answer: &Answer, content: &Content, out: &mut dyn Write) -> io::Result<()> {
    let full = content.full || content.witness || answer.source.model.states() <= MOST_STATES;
    let mut head = numbers(answer, content);
    head.insert("full".into(), json!(full));
    let head = text(&Value::Object(head));
    // The object is closed once its tables are written.
    write!(out, "{}", head.strip_suffix('}').unwrap_or(&head))?;
    if full {
        out.write_all(b",\"state_names\":")?;
        write_names(answer, out)?;
        out.write_all(b",\"policies\":")?;
        write_policies(answer, out)?;
        out.write_all(b",\"occupancy\":")?;
        serde_json::to_writer(&mut *out, &*answer.occupancy())?;
    } else {
        out.write_all(b",\"state_names\":null,\"action_names\":null,\"policies\":null,\"occupancy\":null")?;
    }
    if let Some(certificate) = answer.certificate.as_ref().filter(|_| content.witness) {
        out.write_all(b",\"witness\":")?;
        serde_json::to_writer(&mut *out, &certificate.witness)?;
    }
    out.write_all(b"}\n")
}

/// Everything but the tables.
fn numbers(answer: &Answer, content: &Content) -> Map<String, Value> {
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
    // A cost with a lower bound stands negated in the proof: −c ≤ −τ.
    put(
        "cost_signs",
        json!(answer.source.costs.iter().map(|cost| cost.direction.shown(1.0)).collect::<Vec<_>>()),
    );
    put("budgets", shown(answer.source, model.budgets()));
    put("criterion", json!(answer.criterion.name()));
    match &answer.criterion {
        Criterion::Discounted { factor } => drop(put("discount", json!(factor))),
        Criterion::Episodes { horizon } => drop(put("horizon", json!(horizon))),
        Criterion::Until { states } => {
            let names: Vec<String> = states.iter().map(|&state| model.names().state(state)).collect();
            put("until", json!(names));
        }
        _ => {}
    }
    put("reward", json!(answer.source.reward));
    if answer.source.normalise {
        put("normalise", json!(true));
    }
    // What an environment has of its own need not be said.
    let given = answer.source.options.iter().filter(|(_, value)| value != "own");
    put("options", given.map(|(key, value)| (key.clone(), json!(value))).collect());
    put("model_hash", json!(content.model_hash.clone().unwrap_or_else(|| model.fingerprint())));
    put("planner", json!(answer.planner));
    let (scope, state) = scope(model, answer.from);
    put("scope", json!(scope));
    if let Some(state) = state {
        put("from_state", json!(state));
    }
    put("seconds", json!(answer.seconds));
    let Evaluations { switched, left_out, out_of_sweeps, iterations } = answer.evaluations();
    let evaluations = json!({
        "switched": switched, "left_out": left_out, "out_of_sweeps": out_of_sweeps, "iterations": iterations,
    });
    put("evaluations", evaluations);
    put("stopped", json!(answer.stopped.map(Stopped::name)));
    put("warnings", json!(answer.warnings));
    if let Some(found) = &answer.deterministic {
        put("deterministic", json!(true));
        // Infinite, and so null, while no policy is known.
        put("gap_deterministic", json!(found.gap));
        put("gain_with_lotteries", json!(found.with_lotteries));
    }
    match &answer.verdict {
        Verdict::Optimal(plan) => within_budgets(answer, plan, &mut put),
        Verdict::Infeasible(found) => infeasible(answer, found, &mut put),
    }
    object
}

/// Where the long run is counted from: the word, and the state's name if it is one.
fn scope(model: &Cmdp, from: Origin) -> (&'static str, Option<String>) {
    match from {
        Origin::Start => ("start", None),
        Origin::Anywhere => ("anywhere", None),
        Origin::State(state) => ("state", Some(model.names().state(state))),
    }
}

/// A value as a line of text.
pub fn line(value: &Value) -> String {
    format!("{}\n", text(value))
}

/// A value as JSON without any control character.
pub fn text(value: &Value) -> String {
    without_controls(&value.to_string())
}

fn within_budgets(answer: &Answer, plan: &Plan, put: &mut dyn FnMut(&str, Value) -> Option<Value>) {
    // A search that was stopped, or gave up, has not proved its plan the best one.
    put("verdict", json!(if answer.is_proved(plan) { "optimal" } else { "feasible" }));
    put("gain", json!(plan.value.reward));
    put("costs", shown(answer.source, &plan.value.costs));
    put("prices", json!(plan.prices));
    put("gap", json!(plan.gap));
    if let Some(certificate) = &answer.certificate {
        let proof = &certificate.proof;
        put("gain_range", json!([proof.gain.low, proof.gain.high]));
        put("cost_ranges", ranges(answer.source, &proof.costs));
        let missed = proof.costs.iter().enumerate().map(|(i, &cost)| missed(&answer.source.model, i, cost));
        put("budgets_missed_by", json!(missed.collect::<Vec<f64>>()));
    }
    put("gap_relative", json!(answer.relative_gap()));
    put("classes", json!(plan.classes));
}

fn infeasible(answer: &Answer, found: &Infeasible, put: &mut dyn FnMut(&str, Value) -> Option<Value>) {
    let source = answer.source;
    put("verdict", json!("infeasible"));
    put("violation", json!(found.violation));
    put("least_costs", shown(source, &found.least_costs));
    if let Some(certificate) = &answer.certificate {
        put("least_cost_ranges", ranges(source, &certificate.proof.costs));
    }
    for key in ["gain", "costs", "prices", "gap", "gap_relative", "classes", "gain_range", "cost_ranges"] {
        put(key, Value::Null);
    }
}

/// Ranges by cost in their original signs.
pub fn shown_ranges(source: &Source, ranges: &[Interval]) -> Vec<Interval> {
    let shown = |(i, range): (usize, &Interval)| {
        let (one, other) = (source.shown(i, range.low), source.shown(i, range.high));
        if one <= other { Interval { low: one, high: other } } else { Interval { low: other, high: one } }
    };
    ranges.iter().enumerate().map(shown).collect()
}

/// The same, as lists of their ends.
fn ranges(source: &Source, ranges: &[Interval]) -> Value {
    json!(shown_ranges(source, ranges).into_iter().map(Interval::ends).collect::<Vec<_>>())
}

/// Values by cost in their original signs.
fn shown(source: &Source, values: &[f64]) -> Value {
    json!(values.iter().enumerate().map(|(i, &x)| source.shown(i, x)).collect::<Vec<f64>>())
}

/// The names of the states, and under the next key those of the actions of each.
fn write_names(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    let model = &answer.source.model;
    out.write_all(b"[")?;
    for state in 0..model.states() {
        out.write_all(if state > 0 { b"," } else { b"" })?;
        write_name(&model.names().state(state), out)?;
    }
    out.write_all(b"],\"action_names\":[")?;
    for state in 0..model.states() {
        out.write_all(if state > 0 { b",[" } else { b"[" })?;
        for (index, name) in model.action_names(state).enumerate() {
            out.write_all(if index > 0 { b"," } else { b"" })?;
            write_name(&name, out)?;
        }
        out.write_all(b"]")?;
    }
    out.write_all(b"]")
}

/// A name as a text of JSON; most have nothing that would have to be escaped.
fn write_name(name: &str, out: &mut dyn Write) -> io::Result<()> {
    let is_plain = |byte: u8| (b' '..=b'~').contains(&byte) && byte != b'"' && byte != b'\\';
    if name.bytes().all(is_plain) {
        write!(out, "\"{name}\"")
    } else {
        out.write_all(text(&json!(name)).as_bytes())
    }
}

/// A list of objects with a weight, and a row of probabilities for every state; from anywhere, with the state that the policy
/// is counted from.
fn write_policies(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    let model = &answer.source.model;
    out.write_all(b"[")?;
    for (i, part) in answer.parts().iter().enumerate() {
        let one = &answer.policies()[part.policy];
        let comma = if i > 0 { "," } else { "" };
        write!(out, "{comma}{{\"weight\":{}", json!(part.weight))?;
        if let Some(state) = part.from {
            write!(out, ",\"from_state\":{}", json!(model.names().state(state)))?;
        }
        if let Criterion::Episodes { .. } = answer.criterion {
            out.write_all(b",\"stages\":[")?;
            for stage in 0..one.policy.stages() {
                out.write_all(if stage > 0 { b",[" } else { b"[" })?;
                write_rows(model, one.policy.table(stage), out)?;
                out.write_all(b"]")?;
            }
        } else {
            out.write_all(b",\"rows\":[")?;
            write_rows(model, one.policy.probabilities(), out)?;
        }
        out.write_all(b"]}")?;
    }
    out.write_all(b"]")
}

/// The probabilities of every state, one list after the other.
fn write_rows(model: &Cmdp, table: &[f64], out: &mut dyn Write) -> io::Result<()> {
    for state in 0..model.states() {
        if state > 0 {
            out.write_all(b",")?;
        }
        serde_json::to_writer(&mut *out, &table[model.pairs_of(state)])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use occupancy::plan::WeightedPolicy;

    fn parsed(source: &Source, verdict: Verdict) -> Value {
        parsed_answer(&Answer {
            source,
            verdict,
            planner: "lp",
            criterion: Criterion::Average,
            from: Origin::State(3),
            seconds: 0.5,
            stopped: None,
            certificate: None,
            deterministic: None,
            warnings: Vec::new(),
        })
    }

    fn parsed_answer(answer: &Answer) -> Value {
        let mut bytes = Vec::new();
        write(answer, &Content::default(), &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.lines().count() == 1 && text.ends_with("}\n"));
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn numbers_come_back_as_they_were() {
        let source = fixture::rover();
        let mut plan = fixture::rover_plan(&source.model);
        plan.value.reward = -0.1 - 0.2;
        let value = parsed(&source, Verdict::Optimal(plan.clone()));
        assert_eq!(value["gain"].as_f64(), Some(plan.value.reward));
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
    fn a_search_that_was_stopped_says_by_what_and_claims_no_optimum() {
        let source = fixture::rover();
        let plan = Plan { gap: 0.045, ..fixture::rover_plan(&source.model) };
        let (from, stopped) = (Origin::Start, Some(Stopped::TimeLimit(0.5)));
        let verdict = Verdict::Optimal(plan);
        let answer = Answer {
            source: &source,
            verdict,
            planner: "prices",
            criterion: Criterion::Average,
            from,
            seconds: 0.5,
            stopped,
            certificate: None,
            deterministic: None,
            warnings: Vec::new(),
        };
        let value = parsed_answer(&answer);
        assert_eq!((&value["stopped"], &value["verdict"]), (&json!("time-limit"), &json!("feasible")));
        assert!(
            (value["gap_relative"].as_f64().unwrap() - 0.2).abs() < 1e-12,
            "least reward -1, gain -0.775"
        );
        let ended = parsed(&source, Verdict::Optimal(fixture::rover_plan(&source.model)));
        assert_eq!((&ended["stopped"], &ended["full"]), (&Value::Null, &json!(true)));
    }

    #[test]
    fn a_mixture_has_an_entry_for_each_policy() {
        let source = fixture::rover();
        let mut plan = fixture::rover_plan(&source.model);
        plan.policies =
            [0.25, 0.75].map(|weight| WeightedPolicy { weight, ..plan.policies[0].clone() }).to_vec();
        let value = parsed(&source, Verdict::Optimal(plan));
        let weights: Vec<&Value> =
            value["policies"].as_array().unwrap().iter().map(|one| &one["weight"]).collect();
        assert_eq!(weights, [&json!(0.25), &json!(0.75)]);
    }

    #[test]
    fn control_characters_are_escaped_and_come_back() {
        let name = json!("a\u{1b}\u{7f}\u{9b}\u{2028}b");
        assert_eq!(text(&name), "\"a\\u001b\\u007f\\u009b\u{2028}b\"");
        assert_eq!(serde_json::from_str::<Value>(&text(&name)).unwrap(), name);
    }

    #[test]
    fn a_name_is_written_as_the_value_would_be() {
        for name in ["r1c2", "", "(1, 2)", "a\"b", "a\\b", "\u{e9}", "\u{7f}", "a\u{1b}", "</script>"] {
            let mut bytes = Vec::new();
            write_name(name, &mut bytes).unwrap();
            assert_eq!(String::from_utf8(bytes).unwrap(), text(&json!(name)));
        }
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
