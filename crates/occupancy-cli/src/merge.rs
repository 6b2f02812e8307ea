//! `occupancy merge`: folders of results of the same settings become one.

use crate::args::Merge;
use crate::failure::{Failure, Result, wrong};
use crate::{output, stored};
use occupancy_lab::error::list_damaged;
use occupancy_lab::number::count;
use occupancy_lab::store::{Merged, Results, merge};
use std::ops::Range;
use std::path::Path;

/// So many learners and ranges of missing runs are told.
const MOST_RANGES: usize = 5;

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
    if !merged.damaged.is_empty() {
        let list = list_damaged(&merged.damaged);
        return Err(Failure::Damaged(format!("left out because they are damaged: {list}")));
    }
    let Some(missing) = missing(&merged) else { return Ok(()) };
    if args.whole {
        return Err(Failure::Stopped(missing));
    }
    output::say(&missing);
    Ok(())
}

/// What is missing, and what would bring it; nothing if all is there.
fn missing(merged: &Merged) -> Option<String> {
    let ranges = |runs: &[Range<u64>]| {
        let one = |runs: &Range<u64>| format!("{}..{}", runs.start, runs.end);
        let few: Vec<String> = runs.iter().take(MOST_RANGES).map(one).collect();
        few.join(" ") + if runs.len() > MOST_RANGES { " …" } else { "" }
    };
    let few: Vec<String> = merged
        .missing
        .iter()
        .take(MOST_RANGES)
        .map(|(label, runs)| format!("{label} {}", ranges(runs)))
        .collect();
    let more = if merged.missing.len() > MOST_RANGES { "; …" } else { "" };
    let runs = count(merged.missing_runs() as usize, "run");
    let words = if merged.missing_runs() == 1 { "is" } else { "are" };
    (!few.is_empty()).then(|| {
        format!(
            "{runs} {words} missing: {}{more}; `occupancy run` with the same --out does them",
            few.join("; ")
        )
    })
}
