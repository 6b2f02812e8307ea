//! Simulation: a learner acts in a model, step by step, and what happens is recorded.

mod acting;
mod actions;
mod agent;
mod alias;
mod baseline;
mod compact;
mod episodic;
mod grid;
mod ledger;
mod metrics;
mod narrow;
mod observer;
mod recent;
mod recorder;
mod snapshots;
mod stepper;
mod sums;
mod tables;
mod trial;
mod values;
mod walk;

pub use agent::{Agent, AgentOptions, Experience};
pub use baseline::{Baseline, Level};
pub use grid::{Grid, MOST_POINTS};
pub use metrics::{Deficits, Metrics};
pub use observer::{Observer, OnRecord, Planned, Walked};
pub use recorder::Record;
pub use snapshots::Snapshot;
pub use stepper::{Happened, Stepper};
pub use trial::{Trial, TrialConfig, check_learner};
pub use values::{ValueGaps, ValueObserver};
pub use walk::{Step, Walk};
