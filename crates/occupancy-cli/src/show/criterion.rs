//! What a criterion is called in words.

use occupancy::model::{Cmdp, Criterion};
use occupancy_lab::number::count;

/// What J(r) is called.
pub fn value_name(criterion: &Criterion) -> &'static str {
    match criterion {
        Criterion::Discounted { .. } => "discounted sum",
        Criterion::Episodes { .. } => "sum over an episode",
        Criterion::Until { .. } => "sum until the end",
        _ => "gain",
    }
}

/// What is planned, to be said once.
pub fn described(criterion: &Criterion, model: &Cmdp) -> String {
    match criterion {
        Criterion::Discounted { factor } => format!("sums discounted by {factor} in every step"),
        Criterion::Episodes { horizon } => format!("sums over an episode of {}", count(*horizon, "step")),
        Criterion::Until { states } => match &states[..] {
            [one] => format!("sums until state {} is reached", model.names().state(*one)),
            many => format!("sums until one of {} states is reached", many.len()),
        },
        _ => "averages in the long run".into(),
    }
}
