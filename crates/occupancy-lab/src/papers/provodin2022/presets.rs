//! The three presets: how the paper's comparison is run.
//!
//! `published` is what produced the paper's figures: its code, version 1.2, with all that differs from the text.
//! `paper` is the text, as closely as it can be run. `sound` is the same algorithms as we would use them; its free
//! constants were settled on other environments than the paper's three (see `docs/algorithms.md`).
//!
//! A preset has values for the environment's options too, because text and code disagree about them. For η, h and coef
//! the first two have values only where the paper does.

use occupancy::arithmetic::elementary::cbrt;
use occupancy::error::{Error, Result};
use occupancy::learn::{
    BonusForm, DualSignal, EpochRule, Execution, LearnerConfig, LearnerKind, Level, Mixed, OnInfeasible,
    PlanFrom, Prior, Settings, UnvisitedBonus, UnvisitedKernel,
};
use occupancy::plan::OffSupport;

/// A set of choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// What produced the paper's figures.
    Published,
    /// The paper's text.
    Paper,
    /// As we would do it.
    Sound,
}

/// The paper's three environments, in the order of its tables.
pub const PAPER_ENVIRONMENTS: [&str; 3] = ["marsrover-4x4", "marsrover-8x8", "box"];

impl Preset {
    /// All presets.
    pub const ALL: [Preset; 3] = [Preset::Published, Preset::Paper, Preset::Sound];

    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Preset::Published => "published",
            Preset::Paper => "paper",
            Preset::Sound => "sound",
        }
    }

    /// The preset of a name.
    pub fn from_name(name: &str) -> Result<Preset> {
        let unknown = || Error::Unknown {
            what: "preset",
            name: name.to_string(),
            known: Preset::ALL.map(|preset| preset.name().to_string()).to_vec(),
        };
        Preset::ALL.into_iter().find(|preset| preset.name() == name).ok_or_else(unknown)
    }

    /// Options of an environment, as keys and values; none for environments that the paper does not have.
    pub fn environment(self, name: &str) -> Vec<(String, String)> {
        let options: &[(&str, &str)] = match (self, name) {
            (Preset::Published, "box") => &[("slip", "0"), ("states", "all")],
            (_, "box") => &[("slip", "0.1"), ("states", "reachable")],
            (Preset::Published, "marsrover-4x4" | "marsrover-8x8") => {
                &[("slip", "0"), ("bump_cost", "false")]
            }
            (_, "marsrover-4x4" | "marsrover-8x8") => &[("slip", "0.1"), ("bump_cost", "true")],
            _ => &[],
        };
        options.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
    }

    /// A learner with its options, for an environment and a number of rounds. What has no value there is left out, and
    /// missed by [`LearnerConfig::check_complete`] unless it is set.
    pub fn learner(self, kind: LearnerKind, environment: &str, rounds: u64) -> LearnerConfig {
        let place = place_of(environment);
        let settings = match self {
            Preset::Published => published(kind, place),
            Preset::Paper => paper(kind, place),
            Preset::Sound => sound(kind, rounds),
        };
        LearnerConfig { kind, settings }
    }
}

/// The place of an environment among the paper's.
fn place_of(environment: &str) -> Option<usize> {
    PAPER_ENVIRONMENTS.iter().position(|&name| name == environment)
}

/// T: the paper's for its environments, otherwise 10 000.
pub fn default_rounds(environment: &str) -> u64 {
    place_of(environment).map_or(10_000, |place| [9000, 200_000, 2_000_000][place])
}

/// The window of the moving averages: the paper's for its environments, otherwise a tenth of the rounds.
pub fn default_window(environment: &str, rounds: u64) -> u64 {
    let paper =
        place_of(environment).map(|place| [1000, 5000, 50_000][place]).filter(|&window| window <= rounds);
    paper.unwrap_or((rounds / 10).max(1))
}

/// What `published` and `paper` have in common.
fn as_written(kind: LearnerKind, place: Option<usize>) -> Settings {
    Settings {
        from: PlanFrom::Anywhere,
        off_support: OffSupport::Uniform,
        infeasible: OnInfeasible::Uniform,
        unvisited_reward: Level::Value(0.0),
        unvisited_cost: Level::Value(0.0),
        unvisited_bonus: UnvisitedBonus::Value(1.0),
        clip: false,
        coef: place.map(|place| [0.01, 0.01, 0.5][place]),
        tolerance: 1e-3,
        staying: 0.0,
        warm: false,
        epochs: if kind == LearnerKind::CucrlConservative { EpochRule::Blocks } else { EpochRule::Doubling },
        ..Settings::default()
    }
}

fn published(kind: LearnerKind, place: Option<usize>) -> Settings {
    let common = as_written(kind, place);
    Settings {
        prior: Prior::Floor(1.0),
        epochs: match kind {
            LearnerKind::CucrlConservative | LearnerKind::CucrlTransitions => EpochRule::Blocks,
            _ => EpochRule::CodeV12,
        },
        h: place.map(|place| [20, 200, 1000][place]),
        unvisited_kernel: match kind {
            LearnerKind::CucrlOptimistic => UnvisitedKernel::Fresh,
            _ => UnvisitedKernel::SelfLoop,
        },
        bonus: BonusForm::Scaled,
        eta: place.map(|place| [2.9, 0.0035, 0.000_165][place]),
        dual: DualSignal::Observed,
        execute: Execution::Current,
        ..common
    }
}

fn paper(kind: LearnerKind, place: Option<usize>) -> Settings {
    let common = as_written(kind, place);
    Settings {
        prior: Prior::Add(1.0),
        epochs: match kind {
            LearnerKind::CucrlTransitions => EpochRule::Power(1.0 / 3.0),
            _ => common.epochs,
        },
        h: place.map(|place| [20, 1000, 1000][place]),
        bonus: BonusForm::Original,
        eta: place.map(|place| [0.2, 0.0035, 0.000_165][place]),
        dual: DualSignal::Model,
        execute: Execution::ActionMixture,
        mixed: Mixed::All,
        ..common
    }
}

fn sound(kind: LearnerKind, rounds: u64) -> Settings {
    let third = cbrt(rounds as f64).ceil().max(1.0) as u64;
    Settings {
        epochs: match kind {
            LearnerKind::CucrlTransitions => EpochRule::Power(1.0 / 3.0),
            LearnerKind::CucrlConservative => EpochRule::Blocks,
            _ => EpochRule::Doubling,
        },
        infeasible: match kind {
            LearnerKind::PsrlTransitions | LearnerKind::PsrlLagrangian => OnInfeasible::Explore,
            _ => OnInfeasible::LeastCost,
        },
        h: Some(third),
        coef: Some(0.03),
        ..Settings::default()
    }
}
