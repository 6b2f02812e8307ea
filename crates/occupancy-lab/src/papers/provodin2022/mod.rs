//! "An Empirical Evaluation of Posterior Sampling for Constrained Reinforcement Learning" (Provodin et al., 2022).

mod presets;

pub use presets::{PAPER_ENVIRONMENTS, Preset, add_to};
