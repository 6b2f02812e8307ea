//! The transition kernel P(s′∣s,a): one row per pair, dense or sparse behind one view.
//!
//! Rows are distributions by construction: [`crate::model::CmdpBuilder`] checks them and divides each by its
//! sum, so that Σ_{s′} P(s′∣s,a) = 1 to rounding. An uncorrected row that is off by 1e-10 would leak mass in every
//! balance equation built on it.

use super::probabilities::Probabilities;
use super::support::Support;
use crate::arithmetic::aligned::Aligned;
use crate::arithmetic::dense::dot;
use crate::error::Result;
use std::ops::Range;
use std::sync::Arc;

/// All rows P(·∣s,a), in the order of the pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    states: usize,
    rows: Rows,
    /// Whether all entries are positive: planners ask it in every step.
    positive: bool,
    spare: Spare,
}

/// Room for the next draw of all rows, so that a draw that fails leaves the rows as they are. It is no part of the kernel:
/// copies have none, and comparisons do not see it.
#[derive(Debug, Default)]
struct Spare(Aligned);

impl Clone for Spare {
    fn clone(&self) -> Spare {
        Spare::default()
    }
}

impl PartialEq for Spare {
    fn eq(&self, _: &Spare) -> bool {
        true
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Rows {
    /// Every row has `states` entries, zeros included.
    Dense(Aligned),
    /// One positive probability for each transition. They never change, so that copies of a model share them: another
    /// question about a model of a million states costs its signals alone.
    Sparse { support: Arc<Support>, probability: Arc<Probabilities> },
}

/// One row P(·∣s,a).
#[derive(Clone, Copy, Debug)]
pub enum Row<'a> {
    /// The probability of every state.
    Dense(&'a [f64]),
    /// The successors, ascending, and their positive probabilities.
    Sparse(&'a [u32], &'a [f64]),
}

/// The rows of all pairs.
#[derive(Clone, Copy)]
pub(crate) struct AllRows<'a> {
    /// Where each row begins, and the end; empty if rows are dense.
    first: &'a [u32],
    next: &'a [u32],
    probability: &'a [f64],
    /// Where the probabilities of each row begin, if equal ones are kept once; otherwise empty.
    shared: &'a [u32],
    states: usize,
}

impl<'a> AllRows<'a> {
    /// The successors of some pairs that follow each other, one pair after the other; of dense rows none.
    #[inline]
    pub fn successors(self, pairs: Range<usize>) -> &'a [u32] {
        match (self.first.get(pairs.start), self.first.get(pairs.end)) {
            (Some(&begin), Some(&end)) => &self.next[begin as usize..end as usize],
            _ => &[],
        }
    }

    /// The successors of a pair whose row is sparse. Where probabilities do not matter, they are not looked up.
    #[inline(always)]
    pub fn successors_of(self, pair: usize) -> &'a [u32] {
        &self.next[self.first[pair] as usize..self.first[pair + 1] as usize]
    }

    /// How many transitions the rows before that of a pair have, where rows are sparse.
    #[inline(always)]
    pub fn begin_of(self, pair: usize) -> u32 {
        self.first[pair]
    }

    /// How many transitions the rows up to each of some pairs that follow each other have, where rows are sparse.
    #[inline(always)]
    pub fn ends(self, pairs: Range<usize>) -> &'a [u32] {
        &self.first[pairs.start + 1..pairs.end + 1]
    }

    /// Calls `visit` for every successor of a pair.
    #[inline(always)]
    pub fn visit_successors(self, pair: usize, mut visit: impl FnMut(usize)) {
        if self.first.is_empty() {
            return self.row(pair).visit(|next, _| visit(next));
        }
        self.successors_of(pair).iter().for_each(|&next| visit(next as usize));
    }

    /// Writes those pairs of a state that may lead elsewhere; how many they are. Without a branch for each where rows are sparse, since
    /// that is as good as random in models in which half of the pairs were never visited.
    #[inline(always)]
    pub fn leaving(self, pairs: Range<usize>, state: usize, into: &mut [u32]) -> usize {
        let mut count = 0;
        let mut write = |pair: usize, leaves: bool| {
            into[count] = pair as u32;
            count += usize::from(leaves);
        };
        if self.first.is_empty() {
            pairs.for_each(|pair| write(pair, !self.row(pair).leads_into(|next| next == state)));
            return count;
        }
        let mut begin = self.first[pairs.start];
        for (pair, &end) in pairs.clone().zip(self.ends(pairs)) {
            let stays = (end - begin == 1) & (self.next.get(begin as usize) == Some(&(state as u32)));
            write(pair, !stays);
            begin = end;
        }
        count
    }

    /// Whether all successors of a pair are in a set.
    #[inline(always)]
    pub fn leads_into(self, pair: usize, is_in: impl Fn(usize) -> bool) -> bool {
        if self.first.is_empty() {
            return self.row(pair).leads_into(is_in);
        }
        self.successors_of(pair).iter().all(|&next| is_in(next as usize))
    }

    /// The row of a pair.
    #[inline(always)]
    pub fn row(self, pair: usize) -> Row<'a> {
        if self.first.is_empty() {
            return Row::Dense(&self.probability[pair * self.states..][..self.states]);
        }
        let entries = self.first[pair] as usize..self.first[pair + 1] as usize;
        let begin = self.shared.get(pair).map_or(entries.start, |&begin| begin as usize);
        Row::Sparse(&self.next[entries.clone()], &self.probability[begin..begin + entries.len()])
    }
}

impl Kernel {
    /// From sorted, normalised rows; dense storage when at least half of all entries are positive.
    pub(super) fn from_sparse(states: usize, support: Arc<Support>, probability: Vec<f64>) -> Kernel {
        let probability = Arc::new(Probabilities::new(probability, &support));
        let rows = Rows::Sparse { support, probability };
        let mut kernel = Kernel { states, rows, positive: false, spare: Spare::default() };
        if let Rows::Sparse { support, .. } = &kernel.rows
            && 2 * support.transitions() >= support.pairs() * states
        {
            kernel.unpack();
            kernel.refresh_positivity();
        }
        kernel
    }

    /// Replaces all rows by what `fill` writes into one entry for each state of each pair, whatever it finds there; nothing
    /// changes if it fails.
    pub(super) fn replace(
        &mut self,
        pairs: usize,
        fill: impl FnOnce(&mut [f64]) -> Result<()>,
    ) -> Result<()> {
        let mut drawn = std::mem::take(&mut self.spare.0);
        drawn.set_len(pairs * self.states);
        let filled = fill(&mut drawn);
        if filled.is_err() {
            self.spare = Spare(drawn);
            return filled;
        }
        if let Rows::Dense(before) = std::mem::replace(&mut self.rows, Rows::Dense(drawn)) {
            self.spare = Spare(before);
        }
        self.refresh_positivity();
        Ok(())
    }

    /// Replaces the row of a pair by what `fill` writes into an entry for each state; all rows become dense.
    #[cfg(feature = "learn")]
    pub(super) fn replace_row(&mut self, pair: usize, fill: impl FnOnce(&mut [f64])) {
        self.unpack();
        let Rows::Dense(all) = &mut self.rows else { return };
        let row = &mut all[pair * self.states..(pair + 1) * self.states];
        fill(row);
        let positive = row.iter().all(|&p| p > 0.0);
        if positive != self.positive {
            self.refresh_positivity();
        }
    }

    /// Notes whether all entries are positive, after they have changed.
    fn refresh_positivity(&mut self) {
        // Of 64 at a time all are looked at: without a branch for each it takes a quarter of the time.
        let positive = |some: &[f64]| some.iter().fold(true, |positive, &p| positive & (p > 0.0));
        self.positive = matches!(&self.rows, Rows::Dense(all) if all.chunks(64).all(positive));
    }

    /// γ P + (1 − γ) start, if rows are dense. It is made in one pass: a plan of 64 states takes no longer than a few of them.
    pub(super) fn restarting(&self, start: &[(usize, f64)], factor: f64) -> Option<Kernel> {
        let all = self.dense()?;
        let mut rows = Aligned::zeros(all.len());
        for (row, before) in rows.chunks_exact_mut(self.states).zip(all.chunks_exact(self.states)) {
            row.iter_mut().zip(before).for_each(|(p, before)| *p = factor * before);
            start.iter().for_each(|&(state, weight)| row[state] += (1.0 - factor) * weight);
        }
        Some(Kernel { rows: Rows::Dense(rows), spare: Spare::default(), ..*self })
    }

    /// Makes sparse rows dense. To be followed by [`Kernel::refresh_positivity`].
    fn unpack(&mut self) {
        if let Rows::Sparse { support, .. } = &self.rows {
            let mut dense = Aligned::zeros(support.pairs() * self.states);
            for (pair, row) in dense.chunks_exact_mut(self.states).enumerate() {
                self.row(pair).iter().for_each(|(state, p)| row[state] = p);
            }
            self.rows = Rows::Dense(dense);
        }
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.states
    }

    /// The row of a pair. It is asked for thousands of times in a plan of 121 states, where a call took a twelfth of it.
    #[inline(always)]
    pub fn row(&self, pair: usize) -> Row<'_> {
        match &self.rows {
            Rows::Dense(all) => Row::Dense(&all[pair * self.states..(pair + 1) * self.states]),
            Rows::Sparse { support, probability } => {
                let entries = support.entries(pair);
                Row::Sparse(support.successors(entries.clone()), probability.of(pair, entries))
            }
        }
    }

    /// All rows, for loops over many pairs: where each row is has to be looked up once less than by [`Kernel::row`].
    #[inline]
    pub(crate) fn all_rows(&self) -> AllRows<'_> {
        match &self.rows {
            Rows::Dense(all) => {
                AllRows { first: &[], next: &[], probability: all, shared: &[], states: self.states }
            }
            Rows::Sparse { support, probability } => {
                let (first, next) = (support.all_ends(), support.all_successors());
                let (probability, shared) = probability.all();
                AllRows { first, next, probability, shared, states: self.states }
            }
        }
    }

    /// The successors of a pair and their probabilities, where rows are stored like that.
    #[inline(always)]
    pub(crate) fn sparse_row(&self, pair: usize) -> Option<(&[u32], &[f64])> {
        match self.row(pair) {
            Row::Dense(_) => None,
            Row::Sparse(next, probability) => Some((next, probability)),
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
            Rows::Sparse { support, .. } => support.transitions(),
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

    /// Whether all successors with positive probability are in a set.
    #[inline]
    pub(crate) fn leads_into(self, is_in: impl Fn(usize) -> bool) -> bool {
        match self {
            Row::Dense(row) => row.iter().enumerate().all(|(state, &p)| p <= 0.0 || is_in(state)),
            Row::Sparse(next, _) => next.iter().all(|&state| is_in(state as usize)),
        }
    }

    /// Whether some successor has a probability for which this holds.
    #[inline]
    pub(crate) fn has_entry(self, holds: impl Fn(f64) -> bool) -> bool {
        let (Row::Dense(row) | Row::Sparse(_, row)) = self;
        row.iter().any(|&p| p > 0.0 && holds(p))
    }

    /// Calls `visit` for every successor with positive probability: a loop over one kind of rows, where an iterator has to ask
    /// at every step which kind it is.
    #[inline]
    pub(crate) fn visit(self, mut visit: impl FnMut(usize, f64)) {
        match self {
            Row::Dense(row) => {
                row.iter().enumerate().filter(|(_, p)| **p > 0.0).for_each(|(s, &p)| visit(s, p))
            }
            Row::Sparse(next, probability) => {
                next.iter().zip(probability).for_each(|(&s, &p)| visit(s as usize, p))
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

#[cfg(test)]
mod tests {
    use crate::model::CmdpBuilder;

    #[test]
    fn rows_are_the_same_whichever_way_they_are_looked_up() {
        for states in [3, 30] {
            let mut builder = CmdpBuilder::new(states, &[]);
            for state in 0..states {
                builder.pair(state, &[(state, 0.25), ((state + 1) % states, 0.75)], 0.0, &[]);
            }
            let model = builder.build().unwrap();
            let (kernel, rows) = (model.kernel(), model.kernel().all_rows());
            assert_eq!(kernel.dense().is_some(), states == 3);
            for pair in 0..states {
                assert!(kernel.row(pair).iter().eq(rows.row(pair).iter()));
            }
            let next: &[u32] = if states == 3 { &[] } else { &[1, 2, 2, 3] };
            assert_eq!(rows.successors(1..3), next);
            if states == 30 {
                assert_eq!((rows.begin_of(1), rows.ends(1..3)), (2, &[4, 6][..]));
            }
            for pair in 0..states {
                let mut visited = Vec::new();
                rows.visit_successors(pair, |next| visited.push(next));
                assert!(visited.iter().copied().eq(rows.row(pair).iter().map(|(next, _)| next)));
                for state in 0..states {
                    let (mut written, leaves) = ([9], visited != [state]);
                    assert_eq!(rows.leaving(pair..pair + 1, state, &mut written), usize::from(leaves));
                    assert!(!leaves || written == [pair as u32]);
                }
                for set in [vec![pair], visited] {
                    let is_in = |next: usize| set.contains(&next);
                    assert_eq!(rows.leads_into(pair, is_in), rows.row(pair).leads_into(is_in));
                }
            }
        }
    }
}
