//! Stored results, read back as arrays.

use crate::arrays::array;
use crate::errors;
use crate::experiment::catalogue;
use crate::learn::columns;
use crate::learner::Described;
use numpy::PyArray1;
use occupancy::sim::Level;
use occupancy_lab::analyse::{Summary, SummaryConfig};
use occupancy_lab::store;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;

/// A folder of results.
#[pyclass(frozen, module = "occupancy._core")]
pub struct Results(store::Results);

/// A quantity of a learner: label, name, runs, mean, standard deviation, and the ends of its interval.
type Row = (String, String, usize, f64, Option<f64>, Option<f64>, Option<f64>);

#[pymethods]
impl Results {
    /// The results in a folder, all of whose files are what was written.
    #[staticmethod]
    fn open(py: Python<'_>, folder: PathBuf) -> PyResult<Results> {
        py.detach(|| {
            let results = store::Results::open(folder)?;
            results.check()?.refuse_damage(&results.folder)?;
            Ok(Results(results))
        })
        .map_err(errors::of_lab)
    }

    #[getter]
    fn name(&self) -> String {
        self.0.manifest.name.clone()
    }

    #[getter]
    fn hash(&self) -> String {
        self.0.manifest.hash.clone()
    }

    #[getter]
    fn environment(&self) -> String {
        self.0.manifest.environment.name.clone()
    }

    #[getter]
    fn rounds(&self) -> u64 {
        self.0.manifest.rounds
    }

    #[getter]
    fn window(&self) -> u64 {
        self.0.manifest.windows.first().copied().unwrap_or(1)
    }

    #[getter]
    fn costs(&self) -> Vec<String> {
        self.0.manifest.environment.costs.clone()
    }

    #[getter]
    fn budgets(&self) -> Vec<f64> {
        self.0.manifest.environment.budgets.clone()
    }

    #[getter]
    fn settings(&self) -> Vec<(String, String)> {
        self.0.manifest.settings.clone()
    }

    /// Labels and the names of the learners behind them.
    #[getter]
    fn learners(&self) -> Vec<(String, String)> {
        self.0.manifest.learners.iter().map(|entry| (entry.label.clone(), entry.kind.clone())).collect()
    }

    /// What the true model allows: gain and costs of each level.
    fn levels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let level = |level: &Level| (level.reward, level.costs.clone());
        let (found, levels) = (PyDict::new(py), &self.0.manifest.baseline);
        found.set_item("optimal", levels.optimal.as_ref().map(level))?;
        found.set_item("fast", level(&levels.fast))?;
        found.set_item("safe", levels.safe.as_ref().map(level))?;
        Ok(found)
    }

    fn runs(&self, label: &str) -> PyResult<Vec<u64>> {
        self.0.runs(label).map_err(errors::of_lab)
    }

    /// What was recorded of a run.
    fn record<'py>(&self, py: Python<'py>, label: &str, run: u64) -> PyResult<Bound<'py, PyDict>> {
        let record = py.detach(|| self.0.record(label, run)).map_err(errors::of_lab)?;
        columns(py, &record, &|_, column| column.to_vec())
    }

    /// The steps at which every run is recorded.
    fn grid<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        array(py, self.0.grid().steps().iter().map(|&step| step as i64).collect())
    }

    /// Every quantity of every learner at the end; those of Python have to be given.
    fn summary(
        &self,
        py: Python<'_>,
        learners: Vec<Described>,
        tolerance: Option<f64>,
    ) -> PyResult<Vec<Row>> {
        let (catalogue, _) = catalogue(learners);
        let summary = py.detach(|| {
            let env = self.0.experiment(&catalogue)?.build()?;
            let mut config = SummaryConfig::default();
            config.tolerance = tolerance.unwrap_or(config.tolerance);
            Summary::of(&self.0, &env.model, config)
        });
        let mut rows = Vec::new();
        for learner in summary.map_err(errors::of_lab)?.learners {
            for (name, found) in learner.quantities {
                let (low, high) = found.interval.unzip();
                let label = learner.label.clone();
                rows.push((label, name, found.count, found.mean, found.deviation, low, high));
            }
        }
        Ok(rows)
    }
}
