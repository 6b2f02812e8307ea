//! Stored experiments made up by hand for the tests.

use super::{Chapter, Paper};
use crate::catalogue::Catalogue;
use crate::experiment::{Experiment, NamedLearner};
use crate::papers::provodin2022::Provodin2022;
use crate::store::{Session, Store};
use crate::timed::TimedTrial;
use occupancy::env::Env;
use occupancy::seed::Seed;
use occupancy::sim::{Baseline, Grid, Record, Trial, TrialConfig};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

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

/// A paper that owns every experiment.
pub struct OwnsAll;

impl Paper for OwnsAll {
    fn owns(&self, _: &Chapter) -> bool {
        true
    }

    fn environments(&self) -> &[&str] {
        Provodin2022.environments()
    }

    fn presets(&self) -> &[&str] {
        Provodin2022.presets()
    }
}

impl Default for Story {
    fn default() -> Story {
        let (environment, preset, options) = ("marsrover-4x4", "published", "");
        Story { environment, preset, options, rounds: 400, window: 20, runs: 12 }
    }
}

impl Story {
    /// Stores it, and opens what is stored. Tests run side by side, and two of them may give a story the same name, so its
    /// folder has a number too; it lies beside the tests, where `cargo clean` finds it.
    pub fn chapter(&self, name: &str, learners: &[MadeUp]) -> Chapter {
        static STORIES: AtomicU64 = AtomicU64::new(0);
        let name = format!("{name}-{}", STORIES.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::current_exe().unwrap().with_file_name("stories").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("story.toml");
        std::fs::write(&file, self.toml(learners)).unwrap();
        let experiment = Experiment::read(&file, &Catalogue::standard()).unwrap().remove(0);
        let env = experiment.build().unwrap();
        let baseline = Baseline::of(&env.model).unwrap();
        let target: PathBuf = folder.join("results");
        std::fs::create_dir_all(&target).unwrap();
        let store = Store::new(&target, &experiment, &env.model, &baseline);
        store.prepare(&Session::begin("0", "0", 1)).unwrap();
        let grid = experiment.grid();
        for (learner, named) in learners.iter().zip(&experiment.learners) {
            let template = template(&env, &baseline, named);
            let trial = |run| TimedTrial {
                trial: Trial {
                    record: record(learner, run, &grid),
                    snapshots: Vec::new(),
                    ..template.clone()
                },
                terms: Vec::new(),
                planning: Duration::from_secs_f64(learner.planning),
                total: Duration::from_secs_f64(1.1 * learner.planning),
            };
            let parcels = (0..self.runs).map(|run| store.pack(&named.label, run, &trial(run)));
            store.write_runs(&parcels.collect::<Vec<_>>()).unwrap();
        }
        Chapter::open(&target, &Catalogue::standard()).unwrap()
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

/// A run of one round, for what is not made up.
fn template(env: &Env, baseline: &Baseline, learner: &NamedLearner) -> Trial {
    let (model, learner, grid, seed) = (&env.model, learner.config.as_ref(), &Grid::new(1, &[]), Seed(0));
    let config = TrialConfig { model, baseline, learner, rounds: 1, grid, seed, run: 1 };
    config.run(&mut []).unwrap()
}

/// What is recorded of a run.
fn record(learner: &MadeUp, run: u64, grid: &Grid) -> Record {
    let none = vec![0; grid.steps().len()];
    let zeros = vec![0.0; none.len()];
    let mut found = Record {
        step: grid.steps().to_vec(),
        costs: vec![Vec::new()],
        shortfall: zeros.clone(),
        excess: vec![zeros],
        infeasible: none.clone(),
        multichain: none,
        ..Record::default()
    };
    let (mut sums, mut done) = ([0.0; 2], 0);
    let last = grid.steps().last().copied().unwrap();
    for &step in grid.steps() {
        for step in done + 1..=step {
            let signals = (learner.signals)(run, step);
            (0..2).for_each(|i| sums[i] += signals[i]);
        }
        done = step;
        found.reward.push(sums[0]);
        found.costs[0].push(sums[1]);
        found.epochs.push(learner.epochs * step / last);
    }
    found
}
