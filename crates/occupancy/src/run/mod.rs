//! Running: a learner in an environment, for so many rounds, recorded.

mod alias;
mod baseline;
mod curves;
mod experiment;
mod grid;
mod metrics;
mod parallel;
mod presets;
mod recorder;
mod runner;
mod store;
mod summary;
mod tables;
mod terms;
mod trial;

pub use baseline::{Baseline, Level};
pub use curves::{CurvePoint, curves};
pub use experiment::{Environment, Experiment, NUMBERS, NamedLearner};
pub use grid::Grid;
pub use metrics::{Deficits, Metrics};
pub use presets::{PAPER_ENVIRONMENTS, Preset, default_rounds, default_window};
pub use recorder::Record;
pub use runner::{Agenda, FailedRun, LearnerProgress, Outcome, RunWatch, Runner};
pub use store::{
    Checked, Copied, Entry, Levels, Manifest, Merged, Parcel, Results, Session, Shape, Store, Stored, Timing,
    merge, set_aside,
};
pub use summary::{Comparison, LearnerSummary, Summary, SummaryConfig};
pub use tables::{comparisons_csv, curves_csv, summary_csv};
pub use terms::{TermRow, Terms};
pub use trial::{Snapshot, Trial, TrialConfig, TrialWatch};
