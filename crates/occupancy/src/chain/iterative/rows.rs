//! The rows of a chain, its nodes renumbered in the order of sweeps.

use super::order::Order;
use std::ops::Range;

/// A sparse chain without its loops at single nodes. All numbers of nodes are places in the order.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    pub order: Order,
    /// Row `i` owns the entries `first[i]..first[i + 1]`, those to earlier nodes before `middle[i]`. A model counts its transitions
    /// in 32 bits, and a chain has no more.
    first: Vec<u32>,
    middle: Vec<u32>,
    next: Vec<u32>,
    probability: Vec<f64>,
    /// 1 − P(i,i).
    pub leave: Vec<f64>,
    /// Σ of the probabilities that lead to earlier nodes: how much of the chain's flow goes with the order.
    pub with_order: f64,
}

impl Rows {
    /// Takes the rows of a chain in the order that is set; the row of node 0 is left out if it is absorbing.
    ///
    /// Rows are read in the order of nodes, in which they lie in memory, and written where they belong: a processor waits for
    /// what it reads from afar, and not for what it writes there. Read in the order of places, a grid of a million nodes
    /// takes three times as long.
    pub fn fill<I: Iterator<Item = (usize, f64)>>(&mut self, absorbing: bool, rows: &impl Fn(usize) -> I) {
        let nodes = self.nodes();
        let first_node = usize::from(absorbing);
        self.first.clear();
        self.first.resize(nodes + 1, 0);
        for node in first_node..nodes {
            let place = self.order.place[node] as usize;
            self.first[place + 1] = rows(node).filter(|&(next, _)| next != node).count() as u32;
        }
        (0..nodes).for_each(|place| self.first[place + 1] += self.first[place]);
        self.middle.clear();
        self.middle.resize(nodes, 0);
        self.next.resize(self.first[nodes] as usize, 0);
        self.probability.resize(self.first[nodes] as usize, 0.0);
        self.leave.clear();
        self.leave.resize(nodes, 1.0);
        let mut later = Vec::new();
        self.with_order = 0.0;
        (first_node..nodes).for_each(|node| self.put_row(self.order.place[node], rows(node), &mut later));
    }

    fn put_row(&mut self, place: u32, row: impl Iterator<Item = (usize, f64)>, later: &mut Vec<(u32, f64)>) {
        let range = self.first[place as usize] as usize..self.first[place as usize + 1] as usize;
        let (next, probability) = (&mut self.next[range.clone()], &mut self.probability[range]);
        let (mut stay, mut at) = (0.0, 0);
        later.clear();
        for (node, p) in row {
            let target = self.order.place[node];
            if target < place {
                (next[at], probability[at]) = (target, p);
                at += 1;
                self.with_order += p;
            } else if target > place {
                later.push((target, p));
            } else {
                stay += p;
            }
        }
        self.middle[place as usize] = self.first[place as usize] + at as u32;
        for (k, &(target, p)) in later.iter().enumerate() {
            (next[at + k], probability[at + k]) = (target, p);
        }
        // Summed from the entries, not subtracted from 1: a state that is hardly ever left keeps its digits.
        let out: f64 = probability.iter().sum();
        self.leave[place as usize] = if stay > 0.5 && out > 0.0 { out } else { 1.0 - stay };
    }

    /// The same chain with its hubs last in the order; `None` if it has none.
    pub fn with_hubs_last(&self, absorbing: bool) -> Option<Rows> {
        let row = |node: usize| {
            let place = self.order.place[node] as usize;
            let stay = std::iter::once((node, 1.0 - self.leave[place]));
            stay.chain(self.of(place).map(|(next, p)| (self.order.node[next] as usize, p)))
        };
        let mut rows = Rows { order: self.order.clone(), ..Rows::default() };
        if !rows.order.move_hubs_last(&row) {
            return None;
        }
        rows.fill(absorbing, &row);
        for (place, &node) in rows.order.node.iter().enumerate() {
            rows.leave[place] = self.leave[self.order.place[node as usize] as usize];
        }
        Some(rows)
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.order.node.len()
    }

    /// How many entries there are.
    pub fn entries(&self) -> usize {
        self.next.len()
    }

    /// The entries of a row.
    pub fn of(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.slice(self.first[i]..self.first[i + 1])
    }

    /// Those to earlier nodes.
    pub fn earlier(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.slice(self.first[i]..self.middle[i])
    }

    /// Those to later nodes.
    pub fn later(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.slice(self.middle[i]..self.first[i + 1])
    }

    fn slice(&self, range: Range<u32>) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = range.start as usize..range.end as usize;
        self.next[range.clone()].iter().zip(&self.probability[range]).map(|(&j, &p)| (j as usize, p))
    }
}
