//! Numbers that begin where a cache line does: vectors that cross lines cost a quarter of the time.

use std::ops::{Deref, DerefMut};

/// How many numbers a cache line holds.
pub(crate) const LINE: usize = 8;

/// A list of numbers of a fixed length, the first at the beginning of a cache line.
#[derive(Debug, Default)]
pub(crate) struct Aligned {
    /// Up to a line before the first number, then all of them.
    store: Vec<f64>,
    begin: usize,
    len: usize,
}

impl Aligned {
    /// So many zeros.
    pub fn zeros(len: usize) -> Aligned {
        let mut numbers = Aligned { store: vec![0.0; len + LINE], ..Aligned::default() };
        numbers.set_len(len);
        numbers
    }

    /// Makes room for so many numbers, whatever they are.
    pub fn set_len(&mut self, len: usize) {
        self.store.resize(len + LINE, 0.0);
        self.begin = self.store.as_ptr().align_offset(LINE * size_of::<f64>()).min(LINE);
        self.len = len;
    }
}

impl Deref for Aligned {
    type Target = [f64];

    #[inline]
    fn deref(&self) -> &[f64] {
        &self.store[self.begin..][..self.len]
    }
}

impl DerefMut for Aligned {
    #[inline]
    fn deref_mut(&mut self) -> &mut [f64] {
        &mut self.store[self.begin..][..self.len]
    }
}

/// The copy lies elsewhere and has its own beginning.
impl Clone for Aligned {
    fn clone(&self) -> Aligned {
        let mut copy = Aligned::zeros(self.len);
        copy.copy_from_slice(self);
        copy
    }

    fn clone_from(&mut self, other: &Aligned) {
        self.set_len(other.len);
        self.copy_from_slice(other);
    }
}

impl PartialEq for Aligned {
    fn eq(&self, other: &Aligned) -> bool {
        **self == **other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_equal_and_begin_a_line() {
        for len in [0, 1, 7, 8, 1000] {
            let mut numbers = Aligned::zeros(len);
            numbers.iter_mut().zip(1..).for_each(|(x, i)| *x = f64::from(i));
            let mut copy = Aligned::zeros(3);
            copy.clone_from(&numbers);
            for all in [&numbers, &numbers.clone(), &copy] {
                assert_eq!(all.as_ptr().align_offset(64), 0);
                assert_eq!(all, &numbers);
            }
        }
    }
}
