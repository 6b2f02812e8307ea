//! Which numbers the factors of a chain will have, found before any of them is: the fronts of a multifrontal elimination (Duff and
//! Reid, 1983).
//!
//! A front is a block of nodes that are eliminated together, its *pivots*, and the nodes that are left and linked with them by
//! then, its *border*. Its table has rows and columns for both. Once the pivots are eliminated, the rest of the table, between the
//! nodes of the border, is added to the front of the one among them that is eliminated next.

use super::dissection::Blocks;
use super::{MOST_ENTRIES, Refused};
use crate::chain::graph::Graph;
use std::ops::Range;

/// Borders are filled up to a multiple of this, so that loops over them have no rest.
const LANES: usize = 4;

/// A block joins the one that is eliminated next if no more than this part of what its rows have then is zero.
const ZEROS: usize = 8;

/// One front. Places count from node 0, which is never eliminated; the last place is eliminated first.
#[derive(Clone, Debug)]
pub(super) struct Front {
    pub pivots: Range<usize>,
    /// Where the places of the border are, in ascending order.
    border: Range<usize>,
    /// Where the numbers of the front begin, see [`Front::width`].
    pub numbers: usize,
    /// The front that the rest of the table is added to; none if the border is empty.
    pub parent: Option<u32>,
}

impl Front {
    pub fn border_len(&self) -> usize {
        self.border.len()
    }

    /// How many columns the border has, those that fill it up included.
    pub fn border_width(&self) -> usize {
        self.border.len().next_multiple_of(LANES)
    }

    /// How many columns there are: those of the border, then those of the pivots. The numbers kept are the rows of the pivots, and
    /// then of the rows of the border the columns of the pivots.
    pub fn width(&self) -> usize {
        self.border_width() + self.pivots.len()
    }

    fn entries(&self) -> usize {
        self.pivots.len() * (self.width() + self.border.len())
    }

    fn products(&self) -> usize {
        self.pivots.len() * self.width() * self.width()
    }
}

/// The fronts of a chain, in the order of their elimination: not that of their places, but each behind those that are added to it.
#[derive(Clone, Debug, Default)]
pub(super) struct Fronts {
    /// The node at every place, and the place of every node.
    pub nodes: Vec<u32>,
    pub places: Vec<u32>,
    pub fronts: Vec<Front>,
    /// The front that eliminates a place; node 0 has none.
    pub of: Vec<u32>,
    borders: Vec<u32>,
    /// How many numbers are kept of all fronts, and how many products it takes to find them.
    pub entries: usize,
    pub products: usize,
}

impl Fronts {
    /// The fronts that the blocks of a graph need; its edges are listed at both ends.
    pub fn new(graph: &Graph, blocks: Blocks) -> Result<Fronts, Refused> {
        let Blocks { nodes, ends } = blocks;
        let mut found =
            Fronts { places: vec![0; nodes.len()], of: vec![0; nodes.len()], ..Fronts::default() };
        nodes.iter().zip(0..).for_each(|(&node, place)| found.places[node as usize] = place);
        found.nodes = nodes;
        // The fronts whose border has its last place in each block, and the block that last saw a place in its border.
        let mut waiting = vec![Vec::new(); ends.len()];
        let mut seen = vec![0; found.nodes.len()];
        for block in (1..ends.len()).rev() {
            let places = ends[block - 1] as usize..ends[block] as usize;
            let border = found.border(graph, &places, &waiting[block], &mut seen);
            let next = border.last().copied();
            let front = found.put(places, border)?;
            if let Some(next) = next {
                waiting[ends.partition_point(|&end| end <= next)].push(front);
            }
        }
        found.link()?;
        Ok(found)
    }

    /// The places before a block that its nodes, or the fronts that wait for it, are linked with.
    fn border(&self, graph: &Graph, block: &Range<usize>, waiting: &[u32], seen: &mut [usize]) -> Vec<u32> {
        let near = block.clone().flat_map(|place| graph.successors(self.nodes[place] as usize));
        let near = near.map(|&node| self.places[node as usize]);
        let borders = waiting.iter().flat_map(|&front| self.border_of(&self.fronts[front as usize]));
        let before = near.chain(borders.copied()).filter(|&place| (place as usize) < block.start);
        let mut border: Vec<u32> = before
            .filter(|&place| std::mem::replace(&mut seen[place as usize], block.start) != block.start)
            .collect();
        border.sort_unstable();
        border
    }

    /// Takes a block as a front, or into the last one if they have nearly the same border; the number of the front.
    fn put(&mut self, block: Range<usize>, border: Vec<u32>) -> Result<u32, Refused> {
        let together = block.len() + border.len();
        let alike = |last: &Front| {
            let next = self.borders[last.border.clone()].last();
            let follows =
                last.pivots.start == block.end && next.is_some_and(|&next| next as usize >= block.start);
            follows && (together - last.border.len()) * ZEROS <= together
        };
        let mut pivots = block.clone();
        if self.fronts.last().is_some_and(alike)
            && let Some(last) = self.fronts.pop()
        {
            pivots.end = last.pivots.end;
            self.borders.truncate(last.border.start);
            self.entries -= last.entries();
            self.products -= last.products();
        }
        let places = self.borders.len()..self.borders.len() + border.len();
        self.borders.extend(border);
        let front = Front { pivots, border: places, numbers: 0, parent: None };
        self.entries += front.entries();
        self.products += front.products();
        self.fronts.push(front);
        if self.entries > MOST_ENTRIES { Err(Refused::TooLarge) } else { Ok(self.fronts.len() as u32 - 1) }
    }

    /// Finds parents, puts every front right behind its children, so that little waits to be added, and gives all their numbers a
    /// place; refuses those that take too many.
    fn link(&mut self) -> Result<(), Refused> {
        self.set_parents();
        let mut children = vec![Vec::new(); self.fronts.len()];
        let mut waiting = Vec::new();
        for (at, front) in self.fronts.iter().enumerate() {
            front.parent.map_or(&mut waiting, |parent| &mut children[parent as usize]).push(at);
        }
        let mut order = Vec::with_capacity(self.fronts.len());
        while let Some(at) = waiting.pop() {
            order.push(at);
            waiting.append(&mut children[at]);
        }
        self.fronts = order.iter().rev().map(|&at| self.fronts[at].clone()).collect();
        self.set_parents();
        let (mut kept, mut added_later, mut most) = (0, 0, 0);
        let mut added_to = vec![0; self.fronts.len()];
        for (at, front) in self.fronts.iter_mut().enumerate() {
            front.numbers = kept;
            kept += front.entries();
            let rest = front.border.len() * front.border.len();
            most = most.max(added_later + front.width() * front.width() + rest);
            added_later -= added_to[at];
            if let Some(parent) = front.parent {
                added_to[parent as usize] += rest;
                added_later += rest;
            }
        }
        if kept + most > MOST_ENTRIES { Err(Refused::TooLarge) } else { Ok(()) }
    }

    /// Finds the front of every place, and the parents.
    fn set_parents(&mut self) {
        for (front, at) in self.fronts.iter().zip(0..) {
            self.of[front.pivots.clone()].fill(at);
        }
        for front in &mut self.fronts {
            let next = self.borders[front.border.clone()].last();
            front.parent = next.filter(|&&next| next > 0).map(|&next| self.of[next as usize]);
        }
    }

    /// The places of a front's border, in ascending order.
    pub fn border_of(&self, front: &Front) -> &[u32] {
        &self.borders[front.border.clone()]
    }
}
