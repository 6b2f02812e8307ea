//! Writes to the terminal and to files: a closed pipe is no error, and a file appears whole or not at all.

use crate::failure::{Failure, Result, wrong};
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Prints to stdout.
pub fn print(bytes: &[u8]) -> Result<()> {
    print_with(|out| out.write_all(bytes))
}

/// Prints to stdout what `write` writes, piece by piece.
pub fn print_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Failure::Closed),
        Err(error) => wrong(format!("cannot write to the output: {error}")),
    }
}

/// Prints `error: …` to stderr; if that is closed too, there is nobody left to tell.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "error: {text}");
}

/// Writes a file whole.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    write_file_with(path, |out| out.write_all(bytes))
}

/// Writes a file whole, piece by piece: into a temporary file beside it, then renamed. A link is followed; what is no
/// ordinary file (`/dev/null`, a pipe) is written to directly, since renaming would replace it.
pub fn write_file_with(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let failed = |error: io::Error| Failure::Use(format!("cannot write {}: {error}", path.display()));
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => {
            return wrong(format!("cannot write {}: it is a folder", path.display()));
        }
        Ok(found) if !found.is_file() => {
            let opened = File::options().write(true).open(path);
            return opened.and_then(|file| buffered(file, write)).map_err(failed);
        }
        _ => {}
    }
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let temporary = beside(&target);
    let written = File::create(&temporary)
        .and_then(|file| buffered(file, write))
        .and_then(|()| std::fs::rename(&temporary, &target));
    if written.is_err() {
        // The first error is the one to report.
        let _ = std::fs::remove_file(&temporary);
    }
    written.map_err(failed)
}

fn buffered(file: File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    out.flush()
}

fn beside(target: &Path) -> PathBuf {
    let name = target.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    target.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}
