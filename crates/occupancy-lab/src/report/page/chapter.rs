//! The data of one experiment for the page.

use super::curves::{self, Curve};
use super::effort::Effort;
use super::grid::{self, GridData};
use super::numbers::{Estimate, Exact, Keyed};
use super::policies::{self, PolicyTables};
use super::terms::{self, ExplainedData};
use crate::Result;
use crate::analyse::{Ending, LearnerSummary};
use crate::report::Chapter;
use crate::report::digest::Digest;
use crate::store::Session;
use occupancy::sim::Level;
use serde::Serialize;

/// One experiment.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChapterData {
    name: String,
    title: String,
    description: Option<String>,
    /// What it is shown with.
    pub group: String,
    environment: String,
    states: usize,
    preset: Option<String>,
    rounds: u64,
    runs: u64,
    file_runs: u64,
    seed: u64,
    window: u64,
    limits: LimitsData,
    /// Where its runs ended, in a sentence.
    pub verdict: String,
    costs: Vec<String>,
    budgets: Vec<Exact>,
    levels: LevelsData,
    learners: Vec<LearnerData>,
    grid: Option<GridData>,
    tables: Option<PolicyTables>,
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
    kind: String,
    runs: usize,
    ends: Ends,
    settled: SettledData,
    end: Keyed<Estimate>,
    effort: Effort,
    curves: Keyed<Curve>,
}

/// Where the runs of a learner ended: most of them, and how many at each place.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Ends {
    most: Ending,
    runs: usize,
    near: usize,
    safe: usize,
    over: usize,
    short: usize,
}

impl Ends {
    /// Those of a learner.
    pub fn of(learner: &LearnerSummary) -> Ends {
        Ends {
            most: learner.place(),
            runs: learner.runs,
            near: learner.ended(Ending::Near),
            safe: learner.ended(Ending::Safe),
            over: learner.ended(Ending::Over),
            short: learner.ended(Ending::Short),
        }
    }
}

/// By which round half of the runs have settled, with its interval; nothing is never.
#[derive(Clone, Copy, Debug, Serialize)]
struct SettledData {
    runs: usize,
    half: Exact,
    low: Exact,
    high: Exact,
}

impl SettledData {
    fn of(learner: &LearnerSummary) -> SettledData {
        let (low, high) = learner.half_settled.interval().unwrap_or((f64::NAN, f64::NAN));
        let (runs, half) = (learner.settled_runs(), learner.half_settled.value);
        SettledData { runs, half: Exact(half), low: Exact(low), high: Exact(high) }
    }
}

/// What is said of a chapter.
pub struct Words {
    /// Its title.
    pub title: String,
    /// What it is shown with.
    pub group: String,
    /// Where its runs ended.
    pub verdict: String,
}

impl ChapterData {
    /// The data of a chapter, of which this is said.
    pub fn of(chapter: &Chapter, digest: &Digest, words: Words) -> Result<ChapterData> {
        let manifest = &chapter.results.manifest;
        let learners = (0..digest.summary.learners.len()).map(|at| LearnerData::of(chapter, digest, at));
        let (levels, limits) = (&manifest.baseline, &digest.summary.limits);
        let grid = grid::of(chapter)?;
        let tables = if grid.is_none() { policies::of(chapter)? } else { None };
        Ok(ChapterData {
            name: manifest.name.clone(),
            title: words.title,
            description: chapter.experiment.description.clone(),
            group: words.group,
            environment: manifest.environment.name.clone(),
            states: manifest.environment.states,
            preset: chapter.preset().map(String::from),
            rounds: manifest.rounds,
            runs: manifest.runs,
            file_runs: chapter.experiment.runs,
            seed: manifest.seed,
            window: digest.summary.window,
            limits: LimitsData { reward: limits.reward.map(Exact), costs: exact(&limits.costs) },
            verdict: words.verdict,
            costs: manifest.environment.costs.clone(),
            budgets: exact(&manifest.environment.budgets),
            levels: LevelsData {
                optimal: levels.optimal.as_ref().map(LevelData::of),
                fast: LevelData::of(&levels.fast),
                safe: levels.safe.as_ref().map(LevelData::of),
            },
            learners: learners.collect(),
            grid,
            tables,
            terms: terms::data(chapter, &terms::of(chapter)?),
            file: chapter.experiment.text.clone(),
            hash: manifest.hash.clone(),
            settings: manifest.settings.clone(),
            sessions: manifest.sessions.clone(),
        })
    }
}

impl LearnerData {
    fn of(chapter: &Chapter, digest: &Digest, at: usize) -> LearnerData {
        let found = &digest.summary.learners[at];
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
        LearnerData {
            label: found.label.clone(),
            kind: found.kind.clone(),
            runs: found.runs,
            ends: Ends::of(found),
            settled: SettledData::of(found),
            end,
            effort: Effort::of(&chapter.runs[at], found, chapter.results.manifest.rounds),
            curves: curves::of(chapter, &digest.curves[at]),
        }
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
