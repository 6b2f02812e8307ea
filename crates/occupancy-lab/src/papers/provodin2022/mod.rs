//! "An Empirical Evaluation of Posterior Sampling for Constrained Reinforcement Learning" (Provodin et al., 2022).

mod claims;
mod experiments;
mod presets;

pub use experiments::{EXPERIMENT_FILES, ExperimentFile, Reading, Topic};
pub use presets::{PAPER_ENVIRONMENTS, Preset, add_to};

use crate::Result;
use crate::report::{Chapter, Claim, Paper};

/// The paper, for a report.
#[derive(Clone, Copy, Debug)]
pub struct Provodin2022;

impl Paper for Provodin2022 {
    fn environments(&self) -> &[&str] {
        &PAPER_ENVIRONMENTS
    }

    fn presets(&self) -> &[&str] {
        const NAMES: [&str; 3] = ["published", "paper", "sound"];
        &NAMES
    }

    fn title<'n>(&self, environment: &'n str) -> &'n str {
        match environment {
            "marsrover-4x4" => "Marsrover 4x4",
            "marsrover-8x8" => "Marsrover 8x8",
            "box" => "Box",
            other => other,
        }
    }

    fn claims(&self, chapters: &[Chapter]) -> Result<Vec<Claim>> {
        claims::check(chapters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_knows_the_presets_by_their_names() {
        assert_eq!(Provodin2022.presets(), Preset::ALL.map(Preset::name));
    }
}
