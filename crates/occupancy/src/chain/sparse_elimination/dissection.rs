//! An order of elimination that makes few new entries: nested dissection (George, 1973) by levels (George and Liu, 1978).
//!
//! Nodes are numbered from a far end of the graph by their distance. A whole level in the middle separates what is before it from
//! what is behind it: it is eliminated after both, which do not touch each other, and each is dissected in the same way. On a grid
//! of n cells the factors have about n log n entries and take n^1.5 operations. Where no small level lies in the middle, as in
//! graphs without distances, [`minimum_degree`] orders the part.

use super::Refused;
use super::minimum_degree::minimum_degree;
use crate::chain::graph::Graph;
use crate::stop::StopFlag;
use std::ops::Range;

/// Parts of up to so many nodes are eliminated as one block. On grids that makes 5 % more entries than a fourth of it, in a tenth
/// of the blocks.
const WHOLE: usize = 16;

/// A separator may have this share of a part's nodes, or twice the root of their number in small parts.
const SHARE: usize = 8;

/// Either side of a separator has at least this share of the part.
const SIDE: usize = 5;

/// How often a farther end is looked for.
const FARTHER: usize = 3;

/// The nodes of a chain by place, in blocks: the last block is eliminated first, and node 0, alone in the first block, never.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    pub nodes: Vec<u32>,
    pub ends: Vec<u32>,
}

impl Blocks {
    fn push(&mut self, nodes: &[u32]) {
        if !nodes.is_empty() {
            self.nodes.extend_from_slice(nodes);
            self.ends.push(self.nodes.len() as u32);
        }
    }
}

/// Nodes, and the number of the part that they are.
type Part = (u32, Vec<u32>);

/// No part: node 0, hubs and separators.
const APART: u32 = 0;

struct Dissection<'a> {
    graph: &'a Graph,
    /// The part that every node is in, numbered from 1.
    part: Vec<u32>,
    parts: u32,
    /// The walk that reached every node last.
    seen: Vec<u32>,
    walks: u32,
    /// The nodes that a walk has reached, and where their levels begin.
    reached: Vec<u32>,
    levels: Vec<usize>,
    /// The numbers of a part's nodes within it.
    number: Vec<u32>,
}

/// Orders the nodes of a graph whose edges are listed at both ends. Orders with elements of more than `most` entries are refused.
pub(super) fn dissect(graph: &Graph, most: usize, stop: &StopFlag) -> Result<Blocks, Refused> {
    let nodes = graph.nodes();
    // A node with so many neighbours is a part of every separator (the rule is that of AMD).
    let hub = (10.0 * (nodes as f64).sqrt()).max(16.0) as usize;
    let is_hub = |node: u32| graph.successors(node as usize).len() > hub;
    let (hubs, others): (Vec<u32>, Vec<u32>) = (1..nodes as u32).partition(|&node| is_hub(node));
    let mut blocks = Blocks::default();
    blocks.push(&[0]);
    blocks.push(&hubs);
    let mut dissection = Dissection {
        graph,
        part: vec![APART; nodes],
        parts: 0,
        seen: vec![0; nodes],
        walks: 0,
        reached: Vec::new(),
        levels: Vec::new(),
        number: vec![0; nodes],
    };
    let mut waiting = vec![dissection.name(others)];
    while let Some((part, nodes)) = waiting.pop() {
        if stop.asked() {
            return Err(Refused::Stopped);
        }
        if nodes.len() <= WHOLE {
            blocks.push(&nodes);
        } else if !dissection.walk(part, nodes[0], nodes.len()) {
            waiting.extend(dissection.connected(part, &nodes));
        } else if let Some((separator, sides)) = dissection.separate(part) {
            blocks.push(&separator);
            waiting.extend(sides);
        } else {
            let order = minimum_degree(&dissection.inside(part, &nodes), most, stop)?;
            order.iter().rev().for_each(|&at| blocks.push(&[nodes[at as usize]]));
        }
    }
    Ok(blocks)
}

impl Dissection<'_> {
    /// Makes nodes a part of their own.
    fn name(&mut self, nodes: Vec<u32>) -> Part {
        self.parts += 1;
        nodes.iter().for_each(|&node| self.part[node as usize] = self.parts);
        (self.parts, nodes)
    }

    /// Reaches nodes of a part from one of them, level by level; whether these are `count` of them.
    fn walk(&mut self, part: u32, root: u32, count: usize) -> bool {
        self.walks += 1;
        self.reached.clear();
        self.levels.clear();
        self.reached.push(root);
        self.seen[root as usize] = self.walks;
        let mut level = 0..1;
        while !level.is_empty() {
            self.levels.push(level.start);
            for at in level.clone() {
                for &next in self.graph.successors(self.reached[at] as usize) {
                    if self.part[next as usize] == part && self.seen[next as usize] != self.walks {
                        self.seen[next as usize] = self.walks;
                        self.reached.push(next);
                    }
                }
            }
            level = level.end..self.reached.len();
        }
        self.levels.push(self.reached.len());
        self.reached.len() == count
    }

    /// The connected parts of a part.
    fn connected(&mut self, part: u32, nodes: &[u32]) -> Vec<Part> {
        let mut found = Vec::new();
        for &node in nodes {
            if self.part[node as usize] == part {
                self.walk(part, node, nodes.len());
                let reached = self.reached.clone();
                found.push(self.name(reached));
            }
        }
        found
    }

    /// A part as a graph of its own.
    fn inside(&mut self, part: u32, nodes: &[u32]) -> Graph {
        nodes.iter().zip(0..).for_each(|(&node, at)| self.number[node as usize] = at);
        let mut graph = Graph::default();
        graph.clear();
        for &node in nodes {
            let near = self.graph.successors(node as usize).iter();
            let near = near.filter(|&&next| self.part[next as usize] == part);
            graph.to.extend(near.map(|&next| self.number[next as usize]));
            graph.end_node();
        }
        graph
    }

    /// Separates a connected part that has been walked through by a level of a walk from a far end, if one is small; the
    /// separator and the parts on both sides.
    fn separate(&mut self, part: u32) -> Option<(Vec<u32>, [Part; 2])> {
        for _ in 0..FARTHER {
            let depth = self.levels.len();
            let far = self.far_end(part);
            self.walk(part, far, 0);
            if self.levels.len() <= depth {
                break;
            }
        }
        let level = self.middle()?;
        let reached = std::mem::take(&mut self.reached);
        let mut before = reached[..level.start].to_vec();
        let behind = self.name(reached[level.end..].to_vec());
        // Only what touches the nodes behind separates them from those before.
        let mut separator = Vec::new();
        for &node in &reached[level] {
            let touches = |next: &u32| self.part[*next as usize] == behind.0;
            let of_separator = self.graph.successors(node as usize).iter().any(touches);
            if of_separator { separator.push(node) } else { before.push(node) }
        }
        separator.iter().for_each(|&node| self.part[node as usize] = APART);
        Some((separator, [self.name(before), behind]))
    }

    /// A node of the last level with the fewest neighbours.
    fn far_end(&self, part: u32) -> u32 {
        let is_inside = |next: &&u32| self.part[**next as usize] == part;
        let degree = |node: u32| self.graph.successors(node as usize).iter().filter(is_inside).count();
        let last = &self.reached[self.levels[self.levels.len() - 2]..];
        last.iter().copied().min_by_key(|&node| degree(node)).unwrap_or(self.reached[0])
    }

    /// The places of the level to separate by: a small one, the nearer to the middle the better.
    fn middle(&self) -> Option<Range<usize>> {
        let count = self.reached.len();
        let levels = self.levels.windows(2).map(|ends| ends[0]..ends[1]);
        let fits = |level: &Range<usize>| {
            let small = level.len() <= count / SHARE || level.len() * level.len() <= 4 * count;
            small && level.start.min(count - level.end) >= count / SIDE
        };
        // The size times the share of the larger side.
        let cost = |level: &Range<usize>| level.len() * level.start.max(count - level.end);
        levels.filter(fits).min_by_key(cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(nodes: usize, near: impl Fn(usize) -> Vec<usize>) -> Blocks {
        let mut graph = Graph::default();
        graph.clear();
        for node in 0..nodes {
            graph.to.extend(near(node).into_iter().map(|next| next as u32));
            graph.end_node();
        }
        let blocks = dissect(&graph, usize::MAX, &StopFlag::default()).unwrap();
        let mut all = blocks.nodes.clone();
        all.sort_unstable();
        assert!(all.iter().copied().eq(0..nodes as u32) && blocks.nodes[0] == 0 && blocks.ends[0] == 1);
        assert_eq!(blocks.ends.last(), Some(&(nodes as u32)));
        blocks
    }

    #[test]
    fn a_path_is_cut_in_the_middle() {
        // Without node 0 the path goes from 1 to 100; the first separator is one of its nodes.
        let path = |node: usize| [node.wrapping_sub(1), node + 1].into_iter().filter(|&x| x < 101).collect();
        let found = blocks(101, path);
        assert_eq!(found.ends[1], 2);
        assert!((40..=61).contains(&found.nodes[1]), "{}", found.nodes[1]);
    }

    #[test]
    fn parts_that_do_not_touch_are_ordered_by_themselves() {
        // Rings of ten nodes.
        let ring = |node: usize| vec![node / 10 * 10 + (node + 1) % 10, node / 10 * 10 + (node + 9) % 10];
        let found = blocks(100, ring);
        assert!(found.ends.windows(2).all(|ends| ends[1] - ends[0] <= 10));
    }

    #[test]
    fn hubs_and_nodes_without_distances_come_last_or_by_their_degree() {
        // Node 1 is linked with all others, and these in pairs.
        let hub = |node: usize| match node {
            0 => vec![1],
            1 => (0..2000).filter(|&other| other != 1).collect(),
            _ => vec![1, node ^ 1],
        };
        assert_eq!(blocks(2000, hub).nodes[1], 1);
        // All are linked with all: one after the other.
        let found = blocks(60, |node| (0..60).filter(|&other| other != node).collect());
        assert_eq!(found.ends.len(), 60);
    }
}
