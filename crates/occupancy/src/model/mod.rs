//! The model: transitions, signals and the task, as plain checked data.

mod aligned;
mod bicgstab;
mod builder;
pub(crate) mod chain;
mod classes;
mod cmdp;
pub(crate) mod dense;
pub mod drn;
mod elimination;
pub(crate) mod extremes;
mod file;
pub(crate) mod graph;
mod iterative;
mod kernel;
mod lines;
mod names;
mod policy;
mod rows;
mod signals;
pub(crate) mod solver;
mod sparse_elimination;
pub(crate) mod support;
mod task;
pub mod text;

pub use builder::{CmdpBuilder, Outcome};
pub use chain::{Evaluation, evaluate};
pub(crate) use classes::entered_classes;
pub use cmdp::Cmdp;
pub use kernel::{Kernel, Row};
pub use names::Names;
pub(crate) use names::cell_name;
pub use policy::Policy;
pub use signals::Signals;
pub use task::Task;
