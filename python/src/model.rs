//! Models: made from arrays or opened by name, and read back as arrays.

use crate::arrays::{array, vector};
use crate::errors::{self, wrong};
use crate::picture::{self, PictureParts};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use occupancy::env::{self, Env, Episodes, Picture};
use occupancy::model::drn::{self, DrnSignals};
use occupancy::model::{self, Cmdp, CmdpBuilder, Criterion, Outcome, ReadOptions, binary, table, text};
use occupancy_lab::{OpenOptions, Source};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::Arc;

/// A finite constrained model, with what is needed to talk about it.
#[pyclass(frozen, module = "occupancy._core")]
#[derive(Clone)]
pub struct Model {
    /// The model.
    pub cmdp: Arc<Cmdp>,
    /// What it is called.
    #[pyo3(get)]
    pub name: String,
    /// How to draw it, if it is a gridworld.
    pub picture: Option<Arc<Picture>>,
    /// The length of its own episodes, and whether all stages are alike.
    #[pyo3(get)]
    pub episodes: Option<(usize, bool)>,
}

/// What a model of arrays is called and held to, beside its rows.
#[derive(FromPyObject)]
struct Labels {
    name: String,
    start: Vec<(usize, f64)>,
    costs: Vec<String>,
    budgets: Vec<f64>,
    at_least: Vec<bool>,
    state_names: Option<Vec<String>>,
    /// One for each pair, in the order of the rows.
    action_names: Option<Vec<String>>,
    labels: Vec<(String, usize)>,
    normalise: bool,
}

impl Labels {
    fn builder(&self, states: usize) -> CmdpBuilder {
        let mut builder = CmdpBuilder::new(states, &vec![f64::INFINITY; self.costs.len()]);
        builder.normalise(self.normalise).start_distribution(&self.start);
        builder.cost_names(self.costs.clone());
        if let Some(names) = &self.state_names {
            builder.state_names(names.clone());
        }
        for (label, state) in &self.labels {
            builder.label(label, *state);
        }
        builder
    }

    fn name_action(&self, builder: &mut CmdpBuilder, row: usize) {
        if let Some(name) = self.action_names.as_ref().and_then(|names| names.get(row)) {
            builder.action(name.clone());
        }
    }

    fn finish(&self, mut builder: CmdpBuilder) -> PyResult<Model> {
        let bounds =
            self.budgets.iter().zip(&self.at_least).map(|(&value, &at_least)| bound(value, at_least));
        let bounds: Vec<model::Bound> = bounds.collect();
        let built = builder.build().and_then(|cmdp| cmdp.with_bounds(&bounds));
        Ok(Model::named(&self.name, built.map_err(errors::of)?))
    }
}

fn bound(value: f64, at_least: bool) -> model::Bound {
    if at_least { model::Bound::AtLeast(value) } else { model::Bound::AtMost(value) }
}

impl Model {
    fn named(name: &str, cmdp: Cmdp) -> Model {
        Model { cmdp: Arc::new(cmdp), name: name.to_string(), picture: None, episodes: None }
    }

    fn of_env(env: Env) -> Model {
        let Env { name, model, picture, episodes } = env;
        let of = episodes.as_ref().map(|episodes| (episodes.horizon, episodes.alike));
        let cmdp = Arc::new(episodes.map_or(model, |episodes| episodes.model));
        Model { cmdp, name, picture: picture.map(Arc::new), episodes: of }
    }

    /// The model as an environment, acted in by episodes of this length if one is given, or of its own.
    pub fn env(&self, horizon: Option<usize>) -> PyResult<Env> {
        let episodes = self.episodes.map(|(horizon, alike)| {
            let model = Cmdp::clone(&self.cmdp);
            Episodes { model, horizon, alike }
        });
        let picture = self.picture.as_deref().cloned();
        let env = Env { name: self.name.clone(), model: Cmdp::clone(&self.cmdp), picture, episodes };
        match horizon.or(self.episodes.map(|(horizon, _)| horizon)) {
            Some(horizon) => {
                let env = env.in_episodes(horizon).map_err(errors::of)?;
                let staged = env.episodes.as_ref().map_or(Ok(env.model.clone()), Episodes::staged);
                Ok(Env { model: staged.map_err(errors::of)?, ..env })
            }
            None => Ok(env),
        }
    }

    /// What is asked of the model if nothing else is.
    pub fn own_criterion(&self) -> Criterion {
        self.episodes.map_or(Criterion::Average, |(horizon, _)| Criterion::Episodes { horizon })
    }

    /// A value or budget of a cost as it is called: c ≥ x stands negated in the model.
    pub fn shown(&self, cost: usize, value: f64) -> f64 {
        if self.cmdp.names().is_negated(cost) { 0.0 - value } else { value + 0.0 }
    }

    /// The same of a list by cost.
    pub fn shown_all(&self, values: &[f64]) -> Vec<f64> {
        values.iter().enumerate().map(|(i, &value)| self.shown(i, value)).collect()
    }

    /// Whether it is so small that work on it takes less than starting a thread.
    pub fn is_small(&self) -> bool {
        self.cmdp.pairs() <= 600 && self.cmdp.kernel().transitions() <= 20_000
    }
}

#[pymethods]
impl Model {
    /// From rows with their successors: row i belongs to state `owner[i]` and has the entries `first[i]..first[i + 1]`.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)] // arrays, by name
    fn from_rows(
        py: Python<'_>,
        states: usize,
        owner: &Bound<'_, PyArray1<i64>>,
        first: &Bound<'_, PyArray1<i64>>,
        next: &Bound<'_, PyArray1<i64>>,
        probability: &Bound<'_, PyArray1<f64>>,
        signals: Vec<Bound<'_, PyArray1<f64>>>,
        labels: Labels,
    ) -> PyResult<Model> {
        let (owner, first, next) = (vector(owner)?, vector(first)?, vector(next)?);
        let probability = vector(probability)?;
        let signals: Vec<Vec<f64>> = signals.iter().map(vector).collect::<PyResult<_>>()?;
        py.detach(|| {
            let mut builder = labels.builder(states);
            // A negative index is as far from every state as an index can be.
            let index = |index: i64| usize::try_from(index).unwrap_or(usize::MAX);
            for (row, &state) in owner.iter().enumerate() {
                let entries = index(first[row])..index(first[row + 1]);
                let outcome = |entry: usize| Outcome {
                    next: index(next[entry]),
                    probability: probability[entry],
                    reward: signals[0][entry],
                    costs: signals[1..].iter().map(|cost| cost[entry]).collect(),
                };
                builder.outcomes(index(state), &entries.map(outcome).collect::<Vec<_>>());
                labels.name_action(&mut builder, row);
            }
            labels.finish(builder)
        })
    }

    /// From P[A, S, S] and signals [S, A]; actions that the mask leaves out do not exist.
    #[staticmethod]
    fn from_dense(
        py: Python<'_>,
        transitions: &Bound<'_, PyArray3<f64>>,
        mask: &Bound<'_, PyArray2<bool>>,
        signals: Vec<Bound<'_, PyArray2<f64>>>,
        labels: Labels,
    ) -> PyResult<Model> {
        let rows = transitions.try_readonly()?;
        let (rows, mask) = (rows.as_array(), mask.try_readonly()?);
        let mask = mask.as_array();
        let signals: Vec<_> = signals.iter().map(|signal| signal.try_readonly()).collect::<Result<_, _>>()?;
        let signals: Vec<_> = signals.iter().map(|signal| signal.as_array()).collect();
        let (actions, states) = (rows.shape()[0], rows.shape()[1]);
        py.detach(|| {
            let (mut builder, mut row) = (labels.builder(states), 0);
            let mut costs = vec![0.0; signals.len() - 1];
            let mut copied = vec![0.0; states];
            for state in 0..states {
                for action in (0..actions).filter(|&action| mask[(state, action)]) {
                    let of = rows.slice(numpy::ndarray::s![action, state, ..]);
                    let of = of.as_slice().unwrap_or_else(|| {
                        copied.iter_mut().zip(of.iter()).for_each(|(copy, &p)| *copy = p);
                        &copied
                    });
                    costs.iter_mut().zip(&signals[1..]).for_each(|(cost, all)| *cost = all[(state, action)]);
                    builder.dense_pair(state, of, signals[0][(state, action)], &costs);
                    labels.name_action(&mut builder, row);
                    row += 1;
                }
            }
            labels.finish(builder)
        })
    }

    /// An environment by name, or a file.
    #[staticmethod]
    fn open(
        py: Python<'_>,
        source: &str,
        options: Vec<(String, String)>,
        reward: Option<String>,
        drn_costs: Vec<String>,
        normalise: bool,
    ) -> PyResult<Model> {
        py.detach(|| {
            let found = Source::find(source, None).map_err(errors::of_lab)?;
            let costs = drn_costs.into_iter().map(|name| (name, f64::INFINITY)).collect();
            let signals = DrnSignals { reward, costs };
            let asked = OpenOptions { options, signals, budgets: None, reading: ReadOptions { normalise } };
            let env = found.open(&asked).map_err(errors::of)?;
            Ok(Model::of_env(env))
        })
    }

    /// The same model with bounds for some costs: name, number, and whether it is a lower one.
    fn with_bounds(&self, given: Vec<(String, f64, bool)>) -> PyResult<Model> {
        let names: Vec<String> = self.costs();
        let mut bounds: Vec<model::Bound> = (0..names.len()).map(|i| self.cmdp.bound(i)).collect();
        for (name, value, at_least) in given {
            let Some(i) = names.iter().position(|known| *known == name) else {
                let known = if names.is_empty() { "there are none".into() } else { names.join(", ") };
                return wrong(format!("unknown cost {name:?}; known: {known}"));
            };
            bounds[i] = bound(value, at_least);
        }
        let cmdp = Cmdp::clone(&self.cmdp).with_bounds(&bounds).map_err(errors::of)?;
        Ok(Model { cmdp: Arc::new(cmdp), ..self.clone() })
    }

    /// The model as text: `cmdp`, `drn` or `csv`.
    fn text(&self, format: &str) -> PyResult<String> {
        match format {
            "cmdp" => Ok(text::to_string(&self.cmdp)),
            "drn" => Ok(drn::to_string(&self.cmdp)),
            "csv" => Ok(table::to_string(&self.cmdp)),
            _ => wrong(format!("models are written as .cmdp, .drn, .csv or .occ, not as {format:?}")),
        }
    }

    /// The model as bytes that keep every bit.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut bytes = Vec::new();
        binary::write(&self.cmdp, &mut bytes)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The model of such bytes.
    #[staticmethod]
    fn from_bytes(
        bytes: &[u8],
        name: String,
        episodes: Option<(usize, bool)>,
        picture: Option<PictureParts>,
    ) -> PyResult<Model> {
        let cmdp = Arc::new(binary::read(bytes).map_err(errors::of)?);
        let picture = picture.map(|parts| picture::of_parts(parts, cmdp.states())).transpose()?.map(Arc::new);
        Ok(Model { cmdp, name, picture, episodes })
    }

    #[getter]
    fn picture(&self) -> Option<PictureParts> {
        self.picture.as_ref().map(|picture| picture::parts(picture))
    }

    #[getter]
    fn states(&self) -> usize {
        self.cmdp.states()
    }

    #[getter]
    fn pairs(&self) -> usize {
        self.cmdp.pairs()
    }

    #[getter]
    fn transitions(&self) -> usize {
        self.cmdp.kernel().transitions()
    }

    /// The names of the costs.
    #[getter]
    fn costs(&self) -> Vec<String> {
        (0..self.cmdp.costs()).map(|i| self.cmdp.names().cost(i)).collect()
    }

    /// The budgets as they are written, and which of them are lower bounds.
    #[getter]
    fn bounds(&self) -> Vec<(f64, bool)> {
        let bound = |i| self.cmdp.bound(i);
        (0..self.cmdp.costs()).map(|i| (bound(i).value(), bound(i).sign() == ">=")).collect()
    }

    #[getter]
    fn start(&self) -> Vec<(usize, f64)> {
        self.cmdp.start().to_vec()
    }

    #[getter]
    fn fingerprint(&self, py: Python<'_>) -> String {
        py.detach(|| self.cmdp.fingerprint())
    }

    #[getter]
    fn labels(&self) -> Vec<(String, Vec<u32>)> {
        let names = self.cmdp.names();
        names.labels().map(|label| (label.to_string(), names.labelled(label).to_vec())).collect()
    }

    #[getter]
    fn has_state_names(&self) -> bool {
        self.cmdp.names().has_states()
    }

    fn state_names(&self) -> Vec<String> {
        (0..self.cmdp.states()).map(|state| self.cmdp.names().state(state)).collect()
    }

    /// The name of each pair's action.
    fn action_names(&self) -> Vec<String> {
        let of = |state| self.cmdp.pairs_of(state);
        (0..self.cmdp.states()).flat_map(of).map(|pair| self.cmdp.action_name(pair)).collect()
    }

    /// The first pair of every state, and the end of the last.
    fn first_pair<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let first = (0..self.cmdp.states()).map(|state| self.cmdp.pairs_of(state).start as i64);
        array(py, first.chain([self.cmdp.pairs() as i64]).collect())
    }

    /// All transitions: pair, next, probability, and each signal as it is called.
    fn table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (cmdp, signals) = (&self.cmdp, self.cmdp.signals());
        let (mut pairs, mut nexts, mut probabilities) = (Vec::new(), Vec::new(), Vec::new());
        let mut values = vec![Vec::new(); signals.count()];
        py.detach(|| {
            for pair in 0..cmdp.pairs() {
                for (next, p) in cmdp.kernel().row(pair).iter() {
                    pairs.push(pair as i64);
                    nexts.push(next as i64);
                    probabilities.push(p);
                    for (k, values) in values.iter_mut().enumerate() {
                        let value = signals.realised(k, pair, next).unwrap_or(signals.signal(k)[pair]);
                        values.push(if k == 0 { value } else { self.shown(k - 1, value) });
                    }
                }
            }
        });
        let table = PyDict::new(py);
        table.set_item("pair", array(py, pairs)?)?;
        table.set_item("next", array(py, nexts)?)?;
        table.set_item("probability", array(py, probabilities)?)?;
        let values: Vec<_> = values.into_iter().map(|values| array(py, values)).collect::<PyResult<_>>()?;
        table.set_item("signals", values)?;
        Ok(table)
    }

    /// The mean of each signal by pair, as it is called: the reward, then the costs.
    fn signals<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyArray1<f64>>>> {
        let signals = self.cmdp.signals();
        let shown = |k: usize| {
            let means = signals.signal(k).iter();
            means.map(|&x| if k == 0 { x } else { self.shown(k - 1, x) }).collect()
        };
        (0..signals.count()).map(|k| array(py, shown(k))).collect()
    }
}

/// An environment: name, description, and options with their defaults and meanings.
type Listed = (String, String, Vec<(String, String, String)>);

/// The environments that come along.
#[pyfunction]
pub fn environments() -> Vec<Listed> {
    let option = |option: &occupancy::options::OptionInfo| {
        (option.name.to_string(), option.value.clone(), option.about.to_string())
    };
    let entry = |entry: env::Listing| {
        (entry.name.to_string(), entry.about.to_string(), entry.options.iter().map(option).collect())
    };
    env::list().into_iter().map(entry).collect()
}
