//! The manifest of a folder of results: what was run, with which program, where and when.

use crate::model::Cmdp;
use crate::run::{Baseline, Experiment, Level, NUMBERS};
use serde::{Deserialize, Serialize};
use std::time::{SystemTime, UNIX_EPOCH};

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
    /// When and where it was worked on.
    pub sessions: Vec<Session>,
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

/// A time that a program worked on the results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// The version of the program.
    pub version: String,
    /// The revision that it was built from.
    pub revision: String,
    /// The machine.
    pub host: String,
    /// Threads.
    pub jobs: usize,
    /// When it began, in UTC.
    pub started: String,
    /// When it ended; `null` where it was killed.
    pub ended: Option<String>,
}

impl Session {
    /// One that begins now, of a program of this version and revision.
    pub fn begin(version: &str, revision: &str, jobs: usize) -> Session {
        let (version, revision) = (version.to_string(), revision.to_string());
        Session { version, revision, host: super::place::host(), jobs, started: now(), ended: None }
    }
}

impl Manifest {
    pub(super) fn new(experiment: &Experiment, model: &Cmdp, baseline: &Baseline) -> Manifest {
        let entry = |learner: &crate::run::NamedLearner| Entry {
            label: learner.label.clone(),
            kind: learner.config.kind.name().to_string(),
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
                costs: (0..model.costs()).map(|i| model.names().cost(i)).collect(),
                budgets: model.budgets().to_vec(),
            },
            learners: experiment.learners.iter().map(entry).collect(),
            baseline: Levels {
                optimal: baseline.optimal.clone(),
                fast: baseline.fast.clone(),
                safe: baseline.safe.clone(),
            },
            settings: experiment.settings(),
            sessions: Vec::new(),
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

/// The time in UTC, as in 2022-09-07T12:34:56Z.
pub(super) fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    timestamp(seconds)
}

/// Days become dates as in Hinnant's *chrono-compatible low-level date algorithms*.
fn timestamp(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (date, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}Z")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        // From `date -u -d @…`.
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_735_689_600, "2025-01-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(timestamp(seconds), expected);
        }
    }
}
