//! Which states may follow each pair: the places of the positive probabilities in a sparse kernel.

use std::ops::Range;

/// Pair `i` has the successors `next[first[i]..first[i + 1]]`, ascending. The kernel and the signals of a model share
/// it, so that values of single transitions lie beside their probabilities without an index of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Support {
    first: Vec<u32>,
    next: Vec<u32>,
}

impl Support {
    /// How many transitions an index holds.
    pub const MOST: usize = u32::MAX as usize;

    /// No pairs yet.
    pub fn new() -> Support {
        Support { first: vec![0], next: Vec::new() }
    }

    /// So many pairs without successors, to be inserted as they are seen.
    #[cfg(feature = "learn")]
    pub fn unknown(pairs: usize) -> Support {
        Support { first: vec![0; pairs + 1], next: Vec::new() }
    }

    /// Adds a successor to a pair that does not have it yet; returns the place of the new transition, behind which all move.
    #[cfg(feature = "learn")]
    pub fn insert(&mut self, pair: usize, successor: u32) -> usize {
        let entries = self.entries(pair);
        let place = entries.start + self.next[entries].partition_point(|&next| next < successor);
        self.next.insert(place, successor);
        self.first[pair + 1..].iter_mut().for_each(|first| *first += 1);
        place
    }

    /// From where the transitions of every pair begin, and the end, and their successors.
    pub fn of(first: Vec<u32>, next: Vec<u32>) -> Support {
        Support { first, next }
    }

    /// Adds a successor to the pair that is open.
    pub fn push(&mut self, successor: u32) {
        self.next.push(successor);
    }

    /// Gives some transitions new successors.
    pub fn renumber(&mut self, entries: Range<usize>, successors: &[(u32, usize)]) {
        self.next[entries].iter_mut().zip(successors).for_each(|(next, &(successor, _))| *next = successor);
    }

    /// Closes the open pair and opens the next.
    pub fn end_pair(&mut self) {
        self.first.push(self.next.len() as u32);
    }

    /// How many pairs are closed.
    pub fn pairs(&self) -> usize {
        self.first.len() - 1
    }

    /// How many transitions there are.
    pub fn transitions(&self) -> usize {
        self.next.len()
    }

    /// The transitions of a pair.
    #[inline]
    pub fn entries(&self, pair: usize) -> Range<usize> {
        self.first[pair] as usize..self.first[pair + 1] as usize
    }

    /// Where the transitions of every pair begin, and the end.
    #[inline]
    pub fn all_ends(&self) -> &[u32] {
        &self.first
    }

    /// The successors of some transitions.
    #[inline]
    pub fn successors(&self, entries: Range<usize>) -> &[u32] {
        &self.next[entries]
    }

    /// The successor of every transition.
    #[inline]
    pub fn all_successors(&self) -> &[u32] {
        &self.next
    }

    /// The transition of a pair to a successor, where there is one.
    pub fn find(&self, pair: usize, successor: usize) -> Option<usize> {
        let entries = self.entries(pair);
        let successor = u32::try_from(successor).ok()?;
        let found = self.next[entries.clone()].binary_search(&successor).ok()?;
        Some(entries.start + found)
    }

    /// Gives back what was reserved and not used.
    pub fn shrink_to_fit(&mut self) {
        self.first.shrink_to_fit();
        self.next.shrink_to_fit();
    }
}
