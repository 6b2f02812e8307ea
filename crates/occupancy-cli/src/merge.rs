//! `occupancy merge`: folders of results of the same settings become one.

use crate::args::Merge;
use crate::failure::{Result, wrong};
use crate::output;
use crate::source::count;
use occupancy::run::merge;

/// Runs the command.
pub fn run(args: &Merge) -> Result<()> {
    let into = args.out.as_ref().unwrap_or(&args.parts[0]);
    if args.out.is_none() && args.parts.len() == 1 {
        return wrong("one folder alone has nothing to be united with; give another DIR or --out DIR");
    }
    let merged = merge(into, &args.parts)?;
    let mut text = format!("{} copied into {}", count(merged.copied, "run"), into.display());
    if merged.present > 0 {
        text += &format!("; {} there already with the same bytes", merged.present);
    }
    for file in &merged.damaged {
        text += &format!("\n{} is damaged and was left out", file.display());
    }
    output::print(&format!("{text}\n"))
}
