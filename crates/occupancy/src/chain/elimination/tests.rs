//! Chains that are solved by hand, and the same bits in whatever way they are eliminated.

use super::*;
use crate::arithmetic::dense::sum;
use crate::chain::graph::{Graph, strong_components};
use crate::seed::Seed;
use rand::RngExt;

fn chain(rows: &[&[f64]], signal: &[f64]) -> Elimination {
    let mut elimination = Elimination::default();
    elimination.reset(rows.len(), 1);
    for (node, row) in rows.iter().enumerate() {
        let (signals, probabilities) = elimination.row_mut(node);
        signals[0] = signal[node];
        probabilities.copy_from_slice(row);
    }
    elimination
}

#[test]
fn a_two_state_chain_has_its_closed_form() {
    let (a, b) = (0.3, 1e-12);
    let mut e = chain(&[&[1.0 - b, b], &[a, 1.0 - a]], &[7.0, 5.0]);
    e.reduce(1).unwrap();
    let (mut gain, mut law, mut biases) = ([0.0], [0.0; 2], [Vec::new()]);
    e.gains(&mut gain);
    e.stationary(&mut law);
    e.biases(&gain, &mut biases);
    let exact = (5.0 * b + 7.0 * a) / (a + b);
    assert!((gain[0] - exact).abs() < 1e-15 * 7.0);
    assert!((law[1] / (b / (a + b)) - 1.0).abs() < 1e-15);
    // h(1) − h(0) = (r(1) − r(0)) / (a + b)
    assert!((biases[0][1] * (a + b) + 2.0).abs() < 1e-14);
}

#[test]
fn a_periodic_cycle_is_no_trouble() {
    let mut e = chain(&[&[0.0, 1.0, 0.0], &[0.0, 0.0, 1.0], &[1.0, 0.0, 0.0]], &[1.0, 2.0, 6.0]);
    e.reduce(1).unwrap();
    let (mut gain, mut biases) = ([0.0], [Vec::new()]);
    e.gains(&mut gain);
    e.biases(&gain, &mut biases);
    assert_eq!(gain[0], 3.0);
    assert_eq!(biases[0], [0.0, 2.0, 3.0]);
}

#[test]
fn visits_before_absorption_count_the_way() {
    // 2 goes to 1 or stays, 1 goes to 0 or back to 2, 0 absorbs.
    let mut e = chain(&[&[1.0, 0.0, 0.0], &[0.5, 0.0, 0.5], &[0.0, 0.25, 0.75]], &[0.0; 3]);
    e.reduce(1).unwrap();
    let mut visits = [0.0, 0.0, 1.0];
    e.visits(&mut visits);
    assert!((visits[1] - 2.0).abs() < 1e-15 && (visits[2] - 8.0).abs() < 1e-14);
}

#[test]
fn a_node_that_cannot_reach_the_first_is_named() {
    let mut e = chain(&[&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0], &[0.5, 0.5, 0.0]], &[0.0; 3]);
    assert_eq!(e.reduce(1), Err(Stuck(1)));
}

/// Policies are not searched for classes before they are evaluated.
#[test]
fn a_chain_is_stuck_if_and_only_if_a_closed_class_is_without_the_first_node() {
    let mut rng = Seed(3).rng("chains");
    let (mut e, mut answers) = (Elimination::default(), [0; 2]);
    for _ in 0..600 {
        let nodes = rng.random_range(1..40);
        let successors = 1 + rng.random_range(0..3);
        e.reset(nodes, 0);
        let mut graph = Graph::default();
        graph.clear();
        for node in 0..nodes {
            for _ in 0..successors {
                let next = rng.random_range(0..nodes);
                e.row_mut(node).1[next] += 1.0 / successors as f64;
                graph.to.push(next as u32);
            }
            graph.end_node();
        }
        let parts = strong_components(&graph);
        let closed = parts.closed(&graph);
        let leads = (0..parts.count).all(|part| closed[part] == (part == parts.of[0] as usize));
        assert_eq!(e.reduce(1).is_ok(), leads, "{graph:?}");
        answers[usize::from(leads)] += 1;
    }
    assert!(answers.iter().all(|&count| count > 100), "{answers:?}");
}

/// One node after the other, as in the equations.
fn reduce_plainly(e: &mut Elimination) {
    let (stride, rates) = (e.stride(), e.rates());
    for n in (1..e.nodes).rev() {
        let (above, row_n) = e.table.split_at_mut(n * stride);
        e.exits[n] = sum(&row_n[rates..rates + n]);
        row_n[..rates + n].iter_mut().for_each(|x| *x *= 1.0 / e.exits[n]);
        for row in above.chunks_exact_mut(stride) {
            let share = row[rates + n];
            (0..rates + n).for_each(|j| row[j] += share * row_n[j]);
        }
    }
}

/// Writes a row of a chain of many links; another one for another `kind`.
fn fill(e: &mut Elimination, i: usize, kind: usize) {
    let (signals, row) = e.row_mut(i);
    signals.copy_from_slice(&[i as f64, 1.0 / (1.0 + (i + kind) as f64)]);
    let weight = |j: usize| {
        if (i + 2 * j).is_multiple_of(3) && j > 0 {
            0.0
        } else {
            1.0 + ((i * 7 + j * 13 + kind * j) % 11) as f64
        }
    };
    let total: f64 = (0..row.len()).map(weight).sum();
    row.iter_mut().enumerate().for_each(|(j, p)| *p = weight(j) / total);
}

#[test]
fn rows_of_the_head_folded_again_give_the_same_bits_as_all_rows() {
    for (nodes, head) in [(1, 1), (5, 1), (5, 5), (9, 3), (10, 10), (16, 16), (30, 4), (31, 16)] {
        let (mut again, mut afresh) = (Elimination::default(), Elimination::default());
        again.shape(nodes, 2);
        (0..nodes).for_each(|i| fill(&mut again, i, 0));
        again.reduce(head).unwrap();
        // Among the nearest nodes, beyond them, in both parts of the head, in all of it, and nowhere.
        for changed in [vec![0], vec![1, 7], vec![head - 1], vec![0, head - 1], (0..head).collect(), vec![]] {
            let mut changed: Vec<usize> = changed.into_iter().filter(|&i| i < head).collect();
            changed.dedup();
            afresh.reset(nodes, 2);
            (0..nodes).for_each(|i| fill(&mut afresh, i, usize::from(changed.contains(&i))));
            afresh.reduce(head).unwrap();
            changed.iter().for_each(|&i| fill(&mut again, i, 1));
            again.reduce_again(&changed).unwrap();
            assert_eq!(again.rows(), afresh.rows(), "{nodes} nodes, {changed:?}");
            assert_eq!(again.exits, afresh.exits);
            changed.iter().for_each(|&i| fill(&mut again, i, 0));
            again.reduce_again(&changed).unwrap();
        }
    }
}

#[test]
fn passing_over_zeros_gives_the_same_bits_as_all_entries() {
    for (nodes, links) in [(12, 2), (13, 3), (30, 2), (31, 4), (64, 3), (121, 5), (122, 60)] {
        let mut sparse = Elimination::default();
        sparse.reset(nodes, 2);
        for i in 0..nodes {
            let (signals, row) = sparse.row_mut(i);
            signals.copy_from_slice(&[i as f64, 1.0 / (1.0 + i as f64)]);
            // Towards the first node, and to a few others near and far.
            (0..links).for_each(|k| row[(i * 7 + k * (i % 5) + 11 * k) % nodes] += 0.5 / links as f64);
            row[i.saturating_sub(1 + i % 11)] += 0.5;
        }
        let mut whole = Elimination { is_sparse: false, ..sparse.clone() };
        assert!(sparse.is_sparse);
        sparse.reduce(1).unwrap();
        whole.reduce(1).unwrap();
        assert_eq!((sparse.rows(), &sparse.exits), (whole.rows(), &whole.exits), "{nodes} nodes");
        let found = |e: &Elimination| {
            let (mut gains, mut law) = ([0.0; 2], vec![0.0; nodes]);
            let mut biases = [Vec::new(), Vec::new()];
            e.gains(&mut gains);
            e.biases(&gains, &mut biases);
            e.stationary(&mut law);
            (gains, biases, law)
        };
        assert_eq!(found(&sparse), found(&whole), "{nodes} nodes");
    }
}

#[test]
fn blocks_give_the_same_bits_as_single_nodes() {
    for nodes in [1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 30] {
        let mut fast = Elimination::default();
        fast.reset(nodes, 2);
        (0..nodes).for_each(|i| fill(&mut fast, i, 0));
        let mut plain = fast.clone();
        fast.reduce(1).unwrap();
        reduce_plainly(&mut plain);
        assert_eq!(fast.rows(), plain.rows(), "{nodes} nodes");
        assert_eq!(fast.exits, plain.exits);
    }
}

/// A walk on a ring of so many nodes with some jumps, and its signal.
fn ring(nodes: usize, jump: usize) -> (Vec<Vec<(usize, f64)>>, Vec<f64>) {
    let row = |i: usize| vec![((i + 1) % nodes, 0.5), ((i * jump + 1) % nodes, 0.3), (i, 0.2)];
    ((0..nodes).map(row).collect(), (0..nodes).map(|i| (i % 7) as f64).collect())
}

#[test]
fn a_table_that_was_used_before_gives_the_same_bits() {
    let mut used = Elimination::default();
    // Sparse and dense tables of several sizes by turns; one that ends early, because node 12 cannot be left.
    for (nodes, jump) in [(40, 3), (5, 2), (40, 7), (13, 0), (23, 5), (64, 3), (12, 5), (40, 3)] {
        let (mut rows, signal) = ring(nodes, jump);
        if jump == 0 {
            rows[12] = vec![(12, 1.0)];
        }
        used.reset(nodes, 1);
        for (node, row) in rows.iter().enumerate() {
            let (signals, probabilities) = used.row_mut(node);
            signals[0] = signal[node];
            row.iter().for_each(|&(next, p)| probabilities[next] += p);
        }
        if jump == 0 {
            assert_eq!(used.reduce(1), Err(Stuck(12)));
            continue;
        }
        used.reduce(1).unwrap();
        assert_eq!(used.solution(), Elimination::reduced(&rows, &signal).solution());
        if nodes == 23 {
            used.shape(50, 2);
            used.table.fill(3.0);
        }
    }
}
