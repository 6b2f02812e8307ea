//! Times the planners on the models that learners meet: `cargo bench -p occupancy --bench planner`.

mod posterior;

use occupancy::plan::{From, PlannerConfig, Verdict};
use posterior::Posterior;
use std::time::Instant;

fn main() {
    println!("{:>6} {:>2} {:>12} {:>12} {:>8}", "states", "m", "cold µs", "warm µs", "feasible");
    for (states, repeats) in [(16, 400), (64, 200), (121, 100), (400, 10)] {
        for costs in 1..=3 {
            let mut posterior = Posterior::new(states, costs, 7);
            let (mut cold, mut warm, mut feasible, mut binds) = (Vec::new(), Vec::new(), 0, 0);
            let mut planner = PlannerConfig::default().build();
            for _ in 0..repeats {
                let model = posterior.draw();
                let clock = Instant::now();
                let _ = PlannerConfig::default().build().plan(model, From::Anywhere).expect("solved");
                cold.push(clock.elapsed().as_secs_f64());
                let clock = Instant::now();
                let verdict = planner.plan(model, From::Anywhere).expect("solved");
                warm.push(clock.elapsed().as_secs_f64());
                if let Verdict::Optimal(plan) = verdict {
                    feasible += 1;
                    binds += plan.prices.iter().filter(|price| **price > 1e-9).count();
                }
            }
            let (cold, warm) = (1e6 * median(&mut cold), 1e6 * median(&mut warm));
            println!("{states:>6} {costs:>2} {cold:>12.1} {warm:>12.1} {feasible:>5}/{repeats} {binds}");
        }
    }
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
