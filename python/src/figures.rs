//! Drawings as SVG.

use crate::arrays::vector;
use crate::errors;
use crate::model::Model;
use numpy::PyArray1;
use occupancy::model::Policy;
use occupancy::plan::WeightedPolicy;
use occupancy_lab::figure::frontier::{FrontierFigure, OwnBudget};
use occupancy_lab::figure::grid::Caption;
use occupancy_lab::figure::scene::{MOST_CELLS, Scene};
use occupancy_lab::figure::{frontier, grid};
use pyo3::prelude::*;

/// The policies of a gridworld; nothing if the model is none, or too large to be drawn.
#[pyfunction]
pub fn draw_grid(
    model: &Model,
    policies: Vec<(f64, Bound<'_, PyArray1<f64>>, usize)>,
    occupancy: &Bound<'_, PyArray1<f64>>,
    stages: usize,
    line: String,
) -> PyResult<Option<String>> {
    let Some(picture) = model.picture.as_ref().filter(|picture| picture.cells.len() <= MOST_CELLS) else {
        return Ok(None);
    };
    let weighted = |(weight, table, stages): &(f64, Bound<'_, PyArray1<f64>>, usize)| {
        let policy = Policy::staged(&model.cmdp, vector(table)?, *stages).map_err(errors::of)?;
        Ok(WeightedPolicy { weight: *weight, policy })
    };
    let policies: Vec<WeightedPolicy> = policies.iter().map(weighted).collect::<PyResult<_>>()?;
    let occupancy = vector(occupancy)?;
    if policies.is_empty() || occupancy.len() != stages * model.cmdp.pairs() {
        return errors::wrong("the occupancy does not fit the model");
    }
    let scene = match stages {
        1 => Scene::new(picture, &policies, &occupancy),
        _ => Scene::of_stages(picture, &policies[0].policy, &occupancy),
    };
    let caption = Caption { title: model.name.clone(), lines: vec![line] };
    Ok(Some(grid::draw(&scene, &caption)))
}

/// A frontier.
#[pyfunction]
pub fn draw_frontier(
    model: String,
    cost: String,
    at_least: bool,
    points: Vec<(f64, f64)>,
    budget: Option<f64>,
    gain: Option<f64>,
) -> PyResult<String> {
    if points.is_empty() {
        return errors::wrong("there is nothing to draw: the other budgets cannot be met");
    }
    let own = budget.map(|budget| OwnBudget { budget, gain });
    Ok(frontier::draw(&FrontierFigure { model, cost, at_least, points, own }))
}
