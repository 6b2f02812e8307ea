//! Why no report can be made.

use super::Error;
use std::path::PathBuf;

/// Why no report can be made of a folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportProblem {
    /// It is not there.
    #[error("there is no folder {}", folder.display())]
    NoFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// It holds no results, and no folder in it does.
    #[error("{} holds no results; `occupancy reproduce` and `occupancy run` make some", folder.display())]
    NoResults {
        /// The folder.
        folder: PathBuf,
    },
    /// It has several folders of results, none of which can be reported.
    #[error("none of {folders} folders can be reported; {first}")]
    NoneOf {
        /// How many there are.
        folders: usize,
        /// What is wrong with the first.
        first: String,
    },
    /// There is nothing in it after all.
    #[error("there is nothing to report")]
    Nothing,
    /// A figure that the renderer refuses.
    #[error("a figure cannot be drawn: {reason}")]
    Figure {
        /// What it says.
        reason: String,
    },
}

impl From<ReportProblem> for Error {
    fn from(problem: ReportProblem) -> Error {
        Error::Report { problem }
    }
}
