//! What a given policy attains, for programs.

use super::{ranges, scope, shown};
use crate::evaluate::Attained;
use occupancy::plan::Verdict;
use occupancy::verify::missed;
use serde_json::{Value, json};

/// The object that `evaluate --json` prints.
pub fn value(found: &Attained) -> Value {
    let (source, plan, proof) = (found.source, &found.plan, &found.certificate.proof);
    let model = &source.model;
    let (scope, state) = scope(model, found.from);
    let missed: Vec<f64> = proof.costs.iter().enumerate().map(|(i, &cost)| missed(model, i, cost)).collect();
    let optimum = match &found.optimum {
        Verdict::Optimal(best) => json!({
            "verdict": "optimal", "gain": best.value.reward, "costs": shown(source, &best.value.costs), "gap": best.gap,
        }),
        Verdict::Infeasible(closest) => json!({
            "verdict": "infeasible", "violation": closest.violation, "least_costs": shown(source, &closest.least_costs),
        }),
    };
    let mut object = json!({
        "source": source.name,
        "policy": found.policy,
        "states": model.states(),
        "pairs": model.pairs(),
        "cost_names": source.costs.iter().map(|cost| &cost.name).collect::<Vec<_>>(),
        "directions": source.costs.iter().map(|cost| cost.direction.ascii()).collect::<Vec<_>>(),
        "budgets": shown(source, model.budgets()),
        "criterion": "average",
        "scope": scope,
        "gain": plan.value.reward,
        "costs": shown(source, &plan.value.costs),
        "gain_range": proof.gain.ends(),
        "cost_ranges": ranges(source, &proof.costs),
        "budgets_missed_by": missed,
        "classes": plan.classes,
        "optimum": optimum,
        "warnings": found.warnings,
    });
    if let Some(state) = state {
        object["from_state"] = json!(state);
    }
    // A policy that misses the budgets may earn more than any within them.
    object["gap"] = if matches!(found.optimum, Verdict::Optimal(_)) { json!(plan.gap) } else { Value::Null };
    object
}
