//! What the runs of an experiment say together.

mod comparisons;
mod curves;
mod draws;
mod growth;
mod limits;
mod settling;
mod statistic;
pub mod stats;
mod summary;
mod tables;

pub use comparisons::Comparison;
pub use curves::{CurvePoint, curves};
pub use growth::growth;
pub use limits::{Ending, Limits, TOLERANCE};
pub use statistic::Statistic;
pub use summary::{LearnerSummary, Summary, SummaryConfig};
pub use tables::{comparisons_csv, curves_csv, summary_csv, write_tables};
