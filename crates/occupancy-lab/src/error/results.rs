//! What can be wrong with a folder of results.

use std::path::PathBuf;

/// What is wrong with a folder of results.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResultsProblem {
    /// It has no manifest.
    #[error("holds no results: there is no manifest.json in it")]
    NoManifest,
    /// It has runs but no manifest.
    #[error("holds runs but no manifest.json that says what they are")]
    Unmarked,
    /// It holds the results of other settings.
    #[error("holds results of other settings ({difference})")]
    Other {
        /// The first settings that differ.
        difference: String,
    },
    /// Two folders have different bytes for one run.
    #[error("and {} have different results of one run: {run}", other.display())]
    Conflict {
        /// The other folder.
        other: PathBuf,
        /// The file that differs.
        run: String,
    },
    /// A learner that is not among its learners.
    #[error("has no learner {learner}; it has: {known}")]
    NoLearner {
        /// The name.
        learner: String,
        /// Those there are.
        known: String,
    },
    /// A file that is not what it should be.
    #[error("has a damaged file {file}: {damage}")]
    Damaged {
        /// The file, from the folder.
        file: String,
        /// What is wrong in it.
        damage: Damage,
    },
    /// Files that are not what was written.
    #[error("has {}", told(files))]
    DamagedFiles {
        /// Each of them, from the folder, and what is wrong in it.
        files: Vec<(PathBuf, Damage)>,
    },
    /// A file whose content is not what it was when the experiment was read.
    #[error("cannot be made from {}: it has changed since the experiment was read; start again", path.display())]
    Edited {
        /// The file.
        path: PathBuf,
    },
}

impl ResultsProblem {
    /// Whether a stored file is not what was written: something happened to the results, nothing was asked wrongly.
    pub fn is_damage(&self) -> bool {
        use ResultsProblem::{Damaged, DamagedFiles, Unmarked};
        matches!(self, Damaged { .. } | DamagedFiles { .. } | Unmarked)
    }
}

/// So many damaged files are named; of more, the number.
const NAMED: usize = 3;

/// What is damaged, and how it is made again.
fn told(files: &[(PathBuf, Damage)]) -> String {
    let (what, them) = if files.len() == 1 { ("a damaged file", "it") } else { ("damaged files", "them") };
    let names = list_damaged(files);
    format!("{what}: {names}; the `occupancy run` that stored {them} makes {them} again")
}

/// Damaged files with what is wrong with them: the first ones by name, the number of the others.
pub fn list_damaged(files: &[(PathBuf, Damage)]) -> String {
    let named = files.iter().take(NAMED).map(|(file, damage)| format!("{} ({damage})", file.display()));
    let mut words: Vec<String> = named.collect();
    if files.len() > NAMED {
        words.push(format!("and {} more", files.len() - NAMED));
    }
    words.join(", ")
}

/// How a stored file is damaged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// The head is not that of a run.
    #[error("its head is {found}, expected {expected}")]
    Head {
        /// The line found.
        found: String,
        /// The line of a run.
        expected: String,
    },
    /// There are too few or too many lines.
    #[error("it has {found} steps, expected {expected}")]
    Length {
        /// How many.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A line that is not one of this run.
    #[error("line {line} cannot be one of this run")]
    Line {
        /// The line's number, from 1.
        line: usize,
    },
    /// The bytes are not those that were written.
    #[error("its bytes have changed since it was written")]
    Checksum,
    /// There was one.
    #[error("it is missing")]
    Missing,
    /// It is a link, a pipe, a folder.
    #[error("it is {found}, expected an ordinary file")]
    NotAFile {
        /// What it is.
        found: &'static str,
    },
    /// It is one of another run, or of other settings.
    #[error("it was written for another run or other settings")]
    Misplaced,
    /// What it says cannot be.
    #[error("{message}")]
    Content {
        /// What is wrong in it.
        message: String,
    },
}
