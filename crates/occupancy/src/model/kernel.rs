//! The transition kernel P(s′∣s,a): one row per pair, dense or sparse behind one view.
//!
//! Rows are distributions by construction: [`crate::model::CmdpBuilder`] checks them and divides each by its
//! sum, so that Σ_{s′} P(s′∣s,a) = 1 to rounding. An uncorrected row that is off by 1e-10 would leak mass in every
//! balance equation built on it.

use super::support::Support;
use multiversion::multiversion;
use std::sync::Arc;

/// All rows P(·∣s,a), in the order of the pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    states: usize,
    rows: Rows,
    /// Whether all entries are positive. Planners ask it in every step, and reading 484 rows of 121 states takes as
    /// long as a tenth of such a step.
    positive: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Rows {
    /// Every row has `states` entries, zeros included.
    Dense(Vec<f64>),
    /// One positive probability for each transition. They never change, so that copies of a model share them: another
    /// question about a model of a million states costs its signals alone.
    Sparse { support: Arc<Support>, probability: Arc<Vec<f64>> },
}

/// One row P(·∣s,a).
#[derive(Clone, Copy, Debug)]
pub enum Row<'a> {
    /// The probability of every state.
    Dense(&'a [f64]),
    /// The successors, ascending, and their positive probabilities.
    Sparse(&'a [u32], &'a [f64]),
}

impl Kernel {
    /// From sorted, normalised rows; dense storage when at least half of all entries are positive.
    pub(super) fn from_sparse(states: usize, support: Arc<Support>, probability: Vec<f64>) -> Kernel {
        let probability = Arc::new(probability);
        let mut kernel = Kernel { states, rows: Rows::Sparse { support, probability }, positive: false };
        if let Rows::Sparse { support, .. } = &kernel.rows
            && 2 * support.transitions() >= support.pairs() * states
        {
            kernel.dense_mut();
            kernel.look();
        }
        kernel
    }

    /// Looks at the entries again, after [`Kernel::dense_mut`] has changed them.
    pub(crate) fn look(&mut self) {
        self.positive = matches!(&self.rows, Rows::Dense(all) if all.iter().all(|&p| p > 0.0));
    }

    /// The entries of all rows, zeros included, one row after the other; sparse rows are unpacked first. To be
    /// followed by [`Kernel::look`].
    pub(crate) fn dense_mut(&mut self) -> &mut [f64] {
        if let Rows::Sparse { support, .. } = &self.rows {
            let mut dense = vec![0.0; support.pairs() * self.states];
            for (pair, row) in dense.chunks_exact_mut(self.states).enumerate() {
                self.row(pair).iter().for_each(|(state, p)| row[state] = p);
            }
            self.rows = Rows::Dense(dense);
        }
        match &mut self.rows {
            Rows::Dense(all) => all,
            Rows::Sparse { .. } => &mut [],
        }
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.states
    }

    /// The row of a pair.
    #[inline]
    pub fn row(&self, pair: usize) -> Row<'_> {
        match &self.rows {
            Rows::Dense(all) => Row::Dense(&all[pair * self.states..(pair + 1) * self.states]),
            Rows::Sparse { support, probability } => {
                let entries = support.entries(pair);
                Row::Sparse(support.successors(entries.clone()), &probability[entries])
            }
        }
    }

    /// The entries of all rows, one row after the other, where they are stored like that.
    pub(crate) fn dense(&self) -> Option<&[f64]> {
        match &self.rows {
            Rows::Dense(all) => Some(all),
            Rows::Sparse { .. } => None,
        }
    }

    /// How many entries are stored.
    pub(crate) fn entries(&self) -> usize {
        match &self.rows {
            Rows::Dense(all) => all.len(),
            Rows::Sparse { probability, .. } => probability.len(),
        }
    }

    /// How many entries are positive.
    pub fn transitions(&self) -> usize {
        match &self.rows {
            Rows::Dense(all) => all.iter().filter(|&&p| p > 0.0).count(),
            Rows::Sparse { support, .. } => support.transitions(),
        }
    }

    /// Whether every state follows every pair with positive probability (then every policy is unichain).
    pub fn is_positive(&self) -> bool {
        self.positive
    }
}

impl<'a> Row<'a> {
    /// Σ_{s′} P(s′) x(s′).
    #[inline]
    pub fn dot(self, x: &[f64]) -> f64 {
        match self {
            Row::Dense(row) => dot(row, x),
            Row::Sparse(next, probability) => {
                next.iter().zip(probability).map(|(&s, &p)| p * x[s as usize]).sum()
            }
        }
    }

    /// The successors with positive probability.
    pub fn iter(self) -> impl Iterator<Item = (usize, f64)> + 'a {
        let (dense, next, probability): (&[f64], &[u32], &[f64]) = match self {
            Row::Dense(row) => (row, &[], &[]),
            Row::Sparse(next, probability) => (&[], next, probability),
        };
        let all = dense.iter().copied().enumerate().filter(|&(_, p)| p > 0.0);
        all.chain(next.iter().zip(probability).map(|(&s, &p)| (s as usize, p)))
    }
}

/// Σ x y in eight running sums: the same bits with any vector width of the machine.
#[multiversion(targets("x86_64+avx2", "x86_64+avx512f+avx512vl"))]
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    dot_in_place(x, y)
}

/// [`dot`], to be compiled into loops that know the machine already.
#[inline(always)]
fn dot_in_place(x: &[f64], y: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (head_x, tail_x) = x.as_chunks::<8>();
    let (head_y, tail_y) = y[..x.len()].as_chunks::<8>();
    for (x, y) in head_x.iter().zip(head_y) {
        for lane in 0..8 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    let tail: f64 = tail_x.iter().zip(tail_y).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f64>() + tail
}

/// Σ_{s′} P(s′∣pair) x_k(s′) for the rows of some pairs of a dense kernel, and several x at once, which are read from
/// the cache for all rows: `out` has one number per pair and x, the bits of [`dot`].
#[multiversion(targets("x86_64+avx2", "x86_64+avx512f+avx512vl"))]
pub(crate) fn products<I: Iterator<Item = usize>>(all: &[f64], pairs: I, x: &[Vec<f64>], out: &mut [f64]) {
    let states = x[0].len();
    for (pair, out) in pairs.zip(out.chunks_exact_mut(x.len())) {
        let row = &all[pair * states..(pair + 1) * states];
        out.iter_mut().zip(x).for_each(|(out, x)| *out = dot_in_place(row, x));
    }
}

/// Σ_s mass(s) P(s′∣pair of s) for every s′, into `out`; rows of a dense kernel, four at a time.
#[multiversion(targets("x86_64+avx2", "x86_64+avx512f+avx512vl"))]
pub(crate) fn push(all: &[f64], pairs: &[u32], mass: &[f64], out: &mut [f64]) {
    let states = out.len();
    let row = |s: usize| &all[pairs[s] as usize * states..][..states];
    out.fill(0.0);
    let fours = states / 4 * 4;
    for s in (0..fours).step_by(4) {
        let (a, b, c, d) = (row(s), row(s + 1), row(s + 2), row(s + 3));
        for i in 0..states {
            out[i] += (mass[s] * a[i] + mass[s + 1] * b[i]) + (mass[s + 2] * c[i] + mass[s + 3] * d[i]);
        }
    }
    for s in fours..states {
        out.iter_mut().zip(row(s)).for_each(|(out, p)| *out += mass[s] * p);
    }
}

/// Σ x, in the manner of [`dot`].
pub(crate) fn sum(x: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (head, tail) = x.as_chunks::<8>();
    for x in head {
        for lane in 0..8 {
            sums[lane] += x[lane];
        }
    }
    sums.iter().sum::<f64>() + tail.iter().sum::<f64>()
}
