//! What experiments ask for by name: learners, and presets that fill in options.
//!
//! A learner of one's own joins by [`Catalogue::with_learner`], and is then read from experiment files, run, stored and
//! reported like any other.

use occupancy::Result;
use occupancy::error::Error;
use occupancy::learn::{LearnerConfig, Registry};
use std::fmt::Debug;

/// Values for the options of environments and learners.
pub trait Preset: Debug + Sync {
    /// The name in files and on the command line.
    fn name(&self) -> &'static str;

    /// Options of an environment, as keys and values; none if the preset has nothing to say of it.
    fn environment(&self, name: &str) -> Vec<(String, String)>;

    /// Fills in the options of a learner, for an environment and a number of rounds. What the preset has no value for stays
    /// as it is, and is missed by [`LearnerConfig::check_complete`] unless it is set.
    fn fill_in(&self, learner: &mut dyn LearnerConfig, environment: &str, rounds: u64);
}

/// How long a trial in an environment is, unless it is said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// The environment's name.
    pub environment: &'static str,
    /// T.
    pub rounds: u64,
    /// The window of the moving averages.
    pub window: u64,
}

/// Learners, presets and lengths of trials, each by name.
#[derive(Clone, Debug)]
pub struct Catalogue {
    learners: Registry,
    presets: Vec<&'static dyn Preset>,
    lengths: Vec<Length>,
}

impl Catalogue {
    /// The learners of the library, and no presets.
    pub fn new() -> Catalogue {
        Catalogue { learners: Registry::standard(), presets: Vec::new(), lengths: Vec::new() }
    }

    /// These and another learner.
    pub fn with_learner(self, learner: impl LearnerConfig + 'static) -> Catalogue {
        Catalogue { learners: self.learners.with(learner), ..self }
    }

    /// These and more presets and lengths.
    pub fn with_presets(mut self, presets: &[&'static dyn Preset], lengths: &[Length]) -> Catalogue {
        self.presets.extend(presets);
        self.lengths.extend(lengths);
        self
    }

    /// The learners.
    pub fn learners(&self) -> &Registry {
        &self.learners
    }

    /// The names of the presets.
    pub fn preset_names(&self) -> impl Iterator<Item = &'static str> {
        self.presets.iter().map(|preset| preset.name())
    }

    /// The preset of a name.
    pub fn preset(&self, name: &str) -> Result<&'static dyn Preset> {
        let found = self.presets.iter().find(|preset| preset.name() == name).copied();
        found.ok_or_else(|| Error::Unknown {
            what: "preset",
            name: name.to_string(),
            known: self.preset_names().map(String::from).collect(),
        })
    }

    /// A learner by its name, with the options of a preset or, without one, those that suit any task.
    pub fn learner(
        &self,
        name: &str,
        preset: Option<&dyn Preset>,
        environment: &str,
        rounds: u64,
    ) -> Result<Box<dyn LearnerConfig>> {
        let mut learner = self.learners.find(name)?;
        match preset {
            Some(preset) => preset.fill_in(learner.as_mut(), environment, rounds),
            None => learner.fill_in(rounds),
        }
        Ok(learner)
    }

    /// T in an environment, unless it is said otherwise: 10 000 if no paper has it.
    pub fn rounds(&self, environment: &str) -> u64 {
        self.length(environment).map_or(10_000, |length| length.rounds)
    }

    /// The window of the moving averages, unless it is said otherwise: a tenth of the rounds if no paper has the environment.
    pub fn window(&self, environment: &str, rounds: u64) -> u64 {
        let known = self.length(environment).map(|length| length.window).filter(|&window| window <= rounds);
        known.unwrap_or((rounds / 10).max(1))
    }

    fn length(&self, environment: &str) -> Option<&Length> {
        self.lengths.iter().find(|length| length.environment == environment)
    }
}
