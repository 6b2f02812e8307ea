//! The folder of results of an experiment: every run in a file of its own, readable without this program.
//!
//! ```text
//! experiment.toml               the experiment, as it was given
//! files/                        files that it names
//! manifest.json                 what was run, with which program, where and when; the levels of the true model
//! trials/<learner>/007.csv      run 7: cumulative sums at the steps of the grid
//! timings/<learner>/007.csv     how long run 7 took, where, and the hash of its file
//! policies/<learner>.csv        policy and prices of run 0 at a few epochs
//! terms/<learner>.csv           what regret and violation of run 0 are made of, where the learner shows its drawn models
//! tmp/                          files that are being written
//! ```
//!
//! The bytes of `trials/`, `policies/` and `terms/` follow from the settings alone: not from threads, order, or how often
//! the work was stopped. A run is stored when its file in `trials/` is there; the files that belong to it are written before.

mod manifest;
mod merge;
mod place;
mod policies;
mod results;
mod term_file;
mod trial_file;

pub use manifest::{Entry, Levels, Manifest, Session, Shape};
pub use merge::{Merged, merge};
pub use results::{Results, Timing};

use super::experiment::sha256;
use super::{Baseline, Experiment, Grid, Trial};
use crate::error::{Damage, Error, Result, ResultsProblem};
use crate::model::Cmdp;
use place::Place;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The folder of an experiment, to be filled.
#[derive(Debug)]
pub struct Store<'a> {
    place: Place,
    experiment: &'a Experiment,
    model: &'a Cmdp,
    manifest: Manifest,
    grid: Grid,
}

/// What is stored of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stored {
    /// Nothing, or not all that belongs to it.
    Missing,
    /// The whole run.
    Whole,
    /// A file that is not what was written.
    Damaged(Damage),
}

impl<'a> Store<'a> {
    /// The folder of an experiment; nothing is read or written yet.
    pub fn new(
        folder: impl Into<PathBuf>,
        experiment: &'a Experiment,
        model: &'a Cmdp,
        baseline: &Baseline,
    ) -> Store<'a> {
        let manifest = Manifest::new(experiment, model, baseline);
        let grid = experiment.grid();
        Store { place: Place { folder: folder.into() }, experiment, model, manifest, grid }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.place.folder
    }

    /// Refuses a folder that holds anything else than runs of these settings.
    pub fn check(&self) -> Result<()> {
        match read_manifest(self.folder()) {
            Ok(found) => self.same(&found),
            Err(Error::Results { problem: ResultsProblem::NoManifest, .. }) => {
                let trials = std::fs::read_dir(self.folder().join("trials"));
                let empty = trials.map_or(true, |mut entries| entries.next().is_none());
                if empty { Ok(()) } else { Err(self.wrong(ResultsProblem::Unmarked)) }
            }
            Err(error) => Err(error),
        }
    }

    fn same(&self, found: &Manifest) -> Result<()> {
        if found.hash == self.manifest.hash {
            return Ok(());
        }
        let difference = found.difference(&self.manifest.settings);
        Err(self.wrong(ResultsProblem::Other { difference }))
    }

    fn wrong(&self, problem: ResultsProblem) -> Error {
        Error::Results { folder: self.folder().to_path_buf(), problem }
    }

    /// Makes the folder ready for runs, and notes that a session begins.
    pub fn prepare(&self, session: &Session) -> Result<()> {
        self.check()?;
        self.place.sweep();
        for (path, copy) in &self.experiment.files {
            let bytes = std::fs::read(path).map_err(|source| Error::File { path: path.clone(), source })?;
            self.place.put_changed(&Path::new("files").join(copy), &bytes)?;
        }
        self.place.put_changed(Path::new("experiment.toml"), self.experiment.text.as_bytes())?;
        let mut manifest = self.manifest.clone();
        manifest.sessions.push(session.clone());
        if self.place.put_new(Path::new("manifest.json"), &json(&manifest))? {
            return Ok(());
        }
        let found = read_manifest(self.folder())?;
        self.same(&found)?;
        manifest.runs = manifest.runs.max(found.runs);
        manifest.sessions = found.sessions;
        manifest.sessions.push(session.clone());
        self.place.put(Path::new("manifest.json"), &json(&manifest))
    }

    /// Notes that a session ends.
    pub fn finish(&self, session: &Session) -> Result<()> {
        self.place.sweep();
        let mut manifest = read_manifest(self.folder())?;
        self.same(&manifest)?;
        let open = |other: &&mut Session| *other == session;
        if let Some(noted) = manifest.sessions.iter_mut().rev().find(open) {
            noted.ended = Some(manifest::now());
        }
        self.place.put(Path::new("manifest.json"), &json(&manifest))
    }

    /// What is stored of a run.
    pub fn stored(&self, label: &str, run: u64) -> Result<Stored> {
        let lacks = |file: PathBuf| !self.folder().join(file).exists();
        if run == 0
            && (lacks(policies::file(label)) || self.has_terms(label) && lacks(term_file::file(label)))
        {
            return Ok(Stored::Missing);
        }
        stored(self.folder(), label, run, self.model.costs(), &self.grid)
    }

    /// Whether a table of terms belongs to run 0 of a learner.
    fn has_terms(&self, label: &str) -> bool {
        self.experiment.learners.iter().any(|one| one.label == label && one.config.kind.shows_drawn())
    }

    /// Stores a run.
    pub fn keep(&self, label: &str, run: u64, trial: &Trial) -> Result<()> {
        // Someone may have put other settings in this place in the meantime.
        self.same(&read_manifest(self.folder())?)?;
        let bytes = trial_file::write(&trial.record).into_bytes();
        let timing = Timing::of(run, trial, &sha256(&bytes));
        self.place.put(&timing_path(label, run), timing.to_csv().as_bytes())?;
        if run == 0 {
            self.place.put_changed(&policies::file(label), &policies::write(self.model, &trial.snapshots))?;
            if self.has_terms(label) {
                self.place.put_changed(&term_file::file(label), term_file::write(&trial.terms).as_bytes())?;
            }
        }
        self.place.put(&trial_path(label, run), &bytes)
    }

    /// Removes what processes that are no more have left behind.
    pub fn sweep(&self) {
        self.place.sweep();
    }

    /// Whether another process is writing here.
    pub fn is_busy(&self) -> bool {
        self.place.is_busy()
    }
}

/// Moves the results in a folder aside; where they are then.
pub fn set_aside(folder: &Path) -> Result<PathBuf> {
    let failed = |source| Error::File { path: folder.to_path_buf(), source };
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let target = (1..).map(|n| folder.with_file_name(format!("{name}.old-{n}"))).find(|path| !path.exists());
    let target = target.unwrap_or_else(|| folder.to_path_buf());
    std::fs::rename(folder, &target).map_err(failed)?;
    Ok(target)
}

fn trial_path(label: &str, run: u64) -> PathBuf {
    Path::new("trials").join(label).join(format!("{run:03}.csv"))
}

fn timing_path(label: &str, run: u64) -> PathBuf {
    Path::new("timings").join(label).join(format!("{run:03}.csv"))
}

/// What is stored of a run in a folder; where its hash was kept, the bytes must be those that were written.
fn stored(folder: &Path, label: &str, run: u64, costs: usize, grid: &Grid) -> Result<Stored> {
    let path = folder.join(trial_path(label, run));
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Stored::Missing),
        Err(source) => return Err(Error::File { path, source }),
    };
    let text = String::from_utf8_lossy(&bytes);
    if let Err(damage) = trial_file::read(&text, costs, Some(grid)) {
        return Ok(Stored::Damaged(damage));
    }
    let noted = std::fs::read_to_string(folder.join(timing_path(label, run)));
    let hash = noted.ok().and_then(|text| Timing::from_csv(&text)).map(|timing| timing.hash);
    let changed = hash.is_some_and(|hash| hash != sha256(&bytes));
    Ok(if changed { Stored::Damaged(Damage::Checksum) } else { Stored::Whole })
}

fn json(manifest: &Manifest) -> Vec<u8> {
    // A manifest has nothing that JSON cannot write.
    let mut text = serde_json::to_vec_pretty(manifest).unwrap_or_default();
    text.push(b'\n');
    text
}

/// The manifest of a folder.
fn read_manifest(folder: &Path) -> Result<Manifest> {
    let wrong = |problem| Error::Results { folder: folder.to_path_buf(), problem };
    let path = folder.join("manifest.json");
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Err(wrong(ResultsProblem::NoManifest));
        }
        Err(source) => return Err(Error::File { path, source }),
    };
    serde_json::from_slice(&bytes)
        .map_err(|error| wrong(ResultsProblem::Manifest { message: error.to_string() }))
}
