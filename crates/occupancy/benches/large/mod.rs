//! Families of large sparse models: a slippery grid, two queues in tandem, random jumps, and a network with hubs.
//!
//! A seed makes the same model everywhere. Budgets are parameters: what binds is known only after planning.

#![allow(dead_code)] // each target that includes this file uses some of it

use occupancy::model::{Cmdp, CmdpBuilder};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The share of risky cells in a grid.
const RISKY: f64 = 0.2;

/// A square grid without walls inside, start top left, goal bottom right: every step outside the goal rewards −1,
/// arriving at a risky cell (or staying in it at the border) costs 1, and the goal leads to the start for nothing. A
/// move is replaced by a uniform one with probability `slip`; risky cells are those of [`risky`].
pub fn grid(side: usize, slip: f64, budget: f64, seed: u64) -> Cmdp {
    let states = side * side;
    let risky = risky(side, seed);
    let mut model = CmdpBuilder::new(states, &[budget]);
    for state in 0..states {
        if state + 1 == states {
            for _ in 0..4 {
                model.pair(state, &[(0, 1.0)], 0.0, &[0.0]);
            }
            continue;
        }
        let near = neighbours(state, side);
        for chosen in 0..4 {
            let mut row = near.map(|next| (next, slip / 4.0));
            row[chosen].1 += 1.0 - slip;
            let cost: f64 = row.iter().filter(|&&(next, _)| risky[next]).map(|&(_, p)| p).sum();
            model.pair(state, &row, -1.0, &[cost]);
        }
    }
    model.build().expect("a consistent grid")
}

/// The map of the same grid, as a text that [`occupancy::env::Map`] reads.
pub fn map(side: usize, seed: u64) -> String {
    let risky = risky(side, seed);
    let mut text = String::with_capacity(side * (side + 1));
    for row in 0..side {
        for column in 0..side {
            let cell = row * side + column;
            let last = cell + 1 == side * side;
            text.push(if cell == 0 {
                'S'
            } else if last {
                'G'
            } else if risky[cell] {
                'P'
            } else {
                '0'
            });
        }
        text.push('\n');
    }
    text
}

/// Each cell but the start and the goal is risky with probability [`RISKY`], drawn row by row from the top.
fn risky(side: usize, seed: u64) -> Vec<bool> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let last = side * side - 1;
    (0..=last).map(|cell| rng.random::<f64>() < RISKY && cell != 0 && cell != last).collect()
}

/// The cells above, below, left and right; the cell itself at the border.
fn neighbours(cell: usize, side: usize) -> [usize; 4] {
    let (row, column) = (cell / side, cell % side);
    [
        if row > 0 { cell - side } else { cell },
        if row + 1 < side { cell + side } else { cell },
        if column > 0 { cell - 1 } else { cell },
        if column + 1 < side { cell + 1 } else { cell },
    ]
}

/// Rates of the tandem: arrivals, the first server, and the second one slow and fast; the uniform clock ticks at the
/// sum of the first, second and last.
const ARRIVAL: f64 = 0.3;
const FIRST: f64 = 0.35;
const SLOW: f64 = 0.2;
const FAST: f64 = 0.35;

/// Two queues in tandem, each of capacity `length`, uniformised: actions are admit or reject × slow or fast at the
/// second server; the reward is the chance that a customer leaves in this tick minus the fill (q₁ + q₂) / 2L, and a
/// tick with fast service costs 1. A full second queue blocks the first server; arrivals at a full first queue are
/// lost. State q₁(L + 1) + q₂ holds q₁ and q₂ customers, and the tandem starts empty.
pub fn tandem_queue(length: usize, budget: f64) -> Cmdp {
    let (side, clock) = (length + 1, ARRIVAL + FIRST + FAST);
    let mut model = CmdpBuilder::new(side * side, &[budget]);
    for state in 0..side * side {
        let (first, second) = (state / side, state % side);
        let enters = if first < length { ARRIVAL / clock } else { 0.0 };
        let passes = if first > 0 && second < length { FIRST / clock } else { 0.0 };
        for (admitted, service) in [(1.0, SLOW), (1.0, FAST), (0.0, SLOW), (0.0, FAST)] {
            let (enters, leaves) = (admitted * enters, if second > 0 { service / clock } else { 0.0 });
            let row = [
                (state.saturating_sub(1), leaves),
                (state, (1.0 - enters - passes - leaves).max(0.0)),
                (if passes > 0.0 { state - side + 1 } else { state }, passes),
                (if enters > 0.0 { state + side } else { state }, enters),
            ];
            let fill = (first + second) as f64 / (2 * length) as f64;
            model.pair(state, &row, leaves - fill, &[f64::from(u8::from(service == FAST))]);
        }
    }
    model.build().expect("a consistent tandem")
}

/// Random sparse rows: each of 4 actions leads to the next state (cyclically) and to 3 states drawn anywhere, with
/// uniform weights divided by their sum; the reward and the one cost are uniform in [0, 1]. It starts in state 0.
pub fn jumps(states: usize, budget: f64, seed: u64) -> Cmdp {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut model = CmdpBuilder::new(states, &[budget]);
    for state in 0..states {
        for _ in 0..4 {
            let mut row = [((state + 1) % states, rng.random::<f64>() + 1e-3); 4];
            for entry in &mut row[1..] {
                *entry = (rng.random_range(0..states), rng.random::<f64>() + 1e-3);
            }
            let sum: f64 = row.iter().map(|&(_, weight)| weight).sum();
            row.iter_mut().for_each(|(_, weight)| *weight /= sum);
            let (reward, cost) = (rng.random::<f64>(), rng.random::<f64>());
            model.pair(state, &row, reward, &[cost]);
        }
    }
    model.build().expect("a consistent random model")
}

/// A walk on a network that grows by preferential attachment: every new node is linked with two old ones, drawn in proportion to
/// how many links these have, so that a few hubs have links with thousands. Each of 4 actions leads to a drawn neighbour
/// with probability 0.7, to two more with 0.1 each and to the first neighbour with 0.1; the reward of a node is
/// uniform in [0, 1], and a fifth of the nodes cost 1. It starts in node 0.
pub fn network(states: usize, budget: f64, seed: u64) -> Cmdp {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); states];
    // Every link counts for both of its ends.
    let mut ends = vec![0, 1];
    neighbours[0].push(1);
    neighbours[1].push(0);
    for node in 2..states {
        for _ in 0..2 {
            let old = ends[rng.random_range(0..ends.len())];
            if old != node && !neighbours[node].contains(&old) {
                neighbours[node].push(old);
                neighbours[old].push(node);
                ends.extend([old, node]);
            }
        }
    }
    let mut model = CmdpBuilder::new(states, &[budget]);
    for (state, near) in neighbours.iter().enumerate() {
        let reward = rng.random::<f64>();
        let cost = f64::from(u8::from(rng.random::<f64>() < 0.2));
        for _ in 0..4 {
            let mut drawn = || near[rng.random_range(0..near.len())];
            let row = [(drawn(), 0.7), (drawn(), 0.1), (drawn(), 0.1), (near[0], 0.1)];
            model.pair(state, &row, reward, &[cost]);
        }
    }
    model.build().expect("a consistent network")
}
