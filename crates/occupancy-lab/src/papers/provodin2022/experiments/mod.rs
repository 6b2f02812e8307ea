//! The paper's experiments: their files are part of the library, so that they can be run anywhere.
//!
//! Users find the same files in the folder `experiments/provodin2022` of the project.

use super::Preset;
use crate::Result;
use crate::catalogue::Catalogue;
use crate::experiment::Experiment;
use std::sync::OnceLock;

/// What an experiment of the paper is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Topic {
    /// Figure 2, left.
    Marsrover4x4,
    /// Figure 2, right.
    Marsrover8x8,
    /// Figure 3.
    Box,
    /// What keeps optimistic learners from the optimum in Box.
    BoxAblation,
    /// How often posterior samplers plan under the rule that the paper's bound is about.
    Epochs,
}

impl Topic {
    /// How many runs show all that is told of a sweep: near the optimum, with the safe policy, above the budget and short of
    /// both occur in three.
    fn telling_runs(self) -> u64 {
        if self == Topic::BoxAblation { 3 } else { u64::MAX }
    }

    /// How many runs give the figures in seconds.
    fn quick_runs(self) -> u64 {
        match self {
            Topic::Marsrover4x4 => 10,
            Topic::Marsrover8x8 => 5,
            Topic::Box => 3,
            Topic::BoxAblation => 1,
            // Fewer decide nothing.
            Topic::Epochs => 5,
        }
    }
}

/// An experiment file of the paper.
#[derive(Clone, Copy, Debug)]
pub struct ExperimentFile {
    /// What it is about.
    pub topic: Topic,
    /// The preset that it names.
    pub preset: Preset,
    /// Its name without the ending.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! file {
    ($topic:ident, $preset:ident, $name:literal) => {
        ExperimentFile {
            topic: Topic::$topic,
            preset: Preset::$preset,
            name: $name,
            text: include_str!(concat!($name, ".toml")),
        }
    };
}

/// All of them, in the order of the paper.
pub const EXPERIMENT_FILES: [ExperimentFile; 14] = [
    file!(Marsrover4x4, Published, "marsrover-4x4-published"),
    file!(Marsrover8x8, Published, "marsrover-8x8-published"),
    file!(Box, Published, "box-published"),
    file!(BoxAblation, Published, "box-ablation"),
    file!(BoxAblation, Published, "box-unvisited"),
    file!(Epochs, Published, "marsrover-4x4-epochs"),
    file!(Epochs, Published, "marsrover-8x8-epochs"),
    file!(Epochs, Published, "box-epochs"),
    file!(Marsrover4x4, Sound, "marsrover-4x4-sound"),
    file!(Marsrover8x8, Sound, "marsrover-8x8-sound"),
    file!(Box, Sound, "box-sound"),
    file!(Marsrover4x4, Paper, "marsrover-4x4-paper"),
    file!(Marsrover8x8, Paper, "marsrover-8x8-paper"),
    file!(Box, Paper, "box-paper"),
];

/// What an extended experiment has beside the learners of its file.
const LAST_LEARNER: &str = "\n[[learner]]\nname = \"cucrl-transitions\"\n";

/// How a file is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// As few runs as give the figures in seconds.
    pub quick: bool,
    /// With `cucrl-transitions` in every comparison, under another name.
    pub extended: bool,
    /// As few runs of the sweeps that explain Box as show every ending: all of them take as long as the figures.
    pub short_sweeps: bool,
}

impl ExperimentFile {
    /// The experiments of the file, with the learners and presets of a catalogue.
    pub fn experiments(&self, reading: Reading, catalogue: &Catalogue) -> Result<Vec<Experiment>> {
        let is_sweep = matches!(self.topic, Topic::BoxAblation | Topic::Epochs);
        let lacks_it = !self.text.contains("cucrl-transitions\"") && !is_sweep;
        let mut experiments = if reading.extended && lacks_it {
            let text = format!("{}{LAST_LEARNER}", self.text);
            Experiment::from_text(&text, format!("{}-extended.toml", self.name), catalogue)?
        } else {
            Experiment::from_text(self.text, format!("{}.toml", self.name), catalogue)?
        };
        let quick = if reading.quick { self.topic.quick_runs() } else { u64::MAX };
        let telling = if reading.short_sweeps { self.topic.telling_runs() } else { u64::MAX };
        let most = quick.min(telling);
        experiments.iter_mut().for_each(|experiment| experiment.runs = experiment.runs.min(most));
        Ok(experiments)
    }
}

/// Whether settings are those of one of the paper's experiments, in whatever version of the numbers.
pub fn hold(settings: &[(String, String)]) -> bool {
    static KNOWN: OnceLock<Vec<Vec<(String, String)>>> = OnceLock::new();
    let apart = |settings: &[(String, String)]| -> Vec<(String, String)> {
        settings.iter().filter(|(key, _)| key != "numbers").cloned().collect()
    };
    let known = KNOWN.get_or_init(|| {
        let catalogue = Catalogue::standard();
        let readings = [false, true].map(|extended| Reading { extended, ..Reading::default() });
        let files = EXPERIMENT_FILES.iter().flat_map(|file| readings.map(|reading| (file, reading)));
        let read = files.filter_map(|(file, reading)| file.experiments(reading, &catalogue).ok());
        read.flatten().map(|experiment| apart(&experiment.settings())).collect()
    });
    known.contains(&apart(settings))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_file_has_the_rounds_and_runs_of_the_paper() {
        for file in &EXPERIMENT_FILES {
            let (rounds, runs) = match file.topic {
                Topic::Marsrover4x4 => (9000, 100),
                Topic::Marsrover8x8 => (200_000, 30),
                Topic::Box => (2_000_000, 30),
                Topic::BoxAblation => (300_000, 10),
                Topic::Epochs if file.name.contains("4x4") => (9000, 5),
                Topic::Epochs if file.name.contains("8x8") => (50_000, 5),
                Topic::Epochs => (10_000, 5),
            };
            for experiment in file.experiments(Reading::default(), &Catalogue::standard()).unwrap() {
                assert_eq!((experiment.rounds, experiment.runs), (rounds, runs), "{}", file.name);
                assert_eq!(experiment.preset, Some(file.preset.name()));
                assert!(experiment.runs >= file.topic.quick_runs());
            }
        }
    }

    #[test]
    fn short_sweeps_leave_the_figures_as_they_are() {
        let runs = |reading: Reading| -> Vec<u64> {
            let files = EXPERIMENT_FILES.iter().filter(|file| file.preset == Preset::Published);
            files.map(|file| file.experiments(reading, &Catalogue::standard()).unwrap()[0].runs).collect()
        };
        assert_eq!(runs(Reading::default()), [100, 30, 30, 10, 10, 5, 5, 5]);
        assert_eq!(runs(Reading { short_sweeps: true, ..Reading::default() }), [100, 30, 30, 3, 3, 5, 5, 5]);
        assert_eq!(
            runs(Reading { quick: true, short_sweeps: true, ..Reading::default() }),
            [10, 5, 3, 1, 1, 5, 5, 5]
        );
    }

    #[test]
    fn the_papers_experiments_are_known_by_their_settings_and_no_other_is() {
        for file in &EXPERIMENT_FILES {
            for reading in [Reading::default(), Reading { quick: true, extended: true, short_sweeps: true }] {
                for experiment in file.experiments(reading, &Catalogue::standard()).unwrap() {
                    assert!(hold(&experiment.settings()), "{}", experiment.name);
                }
            }
        }
        let text = EXPERIMENT_FILES[0].text.replace("9_000", "9_001");
        let other =
            Experiment::from_text(&text, "marsrover-4x4-published.toml", &Catalogue::standard()).unwrap();
        assert!(!hold(&other[0].settings()));
    }

    /// In the project, users find the files in `experiments/`. The archive of this crate has only its own.
    #[test]
    fn users_find_the_same_files() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/provodin2022");
        let Ok(entries) = std::fs::read_dir(&folder) else { return };
        assert_eq!(entries.count(), EXPERIMENT_FILES.len());
        for file in &EXPERIMENT_FILES {
            let path = folder.join(format!("{}.toml", file.name));
            assert_eq!(std::fs::read_to_string(&path).unwrap(), file.text, "{}", path.display());
        }
    }
}
