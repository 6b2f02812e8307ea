//! Running: a learner in an environment, for so many rounds, recorded.

mod alias;
mod baseline;
mod grid;
mod metrics;
mod presets;
mod recorder;
mod trial;

pub use baseline::{Baseline, Level};
pub use grid::Grid;
pub use metrics::{Deficits, Metrics};
pub use presets::{PAPER_ENVIRONMENTS, Preset, default_rounds, default_window};
pub use recorder::Record;
pub use trial::{Snapshot, Trial, TrialConfig, TrialWatch};
