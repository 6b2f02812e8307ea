//! Plans: questions to a model, answered without Python's lock, as dictionaries of numbers and arrays.

use crate::arrays::array;
use crate::errors::{self, wrong};
use crate::model::Model;
use crate::question::{self, Asked, Question};
use crate::raised::{self, Raised};
use crate::waiting::{self, Done};
use occupancy::model::Cmdp;
use occupancy::plan::{
    self, Certificate, Ended, PlannerConfig, Problem, Progress, Verdict, WeightedPolicy, deterministic,
    doubts,
};
use occupancy::stop::StopFlag;
use occupancy::verify::{Witness as Vectors, missed};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Told of progress at most so often.
const PAUSE: Duration = Duration::from_millis(50);

/// How a question is answered.
#[derive(FromPyObject)]
pub struct How {
    /// The name of the planner.
    pub planner: String,
    /// What policies do where they never come.
    pub off_support: String,
    certify: bool,
    deterministic: bool,
    /// Seconds.
    pub time_limit: Option<f64>,
    progress: Option<Py<PyAny>>,
}

/// The vectors that prove an answer.
#[pyclass(frozen, module = "occupancy._core")]
pub struct Witness(pub Vectors);

#[pymethods]
impl Witness {
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.0).map_err(|error| errors::Error::new_err(error.to_string()))
    }

    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Witness> {
        let read = serde_json::from_str(text);
        read.map(Witness).map_err(|error| errors::Error::new_err(format!("this is no witness: {error}")))
    }
}

/// A planner that keeps what it learnt for the next model.
#[pyclass(module = "occupancy._core")]
pub struct Planner {
    config: PlannerConfig,
    planner: Arc<Mutex<Box<dyn plan::Planner>>>,
}

#[pymethods]
impl Planner {
    #[new]
    fn new(planner: &str, off_support: &str) -> PyResult<Planner> {
        let config = question::planner(planner, off_support)?;
        Ok(Planner { config, planner: Arc::new(Mutex::new(config.build())) })
    }

    /// Plans, beginning with what the last plan left.
    fn solve<'py>(
        &mut self,
        py: Python<'py>,
        model: &Model,
        asked: Asked,
        how: How,
    ) -> PyResult<Bound<'py, PyDict>> {
        let question = Question::of(&asked, model)?;
        let search = Search::new(model, &question, self.config, &how);
        let planner = Arc::clone(&self.planner);
        let found = answered(py, search, planner, &how);
        if found.is_err() {
            // Work that was left alone may still have the old one.
            self.planner = Arc::new(Mutex::new(self.config.build()));
        }
        found
    }
}

/// The best policy within the budgets.
#[pyfunction]
pub fn solve<'py>(py: Python<'py>, model: &Model, asked: Asked, how: How) -> PyResult<Bound<'py, PyDict>> {
    let question = Question::of(&asked, model)?;
    let config = question::planner(&how.planner, &how.off_support)?;
    if !question.criterion.is_average() && how.planner != "prices" {
        return wrong(
            "planner chooses among planners of long-run averages; sums are planned by \"prices\" alone",
        );
    }
    let search = Search::new(model, &question, config, &how);
    answered(py, search, Arc::new(Mutex::new(config.build())), &how)
}

/// Everything that a search needs in a thread of its own.
pub struct Search {
    model: Model,
    question: Question,
    /// Which planner.
    pub config: PlannerConfig,
    certify: bool,
    deterministic: bool,
    /// Who is told of progress.
    pub progress: Option<Py<PyAny>>,
    /// Where its exceptions go.
    pub raised: Raised,
    /// Ends it.
    pub stop: StopFlag,
}

/// What a search found.
struct Found {
    verdict: Verdict,
    certificate: Option<Certificate>,
    warnings: Vec<String>,
    seconds: f64,
    without_lotteries: Option<(f64, bool, Option<f64>)>,
}

impl Search {
    /// A question to a model, and how it is answered.
    pub fn new(model: &Model, question: &Question, config: PlannerConfig, how: &How) -> Search {
        let progress = Python::attach(|py| how.progress.as_ref().map(|told| told.clone_ref(py)));
        Search {
            model: model.clone(),
            question: question.clone(),
            config,
            certify: how.certify,
            deterministic: how.deterministic,
            progress,
            raised: Raised::default(),
            stop: StopFlag::new(),
        }
    }

    /// The question.
    pub fn problem(&self) -> Problem<'_> {
        problem(&self.model.cmdp, &self.question)
    }

    fn run(&self, planner: &Mutex<Box<dyn plan::Planner>>) -> occupancy::Result<Found> {
        let (problem, began) = (self.problem(), Instant::now());
        let mut teller = Teller::new(self);
        let mut watch = |progress: &Progress| teller.tell(progress);
        let mut planner = planner.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        planner.stop_by(self.stop.clone());
        let (mut verdict, mut without_lotteries) = if self.deterministic {
            let found = deterministic(&problem, self.config, &self.stop, &mut watch)?;
            (found.verdict, Some((found.gap, found.is_exact, found.with_lotteries)))
        } else {
            (planner.plan_watched(&problem, &mut watch)?, None)
        };
        let is_provable = match (&without_lotteries, &verdict) {
            (Some((_, _, Some(_))), Verdict::Infeasible(_)) => false,
            _ => self.certify,
        };
        let certificate = match is_provable.then(|| planner.certify(&problem, &verdict)) {
            // There was no time for it.
            None | Some(Err(occupancy::Error::Stopped { .. })) => None,
            Some(proved) => Some(proved?),
        };
        if let Some(certificate) = &certificate {
            certificate.correct(&mut verdict);
        }
        let warnings = match self.certify {
            true => doubts(&problem, &verdict)?.iter().map(ToString::to_string).collect(),
            false => Vec::new(),
        };
        let without_lotteries = without_lotteries.take();
        Ok(Found {
            verdict,
            certificate,
            warnings,
            seconds: began.elapsed().as_secs_f64(),
            without_lotteries,
        })
    }
}

/// A question to a model, as planners take it.
pub fn problem<'a>(cmdp: &'a Cmdp, question: &Question) -> Problem<'a> {
    Problem::new(cmdp, question.criterion.clone()).counted_from(question.origin)
}

/// Tells Python of progress now and then; breaks off if Python raises or the flag is set.
pub struct Teller<'a> {
    search: &'a Search,
    last: Option<Instant>,
}

impl<'a> Teller<'a> {
    /// Nothing told yet.
    pub fn new(search: &'a Search) -> Teller<'a> {
        Teller { search, last: None }
    }

    /// Tells of progress, unless it was told a moment ago.
    pub fn tell(&mut self, progress: &Progress) -> ControlFlow<()> {
        let Search { progress: told, raised, stop, .. } = self.search;
        if stop.asked() {
            return ControlFlow::Break(());
        }
        let Some(told) = told.as_ref().filter(|_| self.last.is_none_or(|last| last.elapsed() >= PAUSE))
        else {
            return ControlFlow::Continue(());
        };
        self.last = Some(Instant::now());
        let go_on = Python::attach(|py| -> PyResult<bool> {
            let said = PyDict::new(py);
            said.set_item("steps", progress.steps)?;
            said.set_item("gain", progress.gain)?;
            said.set_item("upper", progress.upper)?;
            said.set_item("violation", progress.violation)?;
            let answer = told.bind(py).call1((said,))?;
            Ok(answer.is_none() || answer.is_truthy()?)
        });
        // What Python raises here cannot be raised through the search; it is where the search ends.
        let goes_on = go_on.unwrap_or_else(|error| {
            raised::keep(raised, error);
            false
        });
        if !goes_on {
            // A search has several parts, each of which hears of the flag.
            stop.ask();
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

fn answered<'py>(
    py: Python<'py>,
    search: Search,
    planner: Arc<Mutex<Box<dyn plan::Planner>>>,
    how: &How,
) -> PyResult<Bound<'py, PyDict>> {
    let (model, question) = (search.model.clone(), search.question.clone());
    let raised = Raised::clone(&search.raised);
    let done = if model.is_small() && how.time_limit.is_none() && !how.deterministic {
        waiting::at_once(py, || search.run(&planner))?
    } else {
        let stop = search.stop.clone();
        waiting::patiently(py, &stop, how.time_limit, move || search.run(&planner))?
    };
    let Done { result, out_of_time } = done;
    if let Some(raised) = raised::take(&raised) {
        return Err(raised);
    }
    in_python(py, &model, &question, result.map_err(errors::of)?, out_of_time)
}

fn in_python<'py>(
    py: Python<'py>,
    model: &Model,
    question: &Question,
    found: Found,
    out_of_time: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let answer = PyDict::new(py);
    let Found { verdict, certificate, warnings, seconds, without_lotteries } = found;
    answer.set_item("criterion", question.criterion.name())?;
    answer.set_item("stages", question.criterion.stages())?;
    answer.set_item("seconds", seconds)?;
    answer.set_item("warnings", warnings)?;
    answer.set_item("out_of_time", out_of_time)?;
    answer.set_item("without_lotteries", without_lotteries)?;
    answer.set_item("feasible", matches!(verdict, Verdict::Optimal(_)))?;
    let (policies, occupancy) = match verdict {
        Verdict::Optimal(found) => {
            let is_settled = found.ended == Ended::Proved || found.is_settled(&model.cmdp);
            let is_proved = match without_lotteries {
                Some(_) => found.is_settled(&model.cmdp),
                None => is_settled && !out_of_time,
            };
            answer.set_item("optimal", is_proved)?;
            answer.set_item("ended", ended(found.ended))?;
            answer.set_item("gain", found.value.reward)?;
            answer.set_item("costs", model.shown_all(&found.value.costs))?;
            answer.set_item("prices", found.prices)?;
            answer.set_item("gap", found.gap)?;
            answer.set_item("classes", found.classes)?;
            (found.policies, found.occupancy)
        }
        Verdict::Infeasible(found) => {
            answer.set_item("violation", found.violation)?;
            answer.set_item("least_costs", model.shown_all(&found.least_costs))?;
            (found.policies, found.occupancy)
        }
    };
    answer.set_item("policies", in_arrays(py, policies)?)?;
    // What was never found out is not a number.
    let unknown = vec![f64::NAN; if occupancy.is_empty() { model.cmdp.pairs() } else { 0 }];
    answer.set_item("occupancy", array(py, if occupancy.is_empty() { unknown } else { occupancy })?)?;
    if let Some(certificate) = certificate {
        proof(&answer, model, &certificate)?;
        let parts: Vec<(f64, usize)> =
            certificate.parts.iter().map(|part| (part.weight, part.policy)).collect();
        answer.set_item("parts", parts)?;
        answer.set_item("witness", Witness(certificate.witness))?;
    }
    Ok(answer)
}

fn ended(ended: Ended) -> &'static str {
    match ended {
        Ended::Proved => "proved",
        Ended::Stopped => "stopped",
        _ => "out of steps",
    }
}

/// Weights, and tables with a row for each stage.
fn in_arrays(py: Python<'_>, policies: Vec<WeightedPolicy>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for one in policies {
        let stages = one.policy.stages();
        list.append((one.weight, array(py, one.policy.into_probabilities())?, stages))?;
    }
    Ok(list)
}

/// What is proved of an answer.
fn proof(answer: &Bound<'_, PyDict>, model: &Model, certificate: &Certificate) -> PyResult<()> {
    let proof = &certificate.proof;
    let ranges = proof.costs.iter().enumerate().map(|(i, range)| {
        let (one, other) = (model.shown(i, range.low), model.shown(i, range.high));
        (one.min(other), one.max(other))
    });
    answer.set_item("gain_range", (proof.gain.low, proof.gain.high))?;
    answer.set_item("cost_ranges", ranges.collect::<Vec<_>>())?;
    answer.set_item("optimum_at_most", proof.optimum)?;
    let missed = proof.costs.iter().enumerate().map(|(i, &cost)| missed(&model.cmdp, i, cost));
    answer.set_item("missed", missed.collect::<Vec<f64>>())
}
