//! What algorithms are made of.

pub(super) mod bonus;
pub(super) mod dirichlet;
pub(super) mod dual_ascent;
pub(super) mod epochs;
pub(super) mod estimate;
pub(super) mod execution;
pub(super) mod posterior;
pub(super) mod prior;
pub(super) mod relative_value;
pub(super) mod variates;
