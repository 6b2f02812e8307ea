//! What the fuzz targets share: comparing models, tiny models of bad temper, and what every verdict must satisfy.

mod attained;
mod optimism;
mod planners;
mod same;
mod tiny;
mod verdict;

pub use attained::Attained;
pub use optimism::{Believed, check_optimism};
pub use planners::check_planners;
pub use same::same_model;
pub use tiny::{Temper, Tiny};
pub use verdict::{check_agreement, check_error, check_policies, check_verdict};
