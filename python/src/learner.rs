//! Learners written in Python, in our trial loop: asked once an epoch, with what was counted so far.

use crate::arrays::{array, vector};
use crate::raised::{self, Raised};
use numpy::PyArray1;
use occupancy::error::LearnerProblem;
use occupancy::learn::{self, Epoch, Knowledge, Learner, LearnerConfig, PlanReport, Until, VisitLimit};
use occupancy::model::{Cmdp, Policy, Task};
use occupancy::options::{Form, OptionInfo, Options};
use occupancy::seed::Rng;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rand::Rng as _;
use std::sync::{Arc, Mutex, PoisonError};

/// What was counted up to an epoch.
#[pyclass(frozen, module = "occupancy._core")]
pub struct Counts(learn::Counts, usize);

#[pymethods]
impl Counts {
    /// N(s,a) by pair.
    fn visits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        array(py, (0..self.1).map(|pair| self.0.visits(pair) as i64).collect())
    }

    /// The transitions seen: pair, next, and how often.
    fn transitions<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyArray1<i64>>; 3]> {
        let mut columns = [Vec::new(), Vec::new(), Vec::new()];
        for pair in 0..self.1 {
            for (next, count) in self.0.transitions(pair) {
                columns[0].push(pair as i64);
                columns[1].push(next as i64);
                columns[2].push(count as i64);
            }
        }
        let [pairs, next, counts] = columns;
        Ok([array(py, pairs)?, array(py, next)?, array(py, counts)?])
    }

    /// Σ x of a signal by pair: 0 is the reward, i + 1 the cost i.
    fn sums<'py>(&self, py: Python<'py>, signal: usize) -> PyResult<Bound<'py, PyArray1<f64>>> {
        array(py, (0..self.1).map(|pair| self.0.sum(signal, pair)).collect())
    }
}

impl Counts {
    /// A copy of counts, for Python to keep.
    pub fn of(counts: &learn::Counts, pairs: usize) -> Counts {
        Counts(counts.clone(), pairs)
    }
}

/// What a learner knows when it is asked.
#[pyclass(frozen, get_all, module = "occupancy._core")]
pub struct Now {
    step: u64,
    state: usize,
    counts: Py<Counts>,
    last_steps: u64,
    last_sums: Vec<f64>,
}

/// A learner of Python before it learns.
#[derive(Clone)]
pub struct PyLearnerConfig {
    name: &'static str,
    about: &'static str,
    /// Called with a task and the options, by name and as texts; returns the learner.
    make: Arc<Py<PyAny>>,
    options: Vec<Given>,
    /// The hash of its source, which is a part of an experiment's hash.
    source: String,
    /// Where its exceptions go.
    pub raised: Raised,
}

#[derive(Clone, Debug)]
struct Given {
    name: &'static str,
    value: String,
    form: Form,
}

impl std::fmt::Debug for PyLearnerConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PyLearnerConfig").field("name", &self.name).field("options", &self.options).finish()
    }
}

/// A learner as Python describes it: name, one line about it, its maker, options with their values and kinds, hash of its source.
#[derive(FromPyObject)]
pub struct Described {
    name: String,
    about: String,
    make: Py<PyAny>,
    options: Vec<(String, String, String)>,
    source: String,
}

/// A text that lives as long as the program: names of learners and options are few.
fn leaked(text: &str) -> &'static str {
    static KNOWN: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = known.iter().find(|known| **known == text) {
        return found;
    }
    let text: &'static str = Box::leak(text.to_string().into_boxed_str());
    known.push(text);
    text
}

impl From<Described> for PyLearnerConfig {
    fn from(described: Described) -> PyLearnerConfig {
        let form = |kind: &str| match kind {
            "bool" => Form::Flag,
            "int" => Form::Count,
            "float" => Form::Number,
            _ => Form::Word,
        };
        let given = |(name, value, kind): (String, String, String)| Given {
            name: leaked(&name),
            value,
            form: form(&kind),
        };
        PyLearnerConfig {
            name: leaked(&described.name),
            about: leaked(&described.about),
            make: Arc::new(described.make),
            options: described.options.into_iter().map(given).collect(),
            source: described.source,
            raised: Raised::default(),
        }
    }
}

impl Options for PyLearnerConfig {
    fn infos(&self) -> Vec<OptionInfo> {
        let info = |name, about, value: &String, form| OptionInfo {
            name,
            about,
            value: value.clone(),
            expected: match form {
                Form::Flag => "true or false",
                Form::Count => "a whole number",
                Form::Number => "a number",
                _ => "a text",
            },
            form,
            in_range: match form {
                Form::Flag => matches!(value.as_str(), "true" | "false"),
                Form::Count => value.parse::<i64>().is_ok(),
                Form::Number => value.parse::<f64>().is_ok_and(f64::is_finite),
                _ => true,
            },
        };
        let own = self
            .options
            .iter()
            .map(|given| info(given.name, "An option of a learner in Python.", &given.value, given.form));
        own.chain([info("source", "The hash of the learner's source.", &self.source, Form::Word)]).collect()
    }

    fn assign(&mut self, option: &str, text: &str, again: bool) -> Option<occupancy::Result<()>> {
        let given = self.options.iter_mut().find(|given| given.name == option)?;
        if again {
            return Some(Err(occupancy::Error::OptionTwice { option: given.name }));
        }
        given.value = text.to_string();
        Some(Ok(()))
    }
}

impl LearnerConfig for PyLearnerConfig {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn make(&self, task: &Task, _: &Knowledge) -> occupancy::Result<Box<dyn Learner>> {
        let made = Python::attach(|py| {
            let options = PyDict::new(py);
            self.options.iter().try_for_each(|given| options.set_item(given.name, &given.value))?;
            Ok(self.make.bind(py).call1((described(py, task)?, options))?.unbind())
        });
        let learner = made.map_err(|error| failed(self.name, &self.raised, error))?;
        Ok(Box::new(PyLearner {
            name: self.name,
            learner,
            shape: task.blank(),
            raised: Arc::clone(&self.raised),
            seeded: false,
        }))
    }
}

/// All that a learner is told of its task.
fn described<'py>(py: Python<'py>, task: &Task) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    let first =
        (0..task.states()).map(|state| task.pairs_of(state).start as i64).chain([task.pairs() as i64]);
    told.set_item("first_pair", array(py, first.collect())?)?;
    told.set_item("budgets", task.budgets().to_vec())?;
    told.set_item("bounds", (0..=task.costs()).map(|k| task.bounds(k)).collect::<Vec<_>>())?;
    told.set_item("start", task.start().to_vec())?;
    told.set_item("rounds", task.rounds())?;
    told.set_item("horizon", task.horizon())?;
    let blank = task.blank();
    let names = blank.names();
    told.set_item("costs", (0..task.costs()).map(|i| names.cost(i)).collect::<Vec<_>>())?;
    told.set_item("negated", (0..task.costs()).map(|i| names.is_negated(i)).collect::<Vec<_>>())?;
    Ok(told)
}

/// Notes an exception, and says it in words.
fn failed(learner: &'static str, raised: &Raised, error: PyErr) -> occupancy::Error {
    let what = Python::attach(|_| error.to_string());
    raised::keep(raised, error);
    LearnerProblem::Failed { learner, what }.into()
}

struct PyLearner {
    name: &'static str,
    learner: Py<PyAny>,
    shape: Cmdp,
    raised: Raised,
    seeded: bool,
}

/// What Python answers: a policy's table, its steps, its limit of visits as factor and offset, whether it begins an epoch, and how planning
/// went (feasible, prices) if something was planned.
type Answer<'py> = (Bound<'py, PyArray1<f64>>, u64, Option<(u64, u64)>, bool, Option<(bool, Vec<f64>)>);

impl Learner for PyLearner {
    fn next_epoch(&mut self, now: &learn::Now, rng: &mut Rng) -> occupancy::Result<Epoch> {
        let answer = Python::attach(|py| -> PyResult<_> {
            let learner = self.learner.bind(py);
            if !self.seeded {
                learner.call_method1("_seed", (rng.next_u64(),))?;
                self.seeded = true;
            }
            let counts = Counts::of(now.counts, self.shape.pairs());
            let asked = Now {
                step: now.step,
                state: now.state,
                counts: Py::new(py, counts)?,
                last_steps: now.last_steps,
                last_sums: now.last_sums.to_vec(),
            };
            let answer: Answer = learner.call_method1("_answer", (asked,))?.extract()?;
            let (table, steps, limit, begins, plan) = answer;
            Ok((vector(&table)?, steps, limit, begins, plan))
        });
        let answer = answer.map_err(|error| failed(self.name, &self.raised, error))?;
        let (table, steps, limit, begins, plan) = answer;
        let policy = Policy::new(&self.shape, table)?;
        let visits = limit.map(|(factor, offset)| VisitLimit { factor, offset });
        let until = Until { steps: steps.max(1), visits };
        let report =
            plan.map(|(feasible, prices)| PlanReport { feasible, classes: 1, prices, settled: true });
        Ok(Epoch { report, begins, ..Epoch::unplanned(policy, until) })
    }
}
