//! Where an error was found.

use super::Error;
use std::path::PathBuf;

impl Error {
    /// The same error, with the line it was found in.
    pub fn at_line(self, line: usize) -> Error {
        Error::AtLine { line, source: Box::new(self) }
    }

    /// The same error, with the file it was found in, unless it names one already.
    pub(crate) fn in_file_once(self, path: impl Into<PathBuf>) -> Error {
        if matches!(self, Error::File { .. } | Error::InFile { .. }) { self } else { self.in_file(path) }
    }

    /// The same error, with the file it was found in.
    pub fn in_file(self, path: impl Into<PathBuf>) -> Error {
        Error::InFile { path: path.into(), source: Box::new(self) }
    }
}
