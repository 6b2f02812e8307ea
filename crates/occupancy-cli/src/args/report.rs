//! What can be asked about the paper's experiments and their report.

use super::run::parse_tolerance;
use clap::{Args as ClapArgs, ValueEnum};
use occupancy_lab::analyse::TOLERANCE;
use occupancy_lab::papers::provodin2022::{Preset, Topic};
use std::path::PathBuf;

/// `occupancy reproduce`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  occupancy reproduce --quick
  occupancy reproduce
  occupancy reproduce --preset all --jobs 8
  occupancy reproduce --preset sound --only marsrover-4x4,box

Runs the experiments of Provodin et al. (2022) and writes DIR/index.html, a page
that opens without a network, and its figures as SVG and PNG. A run that is
stored is never done again: after Ctrl-C the same command goes on where it
stopped, and after --quick the full set needs the other runs only.

Exit codes: 0 all runs are stored; 1 some failed or it was stopped; 2 wrong use.")]
pub struct Reproduce {
    /// How the comparison is run: what made the paper's figures, its text, as we would do it, or all three
    #[arg(long, value_enum, default_value_t)]
    pub preset: Presets,
    /// Only these experiments
    #[arg(long, value_enum, value_delimiter = ',', num_args = 1.., value_name = "NAME")]
    pub only: Vec<PaperExperiment>,
    /// The same figures from a few runs, in seconds
    #[arg(long)]
    pub quick: bool,
    /// Preset paper: cucrl-transitions in every environment, which takes long
    #[arg(long)]
    pub extended: bool,
    /// Where results and report are
    #[arg(long, value_name = "DIR", default_value = "results/provodin2022")]
    pub out: PathBuf,
    /// Threads; by default one for each core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub jobs: Option<u16>,
    /// Where a folder holds results of other settings: keep them beside, and begin afresh
    #[arg(long)]
    pub set_aside: bool,
    /// One line for each finished learner instead of bars
    #[arg(long)]
    pub plain: bool,
}

/// `occupancy report`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  occupancy report results/provodin2022
  occupancy report results/smoke --tolerance 0.05

Writes DIR/index.html and DIR/figures from the runs that are stored there. What
is missing of the experiments is said on the page. An experiment goes by the
`title` and `description` of its file.")]
pub struct Report {
    /// A folder of results, or a folder of such folders
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// A run is near the optimum if reward and costs are at most this share of the range between the levels off
    #[arg(long, value_name = "SHARE", default_value_t = TOLERANCE, value_parser = parse_tolerance, allow_negative_numbers = true)]
    pub tolerance: f64,
}

/// One preset or all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Presets {
    /// What produced the paper's figures
    #[default]
    Published,
    /// The paper's text
    Paper,
    /// As we would do it
    Sound,
    /// All three
    All,
}

impl Presets {
    /// Whether a preset is meant.
    pub fn include(self, preset: Preset) -> bool {
        match self {
            Presets::Published => preset == Preset::Published,
            Presets::Paper => preset == Preset::Paper,
            Presets::Sound => preset == Preset::Sound,
            Presets::All => true,
        }
    }
}

/// An experiment of the paper, as it is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PaperExperiment {
    /// Figure 2, left
    #[value(name = "marsrover-4x4")]
    Marsrover4x4,
    /// Figure 2, right
    #[value(name = "marsrover-8x8")]
    Marsrover8x8,
    /// Figure 3
    #[value(name = "box")]
    Box,
    /// What keeps optimistic learners from the optimum in Box (preset published)
    #[value(name = "box-ablation")]
    BoxAblation,
    /// How often posterior samplers plan under the rule of the paper's bound (preset published)
    #[value(name = "epochs")]
    Epochs,
}

impl PaperExperiment {
    /// What is meant.
    pub fn topic(self) -> Topic {
        match self {
            PaperExperiment::Marsrover4x4 => Topic::Marsrover4x4,
            PaperExperiment::Marsrover8x8 => Topic::Marsrover8x8,
            PaperExperiment::Box => Topic::Box,
            PaperExperiment::BoxAblation => Topic::BoxAblation,
            PaperExperiment::Epochs => Topic::Epochs,
        }
    }
}
