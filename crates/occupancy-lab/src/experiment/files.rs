//! Files that an experiment names: a model, a map, a table of prior weights.

use crate::error::{Error, Result, ResultsProblem};
use crate::experiment::sha256;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A copy of a file that an experiment names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copied {
    /// Its name.
    pub name: String,
    /// Its SHA-256.
    pub sha256: String,
}

/// A file that an experiment names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NamedFile {
    pub path: PathBuf,
    /// The name of its copy.
    pub copy: String,
    /// The SHA-256 of its content when the experiment was read.
    pub hash: String,
    /// Its size and the time of its last change then.
    stamp: Option<(u64, SystemTime)>,
}

impl NamedFile {
    /// What the manifest says of it.
    pub fn copied(&self) -> Copied {
        Copied { name: self.copy.clone(), sha256: self.hash.clone() }
    }

    /// Its bytes, which must be those that the experiment was read with.
    pub fn reread(&self) -> Result<Vec<u8>> {
        let bytes = read(&self.path)?;
        if sha256(&bytes) == self.hash {
            return Ok(bytes);
        }
        let (folder, path) = (PathBuf::new(), self.path.clone());
        Err(Error::Results { folder, problem: ResultsProblem::Edited { path } })
    }

    /// Refuses a file that is not what it was. It is read only if its size or its time tell of a change: models are large.
    pub fn check_unedited(&self) -> Result<()> {
        let untouched = self.stamp.is_some() && stamp(&self.path) == self.stamp;
        if untouched { Ok(()) } else { self.reread().map(drop) }
    }
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|source| Error::File { path: path.to_path_buf(), source })
}

/// The size of a file and the time of its last change.
pub(crate) fn stamp(path: &Path) -> Option<(u64, SystemTime)> {
    let found = std::fs::metadata(path).ok()?;
    Some((found.len(), found.modified().ok()?))
}

/// The files of an experiment as they are found.
pub(super) struct Files {
    /// Where they are looked for.
    pub folder: PathBuf,
    /// Whether the folder holds copies.
    pub copies: bool,
    pub found: Vec<NamedFile>,
}

impl Files {
    /// The path of a file and the hash of its content.
    pub fn take(&mut self, name: &str) -> Result<(PathBuf, String)> {
        let copy = name.replace(['/', '\\', ':'], "_");
        let path = self.folder.join(if self.copies { &copy } else { name });
        // Before the content, so that a change in between is noticed.
        let stamp = stamp(&path);
        let hash = sha256(&read(&path)?);
        if self.found.iter().all(|other| other.copy != copy) {
            self.found.push(NamedFile { path: path.clone(), copy, hash: hash.clone(), stamp });
        }
        Ok((path, format!("sha256:{hash}")))
    }
}
