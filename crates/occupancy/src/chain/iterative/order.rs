//! The order in which sweeps visit the nodes of a chain.

use crate::threads::{at_once, shares};
use std::ops::Range;

/// Nodes with at least this many sources are hubs. What is eliminated before its hubs is cheap; a hub that is eliminated early
/// links all its sources with all its successors.
const HUB: u32 = 16;

/// From so many nodes on, an order for factors has two sides where it can.
const TWO_SIDED: usize = 100_000;

/// A seam may have this share of the nodes at most: one over it. What is eliminated there is eliminated by one thread.
const SEAM: usize = 32;

/// A numbering of nodes: the place of every node, and the node at every place. The reference has place 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    pub place: Vec<u32>,
    pub node: Vec<u32>,
    /// The nodes fall into two sides that are linked by the seam behind them, and by the reference, alone.
    pub sides: Option<Sides>,
}

/// Where the first side ends, and the second, behind which the seam begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sides {
    pub first_end: usize,
    pub second_end: usize,
}

impl Order {
    /// Numbers the nodes so that the likeliest successor of each comes before it, as far as these do not go round:
    /// first those whose likeliest steps lead to the reference, then, cycle by cycle, the others. (By distance alone, any
    /// rare slip towards it would turn a part of the order against the flow.)
    pub fn by_flow<I: Iterator<Item = (usize, f64)>>(
        &mut self,
        nodes: usize,
        reference: usize,
        rows: &(impl Fn(usize) -> I + Sync),
    ) {
        let likeliest = |node: usize| {
            let others = rows(node).filter(|&(next, _)| next != node);
            others.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(node, |(next, _)| next) as u32
        };
        let main = at_once(shares(nodes), |nodes| nodes.map(likeliest).collect::<Vec<u32>>()).concat();
        let mut first = vec![0u32; nodes + 2];
        main.iter().for_each(|&next| first[next as usize + 2] += 1);
        (2..nodes + 2).for_each(|node| first[node] += first[node - 1]);
        let mut sources = vec![0u32; nodes];
        for (node, &next) in main.iter().enumerate() {
            let end = &mut first[next as usize + 1];
            sources[*end as usize] = node as u32;
            *end += 1;
        }
        const NEW: u32 = u32::MAX;
        const SEEN: u32 = u32::MAX - 1;
        self.sides = None;
        self.place.clear();
        self.place.resize(nodes, NEW);
        self.node.clear();
        for root in std::iter::once(reference).chain(0..nodes) {
            // Down the likeliest steps to a node that is numbered already or comes round again.
            let mut root = root as u32;
            while self.place[root as usize] == NEW && root as usize != reference {
                self.place[root as usize] = SEEN;
                root = main[root as usize];
            }
            if self.place[root as usize] < SEEN {
                continue;
            }
            let mut at = self.node.len();
            self.place[root as usize] = at as u32;
            self.node.push(root);
            while at < self.node.len() {
                let target = self.node[at] as usize;
                for &source in &sources[first[target] as usize..first[target + 1] as usize] {
                    if self.place[source as usize] >= SEEN {
                        self.place[source as usize] = self.node.len() as u32;
                        self.node.push(source);
                    }
                }
                at += 1;
            }
        }
    }

    /// Makes an order by flow one for factors: hubs last, if there are some, and otherwise in two sides, if the chain is large and has them.
    /// Whether it has hubs.
    pub fn suit_factors<I: Iterator<Item = (usize, f64)>>(
        &mut self,
        rows: &(impl Fn(usize) -> I + Sync),
    ) -> bool {
        let (mut sources, mut seam) = (Vec::new(), None);
        let mut looks: Vec<Box<dyn FnOnce() + Send>> = vec![Box::new(|| sources = self.sources(rows))];
        if self.node.len() >= TWO_SIDED {
            // At the same time, though there is no use for it if there are hubs.
            looks.push(Box::new(|| seam = Some(self.seam(rows))));
        }
        at_once(looks, |look| look());
        let has_hubs = self.move_hubs_last(&sources);
        if let Some(seam) = seam.filter(|_| !has_hubs) {
            self.turn_far_side(&seam);
        }
        has_hubs
    }

    /// How many nodes lead to each.
    fn sources<I: Iterator<Item = (usize, f64)>>(&self, rows: &impl Fn(usize) -> I) -> Vec<u32> {
        let mut sources = vec![0u32; self.node.len()];
        for node in 0..self.node.len() {
            rows(node).filter(|&(next, _)| next != node).for_each(|(next, _)| sources[next] += 1);
        }
        sources
    }

    /// Moves hubs behind all other nodes but the reference, the greater the later; nodes of one size class (a power of 2) stay in order.
    /// `false` if there are none.
    fn move_hubs_last(&mut self, sources: &[u32]) -> bool {
        let size_class =
            |node: &u32| (sources[*node as usize] / HUB).checked_ilog2().map_or(0, |class| class + 1);
        let Some(others) = self.node.get_mut(1..) else { return false };
        if others.iter().all(|node| size_class(node) == 0) {
            return false;
        }
        others.sort_by_key(size_class);
        self.set_places();
        true
    }

    /// Which nodes behind the middle are next to some before it.
    pub fn seam<I: Iterator<Item = (usize, f64)>>(&self, rows: &impl Fn(usize) -> I) -> Vec<bool> {
        let (nodes, reference) = (self.node.len(), self.node[0]);
        let middle = nodes as u32 / 2;
        let mut in_seam = vec![false; nodes];
        for node in (0..nodes).filter(|&node| node as u32 != reference) {
            for (next, _) in rows(node).filter(|&(next, _)| next as u32 != reference) {
                match (self.place[node] < middle, self.place[next] < middle) {
                    (true, false) => in_seam[next] = true,
                    (false, true) => in_seam[node] = true,
                    _ => {}
                }
            }
        }
        in_seam
    }

    /// Cuts an order by flow in the middle: the half next to the reference stays as it is, the other half is turned round, so that both
    /// are eliminated towards each other, and the nodes where they meet come last. Sides have no links but these, and so can be
    /// eliminated at once. An order in which many nodes would be in the seam is left as it is.
    pub fn turn_far_side(&mut self, in_seam: &[bool]) {
        let (nodes, middle) = (self.node.len(), self.node.len() / 2);
        let (first, far) = self.node.split_at(middle);
        let seam: Vec<u32> = far.iter().copied().filter(|&node| in_seam[node as usize]).collect();
        if seam.len() > nodes / SEAM {
            return;
        }
        let second = far.iter().rev().copied().filter(|&node| !in_seam[node as usize]);
        self.node = first.iter().copied().chain(second).chain(seam.iter().copied()).collect();
        self.sides = Some(Sides { first_end: middle, second_end: nodes - seam.len() });
        self.set_places();
    }

    /// The places at which the order is turned round.
    pub fn turned(&self) -> Range<usize> {
        self.sides.map_or(0..0, |sides| sides.first_end..sides.second_end)
    }

    fn set_places(&mut self) {
        for (place, &node) in self.node.iter().enumerate() {
            self.place[node as usize] = place as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeliest_successors_come_first_and_hubs_last() {
        // Nodes 1 to 40 lead to node 41, which leads on to node 0; node 0 leads to all of them.
        let rows = |node: usize| -> Vec<(usize, f64)> {
            match node {
                0 => (1..=40).map(|next| (next, 1.0 / 40.0)).collect(),
                41 => vec![(0, 1.0)],
                _ => vec![(41, 0.9), (0, 0.1)],
            }
        };
        let rows = |node: usize| rows(node).into_iter();
        let mut order = Order::default();
        order.by_flow(42, 0, &rows);
        assert_eq!((order.node[0], order.node[1], order.place[41]), (0, 41, 1));
        assert!(order.suit_factors(&rows));
        assert_eq!((order.node[0], order.node[41], order.place[41]), (0, 41, 41));
        assert!(
            order.node.iter().enumerate().all(|(place, &node)| order.place[node as usize] == place as u32)
        );
    }

    #[test]
    fn the_far_side_is_turned_round_and_linked_by_the_seam_alone() {
        // A corridor of 64 nodes to node 0 with slips back; node 0 leads to its far end.
        let rows = |node: usize| match node {
            0 => [(63, 1.0), (0, 0.0)],
            _ => [(node - 1, 0.9), ((node + 1).min(63), 0.1)],
        };
        let rows = |node: usize| rows(node).into_iter();
        let mut order = Order::default();
        order.by_flow(64, 0, &rows);
        order.turn_far_side(&order.seam(&rows));
        // Node 32 is behind the middle and next to it.
        let expected: Vec<u32> = (0..32).chain((33..64).rev()).chain([32]).collect();
        assert_eq!(
            (order.node.clone(), order.sides),
            (expected, Some(Sides { first_end: 32, second_end: 63 }))
        );
        assert!(order.turned().all(|place| order.node[place] > 32));
        assert!(
            order.node.iter().enumerate().all(|(place, &node)| order.place[node as usize] == place as u32)
        );
        // By jumps every node is next to both sides.
        let jumps = |node: usize| (0..8).map(move |k| ((node * 7 + k * 11 + 1) % 64, 0.125));
        order.by_flow(64, 0, &jumps);
        let by_flow = order.node.clone();
        order.turn_far_side(&order.seam(&jumps));
        assert_eq!((order.node, order.sides), (by_flow, None));
    }
}
