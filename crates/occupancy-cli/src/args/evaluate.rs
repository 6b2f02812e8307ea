//! What can be asked of a given policy.

use super::{PlanArgs, SourceArgs};
use clap::Args as ClapArgs;
use std::path::PathBuf;

/// `occupancy evaluate`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  occupancy solve queue --policy policy.csv
  occupancy evaluate queue policy.csv
  occupancy evaluate queue policy.csv --from-state 3 --json

The policy is a table as `solve --policy` writes it, with the columns state,
action and probability; actions that are left out are never taken. Several
policies have the columns policy and weight: one is drawn at the start.

Exit codes: 0 there is an answer, also if the policy misses the budgets; 2 wrong
use.")]
pub struct Evaluate {
    /// The model.
    #[command(flatten)]
    pub source: SourceArgs,
    /// The policy, as `solve --policy` writes it; - for stdin
    #[arg(value_name = "POLICY.csv")]
    pub policy: PathBuf,
    /// The planner of the optimum, and where the long run is counted from.
    #[command(flatten)]
    pub plan: PlanArgs,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// No walk is longer than this.
const MOST_STEPS: u64 = 1_000_000_000_000;

/// `occupancy simulate`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  occupancy solve queue --policy policy.csv
  occupancy simulate queue policy.csv --steps 20
  occupancy simulate queue policy.csv --steps 100000 --seed 7 --out walk.csv

The table has a line for every step: step, state, action, next, reward, and the
costs by their names. The same seed walks the same way.

Exit codes: 0 the walk is done; 2 wrong use.")]
pub struct Simulate {
    /// The model.
    #[command(flatten)]
    pub source: SourceArgs,
    /// The policy, as `solve --policy` writes it; - for stdin
    #[arg(value_name = "POLICY.csv")]
    pub policy: PathBuf,
    /// How many steps are taken
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=MOST_STEPS))]
    pub steps: u64,
    /// The seed of all random numbers
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Start in this state
    #[arg(long, value_name = "NAME_OR_INDEX", allow_negative_numbers = true)]
    pub from_state: Option<String>,
    /// Write the table to a file, and print the averages
    #[arg(long, value_name = "FILE.csv")]
    pub out: Option<PathBuf>,
}
