//! Times of learning by episodes: microseconds of an episode, planning and recording included, on one core.
//!
//! `cargo bench --bench episodes` prints a line for each learner; `-- --only optcmdp` keeps those whose line contains the word.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and fails where it cannot go on"
)]

#[path = "../../occupancy/benches/clock/mod.rs"]
mod clock;

use clock::processor_seconds;
use occupancy::env::EnvConfig;
use occupancy::learn::LearnerConfig;
use occupancy::model::Cmdp;
use occupancy::seed::Seed;
use occupancy::sim::{Baseline, Grid, Level, TrialConfig};
use occupancy_lab::papers::provodin2022::Preset;

/// A random model with stages that differ: 4 actions and 3 successors each.
fn model(states: usize, horizon: usize) -> Cmdp {
    let options = [("states", states), ("actions", 4), ("horizon", horizon)];
    let options = options.map(|(key, value)| (key.to_string(), value.to_string()));
    EnvConfig::from_options("garnet", &options).unwrap().build().unwrap().model
}

/// Seconds of an episode.
fn seconds(model: &Cmdp, learner: &dyn LearnerConfig, episodes: u64) -> f64 {
    let level = Level { reward: 0.5, costs: vec![0.3], ranges: Vec::new() };
    let (optimal, safe, policies) = (Some(level.clone()), None, Vec::new());
    let baseline = Baseline { optimal, fast: level, safe, policies };
    let rounds = episodes * model.horizon().unwrap() as u64;
    let grid = Grid::new(rounds, &[]);
    let config =
        TrialConfig { model, baseline: &baseline, learner, rounds, grid: &grid, seed: Seed(2022), run: 0 };
    let started = processor_seconds();
    config.run(&mut []).unwrap();
    (processor_seconds() - started) / episodes as f64
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let only = words.iter().position(|word| word == "--only").and_then(|at| words.get(at + 1));
    println!("\nan episode, with 4 actions (µs, and ns a step)");
    for (kind, states, horizon, episodes) in [
        ("uniform", 16, 10, 200_000),
        ("triple-q", 16, 10, 200_000),
        ("optprimaldual", 16, 10, 20_000),
        ("uopt", 16, 10, 20_000),
        ("optdual", 16, 10, 20_000),
        ("optcmdp-bonus", 16, 10, 2000),
        ("optcmdp", 16, 10, 2000),
        ("optcmdp", 64, 20, 200),
        ("conrl", 16, 10, 2000),
        ("ucpd", 16, 10, 500),
        ("safe-psrl", 16, 10, 5000),
        ("psrl", 16, 10, 5000),
    ] {
        let line = format!("{kind:<14} S = {states:<3} H = {horizon:<3}");
        if only.is_some_and(|only| !line.contains(only.as_str())) {
            continue;
        }
        let model = model(states, horizon);
        let mut learner = Preset::Sound.learner(kind, "none", episodes * horizon as u64).unwrap();
        for (option, value) in [("rho", "4"), ("baseline_cost", "0")] {
            let _ = learner.assign(option, value, false);
        }
        let time = seconds(&model, learner.as_ref(), episodes);
        println!("  {line} {:10.2} {:8.1}", 1e6 * time, 1e9 * time / horizon as f64);
    }
}
