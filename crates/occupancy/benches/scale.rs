//! Plans large sparse models of three families and prints time, memory and certified gap:
//! `cargo bench -p occupancy --bench scale -- [family] [states]` (all families at 1e4 and 1e5 states without arguments).
//!
//! Memory is the peak of the whole process: run one model at a time to read it.

mod large;

use occupancy::model::Cmdp;
use occupancy::plan::{From, PlannerConfig, Verdict};
use std::ops::ControlFlow;
use std::time::Instant;

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    println!(
        "{:>8} {:>9} {:>7} {:>10} {:>10} {:>12} {:>9} {:>9} {:>8}",
        "family", "states", "steps", "build s", "plan s", "gain", "gap", "relative", "peak MB"
    );
    let families = ["grid", "tandem", "jumps"];
    for family in families.into_iter().filter(|family| wanted.first().is_none_or(|name| name == family)) {
        let sizes = match wanted.get(1).and_then(|size| size.parse::<f64>().ok()) {
            Some(size) => vec![size as usize],
            None => vec![10_000, 100_000],
        };
        sizes.into_iter().for_each(|states| measure(family, states));
    }
}

fn measure(family: &str, states: usize) {
    let side = (states as f64).sqrt().round() as usize;
    let clock = Instant::now();
    let model = match family {
        "grid" => large::grid(side, 0.1, 0.1, 1),
        "tandem" => large::tandem_queue(side - 1, 0.1),
        _ => large::jumps(states, 0.3, 1),
    };
    let built = clock.elapsed().as_secs_f64();
    let (clock, mut steps) = (Instant::now(), 0);
    let mut watch = |_: &occupancy::plan::Progress| {
        steps += 1;
        ControlFlow::Continue(())
    };
    let verdict = PlannerConfig::default().build().plan_watched(&model, From::Start, &mut watch);
    let planned = clock.elapsed().as_secs_f64();
    let (gain, gap) = match &verdict {
        Ok(Verdict::Optimal(plan)) => (plan.gain, plan.gap),
        Ok(Verdict::Infeasible(nearest)) => (f64::NAN, nearest.violation),
        Err(error) => return println!("{family:>8} {states:>9} {error}"),
    };
    let relative = gap / (gain - least_reward(&model));
    println!(
        "{family:>8} {:>9} {steps:>7} {built:>10.2} {planned:>10.2} {gain:>12.8} {gap:>9.1e} {relative:>9.1e} {:>8}",
        model.states(),
        peak()
    );
}

fn least_reward(model: &Cmdp) -> f64 {
    model.signals().reward().iter().copied().fold(f64::INFINITY, f64::min)
}

/// The peak memory of this process in MB, where the system tells.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)).and_then(|x| x.parse::<f64>().ok());
    kilobytes.map_or("-".into(), |kilobytes| format!("{:.0}", kilobytes / 1024.0))
}
