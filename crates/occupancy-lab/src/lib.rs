//! Experiments with the learners of [`occupancy`]: files that describe them, runs on all cores, folders of results that
//! survive any kill, statistics of what is stored, and papers.
//!
//! Everything with a folder or a clock lives here; the mathematics does not know that it exists.

#![warn(clippy::disallowed_methods)]

pub mod analyse;
pub mod catalogue;
mod clock;
pub mod error;
mod estimate;
pub mod experiment;
pub mod figure;
pub mod number;
mod open;
pub mod papers;
pub mod parallel;
pub mod report;
mod run;
pub mod runner;
pub mod slices;
pub mod staged;
pub mod store;
pub mod terms;
pub mod timed;

pub use error::{Error, Result};
pub use estimate::Estimate;
pub use open::{Format, INPUT, OpenOptions, Source, open};
pub use run::{Phase, Progress, RunOptions, RunReport, RunWatch, levels, run};
