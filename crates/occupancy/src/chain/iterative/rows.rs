//! The rows of a chain, its nodes renumbered in the order of sweeps.

use super::order::Order;
use crate::threads::{at_once, cut, shares};
use std::cmp::Ordering;
use std::ops::Range;

/// Fewer rows than this are taken by one thread: each looks at all of them for those in its range.
const FEW_CHANGES: usize = 10_000;

/// A probability in the units of [`Rows::with_order`].
fn in_units(p: f64) -> u64 {
    (p * 4_294_967_296.0) as u64
}

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
    /// Σ of the probabilities that lead to earlier nodes, or to later ones where the order is turned round: how much of the chain's flow
    /// goes with the order. In whole numbers of 2⁻³², the sum of which does not depend on who adds up what.
    pub with_order: u64,
}

/// A range of places while their rows are written.
struct Part<'a> {
    places: &'a Range<usize>,
    /// The place of every node, and where the entries of every place begin.
    place: &'a [u32],
    first: &'a [u32],
    middle: &'a mut [u32],
    leave: &'a mut [f64],
    next: &'a mut [u32],
    probability: &'a mut [f64],
    /// The places where the order is turned round.
    turned: Range<usize>,
    with_order: u64,
    later: Vec<(u32, f64)>,
}

impl Part<'_> {
    /// How much of the flow from a place goes with the order, by the row that was written there.
    fn flow_with_order(&self, place: usize) -> u64 {
        let entries = [self.first[place], self.middle[place - self.places.start], self.first[place + 1]];
        let [first, middle, end] = entries.map(|at| (at - self.first[self.places.start]) as usize);
        let with = if self.turned.contains(&place) { middle..end } else { first..middle };
        self.probability[with].iter().map(|p| in_units(*p)).sum()
    }

    fn put_row(&mut self, place: usize, row: impl Iterator<Item = (usize, f64)>) {
        let begin = self.first[self.places.start] as usize;
        let range = self.first[place] as usize - begin..self.first[place + 1] as usize - begin;
        let (next, probability) = (&mut self.next[range.clone()], &mut self.probability[range]);
        let (mut stay, mut at) = (0.0, 0);
        let is_turned = self.turned.contains(&place);
        self.later.clear();
        for (node, p) in row {
            let target = self.place[node];
            match (target as usize).cmp(&place) {
                Ordering::Less => {
                    (next[at], probability[at]) = (target, p);
                    at += 1;
                    self.with_order += if is_turned { 0 } else { in_units(p) };
                }
                Ordering::Equal => stay += p,
                Ordering::Greater => {
                    self.later.push((target, p));
                    self.with_order += if is_turned { in_units(p) } else { 0 };
                }
            }
        }
        self.middle[place - self.places.start] = self.first[place] + at as u32;
        for (k, &(target, p)) in self.later.iter().enumerate() {
            (next[at + k], probability[at + k]) = (target, p);
        }
        // Summed from the entries, not subtracted from 1: a state that is hardly ever left keeps its digits.
        let out: f64 = probability.iter().sum();
        self.leave[place - self.places.start] = if stay > 0.5 && out > 0.0 { out } else { 1.0 - stay };
    }
}

impl Rows {
    /// Takes the rows of a chain in the order that is set; the row of node 0 is left out if it is absorbing.
    ///
    /// Rows are read in the order of nodes, in which they lie in memory, and written where they belong: a processor waits for
    /// what it reads from afar, and not for what it writes there. Read in the order of places, a grid of a million nodes
    /// takes three times as long. Every thread writes a range of places.
    pub fn fill<I: Iterator<Item = (usize, f64)>>(
        &mut self,
        absorbing: bool,
        rows: &(impl Fn(usize) -> I + Sync),
    ) {
        let (nodes, shares) = (self.nodes(), shares(self.nodes()));
        let Rows { order, first, middle, next, probability, leave, .. } = &mut *self;
        let read = |all: &[u32], places: &Range<usize>, visit: &mut dyn FnMut(usize, usize)| {
            let all = all.iter().enumerate().skip(usize::from(absorbing));
            let within = all.filter(|(_, place)| places.contains(&(**place as usize)));
            within.for_each(|(node, &place)| visit(node, place as usize));
        };
        first.clear();
        first.resize(nodes + 1, 0);
        let ends = || shares.iter().map(|share| share.end);
        let counts = shares.iter().zip(cut(&mut first[1..], ends()));
        at_once(counts.collect(), |(places, counts)| {
            read(&order.place, places, &mut |node, place| {
                let others = rows(node).filter(|&(next, _)| next != node);
                counts[place - places.start] = others.count() as u32;
            });
        });
        (0..nodes).for_each(|place| first[place + 1] += first[place]);
        middle.clear();
        middle.resize(nodes, 0);
        next.resize(first[nodes] as usize, 0);
        probability.resize(first[nodes] as usize, 0.0);
        leave.clear();
        leave.resize(nodes, 1.0);
        let with_order = at_once(self.parts(&shares), |mut part| {
            read(part.place, part.places, &mut |node, place| part.put_row(place, rows(node)));
            part.with_order
        });
        self.with_order = with_order.into_iter().sum();
    }

    /// Ranges of places, to be written at once.
    fn parts<'a>(&'a mut self, shares: &'a [Range<usize>]) -> Vec<Part<'a>> {
        let Rows { order, first, middle, next, probability, leave, .. } = self;
        let ends = || shares.iter().map(|share| share.end);
        let entries = || ends().map(|end| first[end] as usize);
        let of_places = cut(middle, ends()).into_iter().zip(cut(leave, ends()));
        let of_entries = cut(next, entries()).into_iter().zip(cut(probability, entries()));
        let parts = shares.iter().zip(of_places.zip(of_entries));
        let part = |(places, ((middle, leave), (next, probability)))| Part {
            places,
            place: &order.place,
            first,
            middle,
            leave,
            next,
            probability,
            turned: order.turned(),
            with_order: 0,
            later: Vec::new(),
        };
        parts.map(part).collect()
    }

    /// Takes other rows of some nodes, all else staying as it is: of two policies that follow each other most rows are the same, and on a
    /// grid of ten million nodes to take all of them is a fifth of an evaluation. `false` if a row has another length, so that
    /// they have to be filled in anew.
    pub fn refill<I: Iterator<Item = (usize, f64)>>(
        &mut self,
        nodes: &[u32],
        rows: &(impl Fn(usize) -> I + Sync),
    ) -> bool {
        let is_as_long = |&node: &u32| {
            let (node, place) = (node as usize, self.order.place[node as usize] as usize);
            let others = rows(node).filter(|&(next, _)| next != node).count();
            others == (self.first[place + 1] - self.first[place]) as usize
        };
        let fit = at_once(shares(nodes.len()), |some| nodes[some].iter().all(is_as_long));
        if fit.contains(&false) {
            return false;
        }
        let shares = if nodes.len() < FEW_CHANGES {
            std::iter::once(0..self.nodes()).collect()
        } else {
            shares(self.nodes())
        };
        let changes = at_once(self.parts(&shares), |mut part| {
            let mut before = 0;
            for &node in nodes {
                let place = part.place[node as usize] as usize;
                if part.places.contains(&place) {
                    before += part.flow_with_order(place);
                    part.put_row(place, rows(node as usize));
                }
            }
            (before, part.with_order)
        });
        for (before, now) in changes {
            self.with_order = self.with_order - before + now;
        }
        true
    }

    /// Puts the same chain in an order for factors. Whether it has hubs.
    pub fn reorder_for_factors(&mut self, absorbing: bool) -> bool {
        let row = |node: usize| {
            let place = self.order.place[node] as usize;
            let stay = std::iter::once((node, 1.0 - self.leave[place]));
            stay.chain(self.of(place).map(|(next, p)| (self.order.node[next] as usize, p)))
        };
        let mut rows = Rows { order: self.order.clone(), ..Rows::default() };
        let has_hubs = rows.order.suit_factors(&row);
        if !has_hubs && rows.order.sides.is_none() {
            return false;
        }
        rows.fill(absorbing, &row);
        for (place, &node) in rows.order.node.iter().enumerate() {
            rows.leave[place] = self.leave[self.order.place[node as usize] as usize];
        }
        *self = rows;
        has_hubs
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
