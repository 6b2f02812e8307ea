//! Markov chains: what a policy comes to in the long run, every number with its error.
//!
//! [`evaluate`] is the front door. Inside, `graph` finds the classes of a chain, and `solver` solves each by
//! elimination, dense or sparse, or by iteration, whichever suits its size.

mod bicgstab;
mod classes;
mod elimination;
mod evaluate;
pub(crate) mod graph;
mod iterative;
mod lanes;
pub(crate) mod reaching;
pub(crate) mod reference;
mod skeleton;
pub(crate) mod solver;
mod sparse_elimination;
pub(crate) mod sums;

use crate::error::{Error, Result};
use crate::stop::StopFlag;
pub use classes::entered_classes;
pub(crate) use evaluate::{Chain, Wanted, average, averages, evaluate_way};
pub use evaluate::{Evaluation, evaluate};
pub use reaching::{Reaching, astray, reaching};
pub use sums::{SumEvaluation, evaluate_sum};

/// News of the end, if this flag asks for it.
pub(crate) fn unless_stopped(stop: &StopFlag) -> Result<()> {
    if stop.asked() { Err(Error::Stopped { violation: f64::INFINITY }) } else { Ok(()) }
}
