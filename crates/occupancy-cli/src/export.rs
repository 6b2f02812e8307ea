//! `occupancy export`: writes a model to a file that the program, or another one, reads.

use crate::args::Export;
use crate::failure::{Result, wrong};
use crate::{output, source};
use occupancy_lab::staged;
use std::io::Write;
use std::path::Path;

/// Runs the command.
pub fn run(args: &Export) -> Result<()> {
    let (path, is_drn) = match (&args.target.drn, &args.target.cmdp) {
        (Some(path), _) => (path, true),
        (_, Some(path)) => (path, false),
        _ => return wrong("export needs --drn FILE or --cmdp FILE"),
    };
    let to_stdout = path == Path::new("-");
    if !to_stdout && !args.force && path.is_file() {
        return wrong(format!("{} exists already; --force replaces it", path.display()));
    }
    if !to_stdout && !args.force {
        output::check_targets(&args.source.source, [path])?;
    }
    let source = source::open(&args.source)?;
    if source.has_negated_costs() {
        return wrong("export writes costs as they are: give the budget as NAME=BUDGET, without >=");
    }
    let format = if is_drn { source::write_drn } else { source::write_text };
    let write = |out: &mut dyn Write| format(&source.model, out);
    if to_stdout {
        return output::print_with(write);
    }
    staged::stage(path, write)?.publish()?;
    Ok(())
}
