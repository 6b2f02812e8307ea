//! How time and memory of a plan grow with the number of states, on dense posterior draws.
//!
//! The peak is what Linux reports as VmHWM, reset before the plans of a size: it holds the model (8·A·S² bytes), the
//! parameters it is drawn from (as much again), what the allocator kept from building them, and what the planner
//! needs. The last column is the planner's part: the peak minus what was resident when planning began. With glibc it
//! is only right under `MALLOC_MMAP_THRESHOLD_=1000000`; otherwise the planner finds room in memory that was freed
//! before. Other systems print 0. The responses are those that a cold search asked for on one more draw.

use crate::case;
use crate::posterior::Posterior;
use occupancy::model::Cmdp;
use occupancy::model::Origin;
use occupancy::plan::Problem;
use occupancy::plan::{PlannerConfig, Progress};
use serde_json::{Value, json};
use std::fs;
use std::ops::ControlFlow;

/// States, draws, and the most costs that are tried.
const SIZES: [(usize, usize, usize); 9] = [
    (16, 200, 3),
    (36, 100, 3),
    (64, 100, 3),
    (121, 50, 3),
    (225, 20, 3),
    (400, 10, 3),
    (784, 3, 3),
    (1156, 2, 1),
    (1600, 2, 1),
];

/// Prints the table for one and for three costs and returns it.
pub fn growth() -> Value {
    println!("growth on dense posterior draws, A = 4, from anywhere, budgets that bind");
    println!(
        "{:>6} {:>2} {:>6} {:>12} {:>12} {:>9} {:>10} {:>10} {:>12}",
        "states", "m", "draws", "cold ms", "warm ms", "responses", "model MiB", "peak MiB", "planner MiB"
    );
    let sizes = SIZES.iter().flat_map(|&(states, draws, most)| {
        [1, 3].into_iter().filter(move |&costs| costs <= most).map(move |costs| (states, costs, draws))
    });
    sizes.map(|(states, costs, draws)| row(states, costs, draws)).collect()
}

fn row(states: usize, costs: usize, draws: usize) -> Value {
    let mut posterior = Posterior::new(states, costs, 7);
    // Writing 5 sets VmHWM back to what is resident now.
    let _ = fs::write("/proc/self/clear_refs", "5");
    let resident = status_mib("VmRSS:");
    let case = case::dense(&mut posterior, draws, false);
    let (peak, (cold, warm)) = (status_mib("VmHWM:"), case.median_us());
    let planner = (peak - resident).max(0.0);
    let responses = responses(posterior.draw());
    let (cold, warm, model) = (1e-3 * cold, 1e-3 * warm, (32 * states * states) as f64 / 1048576.0);
    println!(
        "{states:>6} {costs:>2} {draws:>6} {cold:>12.3} {warm:>12.3} {responses:>9} {model:>10.1} {peak:>10.1} {planner:>12.1}"
    );
    json!({
        "states": states, "costs": costs, "draws": draws, "cold_ms": cold, "warm_ms": warm, "responses": responses,
        "model_mib": model, "peak_mib": peak, "planner_mib": planner,
    })
}

/// How many policies a cold search asks for after those that the forecasts gave it.
fn responses(model: &Cmdp) -> usize {
    let mut steps = 0;
    let watch = &mut |progress: &Progress| {
        steps = progress.steps;
        ControlFlow::Continue(())
    };
    PlannerConfig::default()
        .build()
        .plan_watched(&Problem::average(model).counted_from(Origin::Anywhere), watch)
        .expect("solved");
    steps
}

/// A field of /proc/self/status in MiB; 0 where there is none.
fn status_mib(field: &str) -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    line.and_then(|line| line.trim().trim_end_matches(" kB").trim().parse::<f64>().ok()).unwrap_or(0.0)
        / 1024.0
}
