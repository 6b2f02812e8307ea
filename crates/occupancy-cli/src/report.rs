//! `occupancy report`: the page and the figures of stored runs.

use crate::failure::{Failure, Result};
use crate::show::wrap::wrapped;
use crate::{args, output, stored};
use occupancy_lab::catalogue::Catalogue;
use occupancy_lab::papers::provodin2022::Provodin2022;
use occupancy_lab::report::{ReportOptions, Written};
use std::path::Path;

/// Sentences on the terminal are broken at this width.
const WIDTH: usize = 100;

/// Runs the command.
pub fn run(args: &args::Report) -> Result<()> {
    let written = write(&args.folder, args.tolerance)?;
    output::print(&format!("{}\n{}\n", summary(&written), written.page.display()))?;
    if written.left_out.is_empty() { Ok(()) } else { Err(Failure::Stopped(written.left_out.join("; "))) }
}

/// Writes the page and the figures of a folder, and says what was found in it besides runs.
pub fn write(folder: &Path, tolerance: f64) -> Result<Written> {
    let options = ReportOptions {
        version: env!("CARGO_PKG_VERSION"),
        revision: env!("OCCUPANCY_REVISION"),
        catalogue: &Catalogue::standard(),
        paper: &Provodin2022,
        tolerance,
    };
    let written = occupancy_lab::report::write(folder, &options)?;
    for found in &written.inspected {
        stored::tell(&found.folder, &found.checked);
    }
    Ok(written)
}

/// The verdict in a few lines.
pub fn summary(written: &Written) -> String {
    let lines = written.sentences.iter().flat_map(|sentence| wrapped(sentence, WIDTH));
    lines.collect::<Vec<String>>().join("\n")
}
