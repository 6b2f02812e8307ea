//! Reading a folder of results.

use super::layout::{self, Found};
use super::packs::Packs;
use super::{FolderWriter, Manifest, RunFiles, RunState, Stored, copies, manifest_file, policies, term_file};
use crate::catalogue::Catalogue;
use crate::error::{Damage, Error, Result, ResultsProblem};
use crate::experiment::Experiment;
use crate::terms::Terms;
use occupancy::model::Cmdp;
use occupancy::sim::{Grid, Record, Snapshot};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder of results, to be read.
#[derive(Clone, Debug)]
pub struct Results {
    /// The folder.
    pub folder: PathBuf,
    /// What it holds.
    pub manifest: Manifest,
    grid: Grid,
    /// The labels of the learners.
    known: Arc<BTreeSet<String>>,
    packs: Arc<Packs>,
}

impl Results {
    /// The results in a folder.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Results> {
        let folder = folder.into();
        let manifest = manifest_file::read_with_sessions(&folder)?;
        let grid = Grid::new(manifest.rounds, &manifest.windows);
        let known = manifest.learners.iter().map(|entry| entry.label.clone()).collect();
        let packs = Arc::new(Packs::open(&folder)?);
        Ok(Results { folder, manifest, grid, known: Arc::new(known), packs })
    }

    /// The steps at which every run is recorded.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The experiment, from the copy that the folder holds, with the learners and presets of the catalogue.
    pub fn experiment(&self, catalogue: &Catalogue) -> Result<Experiment> {
        if let Some((file, damage)) = copies::damage(&self.folder, &self.manifest)?.into_iter().next() {
            return Err(layout::damaged(&self.folder, &file, damage));
        }
        let experiments = Experiment::read_copy(&self.folder, catalogue)?;
        let named = |experiment: &Experiment| experiment.hash() == self.manifest.hash;
        let settings = experiments.first().map(Experiment::settings).unwrap_or_default();
        experiments.into_iter().find(named).ok_or_else(|| {
            let difference = self.manifest.difference(&settings);
            self.wrong(ResultsProblem::Other { difference })
        })
    }

    /// The labels of the learners, in the order of the experiment.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.manifest.learners.iter().map(|entry| entry.label.as_str())
    }

    /// The runs of a learner that are stored, ascending.
    pub fn runs(&self, label: &str) -> Result<Vec<u64>> {
        if !self.known.contains(label) {
            let known = self.labels().collect::<Vec<_>>().join(", ");
            return Err(self.wrong(ResultsProblem::NoLearner { learner: label.to_string(), known }));
        }
        self.stored_runs(label).map(|(runs, _)| runs)
    }

    /// The runs of a learner in files of their own and packed, ascending, and names among the first that are not those of runs.
    pub(super) fn stored_runs(&self, label: &str) -> Result<(Vec<u64>, Vec<String>)> {
        let (mut runs, strays) = layout::runs(&self.folder, label)?;
        let loose = runs.len();
        runs.extend(self.packs.runs(label));
        if loose < runs.len() && loose > 0 {
            runs.sort_unstable();
            runs.dedup();
        }
        Ok((runs, strays))
    }

    /// What is packed.
    pub(super) fn packs(&self) -> &Packs {
        &self.packs
    }

    /// The files of runs, and what they have to be like.
    pub(super) fn files(&self) -> RunFiles<'_> {
        RunFiles::new(&self.folder, &self.manifest, &self.grid, &self.packs)
    }

    /// What was recorded of a run, where all of its files are what was written.
    pub fn record(&self, label: &str, run: u64) -> Result<Arc<Record>> {
        match self.files().inspect(label, run)? {
            RunState::Whole { record, .. } => Ok(record),
            RunState::Damaged { file, damage } => Err(layout::damaged(&self.folder, &file, damage)),
            RunState::Missing => {
                Err(layout::damaged(&self.folder, &layout::trial(label, run), Damage::Missing))
            }
        }
    }

    /// The policies of run 0 on its way, in the experiment's model; none where run 0 is not stored.
    pub fn snapshots(&self, label: &str, model: &Cmdp) -> Result<Vec<Snapshot>> {
        let Some(bytes) = self.beside(&policies::file(label))? else { return Ok(Vec::new()) };
        policies::read(model, &bytes)
            .ok_or_else(|| layout::damaged(&self.folder, &policies::file(label), Damage::Line { line: 1 }))
    }

    /// What regret and violation of run 0 are made of; `None` where no such table is stored.
    pub fn terms(&self, label: &str) -> Result<Option<Vec<Terms>>> {
        let file = term_file::file(label);
        let Some(bytes) = self.beside(&file)? else { return Ok(None) };
        term_file::read(&String::from_utf8_lossy(&bytes))
            .map(Some)
            .map_err(|line| layout::damaged(&self.folder, &file, Damage::Line { line }))
    }

    /// The bytes of a file beside a run, if it is there.
    fn beside(&self, file: &Path) -> Result<Option<Vec<u8>>> {
        match layout::read(&self.folder.join(file))? {
            Found::Nothing => Ok(None),
            Found::Bytes(bytes) => Ok(Some(bytes)),
            Found::Odd(damage) => Err(layout::damaged(&self.folder, file, damage)),
        }
    }

    /// A file as if nothing were packed.
    pub(super) fn read(&self, file: &Path) -> Result<Found> {
        let found = layout::read(&self.folder.join(file))?;
        let Found::Nothing = found else { return Ok(found) };
        let Some((kind, label, run)) = layout::of_run(file) else { return Ok(found) };
        Ok(match kind {
            layout::TRIALS => match self.packs.trial(&label, run) {
                Some((_, Ok(bytes))) => Found::Bytes(bytes),
                Some((_, Err(damage))) => Found::Odd(damage),
                None => found,
            },
            _ => self.packs.receipt(&label, run).map_or(found, Found::Bytes),
        })
    }

    /// Whether the files of a run are what was written.
    pub fn stored(&self, label: &str, run: u64) -> Result<Stored> {
        self.files().inspect(label, run).map(Stored::from)
    }

    /// Writes a file of the results whole, unless it is there with these bytes.
    pub fn put(&self, file: impl AsRef<Path>, bytes: &[u8]) -> Result<()> {
        FolderWriter { folder: self.folder.clone() }.put_changed(file.as_ref(), bytes)
    }

    fn wrong(&self, problem: ResultsProblem) -> Error {
        Error::Results { folder: self.folder.clone(), problem }
    }
}
