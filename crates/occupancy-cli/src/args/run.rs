//! What can be asked about experiments.

use clap::Args as ClapArgs;
use occupancy_lab::analyse::TOLERANCE;
use std::ops::Range;
use std::path::PathBuf;

/// `occupancy run`.
#[derive(Clone, Debug, ClapArgs)]
#[command(after_help = "Examples:
  occupancy run experiments/smoke.toml
  occupancy run experiments/provodin2022/box-published.toml --dry-run
  occupancy run experiments/provodin2022/*.toml --jobs 8 --plain
  occupancy run big.toml --runs 10..20 --out part-1     (one of many machines)
  occupancy merge part-*/big --out results/big

The results are in DIR/NAME: every run in a CSV file of its own, summary.csv,
comparisons.csv and curves.csv. A run that is stored is never done again: after
Ctrl-C, a crash or a full disk, the same command goes on where it stopped, and
the bytes are those of an undisturbed run.

Exit codes: 0 all runs are stored; 1 some failed or it was stopped; 2 wrong use.")]
pub struct Run {
    /// Experiments, in TOML
    #[arg(required_unless_present = "slices", conflicts_with = "slices", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// A file of slices, as `occupancy slices` prints them
    #[arg(long, value_name = "FILE", requires = "slice", conflicts_with = "runs")]
    pub slices: Option<PathBuf>,
    /// Which of these slices to run
    #[arg(long, value_name = "K", requires = "slices")]
    pub slice: Option<u32>,
    /// Where the folders of results are
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
    /// Threads; by default one for each core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub jobs: Option<u16>,
    /// Only these runs, the last one not included
    #[arg(long, value_name = "A..B", value_parser = parse_runs)]
    pub runs: Option<Range<u64>>,
    /// Say what would be run, and run nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Where a folder holds results of other settings: keep them beside, and begin afresh
    #[arg(long)]
    pub set_aside: bool,
    /// One line for each finished learner instead of bars
    #[arg(long)]
    pub plain: bool,
    /// One line for each experiment on stdout instead of tables.
    #[arg(skip)]
    pub brief: bool,
    /// Whether these are the runs of a slice: statistics are made when all are there.
    #[arg(skip)]
    pub is_slice: bool,
}

/// `occupancy merge`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  occupancy merge part-1/big part-2/big --out results/big
  occupancy merge results/big other-machine/big     (into the first)

Only runs of the same settings are united; two different files of one run are
refused, and nothing is copied.")]
pub struct Merge {
    /// Folders of results
    #[arg(required = true, value_name = "DIR")]
    pub parts: Vec<PathBuf>,
    /// The folder that gets all runs; by default the first
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Fail if runs of the experiment are missing in the end
    #[arg(long)]
    pub whole: bool,
}

/// `occupancy pack`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  occupancy pack results/big
  python3 -c 'import pandas; print(pandas.read_csv(\"results/big/packed/0000.csv.gz\"))'

Instead of a file for each run there is one for a thousand, a table with the
columns learner and run in front. Every command reads packed runs like others,
and `run` goes on with what is missing; the bytes of each run are the same.")]
pub struct Pack {
    /// Folders of results
    #[arg(required = true, value_name = "DIR")]
    pub folders: Vec<PathBuf>,
}

/// `occupancy stats`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  occupancy stats results/smoke
  occupancy stats results/smoke --tolerance 0.05 --level 0.99
  occupancy stats results/smoke --json

Writes summary.csv, comparisons.csv and curves.csv into the folder.")]
pub struct Stats {
    /// A folder of results
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// A run is near the optimum if reward and costs are at most this share of the range between the levels off
    #[arg(long, value_name = "SHARE", default_value_t = TOLERANCE, value_parser = parse_tolerance, allow_negative_numbers = true)]
    pub tolerance: f64,
    /// The probability with which an interval holds the truth
    #[arg(long, value_name = "P", default_value_t = 0.95, value_parser = parse_level, allow_negative_numbers = true)]
    pub level: f64,
    /// Compare every two learners, not only each with the oracle (or the first one) and the best one
    #[arg(long)]
    pub all_pairs: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

fn parse_runs(text: &str) -> Result<Range<u64>, String> {
    let ends =
        text.split_once("..").and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    match ends {
        Some((first, end)) if first < end => Ok(first..end),
        _ => Err("expected A..B with A below B, e.g. 0..10 for the first ten runs".into()),
    }
}

pub(super) fn parse_tolerance(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|x: &f64| (0.0..=1.0).contains(x));
    number.ok_or_else(|| "expected a share from 0 to 1, e.g. 0.1".into())
}

fn parse_level(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|x: &f64| *x > 0.0 && *x < 1.0);
    number.ok_or_else(|| "expected a number between 0 and 1, e.g. 0.95".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_of_runs_has_a_beginning_and_an_end() {
        assert_eq!(parse_runs("3..7"), Ok(3..7));
        for wrong in ["3", "3..", "..7", "7..3", "3..3", "-1..2", "a..b"] {
            assert!(parse_runs(wrong).is_err_and(|error| error.contains("A..B")), "{wrong}");
        }
    }

    #[test]
    fn levels_and_distances_have_their_ranges() {
        assert_eq!((parse_level("0.9"), parse_tolerance("0")), (Ok(0.9), Ok(0.0)));
        assert!(["0", "1", "nan", "x"].iter().all(|text| parse_level(text).is_err()));
        assert!(["-1", "1.5", "inf", "nan", "x"].iter().all(|text| parse_tolerance(text).is_err()));
    }
}
