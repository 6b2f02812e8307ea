//! How the time of a policy is shared among the states, found when a search is over: on large models it is costly.

use super::column::Column;
use super::evaluation::{Evaluated, Evaluator};
use super::{Responder, Scope};
use crate::error::Result;

impl Responder {
    /// Finds the share of time spent in every state by the policies of a mixture that were made without it. The evaluator of the
    /// search knows by now how their chains are best solved, and has the room for it.
    pub fn complete_masses(&mut self, scope: &Scope, mixture: &mut [(f64, Column)]) -> Result<()> {
        let Responder { iteration, evaluated, .. } = self;
        let evaluator = &mut iteration.evaluator;
        mixture.iter_mut().try_for_each(|(_, column)| complete_mass(evaluator, scope, evaluated, column))
    }
}

/// The share of time that a column's policy spends in every state, if the column was made without it. What the search took for a
/// recurrent state of each component probably is one here.
fn complete_mass(
    evaluator: &mut Evaluator,
    scope: &Scope,
    last: &[Evaluated],
    column: &mut Column,
) -> Result<()> {
    if !column.mass.is_empty() {
        return Ok(());
    }
    column.mass.resize(scope.choices.model.states(), 0.0);
    for component in (0..column.stop.len()).filter(|&component| column.stop[component] > 0.0) {
        let region = scope.region(component);
        let mut evaluated = Evaluated { reference: last[component].reference, ..Evaluated::default() };
        evaluator.anchor(&region, &column.chosen, &mut evaluated);
        let mut law = vec![0.0; region.states.len()];
        evaluator.law(&region, &column.chosen, &evaluated, &mut law)?;
        for (&state, share) in region.states.iter().zip(&law) {
            column.mass[state as usize] = column.stop[component] * share;
        }
    }
    Ok(())
}
