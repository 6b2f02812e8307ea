//! Times of learning: a step of the loop, a drawn row, and whole runs.
//!
//! `cargo bench --bench learn` prints steps, rows, whole runs, and the table of README.md; `-- --only box` keeps the whole
//! runs whose line contains the word, `-- --preset sound` runs another preset; `-- --steps` stops before whole runs.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and fails where it cannot go on"
)]

#[path = "../../occupancy/benches/clock/mod.rs"]
mod clock;
#[path = "../../occupancy/benches/large/mod.rs"]
mod large;
#[path = "../../occupancy/benches/repeat/mod.rs"]
mod repeat;

use clock::processor_seconds;
use occupancy::env::EnvConfig;
use occupancy::learn::Registry;
use occupancy::learn::parts::posterior::Posterior;
use occupancy::model::{Cmdp, Task};
use occupancy::seed::Seed;
use occupancy::sim::{Baseline, Grid, Level, Metrics, Trial, TrialConfig, ValueObserver};
use occupancy_lab::catalogue::Catalogue;
use occupancy_lab::papers::provodin2022::Preset;
use repeat::seconds_each;

/// CPU seconds of a run with the paper's published code (v1.2) on one core of a machine like that of docs/benchmarks.md,
/// in the environments of [`PAPER`].
const AUTHORS: [(&str, [Option<f64>; 3]); 5] = [
    ("psrl-transitions", [Some(2.2), Some(121.0), Some(964.0)]),
    ("psrl-lagrangian", [Some(0.75), Some(15.5), Some(223.0)]),
    ("cucrl-optimistic", [Some(1.6), Some(32.0), Some(480.0)]),
    ("cucrl-conservative", [Some(0.85), Some(12.0), Some(90.0)]),
    ("cucrl-transitions", [Some(800.0), None, None]),
];

/// The learners of the paper, and what they are compared with.
const PAPER_LEARNERS: [&str; 7] = [
    "psrl-transitions",
    "psrl-lagrangian",
    "cucrl-optimistic",
    "cucrl-conservative",
    "cucrl-transitions",
    "uniform",
    "oracle",
];

const PAPER: [(&str, u64); 3] = [("marsrover-4x4", 9000), ("marsrover-8x8", 200_000), ("box", 2_000_000)];

fn model(environment: &str, preset: Preset) -> Cmdp {
    let options = preset.environment(environment);
    EnvConfig::from_options(environment, &options).unwrap().build().unwrap().model
}

/// A trial; run 0 of seed 2022.
fn trial(model: &Cmdp, environment: &str, preset: Preset, kind: &str, rounds: u64) -> (Trial, Baseline) {
    let baseline = Baseline::of(model).unwrap();
    let grid = Grid::new(rounds, &[Catalogue::standard().window(environment, rounds)]);
    let learner = preset.learner(kind, environment, rounds).unwrap();
    let (seed, run) = (Seed(2022), 0);
    let config =
        TrialConfig { model, baseline: &baseline, learner: learner.as_ref(), rounds, grid: &grid, seed, run };
    let trial = config.run(&mut []).unwrap();
    (trial, baseline)
}

/// Nanoseconds per step of a fixed policy, recording included.
fn steps() {
    println!("a step of the loop, recording on (ns)");
    for preset in [Preset::Published, Preset::Sound] {
        for (environment, _) in PAPER {
            let model = model(environment, preset);
            for kind in ["uniform", "oracle"] {
                const ROUNDS: u64 = 10_000_000;
                let started = processor_seconds();
                trial(&model, environment, preset, kind, ROUNDS);
                let time = (processor_seconds() - started) * 1e9 / ROUNDS as f64;
                println!("  {:<10} {environment:<14} {:<8} {time:6.1}", preset.name(), kind);
            }
        }
    }
}

/// Nanoseconds per step in models of 20, 1000 and 10 000 states, recording included, how many times that of 20 states it is, and how
/// many milliseconds tables take before the first: in
/// models where one can jump to any state, and in grids; by a policy that draws every action, and by the best one, which as those of
/// learners is certain of its action in nearly all states.
fn steps_by_size() {
    println!("\na step by the size of the model, recording on (ns)");
    for (family, name) in [("random jumps", "jumps"), ("slippery grid", "grid")] {
        for kind in ["uniform", "oracle"] {
            let mut first = None;
            for states in [20, 1000, 10_000] {
                let side = (states as f64).sqrt().round() as usize;
                let model = if name == "grid" {
                    large::grid(side, 0.1, 0.1, 1)
                } else {
                    large::jumps(states, 0.3, 1)
                };
                let baseline = if kind == "oracle" { Baseline::of(&model).unwrap() } else { no_baseline() };
                let time = 1e9 * time_of_a_step(&model, &baseline, kind, None);
                let ratio = time / *first.get_or_insert(time);
                let before = 1e3 * time_before_steps(&model, &baseline, kind);
                println!(
                    "  {family:<14} {kind:<8} {:>6} states {time:6.1}  {ratio:4.1} times, after {before:4.1} ms",
                    model.states()
                );
            }
        }
    }
}

/// Nanoseconds per step of a random policy in episodes of gridworlds, recording and value gaps included.
fn steps_of_episodes() {
    println!("\na step of episodes, recording on (ns)");
    for (environment, horizon) in [("marsrover-4x4", 20), ("marsrover-8x8", 50)] {
        let env = EnvConfig::from_options(environment, &[]).unwrap().build().unwrap();
        let model = env.in_episodes(horizon).unwrap().model;
        let time = 1e9 * time_of_a_step(&model, &no_baseline(), "uniform", Some(horizon));
        println!("  {environment:<14} {horizon:>3} steps, {:>5} states {time:6.1}", model.states());
    }
}

/// Levels that nothing is known of, for a policy that needs none.
fn no_baseline() -> Baseline {
    let level = Level { reward: 0.5, costs: vec![0.1], ranges: Vec::new() };
    Baseline { optimal: Some(level.clone()), fast: level, safe: None, policies: Vec::new() }
}

/// Seconds for each step of a fixed policy after the first, the least of fifteen trials; with the value gaps of episodes.
fn time_of_a_step(model: &Cmdp, baseline: &Baseline, kind: &str, horizon: Option<usize>) -> f64 {
    const ROUNDS: u64 = 2_000_000;
    let least = |rounds| least_time(model, baseline, kind, horizon, rounds);
    (least(ROUNDS) - least(1)) / (ROUNDS - 1) as f64
}

/// Seconds before the first step of a fixed policy, that step included.
fn time_before_steps(model: &Cmdp, baseline: &Baseline, kind: &str) -> f64 {
    least_time(model, baseline, kind, None, 1)
}

/// The least time of a trial of so many rounds.
fn least_time(model: &Cmdp, baseline: &Baseline, kind: &str, horizon: Option<usize>, rounds: u64) -> f64 {
    let (grid, learner) = (Grid::new(rounds, &[]), Registry::standard().find(kind).unwrap());
    let (learner, grid, seed) = (learner.as_ref(), &grid, Seed(2022));
    let config = TrialConfig { model, baseline, learner, rounds, grid, seed, run: 0 };
    let one = |_| {
        let started = processor_seconds();
        match horizon {
            Some(_) => config.run(&mut [&mut ValueObserver::new(model, horizon, Some(0.5))]),
            None => config.run(&mut []),
        }
        .unwrap();
        processor_seconds() - started
    };
    (0..15).map(one).fold(f64::INFINITY, f64::min)
}

/// Microseconds per drawn row of 121 successors, after 100 000 random steps.
fn rows() {
    println!("\na drawn row of 121 successors (µs)");
    let model = model("box", Preset::Published);
    let (trial, _) = trial(&model, "box", Preset::Published, "uniform", 100_000);
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

/// Prints a line for each run; the seconds of every environment and learner that was run.
fn runs(only: Option<&str>, preset: Preset) -> Vec<(&'static str, &'static str, f64)> {
    let mut all = Vec::new();
    println!("\nwhole runs, preset {}", preset.name());
    println!(
        "  {:<14} {:<19} {:>9} {:>7} {:>9} {:>6} {:>6} {:>9} {:>8}",
        "environment", "learner", "rounds", "epochs", "CPU s", "inf.", "multi", "reward", "cost"
    );
    for (environment, rounds) in PAPER {
        let model = model(environment, preset);
        for kind in PAPER_LEARNERS {
            let line = format!("{environment:<14} {:<19}", kind);
            if only.is_some_and(|only| !line.contains(only)) {
                continue;
            }
            let (time, (trial, baseline)) = seconds_each(|| trial(&model, environment, preset, kind, rounds));
            all.push((environment, kind, time));
            let metrics = Metrics::new(&trial.record, baseline.optimum(), model.budgets());
            let (last, window) = (metrics.last(), Catalogue::standard().window(environment, rounds));
            println!(
                "  {line} {rounds:>9} {:>7} {:>9.4} {:>6} {:>6} {:>9.4} {:>8.4}",
                trial.record.epochs[last],
                time,
                trial.record.infeasible[last],
                trial.record.multichain[last],
                metrics.window(0, last, window).unwrap(),
                metrics.window(1, last, window).unwrap(),
            );
        }
    }
    all
}

/// The table of README.md: CPU seconds of a run, and how many times as long the published code takes.
fn beside_the_authors(all: &[(&str, &str, f64)]) {
    println!("\n| CPU seconds of a run | 4x4 | v1.2 | | 8x8 | v1.2 | | Box | v1.2 | |");
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (kind, authors) in AUTHORS {
        print!("| `{}` |", kind);
        for ((environment, _), authors) in PAPER.into_iter().zip(authors) {
            let ours =
                all.iter().find(|run| run.0 == environment && run.1 == kind).map_or(f64::NAN, |run| run.2);
            match authors {
                Some(authors) => print!(" {} | {authors} | {}× |", brief(ours), brief(authors / ours)),
                None => print!(" {} | | |", brief(ours)),
            }
        }
        println!();
    }
}

/// Two digits of a positive number.
fn brief(value: f64) -> String {
    let last = value.log10().floor() as i32 - 1;
    let rounded = (value / 10f64.powi(last)).round() * 10f64.powi(last);
    format!("{rounded:.0$}", last.min(0).unsigned_abs() as usize)
}

/// Seconds of a run of chen-policy on the queue of its authors, whose length is theirs: two thirds are planning.
fn policy_optimisation() {
    let (environment, rounds) = ("wireless-queue", 3_000_000);
    let (model, started) = (model(environment, Preset::Sound), processor_seconds());
    let (trial, _) = trial(&model, environment, Preset::Sound, "chen-policy", rounds);
    let epochs = trial.record.epochs.last().copied().unwrap_or(0);
    println!(
        "chen-policy on {environment}, {rounds} rounds, {epochs} episodes: {:.2} s",
        processor_seconds() - started
    );
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let after = |flag: &str| words.iter().position(|word| word == flag).and_then(|at| words.get(at + 1));
    let preset = after("--preset").map_or(Preset::Published, |name| Preset::from_name(name).unwrap());
    let only = after("--only").map(String::as_str);
    if only.is_none_or(|only| "chen-policy".contains(only)) {
        policy_optimisation();
    }
    if only.is_none() {
        steps();
        steps_by_size();
        steps_of_episodes();
        rows();
    }
    if words.iter().any(|word| word == "--steps") {
        return;
    }
    let all = runs(only, preset);
    if only.is_none() && preset == Preset::Published {
        beside_the_authors(&all);
    }
}
