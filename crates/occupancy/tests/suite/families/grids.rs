//! Grids of deterministic moves: a torus that is alike everywhere, and random maps with risky cells.

use occupancy::env;
use occupancy::model::{Cmdp, CmdpBuilder};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A torus of `side` × `side` cells and four moves. A cell rewards 1 if column + 2·row is a multiple of 5, and costs 1 if
/// column + row is a multiple of 3; if `side` is a multiple of 15, all cells of a kind are alike, and with them countless
/// policies.
pub fn tied_torus(side: usize) -> Cmdp {
    let mut model = CmdpBuilder::new(side * side, &[0.25]);
    for cell in 0..side * side {
        let (row, column) = (cell / side, cell % side);
        let (above, below) = ((row + side - 1) % side, (row + 1) % side);
        let (left, right) = ((column + side - 1) % side, (column + 1) % side);
        let reward = if (column + 2 * row) % 5 == 0 { 1.0 } else { 0.0 };
        let cost = if (column + row) % 3 == 0 { 1.0 } else { 0.0 };
        for (row, column) in [(above, column), (below, column), (row, left), (row, right)] {
            model.pair(cell, &[(row * side + column, 1.0)], reward, &[cost]);
        }
    }
    model.build().expect("a consistent torus")
}

/// A map without slip, read like a user's: start top left, goal bottom right, a third of the other cells risky, a tenth
/// walls; some cells may be walled in.
pub fn risky_map(width: usize, height: usize, seed: u64) -> Cmdp {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut text = String::with_capacity((width + 1) * height);
    for cell in 0..width * height {
        let chance = rng.random::<f64>();
        text.push(match cell {
            0 => 'S',
            _ if cell + 1 == width * height => 'G',
            _ if chance < 0.33 => 'P',
            _ if chance < 0.43 => 'W',
            _ => '0',
        });
        if (cell + 1) % width == 0 {
            text.push('\n');
        }
    }
    from_text(&text).with_budgets(&[0.05]).expect("a budget")
}

fn from_text(text: &str) -> Cmdp {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("occupancy-map-{}-{count}.map", std::process::id()));
    std::fs::write(&path, text).expect("a writable temporary folder");
    let env = env::from_map_file(&path, &[]);
    std::fs::remove_file(&path).expect("the map just written");
    env.expect("a consistent map").model
}
