//! Times of learning: a step of the loop, a drawn row, and whole runs.
//!
//! `cargo bench --bench learn` prints three tables; `-- --only box` keeps the whole runs whose line contains the word,
//! `-- --preset sound` runs another preset.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and fails where it cannot go on"
)]

mod clock;

use clock::processor_seconds;
use occupancy::env::EnvConfig;
use occupancy::learn::{LearnerKind, Posterior};
use occupancy::model::{Cmdp, Task};
use occupancy::run::{Baseline, Grid, Metrics, Preset, Trial, TrialConfig, default_window};
use occupancy::seed::Seed;
use std::ops::ControlFlow;

const PAPER: [(&str, u64); 3] = [("marsrover-4x4", 9000), ("marsrover-8x8", 200_000), ("box", 2_000_000)];

fn model(environment: &str, preset: Preset) -> Cmdp {
    let options = preset.environment(environment);
    EnvConfig::from_options(environment, &options).unwrap().build().unwrap().model
}

/// A trial; run 0 of seed 2022.
fn trial(
    model: &Cmdp,
    environment: &str,
    preset: Preset,
    kind: LearnerKind,
    rounds: u64,
) -> (Trial, Baseline) {
    let baseline = Baseline::of(model).unwrap();
    let grid = Grid::new(rounds, &[default_window(environment, rounds)]);
    let learner = &preset.learner(kind, environment, rounds);
    let (seed, run) = (Seed(2022), 0);
    let config = TrialConfig { model, baseline: &baseline, learner, rounds, grid: &grid, seed, run };
    let trial = config.run(&mut |_| ControlFlow::Continue(())).unwrap();
    (trial, baseline)
}

/// Nanoseconds per step of a fixed policy, recording included.
fn steps() {
    println!("a step of the loop, recording on (ns)");
    for preset in [Preset::Published, Preset::Sound] {
        for (environment, _) in PAPER {
            let model = model(environment, preset);
            for kind in [LearnerKind::Uniform, LearnerKind::Oracle] {
                const ROUNDS: u64 = 10_000_000;
                let started = processor_seconds();
                trial(&model, environment, preset, kind, ROUNDS);
                let time = (processor_seconds() - started) * 1e9 / ROUNDS as f64;
                println!("  {:<10} {environment:<14} {:<8} {time:6.1}", preset.name(), kind.name());
            }
        }
    }
}

/// Microseconds per drawn row of 121 successors, after 100 000 random steps.
fn rows() {
    println!("\na drawn row of 121 successors (µs)");
    let model = model("box", Preset::Published);
    let (trial, _) = trial(&model, "box", Preset::Published, LearnerKind::Uniform, 100_000);
    let mut drawn = Task::of(&model, 1).blank();
    let mut rng = Seed(1).rng("rows");
    for posterior in [Posterior::Floor(1.0), Posterior::Add(1.0), Posterior::Add(0.05)] {
        const DRAWS: usize = 100;
        let started = processor_seconds();
        (0..DRAWS).for_each(|_| posterior.draw(&trial.counts, &mut drawn, &mut rng).unwrap());
        let time = (processor_seconds() - started) * 1e6 / (DRAWS * model.pairs()) as f64;
        println!("  {:<12} {time:6.2}", format!("{posterior:?}"));
    }
}

fn runs(only: Option<&str>, preset: Preset) {
    println!("\nwhole runs, preset {}", preset.name());
    println!(
        "  {:<14} {:<19} {:>9} {:>7} {:>9} {:>6} {:>6} {:>9} {:>8}",
        "environment", "learner", "rounds", "epochs", "CPU s", "inf.", "multi", "reward", "cost"
    );
    for (environment, rounds) in PAPER {
        let model = model(environment, preset);
        for kind in LearnerKind::ALL {
            let line = format!("{environment:<14} {:<19}", kind.name());
            if only.is_some_and(|only| !line.contains(only)) {
                continue;
            }
            let started = processor_seconds();
            let (trial, baseline) = trial(&model, environment, preset, kind, rounds);
            let metrics = Metrics::new(&trial.record, baseline.optimum(), model.budgets());
            let (last, window) = (metrics.last(), default_window(environment, rounds));
            println!(
                "  {line} {rounds:>9} {:>7} {:>9.3} {:>6} {:>6} {:>9.4} {:>8.4}",
                trial.record.epochs[last],
                processor_seconds() - started,
                trial.record.infeasible[last],
                trial.record.multichain[last],
                metrics.window(0, last, window).unwrap(),
                metrics.window(1, last, window).unwrap(),
            );
        }
    }
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let after = |flag: &str| words.iter().position(|word| word == flag).and_then(|at| words.get(at + 1));
    let preset = after("--preset").map_or(Preset::Published, |name| Preset::from_name(name).unwrap());
    let only = after("--only").map(String::as_str);
    if only.is_none() {
        steps();
        rows();
    }
    runs(only, preset);
}
