//! What learning cost: epochs, the time spent in the learner, and how fast a run is.

use super::Chapter;
use super::curves::short;
use crate::failure::Result;
use occupancy_lab::analyse::LearnerSummary;
use occupancy_lab::analyse::stats::mean;
use serde_json::{Value, json};

/// The means over the runs of a learner; times are `null` where they are not known.
pub fn data(chapter: &Chapter, learner: &LearnerSummary) -> Result<Value> {
    let results = &chapter.results;
    let runs = results.runs(&learner.label)?;
    let timings: Vec<_> = runs.iter().filter_map(|&run| results.timing(&learner.label, run)).collect();
    let mean_of = |value: fn(&occupancy_lab::store::Timing) -> f64| {
        mean(&timings.iter().map(value).collect::<Vec<f64>>())
    };
    let (seconds, planning) = (mean_of(|timing| timing.seconds), mean_of(|timing| timing.planning));
    let counted = |name: &str| learner.quantity(name).map_or(Value::Null, |found| short(found.mean));
    Ok(json!({
        "epochs": counted("epochs"),
        "infeasible": counted("infeasible"),
        "multichain": counted("multichain"),
        "seconds": short(seconds),
        "planning": short(planning),
        "rate": short(results.manifest.rounds as f64 / seconds),
    }))
}
