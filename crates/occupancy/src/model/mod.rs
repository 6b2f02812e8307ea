//! The model: transitions, signals and the task, as plain checked data.

pub(crate) mod builder;
mod cmdp;
mod criterion;
#[cfg(feature = "fingerprint")]
mod fingerprint;
pub mod format;
mod kernel;
mod layered;
mod names;
mod policy;
mod rows;
mod signals;
pub(crate) mod support;
mod task;

pub use builder::{CmdpBuilder, Outcome};
pub use cmdp::Cmdp;
pub use criterion::{Criterion, Origin, Value};
pub use format::{drn, text};
pub use kernel::{Kernel, Row};
pub use names::Names;
pub(crate) use names::cell_name;
pub use policy::Policy;
pub use signals::Signals;
pub use task::Task;
