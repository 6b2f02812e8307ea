//! Files that are written whole or not at all: into `tmp/`, to the disk, and then renamed.
//!
//! A file in `tmp/` is called `<host>-<process>.<start>-<n>`, where the start of the process tells it from later ones of
//! the same number. What a killed process leaves there is swept away by the next one on the same host.

use crate::error::{Error, Result};
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Files of processes that cannot be asked, because they are elsewhere, are kept for this long.
const FOREIGN: Duration = Duration::from_secs(7 * 24 * 3600);
/// Numbers the files of this process.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// A folder whose files are written whole.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub folder: PathBuf,
}

/// The name of this machine.
pub(super) fn host() -> String {
    let read = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = read.or_else(|| std::env::var("HOSTNAME").ok()).or_else(|| std::env::var("COMPUTERNAME").ok());
    let name = name.unwrap_or_default();
    let tame: String = name.trim().chars().filter(|c| c.is_ascii_alphanumeric() || *c == '.').collect();
    if tame.is_empty() { "unknown".to_string() } else { tame }
}

/// The number of this process and its start.
fn process() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let number = std::process::id();
        format!("{number}.{}", start_of(number).unwrap_or(0))
    })
}

/// When a process began, in the system's own unit; `None` where there is no such process, or no such answer.
fn start_of(number: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    // The name before the bracket may hold anything; the start is the twentieth field after it.
    text.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

/// Whether a process of this machine is running; `None` where the system does not say.
fn is_alive(process: &str) -> Option<bool> {
    let (number, start) = process.split_once('.')?;
    let (number, start): (u32, u64) = (number.parse().ok()?, start.parse().ok()?);
    start_of(std::process::id()).map(|_| start_of(number) == Some(start))
}

impl Place {
    /// Writes a file, replacing the one that is there.
    pub fn put(&self, file: &Path, bytes: &[u8]) -> Result<()> {
        let target = self.folder.join(file);
        let failed = |source| Error::File { path: target.clone(), source };
        if let Some(folder) = target.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let staged = self.stage(bytes)?;
        let renamed = std::fs::rename(&staged, &target);
        renamed.map_err(|source| {
            // There is an error to report already.
            let _ = std::fs::remove_file(&staged);
            failed(source)
        })
    }

    /// Writes a file unless it is there with these bytes.
    pub fn put_changed(&self, file: &Path, bytes: &[u8]) -> Result<()> {
        if std::fs::read(self.folder.join(file)).is_ok_and(|found| found == bytes) {
            return Ok(());
        }
        self.put(file, bytes)
    }

    /// Writes a file unless there is one; `false` where there is.
    pub fn put_new(&self, file: &Path, bytes: &[u8]) -> Result<bool> {
        let target = self.folder.join(file);
        let staged = self.stage(bytes)?;
        let linked = std::fs::hard_link(&staged, &target);
        // Whatever became of the link, the staged name has served.
        let _ = std::fs::remove_file(&staged);
        match linked {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            // Some systems have no links.
            Err(_) if target.exists() => Ok(false),
            Err(_) => self.put(file, bytes).map(|()| true),
        }
    }

    /// Writes a file of its own in `tmp/`, to the disk.
    fn stage(&self, bytes: &[u8]) -> Result<PathBuf> {
        let folder = self.folder.join("tmp");
        std::fs::create_dir_all(&folder).map_err(|source| Error::File { path: folder.clone(), source })?;
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("{}-{}-{number}", host(), process()));
            let written = match File::create_new(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                Err(error) => Err(error),
                Ok(mut file) => file.write_all(bytes).and_then(|()| file.sync_all()),
            };
            return match written {
                Ok(()) => Ok(path),
                Err(source) => {
                    let _ = std::fs::remove_file(&path);
                    Err(Error::File { path, source })
                }
            };
        }
    }

    /// Removes what processes that are no more have left behind. What cannot be removed does no harm.
    pub fn sweep(&self) {
        let Ok(entries) = std::fs::read_dir(self.folder.join("tmp")) else { return };
        let host = host();
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let mut parts = name.rsplitn(3, '-');
            let (_, process, owner) = (parts.next(), parts.next(), parts.next());
            let old = || {
                let age = entry.metadata().and_then(|data| data.modified()).ok()?.elapsed().ok()?;
                Some(age > FOREIGN)
            };
            let gone = match process.filter(|_| owner == Some(&host)).and_then(is_alive) {
                Some(alive) => !alive,
                None => old().unwrap_or(false),
            };
            if gone {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    /// Whether another process has files in `tmp/` just now.
    pub fn is_busy(&self) -> bool {
        let own = format!("{}-{}-", host(), process());
        let Ok(mut entries) = std::fs::read_dir(self.folder.join("tmp")) else { return false };
        entries.any(|entry| entry.is_ok_and(|entry| !entry.file_name().to_string_lossy().starts_with(&own)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(test: &str) -> Place {
        let folder = std::env::temp_dir().join(format!("occupancy-place-{test}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Place { folder }
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_is_left_behind() {
        let place = place("whole");
        place.put(Path::new("a/b.csv"), b"one").unwrap();
        place.put(Path::new("a/b.csv"), b"two").unwrap();
        assert_eq!(std::fs::read(place.folder.join("a/b.csv")).unwrap(), b"two");
        assert!(!place.put_new(Path::new("a/b.csv"), b"three").unwrap());
        assert!(place.put_new(Path::new("c.csv"), b"three").unwrap());
        assert_eq!(std::fs::read(place.folder.join("a/b.csv")).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(place.folder.join("tmp")).unwrap().count(), 0);
        std::fs::remove_dir_all(&place.folder).unwrap();
    }

    #[test]
    fn only_the_files_of_processes_that_are_no_more_are_swept_away() {
        let place = place("sweep");
        std::fs::create_dir_all(place.folder.join("tmp")).unwrap();
        let file = |name: String| place.folder.join("tmp").join(name);
        let dead = format!("{}-{}.1-0", host(), std::process::id());
        let own = format!("{}-{}-0", host(), process());
        let names = [dead, own, "elsewhere-1-0".to_string(), "notes".to_string()];
        names.iter().for_each(|name| std::fs::write(file(name.clone()), "x").unwrap());
        assert!(place.is_busy());
        place.sweep();
        let left = names.map(|name| file(name).exists());
        assert_eq!(left, [!cfg!(target_os = "linux"), true, true, true]);
        std::fs::remove_dir_all(&place.folder).unwrap();
    }
}
