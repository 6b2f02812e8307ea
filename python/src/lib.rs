//! The Rust side of the Python package: models, planners, learners and experiments as Python objects and NumPy arrays.
//!
//! It is thin. Names, defaults, tables and words are the business of the Python files beside it (`python/occupancy`); this side
//! checks, computes without holding Python's lock, and hands over arrays that nobody may write to.

mod agent;
mod arrays;
mod errors;
mod experiment;
mod figures;
mod frontier;
mod learn;
mod learner;
mod model;
mod picture;
mod question;
mod raised;
mod results;
mod rules;
mod solve;
mod verify;
mod waiting;
mod words;
mod worlds;

use pyo3::prelude::*;

/// What `occupancy` is made of; use that instead.
#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::agent::Agent;
    #[pymodule_export]
    use crate::errors::{Error, Stopped};
    #[pymodule_export]
    use crate::experiment::{Experiment, merge, pack, report};
    #[pymodule_export]
    use crate::figures::{draw_frontier, draw_grid};
    #[pymodule_export]
    use crate::frontier::frontier;
    #[pymodule_export]
    use crate::learn::{learn, learners};
    #[pymodule_export]
    use crate::learner::{Counts, Now};
    #[pymodule_export]
    use crate::model::{Model, environments};
    #[pymodule_export]
    use crate::results::Results;
    #[pymodule_export]
    use crate::solve::{Planner, Witness, solve};
    #[pymodule_export]
    use crate::verify::{evaluate, verify};
    #[pymodule_export]
    use crate::worlds::{World, Worlds};
}
