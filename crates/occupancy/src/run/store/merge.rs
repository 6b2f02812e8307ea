//! Uniting folders of results that hold runs of the same settings.

use super::{Place, Results, Stored, json, policies, read_manifest, term_file, timing_path, trial_path};
use crate::error::{Error, Result, ResultsProblem};
use std::path::{Path, PathBuf};

/// What was united.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Runs that were copied.
    pub copied: usize,
    /// Runs that were there already, with the same bytes.
    pub present: usize,
    /// Files that are not what was written, and were left out.
    pub damaged: Vec<PathBuf>,
}

/// A run that is to be copied.
struct Copy<'a> {
    from: &'a Results,
    label: String,
    run: u64,
}

/// Copies all runs of some folders into another one, which may be one of them. Nothing is copied where anything does not
/// belong together.
pub fn merge(into: &Path, parts: &[PathBuf]) -> Result<Merged> {
    let parts = parts.iter().map(Results::open).collect::<Result<Vec<Results>>>()?;
    let Some(first) = parts.first() else { return Ok(Merged::default()) };
    for part in &parts {
        belongs(&part.folder, &part.manifest, first)?;
    }
    let target = match read_manifest(into) {
        Ok(manifest) => {
            belongs(into, &manifest, first)?;
            Some(Results::open(into)?)
        }
        Err(Error::Results { problem: ResultsProblem::NoManifest, .. }) => None,
        Err(error) => return Err(error),
    };
    let mut merged = Merged::default();
    let copies = choose(&parts, into, target.as_ref(), &mut merged)?;
    let place = Place { folder: into.to_path_buf() };
    if target.is_none() {
        copy(&place, &first.folder, Path::new("experiment.toml"))?;
        copy_files(&place, &first.folder)?;
    }
    let mut manifest =
        target.as_ref().map_or_else(|| first.manifest.clone(), |target| target.manifest.clone());
    for other in &parts {
        manifest.runs = manifest.runs.max(other.manifest.runs);
        let new = other.manifest.sessions.iter().filter(|session| !manifest.sessions.contains(session));
        let new: Vec<_> = new.cloned().collect();
        manifest.sessions.extend(new);
    }
    place.put(Path::new("manifest.json"), &json(&manifest))?;
    for Copy { from, label, run } in &copies {
        copy(&place, &from.folder, &timing_path(label, *run))?;
        if *run == 0 {
            copy(&place, &from.folder, &policies::file(label))?;
            copy(&place, &from.folder, &term_file::file(label))?;
        }
        copy(&place, &from.folder, &trial_path(label, *run))?;
    }
    merged.copied = copies.len();
    Ok(merged)
}

fn belongs(folder: &Path, manifest: &super::Manifest, first: &Results) -> Result<()> {
    if manifest.hash == first.manifest.hash {
        return Ok(());
    }
    let difference = manifest.difference(&first.manifest.settings);
    let problem = ResultsProblem::Other { difference };
    Err(Error::Results { folder: folder.to_path_buf(), problem })
}

/// The runs to be copied: those that are whole and not there yet. Two folders that differ in a run are refused.
fn choose<'a>(
    parts: &'a [Results],
    into: &Path,
    target: Option<&Results>,
    merged: &mut Merged,
) -> Result<Vec<Copy<'a>>> {
    let mut copies: Vec<Copy<'a>> = Vec::new();
    for from in parts.iter().filter(|part| part.folder != into) {
        for label in from.labels() {
            for run in from.runs(label)? {
                if let Stored::Damaged(_) = from.stored(label, run)? {
                    merged.damaged.push(from.folder.join(trial_path(label, run)));
                    continue;
                }
                let same = |copy: &&Copy| copy.label == label && copy.run == run;
                let in_target =
                    target.filter(|target| target.stored(label, run).is_ok_and(|s| s == Stored::Whole));
                let other = copies.iter().find(same).map(|copy| copy.from).or(in_target);
                match other {
                    None => copies.push(Copy { from, label: label.to_string(), run }),
                    Some(other) => {
                        agree(from, other, &trial_path(label, run))?;
                        merged.present += 1;
                    }
                }
            }
        }
    }
    Ok(copies)
}

/// Refuses two folders whose files of one run differ.
fn agree(one: &Results, other: &Results, file: &Path) -> Result<()> {
    if read(&one.folder.join(file))? == read(&other.folder.join(file))? {
        return Ok(());
    }
    let (other, run) = (other.folder.clone(), file.display().to_string());
    Err(Error::Results { folder: one.folder.clone(), problem: ResultsProblem::Conflict { other, run } })
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|source| Error::File { path: path.to_path_buf(), source })
}

/// Copies a file that may be missing where it is not a run.
fn copy(place: &Place, from: &Path, file: &Path) -> Result<()> {
    let path = from.join(file);
    if !path.exists() && !file.starts_with("trials") {
        return Ok(());
    }
    place.put(file, &read(&path)?)
}

/// Copies the files that the experiment names.
fn copy_files(place: &Place, from: &Path) -> Result<()> {
    let Ok(entries) = std::fs::read_dir(from.join("files")) else { return Ok(()) };
    for entry in entries.flatten() {
        copy(place, from, &Path::new("files").join(entry.file_name()))?;
    }
    Ok(())
}
