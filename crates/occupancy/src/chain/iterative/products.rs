//! Products of a chain's matrix, A = I − P + e e₀ᵀ or I − Q, and the sweep that is its simplest preconditioner.

use super::super::lanes::{Lanes, combine, spread};
use super::Iterative;
use crate::threads::at_once;
use std::ops::Range;

impl Iterative {
    /// out = A x.
    pub(super) fn apply<const K: usize>(&self, x: &[Lanes<K>], out: &mut [Lanes<K>]) {
        let shift = if self.absorbing { [0.0; K] } else { x[0] };
        let parts = self.pieces.ranges().zip(self.pieces.cut(out)).collect();
        at_once(parts, |(places, out): (Range<usize>, &mut [Lanes<K>])| {
            for (i, out) in places.zip(out) {
                let (leave, onward) = (self.rows.leave[i], combine(self.rows.of(i), x));
                *out = std::array::from_fn(|k| leave * x[i][k] - onward[k] + shift[k]);
            }
        });
    }

    /// out = Aᵀ x.
    pub(super) fn apply_transposed<const K: usize>(&self, x: &[Lanes<K>], out: &mut [Lanes<K>]) {
        for (out, (x, leave)) in out.iter_mut().zip(x.iter().zip(&self.rows.leave)) {
            *out = x.map(|x| leave * x);
        }
        for (i, x) in x.iter().enumerate() {
            spread(self.rows.of(i), x.map(|x| -x), out);
        }
        if !self.absorbing {
            let all = total(x);
            (0..K).for_each(|k| out[0][k] += all[k]);
        }
    }

    /// M y = x, where M is the part of A on and below the diagonal: one sweep.
    pub(super) fn sweep<const K: usize>(&self, x: &[Lanes<K>], y: &mut [Lanes<K>]) {
        let mut shift = [0.0; K];
        for (i, x) in x.iter().enumerate() {
            let (below, per_diagonal) = (combine(self.rows.earlier(i), y), self.per_diagonal[i]);
            y[i] = std::array::from_fn(|k| (x[k] + below[k] - shift[k]) * per_diagonal);
            if i == 0 && self.sweeps_shift {
                shift = y[0];
            }
        }
    }

    /// out = A y of a sweep, M y = x: what is left of A is the part above the diagonal (Eisenstat, 1981).
    pub(super) fn apply_swept<const K: usize>(&self, x: &[Lanes<K>], y: &[Lanes<K>], out: &mut [Lanes<K>]) {
        let shift = if self.absorbing || self.sweeps_shift { [0.0; K] } else { y[0] };
        for (i, (x, out)) in x.iter().zip(out).enumerate() {
            let above = combine(self.rows.later(i), y);
            *out = std::array::from_fn(|k| x[k] - above[k] + shift[k]);
        }
    }

    /// Mᵀ y = x.
    pub(super) fn sweep_transposed<const K: usize>(&self, x: &[Lanes<K>], y: &mut [Lanes<K>]) {
        y.copy_from_slice(x);
        for i in (0..self.nodes()).rev() {
            let value = y[i].map(|y| y * self.per_diagonal[i]);
            y[i] = value;
            spread(self.rows.earlier(i), value, y);
            if i > 0 && self.sweeps_shift {
                (0..K).for_each(|k| y[0][k] -= value[k]);
            }
        }
    }

    /// out = Aᵀ y of a sweep, Mᵀ y = x.
    pub(super) fn apply_swept_transposed<const K: usize>(
        &self,
        x: &[Lanes<K>],
        y: &[Lanes<K>],
        out: &mut [Lanes<K>],
    ) {
        out.copy_from_slice(x);
        for (i, y) in y.iter().enumerate() {
            spread(self.rows.later(i), y.map(|y| -y), out);
        }
        if !self.absorbing && !self.sweeps_shift {
            let all = total(y);
            (0..K).for_each(|k| out[0][k] += all[k]);
        }
    }
}

/// Σ x of every lane.
fn total<const K: usize>(vector: &[Lanes<K>]) -> Lanes<K> {
    let mut total = [0.0; K];
    for x in vector {
        (0..K).for_each(|k| total[k] += x[k]);
    }
    total
}
