//! The promises of the lab, one file each, in one program: it is linked once.

#![allow(clippy::unwrap_used)] // helpers of tests fail like tests

#[path = "../../../occupancy/tests/suite/random/mod.rs"]
mod random;

mod agents;
mod averages_converge;
mod episodes_converge;
mod experiment_files;
mod golden_curves;
mod learners;
mod learners_converge;
mod learners_everywhere;
mod page;
mod terms;
mod trials;
