//! Plans large sparse models of four families and prints time, memory and certified gap.
//!
//! ```text
//! cargo bench -p occupancy --bench scale                              all families at 1e4 and 1e5 states
//! cargo bench -p occupancy --bench scale -- FAMILY STATES [BUDGET]    one of them: grid, tandem, jumps, network
//! cargo bench -p occupancy --bench scale -- --growth [FILE.svg]       1e3 to 1e6 states, and the figure; 5 minutes
//! cargo bench -p occupancy --bench scale -- --write FAMILY STATES FILE.drn    one of them as a file, for other solvers
//! ```
//!
//! Iterations are those of an evaluation, on average; a chain that is solved in a table takes none. Memory is the peak of the whole
//! process, the model included: the growth plans every size in a process of its own.

mod chart;
mod clock;
mod large;
mod memory;

use chart::{Axis, Curve, Panel};
use clock::processor_seconds;
use memory::peak_megabytes;
use occupancy::model::{Cmdp, drn};
use occupancy::plan::Problem;
use occupancy::plan::{PlannerConfig, Progress, Verdict};
use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Families: name, name in the figure, colour there, the budget that is asked for, and the largest size.
const FAMILIES: [(&str, &str, &str, f64, usize); 4] = [
    ("grid", "slippery grid", "#1f77b4", 0.1, 1_000_000),
    ("tandem", "tandem queue", "#d95f02", 0.1, 1_000_000),
    ("jumps", "random jumps", "#2ca02c", 0.3, 1_000_000),
    ("network", "network with hubs", "#7b3294", 0.05, 1_000_000),
];

const SIZES: [usize; 7] = [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [first, family, states, file] = &wanted[..]
        && first == "--write"
    {
        return write(family, states, file).expect("a file that can be written");
    }
    println!(
        "{:>8} {:>9} {:>6} {:>9} {:>9} {:>9} {:>13} {:>8} {:>9} {:>8} {:>10}",
        "family",
        "states",
        "steps",
        "build s",
        "plan s",
        "CPU s",
        "gain",
        "gap",
        "relative",
        "peak MB",
        "iterations"
    );
    if wanted.first().is_some_and(|first| first == "--growth") {
        return growth(wanted.get(1));
    }
    let number = |at: usize| wanted.get(at).and_then(|word| word.parse::<f64>().ok());
    for (family, .., budget, _) in FAMILIES.iter().filter(|f| wanted.first().is_none_or(|name| name == f.0)) {
        let sizes = number(1).map_or(vec![10_000, 100_000], |size| vec![size as usize]);
        sizes.into_iter().for_each(|states| measure(family, states, number(2).unwrap_or(*budget)));
    }
}

/// Plans every size in a process of its own, and draws what these print.
fn growth(figure: Option<&String>) {
    let program = std::env::current_exe().expect("a program knows where it is");
    let (mut times, mut memories) = (Vec::new(), Vec::new());
    for (family, name, colour, _, most) in FAMILIES {
        let (mut time, mut memory) = (Vec::new(), Vec::new());
        for size in SIZES.into_iter().filter(|&size| size <= most) {
            let output = Command::new(&program).args([family, &size.to_string()]).output().expect("started");
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let row = text.lines().last().unwrap_or_default();
            println!("{row}");
            let number = |at: usize| row.split_whitespace().nth(at).and_then(|x| x.parse::<f64>().ok());
            if let (Some(states), Some(seconds), Some(peak)) = (number(1), number(5), number(9)) {
                time.push((states, seconds));
                memory.push((states, peak));
            }
        }
        times.push(Curve { name, colour, points: time });
        memories.push(Curve { name, colour, points: memory });
    }
    if let Some(path) = figure {
        let axis = |powers| Axis { base: 10.0, powers };
        let panel = |title, powers, curves| {
            let (x, y) = (axis((3, 6)), axis(powers));
            Panel { title, against: "states", x, y, curves }
        };
        let time = panel("CPU seconds per plan", (-2, 3), times);
        let memory = panel("peak memory, MB", (0, 3), memories);
        chart::save(&[time, memory], path);
    }
}

/// Writes a model of a family, within its own budget, in Storm's format; the file is told from the root of the project.
fn write(family: &str, states: &str, file: &str) -> io::Result<()> {
    let (.., budget, _) = FAMILIES.iter().find(|known| known.0 == family).expect("one of the families");
    let states = states.parse().expect("a number of states");
    let file = File::create(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file))?;
    drn::write(&made(family, states, *budget), file)
}

fn made(family: &str, states: usize, budget: f64) -> Cmdp {
    let side = (states as f64).sqrt().round() as usize;
    match family {
        "grid" => large::grid(side, 0.1, budget, 1),
        "tandem" => large::tandem_queue(side - 1, budget),
        "network" => large::network(states, budget, 1),
        _ => large::jumps(states, budget, 1),
    }
}

fn measure(family: &str, states: usize, budget: f64) {
    // Processor time is that of one thread.
    occupancy::threads::use_at_most(1);
    let clock = Instant::now();
    let model = made(family, states, budget);
    let built = clock.elapsed().as_secs_f64();
    let (clock, before, mut steps, mut iterations) = (Instant::now(), processor_seconds(), 0, 0);
    let mut watch = |progress: &Progress| {
        (steps, iterations) = (steps + 1, progress.evaluations.iterations);
        ControlFlow::Continue(())
    };
    let verdict = PlannerConfig::default().build().plan_watched(&Problem::average(&model), &mut watch);
    let (planned, busy) = (clock.elapsed().as_secs_f64(), processor_seconds() - before);
    let (gain, gap) = match &verdict {
        Ok(Verdict::Optimal(plan)) => (plan.value.reward, plan.gap),
        Ok(Verdict::Infeasible(nearest)) => (f64::NAN, nearest.violation),
        Err(error) => return println!("{family:>8} {states:>9} {error}"),
    };
    let relative = gap / (gain - least_reward(&model));
    println!(
        "{family:>8} {:>9} {steps:>6} {built:>9.2} {planned:>9.2} {busy:>9.2} {gain:>13.9} {gap:>8.1e} {relative:>9.1e} {:>8.0} {:>10.1}",
        model.states(),
        peak_megabytes(),
        f64::from(iterations as u32) / f64::from(steps)
    );
}

fn least_reward(model: &Cmdp) -> f64 {
    model.signals().reward().iter().copied().fold(f64::INFINITY, f64::min)
}
