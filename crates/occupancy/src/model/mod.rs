//! The model: transitions, signals and the task, as plain checked data.

mod bound;
pub(crate) mod builder;
mod cmdp;
mod criterion;
#[cfg(feature = "fingerprint")]
mod fingerprint;
pub mod format;
mod kernel;
mod layered;
mod listed;
mod names;
mod policy;
mod probabilities;
mod restarting;
mod restricted;
mod rows;
mod signals;
pub(crate) mod support;
mod task;

pub use bound::Bound;
pub use builder::{CmdpBuilder, Outcome};
pub use cmdp::Cmdp;
pub use criterion::{Criterion, Origin, Value};
pub(crate) use format::file::read_bytes;
pub use format::file::{read_model_bytes, read_model_bytes_from, read_text, read_text_from, text_of};
pub use format::stream::Meter;
pub use format::{ReadOptions, binary, drn, policy_table, table, text};
pub(crate) use kernel::AllRows;
pub use kernel::{Kernel, Row};
pub use names::Names;
pub(crate) use names::cell_name;
pub use policy::Policy;
pub use rows::ROUNDED_SUMS;
pub use signals::Signals;
pub use task::{Task, World};
