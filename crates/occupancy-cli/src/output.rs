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

/// Says something on stderr; where nobody listens, there is nobody to tell.
pub fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{}", in_one_line(text));
}

/// Prints `error: …` to stderr, in one line whatever names it tells; if that is closed too, there is nobody left to tell.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "error: {}", in_one_line(text));
}

fn in_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line
}

/// Refuses, before any work is done, files that cannot be written or that would replace each other or the source.
pub fn check_targets<'a>(source: &str, paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<()> {
    let place = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let mut taken = Vec::new();
    for path in paths {
        let refuse = |why: String| wrong(format!("cannot write {}: {why}", path.display()));
        if path.is_dir() {
            return refuse("it is a folder".into());
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return refuse(format!("there is no folder {}", folder.display()));
        }
        if path.is_file() && place(path) == place(Path::new(source)) {
            return refuse("the model is read from it".into());
        }
        // Several things may be thrown away into one place.
        if taken.contains(&place(path)) && (path.is_file() || !path.exists()) {
            return refuse("it is named twice".into());
        }
        taken.push(place(path));
    }
    Ok(())
}

/// A file that is written but not yet in its place, so that several can appear together; it goes away where it is not
/// published.
pub struct Staged {
    /// Where it is; nothing where it went to its place directly.
    temporary: Option<PathBuf>,
    target: PathBuf,
}

/// Writes a file whole, piece by piece, into a temporary file beside it. A link is followed; what is no ordinary file
/// (`/dev/null`, a pipe) is written to directly, since renaming would replace it.
pub fn stage(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<Staged> {
    let failed = |error: io::Error| Failure::Use(format!("cannot write {}: {error}", path.display()));
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => {
            return wrong(format!("cannot write {}: it is a folder", path.display()));
        }
        Ok(found) if !found.is_file() => {
            let opened = File::options().write(true).open(path);
            opened.and_then(|file| buffered(file, write)).map_err(failed)?;
            return Ok(Staged { temporary: None, target });
        }
        _ => {}
    }
    let temporary = beside(&target);
    let file = File::create(&temporary).map_err(failed)?;
    let staged = Staged { temporary: Some(temporary), target };
    buffered(file, write).map_err(failed)?;
    Ok(staged)
}

impl Staged {
    /// Puts the file in its place.
    pub fn publish(mut self) -> Result<()> {
        let Some(temporary) = &self.temporary else { return Ok(()) };
        let failed =
            |error: io::Error| Failure::Use(format!("cannot write {}: {error}", self.target.display()));
        std::fs::rename(temporary, &self.target).map_err(failed)?;
        self.temporary = None;
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // There is an error to report already.
            let _ = std::fs::remove_file(temporary);
        }
    }
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
