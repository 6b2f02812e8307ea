//! The report of stored runs: a pure function of folders of results.

pub mod claims;
#[cfg(test)]
mod fixture;
pub mod plots;
mod runs;

use crate::failure::Result;
use occupancy::env::Env;
use occupancy::run::{Experiment, Preset, Results};
use std::path::Path;

/// One experiment of a report.
pub struct Chapter {
    /// The stored runs.
    pub results: Results,
    /// What was run.
    pub experiment: Experiment,
    /// The environment.
    pub env: Env,
}

impl Chapter {
    /// The chapter of a folder of results.
    pub fn open(folder: &Path) -> Result<Chapter> {
        let results = Results::open(folder)?;
        let experiment = results.experiment()?;
        let env = experiment.build()?;
        Ok(Chapter { results, experiment, env })
    }

    /// The preset of the experiment, where its file names one.
    pub fn preset(&self) -> Option<Preset> {
        self.experiment.preset
    }
}
