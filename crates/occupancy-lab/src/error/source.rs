//! What can be wrong with the name or the path of a model.

use super::Error;

/// Which files are read.
const FILES: &str = "models are read from .cmdp, .csv, .drn and .occ files, gridworlds from .map and .txt files, all also as .gz";

/// Why nothing can be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceProblem {
    /// It is a folder.
    #[error("{given} is a folder, expected a model or a map")]
    Folder {
        /// What was given.
        given: String,
    },
    /// It is a device or a pipe.
    #[error("{given} is no ordinary file")]
    NotAFile {
        /// What was given.
        given: String,
    },
    /// The file cannot be read.
    #[error("{given}: {reason}")]
    Unreadable {
        /// What was given.
        given: String,
        /// What the system said.
        reason: String,
    },
    /// A file that is there, with an ending that says nothing.
    #[error("{given}: the file's name does not say what it is; {FILES}")]
    NoFormat {
        /// What was given.
        given: String,
    },
    /// No environment and no file.
    #[error("unknown source {} ({})", if given.is_empty() { "''" } else { given }, known_sources(known))]
    Unknown {
        /// What was given.
        given: String,
        /// The environments there are.
        known: Vec<String>,
    },
}

/// What can be opened, in words.
pub fn known_sources(environments: &[String]) -> String {
    format!("environments: {}; {FILES}", environments.join(", "))
}

impl From<SourceProblem> for Error {
    fn from(problem: SourceProblem) -> Error {
        Error::Source { problem }
    }
}
