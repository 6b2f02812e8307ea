//! The presets: how the paper's comparison is run.
//!
//! `published` is what produced the paper's figures: its code, version 1.2, with all that differs from the text.
//! `paper` is the text, as closely as it can be run. `sound` is the same algorithms as we would use them; its free
//! constants were settled on other environments than the paper's three (see `docs/algorithms.md`). `theory` has the constants
//! that the papers of the learners prove their bounds with, and is like `sound` otherwise.
//!
//! A preset has values for the environment's options too, because text and code disagree about them. For η, h and coef
//! the first two have values only for the paper's environments.

use crate::catalogue::{self, Catalogue, Length};
use occupancy::Result;
use occupancy::error::Error;
use occupancy::learn::LearnerConfig;

/// A set of choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// What produced the paper's figures.
    Published,
    /// The paper's text.
    Paper,
    /// As we would do it.
    Sound,
    /// The constants of the proofs.
    Theory,
}

/// The paper's three environments, in the order of its tables.
pub const PAPER_ENVIRONMENTS: [&str; 3] = ["marsrover-4x4", "marsrover-8x8", "box"];

/// T and the windows of the paper.
const LENGTHS: [Length; 3] = [
    Length { environment: "marsrover-4x4", rounds: 9000, window: 1000 },
    Length { environment: "marsrover-8x8", rounds: 200_000, window: 5000 },
    Length { environment: "box", rounds: 2_000_000, window: 50_000 },
];

/// An option and its value.
type Choice = (&'static str, &'static str);

/// A catalogue with the paper's presets and lengths.
pub fn add_to(catalogue: Catalogue) -> Catalogue {
    catalogue.with_presets(&[&Preset::Published, &Preset::Paper, &Preset::Sound, &Preset::Theory], &LENGTHS)
}

impl Preset {
    /// Those that the paper's comparison is run with.
    pub const COMPARED: [Preset; 3] = [Preset::Published, Preset::Paper, Preset::Sound];

    /// All presets.
    pub const ALL: [Preset; 4] = [Preset::Published, Preset::Paper, Preset::Sound, Preset::Theory];

    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Preset::Published => "published",
            Preset::Paper => "paper",
            Preset::Sound => "sound",
            Preset::Theory => "theory",
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
        let options: &[Choice] = match (self, name) {
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

    /// A learner of the library with the options of this preset.
    pub fn learner(self, name: &str, environment: &str, rounds: u64) -> Result<Box<dyn LearnerConfig>> {
        Catalogue::new().learner(name, Some(&self), environment, rounds)
    }
}

impl catalogue::Preset for Preset {
    fn name(&self) -> &'static str {
        Preset::name(*self)
    }

    fn environment(&self, name: &str) -> Vec<(String, String)> {
        Preset::environment(*self, name)
    }

    fn fill_in(&self, learner: &mut dyn LearnerConfig, environment: &str, rounds: u64) {
        let place = PAPER_ENVIRONMENTS.iter().position(|&name| name == environment);
        match self {
            Preset::Published => published(learner, place),
            Preset::Paper => paper(learner, place),
            Preset::Sound => learner.fill_in(rounds),
            Preset::Theory => {
                choose(learner, &AS_PROVED);
                if learner.name() == "cmdp-psrl" {
                    choose(learner, &[("prior", "add:1")]);
                }
                learner.fill_in(rounds);
            }
        }
    }
}

/// What `published` and `paper` have in common.
const AS_WRITTEN: [Choice; 10] = [
    ("from", "anywhere"),
    ("off_support", "uniform"),
    ("infeasible", "uniform"),
    ("unvisited_reward", "0"),
    ("unvisited_cost", "0"),
    ("unvisited_bonus", "1"),
    ("clip", "false"),
    ("tolerance", "0.001"),
    ("staying", "0"),
    ("warm", "false"),
];

/// The bonuses and radii of the proofs; learners fill in the rest as in `sound`.
const AS_PROVED: [Choice; 4] =
    [("bonus", "original"), ("coef", "1"), ("scale", "1"), ("constants", "printed")];

fn published(learner: &mut dyn LearnerConfig, place: Option<usize>) {
    choose(learner, &AS_WRITTEN);
    choose(
        learner,
        &[("prior", "floor:1"), ("bonus", "scaled"), ("dual", "observed"), ("execute", "current")],
    );
    let epochs = if learner.name() == "cucrl-transitions" { "blocks" } else { "v1.2" };
    choose(learner, &[("epochs", epochs)]);
    if learner.name() == "cucrl-optimistic" {
        choose(learner, &[("unvisited_kernel", "fresh")]);
    }
    if let Some(place) = place {
        choose(
            learner,
            &[
                ("h", ["20", "200", "1000"][place]),
                ("coef", ["0.01", "0.01", "0.5"][place]),
                ("eta", ["2.9", "0.0035", "0.000165"][place]),
            ],
        );
    }
}

fn paper(learner: &mut dyn LearnerConfig, place: Option<usize>) {
    choose(learner, &AS_WRITTEN);
    choose(learner, &[("prior", "add:1"), ("bonus", "original"), ("dual", "model")]);
    choose(learner, &[("execute", "action-mixture"), ("mixed", "all")]);
    if let Some(place) = place {
        choose(
            learner,
            &[
                ("h", ["20", "1000", "1000"][place]),
                ("coef", ["0.01", "0.01", "0.5"][place]),
                ("eta", ["0.2", "0.0035", "0.000165"][place]),
            ],
        );
    }
}

/// Sets those options that a learner has.
fn choose(learner: &mut dyn LearnerConfig, choices: &[Choice]) {
    for (option, value) in choices {
        // A learner from outside may have an option of this name that takes other values: then its own stays.
        let _ = learner.assign(option, value, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value that a learner's option does not take would be passed over.
    #[test]
    fn every_choice_is_one_that_the_papers_learners_take() {
        let catalogue = Catalogue::standard();
        for preset in [&Preset::Published, &Preset::Paper] {
            for environment in PAPER_ENVIRONMENTS {
                for learner in catalogue.learners().all() {
                    let filled = catalogue.learner(learner.name(), Some(preset), environment, 9000).unwrap();
                    filled.check_complete().unwrap();
                }
            }
        }
        let value = |learner: &str, preset: Preset, option: &str| {
            let filled = catalogue.learner(learner, Some(&preset), "box", 9000).unwrap();
            filled.infos().into_iter().find(|info| info.name == option).unwrap().value
        };
        let power = "power:0.3333333333333333";
        for (learner, option, expected) in [
            ("psrl-transitions", "prior", ["floor:1", "add:1", "add:0.1", "add:0.1"]),
            ("cmdp-psrl", "prior", ["floor:1", "add:1", "add:0.1", "add:1"]),
            ("psrl-transitions", "from", ["anywhere", "anywhere", "here", "here"]),
            ("psrl-lagrangian", "eta", ["0.000165", "0.000165", "own", "own"]),
            ("psrl-lagrangian", "execute", ["current", "action-mixture", "current", "current"]),
            ("psrl-lagrangian", "warm", ["false", "false", "true", "true"]),
            ("cucrl-optimistic", "unvisited_kernel", ["fresh", "self-loop", "self-loop", "self-loop"]),
            ("cucrl-optimistic", "coef", ["0.5", "0.5", "0.03", "1"]),
            ("cucrl-conservative", "h", ["1000", "1000", "21", "21"]),
            ("cucrl-transitions", "epochs", ["blocks", power, power, power]),
        ] {
            let values = Preset::ALL.map(|preset| value(learner, preset, option));
            assert_eq!(values, expected, "{option} of {learner}");
        }
    }
}
