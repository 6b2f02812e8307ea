//! What can be wrong with a key of an experiment file.

use super::Error;

/// What is wrong with a key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyProblem {
    /// The text is no TOML.
    #[error("{message}; an experiment file is written in TOML")]
    Syntax {
        /// What the parser says.
        message: String,
    },
    /// Nothing has this key.
    #[error("unknown key {key}{within}; known: {known}")]
    Unknown {
        /// The key.
        key: String,
        /// Where it stands, such as ` in [env]`.
        within: &'static str,
        /// The keys there are.
        known: String,
    },
    /// A value of the wrong type, or out of its range.
    #[error("{key} is {found}, expected {expected}")]
    Value {
        /// The key.
        key: String,
        /// What is there.
        found: String,
        /// What would be right.
        expected: String,
    },
    /// A key that has to be there.
    #[error("{key} is missing{within}: {expected}")]
    Missing {
        /// The key.
        key: &'static str,
        /// Where it should stand, such as ` in [env]`.
        within: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// Two learners of one name.
    #[error("two learners are called {label}; give one of them a label of its own")]
    SameLabel {
        /// The name.
        label: String,
    },
    /// Two experiments of one name.
    #[error("two experiments are called {name}; a list has every value once")]
    SameName {
        /// The name.
        name: String,
    },
    /// A name that what was swept has made too long for a file.
    #[error("a sweep makes the name {name}, of {} characters; at most {most} can name files", name.len())]
    LongName {
        /// The name.
        name: String,
        /// How long it may be.
        most: usize,
    },
    /// Windows that would have too many steps recorded.
    #[error(
        "windows with the greatest common divisor {divisor} make {points} recorded steps, at most {most} are \
         supported; choose windows that are multiples of {enough}"
    )]
    Windows {
        /// Their greatest common divisor.
        divisor: u64,
        /// How many steps would be recorded.
        points: u64,
        /// How many may be.
        most: u64,
        /// A divisor that would do.
        enough: u64,
    },
}

impl From<KeyProblem> for Error {
    fn from(problem: KeyProblem) -> Error {
        Error::Key { problem }
    }
}
