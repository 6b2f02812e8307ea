//! The bytes of a model as they come, each added to the checksum when it is taken.

use crate::error::{Error, Result};
use crate::model::format::stream::Unpacked;
use flate2::Crc;

/// So many bytes are read at once.
const BLOCK: usize = 1 << 18;
/// At first room is made for so many numbers: what a list claims to have is only a claim.
const CLAIMED: usize = 1 << 16;

/// The error of bytes that are no model.
pub(super) fn damaged<T>(what: &'static str) -> Result<T> {
    Err(Error::Damaged { what })
}

/// What has not been read yet.
pub(super) struct Bytes<'a> {
    from: Unpacked<'a>,
    block: Vec<u8>,
    /// How much of the block has been taken.
    taken: usize,
    crc: Crc,
}

impl<'a> Bytes<'a> {
    pub fn of(from: Unpacked<'a>) -> Bytes<'a> {
        Bytes { from, block: Vec::new(), taken: 0, crc: Crc::new() }
    }

    /// Lets go of what has been taken, and reads more; false at the end.
    fn refill(&mut self) -> Result<bool> {
        self.crc.update(&self.block[..self.taken]);
        self.block.drain(..self.taken);
        self.taken = 0;
        Ok(self.from.read_to(&mut self.block, BLOCK)? > 0)
    }

    pub fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        loop {
            if let Some(&taken) = self.block[self.taken..].first_chunk() {
                self.taken += N;
                return Ok(taken);
            }
            if !self.refill()? {
                return damaged("it ends too early");
            }
        }
    }

    /// So many numbers of N bytes each.
    fn list_of<const N: usize, T>(&mut self, count: usize, number: impl Fn([u8; N]) -> T) -> Result<Vec<T>> {
        let mut all = Vec::with_capacity(count.min(CLAIMED));
        while all.len() < count {
            let (here, _) = self.block[self.taken..].as_chunks::<N>();
            let here = &here[..here.len().min(count - all.len())];
            all.extend(here.iter().map(|&bytes| number(bytes)));
            self.taken += N * here.len();
            if all.len() < count && !self.refill()? {
                return damaged("it ends too early");
            }
        }
        all.shrink_to_fit();
        Ok(all)
    }

    pub fn numbers(&mut self, count: usize) -> Result<Vec<f64>> {
        self.list_of(count, f64::from_le_bytes)
    }

    pub fn indices(&mut self, count: usize) -> Result<Vec<u32>> {
        self.list_of(count, u32::from_le_bytes)
    }

    /// Places in a list, each of which fits into memory if the list does.
    pub fn places(&mut self, count: usize) -> Result<Vec<usize>> {
        // One that does not fit is none, and no list ascends to it.
        self.list_of(count, |bytes| usize::try_from(u64::from_le_bytes(bytes)).unwrap_or(0))
    }

    /// A text of so many bytes, put into `text`.
    pub fn text(&mut self, count: usize, text: &mut Vec<u8>) -> Result<()> {
        text.clear();
        while text.len() < count {
            let here = &self.block[self.taken..];
            let here = &here[..here.len().min(count - text.len())];
            text.extend_from_slice(here);
            self.taken += here.len();
            if text.len() < count && !self.refill()? {
                return damaged("it ends too early");
            }
        }
        Ok(())
    }

    /// Compares the checksum, with which a model ends.
    pub fn end(&mut self) -> Result<()> {
        self.crc.update(&self.block[..self.taken]);
        self.block.drain(..self.taken);
        self.taken = 0;
        let sum = self.crc.sum();
        if u32::from_le_bytes(self.take()?) != sum {
            return damaged(CHECKSUM);
        }
        if self.taken < self.block.len() || self.refill()? {
            return damaged("there is more than a model");
        }
        Ok(())
    }

    /// An error in the middle, unless the checksum at the end is wrong as well: then that is the error.
    pub fn because(mut self, error: Error) -> Error {
        if matches!(error, Error::File { .. } | Error::Gzip { .. } | Error::Memory { .. }) {
            return error;
        }
        loop {
            self.taken = self.block.len().saturating_sub(size_of::<u32>());
            match self.refill() {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => return error,
            }
        }
        if self.block.first_chunk().is_none_or(|&sum| u32::from_le_bytes(sum) != self.crc.sum()) {
            return Error::Damaged { what: CHECKSUM };
        }
        error
    }
}

const CHECKSUM: &str = "its checksum is not that of its bytes, it was changed or cut off";
