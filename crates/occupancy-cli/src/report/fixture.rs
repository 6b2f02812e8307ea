//! Stored experiments made up by hand for the tests.

use super::Chapter;
use occupancy::run::{Baseline, Experiment, Grid, Session, Store};
use std::fmt::Write;
use std::path::PathBuf;

/// A learner whose runs are made up.
pub struct MadeUp {
    /// Its name.
    pub name: &'static str,
    /// The reward and the cost of a run at a step.
    pub signals: fn(run: u64, step: u64) -> [f64; 2],
    /// Epochs of every run.
    pub epochs: u64,
    /// Seconds of planning in every run; a run takes a tenth longer.
    pub planning: f64,
}

/// An experiment that is made up.
pub struct Story {
    /// The environment.
    pub environment: &'static str,
    /// The preset.
    pub preset: &'static str,
    /// Lines for every learner's table.
    pub options: &'static str,
    /// Steps of a run.
    pub rounds: u64,
    /// The window.
    pub window: u64,
    /// Runs of every learner.
    pub runs: u64,
}

impl Default for Story {
    fn default() -> Story {
        let (environment, preset, options) = ("marsrover-4x4", "published", "");
        Story { environment, preset, options, rounds: 400, window: 20, runs: 12 }
    }
}

impl Story {
    /// Stores it, and opens what is stored. `test` names its folder, which no other test may have.
    pub fn chapter(&self, test: &str, learners: &[MadeUp]) -> Chapter {
        // Beside the tests, where `cargo clean` finds it.
        let folder = std::env::current_exe().unwrap().with_file_name("stories").join(test);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("story.toml");
        std::fs::write(&file, self.toml(learners)).unwrap();
        let experiment = Experiment::read(&file).unwrap().remove(0);
        let env = experiment.build().unwrap();
        let baseline = Baseline::of(&env.model).unwrap();
        let place: PathBuf = folder.join("results");
        std::fs::create_dir_all(&place).unwrap();
        let store = Store::new(&place, &experiment, &env.model, &baseline);
        store.prepare(&Session::begin("0", "0", 1)).unwrap();
        let chapter = Chapter::open(&place).unwrap();
        for learner in learners {
            for run in 0..self.runs {
                let record = trial(learner, run, &experiment.grid());
                chapter
                    .results
                    .put(format!("trials/{}/{run:03}.csv", learner.name), record.as_bytes())
                    .unwrap();
                let (seconds, planning) = (1.1 * learner.planning, learner.planning);
                let timing = format!(
                    "run,seconds,planning_seconds,host,trial_hash\n{run},{seconds},{planning},here,sha256:0\n"
                );
                chapter
                    .results
                    .put(format!("timings/{}/{run:03}.csv", learner.name), timing.as_bytes())
                    .unwrap();
            }
        }
        chapter
    }

    fn toml(&self, learners: &[MadeUp]) -> String {
        let mut text = format!("rounds = {}\nruns = {}\n", self.rounds, self.runs);
        text += &format!("windows = [{}]\npreset = \"{}\"\n", self.window, self.preset);
        text += &format!("[env]\nname = \"{}\"\n", self.environment);
        for learner in learners {
            text += &format!("[[learner]]\nname = \"{}\"\n{}\n", learner.name, self.options);
        }
        text
    }
}

/// The file of a run.
fn trial(learner: &MadeUp, run: u64, grid: &Grid) -> String {
    let mut text = "step,reward,cost_0,shortfall,excess_0,epochs,infeasible,multichain\n".to_string();
    let (mut sums, mut done) = ([0.0; 2], 0);
    let last = grid.steps().last().copied().unwrap();
    for &step in grid.steps() {
        for step in done + 1..=step {
            let signals = (learner.signals)(run, step);
            (0..2).for_each(|i| sums[i] += signals[i]);
        }
        done = step;
        let epochs = learner.epochs * step / last;
        writeln!(text, "{step},{},{},0,0,{epochs},0,0", sums[0], sums[1]).unwrap();
    }
    text
}
