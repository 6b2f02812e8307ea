//! The data of one experiment for the page.

use super::curves::short;
use super::digest::Digest;
use super::{Chapter, curves, effort, grid, terms, verdict};
use crate::failure::Result;
use occupancy::sim::Level;
use occupancy_lab::analyse::stats::Description;
use serde_json::{Map, Value, json};

/// The data of a chapter.
pub fn data(chapter: &Chapter, digest: &Digest) -> Result<Value> {
    let manifest = &chapter.results.manifest;
    let learners = (0..digest.places.len()).map(|at| learner(chapter, digest, at));
    let levels = &manifest.baseline;
    Ok(json!({
        "name": manifest.name,
        "environment": manifest.environment.name,
        "states": manifest.environment.states,
        "preset": chapter.preset().map(|preset| preset.name()),
        "rounds": manifest.rounds,
        "runs": manifest.runs,
        "fileRuns": chapter.experiment.runs,
        "seed": manifest.seed,
        "window": digest.summary.window,
        "limits": { "reward": digest.limits.reward.map(exact), "costs": list(&digest.limits.costs) },
        "verdict": verdict::ends(chapter, digest),
        "costs": manifest.environment.costs,
        "budgets": list(&manifest.environment.budgets),
        "levels": {
            "optimal": levels.optimal.as_ref().map(level),
            "fast": level(&levels.fast),
            "safe": levels.safe.as_ref().map(level),
        },
        "learners": learners.collect::<Result<Vec<_>>>()?,
        "grid": grid::data(chapter)?,
        "terms": terms::data(chapter, &terms::of(chapter)?),
        "file": chapter.experiment.text,
        "hash": manifest.hash,
        "settings": manifest.settings,
        "sessions": manifest.sessions,
    }))
}

fn learner(chapter: &Chapter, digest: &Digest, at: usize) -> Result<Value> {
    let found = &digest.summary.learners[at];
    let kind = chapter.results.manifest.learners.iter().find(|entry| entry.label == found.label);
    let costs = chapter.results.manifest.environment.costs.len();
    let mut names = vec!["reward".to_string(), "regret".to_string()];
    for i in 0..costs {
        names.extend([format!("cost_{i}"), format!("violation_{i}"), format!("violates_{i}")]);
    }
    let mut end = Map::new();
    for name in names {
        if let Some(description) = found.quantity(&name) {
            end.insert(name, described(description));
        }
    }
    Ok(json!({
        "label": found.label,
        "kind": kind.map(|entry| entry.kind.as_str()),
        "runs": found.runs,
        "place": digest.places[at].name(),
        "settled": digest.settled[at],
        "end": end,
        "effort": effort::data(chapter, found)?,
        "curves": curves::data(chapter, &digest.curves[at]),
    }))
}

/// Mean and interval.
pub fn described(found: &Description) -> Value {
    let (low, high) = found.interval.unwrap_or((f64::NAN, f64::NAN));
    json!({ "mean": short(found.mean), "low": short(low), "high": short(high) })
}

fn level(level: &Level) -> Value {
    json!({ "reward": exact(level.reward), "costs": list(&level.costs) })
}

fn list(numbers: &[f64]) -> Value {
    numbers.iter().map(|&x| exact(x)).collect()
}

/// A number to ten digits; `null` where it is not finite.
fn exact(x: f64) -> Value {
    let rounded = format!("{x:.9e}").parse().unwrap_or(x);
    if x.abs() < 1e-12 { json!(0) } else { json!(Some(rounded).filter(|x: &f64| x.is_finite())) }
}
