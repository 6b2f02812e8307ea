//! `occupancy verify`.

use clap::Args as ClapArgs;
use std::path::PathBuf;

/// `occupancy verify`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  occupancy solve queue --json --witness > answer.json
  occupancy verify queue answer.json

The check uses no code of the planners: each inequality that the answer rests
on is looked at for every state, in arithmetic that rounds outward. The reward,
the costs, the budgets and the options of an environment are those that the
answer was made with.

Exit codes: 0 all that the answer claims is proved; 1 something is not; 2 wrong
use.")]
pub struct Verify {
    /// The environment, model (.drn, .cmdp) or map (.map, .txt) that was asked about
    pub source: String,
    /// What `occupancy solve --json --witness` printed
    #[arg(value_name = "ANSWER.json")]
    pub answer: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}
