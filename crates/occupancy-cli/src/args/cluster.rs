//! What can be asked about runs on many machines.

use clap::Args as ClapArgs;
use std::path::PathBuf;

/// `occupancy slices`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  occupancy slices big.toml --count 40 > slices.txt
  occupancy slices experiments/provodin2022/*.toml --seconds 60
  occupancy run --slices slices.txt --slice 7 --out part-7
  occupancy merge part-*/big --out results/big

A line for each part of a slice: its number, the file, and the runs. Work is
estimated from the beginning of the first runs, which takes a second or so for
each learner. Whoever does a slice, when and how often, the bytes are those of
`occupancy run` on one machine.")]
pub struct Slices {
    /// Experiments, in TOML
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// So many slices
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    #[arg(conflicts_with = "seconds", required_unless_present = "seconds")]
    pub count: Option<u32>,
    /// Slices of about so many CPU seconds
    #[arg(long, value_name = "S", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub seconds: Option<f64>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `occupancy slurm`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  occupancy slurm big.toml --out results && sh results/submit.sh
  occupancy slurm big.toml --out results --array 200 --partition short --time 2:00:00

Writes DIR/slices.txt and DIR/submit.sh, a short script to be read before it is
run: it submits an array job, a task for each slice, and a job that unites the
parts when all have ended and says what is missing. DIR is a folder that all
nodes see. A task that is requeued goes on where it was stopped; submitting
again does only what is missing.")]
pub struct Slurm {
    /// Experiments, in TOML
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Where the script, the parts and the results are
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Tasks of the array; by default as many as take about a minute each, at most 1000
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub array: Option<u32>,
    /// The partition
    #[arg(long, value_name = "NAME", value_parser = parse_word)]
    pub partition: Option<String>,
    /// The time limit of a task, as Slurm writes it
    #[arg(long, value_name = "TIME", value_parser = parse_word)]
    pub time: Option<String>,
    /// Cores of a task
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub cpus: u16,
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|x: &f64| *x > 0.0 && x.is_finite());
    number.ok_or_else(|| "expected a number of seconds above 0, e.g. 60".into())
}

/// A word that means nothing to a shell.
fn parse_word(text: &str) -> Result<String, String> {
    let tame = |c: char| c.is_ascii_alphanumeric() || "-_.:,".contains(c);
    if !text.is_empty() && text.chars().all(tame) {
        return Ok(text.to_string());
    }
    Err("expected letters, digits and -_.:, alone".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_would_understand_is_refused() {
        assert_eq!(parse_word("short-2"), Ok("short-2".into()));
        for wrong in ["", "a b", "$(x)", "a;b", "a'b"] {
            assert!(parse_word(wrong).is_err(), "{wrong}");
        }
        assert!(parse_seconds("0").is_err() && parse_seconds("60").is_ok());
    }
}
