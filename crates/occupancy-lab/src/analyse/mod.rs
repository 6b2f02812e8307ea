//! What the runs of an experiment say together.

mod comparisons;
mod curves;
mod draws;
mod growth;
mod limits;
mod runs;
mod settling;
mod statistic;
mod statistics;
pub mod stats;
mod summary;
mod tables;

pub use comparisons::Comparison;
pub use curves::CurvePoint;
pub use growth::growth;
pub use limits::{Ending, Limits, TOLERANCE};
pub use runs::{Quantity, Runs};
pub use statistic::Statistic;
pub use statistics::Statistics;
pub use summary::{LearnerSummary, Summary, SummaryConfig};
pub use tables::{comparisons_csv, curves_csv, summary_csv, write_tables};
