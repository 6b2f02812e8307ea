//! Times the planners on the models that learners meet: `cargo bench -p occupancy --bench planner`.

mod posterior;

use occupancy::env::EnvConfig;
use occupancy::model::{Cmdp, CmdpBuilder};
use occupancy::plan::{From, OffSupport, Optimist, PlannerConfig, Verdict};
use posterior::Posterior;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Instant;

fn main() {
    dense();
    sparse();
    optimism();
}

/// Kernels drawn from Dirichlet posteriors, neighbouring draws for the warm planner.
fn dense() {
    println!("dense posterior draws, A = 4, from anywhere, budgets that bind");
    println!("{:>6} {:>2} {:>12} {:>12} {:>9}", "states", "m", "cold µs", "warm µs", "feasible");
    for (states, repeats) in [(16, 400), (64, 200), (121, 100), (400, 10)] {
        for costs in 1..=3 {
            let mut posterior = Posterior::new(states, costs, 7);
            let (mut cold, mut warm, mut feasible) = (Vec::new(), Vec::new(), 0);
            let mut planner = PlannerConfig::default().build();
            for _ in 0..repeats {
                let model = posterior.draw();
                cold.push(time(|| PlannerConfig::default().build().plan(model, From::Anywhere)).0);
                let (seconds, verdict) = time(|| planner.plan(model, From::Anywhere));
                warm.push(seconds);
                feasible += usize::from(matches!(verdict, Ok(Verdict::Optimal(_))));
            }
            let (cold, warm) = (1e6 * median(&mut cold), 1e6 * median(&mut warm));
            println!("{states:>6} {costs:>2} {cold:>12.1} {warm:>12.1} {feasible:>5}/{repeats}");
        }
    }
}

/// Empirical models of Box over all 121 states: visited pairs have one to four successors, unvisited ones are
/// self-loops or fresh dense rows.
fn sparse() {
    println!("\nempirical models of box, all 121 states, from anywhere");
    println!("{:>12} {:>12} {:>12} {:>8}", "unvisited", "median µs", "worst µs", "classes");
    for fresh in [false, true] {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut planner = PlannerConfig::default().build();
        let (mut times, mut classes) = (Vec::new(), 0);
        for _ in 0..50 {
            let model = empirical_box(&mut rng, fresh);
            let (seconds, verdict) = time(|| planner.plan(&model, From::Anywhere));
            times.push(seconds);
            if let Ok(Verdict::Optimal(plan)) = verdict {
                classes = classes.max(plan.classes);
            }
        }
        let worst = times.iter().copied().fold(0.0, f64::max);
        let name = if fresh { "fresh rows" } else { "self-loops" };
        println!("{name:>12} {:>12.1} {:>12.1} {classes:>8}", 1e6 * median(&mut times), 1e6 * worst);
    }
}

fn empirical_box(rng: &mut Xoshiro256PlusPlus, fresh: bool) -> Cmdp {
    let options = [("states".to_string(), "all".to_string()), ("slip".to_string(), "0.1".to_string())];
    let truth = EnvConfig::from_options("box", &options).and_then(|env| env.build()).expect("built").model;
    let mut builder = CmdpBuilder::new(truth.states(), truth.budgets());
    for state in 0..truth.states() {
        for pair in truth.pairs_of(state) {
            let visits =
                if rng.random::<f64>() < 0.5 { 0.0 } else { (rng.random::<f64>() * 8.0).exp().floor() };
            let bonus = if visits > 0.0 { 0.5 / visits.sqrt() } else { 1.0 };
            let counted: Vec<(usize, f64)> = truth
                .kernel()
                .row(pair)
                .iter()
                .map(|(s, p)| (s, (p * visits * (0.5 + rng.random::<f64>())).round()))
                .collect();
            let total: f64 = counted.iter().map(|(_, n)| n).sum();
            let row: Vec<(usize, f64)> = match (total > 0.0, fresh) {
                (true, _) => counted.iter().map(|&(s, n)| (s, n / total)).collect(),
                (false, false) => vec![(state, 1.0)],
                (false, true) => {
                    let raw: Vec<f64> = (0..truth.states())
                        .map(|_| -rng.random::<f64>().ln_1p().max(1e-9))
                        .map(f64::abs)
                        .collect();
                    let sum: f64 = raw.iter().sum();
                    raw.iter().map(|x| x / sum).enumerate().collect()
                }
            };
            let seen = f64::from(total > 0.0);
            let (reward, cost) = (truth.signals().reward()[pair], truth.signals().cost(0)[pair]);
            builder.pair(state, &row, seen * reward + bonus, &[seen * cost - bonus]);
        }
    }
    builder.build().expect("consistent")
}

/// Optimism over boxes around the kernels of gridworlds and around dense random ones.
fn optimism() {
    println!("\noptimism over kernels, radius coef/√N");
    println!("{:>16} {:>6} {:>12} {:>12}", "model", "states", "cold µs", "warm µs");
    for (name, states) in
        [("marsrover-4x4", None), ("marsrover-8x8", None), ("box", Some("all")), ("dense", None)]
    {
        let model = if name == "dense" {
            Posterior::new(64, 1, 5).draw().clone()
        } else {
            let mut options = vec![("slip".to_string(), "0.1".to_string())];
            options.extend(states.map(|s| ("states".to_string(), s.to_string())));
            EnvConfig::from_options(name, &options).and_then(|env| env.build()).expect("built").model
        };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
        let visits: Vec<f64> = (0..model.pairs()).map(|_| (1.0 + rng.random::<f64>() * 7.0).exp()).collect();
        let (mut cold, mut warm) = (Vec::new(), Vec::new());
        let mut optimist = Optimist::new(OffSupport::Pinned);
        for round in 0..30 {
            let radii: Vec<f64> =
                visits.iter().map(|n| 0.1 / (n * (1.0 + 0.05 * f64::from(round))).sqrt()).collect();
            cold.push(time(|| Optimist::new(OffSupport::Pinned).plan(&model, &radii).expect("solved")).0);
            warm.push(time(|| optimist.plan(&model, &radii).expect("solved")).0);
        }
        let (cold, warm) = (1e6 * median(&mut cold), 1e6 * median(&mut warm));
        println!("{name:>16} {:>6} {cold:>12.1} {warm:>12.1}", model.states());
    }
}

fn time<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let clock = Instant::now();
    let result = work();
    (clock.elapsed().as_secs_f64(), result)
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
