//! State reduction of a Markov chain: gains, biases, stationary law and expected visits from one factorisation.
//!
//! States are removed one by one, last to first, each time folding the removed state n into the others:
//!
//! ```text
//! S_n = Σ_{j<n} P(n,j)         P(i,j) += P(i,n) P(n,j) / S_n       x(i) += P(i,n) x(n) / S_n
//! ```
//!
//! for every signal x and for the time (x = 1). What is left at node 0 is one renewal cycle, so J(x) = x(0) / time(0),
//! and walking back up gives biases. It is the unpivoted LU factorisation of I − P in which the diagonal 1 − P(n,n)
//! is summed from the off-diagonal entries (Grassmann, Taksar and Heyman, 1985): no probability is ever subtracted,
//! so that links of 1e-12 keep all their digits, where a pivoted LU loses them.
//!
//! Every node must be able to reach node 0: a state of the only recurrent class or, for absorbing problems, the
//! place where everything ends. Biases lose digits when node 0 is visited rarely (they are differences over very long
//! cycles), so callers put a much visited state there.

use super::skeleton::Skeleton;
use crate::arithmetic::aligned::{Aligned, LINE};
use crate::arithmetic::dense::{Shape, fold_four, reduce_block, spread, unfold};

/// The chain's table and, after [`Elimination::reduce`], its factors.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elimination {
    nodes: usize,
    /// Signals per row; the time comes before them.
    signals: usize,
    /// Rows of `1 + signals` rates (time first), zeros up to a whole [`BLOCK`] of them, and `nodes` probabilities; each
    /// row begins a cache line.
    table: Aligned,
    /// S_n: the probability of leaving n downwards, when n was removed.
    exits: Vec<f64>,
    /// The rows that changes begin with: of the head, and of the nodes nearest to its beginning.
    stages: [Stage; 2],
    /// Where the table has entries, if it was filled from zeros.
    skeleton: Skeleton,
    is_sparse: bool,
    /// Whether the skeleton tells all places that are not zero; if not, they are among so many numbers of the table.
    is_told: bool,
    written: usize,
}

/// The nodes that were left last, and their rows (rates, probabilities of each other) when all others were gone.
#[derive(Clone, Debug, Default)]
struct Stage {
    head: usize,
    rows: Vec<f64>,
}

/// The nodes whose actions are likeliest to change. Where no other one does, the rest of the head need not be removed again: of
/// 16 nodes that is two thirds of the instructions.
const NEAREST: usize = 8;

/// How many nodes are removed at once. Rates and blocks are as long as a vector of AVX2, so that loops over the columns
/// before a block have no rest.
const BLOCK: usize = 4;

/// From this many nodes on, a table that is filled from zeros is looked through for its entries.
const SPARSE: usize = 12;

/// Where a block that ends before node `end` begins: at a whole number of blocks, but not before `last`.
pub(super) fn begin_of_block(end: usize, last: usize) -> usize {
    ((end - 1) / BLOCK * BLOCK).max(last)
}

/// Folds the removed rows of `block`, last to first, into the rows of `above`; the first of the removed nodes has its
/// probability in column `first`.
pub(super) fn fold(above: &mut [f64], block: &[f64], stride: usize, first: usize) {
    if block.len() == BLOCK * stride {
        return fold_four(above, block, stride, first);
    }
    for row in above.chunks_exact_mut(stride) {
        for (k, removed) in block.chunks_exact(stride).enumerate().rev() {
            let share = row[first + k];
            if share != 0.0 {
                row[..first + k].iter_mut().zip(removed).for_each(|(x, y)| *x += share * y);
            }
        }
    }
}

/// A node from which node 0 is not reached in floating-point arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stuck(pub usize);

impl Elimination {
    /// An empty chain: no transitions, no signals, one step of time per visit.
    pub fn reset(&mut self, nodes: usize, signals: usize) {
        self.clear();
        self.shape(nodes, signals);
        let stride = self.stride();
        self.table.iter_mut().step_by(stride).for_each(|time| *time = 1.0);
        self.is_sparse = nodes >= SPARSE;
        if self.is_sparse {
            self.skeleton.reset(nodes);
        }
    }

    /// Makes the whole table zero, by no more writing than it needs.
    fn clear(&mut self) {
        if self.is_told {
            let shape = self.shape_of_rows();
            self.skeleton.clear(&mut self.table, shape, self.nodes);
        } else {
            self.table.set_len(self.written);
            self.table.fill(0.0);
        }
        self.written = 0;
    }

    /// Room for a chain whose rows are all to be written by [`Elimination::row_mut`].
    pub fn shape(&mut self, nodes: usize, signals: usize) {
        (self.nodes, self.signals, self.is_sparse, self.is_told) = (nodes, signals, false, false);
        self.table.set_len(nodes * self.stride());
        self.written = self.written.max(self.table.len());
        self.exits.clear();
        self.exits.resize(nodes, 0.0);
    }

    /// How many numbers come before the probabilities of a row.
    fn rates(&self) -> usize {
        (1 + self.signals).next_multiple_of(BLOCK)
    }

    fn stride(&self) -> usize {
        (self.rates() + self.nodes).next_multiple_of(LINE)
    }

    /// All rows.
    fn rows(&self) -> &[f64] {
        &self.table
    }

    /// The signals and the probabilities of a node, to be filled in before [`Elimination::reduce`].
    pub fn row_mut(&mut self, node: usize) -> (&mut [f64], &mut [f64]) {
        let (stride, rates) = (self.stride(), self.rates());
        let row = &mut self.table[node * stride..][..rates + self.nodes];
        let (rates, probabilities) = row.split_at_mut(rates);
        // A block at a time: to fill a few numbers takes a call.
        rates.as_chunks_mut::<BLOCK>().0.iter_mut().for_each(|block| *block = [0.0; BLOCK]);
        rates[0] = 1.0;
        (&mut rates[1..1 + self.signals], probabilities)
    }

    /// Removes all nodes but node 0; the first `head` of them are kept as they are before they are removed.
    pub fn reduce(&mut self, head: usize) -> Result<(), Stuck> {
        let head = head.clamp(1, self.nodes);
        let first = self.rates() + head;
        self.stages[0].head = head;
        self.stages[1].head = head.min(NEAREST);
        self.remove(self.nodes, head)?;
        self.check()?;
        self.stages[0].rows.resize(head * first, 0.0);
        (0..head).for_each(|node| self.store_row(0, node));
        self.reduce_head()?;
        self.is_told = self.is_sparse && head == 1;
        Ok(())
    }

    /// Removes the head but for node 0, keeping the rows of the nearest nodes on the way.
    fn reduce_head(&mut self) -> Result<(), Stuck> {
        let [Stage { head, .. }, Stage { head: nearest, .. }] = self.stages;
        if nearest < head {
            self.remove(head, nearest)?;
            self.stages[1].rows.resize(nearest * (self.rates() + nearest), 0.0);
            (0..nearest).for_each(|node| self.store_row(1, node));
        }
        self.remove(nearest, 1)?;
        self.check()
    }

    /// Reduces a chain that differs from the last one in the rows of some nodes of the head (ascending), which have been written
    /// again: S² operations for each instead of S³ in all, and the same bits.
    pub fn reduce_again(&mut self, changed: &[usize]) -> Result<(), Stuck> {
        let Some(&last) = changed.last() else { return Ok(()) };
        let [Stage { head, .. }, Stage { head: nearest, .. }] = self.stages;
        for &node in changed {
            self.fold_row(node, self.nodes, head);
            self.store_row(0, node);
        }
        if nearest == head || last >= nearest {
            self.restore_rows(0);
            return self.reduce_head();
        }
        for &node in changed {
            self.fold_row(node, head, nearest);
            self.store_row(1, node);
        }
        self.restore_rows(1);
        self.remove(nearest, 1)?;
        self.check()
    }

    /// Folds the nodes from `end` down to `last`, which have been removed, into the row of one before them.
    fn fold_row(&mut self, node: usize, mut end: usize, last: usize) {
        let (stride, rates) = (self.stride(), self.rates());
        let (above, below) = self.table.split_at_mut(last * stride);
        let row = &mut above[node * stride..(node + 1) * stride];
        while end > last {
            let begin = begin_of_block(end, last);
            let block = &below[(begin - last) * stride..(end - last) * stride];
            fold(row, block, stride, rates + begin);
            end = begin;
        }
    }

    /// Keeps the row of a node of a stage.
    fn store_row(&mut self, stage: usize, node: usize) {
        let (rates, stride) = (self.rates(), self.stride());
        let Stage { head, rows } = &mut self.stages[stage];
        let first = rates + *head;
        rows[node * first..(node + 1) * first].copy_from_slice(&self.table[node * stride..][..first]);
    }

    /// Brings back the rows of a stage.
    fn restore_rows(&mut self, stage: usize) {
        let (rates, stride) = (self.rates(), self.stride());
        let Stage { head, rows } = &self.stages[stage];
        let first = rates + head;
        let kept = rows.chunks_exact(first);
        self.table
            .chunks_exact_mut(stride)
            .zip(kept)
            .for_each(|(row, kept)| row[..first].copy_from_slice(kept));
    }

    /// Fails if what is left at node 0 is lost.
    fn check(&self) -> Result<(), Stuck> {
        if self.table[..self.rates()].iter().all(|x| x.is_finite()) { Ok(()) } else { Err(Stuck(0)) }
    }

    /// Removes the nodes from `end` down to `last`, which is left.
    ///
    /// Nodes are removed in blocks of [`BLOCK`]: every other row is then read and written once per block instead of
    /// once per node, which is what the time goes into. Each entry is added up in the same order either way. (Tried:
    /// blocks of 8, and two or four rows at a time: the compiler runs out of registers, and they took 6 to 50 % longer
    /// on 64 and 121 nodes.)
    fn remove(&mut self, mut end: usize, last: usize) -> Result<(), Stuck> {
        let (stride, rates) = (self.stride(), self.rates());
        let rows = &mut *self.table;
        while end > last {
            let begin = begin_of_block(end, last);
            let (above, block) = rows.split_at_mut(begin * stride);
            let block = &mut block[..(end - begin) * stride];
            let exits = &mut self.exits[begin..end];
            let shape = Shape { rates, stride };
            if self.is_sparse && begin >= BLOCK {
                self.skeleton.remove(above, block, shape, begin, exits).map_err(Stuck)?;
            } else {
                reduce_block(block, shape, begin, exits).map_err(Stuck)?;
                fold(above, block, stride, rates + begin);
            }
            end = begin;
        }
        Ok(())
    }

    /// J(x) of every signal.
    pub fn gains(&self, gains: &mut [f64]) {
        let rates = &self.rows()[..1 + self.signals];
        gains.iter_mut().zip(&rates[1..]).for_each(|(gain, x)| *gain = x / rates[0]);
    }

    /// h(n) of every signal with h(0) = 0: what starting in n adds over starting in node 0. With gains of 0 and node 0
    /// absorbing it is the total expected signal until absorption.
    pub fn biases(&self, gains: &[f64], biases: &mut [Vec<f64>]) {
        for bias in biases.iter_mut() {
            bias.clear();
            bias.resize(self.nodes, 0.0);
        }
        if self.is_sparse {
            self.skeleton.unfold(self.rows(), self.shape_of_rows(), gains, biases);
        } else {
            unfold(self.rows(), self.shape_of_rows(), gains, biases);
        }
    }

    fn shape_of_rows(&self) -> Shape {
        Shape { rates: self.rates(), stride: self.stride() }
    }

    /// The stationary law of the only recurrent class.
    pub fn stationary(&self, law: &mut [f64]) {
        law.fill(0.0);
        law[0] = 1.0;
        if self.is_sparse {
            self.skeleton.spread(self.rows(), self.shape_of_rows(), &self.exits, law);
        } else {
            spread(self.rows(), self.shape_of_rows(), &self.exits, law);
        }
        let total: f64 = law.iter().sum();
        law.iter_mut().for_each(|x| *x /= total);
    }

    /// Expected visits to every node before node 0 absorbs, from the weights given; the entry of node 0 becomes 0.
    pub fn visits(&self, weights: &mut [f64]) {
        let (stride, rates) = (self.stride(), self.rates());
        for n in (1..self.nodes).rev() {
            let (below, at) = weights.split_at_mut(n);
            if at[0] != 0.0 {
                let row = &self.rows()[n * stride + rates..][..n];
                below.iter_mut().zip(row).for_each(|(w, p)| *w += at[0] * p);
            }
        }
        weights[0] = 0.0;
        spread(self.rows(), self.shape_of_rows(), &self.exits, weights);
    }
}

/// What other methods are held to.
#[cfg(test)]
impl Elimination {
    /// A chain with one signal, reduced.
    pub(super) fn reduced(rows: &[Vec<(usize, f64)>], signal: &[f64]) -> Elimination {
        let mut exact = Elimination::default();
        exact.reset(rows.len(), 1);
        for (node, row) in rows.iter().enumerate() {
            let (signals, probabilities) = exact.row_mut(node);
            signals[0] = signal[node];
            row.iter().for_each(|&(next, p)| probabilities[next] += p);
        }
        exact.reduce(1).unwrap();
        exact
    }

    /// Gain and bias of the signal, and the stationary law.
    pub(super) fn solution(&self) -> (f64, Vec<f64>, Vec<f64>) {
        let (mut gain, mut biases, mut law) = ([0.0], [Vec::new()], vec![0.0; self.nodes]);
        self.gains(&mut gain);
        self.biases(&gain, &mut biases);
        self.stationary(&mut law);
        let [bias] = biases;
        (gain[0], bias, law)
    }
}

#[cfg(test)]
mod tests;
