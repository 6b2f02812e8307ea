//! Kernels drawn from Dirichlet posteriors, as a posterior-sampling learner meets them from epoch to epoch.
//!
//! The truth is a slippery grid with risky cells; visits differ between pairs by orders of magnitude, a quarter of
//! the pairs was never visited (reward 0, cost 0); every successor starts with one pseudo-count.

use occupancy::model::Origin;
use occupancy::model::{Cmdp, CmdpBuilder};
use occupancy::plan::Problem;
use occupancy::plan::{PlannerConfig, Verdict};
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, Gamma};
use rand_xoshiro::Xoshiro256PlusPlus;

pub struct Posterior {
    model: Cmdp,
    /// Dirichlet parameters, one row per pair.
    weights: Vec<Vec<f64>>,
    rng: Xoshiro256PlusPlus,
}

impl Posterior {
    pub fn new(states: usize, costs: usize, seed: u64) -> Posterior {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let width = (states as f64).sqrt().round() as usize;
        let budgets = vec![0.25; costs];
        let mut builder = CmdpBuilder::new(states, &budgets);
        let mut weights = Vec::new();
        let risky: Vec<Vec<bool>> =
            (0..states).map(|_| (0..costs).map(|_| rng.random::<f64>() < 0.4).collect()).collect();
        for state in 0..states {
            for action in 0..4 {
                let visits = if rng.random::<f64>() < 0.25 { 0.0 } else { (rng.random::<f64>() * 9.0).exp() };
                let mut row = vec![1.0; states];
                for (direction, share) in
                    [(action, 0.925), ((action + 1) % 4, 0.05), ((action + 2) % 4, 0.025)]
                {
                    row[step(state, direction, width, states)] += (visits * share).floor();
                }
                let total: f64 = row.iter().sum();
                let mean: Vec<(usize, f64)> = row.iter().map(|w| w / total).enumerate().collect();
                let next = step(state, action, width, states);
                let seen = f64::from(visits >= 1.0);
                let cost: Vec<f64> = risky[next].iter().map(|&risky| seen * f64::from(risky)).collect();
                let reward = if state == 0 { 0.0 } else { -seen };
                builder.pair(state, &mean, reward, &cost);
                weights.push(row);
            }
        }
        let model = bind(builder.build().expect("consistent"));
        Posterior { model, weights, rng }
    }

    /// The next draw; some pairs have been visited once more since the last.
    pub fn draw(&mut self) -> &Cmdp {
        let Posterior { model, weights, rng } = self;
        for row in weights.iter_mut() {
            if rng.random::<f64>() < 0.05 {
                let most = (0..row.len()).max_by(|&a, &b| row[a].total_cmp(&row[b])).unwrap_or(0);
                row[most] += 1.0;
            }
        }
        let draw = |pair: usize, row: &mut [f64]| {
            for (p, &weight) in row.iter_mut().zip(&weights[pair]) {
                *p = Gamma::new(weight, 1.0).expect("positive").sample(rng);
            }
        };
        model.resample(draw).expect("positive weights");
        model
    }
}

/// Budgets between the least achievable costs and those of the best policy without budgets, so that they bind.
fn bind(model: Cmdp) -> Cmdp {
    let free = vec![f64::INFINITY; model.costs()];
    let fast = costs(&model.clone().with_budgets(&free).expect("as many budgets"));
    let least = |i: usize| {
        let reward = model.signals().cost(i).iter().map(|c| -c).collect();
        let tables = (0..model.costs()).map(|i| model.signals().cost(i).to_vec()).collect();
        costs(&model.with_signals(reward, tables, &free).expect("same pairs"))[i]
    };
    let share = 0.4 + 0.15 * model.costs() as f64;
    let budgets: Vec<f64> =
        (0..model.costs()).map(|i| least(i) + share * (fast[i] - least(i)).max(1e-3)).collect();
    model.with_budgets(&budgets).expect("as many budgets")
}

fn costs(model: &Cmdp) -> Vec<f64> {
    match PlannerConfig::default().build().plan(&Problem::average(model).counted_from(Origin::Anywhere)) {
        Ok(Verdict::Optimal(plan)) => plan.value.costs,
        _ => vec![1.0; model.costs()],
    }
}

fn step(state: usize, direction: usize, width: usize, states: usize) -> usize {
    let (row, column) = (state / width, state % width);
    let next = match direction {
        0 if row > 0 => state - width,
        1 => state + width,
        2 if column > 0 => state - 1,
        3 if column + 1 < width => state + 1,
        _ => state,
    };
    if next < states { next } else { state }
}
