//! The algorithms, one file each: its options, its box, its deviations from its paper.

mod cucrl_conservative;
mod cucrl_optimistic;
mod cucrl_transitions;
#[cfg(test)]
mod fixture;
mod psrl_lagrangian;
mod psrl_transitions;
mod reference;

pub use cucrl_conservative::{CucrlConservative, CucrlConservativeConfig};
pub use cucrl_optimistic::{CucrlOptimistic, CucrlOptimisticConfig};
pub use cucrl_transitions::{CucrlTransitions, CucrlTransitionsConfig, EpochsOrBlocks};
pub use psrl_lagrangian::{DualSignal, PriceOptions, PsrlLagrangian, PsrlLagrangianConfig};
pub use psrl_transitions::{PsrlTransitions, PsrlTransitionsConfig};
pub use reference::{Fixed, Oracle, Uniform};
