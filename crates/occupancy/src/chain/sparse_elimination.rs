//! State reduction of a large sparse chain: [`super::elimination`] on rows that hold only what is there.
//!
//! The same folding without subtraction, node by node,
//!
//! ```text
//! S_k = Σ_{j≠k} P(k,j)         P(i,j) += P(i,k) P(k,j) / S_k       x(i) += P(i,k) x(k) / S_k
//! ```
//!
//! but in the order that makes few new entries: next comes the node with the least product of sources and successors
//! (Markowitz, 1957). A grid of n cells then needs about n log n numbers instead of n². It solves the chains that
//! iteration does not: those that fall nearly apart.

use crate::stop::StopFlag;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The factors may have this many entries; 12 bytes each, so that a chain may take 400 MB.
const MOST_ENTRIES: usize = 1 << 25;

/// The factors of a chain whose node 0 is reached from every node.
#[derive(Clone, Debug, Default)]
pub(crate) struct SparseElimination {
    /// The nodes in the order of their removal, without node 0.
    order: Vec<u32>,
    exits: Vec<f64>,
    /// Of every node removed: its successors, as shares of its exit, and its sources, as they were then.
    successors: Lists,
    sources: Lists,
}

/// Lists of (node, number), one after another.
#[derive(Clone, Debug, Default)]
struct Lists {
    end: Vec<usize>,
    node: Vec<u32>,
    number: Vec<f64>,
}

impl Lists {
    fn clear(&mut self) {
        self.end.clear();
        self.node.clear();
        self.number.clear();
    }

    fn push(&mut self, node: u32, number: f64) {
        self.node.push(node);
        self.number.push(number);
    }

    fn close(&mut self) {
        self.end.push(self.node.len());
    }

    fn of(&self, list: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let begin = if list > 0 { self.end[list - 1] } else { 0 };
        let range = begin..self.end[list];
        self.node[range.clone()].iter().zip(&self.number[range]).map(|(&node, &x)| (node as usize, x))
    }
}

/// Why a chain was not reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// From this node, node 0 is not reached in floating-point arithmetic.
    Stuck(usize),
    /// The factors have more than [`MOST_ENTRIES`] entries.
    TooLarge,
    /// The end was asked for.
    Stopped,
}

/// The nodes that are left, with their transitions to others.
struct Remaining {
    rows: Vec<Vec<(u32, f64)>>,
    sources: Vec<Vec<u32>>,
    /// How many transitions there are.
    entries: usize,
    /// The row of the node that is removed, spread out; and the row that was last seen to have an entry at each place.
    spread: Vec<f64>,
    seen: Vec<u32>,
}

impl Remaining {
    fn new(nodes: usize, transitions: impl FnOnce(&mut dyn FnMut(usize, usize, f64))) -> Remaining {
        let (mut rows, mut sources) = (vec![Vec::new(); nodes], vec![Vec::new(); nodes]);
        transitions(&mut |from, to, p| rows[from].push((to as u32, p)));
        for (node, row) in (0u32..).zip(&mut rows) {
            row.retain(|&(next, p)| next != node && p > 0.0);
            row.sort_by_key(|&(next, _)| next);
            row.dedup_by(|again, kept| {
                let same = again.0 == kept.0;
                kept.1 += if same { again.1 } else { 0.0 };
                same
            });
            // Node 0 is never removed, and where all ends lead to it the list of its sources would be searched n times.
            row.iter()
                .filter(|&&(next, _)| next != 0)
                .for_each(|&(next, _)| sources[next as usize].push(node));
        }
        let entries = rows.iter().map(Vec::len).sum();
        Remaining { rows, sources, entries, spread: vec![0.0; nodes], seen: vec![u32::MAX; nodes] }
    }

    /// How many entries removing a node can make.
    fn growth(&self, node: u32) -> usize {
        self.rows[node as usize].len() * self.sources[node as usize].len()
    }

    /// P(i,·) += P(i,k) · P(k,·) for a source i of a removed node k, whose row is spread out; returns P(i,k), which is
    /// gone.
    fn fold(&mut self, source: u32, removed: u32, row: &[(u32, f64)]) -> f64 {
        let Remaining { rows, sources, entries, spread, seen } = self;
        let own = &mut rows[source as usize];
        let at = own.iter().position(|&(next, _)| next == removed);
        let share = at.map_or(0.0, |at| own.swap_remove(at).1);
        let before = own.len() + 1;
        for (next, p) in own.iter_mut() {
            *p += share * spread[*next as usize];
            seen[*next as usize] = source;
        }
        for &(next, p) in row.iter().filter(|&&(next, _)| next != source) {
            if seen[next as usize] != source {
                own.push((next, share * p));
                if next != 0 {
                    sources[next as usize].push(source);
                }
            }
        }
        // A row may be folded into again: what it has now is not what it had when it was seen.
        own.iter().for_each(|&(next, _)| seen[next as usize] = u32::MAX);
        *entries = *entries + own.len() - before;
        share
    }
}

impl SparseElimination {
    /// Removes all nodes but node 0 of the chain whose transitions are listed (source, successor, probability), unless it is
    /// asked to stop.
    pub fn reduce(
        &mut self,
        nodes: usize,
        stop: &StopFlag,
        transitions: impl FnOnce(&mut dyn FnMut(usize, usize, f64)),
    ) -> Result<(), Refused> {
        self.order.clear();
        self.exits.clear();
        self.successors.clear();
        self.sources.clear();
        let mut left = Remaining::new(nodes, transitions);
        // Every node waits with a growth that is not above its own: one that has grown since is put back.
        let mut queued: Vec<usize> = (0..nodes as u32).map(|node| left.growth(node)).collect();
        let mut waiting: BinaryHeap<Reverse<(usize, u32)>> =
            (1..nodes as u32).map(|node| Reverse((queued[node as usize], node))).collect();
        while let Some(Reverse((growth, node))) = waiting.pop() {
            if stop.asked() {
                return Err(Refused::Stopped);
            }
            if growth != queued[node as usize] {
                continue;
            }
            queued[node as usize] = left.growth(node);
            if queued[node as usize] > growth {
                waiting.push(Reverse((queued[node as usize], node)));
                continue;
            }
            queued[node as usize] = usize::MAX;
            let row = self.remove(&mut left, node)?;
            let list = self.sources.of(self.order.len() - 1).map(|(source, _)| source as u32);
            for near in row.iter().map(|&(next, _)| next).chain(list).filter(|&near| near != 0) {
                let growth = left.growth(near);
                if growth < queued[near as usize] {
                    queued[near as usize] = growth;
                    waiting.push(Reverse((growth, near)));
                }
            }
        }
        Ok(())
    }

    /// Removes one node and keeps its factors; returns its successors.
    fn remove(&mut self, left: &mut Remaining, node: u32) -> Result<Vec<(u32, f64)>, Refused> {
        let mut row = std::mem::take(&mut left.rows[node as usize]);
        let sources = std::mem::take(&mut left.sources[node as usize]);
        if self.successors.node.len() + self.sources.node.len() + left.entries > MOST_ENTRIES {
            return Err(Refused::TooLarge);
        }
        left.entries -= row.len();
        let exit: f64 = row.iter().map(|&(_, p)| p).sum();
        if !(exit >= f64::MIN_POSITIVE && (1.0 / exit).is_finite()) {
            return Err(Refused::Stuck(node as usize));
        }
        for (next, p) in &mut row {
            *p /= exit;
            self.successors.push(*next, *p);
            let to = &mut left.sources[*next as usize];
            if let Some(at) = to.iter().position(|&source| source == node) {
                to.swap_remove(at);
            }
        }
        row.iter().for_each(|&(next, p)| left.spread[next as usize] = p);
        for &source in &sources {
            let share = left.fold(source, node, &row);
            self.sources.push(source, share);
        }
        row.iter().for_each(|&(next, _)| left.spread[next as usize] = 0.0);
        self.order.push(node);
        self.exits.push(exit);
        self.successors.close();
        self.sources.close();
        Ok(row)
    }

    /// x(k) / S_k of every node as it was removed; at node 0, the signal of one cycle.
    fn folded(&self, signal: &mut [f64]) {
        for (k, &node) in self.order.iter().enumerate() {
            signal[node as usize] /= self.exits[k];
            let x = signal[node as usize];
            self.sources.of(k).for_each(|(source, share)| signal[source] += share * x);
        }
    }

    /// J(x) and h by node with h(0) = 0; for absorbing chains, 0 and the totals until absorption.
    pub fn bias(&self, absorbing: bool, signal: &[f64], bias: &mut [f64]) -> f64 {
        let mut time = vec![1.0; signal.len()];
        bias.copy_from_slice(signal);
        self.folded(bias);
        let mut gain = 0.0;
        if !absorbing {
            self.folded(&mut time);
            gain = bias[0] / time[0];
        }
        bias[0] = 0.0;
        for (k, &node) in self.order.iter().enumerate().rev() {
            let onward: f64 = self.successors.of(k).map(|(next, p)| p * bias[next]).sum();
            bias[node as usize] += onward - gain * time[node as usize];
        }
        gain
    }

    /// The stationary law of the only recurrent class, by node.
    pub fn stationary(&self, law: &mut [f64]) {
        law.fill(0.0);
        law[0] = 1.0;
        self.spread(law);
        let total: f64 = law.iter().sum();
        law.iter_mut().for_each(|x| *x /= total);
    }

    /// Expected visits before node 0 absorbs, from weights, by node; the entry of node 0 becomes 0.
    pub fn visits(&self, weights: &mut [f64]) {
        for (k, &node) in self.order.iter().enumerate() {
            let mass = weights[node as usize];
            self.successors.of(k).for_each(|(next, p)| weights[next] += mass * p);
        }
        weights[0] = 0.0;
        self.spread(weights);
    }

    /// x(k) ← (x(k) + Σ x(i) P(i,k)) / S_k, last removed first.
    fn spread(&self, x: &mut [f64]) {
        for (k, &node) in self.order.iter().enumerate().rev() {
            let inflow: f64 = self.sources.of(k).map(|(source, p)| x[source] * p).sum();
            x[node as usize] = (x[node as usize] + inflow) / self.exits[k];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::elimination::Elimination;
    use super::*;

    /// A grid of side × side cells with steps to all neighbours, its two halves linked by `link` only.
    fn halves(side: usize, link: f64) -> Vec<Vec<(usize, f64)>> {
        let row = |cell: usize| {
            let (i, j) = (cell / side, cell % side);
            let steps = [(i.wrapping_sub(1), j), (i + 1, j), (i, j.wrapping_sub(1)), (i, j + 1)];
            let inside = steps.into_iter().filter(|&(i, j)| i < side && j < side);
            let weight =
                |to: usize| if (to < side * side / 2) == (cell < side * side / 2) { 1.0 } else { link };
            let row: Vec<(usize, f64)> =
                inside.map(|(i, j)| i * side + j).map(|to| (to, weight(to) * (1 + to % 3) as f64)).collect();
            let sum: f64 = row.iter().map(|&(_, p)| p).sum();
            row.into_iter().map(|(to, p)| (to, p / sum)).collect()
        };
        (0..side * side).map(row).collect()
    }

    fn reduced(rows: &[Vec<(usize, f64)>]) -> SparseElimination {
        let mut sparse = SparseElimination::default();
        let each = |visit: &mut dyn FnMut(usize, usize, f64)| {
            rows.iter().enumerate().for_each(|(i, row)| row.iter().for_each(|&(j, p)| visit(i, j, p)));
        };
        sparse.reduce(rows.len(), &StopFlag::default(), each).unwrap();
        sparse
    }

    #[test]
    fn a_grid_is_solved_as_in_a_table_links_of_1e_13_included() {
        for link in [1.0, 1e-13] {
            let (rows, nodes) = (halves(12, link), 144);
            let signal: Vec<f64> = (0..nodes).map(|i| ((i * 37) % 11) as f64 / 11.0).collect();
            let table = Elimination::reduced(&rows, &signal);
            let (gain, bias, law) = table.solution();
            let sparse = reduced(&rows);
            let (mut h, mut mass) = (vec![0.0; nodes], vec![0.0; nodes]);
            let found = sparse.bias(false, &signal, &mut h);
            sparse.stationary(&mut mass);
            assert!((found - gain).abs() < 1e-14, "{found} instead of {gain}");
            assert!(mass.iter().zip(&law).all(|(x, y)| (x - y).abs() < 1e-13 * y));
            let size = bias.iter().fold(0.0, |most: f64, h| h.abs().max(most));
            assert!(h.iter().zip(&bias).all(|(x, y)| (x - y).abs() < 1e-11 * size));
            let (mut one, mut other) = (vec![1.0; nodes], vec![1.0; nodes]);
            sparse.visits(&mut one);
            table.visits(&mut other);
            assert!(one.iter().zip(&other).all(|(x, y)| (x - y).abs() <= 1e-13 * y));
        }
    }

    #[test]
    fn a_grid_of_ten_thousand_cells_stays_sparse() {
        let sparse = reduced(&halves(100, 1e-6));
        // About 11 entries a row and a column; a table would have 10 000.
        assert!(sparse.successors.node.len() < 30 * 10_000, "{}", sparse.successors.node.len());
    }

    #[test]
    fn a_node_without_a_way_out_is_named() {
        let mut sparse = SparseElimination::default();
        let refused = sparse.reduce(2, &StopFlag::default(), |visit| visit(0, 1, 1.0));
        assert_eq!(refused, Err(Refused::Stuck(1)));
    }
}
