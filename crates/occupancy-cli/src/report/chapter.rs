//! The data of one experiment for the page.

use super::curves::short;
use super::digest::{Digest, Place};
use super::{Chapter, curves, effort, grid, verdict};
use crate::failure::Result;
use occupancy::run::{LearnerSummary, Level};
use occupancy::stats::Description;
use serde_json::{Map, Value, json};

/// The data of a chapter.
pub fn data(chapter: &Chapter, digest: &Digest) -> Result<Value> {
    let manifest = &chapter.results.manifest;
    let learners = digest.summary.learners.iter().zip(&digest.places);
    let learners = learners.map(|(found, &place)| learner(chapter, found, place));
    let levels = &manifest.baseline;
    let budgets = manifest.environment.budgets.iter().map(|&budget| exact(budget));
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
        "epsilon": digest.epsilon,
        "verdict": verdict::ends(chapter, digest),
        "costs": manifest.environment.costs,
        "budgets": budgets.collect::<Vec<_>>(),
        "levels": {
            "optimal": levels.optimal.as_ref().map(level),
            "fast": level(&levels.fast),
            "safe": levels.safe.as_ref().map(level),
        },
        "learners": learners.collect::<Result<Vec<_>>>()?,
        "grid": grid::data(chapter)?,
        "file": chapter.experiment.text,
        "hash": manifest.hash,
        "settings": manifest.settings,
        "sessions": manifest.sessions,
    }))
}

fn learner(chapter: &Chapter, found: &LearnerSummary, place: Place) -> Result<Value> {
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
        "place": place.name(),
        "settled": found.settled,
        "end": end,
        "effort": effort::data(chapter, found)?,
        "curves": curves::data(chapter, &found.label)?,
    }))
}

/// Mean and interval.
pub fn described(found: &Description) -> Value {
    let (low, high) = found.interval.unwrap_or((f64::NAN, f64::NAN));
    json!({ "mean": short(found.mean), "low": short(low), "high": short(high) })
}

fn level(level: &Level) -> Value {
    json!({
        "reward": exact(level.reward),
        "costs": level.costs.iter().map(|&cost| exact(cost)).collect::<Vec<_>>(),
    })
}

/// A number to ten digits; `null` where it is not finite.
fn exact(x: f64) -> Value {
    let rounded = format!("{x:.9e}").parse().unwrap_or(x);
    if x.abs() < 1e-12 { json!(0) } else { json!(Some(rounded).filter(|x: &f64| x.is_finite())) }
}
