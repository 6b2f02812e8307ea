//! The positive probabilities of a sparse kernel, row by row.
//!
//! In many large models rows differ by where they lead, and not by how likely: all cells of a slippery grid have the same few rows
//! of probabilities. One of each is kept then, so that a model of ten million cells takes 1.1 GB less, and passes over its pairs
//! read half as much.

use super::support::Support;
use std::ops::Range;

/// The probabilities of every transition.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Probabilities {
    values: Vec<f64>,
    /// Where the row of each pair begins in `values`; empty if every pair has a row of its own there, in their order.
    first: Vec<u32>,
}

/// Rows are compared with the last one that fell into the same of so many places, and models with fewer transitions than this are
/// left as they are.
const PLACES: usize = 1 << 12;

impl Probabilities {
    /// Takes one probability for each transition; keeps equal rows once if that takes at most half of the room.
    pub fn new(values: Vec<f64>, support: &Support) -> Probabilities {
        let shared = if values.len() < PLACES { None } else { Probabilities::shared(&values, support) };
        shared.unwrap_or(Probabilities { values, first: Vec::new() })
    }

    /// Rows that differ, to the last bit, once each; but for those that share a place with many others.
    fn shared(values: &[f64], support: &Support) -> Option<Probabilities> {
        let (mut kept, mut first): (Vec<f64>, Vec<u32>) = (Vec::new(), Vec::with_capacity(support.pairs()));
        let mut last: Vec<Range<usize>> = vec![0..0; PLACES];
        for pair in 0..support.pairs() {
            let row = &values[support.entries(pair)];
            let known = &mut last[place(row)];
            if !same_bits(&kept[known.clone()], row) {
                *known = kept.len()..kept.len() + row.len();
                kept.extend_from_slice(row);
            }
            first.push(known.start as u32);
            // A value takes twice the room of a beginning.
            if 2 * kept.len() + support.pairs() > values.len() {
                return None;
            }
        }
        kept.shrink_to_fit();
        Some(Probabilities { values: kept, first })
    }

    /// All values, and where the row of each pair begins; no beginnings if every pair has a row of its own.
    pub fn all(&self) -> (&[f64], &[u32]) {
        (&self.values, &self.first)
    }

    /// Those of a pair whose transitions are `entries`.
    #[inline]
    pub fn of(&self, pair: usize, entries: Range<usize>) -> &[f64] {
        match self.first.get(pair) {
            Some(&first) => &self.values[first as usize..first as usize + entries.len()],
            None => &self.values[entries],
        }
    }
}

fn same_bits(x: &[f64], y: &[f64]) -> bool {
    x.len() == y.len() && x.iter().zip(y).all(|(x, y)| x.to_bits() == y.to_bits())
}

/// One of [`PLACES`], the same for equal rows.
fn place(row: &[f64]) -> usize {
    // Multiplicative hashing (Knuth, volume 3, 6.4), by the golden ratio.
    let mixed = row.iter().fold(row.len() as u64, |mixed, p| {
        (mixed.rotate_left(5) ^ p.to_bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    });
    (mixed >> (64 - PLACES.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many rows, the probabilities of which repeat after `period`.
    fn rows(pairs: usize, period: usize) -> (Vec<f64>, Support) {
        let (mut support, mut values) = (Support::new(), Vec::new());
        for pair in 0..pairs {
            let p = (1 + pair % period) as f64 / (period + 1) as f64;
            (0..3).for_each(|next| support.push(next));
            values.extend([p, 0.5 * (1.0 - p), 0.5 * (1.0 - p)]);
            support.end_pair();
        }
        (values, support)
    }

    fn assert_told(kept: &Probabilities, values: &[f64], support: &Support) {
        for pair in 0..support.pairs() {
            let entries = support.entries(pair);
            assert_eq!(kept.of(pair, entries.clone()), &values[entries]);
        }
    }

    #[test]
    fn rows_that_repeat_are_kept_once() {
        let (values, support) = rows(4000, 5);
        let kept = Probabilities::new(values.clone(), &support);
        assert_eq!((kept.values.len(), kept.first.len()), (15, 4000));
        assert_told(&kept, &values, &support);
    }

    #[test]
    fn rows_that_differ_are_kept_as_they_are() {
        let (values, support) = rows(4000, 4000);
        let kept = Probabilities::new(values.clone(), &support);
        assert_eq!((kept.values.len(), kept.first.len()), (12_000, 0));
        assert_told(&kept, &values, &support);
    }
}
