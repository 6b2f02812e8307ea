//! Simulation: a learner acts in a model, step by step, and what happens is recorded.

mod alias;
mod baseline;
mod grid;
mod metrics;
mod recorder;
mod terms;
mod trial;

pub use baseline::{Baseline, Level};
pub use grid::{Grid, MOST_POINTS};
pub use metrics::{Deficits, Metrics};
pub use recorder::Record;
pub use terms::{TermRow, Terms};
pub use trial::{Snapshot, Trial, TrialConfig, TrialWatch};
