//! A run for programs: what was run, what came out, and what it is compared with.

use super::{MOST_STATES, ranges, shown};
use crate::learn::Run;
use crate::watch::Stopped;
use occupancy::arithmetic::Interval;
use occupancy::sim::{Deficits, Level};
use serde_json::{Map, Value, json};

/// The object that `learn --json` prints. Lists by cost are in the order of `cost_names`; what is not defined is null;
/// the times come last.
pub fn object(run: &Run) -> Value {
    let mut object = question(run);
    object.extend(answer(run));
    object.extend(times(run));
    Value::Object(object)
}

/// What was run.
fn question(run: &Run) -> Map<String, Value> {
    let (asked, source) = (&run.asked, &run.asked.source);
    let settings = asked.learner.infos().into_iter().map(|option| (option.name.to_string(), option.value));
    entries([
        ("source", json!(source.name)),
        ("states", json!(source.model.states())),
        ("pairs", json!(source.model.pairs())),
        ("cost_names", source.costs.iter().map(|cost| json!(cost.name)).collect()),
        ("directions", source.costs.iter().map(|cost| json!(cost.direction.ascii())).collect()),
        ("budgets", shown(source, source.model.budgets())),
        ("environment", options(source.options.iter().cloned())),
        ("learner", json!(asked.learner.name())),
        ("preset", json!(asked.preset.name())),
        ("settings", options(settings)),
        ("seed", json!(asked.seed)),
        ("run", json!(asked.run)),
        ("rounds", json!(asked.rounds)),
        ("horizon", json!(source.episodes.as_ref().map(|episodes| episodes.horizon))),
        ("window", json!(asked.window)),
        ("rounds_done", json!(run.record.steps())),
        ("stopped", json!(run.stopped.map(Stopped::name))),
    ])
}

/// Options as texts, as they would be given; null where they have no value.
fn options(options: impl Iterator<Item = (String, String)>) -> Value {
    let value = |text: String| if text == "own" { Value::Null } else { json!(text) };
    Value::Object(options.map(|(key, text)| (key, value(text))).collect())
}

/// What came out, and what it is compared with.
fn answer(run: &Run) -> Map<String, Value> {
    let (record, metrics) = (&run.record, run.metrics());
    let averages: Vec<(f64, f64)> = (0..=record.costs.len()).map(|signal| run.averages(signal)).collect();
    let budgets = run.asked.source.model.budgets();
    let violation = |(i, budget): (usize, &f64)| {
        budget.is_finite().then(|| deficits(&metrics.violation(i, metrics.last())))
    };
    let source = &run.asked.source;
    let level = |found: &Level| {
        let proved: Vec<Interval> =
            found.ranges.iter().skip(1).map(|&(low, high)| Interval { low, high }).collect();
        json!({
            "gain": found.reward,
            "costs": shown(source, &found.costs),
            "gain_range": found.ranges.first(),
            "cost_ranges": ranges(source, &proved),
        })
    };
    let last = |counts: &[u64]| json!(counts.last());
    entries([
        ("average_reward", json!(averages[0].0)),
        ("average_costs", averages[1..].iter().map(|(all, _)| json!(all)).collect()),
        ("window_reward", json!(averages[0].1)),
        ("window_costs", averages[1..].iter().map(|(_, window)| json!(window)).collect()),
        (
            "levels",
            json!({
                "optimal": run.baseline.optimal.as_ref().map(level),
                "fast": level(&run.baseline.fast),
                "safe": run.baseline.safe.as_ref().map(level),
            }),
        ),
        ("regret", json!(metrics.regret(metrics.last()).as_ref().map(deficits))),
        ("violation", budgets.iter().enumerate().map(|one| json!(violation(one))).collect()),
        ("value_regret", run.baseline.optimum().map_or(Value::Null, |_| value_gap(run, 0))),
        (
            "value_violation",
            budgets
                .iter()
                .enumerate()
                .map(|(i, budget)| if budget.is_finite() { value_gap(run, i + 1) } else { Value::Null })
                .collect(),
        ),
        ("epochs", last(&record.epochs)),
        ("infeasible_plans", last(&record.infeasible)),
        ("multichain_plans", last(&record.multichain)),
        ("unsettled_plans", json!(run.unsettled)),
        ("last_policy", last_policy(run)),
    ])
}

/// Sums of the exact gaps of the policies followed: of the reward (0), or of a cost.
fn value_gap(run: &Run, signal: usize) -> Value {
    let found = run.values.last(signal);
    json!({ "signed": found.map(|(signed, _)| signed), "strong": found.map(|(_, strong)| strong) })
}

/// The policy planned last; its gain and costs are exact.
fn last_policy(run: &Run) -> Value {
    let (model, policy) = (&run.asked.source.model, run.policy.probabilities());
    let last = run.last.as_ref().ok();
    let rows = (0..model.states()).map(|state| &policy[model.pairs_of(state)]);
    json!({
        "gain": last.map(|last| last.value.reward),
        "costs": last.map(|last| shown(&run.asked.source, &last.value.costs)),
        "rows": (model.states() <= MOST_STATES).then(|| rows.collect::<Vec<&[f64]>>()),
    })
}

fn times(run: &Run) -> Map<String, Value> {
    entries([
        ("seconds", json!(run.total.as_secs_f64())),
        ("planning_seconds", json!(run.planning.as_secs_f64())),
        ("steps_per_second", json!(run.steps_per_second())),
    ])
}

fn deficits(found: &Deficits) -> Value {
    json!({ "signed": found.signed, "total": found.total, "stepwise": found.stepwise })
}

fn entries<const N: usize>(entries: [(&str, Value); N]) -> Map<String, Value> {
    entries.into_iter().map(|(key, value)| (key.to_string(), value)).collect()
}
