//! Everything that can go wrong with experiments and their results, with the place and what would be right.

mod key;
mod report;
mod results;
mod source;

pub use key::KeyProblem;
pub use report::ReportProblem;
pub use results::{Damage, ResultsProblem, list_damaged};
pub use source::{SourceProblem, known_sources};

use occupancy::error::{system, visible};
use std::path::PathBuf;

/// The result of everything that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// What is wrong, where, and what would be right.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A model, a plan or a learner is refused.
    #[error(transparent)]
    Model(#[from] occupancy::Error),
    /// A name or a path of which no model can be made.
    #[error("{problem}")]
    Source {
        /// What is wrong with it.
        problem: SourceProblem,
    },
    /// A file that cannot be read or written.
    #[error("{}: {}", path.display(), system(source))]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file that cannot be put where it was asked for.
    #[error("cannot write {}: {reason}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What stands in its way.
        reason: String,
    },
    /// A folder of which no report can be made.
    #[error("{problem}")]
    Report {
        /// What is wrong with it.
        problem: ReportProblem,
    },
    /// A thread that the system does not start.
    #[error("thread {thread} of {threads} cannot be started: {}{}", system(source), fewer_jobs(*thread))]
    Thread {
        /// Its number, from 1.
        thread: usize,
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        source: std::io::Error,
    },
    /// More runs at once than there is memory for.
    #[error(
        "{}: {jobs} runs at once have tables of {} MB each, and {} MB of memory are free; --jobs {at_once} needs less",
        path.display(), each / 1_000_000, free / 1_000_000
    )]
    TooManyJobs {
        /// The experiment's file.
        path: PathBuf,
        /// How many runs were asked for at once.
        jobs: usize,
        /// The bytes of the tables of each.
        each: u64,
        /// The bytes that are free.
        free: u64,
        /// How many runs at once have room.
        at_once: u64,
    },
    /// A folder with results of other settings, or of settings that are not known any more.
    #[error(
        "{source}; choose: --set-aside keeps them beside and begins afresh, --out DIR uses another folder"
    )]
    Occupied {
        /// What is in the folder.
        source: Box<Error>,
    },
    /// A key of an experiment file that is wrong.
    #[error("{problem}")]
    Key {
        /// What is wrong with it.
        problem: KeyProblem,
    },
    /// A folder of results that is not what it should be.
    #[error("{} {problem}", folder.display())]
    Results {
        /// The folder.
        folder: PathBuf,
        /// What is wrong with it.
        problem: ResultsProblem,
    },
    /// Anything above, found in a line of a text.
    #[error("line {line}: {source}")]
    AtLine {
        /// The line's number, from 1.
        line: usize,
        /// What is wrong in it.
        source: Box<Error>,
    },
    /// Anything above, found in a named file; one line, whatever of the file is repeated.
    #[error("{}", visible(&format!("{}: {source}", path.display())))]
    InFile {
        /// The file.
        path: PathBuf,
        /// What is wrong in it.
        source: Box<Error>,
    },
}

impl Error {
    /// The same error, with the line it was found in.
    pub fn at_line(self, line: usize) -> Error {
        Error::AtLine { line, source: Box::new(self) }
    }

    /// The same error, with the file it was found in.
    pub fn in_file(self, path: impl Into<PathBuf>) -> Error {
        Error::InFile { path: path.into(), source: Box::new(self) }
    }

    /// Whether it already says which file it was found in.
    pub fn names_its_file(&self) -> bool {
        matches!(self, Error::InFile { .. } | Error::Model(occupancy::Error::InFile { .. }))
    }

    /// Whether a stored file is not what was written: something happened to the results, nothing was asked wrongly.
    pub fn is_damage(&self) -> bool {
        match self {
            Error::Results { problem, .. } => problem.is_damage(),
            _ => false,
        }
    }
}

/// How fewer threads are asked for, if some could be started before this one.
fn fewer_jobs(thread: usize) -> String {
    if thread > 1 { format!("; --jobs {} needs no more than there were", thread - 1) } else { String::new() }
}
