//! Sweeps over the options of learners, as a table: which values lead where.

use super::Chapter;
use super::chapter::described;
use super::digest::{Digest, Place};
use crate::failure::Result;
use serde_json::{Map, Value, json};

/// The data of a sweep.
pub fn data(sweep: &Chapter) -> Result<Value> {
    let digest = Digest::without_curves(sweep)?;
    let manifest = &sweep.results.manifest;
    let entries = digest.summary.learners.iter().zip(&digest.places);
    let row = |(learner, place): (&occupancy_lab::analyse::LearnerSummary, &Place)| {
        let shown = |name: &str| learner.quantity(name).map_or(Value::Null, described);
        json!({
            "learner": name(&learner.label),
            "options": options(&learner.label),
            "runs": learner.runs,
            "place": place.name(),
            "reward": shown("reward"),
            "cost": shown("cost_0"),
        })
    };
    Ok(json!({
        "name": manifest.name,
        "environment": manifest.environment.name,
        "options": options(&manifest.name),
        "preset": sweep.preset().map(|preset| preset.name()),
        "rounds": manifest.rounds,
        "runs": manifest.runs,
        "window": digest.summary.window,
        "limits": { "reward": digest.limits.reward, "cost": digest.limits.costs.first() },
        "cost": manifest.environment.costs.first(),
        "budget": manifest.environment.budgets.first(),
        "levels": {
            "optimal": manifest.optimum(),
            "safe": manifest.baseline.safe.as_ref().map(|level| level.reward),
        },
        "rows": entries.map(row).collect::<Vec<_>>(),
        "file": sweep.experiment.text,
    }))
}

/// What stands before the options in a label or name.
fn name(label: &str) -> &str {
    label.split('+').next().unwrap_or(label)
}

/// The options that a sweep put into a label or name: `cucrl-optimistic+coef=0.01+off_support=first`.
fn options(label: &str) -> Map<String, Value> {
    let parts = label.split('+').skip(1).filter_map(|part| part.split_once('='));
    parts.map(|(key, value)| (key.to_string(), json!(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_a_name_and_options() {
        let label = "cucrl-optimistic+coef=0.01+off_support=first";
        assert_eq!(name(label), "cucrl-optimistic");
        assert_eq!(Value::from(options(label)), json!({ "coef": "0.01", "off_support": "first" }));
        assert!(options("box").is_empty());
    }
}
