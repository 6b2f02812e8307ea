//! Filling a folder of results.

use super::folder_writer::Whole;
use super::layout::{self, MANIFEST, TRIALS};
use super::packs::Packs;
use super::receipt::{More, Receipt};
use super::{
    FolderWriter, Manifest, RunFiles, RunState, Session, Sessions, Stored, copies, manifest_file, policies,
    seal, term_file, trial_file,
};
use crate::error::{Damage, Error, Result, ResultsProblem};
use crate::experiment::Experiment;
use crate::experiment::{sha256, stamp};
use crate::terms;
use crate::timed::TimedTrial;
use occupancy::model::Cmdp;
use occupancy::sim::{Baseline, Grid};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

/// The folder of an experiment, to be filled.
#[derive(Debug)]
pub struct Store<'a> {
    writer: FolderWriter,
    experiment: &'a Experiment,
    model: &'a Cmdp,
    manifest: Manifest,
    grid: Grid,
    /// The learners whose run 0 has a table of terms.
    explained: BTreeSet<&'a str>,
    /// Whether every run in the folder has to have a receipt.
    strict: OnceLock<bool>,
    /// Runs that were packed before this session.
    packs: OnceLock<Packs>,
    /// Size and time of the manifest when the folder was found to be that of these settings. With 10 000 learners it has
    /// 13 MB: too much to be read for every group of runs.
    claimed: Mutex<Option<(u64, SystemTime)>>,
}

/// The files of a run, ready to be stored.
#[derive(Clone, Debug)]
pub struct Parcel {
    /// What is there before the run counts as stored.
    beside: Vec<Whole>,
    trial: Whole,
}

impl<'a> Store<'a> {
    /// The folder of an experiment; nothing is read or written yet.
    pub fn new(
        folder: impl Into<PathBuf>,
        experiment: &'a Experiment,
        model: &'a Cmdp,
        baseline: &Baseline,
    ) -> Store<'a> {
        let explained =
            experiment.learners.iter().filter(|learner| terms::are_known(learner.config.as_ref()));
        Store {
            writer: FolderWriter { folder: folder.into() },
            experiment,
            model,
            manifest: Manifest::new(experiment, model, baseline),
            grid: experiment.grid(),
            explained: explained.map(|learner| learner.label.as_str()).collect(),
            strict: OnceLock::new(),
            packs: OnceLock::new(),
            claimed: Mutex::default(),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.writer.folder
    }

    /// Refuses a folder that holds anything else than runs of these settings.
    pub fn check(&self) -> Result<()> {
        self.found()?.map_or(Ok(()), |found| self.same(&found))
    }

    /// The manifest of the folder; `None` where it can be made: there is nothing there, or sessions say whose runs these are.
    fn found(&self) -> Result<Option<Manifest>> {
        let error = match manifest_file::read(self.folder()) {
            Ok(found) => return Ok(Some(found)),
            Err(error) => error,
        };
        let Error::Results { problem, .. } = &error else { return Err(error) };
        let makeable = match problem {
            ResultsProblem::NoManifest => true,
            problem if problem.is_damage() => {
                let sessions = Sessions::read(self.folder(), &self.manifest.hash)?;
                let others = sessions.damaged.iter().any(|(_, damage)| *damage == Damage::Misplaced);
                let empty = layout::names(self.folder(), TRIALS)?.is_empty();
                !others && (empty || sessions.witnesses > 0)
            }
            _ => false,
        };
        if makeable { Ok(None) } else { Err(error) }
    }

    fn same(&self, found: &Manifest) -> Result<()> {
        if found.hash == self.manifest.hash {
            return Ok(());
        }
        let problem = ResultsProblem::Other { difference: found.difference(&self.manifest.settings) };
        Err(Error::Results { folder: self.folder().to_path_buf(), problem })
    }

    /// The files beside the runs that are not what was written: [`prepare`](Store::prepare) makes them again.
    pub fn damage(&self) -> Result<Vec<(PathBuf, Damage)>> {
        let manifest = match manifest_file::read(self.folder()) {
            Ok(manifest) => manifest,
            Err(Error::Results { problem: ResultsProblem::Damaged { damage, .. }, .. }) => {
                return Ok(vec![(PathBuf::from(MANIFEST), damage)]);
            }
            Err(Error::Results { problem: ResultsProblem::Unmarked, .. }) => {
                return Ok(vec![(PathBuf::from(MANIFEST), Damage::Missing)]);
            }
            Err(Error::Results { problem: ResultsProblem::NoManifest, .. }) => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut damage = copies::damage(self.folder(), &manifest)?;
        damage.extend(Sessions::read(self.folder(), &manifest.hash)?.damaged);
        Ok(damage)
    }

    /// Makes the folder ready for runs, and notes that a session begins. What is damaged beside the runs is made again.
    pub fn prepare(&self, session: &Session) -> Result<()> {
        self.check()?;
        self.writer.sweep();
        // The first to write a manifest claims the folder; what is written after that is what this manifest says.
        let found = if self.writer.put_new(MANIFEST, &seal::seal(&self.manifest))? {
            self.manifest.clone()
        } else if let Some(found) = self.found()? {
            self.same(&found)?;
            found
        } else {
            self.writer.put(Path::new(MANIFEST), &seal::seal(&self.manifest))?;
            self.manifest.clone()
        };
        self.claim();
        copies::mend(&self.writer, &found, self.experiment)?;
        for (file, _) in Sessions::read(self.folder(), &found.hash)?.damaged {
            let path = self.folder().join(file);
            std::fs::remove_file(&path).map_err(|source| Error::File { path, source })?;
        }
        session.note(&self.writer, &self.manifest.hash, self.experiment.runs)?;
        self.writer.arrive()
    }

    /// Keeps in mind that the manifest is the right one.
    fn claim(&self) {
        *self.claimed.lock().unwrap_or_else(PoisonError::into_inner) = stamp(&self.folder().join(MANIFEST));
    }

    /// Notes that a session ends.
    pub fn finish(&self, session: &Session) -> Result<()> {
        self.writer.sweep();
        self.still_same()?;
        session.ended().note(&self.writer, &self.manifest.hash, self.experiment.runs)
    }

    /// What is stored of a run.
    pub fn stored(&self, label: &str, run: u64) -> Result<Stored> {
        let folder = self.folder();
        let strict =
            *self.strict.get_or_init(|| manifest_file::read(folder).map_or(true, |manifest| manifest.sealed));
        let packs = match self.packs.get() {
            Some(packs) => packs,
            None => {
                let found = Packs::open(folder)?;
                self.packs.get_or_init(|| found)
            }
        };
        let files = RunFiles { strict, ..RunFiles::new(folder, &self.manifest, &self.grid, packs) };
        let state = files.inspect(label, run)?;
        // Results of the first programs may lack a table that belongs to run 0 now.
        let lacks = |file: PathBuf| !folder.join(file).exists();
        let unfinished = run == 0
            && (lacks(policies::file(label))
                || self.explained.contains(label) && lacks(term_file::file(label)));
        Ok(if unfinished && matches!(state, RunState::Whole { .. }) { Stored::Missing } else { state.into() })
    }

    /// The files of a run, ready to be stored.
    pub fn pack(&self, label: &str, run: u64, timed: &TimedTrial) -> Parcel {
        let bytes = trial_file::write(&timed.trial.record).into_bytes();
        let mut beside = Vec::new();
        let mut add = |file: PathBuf, bytes: Vec<u8>| {
            let hash = sha256(&bytes);
            beside.push((file, bytes));
            hash
        };
        let policies = (run == 0)
            .then(|| add(policies::file(label), policies::write(self.model, &timed.trial.snapshots)));
        let terms = (run == 0 && self.explained.contains(label))
            .then(|| add(term_file::file(label), term_file::write(&timed.terms).into_bytes()));
        let (learner, settings) = (label.to_string(), self.manifest.hash.clone());
        let more = More { policies, terms, learner, settings };
        let receipt = Receipt::new(run, timed, sha256(&bytes), more);
        beside.push((layout::timing(label, run), receipt.to_csv().into_bytes()));
        Parcel { beside, trial: (layout::trial(label, run), bytes) }
    }

    /// Stores runs together: they are on the disk when this returns.
    pub fn write_runs(&self, parcels: &[Parcel]) -> Result<()> {
        self.still_same()?;
        let beside = parcels.iter().flat_map(|parcel| &parcel.beside).collect();
        let trials = parcels.iter().map(|parcel| &parcel.trial).collect();
        self.writer.put_waves(&[beside, trials])
    }

    /// Refuses to go on where someone has put other settings in this place, or has edited a file that learners read.
    fn still_same(&self) -> Result<()> {
        for file in &self.experiment.files {
            file.check_unedited().map_err(|error| copies::edited(&self.writer, error))?;
        }
        let found = stamp(&self.folder().join(MANIFEST));
        if found.is_some() && *self.claimed.lock().unwrap_or_else(PoisonError::into_inner) == found {
            return Ok(());
        }
        self.same(&manifest_file::read(self.folder())?)?;
        self.claim();
        Ok(())
    }

    /// Removes what processes that are no more have left behind.
    pub fn sweep(&self) {
        self.writer.sweep();
    }

    /// Whether another process is at work here.
    pub fn is_busy(&self) -> bool {
        self.writer.is_busy()
    }

    /// Takes back the note that this process is at work here.
    pub fn leave(&self) {
        self.writer.leave();
    }
}

impl Drop for Store<'_> {
    fn drop(&mut self) {
        self.leave();
    }
}
