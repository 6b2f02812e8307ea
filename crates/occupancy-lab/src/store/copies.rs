//! The copies of what was asked for: `experiment.toml` and the files that it names.
//!
//! They follow from the manifest: the text is in it, and the hash of each file.

use super::layout::{self, EXPERIMENT, FILES};
use super::{FolderWriter, Manifest};
use crate::error::{Damage, Error, Result, ResultsProblem};
use crate::experiment::Experiment;
use crate::experiment::sha256;
use std::path::{Path, PathBuf};

/// The copies that are not what was written.
pub(super) fn damage(folder: &Path, manifest: &Manifest) -> Result<Vec<(PathBuf, Damage)>> {
    let mut found = Vec::new();
    let text = manifest.experiment.iter().map(|text| (PathBuf::from(EXPERIMENT), sha256(text.as_bytes())));
    let files = manifest.files.iter().map(|file| (Path::new(FILES).join(&file.name), file.sha256.clone()));
    for (file, hash) in text.chain(files) {
        match layout::read(&folder.join(&file))?.bytes() {
            Ok(bytes) if sha256(&bytes) == hash => {}
            Ok(_) => found.push((file, Damage::Checksum)),
            Err(damage) => found.push((file, damage)),
        }
    }
    Ok(found)
}

/// Makes the copies that are missing or damaged. The files of the experiment must be those that it was read with, whether
/// there is anything to copy or not: they may have been edited while levels were planned.
pub(super) fn mend(writer: &FolderWriter, manifest: &Manifest, experiment: &Experiment) -> Result<()> {
    let mut sources = Vec::new();
    for file in &experiment.files {
        sources.push((&file.copy, &file.hash, file.reread().map_err(|error| edited(writer, error))?));
    }
    let Some(text) = &manifest.experiment else {
        // The first programs kept the text of the last session.
        for (copy, _, bytes) in &sources {
            writer.put_changed(&Path::new(FILES).join(copy), bytes)?;
        }
        return writer.put_changed(Path::new(EXPERIMENT), experiment.text.as_bytes());
    };
    for file in &manifest.files {
        // Another experiment of the same settings may call its files otherwise.
        if let Some((_, _, bytes)) = sources.iter().find(|(_, hash, _)| **hash == file.sha256) {
            writer.put_changed(&Path::new(FILES).join(&file.name), bytes)?;
        }
    }
    writer.put_changed(Path::new(EXPERIMENT), text.as_bytes())
}

/// The error for a file of the experiment that is not what it was.
pub(super) fn edited(writer: &FolderWriter, error: Error) -> Error {
    match error {
        Error::Results { problem: problem @ ResultsProblem::Edited { .. }, .. } => {
            Error::Results { folder: writer.folder.clone(), problem }
        }
        other => other,
    }
}
