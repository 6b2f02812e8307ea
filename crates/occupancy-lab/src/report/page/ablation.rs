//! Sweeps over the options of learners, as a table: which values lead where.

use super::chapter::Ends;
use super::numbers::{Estimate, Exact, Keyed};
use crate::analyse::LearnerSummary;
use crate::report::digest::Digest;
use crate::report::{Chapter, Paper, about};
use serde::Serialize;

/// A sweep over the options of learners.
#[derive(Clone, Debug, Serialize)]
pub struct Sweep {
    name: String,
    title: String,
    options: Keyed<String>,
    preset: Option<String>,
    rounds: u64,
    runs: u64,
    window: u64,
    limits: SweepLimits,
    cost: Option<String>,
    budget: Option<Exact>,
    levels: SweepLevels,
    rows: Vec<SweepRow>,
    file: String,
}

/// What is near the optimum.
#[derive(Clone, Debug, Serialize)]
struct SweepLimits {
    reward: Option<Exact>,
    cost: Option<Exact>,
}

/// The rewards that learners are compared with.
#[derive(Clone, Debug, Serialize)]
struct SweepLevels {
    optimal: Option<Exact>,
    safe: Option<Exact>,
}

/// A learner with the options of the sweep.
#[derive(Clone, Debug, Serialize)]
struct SweepRow {
    learner: String,
    options: Keyed<String>,
    ends: Ends,
    reward: Option<Estimate>,
    cost: Option<Estimate>,
}

impl Sweep {
    /// The data of a sweep.
    pub fn of(sweep: &Chapter, digest: &Digest, paper: &dyn Paper) -> Sweep {
        let manifest = &sweep.results.manifest;
        let limits = &digest.summary.limits;
        Sweep {
            name: manifest.name.clone(),
            title: about::title(sweep, paper),
            options: options(&manifest.name),
            preset: sweep.preset().map(String::from),
            rounds: manifest.rounds,
            runs: manifest.runs,
            window: digest.summary.window,
            limits: SweepLimits {
                reward: limits.reward.map(Exact),
                cost: limits.costs.first().copied().map(Exact),
            },
            cost: manifest.environment.costs.first().cloned(),
            budget: manifest.environment.budgets.first().copied().map(Exact),
            levels: SweepLevels {
                optimal: manifest.optimum().map(Exact),
                safe: manifest.baseline.safe.as_ref().map(|level| Exact(level.reward)),
            },
            rows: digest.summary.learners.iter().map(SweepRow::of).collect(),
            file: sweep.experiment.text.clone(),
        }
    }
}

impl SweepRow {
    fn of(learner: &LearnerSummary) -> SweepRow {
        SweepRow {
            learner: name(&learner.label).to_string(),
            options: options(&learner.label),
            ends: Ends::of(learner),
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
