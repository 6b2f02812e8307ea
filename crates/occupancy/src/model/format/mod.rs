//! The file formats of models and policies.

pub mod binary;
mod blocks;
pub mod drn;
pub(crate) mod file;
pub(super) mod lines;
pub mod policy_table;
pub(crate) mod stream;
pub mod table;
pub mod text;

/// How a model is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Rows and starts whose sums are off by rounding, up to [`super::ROUNDED_SUMS`], are divided by their sums; otherwise
    /// they may be off by 1e-9.
    pub normalise: bool,
}
