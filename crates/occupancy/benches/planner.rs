//! Times the planners on the models that learners meet.
//!
//! ```text
//! cargo bench -p occupancy --bench planner                      tables of all models
//! cargo bench -p occupancy --bench planner -- --growth          time and memory against the number of states
//! cargo bench -p occupancy --bench planner -- --export DIR      also writes models, times and values to DIR
//!     --only dense|empirical|optimism|sums   --states N   --costs M  --draws N    a part of the tables
//! ```
//!
//! `benchmarks/compare.py` gives the exported models to another solver.

mod case;
mod empirical;
mod growth;
mod posterior;
mod sums;

use case::Case;
use empirical::Visited;
use occupancy::model::Criterion;
use posterior::Posterior;
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(Default)]
struct Options {
    growth: bool,
    export: Option<PathBuf>,
    only: Option<String>,
    states: Option<usize>,
    costs: Option<usize>,
    draws: Option<usize>,
}

fn main() {
    let options = options();
    let mut index = json!({});
    if options.growth {
        index["growth"] = growth::growth();
    } else {
        let wanted = |part: &str| options.only.as_deref().is_none_or(|only| only == part);
        if wanted("dense") {
            index["dense"] = dense(&options);
        }
        if wanted("empirical") {
            index["empirical"] = empirical_models(&options);
        }
        if wanted("optimism") {
            index["optimism"] = optimism(&options);
        }
        if wanted("sums") {
            index["sums"] = sums_and_episodes(&options);
        }
    }
    if let Some(folder) = &options.export {
        std::fs::create_dir_all(folder).expect("a folder to write to");
        std::fs::write(folder.join("index.json"), index.to_string()).expect("written");
    }
}

/// Kernels drawn from Dirichlet posteriors.
fn dense(options: &Options) -> Value {
    println!("dense posterior draws, A = 4, from anywhere, budgets that bind");
    println!("{:>6} {:>2} {:>12} {:>12} {:>9}", "states", "m", "cold µs", "warm µs", "feasible");
    let mut entries = Vec::new();
    for (states, draws) in [(16, 400), (64, 200), (121, 100), (400, 10)] {
        for costs in 1..=3 {
            if options.states.is_none_or(|n| n == states) && options.costs.is_none_or(|m| m == costs) {
                let mut posterior = Posterior::new(states, costs, 7);
                let case = case::dense(&mut posterior, options.draws(draws), options.export.is_some());
                let ((cold, warm), feasible, draws) = (case.median_us(), case.feasible(), case.draws.len());
                println!("{states:>6} {costs:>2} {cold:>12.1} {warm:>12.1} {feasible:>5}/{draws}");
                entries.push(options.entry(&case));
            }
        }
    }
    json!(entries)
}

/// Empirical models of Box over all 121 states, and of a smaller grid of which all pairs were visited.
fn empirical_models(options: &Options) -> Value {
    println!("\nempirical models of gridworlds, all states, from anywhere");
    println!(
        "{:>26} {:>12} {:>12} {:>13} {:>8}",
        "unvisited", "cold µs", "warm µs", "worst warm µs", "classes"
    );
    let mut entries = Vec::new();
    for (grid, known) in [
        ("box", Visited::HalfOrLoops),
        ("box", Visited::HalfOrFresh),
        ("box", Visited::All),
        ("marsrover-8x8", Visited::All),
    ] {
        let case = case::empirical_grid(grid, known, options.draws(50), options.export.is_some());
        let (cold, warm) = case.median_us();
        let worst = 1e6 * case.draws.iter().map(|draw| draw.warm.seconds).fold(0.0, f64::max);
        let classes = case.draws.iter().map(|draw| draw.warm.classes).max().unwrap_or(0);
        println!("{:>26} {cold:>12.1} {warm:>12.1} {worst:>13.1} {classes:>8}", case.name);
        entries.push(options.entry(&case));
    }
    json!(entries)
}

/// Optimism over boxes around the kernels of gridworlds and around a dense random one.
fn optimism(options: &Options) -> Value {
    println!("\noptimism over kernels, radius 0.1/√N");
    println!("{:>16} {:>6} {:>12} {:>12}", "model", "states", "cold µs", "warm µs");
    let mut entries = Vec::new();
    for (name, states) in [("marsrover-4x4", 16), ("marsrover-8x8", 64), ("box", 121), ("dense", 64)] {
        if options.states.is_none_or(|n| n == states) {
            let case = case::optimism(name, options.draws(30), options.export.is_some());
            let (cold, warm) = case.median_us();
            println!("{name:>16} {:>6} {cold:>12.1} {warm:>12.1}", case.states);
            entries.push(options.entry(&case));
        }
    }
    json!(entries)
}

/// Discounted sums, episodes, and optimism over episodes.
fn sums_and_episodes(options: &Options) -> Value {
    println!("\nsums from the start, m = 1");
    println!("{:>10} {:>6} {:>16} {:>12} {:>12}", "model", "states", "criterion", "cold µs", "warm µs");
    let mut entries = Vec::new();
    let mut tell = |case: Case| {
        let ((cold, warm), criterion) = (case.median_us(), case.criterion.to_string());
        println!("{:>10} {:>6} {criterion:>16} {cold:>12.1} {warm:>12.1}", case.name, case.states);
        entries.push(options.entry(&case));
    };
    let (draws, keep) = (options.draws(20), options.export.is_some());
    for states in [64, 121] {
        let criterion = Criterion::Discounted { factor: 0.95 };
        tell(sums::by_criterion("dense", states, &criterion, draws, keep));
    }
    for (name, states, horizon) in [
        ("dense", 16, 20),
        ("dense", 16, 50),
        ("dense", 64, 20),
        ("dense", 64, 50),
        ("grid", 16, 20),
        ("grid", 16, 50),
        ("grid", 64, 20),
        ("grid", 64, 50),
    ] {
        tell(sums::by_criterion(name, states, &Criterion::Episodes { horizon }, draws, keep));
    }
    tell(sums::optimism(16, 20, draws, keep));
    json!(entries)
}

impl Options {
    fn draws(&self, usual: usize) -> usize {
        self.draws.unwrap_or(usual).max(1)
    }

    /// The entry of a case in the index, its models written.
    fn entry(&self, case: &Case) -> Value {
        let Some(folder) = &self.export else { return Value::Null };
        std::fs::create_dir_all(folder).and_then(|()| case.export(folder)).expect("written")
    }
}

fn options() -> Options {
    let mut options = Options::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap_or_else(|| panic!("{word} needs a value"));
        let number =
            |text: String| text.parse::<usize>().unwrap_or_else(|_| panic!("{text} is not a number"));
        match word.as_str() {
            "--bench" => {} // cargo adds it
            "--growth" => options.growth = true,
            "--export" => options.export = Some(PathBuf::from(value())),
            "--only" => options.only = Some(value()),
            "--states" => options.states = Some(number(value())),
            "--costs" => options.costs = Some(number(value())),
            "--draws" => options.draws = Some(number(value())),
            other => panic!("unknown option {other}"),
        }
    }
    options
}
