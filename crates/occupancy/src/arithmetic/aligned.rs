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
        let mut numbers = Aligned::default();
        numbers.set_len(len);
        numbers
    }

    /// Makes room for so many numbers. They are those that were there, as many as there have ever been, and zeros; all are zeros
    /// if there have never been so many.
    pub fn set_len(&mut self, len: usize) {
        if self.store.len() < len + LINE {
            self.store = vec![0.0; len + LINE];
            self.begin = self.store.as_ptr().align_offset(LINE * size_of::<f64>()).min(LINE);
        }
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

    #[test]
    fn numbers_come_back_with_the_length_unless_it_is_new() {
        let mut numbers = Aligned::zeros(9);
        numbers.fill(1.0);
        numbers.set_len(2);
        assert_eq!(*numbers, [1.0; 2]);
        numbers.set_len(9);
        assert_eq!(*numbers, [1.0; 9]);
        numbers.set_len(10);
        assert_eq!(*numbers, [0.0; 10]);
    }
}
