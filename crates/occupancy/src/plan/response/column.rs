//! A policy and what it attains: a column of the linear program that the price search never writes down.

use super::region::Chosen;
use crate::model::Cmdp;

/// A deterministic policy and what it attains in its scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column {
    /// J of every signal.
    pub gains: Vec<f64>,
    /// How far each of them may be off.
    pub errors: Vec<f64>,
    pub chosen: Chosen,
    /// The probability of ending in every component.
    pub stop: Vec<f64>,
    /// The share of time spent in every state; empty until [`crate::plan::response::Responder::complete_masses`] if it is costly.
    pub mass: Vec<f64>,
}

impl Column {
    /// Nothing yet, with room for a policy on a model with one component.
    pub fn with_room(model: &Cmdp) -> Column {
        let mut column = Column::default();
        column.gains.reserve(model.signals().count());
        column.errors.reserve(model.signals().count());
        column.chosen.pair.reserve(model.states());
        column.stop.reserve(1);
        column.mass.reserve(model.states());
        column
    }
}
