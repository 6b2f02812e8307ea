//! `occupancy merge`: folders of results of the same settings become one.

use crate::args::Merge;
use crate::failure::{Failure, Result, wrong};
use crate::{output, stored};
use occupancy_lab::error::list_damaged;
use occupancy_lab::number::count;
use occupancy_lab::store::{Results, merge};
use std::path::Path;

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
    stored::tell_strays(Path::new(""), &merged.strays);
    let results = Results::open(into)?;
    results.put("SHA256SUMS", results.sums()?.as_bytes())?;
    output::print(&format!("{text}\n"))?;
    if merged.damaged.is_empty() {
        return Ok(());
    }
    let list = list_damaged(&merged.damaged);
    Err(Failure::Damaged(format!("left out because they are damaged: {list}")))
}
