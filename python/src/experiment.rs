//! Experiments: files that describe them, their runs, and reports.

use crate::errors::{self, wrong};
use crate::learner::{Described, PyLearnerConfig};
use crate::raised::{self, Raised};
use crate::waiting;
use occupancy::stop::StopFlag;
use occupancy_lab::catalogue::Catalogue;
use occupancy_lab::experiment;
use occupancy_lab::papers::provodin2022::Provodin2022;
use occupancy_lab::report::{ReportOptions, write};
use occupancy_lab::runner::Agenda;
use occupancy_lab::{Progress, RunOptions, RunReport, RunWatch};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Told of progress at most so often.
const PAUSE: Duration = Duration::from_millis(200);

/// How an experiment is run: which runs, on how many threads, and whether statistics are made in the end.
#[derive(FromPyObject)]
struct How {
    runs: Option<(u64, u64)>,
    jobs: Option<usize>,
    set_aside: bool,
    statistics: bool,
}

/// One experiment of a file.
#[pyclass(frozen, module = "occupancy._core")]
pub struct Experiment {
    experiment: experiment::Experiment,
    raised: Vec<Raised>,
}

/// The learners and presets of the library, and learners of Python.
pub fn catalogue(learners: Vec<Described>) -> (Catalogue, Vec<Raised>) {
    let (mut catalogue, mut raised) = (Catalogue::standard(), Vec::new());
    for described in learners {
        let own = PyLearnerConfig::from(described);
        raised.push(Raised::clone(&own.raised));
        catalogue = catalogue.with_learner(own);
    }
    (catalogue, raised)
}

#[pymethods]
impl Experiment {
    /// The experiments of a file, or of a text as if it were read from that file.
    #[staticmethod]
    fn read(path: PathBuf, text: Option<&str>, learners: Vec<Described>) -> PyResult<Vec<Experiment>> {
        let (catalogue, raised) = catalogue(learners);
        let read = match text {
            Some(text) => experiment::Experiment::from_text(text, &path, &catalogue),
            None => experiment::Experiment::read(&path, &catalogue),
        };
        let one = |experiment| Experiment { experiment, raised: raised.clone() };
        Ok(read.map_err(errors::of_lab)?.into_iter().map(one).collect())
    }

    /// The experiment of a folder that holds `experiment.toml` and the copies of its files, which has to have this hash.
    #[staticmethod]
    fn from_copy(
        folder: PathBuf,
        hash: &str,
        name: String,
        learners: Vec<Described>,
    ) -> PyResult<Experiment> {
        let (catalogue, raised) = catalogue(learners);
        let read = experiment::Experiment::read_copy(&folder, &catalogue).map_err(errors::of_lab)?;
        let Some(mut found) = read.into_iter().find(|one| one.hash() == hash) else {
            return wrong(format!(
                "{name} has other settings here than where it was submitted: the version of the package or the source of a learner differs"
            ));
        };
        found.name = name;
        Ok(Experiment { experiment: found, raised })
    }

    /// The files that it names: names of their copies, and bytes.
    fn copies<'py>(&self, py: Python<'py>) -> PyResult<Vec<(String, Bound<'py, PyBytes>)>> {
        let copies = self.experiment.copies().map_err(errors::of_lab)?;
        Ok(copies.into_iter().map(|(name, bytes)| (name, PyBytes::new(py, &bytes))).collect())
    }

    #[getter]
    fn name(&self) -> String {
        self.experiment.name.clone()
    }

    #[getter]
    fn text(&self) -> String {
        self.experiment.text.clone()
    }

    #[getter]
    fn rounds(&self) -> u64 {
        self.experiment.rounds
    }

    #[getter]
    fn runs(&self) -> u64 {
        self.experiment.runs
    }

    #[getter]
    fn labels(&self) -> Vec<String> {
        self.experiment.learners.iter().map(|learner| learner.label.clone()).collect()
    }

    #[getter]
    fn settings(&self) -> Vec<(String, String)> {
        self.experiment.settings()
    }

    #[getter]
    fn hash(&self) -> String {
        self.experiment.hash()
    }

    /// Runs what is not stored yet in a folder: done, kept, elsewhere, failures (label, run, why).
    fn run<'py>(
        &self,
        py: Python<'py>,
        folder: PathBuf,
        how: How,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let options = RunOptions {
            runs: how.runs.map(|(first, end)| first..end),
            jobs: how.jobs,
            set_aside: how.set_aside,
            statistics: how.statistics,
            version: env!("CARGO_PKG_VERSION").to_string(),
            ..RunOptions::default()
        };
        let (experiment, stop) = (self.experiment.clone(), StopFlag::new());
        let raised = Raised::default();
        let mut watcher =
            Watcher { stop: stop.clone(), raised: Raised::clone(&raised), progress, last: None };
        let place = folder.clone();
        let done = waiting::patiently(py, &stop, None, move || {
            occupancy_lab::run(&experiment, &place, &options, &mut watcher)
        })?;
        if let Some(raised) = raised::take(&raised) {
            return Err(raised);
        }
        let report = done.result.map_err(errors::of_lab)?;
        self.told(py, &folder, report)
    }
}

impl Experiment {
    fn told<'py>(&self, py: Python<'py>, folder: &Path, report: RunReport) -> PyResult<Bound<'py, PyDict>> {
        let Some(outcome) = report.outcome else { return wrong("no run was begun") };
        if let Some(error) = outcome.broken {
            let stored = outcome.done + outcome.elsewhere;
            return wrong(format!(
                "cannot write {error}; {stored} runs are stored in {}, and the same call goes on from there",
                folder.display()
            ));
        }
        if let Some(raised) = self.raised.iter().find_map(raised::take) {
            return Err(raised);
        }
        let failed: Vec<(String, u64, String)> =
            outcome.failed.into_iter().map(|run| (run.label, run.run, run.reason)).collect();
        let told = PyDict::new(py);
        told.set_item("done", outcome.done)?;
        told.set_item("elsewhere", outcome.elsewhere)?;
        told.set_item("kept", report.agenda.kept.iter().sum::<usize>())?;
        told.set_item("stopped", outcome.stopped)?;
        told.set_item("failed", failed)?;
        Ok(told)
    }
}

/// Tells Python of progress, and hears of the flag.
struct Watcher {
    stop: StopFlag,
    raised: Raised,
    progress: Option<Py<PyAny>>,
    last: Option<Instant>,
}

impl RunWatch for Watcher {
    fn agenda(&mut self, _: &Agenda) -> ControlFlow<()> {
        if self.stop.asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        if self.stop.asked() {
            progress.leave();
            return ControlFlow::Break(());
        }
        if self.last.is_some_and(|last| last.elapsed() < PAUSE) {
            return ControlFlow::Continue(());
        }
        self.last = Some(Instant::now());
        let Some(told) = &self.progress else { return ControlFlow::Continue(()) };
        let by_learner: Vec<(String, usize, usize, u64)> = progress
            .learners
            .iter()
            .map(|learner| (learner.label.clone(), learner.ended, learner.runs, learner.steps))
            .collect();
        let said = Python::attach(|py| told.call1(py, (by_learner,)).map(drop));
        if let Err(error) = said {
            raised::keep(&self.raised, error);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// Copies the runs of some folders into another one: how many were copied, how many were there, and how many are still missing.
#[pyfunction]
pub fn merge(py: Python<'_>, into: PathBuf, parts: Vec<PathBuf>) -> PyResult<(usize, usize, u64)> {
    let merged = py.detach(|| occupancy_lab::store::merge(&into, &parts)).map_err(errors::of_lab)?;
    if let Some((file, damage)) = merged.damaged.first() {
        return wrong(format!("{}: {damage}; its run was left out", file.display()));
    }
    Ok((merged.copied, merged.present, merged.missing_runs()))
}

/// Puts the runs of a folder that have files of their own into few files: how many runs, into how many files.
#[pyfunction]
pub fn pack(py: Python<'_>, folder: PathBuf) -> PyResult<(usize, usize)> {
    let packed = py.detach(|| occupancy_lab::store::pack(&folder)).map_err(errors::of_lab)?;
    Ok((packed.runs, packed.files))
}

/// Writes the page of a folder of results: its path, what it says, and what was left out.
#[pyfunction]
pub fn report(
    py: Python<'_>,
    folder: PathBuf,
    learners: Vec<Described>,
    tolerance: Option<f64>,
) -> PyResult<(PathBuf, Vec<String>, Vec<String>)> {
    let (catalogue, _) = catalogue(learners);
    let done = waiting::patiently(py, &StopFlag::new(), None, move || {
        let mut options = ReportOptions { paper: &Provodin2022, ..ReportOptions::new(&catalogue) };
        options.tolerance = tolerance.unwrap_or(options.tolerance);
        write(&folder, &options)
    })?;
    let written = done.result.map_err(errors::of_lab)?;
    Ok((written.page, written.sentences, written.left_out))
}
