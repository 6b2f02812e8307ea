//! The algorithms, one file each.

pub(super) mod cucrl_conservative;
pub(super) mod cucrl_optimistic;
pub(super) mod cucrl_transitions;
pub(super) mod psrl_lagrangian;
pub(super) mod psrl_transitions;
pub(super) mod reference;
