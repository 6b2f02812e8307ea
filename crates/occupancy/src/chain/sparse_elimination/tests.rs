//! Chains that are eliminated in fronts, held against tables.

use super::super::elimination::Elimination;
use super::*;

/// A grid of side × side cells with steps to all neighbours, its two halves linked by `link` only.
fn halves(side: usize, link: f64) -> Vec<Vec<(usize, f64)>> {
    let row = |cell: usize| {
        let (i, j) = (cell / side, cell % side);
        let steps = [(i.wrapping_sub(1), j), (i + 1, j), (i, j.wrapping_sub(1)), (i, j + 1)];
        let inside = steps.into_iter().filter(|&(i, j)| i < side && j < side);
        let weight = |to: usize| if (to < side * side / 2) == (cell < side * side / 2) { 1.0 } else { link };
        let row: Vec<(usize, f64)> =
            inside.map(|(i, j)| i * side + j).map(|to| (to, weight(to) * (1 + to % 3) as f64)).collect();
        let sum: f64 = row.iter().map(|&(_, p)| p).sum();
        row.into_iter().map(|(to, p)| (to, p / sum)).collect()
    };
    (0..side * side).map(row).collect()
}

fn reduce(sparse: &mut SparseElimination, rows: &[Vec<(usize, f64)>], most: usize) -> Result<(), Refused> {
    let each = |visit: &mut dyn FnMut(usize, usize, f64)| {
        rows.iter().enumerate().for_each(|(i, row)| row.iter().for_each(|&(j, p)| visit(i, j, p)));
    };
    sparse.reduce(rows.len(), most, &StopFlag::default(), each)
}

fn reduced(rows: &[Vec<(usize, f64)>]) -> SparseElimination {
    let mut sparse = SparseElimination::default();
    reduce(&mut sparse, rows, usize::MAX).unwrap();
    sparse
}

/// Holds gain, bias, law and visits of a reduced chain to those of a table.
fn check(sparse: &SparseElimination, rows: &[Vec<(usize, f64)>]) {
    let nodes = rows.len();
    let signal: Vec<f64> = (0..nodes).map(|i| ((i * 37) % 11) as f64 / 11.0).collect();
    let table = Elimination::reduced(rows, &signal);
    let (gain, bias, law) = table.solution();
    let (mut h, mut mass) = (vec![0.0; nodes], vec![0.0; nodes]);
    let found = sparse.bias(false, &signal, &mut h);
    sparse.stationary(&mut mass);
    assert!((found - gain).abs() < 1e-14, "{found} instead of {gain}");
    assert!(mass.iter().zip(&law).all(|(x, y)| (x - y).abs() <= 1e-13 * y));
    let size = bias.iter().fold(0.0, |most: f64, h| h.abs().max(most));
    assert!(h.iter().zip(&bias).all(|(x, y)| (x - y).abs() < 1e-11 * size));
    let (mut one, mut other) = (vec![1.0; nodes], vec![1.0; nodes]);
    sparse.visits(&mut one);
    table.visits(&mut other);
    assert!(one.iter().zip(&other).all(|(x, y)| (x - y).abs() <= 1e-13 * y));
}

/// Blocks of nodes with random jumps inside, a tenth of the nodes linked with the next block by `link`.
fn blocks(count: usize, size: usize, link: f64) -> Vec<Vec<(usize, f64)>> {
    let mut state = 1u64;
    let mut draw = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let mut row = |node: usize| {
        let first = node / size * size;
        let mut row = vec![(first + (node + 1 - first) % size, 0.4)];
        row.extend((0..3).map(|_| (first + draw(size), 0.2)));
        if (node - first).is_multiple_of(10) {
            row.push(((node + size) % (count * size), link));
        }
        let sum: f64 = row.iter().map(|&(_, p)| p).sum();
        row.into_iter().map(|(next, p)| (next, p / sum)).collect()
    };
    (0..count * size).map(&mut row).collect()
}

#[test]
fn a_grid_is_solved_as_in_a_table_links_of_1e_13_included() {
    for link in [1.0, 1e-13] {
        let rows = halves(12, link);
        check(&reduced(&rows), &rows);
    }
}

#[test]
fn chains_without_distances_and_with_hubs_are_solved_as_in_a_table() {
    for (count, size) in [(1, 150), (6, 40), (40, 6), (3, 200)] {
        let rows = blocks(count, size, 1e-10);
        check(&reduced(&rows), &rows);
    }
    // All of a grid lead to one of its cells, which is not node 0.
    let mut rows = halves(20, 1.0);
    rows.iter_mut().enumerate().filter(|(node, _)| *node != 210).for_each(|(_, row)| row.push((210, 0.05)));
    rows.iter_mut().for_each(|row| {
        let sum: f64 = row.iter().map(|&(_, p)| p).sum();
        row.iter_mut().for_each(|(_, p)| *p /= sum);
    });
    check(&reduced(&rows), &rows);
}

#[test]
fn fronts_are_kept_for_chains_without_other_transitions_and_made_anew_for_others() {
    let (whole, mut part) = (halves(30, 1.0), halves(30, 0.1));
    part[100].truncate(1);
    let mut sparse = reduced(&whole);
    let nodes = sparse.fronts.nodes.clone();
    reduce(&mut sparse, &part, usize::MAX).unwrap();
    assert_eq!(sparse.fronts.nodes, nodes);
    check(&sparse, &part);
    let mut other = part.clone();
    other[100].push((850, 0.5));
    other[100][0].1 = 0.5;
    reduce(&mut sparse, &other, usize::MAX).unwrap();
    assert_ne!(sparse.fronts.nodes, nodes);
    check(&sparse, &other);
    let smaller = halves(10, 1.0);
    reduce(&mut sparse, &smaller, usize::MAX).unwrap();
    check(&sparse, &smaller);
}

#[test]
fn a_chain_that_takes_more_products_than_allowed_is_refused() {
    let (rows, mut sparse) = (halves(12, 1.0), SparseElimination::default());
    assert_eq!(reduce(&mut sparse, &rows, 1000), Err(Refused::TooLarge));
    assert_eq!(reduce(&mut sparse, &rows, 100_000), Ok(()));
}

#[test]
fn a_grid_of_ten_thousand_cells_stays_sparse() {
    let sparse = reduced(&halves(100, 1e-6));
    // About 50 entries a node, rows and columns together; a table would have 10 000.
    assert!(sparse.fronts.entries < 60 * 10_000, "{}", sparse.fronts.entries);
}

#[test]
fn a_node_without_a_way_out_is_named() {
    let mut sparse = SparseElimination::default();
    let refused = reduce(&mut sparse, &[vec![(1, 1.0)], vec![]], usize::MAX);
    assert_eq!(refused, Err(Refused::Stuck(1)));
}
