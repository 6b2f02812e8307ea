//! The factors of some of a chain's nodes: of all of them, of one of two sides, or of the seam between these.
//!
//! A block has its own numbers of nodes: those of a range of places first, and behind them those of the seam, which is all that
//! else its nodes lead to. So a side reads and writes nothing of the other one. The numbers of the seam itself, and of a block
//! of all nodes, are places.

use super::super::super::lanes::{Lanes, add, combine};
use super::super::rows::Rows;
use super::triangle::Triangle;
use super::working::Working;
use crate::stop::StopFlag;
use std::ops::Range;

/// Whose rows a block has, and how it numbers nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Frame {
    /// The places of its rows.
    pub places: Range<usize>,
    /// Numbers below `width` are places from `base` on, the others places of the seam.
    pub base: usize,
    pub width: usize,
    pub seam: Range<usize>,
}

impl Frame {
    fn number(&self, place: usize) -> usize {
        if place < self.base + self.width { place - self.base } else { place - self.seam.start + self.width }
    }

    fn place(&self, number: usize) -> usize {
        if number < self.width { number + self.base } else { number - self.width + self.seam.start }
    }

    /// The number of a row's node.
    fn of_row(&self, row: usize) -> usize {
        self.places.start + row - self.base
    }

    fn row_of(&self, number: usize) -> usize {
        number + self.base - self.places.start
    }
}

/// The factors of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub frame: Frame,
    pub lower: Triangle,
    pub upper: Triangle,
    /// One over the probability of leaving a node for those that are eliminated after it, or for node 0.
    per_exit: Vec<f64>,
    /// What leads from a node to node 0, by way of those before it; until all blocks are set.
    ends: Vec<f64>,
    /// What leads there directly, if node 0 is absorbing.
    direct: Vec<f32>,
}

impl Block {
    /// Eliminates the block's nodes, the seam after both sides. Fill below `drop` is left out; `false` if there are more than `most`
    /// entries, numbers are lost, or the end is asked for.
    pub fn set(
        &mut self,
        rows: &Rows,
        sides: &[Block],
        absorbing: bool,
        (drop, most): (f64, usize),
        stop: &StopFlag,
    ) -> bool {
        self.lower.clear();
        self.upper.clear();
        self.per_exit.clear();
        self.ends.clear();
        self.direct.clear();
        let mut row = Working::new(self.frame.width + self.frame.seam.len());
        for place in self.frame.places.clone() {
            if stop.asked_at(place - self.frame.places.start) {
                return false;
            }
            let i = self.frame.number(place);
            row.begin();
            for (target, p) in rows.of(place) {
                if target == 0 { row.ends += p } else { row.put(i, self.frame.number(target), p) }
            }
            row.earlier.sort_unstable();
            let direct = row.ends;
            let mut done = 0;
            while let Some(&k) = row.earlier.get(done) {
                let k = k as usize;
                done += 1;
                let share;
                if let Some(side) = sides.iter().find(|side| side.frame.places.contains(&k)) {
                    let at = k - side.frame.places.start;
                    share = row.value[k] * side.per_exit[at];
                    row.ends += share * side.ends[at];
                    let onward = side.upper.row(at).map(|(j, value)| (side.frame.place(j), share * value));
                    onward.for_each(|(j, value)| row.add(i, j, value, drop, done));
                } else {
                    let at = self.frame.row_of(k);
                    share = row.value[k] * self.per_exit[at];
                    row.ends += share * self.ends[at];
                    self.upper.row(at).for_each(|(j, value)| row.add(i, j, share * value, drop, done));
                }
                self.lower.push(k, share);
            }
            self.lower.end_row();
            let mut kept = row.ends;
            for &j in &row.later {
                kept += row.value[j as usize];
                self.upper.push(j as usize, row.value[j as usize]);
            }
            self.upper.end_row();
            // What was left out goes where the rest goes, unless it is most of the row.
            let exit = if kept > row.lost { kept } else { kept + row.lost };
            self.per_exit.push(1.0 / exit);
            self.ends.push(row.ends);
            if absorbing {
                self.direct.push(direct as f32);
            }
            if self.entries() > most || !(1.0 / exit).is_finite() {
                return false;
            }
        }
        true
    }

    /// Gives back what only the elimination of other blocks needs.
    pub fn finish(&mut self) {
        self.ends = Vec::new();
    }

    /// How many entries there are.
    pub fn entries(&self) -> usize {
        self.lower.entries() + self.upper.entries()
    }

    /// y = x with what comes from earlier nodes; `end` is what node 0 has.
    pub fn forward<const K: usize>(&self, x: impl Fn(usize) -> Lanes<K>, y: &mut [Lanes<K>], end: Lanes<K>) {
        for (row, place) in self.frame.places.clone().enumerate() {
            let mut sum = add(x(place), combine(self.lower.row(row), y));
            if let Some(&direct) = self.direct.get(row) {
                (0..K).for_each(|k| sum[k] += f64::from(direct) * end[k]);
            }
            y[place - self.frame.base] = sum;
        }
    }

    /// y with what comes from later nodes and those of the seam, by the probability of leaving.
    pub fn backward<const K: usize>(&self, y: &mut [Lanes<K>], seam: &[Lanes<K>]) {
        for row in (0..self.frame.places.len()).rev() {
            let i = self.frame.of_row(row);
            let mut sum = y[i];
            for (j, value) in self.upper.row(row) {
                let y = y.get(j).unwrap_or_else(|| &seam[j - self.frame.width]);
                (0..K).for_each(|k| sum[k] += value * y[k]);
            }
            y[i] = sum.map(|sum| sum * self.per_exit[row]);
        }
    }

    /// The transpose of [`Block::backward`].
    pub fn backward_transposed<const K: usize>(&self, y: &mut [Lanes<K>], seam: &mut [Lanes<K>]) {
        for row in 0..self.frame.places.len() {
            let i = self.frame.of_row(row);
            let own = y[i].map(|y| y * self.per_exit[row]);
            y[i] = own;
            for (j, value) in self.upper.row(row) {
                let to = if j < self.frame.width { &mut y[j] } else { &mut seam[j - self.frame.width] };
                (0..K).for_each(|k| to[k] += value * own[k]);
            }
        }
    }

    /// The transpose of [`Block::forward`]; returns what comes to node 0.
    pub fn forward_transposed<const K: usize>(&self, y: &mut [Lanes<K>]) -> Lanes<K> {
        let mut end = [0.0; K];
        for row in (0..self.frame.places.len()).rev() {
            let own = y[self.frame.of_row(row)];
            for (j, value) in self.lower.row(row) {
                (0..K).for_each(|k| y[j][k] += value * own[k]);
            }
            if let Some(&direct) = self.direct.get(row) {
                (0..K).for_each(|k| end[k] += f64::from(direct) * own[k]);
            }
        }
        end
    }
}
