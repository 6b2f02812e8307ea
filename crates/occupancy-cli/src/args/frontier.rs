//! What can be asked of frontiers.

use super::{PlanArgs, SourceArgs, parse_seconds};
use clap::Args as ClapArgs;
use std::path::PathBuf;

/// `occupancy frontier`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  occupancy frontier marsrover-4x4
  occupancy frontier queue --cost-name service --csv service.csv
  occupancy frontier model.drn --reward speed --cost fuel=0.2 --svg fuel.svg
  occupancy frontier garnet --set states=1000 --points 20

A model of a thousand states can have thousands of break points. --points finds
those that matter most, and says by how much the gain may be higher between
them. The table shows at most 40 of them; --all, --csv and --json have all.

Ctrl-C ends a long search with the corners known so far, and between which
budgets others may be missing; a second Ctrl-C ends the program.

Exit codes: 0 there is an answer; 1 it was stopped before both ends were known,
or before files could be written; 2 wrong use.")]
pub struct Frontier {
    /// The model.
    #[command(flatten)]
    pub source: SourceArgs,
    /// The planner.
    #[command(flatten)]
    pub plan: PlanArgs,
    /// Stop after this time with the corners known so far
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub time_limit: Option<f64>,
    /// The cost whose budget varies; needed where there are several
    #[arg(long, value_name = "NAME")]
    pub cost_name: Option<String>,
    /// Find at most this many break points, those that matter most
    #[arg(long, value_name = "N", value_parser = parse_points, allow_negative_numbers = true)]
    pub points: Option<usize>,
    /// Show every break point, not only some 40 of them
    #[arg(long)]
    pub all: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Write the break points as a table
    #[arg(long, value_name = "FILE.csv")]
    pub csv: Option<PathBuf>,
    /// Draw the frontier
    #[arg(long, value_name = "FILE.svg")]
    pub svg: Option<PathBuf>,
}

fn parse_points(text: &str) -> Result<usize, String> {
    let points = text.trim().parse().ok().filter(|points| *points >= 2);
    points.ok_or_else(|| "expected a count from 2 on: both ends are always found".to_string())
}
