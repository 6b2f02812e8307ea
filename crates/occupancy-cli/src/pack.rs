//! `occupancy pack`: the runs of an experiment in few files.

use crate::args::Pack;
use crate::failure::Result;
use crate::output;
use occupancy_lab::number::count;
use occupancy_lab::store::pack;

/// Runs the command.
pub fn run(args: &Pack) -> Result<()> {
    for folder in &args.folders {
        let packed = pack(folder)?;
        let (runs, files) = (count(packed.runs, "run"), count(packed.files, "file"));
        let sizes = format!("{} instead of {}", megabytes(packed.after), megabytes(packed.before));
        output::print(&format!("{runs} packed into {files} in {}, {sizes}\n", folder.display()))?;
    }
    Ok(())
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
