//! Sweeps over the options of learners, as a table: which values lead where.

use super::numbers::{Estimate, Keyed};
use crate::Result;
use crate::analyse::LearnerSummary;
use crate::report::Chapter;
use crate::report::digest::{Digest, Ending};
use serde::Serialize;

/// A sweep over the options of learners.
#[derive(Clone, Debug, Serialize)]
pub struct Sweep {
    name: String,
    environment: String,
    options: Keyed<String>,
    preset: Option<String>,
    rounds: u64,
    runs: u64,
    window: u64,
    limits: SweepLimits,
    cost: Option<String>,
    budget: Option<f64>,
    levels: SweepLevels,
    rows: Vec<SweepRow>,
    file: String,
}

/// What is near the optimum.
#[derive(Clone, Debug, Serialize)]
struct SweepLimits {
    reward: Option<f64>,
    cost: Option<f64>,
}

/// The rewards that learners are compared with.
#[derive(Clone, Debug, Serialize)]
struct SweepLevels {
    optimal: Option<f64>,
    safe: Option<f64>,
}

/// A learner with the options of the sweep.
#[derive(Clone, Debug, Serialize)]
struct SweepRow {
    learner: String,
    options: Keyed<String>,
    runs: usize,
    place: Ending,
    reward: Option<Estimate>,
    cost: Option<Estimate>,
}

impl Sweep {
    /// The data of a sweep.
    pub fn of(sweep: &Chapter) -> Result<Sweep> {
        let digest = Digest::without_curves(sweep)?;
        let manifest = &sweep.results.manifest;
        let entries = digest.summary.learners.iter().zip(&digest.endings);
        Ok(Sweep {
            name: manifest.name.clone(),
            environment: manifest.environment.name.clone(),
            options: options(&manifest.name),
            preset: sweep.preset().map(String::from),
            rounds: manifest.rounds,
            runs: manifest.runs,
            window: digest.summary.window,
            limits: SweepLimits { reward: digest.limits.reward, cost: digest.limits.costs.first().copied() },
            cost: manifest.environment.costs.first().cloned(),
            budget: manifest.environment.budgets.first().copied(),
            levels: SweepLevels {
                optimal: manifest.optimum(),
                safe: manifest.baseline.safe.as_ref().map(|level| level.reward),
            },
            rows: entries.map(|(learner, ending)| SweepRow::of(learner, *ending)).collect(),
            file: sweep.experiment.text.clone(),
        })
    }
}

impl SweepRow {
    fn of(learner: &LearnerSummary, place: Ending) -> SweepRow {
        SweepRow {
            learner: name(&learner.label).to_string(),
            options: options(&learner.label),
            runs: learner.runs,
            place,
            reward: learner.quantity("reward").map(Estimate::of),
            cost: learner.quantity("cost_0").map(Estimate::of),
        }
    }
}

/// What stands before the options in a label or name.
fn name(label: &str) -> &str {
    label.split('+').next().unwrap_or(label)
}

/// The options that a sweep put into a label or name: `cucrl-optimistic+coef=0.01+off_support=first`.
fn options(label: &str) -> Keyed<String> {
    let parts = label.split('+').skip(1).filter_map(|part| part.split_once('='));
    Keyed(parts.map(|(key, value)| (key.to_string(), value.to_string())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_a_name_and_options() {
        let label = "cucrl-optimistic+coef=0.01+off_support=first";
        assert_eq!(name(label), "cucrl-optimistic");
        let written = serde_json::to_string(&options(label)).unwrap();
        assert_eq!(written, r#"{"coef":"0.01","off_support":"first"}"#);
        assert_eq!(options("box"), Keyed::default());
    }
}
