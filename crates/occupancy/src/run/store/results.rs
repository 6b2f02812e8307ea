//! Reading a folder of results.

use super::{Manifest, Stored, policies, read_manifest, stored, term_file, trial_file, trial_path};
use crate::error::{Damage, Error, Result, ResultsProblem};
use crate::model::Cmdp;
use crate::run::{Experiment, Grid, Record, Snapshot, Terms, Trial, parallel};
use std::collections::BTreeMap;
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
    /// The runs of each learner, where they were read ahead.
    loaded: Option<BTreeMap<String, Vec<Loaded>>>,
}

/// A run that was read ahead.
#[derive(Clone, Debug)]
struct Loaded {
    run: u64,
    record: Arc<Record>,
    timing: Option<Timing>,
}

/// How long a run took.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// The run.
    pub run: u64,
    /// Seconds of the whole run.
    pub seconds: f64,
    /// Seconds spent in the learner.
    pub planning: f64,
    /// The machine.
    pub host: String,
    /// The SHA-256 of the run's file.
    pub hash: String,
}

impl Results {
    /// The results in a folder.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Results> {
        let folder = folder.into();
        let manifest = read_manifest(&folder)?;
        let grid = Grid::new(manifest.rounds, &manifest.windows);
        Ok(Results { folder, manifest, grid, loaded: None })
    }

    /// Reads all runs and their times ahead, on all cores, for a reader who looks at them more than once.
    pub fn load(&mut self) -> Result<()> {
        let mut files: Vec<(String, u64)> = Vec::new();
        for label in self.labels() {
            files.extend(self.runs(label)?.into_iter().map(|run| (label.to_string(), run)));
        }
        let read = parallel::map(&files, |(label, run)| -> Result<Loaded> {
            let (record, timing) = (self.record(label, *run)?, self.timing(label, *run));
            Ok(Loaded { run: *run, record, timing })
        });
        let mut loaded: BTreeMap<String, Vec<Loaded>> = BTreeMap::new();
        for ((label, _), one) in files.into_iter().zip(read) {
            loaded.entry(label).or_default().push(one?);
        }
        self.loaded = Some(loaded);
        Ok(())
    }

    /// What was read ahead of a run.
    fn loaded(&self, label: &str, run: u64) -> Option<&Loaded> {
        let runs = self.loaded.as_ref()?.get(label)?;
        runs.binary_search_by_key(&run, |one| one.run).ok().map(|at| &runs[at])
    }

    /// The steps at which every run is recorded.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The experiment, from the copy that the folder holds.
    pub fn experiment(&self) -> Result<Experiment> {
        let experiments = Experiment::read_copy(&self.folder)?;
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
        if self.labels().all(|known| known != label) {
            let known = self.labels().collect::<Vec<_>>().join(", ");
            return Err(self.wrong(ResultsProblem::NoLearner { learner: label.to_string(), known }));
        }
        if let Some(loaded) = &self.loaded {
            return Ok(loaded.get(label).into_iter().flatten().map(|one| one.run).collect());
        }
        let Ok(entries) = std::fs::read_dir(self.folder.join("trials").join(label)) else {
            return Ok(Vec::new());
        };
        let run = |name: String| name.strip_suffix(".csv")?.parse().ok();
        let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut runs: Vec<u64> = names.filter_map(run).collect();
        runs.sort_unstable();
        Ok(runs)
    }

    /// What was recorded of a run.
    pub fn record(&self, label: &str, run: u64) -> Result<Arc<Record>> {
        if let Some(loaded) = self.loaded(label, run) {
            return Ok(Arc::clone(&loaded.record));
        }
        let file = trial_path(label, run);
        let path = self.folder.join(&file);
        let text = std::fs::read_to_string(&path).map_err(|source| Error::File { path, source })?;
        let record = trial_file::read(&text, self.manifest.environment.costs.len(), Some(&self.grid));
        record.map(Arc::new).map_err(|damage| {
            self.wrong(ResultsProblem::Damaged { file: file.display().to_string(), damage })
        })
    }

    /// What was recorded of all runs of a learner, with their numbers.
    pub fn records(&self, label: &str) -> Result<Vec<(u64, Arc<Record>)>> {
        self.runs(label)?.into_iter().map(|run| Ok((run, self.record(label, run)?))).collect()
    }

    /// How long a run took, if that is known.
    pub fn timing(&self, label: &str, run: u64) -> Option<Timing> {
        if let Some(loaded) = self.loaded(label, run) {
            return loaded.timing.clone();
        }
        let text = std::fs::read_to_string(self.folder.join(super::timing_path(label, run))).ok()?;
        Timing::from_csv(&text)
    }

    /// The policies of run 0 on its way, in the experiment's model; none where run 0 is not stored.
    pub fn snapshots(&self, label: &str, model: &Cmdp) -> Result<Vec<Snapshot>> {
        let path = self.folder.join(policies::file(label));
        let Ok(bytes) = std::fs::read(&path) else { return Ok(Vec::new()) };
        policies::read(model, &bytes).ok_or_else(|| {
            let file = policies::file(label).display().to_string();
            self.wrong(ResultsProblem::Damaged { file, damage: Damage::Line { line: 1 } })
        })
    }

    /// What regret and violation of run 0 are made of; `None` where no such table is stored.
    pub fn terms(&self, label: &str) -> Result<Option<Vec<Terms>>> {
        let Ok(text) = std::fs::read_to_string(self.folder.join(term_file::file(label))) else {
            return Ok(None);
        };
        term_file::read(&text).map(Some).map_err(|line| {
            let file = term_file::file(label).display().to_string();
            self.wrong(ResultsProblem::Damaged { file, damage: Damage::Line { line } })
        })
    }

    /// Whether the file of a run is what was written.
    pub fn stored(&self, label: &str, run: u64) -> Result<Stored> {
        stored(&self.folder, label, run, self.manifest.environment.costs.len(), &self.grid)
    }

    /// The path of a file of a run, from the folder.
    pub fn trial_file(label: &str, run: u64) -> PathBuf {
        trial_path(label, run)
    }

    /// Writes a file of the results whole, unless it is there with these bytes.
    pub fn put(&self, file: impl AsRef<Path>, bytes: &[u8]) -> Result<()> {
        super::Place { folder: self.folder.clone() }.put_changed(file.as_ref(), bytes)
    }

    fn wrong(&self, problem: ResultsProblem) -> Error {
        Error::Results { folder: self.folder.clone(), problem }
    }
}

const HEAD: &str = "run,seconds,planning_seconds,host,trial_hash";

impl Timing {
    pub(super) fn of(run: u64, trial: &Trial, hash: &str) -> Timing {
        let (seconds, planning) = (trial.total.as_secs_f64(), trial.planning.as_secs_f64());
        Timing { run, seconds, planning, host: super::place::host(), hash: hash.to_string() }
    }

    pub(super) fn to_csv(&self) -> String {
        let Timing { run, seconds, planning, host, hash } = self;
        format!("{HEAD}\n{run},{seconds},{planning},{host},sha256:{hash}\n")
    }

    /// `None` for a text that is no such table: times promise nothing.
    pub(super) fn from_csv(text: &str) -> Option<Timing> {
        let cells: Vec<&str> = text.strip_prefix(HEAD)?.trim().split(',').collect();
        let [run, seconds, planning, host, hash] = cells[..] else { return None };
        Some(Timing {
            run: run.parse().ok()?,
            seconds: seconds.parse().ok()?,
            planning: planning.parse().ok()?,
            host: host.to_string(),
            hash: hash.strip_prefix("sha256:")?.to_string(),
        })
    }
}
