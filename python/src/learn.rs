//! Runs of learners in a model.

use crate::arrays::array;
use crate::errors::{self, wrong};
use crate::learner::{self, Described, PyLearnerConfig};
use crate::model::Model;
use crate::raised::{self, Raised};
use crate::waiting;
use occupancy::env::Env;
use occupancy::learn::LearnerConfig;
use occupancy::seed::Seed;
use occupancy::sim::{
    Baseline, Grid, Level, Observer, Record, Snapshot, Trial, TrialConfig, ValueGaps, ValueObserver,
    check_learner,
};
use occupancy::stop::StopFlag;
use occupancy_lab::catalogue::Catalogue;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::ControlFlow;

/// A learner by its name, or one of Python.
#[derive(FromPyObject)]
pub enum Which {
    /// A name of the library.
    #[pyo3(transparent)]
    Named(String),
    /// A learner of Python.
    #[pyo3(transparent)]
    Own(Described),
}

/// What is run.
#[derive(FromPyObject)]
pub struct Asked {
    preset: String,
    options: Vec<(String, String)>,
    rounds: Option<u64>,
    episodes: Option<u64>,
    horizon: Option<usize>,
    window: Option<u64>,
    seed: u64,
    run: u64,
    values: bool,
}

/// The learner with its options for an environment, and where its exceptions go.
pub fn configured(
    which: Which,
    preset: &str,
    environment: &str,
    rounds: u64,
    options: &[(String, String)],
) -> PyResult<(Box<dyn LearnerConfig>, Raised)> {
    let catalogue = Catalogue::standard();
    let (mut config, raised): (Box<dyn LearnerConfig>, Raised) = match which {
        Which::Named(name) => {
            let preset = catalogue.preset(preset).map_err(errors::of)?;
            let found = catalogue.learner(&name, Some(preset), environment, rounds);
            (found.map_err(errors::of)?, Raised::default())
        }
        Which::Own(described) => {
            let own = PyLearnerConfig::from(described);
            let raised = Raised::clone(&own.raised);
            (Box::new(own), raised)
        }
    };
    for (key, value) in options {
        config.set(key, value).map_err(errors::of)?;
    }
    config.check_complete().map_err(errors::of)?;
    Ok((config, raised))
}

/// Everything that a run needs in a thread of its own.
struct Run {
    env: Env,
    config: Box<dyn LearnerConfig>,
    rounds: u64,
    grid: Grid,
    seed: Seed,
    run: u64,
    values: bool,
    stop: StopFlag,
    progress: Option<Py<PyAny>>,
    /// Where exceptions of the learner and of `progress` go.
    raised: Raised,
}

struct Done {
    trial: Trial,
    baseline: Baseline,
    values: Option<ValueGaps>,
}

impl Run {
    fn work(&self) -> occupancy::Result<Done> {
        let Env { model, episodes, .. } = &self.env;
        let baseline = occupancy_lab::levels(model, episodes.as_ref())?;
        let (learner, grid, seed) = (self.config.as_ref(), &self.grid, self.seed);
        let (rounds, run) = (self.rounds, self.run);
        let config = TrialConfig { model, baseline: &baseline, learner, rounds, grid, seed, run };
        let horizon = episodes.as_ref().map(|episodes| episodes.horizon);
        let mut values = ValueObserver::new(model, horizon, baseline.optimum());
        let mut listener = Listener { run: self };
        let trial = match self.values {
            true => config.run(&mut [&mut listener, &mut values])?,
            false => config.run(&mut [&mut listener])?,
        };
        let values = self.values.then(|| values.gaps.clone());
        Ok(Done { trial, baseline, values })
    }
}

/// Hears of the flag, and tells Python how far the run has come.
struct Listener<'a> {
    run: &'a Run,
}

impl Observer for Listener<'_> {
    fn recorded(&mut self, record: &Record) -> ControlFlow<()> {
        if self.run.stop.asked() {
            return ControlFlow::Break(());
        }
        if let Some(told) = &self.run.progress {
            let said = Python::attach(|py| told.call1(py, (record.steps(), self.run.rounds)).map(drop));
            if let Err(error) = said {
                raised::keep(&self.run.raised, error);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

/// Runs a learner in a model.
#[pyfunction]
pub fn learn<'py>(
    py: Python<'py>,
    model: &Model,
    which: Which,
    asked: Asked,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let catalogue = Catalogue::standard();
    let horizon = asked.horizon.or(model.episodes.map(|(horizon, _)| horizon));
    let rounds = match (asked.episodes, horizon, asked.rounds) {
        (Some(_), _, Some(_)) => {
            return wrong("give rounds or episodes, not both: rounds are episodes × horizon");
        }
        (Some(episodes), Some(horizon), None) => horizon as u64 * episodes,
        (Some(_), None, None) => {
            return wrong(format!("episodes need a horizon: {} has no episodes of its own", model.name));
        }
        (None, _, rounds) => rounds.unwrap_or_else(|| catalogue.rounds(&model.name)),
    };
    if rounds == 0 {
        return wrong("rounds is 0, expected at least 1");
    }
    let window = asked.window.unwrap_or_else(|| catalogue.window(&model.name, rounds));
    let is_own = matches!(which, Which::Own(_));
    let (config, raised) = configured(which, &asked.preset, &model.name, rounds, &asked.options)?;
    let env = model.env(horizon)?;
    let raise = |error: occupancy::Error| raised::take(&raised).unwrap_or_else(|| errors::of(error));
    check_learner(&env.model, config.as_ref(), rounds).map_err(raise)?;
    let settings: Vec<(String, String)> =
        config.infos().into_iter().map(|info| (info.name.to_string(), info.value)).collect();
    let stop = StopFlag::new();
    let run = Run {
        env,
        config,
        rounds,
        grid: Grid::new(rounds, &[window]),
        seed: Seed(asked.seed),
        run: asked.run,
        values: asked.values,
        stop: stop.clone(),
        progress,
        raised: Raised::clone(&raised),
    };
    let work = move || {
        let done = run.work();
        (run, done)
    };
    // A learner in Python is asked once an epoch. Without a state of the interpreter that lasts for the run, one is made and taken apart
    // each time, with a stack of its own: that took longer than the learner.
    let done = waiting::patiently(py, &stop, None, move || match is_own {
        true => Python::attach(|py| py.detach(work)),
        false => work(),
    })?;
    let (run, done) = done.result;
    let done = done.map_err(raise)?;
    let answer = PyDict::new(py);
    answer.set_item("record", record(py, model, &done.trial.record)?)?;
    answer.set_item("values", done.values.map(|gaps| (gaps.signed, gaps.strong)))?;
    answer.set_item("levels", levels(py, model, &done.baseline)?)?;
    let stages =
        run.env.episodes.as_ref().filter(|episodes| episodes.alike).map_or(1, |episodes| episodes.horizon);
    answer.set_item("stages", stages)?;
    answer.set_item("horizon", horizon)?;
    answer.set_item("policy", array(py, done.trial.policy.into_probabilities())?)?;
    answer.set_item("snapshots", snapshots(py, done.trial.snapshots)?)?;
    answer.set_item("unsettled", done.trial.unsettled)?;
    answer.set_item("counts", learner::Counts::of(&done.trial.counts, run.env.model.pairs()))?;
    answer.set_item("rounds", rounds)?;
    answer.set_item("window", window)?;
    answer.set_item("settings", settings)?;
    answer.set_item("budgets", model.shown_all(run.env.model.budgets()))?;
    Ok(answer)
}

/// The columns of a record.
pub fn record<'py>(py: Python<'py>, model: &Model, record: &Record) -> PyResult<Bound<'py, PyDict>> {
    let shown = |i: usize, column: &[f64]| column.iter().map(|&x| model.shown(i, x)).collect();
    columns(py, record, &shown)
}

/// The same, with costs as a function shows them.
pub fn columns<'py>(
    py: Python<'py>,
    record: &Record,
    shown: &dyn Fn(usize, &[f64]) -> Vec<f64>,
) -> PyResult<Bound<'py, PyDict>> {
    let counts = |column: &[u64]| array(py, column.iter().map(|&n| n as i64).collect());
    let found = PyDict::new(py);
    found.set_item("step", counts(&record.step)?)?;
    found.set_item("reward", array(py, record.reward.clone())?)?;
    let costs: Vec<_> =
        (0..record.costs.len()).map(|i| array(py, shown(i, &record.costs[i]))).collect::<PyResult<_>>()?;
    found.set_item("costs", costs)?;
    found.set_item("shortfall", array(py, record.shortfall.clone())?)?;
    let excess: Vec<_> =
        record.excess.iter().map(|column| array(py, column.clone())).collect::<PyResult<_>>()?;
    found.set_item("excess", excess)?;
    found.set_item("epochs", counts(&record.epochs)?)?;
    found.set_item("infeasible", counts(&record.infeasible)?)?;
    found.set_item("multichain", counts(&record.multichain)?)?;
    Ok(found)
}

/// What the true model allows: gain and costs of each level.
fn levels<'py>(py: Python<'py>, model: &Model, baseline: &Baseline) -> PyResult<Bound<'py, PyDict>> {
    let level = |level: &Level| (level.reward, model.shown_all(&level.costs));
    let found = PyDict::new(py);
    found.set_item("optimal", baseline.optimal.as_ref().map(level))?;
    found.set_item("fast", level(&baseline.fast))?;
    found.set_item("safe", baseline.safe.as_ref().map(level))?;
    Ok(found)
}

/// Epoch, step, table and prices of each policy on the way.
type Kept<'py> = (u64, u64, Bound<'py, numpy::PyArray1<f64>>, Vec<f64>);

fn snapshots(py: Python<'_>, snapshots: Vec<Snapshot>) -> PyResult<Vec<Kept<'_>>> {
    let kept = |one: Snapshot| {
        Ok((one.epoch, one.step, array(py, one.policy.probabilities().to_vec())?, one.prices))
    };
    snapshots.into_iter().map(kept).collect()
}

/// A learner: name, description, whether it learns in episodes, and its options with meaning and expected values.
type Listed = (String, String, bool, Vec<(String, String, String)>);

/// The learners that come along.
#[pyfunction]
pub fn learners() -> Vec<Listed> {
    let option = |info: occupancy::options::OptionInfo| {
        (info.name.to_string(), info.about.to_string(), info.expected.to_string())
    };
    let listed = |config: &dyn LearnerConfig| {
        let options = config.infos().into_iter().map(option).collect();
        (config.name().to_string(), config.about().to_string(), config.is_episodic(), options)
    };
    Catalogue::standard().learners().all().map(listed).collect()
}
