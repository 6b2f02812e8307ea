//! The file formats of models.

pub mod drn;
mod file;
pub(super) mod lines;
pub mod text;
