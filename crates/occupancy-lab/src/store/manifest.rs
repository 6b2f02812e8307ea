//! The manifest of a folder of results: what was run, and what the true model allows.
//!
//! It is written once, by the first process that claims the folder, and never changed: processes have nothing to lose to each
//! other in it. What they do is noted in `sessions/`.

use super::Session;
use crate::experiment::{Copied, Experiment, NUMBERS};
use occupancy::model::Cmdp;
use occupancy::sim::{Baseline, Level};
use serde::{Deserialize, Serialize};

/// What a folder of results holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The experiment's name.
    pub name: String,
    /// The hash of its settings.
    pub hash: String,
    /// The version of the numbers.
    pub numbers: u32,
    /// Steps of a run.
    pub rounds: u64,
    /// Runs of every learner, as far as they were asked for.
    pub runs: u64,
    /// The seed.
    pub seed: u64,
    /// Windows of the moving averages; the first is the one that statistics are about.
    pub windows: Vec<u64>,
    /// The environment.
    pub environment: Shape,
    /// The labels of the learners and their kinds, in the order of the experiment.
    pub learners: Vec<Entry>,
    /// The levels of the true model.
    pub baseline: Levels,
    /// Every setting with its defaults filled in: what the hash is made of.
    pub settings: Vec<(String, String)>,
    /// The text of the experiment as it was first given, from which `experiment.toml` can be made again; the first programs
    /// did not keep it here.
    #[serde(default)]
    pub experiment: Option<String>,
    /// The copies of files that the experiment names.
    #[serde(default)]
    pub files: Vec<Copied>,
    /// When and where it was worked on: read from `sessions/`, and from the manifest itself where the first programs wrote it.
    #[serde(default, skip_serializing)]
    pub sessions: Vec<Session>,
    /// Whether the file carries a checksum, and every run a receipt of all its files.
    #[serde(skip)]
    pub(super) sealed: bool,
}

/// The size of an environment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shape {
    /// Its name.
    pub name: String,
    /// States.
    pub states: usize,
    /// Pairs of a state and an action.
    pub pairs: usize,
    /// The names of the costs.
    pub costs: Vec<String>,
    /// The budgets; `null` in the file where there is no constraint.
    #[serde(with = "unbounded")]
    pub budgets: Vec<f64>,
}

/// A learner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// What it is called.
    pub label: String,
    /// The learner's own name.
    pub kind: String,
}

/// The levels that learners are compared with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Levels {
    /// The best within the budgets; `None` where no policy meets them.
    pub optimal: Option<Level>,
    /// The best without budgets.
    pub fast: Level,
    /// The best at the least cost.
    pub safe: Option<Level>,
}

impl Manifest {
    pub(super) fn new(experiment: &Experiment, model: &Cmdp, baseline: &Baseline) -> Manifest {
        let entry = |learner: &crate::experiment::NamedLearner| Entry {
            label: learner.label.clone(),
            kind: learner.config.name().to_string(),
        };
        Manifest {
            name: experiment.name.clone(),
            hash: experiment.hash(),
            numbers: NUMBERS,
            rounds: experiment.rounds,
            runs: experiment.runs,
            seed: experiment.seed,
            windows: experiment.windows.clone(),
            environment: Shape {
                name: experiment.environment.name.clone(),
                states: model.states(),
                pairs: model.pairs(),
                costs: (0..model.costs()).map(|i| model.names().held_cost(i)).collect(),
                budgets: model.budgets().to_vec(),
            },
            learners: experiment.learners.iter().map(entry).collect(),
            baseline: Levels {
                optimal: baseline.optimal.clone(),
                fast: baseline.fast.clone(),
                safe: baseline.safe.clone(),
            },
            settings: experiment.settings(),
            experiment: Some(experiment.text.clone()),
            files: experiment.files.iter().map(|file| file.copied()).collect(),
            sessions: Vec::new(),
            sealed: true,
        }
    }

    /// r*, where there is one.
    pub fn optimum(&self) -> Option<f64> {
        self.baseline.optimal.as_ref().map(|level| level.reward)
    }

    /// The first settings in which another one differs: `rounds 9000 there, 100 here`.
    pub fn difference(&self, here: &[(String, String)]) -> String {
        let find = |settings: &[(String, String)], key: &str| {
            settings.iter().find(|(other, _)| other == key).map(|(_, value)| value.clone())
        };
        let keys = here.iter().chain(&self.settings).map(|(key, _)| key.as_str());
        let mut parts: Vec<String> = Vec::new();
        for key in keys {
            let (old, new) = (find(&self.settings, key), find(here, key));
            let word = |value: Option<String>| value.unwrap_or_else(|| "not given".into());
            let part = || format!("{key} {} there, {} here", word(old.clone()), word(new.clone()));
            if old != new && !parts.contains(&part()) {
                parts.push(part());
            }
        }
        let more = parts.len().saturating_sub(3);
        parts.truncate(3);
        parts.join("; ") + &if more > 0 { format!("; and {more} more") } else { String::new() }
    }
}

/// Numbers of which JSON cannot write the infinite ones.
mod unbounded {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(budgets: &[f64], to: S) -> Result<S::Ok, S::Error> {
        let finite = |&budget: &f64| budget.is_finite().then_some(budget);
        budgets.iter().map(finite).collect::<Vec<_>>().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
        let budgets = Vec::<Option<f64>>::deserialize(from)?;
        Ok(budgets.into_iter().map(|budget| budget.unwrap_or(f64::INFINITY)).collect())
    }
}
