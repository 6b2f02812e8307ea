//! The frontier: the optimal gain as a function of one budget, with its exact break points.

use super::{From, Planner};
use crate::error::Result;
use crate::model::Cmdp;

/// The optimal gain as a function of one budget: concave and piecewise linear between the points.
#[derive(Clone, Debug)]
pub struct Frontier {
    /// Break points by ascending budget: the first has the least achievable cost, the last the least cost of the
    /// greatest gain. Empty where the other budgets cannot be met.
    pub points: Vec<FrontierPoint>,
}

/// A break point of the frontier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrontierPoint {
    /// The budget τ.
    pub budget: f64,
    /// The optimal gain at that budget.
    pub gain: f64,
    /// The price λ on the segment from here to the next point; 0 at the last one.
    pub price: f64,
}

/// The frontier of budget `cost`, all other budgets being the model's.
pub fn frontier(_planner: &mut dyn Planner, _model: &Cmdp, _from: From, _cost: usize) -> Result<Frontier> {
    unimplemented!()
}
