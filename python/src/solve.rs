//! Plans: questions to a model, answered without Python's lock, as dictionaries of numbers and arrays.

use crate::arrays::{array, vector};
use crate::errors::{self, wrong};
use crate::model::Model;
use crate::question::{self, Asked, Question};
use crate::waiting::{self, Done};
use numpy::PyArray1;
use occupancy::model::{Cmdp, Policy};
use occupancy::plan::{
    self, Certificate, Ended, PlannerConfig, Problem, Progress, Verdict, WeightedPolicy, deterministic,
    doubts, follow, frontier_watched,
};
use occupancy::stop::StopFlag;
use occupancy::verify::{Claims, Witness as Vectors, missed, prove};
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
    planner: String,
    off_support: String,
    certify: bool,
    deterministic: bool,
    time_limit: Option<f64>,
    progress: Option<Py<PyAny>>,
}

/// The vectors that prove an answer.
#[pyclass(frozen, module = "occupancy._core")]
pub struct Witness(Vectors);

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
struct Search {
    model: Model,
    question: Question,
    config: PlannerConfig,
    certify: bool,
    deterministic: bool,
    progress: Option<Py<PyAny>>,
    stop: StopFlag,
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
    fn new(model: &Model, question: &Question, config: PlannerConfig, how: &How) -> Search {
        let progress = Python::attach(|py| how.progress.as_ref().map(|told| told.clone_ref(py)));
        Search {
            model: model.clone(),
            question: question.clone(),
            config,
            certify: how.certify,
            deterministic: how.deterministic,
            progress,
            stop: StopFlag::new(),
        }
    }

    fn problem(&self) -> Problem<'_> {
        problem(&self.model.cmdp, &self.question)
    }

    fn run(&self, planner: &Mutex<Box<dyn plan::Planner>>) -> occupancy::Result<Found> {
        let (problem, began) = (self.problem(), Instant::now());
        let mut teller = Teller::new(self.progress.as_ref(), &self.stop);
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
        let certificate = if is_provable { Some(planner.certify(&problem, &verdict)?) } else { None };
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

fn problem<'a>(cmdp: &'a Cmdp, question: &Question) -> Problem<'a> {
    Problem::new(cmdp, question.criterion.clone()).counted_from(question.origin)
}

/// Tells Python of progress now and then; breaks off if Python raises or the flag is set.
struct Teller<'a> {
    told: Option<&'a Py<PyAny>>,
    stop: &'a StopFlag,
    last: Option<Instant>,
}

impl<'a> Teller<'a> {
    fn new(told: Option<&'a Py<PyAny>>, stop: &'a StopFlag) -> Teller<'a> {
        Teller { told, stop, last: None }
    }

    fn tell(&mut self, progress: &Progress) -> ControlFlow<()> {
        if self.stop.asked() {
            return ControlFlow::Break(());
        }
        let Some(told) = self.told.filter(|_| self.last.is_none_or(|last| last.elapsed() >= PAUSE)) else {
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
        // What Python raises here cannot be raised through the search; it is written to stderr like that of a callback.
        let goes_on = go_on.unwrap_or_else(|error| {
            Python::attach(|py| error.write_unraisable(py, None));
            false
        });
        if !goes_on {
            // A search has several parts, each of which hears of the flag.
            self.stop.ask();
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
    let done = if model.is_small() && how.time_limit.is_none() && !how.deterministic {
        waiting::at_once(py, || search.run(&planner))?
    } else {
        let stop = search.stop.clone();
        waiting::patiently(py, &stop, how.time_limit, move || search.run(&planner))?
    };
    let Done { result, out_of_time } = done;
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
    answer.set_item("occupancy", array(py, occupancy)?)?;
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

/// A policy of Python: its table and how many stages it has.
fn policy(cmdp: &Cmdp, table: &Bound<'_, PyArray1<f64>>, stages: usize) -> PyResult<Policy> {
    Policy::staged(cmdp, vector(table)?, stages).map_err(errors::of)
}

/// What a policy attains.
#[pyfunction]
pub fn evaluate<'py>(
    py: Python<'py>,
    model: &Model,
    asked: Asked,
    table: &Bound<'py, PyArray1<f64>>,
    stages: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let question = Question::of(&asked, model)?;
    let followed = policy(&model.cmdp, table, stages)?;
    let work = {
        let (cmdp, question) = (Arc::clone(&model.cmdp), question.clone());
        move || follow(&problem(&cmdp, &question), &followed)
    };
    let done = match model.is_small() {
        true => waiting::at_once(py, work)?,
        false => waiting::patiently(py, &StopFlag::new(), None, work)?,
    };
    let found = done.result.map_err(errors::of)?;
    let answer = PyDict::new(py);
    answer.set_item("criterion", question.criterion.name())?;
    answer.set_item("stages", question.criterion.stages())?;
    answer.set_item("gain", found.value.reward)?;
    answer.set_item("costs", model.shown_all(&found.value.costs))?;
    answer.set_item("errors", found.value.errors)?;
    answer.set_item("occupancy", array(py, found.occupancy)?)?;
    Ok(answer)
}

/// The best gain by the budget of one cost.
#[pyfunction]
pub fn frontier<'py>(
    py: Python<'py>,
    model: &Model,
    asked: Asked,
    cost: usize,
    points: Option<usize>,
    how: How,
) -> PyResult<Bound<'py, PyDict>> {
    let question = Question::of(&asked, model)?;
    let config = question::planner(&how.planner, &how.off_support)?;
    let search = Search::new(model, &question, config, &how);
    let stop = search.stop.clone();
    let Done { result, out_of_time } = waiting::patiently(py, &stop, how.time_limit, move || {
        let mut planner = search.config.build();
        planner.stop_by(search.stop.clone());
        let mut teller = Teller::new(search.progress.as_ref(), &search.stop);
        let (problem, most) = (search.problem(), points.unwrap_or(usize::MAX));
        frontier_watched(planner.as_mut(), &problem, cost, most, &mut |progress| teller.tell(progress))
    })?;
    let found = result.map_err(errors::of)?;
    let shown = |x: f64| model.shown(cost, x);
    let column = |of: &dyn Fn(&plan::FrontierPoint) -> f64| array(py, found.points.iter().map(of).collect());
    let answer = PyDict::new(py);
    answer.set_item("budget", column(&|point| shown(point.budget))?)?;
    answer.set_item("gain", column(&|point| point.gain)?)?;
    answer.set_item("price", column(&|point| point.price)?)?;
    answer.set_item("gap", column(&|point| point.gap)?)?;
    answer.set_item("least_budget", shown(found.least_cost))?;
    answer.set_item("largest_gap", found.gap)?;
    let unsearched = found.unsearched.iter().map(|&(a, b)| (shown(a), shown(b)));
    answer.set_item("unsearched", unsearched.collect::<Vec<_>>())?;
    answer.set_item("out_of_time", out_of_time)?;
    Ok(answer)
}

/// What an answer says, as far as it has to be proved: gain, gap, costs, and the ranges of both; nothing if no policy is feasible.
type Claimed = Option<(f64, f64, Vec<f64>, (f64, f64), Vec<(f64, f64)>)>;

/// Proves an answer by its witness, without a planner.
#[pyfunction]
#[pyo3(signature = (model, asked, policies, witness, claimed))]
pub fn verify<'py>(
    py: Python<'py>,
    model: &Model,
    asked: Asked,
    policies: Vec<(f64, Bound<'py, PyArray1<f64>>, usize)>,
    witness: &Witness,
    claimed: Claimed,
) -> PyResult<Bound<'py, PyDict>> {
    let question = Question::of(&asked, model)?;
    let cmdp = &model.cmdp;
    let fits = |(weight, table, stages): &(f64, Bound<'py, PyArray1<f64>>, usize)| {
        let table = vector(table)?;
        if table.len() != cmdp.pairs() * stages {
            return wrong("a policy of the answer does not have a number for every action of the model");
        }
        Ok((*weight, Policy::unchecked(table, *stages)))
    };
    let policies: Vec<(f64, Policy)> = policies.iter().map(fits).collect::<PyResult<_>>()?;
    let weighted: Vec<(f64, &Policy)> = policies.iter().map(|(weight, policy)| (*weight, policy)).collect();
    let held = |i: usize, x: f64| model.shown(i, x);
    let claims = match claimed {
        None => Claims::Infeasible,
        Some((gain, gap, costs, gain_range, ranges)) => Claims::Feasible {
            gain,
            gap,
            costs: costs.iter().enumerate().map(|(i, &cost)| held(i, cost)).collect(),
            gain_range,
            cost_ranges: ranges
                .iter()
                .enumerate()
                .map(|(i, &(low, high))| {
                    let (one, other) = (held(i, low), held(i, high));
                    (one.min(other), one.max(other))
                })
                .collect(),
        },
    };
    let proved = py.detach(|| prove(cmdp, &question.criterion, question.origin, &weighted, &witness.0));
    let not = |what: String| errors::Error::new_err(format!("the answer is not proved: {what}"));
    let proof = proved.map_err(|why| not(why.to_string()))?;
    let missing = claims.unproved(cmdp, &proof);
    if !missing.is_empty() {
        return Err(not(missing.join("; ")));
    }
    let answer = PyDict::new(py);
    answer.set_item("infeasible", proof.excess.is_some())?;
    answer.set_item("gain_at_least", proof.gain.low)?;
    answer.set_item("optimum_at_most", proof.optimum)?;
    let most = proof.costs.iter().enumerate().map(|(i, cost)| model.shown(i, cost.high));
    answer.set_item("cost_bounds", most.collect::<Vec<f64>>())?;
    let missed = proof.costs.iter().enumerate().map(|(i, &cost)| missed(cmdp, i, cost));
    answer.set_item("missed", missed.collect::<Vec<f64>>())?;
    Ok(answer)
}
