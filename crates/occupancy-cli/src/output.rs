//! Writes to the terminal and to files: a closed pipe is no error, and a file appears whole or not at all.

use crate::failure::{Failure, Result, wrong};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Prints to stdout.
pub fn print(bytes: &[u8]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Failure::Closed),
        Err(error) => wrong(format!("cannot write to the output: {error}")),
    }
}

/// Prints `error: …` to stderr, in one line whatever names are told; if that is closed too, there is nobody left to tell.
pub fn complain(text: &str) {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
    }
    let _ = writeln!(std::io::stderr(), "error: {line}");
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
        // Everything may be thrown away together.
        if taken.contains(&place(path)) && (path.is_file() || !path.exists()) {
            return refuse("it is named twice".into());
        }
        taken.push(place(path));
    }
    Ok(())
}

/// Writes files whole and together: into temporary files beside them, renamed once all are written. A link is followed;
/// what is no ordinary file (`/dev/null`, a pipe) is written to directly, since renaming would replace it.
pub fn write_files(files: &[(&Path, Vec<u8>)]) -> Result<()> {
    let mut staged = Vec::new();
    let written = files.iter().try_for_each(|(path, bytes)| {
        let failed =
            |error: std::io::Error| Failure::Use(format!("cannot write {}: {error}", path.display()));
        if path.exists() && !path.is_file() {
            return std::fs::write(path, bytes).map_err(failed);
        }
        let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let temporary = beside(&target);
        staged.push((temporary.clone(), target));
        std::fs::write(&temporary, bytes).map_err(failed)
    });
    let moved = written.and_then(|()| {
        staged.iter().try_for_each(|(temporary, target)| {
            let failed = |error| Failure::Use(format!("cannot write {}: {error}", target.display()));
            std::fs::rename(temporary, target).map_err(failed)
        })
    });
    if moved.is_err() {
        // The first error is the one to report.
        staged.iter().for_each(|(temporary, _)| drop(std::fs::remove_file(temporary)));
    }
    moved
}

fn beside(target: &Path) -> PathBuf {
    let name = target.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    target.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}
