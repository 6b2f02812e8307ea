//! Where the files of a folder of results are, and how they are read: ordinary files alone, never through a link, and never
//! waiting for a pipe.

use crate::error::{Damage, Error, Result, ResultsProblem};
use crate::experiment::MOST_RUNS;
use std::fs::FileType;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub(super) const MANIFEST: &str = "manifest.json";
pub(super) const EXPERIMENT: &str = "experiment.toml";
pub(super) const FILES: &str = "files";
pub(super) const SESSIONS: &str = "sessions";
pub(super) const TRIALS: &str = "trials";
pub(super) const TIMINGS: &str = "timings";

/// The table of a run.
pub(super) fn trial(label: &str, run: u64) -> PathBuf {
    Path::new(TRIALS).join(label).join(format!("{run:03}.csv"))
}

/// The receipt of a run.
pub(super) fn timing(label: &str, run: u64) -> PathBuf {
    Path::new(TIMINGS).join(label).join(format!("{run:03}.csv"))
}

/// The run whose table has this name. `7.csv` is none: run 7 is in `007.csv`, and would count twice.
fn run_of(name: &str) -> Option<u64> {
    let run: u64 = name.strip_suffix(".csv")?.parse().ok()?;
    (run < MOST_RUNS && format!("{run:03}.csv") == name).then_some(run)
}

/// Which folder the table or the receipt of a run is in, its learner, and its number.
pub(super) fn of_run(file: &Path) -> Option<(&'static str, String, u64)> {
    let parts: Vec<String> = file.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let [kind, label, name] = &parts[..] else { return None };
    let kind = [TRIALS, TIMINGS].into_iter().find(|known| known == kind)?;
    Some((kind, label.clone(), run_of(name)?))
}

/// What is found in place of a file.
pub(super) enum Found {
    Nothing,
    Bytes(Vec<u8>),
    Odd(Damage),
}

impl Found {
    /// The bytes, or why there are none.
    pub fn bytes(self) -> std::result::Result<Vec<u8>, Damage> {
        match self {
            Found::Bytes(bytes) => Ok(bytes),
            Found::Nothing => Err(Damage::Missing),
            Found::Odd(damage) => Err(damage),
        }
    }
}

/// Reads an ordinary file.
pub(super) fn read(path: &Path) -> Result<Found> {
    let failed = |source| Error::File { path: path.to_path_buf(), source };
    let found = match std::fs::symlink_metadata(path) {
        Ok(found) => found.file_type(),
        Err(error) if is_nothing(&error) => return Ok(Found::Nothing),
        Err(source) => return Err(failed(source)),
    };
    if !found.is_file() {
        return Ok(Found::Odd(Damage::NotAFile { found: kind(found) }));
    }
    match std::fs::read(path) {
        Ok(bytes) => Ok(Found::Bytes(bytes)),
        // Another process has removed it since.
        Err(error) if is_nothing(&error) => Ok(Found::Nothing),
        Err(source) => Err(failed(source)),
    }
}

fn is_nothing(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn kind(found: FileType) -> &'static str {
    if found.is_symlink() {
        "a link"
    } else if found.is_dir() {
        "a folder"
    } else {
        "a pipe or a device"
    }
}

/// The names in a folder below the results, ascending; none where there is no such folder. A link is refused: what it
/// leads to is somewhere else.
pub(super) fn names(folder: &Path, below: impl AsRef<Path>) -> Result<Vec<String>> {
    let path = folder.join(below.as_ref());
    let failed = |source| Error::File { path: path.clone(), source };
    match std::fs::symlink_metadata(&path) {
        Ok(found) if found.is_dir() => {}
        Ok(found) => {
            let damage =
                Damage::Content { message: format!("it is {}, expected a folder", kind(found.file_type())) };
            return Err(damaged(folder, below.as_ref(), damage));
        }
        Err(error) if is_nothing(&error) => return Ok(Vec::new()),
        Err(source) => return Err(failed(source)),
    }
    let entries = std::fs::read_dir(&path).map_err(failed)?;
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry.map_err(failed)?.file_name().to_string_lossy().into_owned());
    }
    names.sort_unstable();
    Ok(names)
}

/// The runs of a learner that have a table, ascending, and the names beside them that are not those of runs.
pub(super) fn runs(folder: &Path, label: &str) -> Result<(Vec<u64>, Vec<String>)> {
    let (mut runs, mut strays) = (Vec::new(), Vec::new());
    for name in names(folder, Path::new(TRIALS).join(label))? {
        match run_of(&name) {
            Some(run) => runs.push(run),
            None => strays.push(name),
        }
    }
    runs.sort_unstable();
    Ok((runs, strays))
}

/// The error for a damaged file.
pub(super) fn damaged(folder: &Path, file: &Path, damage: Damage) -> Error {
    let problem = ResultsProblem::Damaged { file: file.display().to_string(), damage };
    Error::Results { folder: folder.to_path_buf(), problem }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_names_that_are_written_are_those_of_runs() {
        assert_eq!(["007.csv", "000.csv", "1234.csv"].map(run_of), [Some(7), Some(0), Some(1234)]);
        for name in ["7.csv", "0007.csv", "+07.csv", "007.CSV", "007", "x.csv", "007.csv~", "99999999999.csv"]
        {
            assert_eq!(run_of(name), None, "{name}");
        }
    }
}
