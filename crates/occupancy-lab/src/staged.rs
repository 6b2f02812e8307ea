//! Files that appear whole or not at all: written beside their place first, then renamed into it.

use crate::{Error, Result};
use occupancy::error::system;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that is written but not yet in its place, so that several can appear together; it goes away if it is not
/// published.
#[derive(Debug)]
pub struct Staged {
    /// Where it is; nothing if it went to its place directly.
    temporary: Option<PathBuf>,
    target: PathBuf,
}

/// Writes a file whole, piece by piece, into a temporary file beside it. A link is followed; what is no ordinary file
/// (`/dev/null`, a pipe) is written to directly, since renaming would replace it.
pub fn stage(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<Staged> {
    let failed = |error: io::Error| unwritable(path, system(&error));
    if path == Path::new("/dev/stdout") {
        // Opened anew, it would write over what else is printed into the same file.
        write(&mut io::stdout().lock()).map_err(failed)?;
        return Ok(Staged { temporary: None, target: path.to_path_buf() });
    }
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(unwritable(path, "it is a folder")),
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
        std::fs::rename(temporary, &self.target).map_err(|error| unwritable(&self.target, system(&error)))?;
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

/// The error of a file that cannot be written.
pub(crate) fn unwritable(path: &Path, reason: impl Into<String>) -> Error {
    Error::Unwritable { path: path.to_path_buf(), reason: reason.into() }
}

fn buffered(file: File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    out.flush()
}

/// Removes the temporary files in a folder that programs which are no more have left beside what they wrote. If the system does
/// not say which programs there are, they stay.
pub fn sweep(folder: &Path) {
    let is_gone =
        |process: &str| Path::new("/proc/self").exists() && !Path::new("/proc").join(process).exists();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if writer(&entry.file_name().to_string_lossy()).is_some_and(is_gone) {
            // What cannot be removed does no harm.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// The process that wrote a temporary file, by its name.
fn writer(name: &str) -> Option<&str> {
    let (_, process) = name.strip_prefix('.')?.strip_suffix(".tmp")?.rsplit_once('.')?;
    let is_number = !process.is_empty() && process.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(process)
}

fn beside(target: &Path) -> PathBuf {
    let name = target.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    target.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_files_are_known_by_their_names() {
        let name = beside(Path::new("figures/a.b.png"));
        let own = std::process::id().to_string();
        assert_eq!(writer(&name.file_name().unwrap().to_string_lossy()), Some(own.as_str()));
        for other in ["a.1.tmp", ".a.tmp", ".a.x.tmp", ".a.1.csv", ".a..tmp"] {
            assert_eq!(writer(other), None, "{other}");
        }
    }
}
