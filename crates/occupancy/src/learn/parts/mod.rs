//! What algorithms are made of: estimates, bonuses, posteriors, epochs, and ways to plan.

pub mod belief;
pub mod bonus;
pub mod dirichlet;
pub mod dual_ascent;
pub mod episodic;
pub mod epochs;
pub mod estimate;
pub mod execution;
pub mod extended_value;
pub mod planning;
pub mod posterior;
pub mod prior;
pub mod relative_value;
pub mod sampling;
pub mod told;
mod variates;
