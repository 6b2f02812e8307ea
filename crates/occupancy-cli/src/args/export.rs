//! What files a model is read from and written to.

use super::SourceArgs;
use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

/// `occupancy export`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  occupancy export marsrover-8x8 --slip 0.1 --drn marsrover.drn
  occupancy export model.drn --reward speed --cost fuel=0.2 --cmdp model.cmdp
  occupancy export box --cmdp -
  occupancy export model.cmdp --csv model.csv
  occupancy export large.drn --reward speed --cost fuel=0.2 --binary large.occ")]
pub struct Export {
    /// The model.
    #[command(flatten)]
    pub source: SourceArgs,
    /// The format and the file.
    #[command(flatten)]
    pub target: Target,
    /// Replace the file if it exists
    #[arg(long)]
    pub force: bool,
}

/// Where a model is written to.
#[derive(Debug, ClapArgs)]
#[group(required = true, multiple = false)]
pub struct Target {
    /// Write Storm's explicit format; - for stdout
    #[arg(long, value_name = "FILE")]
    pub drn: Option<PathBuf>,
    /// Write this program's own text format, budgets included; - for stdout
    #[arg(long, value_name = "FILE")]
    pub cmdp: Option<PathBuf>,
    /// Write a table, a line for every possible outcome, budgets in comments; - for stdout
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write bytes that keep every bit and are read back many times faster than text, for models that are solved again; - for stdout
    #[arg(long, value_name = "FILE")]
    pub binary: Option<PathBuf>,
}

/// The formats of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A model in this program's text format
    Cmdp,
    /// A model as a table
    Csv,
    /// A model in Storm's explicit format
    Drn,
    /// A gridworld map
    Map,
    /// A model as bytes, as `export --binary` writes it
    Binary,
}

impl Format {
    /// The format as the library names it.
    pub fn named(self) -> occupancy_lab::Format {
        match self {
            Format::Cmdp => occupancy_lab::Format::Text,
            Format::Csv => occupancy_lab::Format::Table,
            Format::Drn => occupancy_lab::Format::Drn,
            Format::Map => occupancy_lab::Format::Map,
            Format::Binary => occupancy_lab::Format::Binary,
        }
    }
}
