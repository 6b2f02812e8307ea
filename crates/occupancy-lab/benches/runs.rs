//! How time and memory of a run grow with its rounds, and how the time of the paper's runs falls with the threads.
//!
//! ```text
//! cargo bench -p occupancy --bench runs                           against the rounds, up to 10⁷
//! cargo bench -p occupancy --bench runs -- --growth [FILE.svg]    up to 10⁸, against the threads, and the figure; 5 minutes
//! cargo bench -p occupancy --bench runs -- LEARNER ROUNDS         one run on Box, preset published
//! ```
//!
//! A run has a process of its own, so that its peak memory is its own. Threads run the three experiments of preset
//! `published` and store what comes out, everything but the report.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and fails where it cannot go on"
)]

#[path = "../../occupancy/benches/chart/mod.rs"]
mod chart;
#[path = "../../occupancy/benches/clock/mod.rs"]
mod clock;
#[path = "../../occupancy/benches/memory/mod.rs"]
mod memory;
#[path = "../../occupancy/benches/repeat/mod.rs"]
mod repeat;

use chart::{Axis, Curve, Panel};
use memory::peak_megabytes;
use occupancy::env::EnvConfig;
use occupancy::seed::Seed;
use occupancy::sim::{Baseline, Grid, TrialConfig};
use occupancy_lab::catalogue::Catalogue;
use occupancy_lab::experiment::Experiment;
use occupancy_lab::papers::provodin2022::Preset;
use occupancy_lab::runner::Runner;
use occupancy_lab::store::{Session, Store};
use repeat::seconds_each;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// The colours are those of the report.
const LEARNERS: [(&str, &str); 5] = [
    ("psrl-transitions", "#0072b2"),
    ("psrl-lagrangian", "#009e73"),
    ("cucrl-optimistic", "#d55e00"),
    ("cucrl-conservative", "#e69f00"),
    ("cucrl-transitions", "#cc79a7"),
];

const ROUNDS: [u64; 5] = [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
const THREADS: [usize; 4] = [1, 2, 4, 8];
const EXPERIMENTS: [&str; 3] = ["marsrover-4x4", "marsrover-8x8", "box"];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => drop(by_rounds(&ROUNDS[..4])),
        ["--growth"] => growth(None),
        ["--growth", file] => growth(Some(file)),
        [learner, rounds] => one(learner, rounds.parse().unwrap()),
        _ => panic!("what is asked for is said in the first lines of this benchmark"),
    }
}

/// Everything, and the figure.
fn growth(file: Option<&str>) {
    let [times, memories] = by_rounds(&ROUNDS);
    let suite = by_threads();
    if let Some(file) = file {
        let axis = |base, powers| Axis { base, powers };
        let rounds = || axis(10.0, (4, 8));
        let panel = |title, x, y, curves, against| Panel { title, against, x, y, curves };
        let panels = [
            panel("CPU seconds of a run on Box", rounds(), axis(10.0, (-3, 2)), times, "rounds"),
            panel("peak memory of a run on Box, MB", rounds(), axis(10.0, (0, 2)), memories, "rounds"),
            panel("the paper's runs, seconds", axis(2.0, (0, 3)), axis(2.0, (4, 6)), vec![suite], "threads"),
        ];
        chart::save(&panels, file);
    }
}

/// One run; prints its processor time and the peak memory of the process.
fn one(kind: &str, rounds: u64) {
    let preset = Preset::Published;
    let model = &EnvConfig::from_options("box", &preset.environment("box")).unwrap().build().unwrap().model;
    let baseline = &Baseline::of(model).unwrap();
    let grid = &Grid::new(rounds, &[Catalogue::standard().window("box", rounds)]);
    let learner = preset.learner(kind, "box", rounds).unwrap();
    let config =
        TrialConfig { model, baseline, learner: learner.as_ref(), rounds, grid, seed: Seed(2022), run: 0 };
    let (time, trial) = seconds_each(|| config.run(&mut []).unwrap());
    let epochs = trial.record.epochs.last().unwrap();
    println!("{:<19} {rounds:>11} {epochs:>7} {time:>9.4} {:>8.1}", kind, peak_megabytes());
}

/// Curves of time and memory.
fn by_rounds(all: &[u64]) -> [Vec<Curve>; 2] {
    let program = std::env::current_exe().unwrap();
    println!("{:<19} {:>11} {:>7} {:>9} {:>8}", "learner", "rounds", "epochs", "CPU s", "peak MB");
    let mut curves = [Vec::new(), Vec::new()];
    for (kind, colour) in LEARNERS {
        let mut points = [Vec::new(), Vec::new()];
        for rounds in all {
            let output = Command::new(&program).args([kind, &rounds.to_string()]).output().unwrap();
            let row = String::from_utf8(output.stdout).unwrap();
            print!("{row}");
            let numbers: Vec<f64> =
                row.split_whitespace().skip(3).map(|word| word.parse().unwrap()).collect();
            for (points, value) in points.iter_mut().zip(numbers) {
                points.push((*rounds as f64, value));
            }
        }
        for (curves, points) in curves.iter_mut().zip(points) {
            curves.push(Curve { name: kind, colour, points });
        }
    }
    curves
}

/// The time of the paper's runs with more and more threads, up to twice as many as there are cores.
fn by_threads() -> Curve {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("\nthe paper's runs, preset published, {cores} cores\n{:>7} {:>9}", "threads", "seconds");
    let mut points = Vec::new();
    for threads in THREADS.into_iter().filter(|&threads| threads <= 2 * cores) {
        let started = Instant::now();
        EXPERIMENTS.into_iter().for_each(|environment| experiment(environment, threads));
        let seconds = started.elapsed().as_secs_f64();
        println!("{threads:>7} {seconds:>9.1}");
        points.push((threads as f64, seconds));
    }
    Curve { name: "all learners", colour: "#333333", points }
}

/// Runs an experiment of the paper in a folder that is then removed.
fn experiment(environment: &str, jobs: usize) {
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/provodin2022");
    let experiment =
        &Experiment::read(files.join(format!("{environment}-published.toml")), &Catalogue::standard())
            .unwrap()[0];
    let model = &experiment.build().unwrap().model;
    let baseline = &Baseline::of(model).unwrap();
    let folder = std::env::temp_dir().join(format!("occupancy-bench-{}-{environment}", std::process::id()));
    let store = Store::new(&folder, experiment, model, baseline);
    let runner = Runner { experiment, model, horizon: None, baseline, runs: 0..experiment.runs, jobs };
    let agenda = runner.agenda(&store).unwrap();
    let session = Session::begin(env!("CARGO_PKG_VERSION"), "", jobs);
    let outcome = runner.run(&agenda, &store, &session, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(outcome.done, agenda.len(), "{outcome:?}");
    std::fs::remove_dir_all(&folder).unwrap();
}
