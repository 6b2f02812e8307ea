//! State reduction of a large sparse chain: [`super::elimination`] on tables for the parts of a chain that hold only what is there.
//!
//! The same folding without subtraction, node by node,
//!
//! ```text
//! S_k = Σ_{j≠k} P(k,j)         P(i,j) += P(i,k) P(k,j) / S_k       x(i) += P(i,k) x(k) / S_k
//! ```
//!
//! but in an order that makes few new entries ([`dissection`]), and in blocks of nodes with nearly the same neighbours
//! ([`fronts`]), each in a small table, so that the loops are those of a dense chain. A grid of n cells needs about n log n numbers
//! instead of n². Order and fronts are kept for the chains that follow as long as these have no other transitions. It solves the
//! chains that iteration does not: those that fall nearly apart.

mod dissection;
mod fronts;
mod minimum_degree;

use super::elimination::{begin_of_block, fold};
use super::graph::Graph;
use crate::arithmetic::dense::{Shape, dot, reduce_block};
use crate::stop::StopFlag;
use dissection::dissect;
use fronts::{Front, Fronts};

/// The factors may have this many entries, those that are worked on included; 8 bytes each, so that a chain may take 400 MB.
const MOST_ENTRIES: usize = 50_000_000;

/// The factors of a chain whose node 0 is reached from every node.
#[derive(Clone, Debug, Default)]
pub(crate) struct SparseElimination {
    fronts: Fronts,
    /// Of every front: the rows of its pivots, successors as shares of the exit and sources as they were when these were removed;
    /// and of the rows of its border, the sources.
    numbers: Vec<f64>,
    /// By place: S_k, and the time of one step as it was folded.
    exits: Vec<f64>,
    times: Vec<f64>,
}

/// Why a chain was not reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// From this node, node 0 is not reached in floating-point arithmetic.
    Stuck(usize),
    /// The factors have more than [`MOST_ENTRIES`] entries, or take more products than were allowed.
    TooLarge,
    /// The end was asked for.
    Stopped,
}

/// A transition between two nodes, or places.
type Transition = (u32, u32, f64);

impl SparseElimination {
    /// Removes all nodes but node 0 of the chain whose transitions are listed (source, successor, probability), unless that takes
    /// more than `most` products or it is asked to stop.
    pub fn reduce(
        &mut self,
        nodes: usize,
        most: usize,
        stop: &StopFlag,
        transitions: impl FnOnce(&mut dyn FnMut(usize, usize, f64)),
    ) -> Result<(), Refused> {
        let mut chain = Vec::new();
        transitions(&mut |from, to, p| {
            if from != to && p > 0.0 {
                chain.push((from as u32, to as u32, p));
            }
        });
        let mut sorted = Sorted::default();
        if self.fronts.nodes.len() != nodes || !sorted.sort(&chain, &self.fronts) {
            self.fronts = Fronts::default();
            let graph = both_ways(nodes, &chain);
            self.fronts = Fronts::new(&graph, dissect(&graph, MOST_ENTRIES, stop)?)?;
            sorted.sort(&chain, &self.fronts);
        }
        if self.fronts.products > most {
            return Err(Refused::TooLarge);
        }
        self.numbers.resize(self.fronts.entries, 0.0);
        self.exits.resize(nodes, 0.0);
        self.remove_fronts(&sorted, stop)?;
        let mut times = vec![1.0; nodes];
        self.folded(&mut times);
        self.times = times;
        Ok(())
    }

    /// Removes the pivots of all fronts.
    fn remove_fronts(&mut self, sorted: &Sorted, stop: &StopFlag) -> Result<(), Refused> {
        let SparseElimination { fronts, numbers, exits, .. } = self;
        let mut table = Table::new(fronts.nodes.len());
        // What is left of the fronts before, for the front it is added to.
        let mut rests: Vec<Vec<(&Front, Vec<f64>)>> = vec![Vec::new(); fronts.fronts.len()];
        for (at, front) in fronts.fronts.iter().enumerate() {
            table.begin(fronts, front);
            sorted.of(at).for_each(|&transition| table.add_transition(transition));
            for (child, rest) in std::mem::take(&mut rests[at]) {
                table.add_rest(fronts.border_of(child), &rest);
            }
            table.remove_pivots(front, &mut exits[front.pivots.clone()], stop).map_err(|refused| {
                match refused {
                    Refused::Stuck(place) => Refused::Stuck(fronts.nodes[place] as usize),
                    other => other,
                }
            })?;
            table.keep(front, &mut numbers[front.numbers..]);
            if let Some(parent) = front.parent {
                rests[parent as usize].push((front, table.rest(front)));
            }
        }
        Ok(())
    }

    /// The rows of a front's pivots with their places, and of its border the columns of the pivots.
    fn rows(&self, front: &Front) -> (std::slice::ChunksExact<'_, f64>, std::slice::ChunksExact<'_, f64>) {
        let (width, pivots) = (front.width(), front.pivots.len());
        let (own, border) = self.numbers[front.numbers..].split_at(width * pivots);
        let border = &border[..self.fronts.border_of(front).len() * pivots];
        (own.chunks_exact(width), border.chunks_exact(pivots))
    }

    /// x(k) / S_k of every place as it was removed; at node 0, the signal of one cycle.
    fn folded(&self, x: &mut [f64]) {
        for front in &self.fronts.fronts {
            let (own, border) = self.rows(front);
            let (before, pivots) = x.split_at_mut(front.pivots.start);
            let pivots = &mut pivots[..front.pivots.len()];
            for (k, row) in own.enumerate().rev() {
                let sources = dot(&row[front.border_width() + k + 1..], &pivots[k + 1..]);
                pivots[k] = (pivots[k] + sources) / self.exits[front.pivots.start + k];
            }
            for (&place, row) in self.fronts.border_of(front).iter().zip(border) {
                before[place as usize] += dot(row, pivots);
            }
        }
    }

    /// Numbers by node, by place.
    fn by_place(&self, of_nodes: &[f64]) -> Vec<f64> {
        self.fronts.nodes.iter().map(|&node| of_nodes[node as usize]).collect()
    }

    /// Numbers by place, by node.
    fn by_node(&self, of_places: &[f64], of_nodes: &mut [f64]) {
        self.fronts.nodes.iter().zip(of_places).for_each(|(&node, &x)| of_nodes[node as usize] = x);
    }

    /// J(x) and h by node with h(0) = 0; for absorbing chains, 0 and the totals until absorption.
    pub fn bias(&self, absorbing: bool, signal: &[f64], bias: &mut [f64]) -> f64 {
        let mut x = self.by_place(signal);
        self.folded(&mut x);
        let gain = if absorbing { 0.0 } else { x[0] / self.times[0] };
        x[0] = 0.0;
        let mut border = Vec::new();
        for front in self.fronts.fronts.iter().rev() {
            let (before, pivots) = x.split_at_mut(front.pivots.start);
            border.clear();
            border.extend(self.fronts.border_of(front).iter().map(|&place| before[place as usize]));
            border.resize(front.border_width(), 0.0);
            for (k, row) in self.rows(front).0.enumerate() {
                let (to_border, to_pivots) = row.split_at(border.len());
                let onward = dot(to_border, &border) + dot(&to_pivots[..k], &pivots[..k]);
                pivots[k] += onward - gain * self.times[front.pivots.start + k];
            }
        }
        self.by_node(&x, bias);
        gain
    }

    /// The stationary law of the only recurrent class, by node.
    pub fn stationary(&self, law: &mut [f64]) {
        let mut x = vec![0.0; law.len()];
        x[0] = 1.0;
        self.spread(&mut x);
        let total: f64 = x.iter().sum();
        x.iter_mut().for_each(|x| *x /= total);
        self.by_node(&x, law);
    }

    /// Expected visits before node 0 absorbs, from weights, by node; the entry of node 0 becomes 0.
    pub fn visits(&self, weights: &mut [f64]) {
        let mut x = self.by_place(weights);
        let mut border = Vec::new();
        for front in &self.fronts.fronts {
            let (before, pivots) = x.split_at_mut(front.pivots.start);
            border.clear();
            border.resize(front.border_width(), 0.0);
            for (k, row) in self.rows(front).0.enumerate().rev() {
                let (to_border, to_pivots) = row.split_at(border.len());
                let mass = pivots[k];
                add(mass, &to_pivots[..k], pivots);
                add(mass, to_border, &mut border);
            }
            for (&place, mass) in self.fronts.border_of(front).iter().zip(&border) {
                before[place as usize] += mass;
            }
        }
        x[0] = 0.0;
        self.spread(&mut x);
        self.by_node(&x, weights);
    }

    /// x(k) ← (x(k) + Σ x(i) P(i,k)) / S_k by place, last removed first.
    fn spread(&self, x: &mut [f64]) {
        for front in self.fronts.fronts.iter().rev() {
            let (own, border) = self.rows(front);
            let (before, pivots) = x.split_at_mut(front.pivots.start);
            let pivots = &mut pivots[..front.pivots.len()];
            for (&place, row) in self.fronts.border_of(front).iter().zip(border) {
                add(before[place as usize], row, pivots);
            }
            for (k, row) in own.enumerate() {
                pivots[k] /= self.exits[front.pivots.start + k];
                let mass = pivots[k];
                add(mass, &row[front.border_width() + k + 1..], &mut pivots[k + 1..]);
            }
        }
    }
}

/// x += mass · row.
fn add(mass: f64, row: &[f64], x: &mut [f64]) {
    x.iter_mut().zip(row).for_each(|(x, p)| *x += mass * p);
}

/// The graph of a chain with every edge listed at both ends.
fn both_ways(nodes: usize, chain: &[Transition]) -> Graph {
    let mut near = vec![Vec::new(); nodes];
    for &(from, to, _) in chain {
        near[from as usize].push(to);
        near[to as usize].push(from);
    }
    let mut graph = Graph::default();
    graph.clear();
    for mut list in near {
        list.sort_unstable();
        list.dedup();
        graph.to.extend(list);
        graph.end_node();
    }
    graph
}

/// Transitions by place, sorted by the front that removes one of their ends first.
#[derive(Default)]
struct Sorted {
    transitions: Vec<Transition>,
    /// Where those of each front end.
    ends: Vec<usize>,
}

impl Sorted {
    /// Sorts the transitions of a chain; whether all of them have a place in their front.
    fn sort(&mut self, chain: &[Transition], fronts: &Fronts) -> bool {
        let place = |node: u32| fronts.places[node as usize];
        let front = |from: u32, to: u32| fronts.of[place(from).max(place(to)) as usize] as usize;
        self.ends.clear();
        self.ends.resize(fronts.fronts.len() + 1, 0);
        chain.iter().for_each(|&(from, to, _)| self.ends[front(from, to) + 1] += 1);
        (1..self.ends.len()).for_each(|at| self.ends[at] += self.ends[at - 1]);
        self.transitions.clear();
        self.transitions.resize(chain.len(), (0, 0, 0.0));
        for &(from, to, p) in chain {
            let end = &mut self.ends[front(from, to)];
            self.transitions[*end] = (place(from), place(to), p);
            *end += 1;
        }
        let mut seen = vec![u32::MAX; fronts.nodes.len()];
        fronts.fronts.iter().zip(0..).all(|(front, at)| {
            fronts.border_of(front).iter().for_each(|&place| seen[place as usize] = at);
            seen[front.pivots.clone()].fill(at);
            self.of(at as usize).all(|&(from, to, _)| seen[from.min(to) as usize] == at)
        })
    }

    /// The transitions of a front.
    fn of(&self, front: usize) -> impl Iterator<Item = &Transition> {
        let begin = if front > 0 { self.ends[front - 1] } else { 0 };
        self.transitions[begin..self.ends[front]].iter()
    }
}

/// The table of the front that is worked on: rows and columns of the border, zeros up to [`Front::border_width`], then those of
/// the pivots.
struct Table {
    width: usize,
    numbers: Vec<f64>,
    /// The row and column of every place of the front.
    at: Vec<u32>,
}

impl Table {
    fn new(places: usize) -> Table {
        Table { width: 0, numbers: Vec::new(), at: vec![0; places] }
    }

    /// An empty table for a front.
    fn begin(&mut self, fronts: &Fronts, front: &Front) {
        self.width = front.width();
        self.numbers.clear();
        self.numbers.resize(self.width * self.width, 0.0);
        fronts.border_of(front).iter().zip(0..).for_each(|(&place, at)| self.at[place as usize] = at);
        let pivots = &mut self.at[front.pivots.clone()];
        pivots.iter_mut().zip(front.border_width() as u32..).for_each(|(at, column)| *at = column);
    }

    fn add_transition(&mut self, (from, to, p): Transition) {
        let (row, column) = (self.at[from as usize], self.at[to as usize]);
        self.numbers[row as usize * self.width + column as usize] += p;
    }

    /// Adds what is left between the places of a border.
    fn add_rest(&mut self, border: &[u32], rest: &[f64]) {
        for (&from, numbers) in border.iter().zip(rest.chunks_exact(border.len())) {
            let row = &mut self.numbers[self.at[from as usize] as usize * self.width..][..self.width];
            border.iter().zip(numbers).for_each(|(&to, p)| row[self.at[to as usize] as usize] += p);
        }
    }

    /// Removes the pivots, last to first, and writes their exits. An error has the place of a node.
    fn remove_pivots(&mut self, front: &Front, exits: &mut [f64], stop: &StopFlag) -> Result<(), Refused> {
        let (shape, last) = (Shape { rates: 0, stride: self.width }, front.border_width());
        let mut end = self.width;
        while end > last {
            if stop.asked() {
                return Err(Refused::Stopped);
            }
            let begin = begin_of_block(end, last);
            let (above, block) = self.numbers.split_at_mut(begin * self.width);
            let block = &mut block[..(end - begin) * self.width];
            let stuck = |row: usize| Refused::Stuck(front.pivots.start + row - last);
            reduce_block(block, shape, begin, &mut exits[begin - last..end - last]).map_err(stuck)?;
            fold(above, block, self.width, begin);
            end = begin;
        }
        Ok(())
    }

    /// Writes what is kept of a front.
    fn keep(&self, front: &Front, numbers: &mut [f64]) {
        let border = front.border_width();
        let (above, own) = self.numbers.split_at(border * self.width);
        let (kept, sources) = numbers.split_at_mut(own.len());
        kept.copy_from_slice(own);
        let sources = sources.chunks_exact_mut(front.pivots.len());
        above.chunks_exact(self.width).zip(sources).take(front.border_len()).for_each(|(row, kept)| {
            kept.copy_from_slice(&row[border..]);
        });
    }

    /// What is left between the places of a front's border.
    fn rest(&self, front: &Front) -> Vec<f64> {
        let border = front.border_len();
        let mut rest = Vec::with_capacity(border * border);
        let rows = self.numbers.chunks_exact(self.width).take(border);
        rows.for_each(|row| rest.extend_from_slice(&row[..border]));
        rest
    }
}

#[cfg(test)]
mod tests;
