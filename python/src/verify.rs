//! What a given policy attains, and proofs of answers, checked without a planner.

use crate::arrays::{array, vector};
use crate::errors::{self, wrong};
use crate::model::Model;
use crate::question::{Asked, Question};
use crate::solve::{Witness, problem};
use crate::waiting;
use numpy::PyArray1;
use occupancy::model::{Cmdp, Policy};
use occupancy::plan::follow;
use occupancy::stop::StopFlag;
use occupancy::verify::{Claims, missed, prove};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

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
