//! The files of one run, held against each other: its table, its receipt, and what belongs to run 0.

use super::layout::{self, Found};
use super::packs::{Packs, Table};
use super::receipt::{More, Receipt};
use super::{Manifest, policies, term_file, trial_file};
use crate::error::{Damage, Result};
use crate::experiment::sha256;
use occupancy::sim::{Grid, Record};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where the files of runs are, and what they have to be like.
#[derive(Clone, Copy)]
pub(super) struct RunFiles<'a> {
    pub folder: &'a Path,
    /// The hash of the settings.
    pub settings: &'a str,
    /// Whether every run has to have a receipt.
    pub strict: bool,
    pub costs: usize,
    pub grid: &'a Grid,
    /// Where runs without files of their own are.
    pub packs: &'a Packs,
}

/// What is stored of a run.
pub(super) enum RunState {
    Missing,
    Damaged { file: PathBuf, damage: Damage },
    Whole { record: Arc<Record>, receipt: Option<Box<Receipt>> },
}

/// A damaged file.
type Bad = (PathBuf, Damage);

impl<'a> RunFiles<'a> {
    pub fn new(folder: &'a Path, manifest: &'a Manifest, grid: &'a Grid, packs: &'a Packs) -> RunFiles<'a> {
        let (settings, strict) = (manifest.hash.as_str(), manifest.sealed);
        RunFiles { folder, settings, strict, costs: manifest.environment.costs.len(), grid, packs }
    }

    /// Looks at all files of a run.
    pub fn inspect(&self, label: &str, run: u64) -> Result<RunState> {
        let (file, bytes) = match self.table(label, run)? {
            Some(found) => found,
            None => return Ok(RunState::Missing),
        };
        let receipt = self.receipt(label, run)?;
        #[cfg(test)]
        readings::note(self.folder);
        let looked = bytes.map_err(|damage| (file.clone(), damage)).and_then(|bytes| {
            let record = trial_file::read(&String::from_utf8_lossy(&bytes), self.costs, Some(self.grid));
            let record = record.map_err(|damage| (file.clone(), damage))?;
            let receipt = receipt?;
            let changed = receipt.as_ref().is_some_and(|receipt| receipt.trial != sha256(&bytes));
            if changed { Err((file, Damage::Checksum)) } else { Ok((record, receipt)) }
        });
        let (record, receipt) = match looked {
            Ok(looked) => looked,
            Err((file, damage)) => return Ok(RunState::Damaged { file, damage }),
        };
        let more = receipt.as_ref().and_then(|receipt| receipt.more.as_ref());
        Ok(match more.map_or(Ok(None), |more| self.beside(label, more))? {
            Some((file, damage)) => RunState::Damaged { file, damage },
            None => RunState::Whole { record: Arc::new(record), receipt: receipt.map(Box::new) },
        })
    }

    /// The bytes of a run's table and the file that they are in; `None` where there is none.
    pub fn table(&self, label: &str, run: u64) -> Result<Option<Table>> {
        let file = layout::trial(label, run);
        Ok(match layout::read(&self.folder.join(&file))? {
            Found::Nothing => self.packs.trial(label, run),
            found => Some((file, found.bytes())),
        })
    }

    /// The receipt of a run; `None` where the first programs wrote none.
    pub fn receipt(&self, label: &str, run: u64) -> Result<std::result::Result<Option<Receipt>, Bad>> {
        let file = layout::timing(label, run);
        let bytes = match layout::read(&self.folder.join(&file))? {
            Found::Nothing => match self.packs.receipt(label, run) {
                Some(bytes) => Ok(bytes),
                None if !self.strict => return Ok(Ok(None)),
                None => Err(Damage::Missing),
            },
            found => found.bytes(),
        };
        let read = bytes.and_then(|bytes| Receipt::from_csv(&bytes).ok_or(Damage::Checksum));
        let belongs = |receipt: &Receipt| {
            let more = receipt.more.as_ref();
            let fits = more.is_none_or(|more| more.learner == label && more.settings == self.settings);
            fits && receipt.timing.run == run
        };
        Ok(match read {
            Ok(receipt) if belongs(&receipt) => Ok(Some(receipt)),
            Ok(_) => Err((file, Damage::Misplaced)),
            Err(damage) => Err((file, damage)),
        })
    }

    /// The first file beside a run's table that is not what its receipt says.
    fn beside(&self, label: &str, more: &More) -> Result<Option<Bad>> {
        let files = [(policies::file(label), &more.policies), (term_file::file(label), &more.terms)];
        for (file, hash) in files {
            let Some(hash) = hash else { continue };
            match layout::read(&self.folder.join(&file))?.bytes() {
                Ok(bytes) if sha256(&bytes) == *hash => {}
                Ok(_) => return Ok(Some((file, Damage::Checksum))),
                Err(damage) => return Ok(Some((file, damage))),
            }
        }
        Ok(None)
    }
}

/// How often runs were taken apart, by folder.
#[cfg(test)]
pub(crate) mod readings {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};
    use std::sync::Mutex;

    static COUNTS: Mutex<BTreeMap<PathBuf, usize>> = Mutex::new(BTreeMap::new());

    pub(super) fn note(folder: &Path) {
        *COUNTS.lock().unwrap().entry(folder.to_path_buf()).or_default() += 1;
    }

    /// How often the runs in a folder were taken apart while something was done.
    pub fn during<T>(folder: &Path, work: impl FnOnce() -> T) -> (usize, T) {
        let count = || COUNTS.lock().unwrap().get(folder).copied().unwrap_or(0);
        let (before, done) = (count(), work());
        (count() - before, done)
    }
}
