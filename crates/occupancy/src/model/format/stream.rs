//! A file or a stream piece by piece, unpacked if it is gzip; what memory has no room for is not read on.

use super::file::GZIP;
use crate::error::{Error, Result};
use crate::memory::{self, refuse_more};
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{Cursor, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A text that is read block by block is not in memory itself, and its model takes at least so many times less: 0.7 of the text for
/// dense rows, 0.8 for short ones of DRN.
const STREAMED: u64 = 2;

/// How much of a file has been read, for whoever watches it from another thread.
#[derive(Debug, Default)]
pub struct Meter {
    read: AtomicU64,
    all: AtomicU64,
}

impl Meter {
    /// The bytes read and the bytes of the whole file; 0 of 0 before it is opened. A packed file counts as it is stored.
    pub fn bytes(&self) -> (u64, u64) {
        (self.read.load(Ordering::Relaxed), self.all.load(Ordering::Relaxed))
    }

    fn begin(&self, all: u64) {
        self.read.store(0, Ordering::Relaxed);
        self.all.store(all, Ordering::Relaxed);
    }
}

/// Counts what is read.
struct Metered<'a> {
    from: File,
    meter: &'a Meter,
}

impl Read for Metered<'_> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let count = self.from.read(to)?;
        self.meter.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// The bytes of a stream piece by piece, unpacked if they are gzip; refused once no model of them fits into what is free.
pub(super) struct Unpacked<'a> {
    from: Box<dyn Read + 'a>,
    is_packed: bool,
    /// What errors of the system are about.
    path: PathBuf,
    free: Option<u64>,
    /// How many bytes have been unpacked.
    read: u64,
}

impl<'a> Unpacked<'a> {
    /// The bytes of a file.
    pub fn of_file(path: &Path, meter: &'a Meter) -> Result<Unpacked<'a>> {
        let failed = |source| Error::File { path: path.into(), source };
        let from = File::open(path).map_err(failed)?;
        let (size, free) = (from.metadata().map_err(failed)?.len(), memory::free());
        refuse_more(size / STREAMED, free).map_err(|error| error.in_file(path))?;
        meter.begin(size);
        Unpacked::of(Metered { from, meter }, path, free)
    }

    /// Of a stream that is called so.
    pub fn of(mut from: impl Read + 'a, path: &Path, free: Option<u64>) -> Result<Unpacked<'a>> {
        let (mut first, path) = (Vec::new(), path.to_path_buf());
        let begun = from.by_ref().take(GZIP.len() as u64).read_to_end(&mut first);
        begun.map_err(|source| Error::File { path: path.clone(), source })?;
        let is_packed = first == GZIP;
        let whole = Cursor::new(first).chain(from);
        let from: Box<dyn Read + 'a> =
            if is_packed { Box::new(MultiGzDecoder::new(whole)) } else { Box::new(whole) };
        Ok(Unpacked { from, is_packed, path, free, read: 0 })
    }

    /// Adds up to so many bytes to those in `bytes`; returns how many, 0 at the end.
    pub fn read_to(&mut self, bytes: &mut Vec<u8>, most: usize) -> Result<usize> {
        let before = bytes.len();
        bytes.resize(before + most, 0);
        let count = self.read(&mut bytes[before..])?;
        bytes.truncate(before + count);
        Ok(count)
    }

    /// Reads once.
    pub fn read(&mut self, to: &mut [u8]) -> Result<usize> {
        loop {
            match self.from.read(to) {
                Ok(count) => {
                    self.read += count as u64;
                    refuse_more(self.read / STREAMED, self.free)?;
                    return Ok(count);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if self.is_packed => return Err(Error::Gzip { reason: error.to_string() }),
                Err(source) => return Err(Error::File { path: self.path.clone(), source }),
            }
        }
    }
}
