//! The best gain by the budget of one cost.

use crate::arrays::array;
use crate::errors;
use crate::model::Model;
use crate::question::{self, Asked, Question};
use crate::raised::{self, Raised};
use crate::solve::{How, Search, Teller};
use crate::waiting::{self, Done};
use occupancy::plan::{FrontierPoint, frontier_watched};
use pyo3::prelude::*;
use pyo3::types::PyDict;

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
    let (stop, raised) = (search.stop.clone(), Raised::clone(&search.raised));
    let Done { result, out_of_time } = waiting::patiently(py, &stop, how.time_limit, move || {
        let mut planner = search.config.build();
        planner.stop_by(search.stop.clone());
        let mut teller = Teller::new(&search);
        let (problem, most) = (search.problem(), points.unwrap_or(usize::MAX));
        frontier_watched(planner.as_mut(), &problem, cost, most, &mut |progress| teller.tell(progress))
    })?;
    if let Some(raised) = raised::take(&raised) {
        return Err(raised);
    }
    let found = result.map_err(errors::of)?;
    let shown = |x: f64| model.shown(cost, x);
    let column = |of: &dyn Fn(&FrontierPoint) -> f64| array(py, found.points.iter().map(of).collect());
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
