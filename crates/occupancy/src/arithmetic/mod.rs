//! Arithmetic below the mathematics: functions with the same bits everywhere, intervals, rows of numbers.

pub(crate) mod aligned;
pub(crate) mod dense;
pub mod elementary;
pub(crate) mod extremes;
mod interval;
mod twofold;

pub use interval::Interval;
pub use twofold::Twofold;
pub(crate) use twofold::two_sum;
