//! The data of one experiment for the page.

use super::curves::{self, Curve};
use super::effort::Effort;
use super::grid::{self, GridData};
use super::numbers::{Estimate, Exact, Keyed};
use super::terms::{self, ExplainedData};
use crate::Result;
use crate::report::Chapter;
use crate::report::digest::{Digest, Ending};
use crate::store::Session;
use occupancy::sim::Level;
use serde::Serialize;

/// One experiment.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChapterData {
    name: String,
    environment: String,
    states: usize,
    preset: Option<String>,
    rounds: u64,
    runs: u64,
    file_runs: u64,
    seed: u64,
    window: u64,
    limits: LimitsData,
    verdict: String,
    costs: Vec<String>,
    budgets: Vec<Exact>,
    levels: LevelsData,
    learners: Vec<LearnerData>,
    grid: Option<GridData>,
    terms: Vec<ExplainedData>,
    file: String,
    hash: String,
    settings: Vec<(String, String)>,
    sessions: Vec<Session>,
}

/// What is near the optimum.
#[derive(Clone, Debug, Serialize)]
struct LimitsData {
    reward: Option<Exact>,
    costs: Vec<Exact>,
}

/// The levels that learners are compared with.
#[derive(Clone, Debug, Serialize)]
struct LevelsData {
    optimal: Option<LevelData>,
    fast: LevelData,
    safe: Option<LevelData>,
}

#[derive(Clone, Debug, Serialize)]
struct LevelData {
    reward: Exact,
    costs: Vec<Exact>,
}

/// A learner of an experiment.
#[derive(Clone, Debug, Serialize)]
struct LearnerData {
    label: String,
    kind: Option<String>,
    runs: usize,
    place: Ending,
    settled: Option<u64>,
    end: Keyed<Estimate>,
    effort: Effort,
    curves: Keyed<Curve>,
}

impl ChapterData {
    /// The data of a chapter, whose learners ended as these words say.
    pub fn of(chapter: &Chapter, digest: &Digest, verdict: String) -> Result<ChapterData> {
        let manifest = &chapter.results.manifest;
        let learners = (0..digest.endings.len()).map(|at| LearnerData::of(chapter, digest, at));
        let levels = &manifest.baseline;
        Ok(ChapterData {
            name: manifest.name.clone(),
            environment: manifest.environment.name.clone(),
            states: manifest.environment.states,
            preset: chapter.preset().map(String::from),
            rounds: manifest.rounds,
            runs: manifest.runs,
            file_runs: chapter.experiment.runs,
            seed: manifest.seed,
            window: digest.summary.window,
            limits: LimitsData {
                reward: digest.limits.reward.map(Exact),
                costs: exact(&digest.limits.costs),
            },
            verdict,
            costs: manifest.environment.costs.clone(),
            budgets: exact(&manifest.environment.budgets),
            levels: LevelsData {
                optimal: levels.optimal.as_ref().map(LevelData::of),
                fast: LevelData::of(&levels.fast),
                safe: levels.safe.as_ref().map(LevelData::of),
            },
            learners: learners.collect::<Result<Vec<_>>>()?,
            grid: grid::of(chapter)?,
            terms: terms::data(chapter, &terms::of(chapter)?),
            file: chapter.experiment.text.clone(),
            hash: manifest.hash.clone(),
            settings: manifest.settings.clone(),
            sessions: manifest.sessions.clone(),
        })
    }
}

impl LearnerData {
    fn of(chapter: &Chapter, digest: &Digest, at: usize) -> Result<LearnerData> {
        let found = &digest.summary.learners[at];
        let kind = chapter.results.manifest.learners.iter().find(|entry| entry.label == found.label);
        let costs = chapter.results.manifest.environment.costs.len();
        let mut names = vec!["reward".to_string(), "regret".to_string()];
        for i in 0..costs {
            names.extend([format!("cost_{i}"), format!("violation_{i}"), format!("violates_{i}")]);
        }
        let mut end = Keyed::default();
        for name in names {
            if let Some(description) = found.quantity(&name) {
                end.insert(name, Estimate::of(description));
            }
        }
        Ok(LearnerData {
            label: found.label.clone(),
            kind: kind.map(|entry| entry.kind.clone()),
            runs: found.runs,
            place: digest.endings[at],
            settled: digest.settled[at],
            end,
            effort: Effort::of(chapter, found)?,
            curves: curves::of(chapter, &digest.curves[at]),
        })
    }
}

impl LevelData {
    fn of(level: &Level) -> LevelData {
        LevelData { reward: Exact(level.reward), costs: exact(&level.costs) }
    }
}

fn exact(numbers: &[f64]) -> Vec<Exact> {
    numbers.iter().copied().map(Exact).collect()
}
