//! Factors without a drop invert a chain's matrix to single precision; with one they are near.

use super::super::{Iterative, Way};
use super::*;

/// A square of 20 × 20 rooms with slips; the last room leads back to the first.
fn rooms(node: usize) -> Vec<(usize, f64)> {
    if node == 399 {
        return vec![(0, 1.0)];
    }
    let (row, column) = (node / 20, node % 20);
    let near = [
        (row.saturating_sub(1) * 20 + column, 0.05),
        ((row + 1).min(19) * 20 + column, 0.4),
        (row * 20 + column.saturating_sub(1), 0.05),
        (row * 20 + (column + 1).min(19), 0.5),
    ];
    near.to_vec()
}

fn chain(absorbing: bool) -> Iterative {
    let mut chain = Iterative::default();
    chain.load(400, absorbing, |node| {
        rooms((node + 399) % 400).into_iter().map(|(next, p)| ((next + 1) % 400, p))
    });
    chain
}

/// The greatest part of b that is not met by A y, if y is what the factors make of b; for both matrices.
fn missed(absorbing: bool, drop: f64) -> [f64; 2] {
    let mut chain = chain(absorbing);
    assert!(chain.factors.set(&chain.rows, absorbing, drop, &StopFlag::default()));
    chain.way = Way::Factors(drop);
    let mut right: Vec<Lanes<2>> = (0..400).map(|i| [((i * 37) % 11) as f64 / 11.0, 1.0]).collect();
    if absorbing {
        right[0] = [0.0; 2];
    }
    let (mut y, mut out) = (vec![[0.0; 2]; 400], vec![[0.0; 2]; 400]);
    [false, true].map(|transposed| {
        if transposed {
            chain.factors.apply_transposed(&right, &mut y);
            chain.apply_transposed(&y, &mut out);
        } else {
            chain.factors.apply(&right, &mut y, &Pieces::whole(400));
            chain.apply(&y, &mut out);
        }
        let differences = out.iter().flatten().zip(right.iter().flatten()).map(|(x, y)| (x - y).abs());
        differences.fold(0.0, f64::max)
    })
}

#[test]
fn without_a_drop_the_factors_invert_the_matrix_and_its_transpose() {
    for absorbing in [false, true] {
        let [plain, transposed] = missed(absorbing, 0.0);
        assert!(plain < 1e-3 && transposed < 1e-3, "{absorbing}: {plain:e}, {transposed:e}");
    }
}

/// A street of 600 × 4 rooms to node 0 at its end, from which the other end follows; node 0 may be absorbing.
fn street(absorbing: bool, two_sided: bool) -> Iterative {
    let row = |node: usize| {
        let (block, lane) = (node / 4, node % 4);
        let next = if node == 0 {
            [(2399, 0.5), (2398, 0.25), (0, 0.25)]
        } else {
            [
                (node.saturating_sub(4), 0.8),
                ((block + 1).min(599) * 4 + lane, 0.15),
                (block * 4 + (lane + 1) % 4, 0.05),
            ]
        };
        next.into_iter()
    };
    let mut street = Iterative::default();
    street.load(2400, absorbing, row);
    if two_sided {
        street.rows.order.turn_far_side(&street.rows.order.seam(&row));
        assert!(street.rows.order.sides.is_some());
        street.rows.fill(absorbing, &row);
    }
    street
}

#[test]
fn two_sides_and_their_seam_invert_the_matrix_and_its_transpose() {
    let right: Vec<Lanes<2>> =
        (0..2400).map(|i| [if i == 0 { 0.5 } else { ((i * 37) % 11) as f64 / 11.0 }, 1.0]).collect();
    for (absorbing, two_sided) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut street = street(absorbing, two_sided);
        assert!(street.factors.set(&street.rows, absorbing, 0.0, &StopFlag::default()));
        assert_eq!(street.factors.sides.is_some(), two_sided);
        street.pieces = Pieces::whole(2400);
        let (mut y, mut out) = (vec![[0.0; 2]; 2400], vec![[0.0; 2]; 2400]);
        for transposed in [false, true] {
            if transposed {
                street.factors.apply_transposed(&right, &mut y);
                street.apply_transposed(&y, &mut out);
            } else {
                street.factors.apply(&right, &mut y, &Pieces::whole(2400));
                street.apply(&y, &mut out);
            }
            let off = out.iter().zip(&right).flat_map(|(x, y)| [x[0] - y[0], x[1] - y[1]]);
            let off = off.fold(0.0, |most: f64, x| most.max(x.abs()));
            // The numbers of the factors have 24 bits, and the ways 1000 steps.
            assert!(off < 0.02, "{absorbing}, {two_sided}, {transposed}: {off:e}");
        }
    }
}

#[test]
fn with_a_drop_the_factors_are_smaller_and_near() {
    let entries = |drop: f64| {
        let mut chain = chain(false);
        assert!(chain.factors.set(&chain.rows, false, drop, &StopFlag::default()));
        chain.factors.last.entries()
    };
    assert!(2 * entries(1e-3) < entries(0.0), "{} of {}", entries(1e-3), entries(0.0));
    let ([near, _], [nearer, _]) = (missed(false, 1e-3), missed(false, 1e-5));
    assert!(near < 0.5 && nearer < 0.1 * near, "{near}, {nearer}");
}

#[test]
fn factors_are_not_set_once_the_end_was_asked_for() {
    let (mut chain, flag) = (chain(false), StopFlag::new());
    assert!(chain.factors.set(&chain.rows, false, 0.0, &flag));
    flag.ask();
    assert!(!chain.factors.set(&chain.rows, false, 0.0, &flag));
}

#[test]
fn factors_that_would_be_large_are_refused() {
    let mut chain = Iterative::default();
    let nodes = 2000;
    let jumps = |i: usize| [(i + 1, 0.2), (i * 7919 + 3, 0.3), (i * i * 31 + 5, 0.5)];
    chain.load(nodes, false, |i| jumps(i).into_iter().map(move |(next, p)| (next % nodes, p)));
    assert!(!chain.factors.set(&chain.rows, false, 0.0, &StopFlag::default()));
}
