//! "An Empirical Evaluation of Posterior Sampling for Constrained Reinforcement Learning" (Provodin et al., 2022).

mod claims;
mod experiments;
mod findings;
mod presets;

pub use experiments::{EXPERIMENT_FILES, ExperimentFile, Reading, Topic};
pub use presets::{PAPER_ENVIRONMENTS, Preset, add_to};

use crate::report::{Chapter, Claim, Judged, Paper, PaperWords};

/// The paper, for a report.
#[derive(Clone, Copy, Debug)]
pub struct Provodin2022;

impl Paper for Provodin2022 {
    fn owns(&self, chapter: &Chapter) -> bool {
        experiments::hold(&chapter.results.manifest.settings)
    }

    fn words(&self) -> PaperWords {
        PaperWords {
            title: "Posterior sampling for constrained reinforcement learning, run again",
            name: "Provodin et al. (2022)",
            citation: "D. Provodin, P. Gajane, M. Pechenizkiy, M. Kaptein: An Empirical Evaluation of Posterior Sampling \
                       for Constrained Reinforcement Learning, 2022",
            claims: "The paper's claims, checked",
            sweeps: "Box: what keeps optimistic learners from the optimum; and epochs by another rule",
            terms: "These are the terms of the paper's Appendix A.",
        }
    }

    fn environments(&self) -> &[&str] {
        &PAPER_ENVIRONMENTS
    }

    fn presets(&self) -> &[&str] {
        const NAMES: [&str; 3] = ["published", "paper", "sound"];
        &NAMES
    }

    fn about_preset(&self, preset: &str) -> &str {
        match preset {
            "published" => "what made the paper's figures: its code",
            "paper" => "the paper's text",
            "sound" => "the same learners as we would use them",
            _ => "",
        }
    }

    fn title<'n>(&self, environment: &'n str) -> &'n str {
        match environment {
            "marsrover-4x4" => "Marsrover 4x4",
            "marsrover-8x8" => "Marsrover 8x8",
            "box" => "Box",
            other => other,
        }
    }

    fn commands(&self, chapters: &[&Chapter]) -> Vec<String> {
        let has = |is: fn(&Chapter) -> bool| chapters.iter().any(|chapter| is(chapter));
        let quick = has(|chapter| chapter.results.manifest.runs < chapter.experiment.runs);
        let extended = has(|chapter| chapter.results.manifest.name.ends_with("-extended"));
        let options = [(quick, " --quick"), (extended, " --extended")];
        let options: String = options.iter().filter(|(is, _)| *is).map(|(_, option)| *option).collect();
        let run = |preset: &&&str| chapters.iter().any(|chapter| chapter.preset() == Some(**preset));
        let presets: Vec<&str> = self.presets().iter().filter(run).copied().collect();
        let presets = if presets.len() == self.presets().len() { vec!["all"] } else { presets };
        presets.iter().map(|preset| format!("occupancy reproduce --preset {preset}{options}")).collect()
    }

    fn findings(&self, judged: &[Judged]) -> Vec<String> {
        findings::of(judged)
    }

    fn claims(&self, judged: &[Judged]) -> Vec<Claim> {
        claims::check(judged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_knows_the_presets_by_their_names() {
        assert_eq!(Provodin2022.presets(), Preset::COMPARED.map(Preset::name));
    }
}
