//! How many instructions the three hottest kernels take: a posterior draw, a warm replan, a step.
//!
//! ```text
//! cargo bench -p occupancy-instructions
//! ```
//!
//! Wall time on a shared machine cannot tell 5 % from noise; the number of instructions can. The program runs itself under
//! Valgrind's Callgrind once for each kernel, which counts what happens inside of it, and fails where a kernel takes more
//! than its limit. A limit is a tenth above what was counted when it was set (rustc 1.95, x86-64 with AVX2): whoever
//! makes a kernel cheaper lowers it, whoever makes it dearer on purpose raises it and says why.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and fails where it cannot go on"
)]

use occupancy::env::EnvConfig;
use occupancy::learn::parts::posterior::Posterior;
use occupancy::learn::{Counts, LearnerConfig, Registry};
use occupancy::model::Origin;
use occupancy::model::{Cmdp, Task};
use occupancy::plan::Problem;
use occupancy::plan::{Planner, PlannerConfig};
use occupancy::seed::{Rng, Seed};
use occupancy::sim::{Baseline, Grid, TrialConfig};
use std::hint::black_box;
use std::process::{Command, ExitCode};

/// A function whose instructions are counted, on Box with its 121 states.
struct Kernel {
    /// The name of the function, for people, for Callgrind, and on the command line.
    name: &'static str,
    run: fn(),
    /// What is counted, and how many of it there are in a run.
    unit: &'static str,
    units: u64,
    /// Instructions for each.
    limit: u64,
}

const KERNELS: [Kernel; 3] = [
    Kernel { name: "posterior_draw", run: draw, unit: "drawn row", units: 484, limit: 7_850 },
    Kernel { name: "warm_replans", run: replan, unit: "plan", units: REPLANS as u64, limit: 2_850_000 },
    Kernel { name: "trial_steps", run: step, unit: "step", units: STEPS, limit: 113 },
];

const STEPS: u64 = 2_000_000;
/// What is drawn from has been learned in so many steps.
const LEARNED: u64 = 20_000;
const REPLANS: usize = 10;

/// What psrl-transitions has in the published code.
const PUBLISHED: [(&str, &str); 7] = [
    ("prior", "floor:1"),
    ("epochs", "v1.2"),
    ("from", "anywhere"),
    ("off_support", "uniform"),
    ("infeasible", "uniform"),
    ("unvisited_reward", "0"),
    ("unvisited_cost", "0"),
];

fn model() -> Cmdp {
    let options = [("slip", "0"), ("states", "all")].map(|(key, value)| (key.to_string(), value.to_string()));
    EnvConfig::from_options("box", &options).unwrap().build().unwrap().model
}

/// A fixed policy acting in a model.
struct Acting {
    model: Cmdp,
    baseline: Baseline,
    learner: Box<dyn LearnerConfig>,
}

impl Acting {
    fn new(kind: &str) -> Acting {
        let model = model();
        let baseline = Baseline::of(&model).unwrap();
        let mut learner = Registry::standard().find(kind).unwrap();
        for (option, value) in PUBLISHED {
            // The oracle has no options.
            let _ = learner.set(option, value);
        }
        Acting { model, baseline, learner }
    }

    fn counts(&self, rounds: u64) -> Counts {
        let (grid, seed) = (Grid::new(rounds, &[]), Seed(2022));
        let Acting { model, baseline, learner } = self;
        let config =
            TrialConfig { model, baseline, learner: learner.as_ref(), rounds, grid: &grid, seed, run: 0 };
        config.run(&mut []).unwrap().counts
    }
}

/// Counts after some learning, and room for a model drawn from them.
struct Drawing {
    counts: Counts,
    drawn: Cmdp,
    rng: Rng,
}

impl Drawing {
    fn new() -> Drawing {
        let acting = Acting::new("psrl-transitions");
        let (counts, drawn) = (acting.counts(LEARNED), Task::of(&acting.model, 1).blank());
        Drawing { counts, drawn, rng: Seed(1).rng("draws") }
    }

    fn draw(&mut self) -> &Cmdp {
        Posterior::Floor(1.0).draw(&self.counts, &mut self.drawn, &mut self.rng).unwrap();
        &self.drawn
    }
}

/// A planner that has planned one draw, and the draws to come.
struct Replanning {
    planner: Box<dyn Planner>,
    draws: Vec<Cmdp>,
}

impl Replanning {
    fn new() -> Replanning {
        let truth = model();
        let mut drawing = Drawing::new();
        let mut draw = || {
            let mut drawn = drawing.draw().clone();
            for k in 0..=drawn.costs() {
                drawn.rewrite_signal(k, |pair| truth.signals().signal(k)[pair]).unwrap();
            }
            drawn
        };
        let mut planner = PlannerConfig::default().build();
        planner.plan(&Problem::average(&draw()).counted_from(Origin::Anywhere)).unwrap();
        Replanning { planner, draws: (0..REPLANS).map(|_| draw()).collect() }
    }
}

/// What is not counted happens out here.
fn draw() {
    let mut drawing = Drawing::new();
    posterior_draw(&mut drawing);
}

#[inline(never)]
fn posterior_draw(drawing: &mut Drawing) {
    black_box(drawing.draw());
}

fn replan() {
    warm_replans(&mut Replanning::new());
}

#[inline(never)]
fn warm_replans(Replanning { planner, draws }: &mut Replanning) {
    for model in draws {
        black_box(planner.plan(&Problem::average(model).counted_from(Origin::Anywhere)).unwrap());
    }
}

fn step() {
    trial_steps(&Acting::new("oracle"));
}

#[inline(never)]
fn trial_steps(acting: &Acting) {
    black_box(acting.counts(STEPS));
}

/// The instructions inside a kernel, counted in another process.
fn count(kernel: &Kernel) -> Result<u64, String> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    valgrind.arg(format!("--toggle-collect=*{}*", kernel.name));
    valgrind.arg(std::env::current_exe().unwrap()).arg(kernel.name);
    let output = valgrind.output().map_err(|error| format!("valgrind: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let counted = said.lines().find_map(|line| line.split("Collected :").nth(1)?.trim().parse().ok());
    counted.filter(|&count| count > 0).ok_or_else(|| format!("valgrind counted nothing:\n{said}"))
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().collect();
    if let Some(kernel) = KERNELS.iter().find(|kernel| words.iter().any(|word| word == kernel.name)) {
        (kernel.run)();
        return ExitCode::SUCCESS;
    }
    println!("{:<16} {:<10} {:>15} {:>10}", "kernel", "each", "instructions", "limit");
    let mut code = ExitCode::SUCCESS;
    let comparable = limits_hold_here();
    for kernel in &KERNELS {
        match count(kernel) {
            Ok(count) => {
                let each = count.div_ceil(kernel.units);
                let verdict = if each > kernel.limit { "  above the limit" } else { "" };
                println!("{:<16} {:<10} {each:>15} {:>10}{verdict}", kernel.name, kernel.unit, kernel.limit);
                if each > kernel.limit && comparable {
                    code = ExitCode::FAILURE;
                }
            }
            Err(error) => {
                println!("{:<16} not counted: {error}", kernel.name);
                code = ExitCode::FAILURE;
            }
        }
    }
    if !comparable {
        println!("the limits are those of x86-64 with AVX2, which this machine is not");
    }
    code
}

#[cfg(target_arch = "x86_64")]
fn limits_hold_here() -> bool {
    is_x86_feature_detected!("avx2")
}

#[cfg(not(target_arch = "x86_64"))]
fn limits_hold_here() -> bool {
    false
}
