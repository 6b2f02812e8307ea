//! `occupancy export`: writes a model to a file that the program, or another one, reads.

use crate::args::Export;
use crate::failure::{Result, wrong};
use crate::{output, source};
use occupancy::model::{Cmdp, binary, drn, table, text};
use std::io::{self, Write};

/// Writes a model in one of the formats.
type Writer = fn(&Cmdp, &mut dyn Write) -> io::Result<()>;

/// Runs the command.
pub fn run(args: &Export) -> Result<()> {
    let target = &args.target;
    let formats: [(_, Writer); 4] = [
        (&target.drn, |model, out| drn::write(model, out)),
        (&target.cmdp, |model, out| text::write(model, out)),
        (&target.csv, |model, out| table::write(model, out)),
        (&target.binary, |model, out| binary::write(model, out)),
    ];
    let wanted = formats.into_iter().find_map(|(path, format)| Some((path.as_ref()?, format)));
    let Some((path, format)) = wanted else {
        return wrong("export needs --cmdp FILE, --csv FILE, --drn FILE or --binary FILE");
    };
    let to_stdout = output::is_stdout(path);
    if !to_stdout && !args.force && path.is_file() {
        return wrong(format!("{} exists already; --force replaces it", path.display()));
    }
    if !to_stdout && !args.force {
        output::check_targets(&args.source.source, [path])?;
    }
    let source = source::open(&args.source)?;
    let write = |out: &mut dyn Write| format(&source.model, out);
    if to_stdout {
        return output::print_watched("the model", write);
    }
    output::stage(path, write)?.publish()?;
    Ok(())
}
