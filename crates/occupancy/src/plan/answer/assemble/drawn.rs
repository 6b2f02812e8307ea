//! The policies of a mixture that no stationary policy attains, each as it is followed if it is drawn.

use super::{Draft, NEGLIGIBLE};
use crate::chain::Wanted;
use crate::error::Result;
use crate::model::Policy;
use crate::plan::response::Scope;
use crate::plan::response::column::Column;
use crate::plan::response::evaluation::most_visited;
use crate::plan::response::region::NONE;

/// Steps that take less than such a share of the time are hardly ever taken: one share after the other is tried until the chain of a
/// policy does not fall nearly apart any more.
const HARDLY_EVER: [f64; 3] = [NEGLIGIBLE, 1e-17, 1e-14];

/// The policy of one column, uniform where it has none.
pub(super) fn of_column(scope: &Scope, column: &Column) -> Policy {
    let model = scope.choices.model;
    let mut policy = Policy::uniform(model).into_probabilities();
    for state in (0..model.states()).filter(|&s| scope.within[s] && column.chosen.pair[s] != NONE) {
        policy[model.pairs_of(state)].fill(0.0);
        policy[column.chosen.pair[state] as usize] = 1.0;
    }
    Policy::from_rows(policy)
}

impl Draft<'_> {
    /// A policy of the mixture that returns in the least time from where it hardly ever comes, if that attains what it did. On a large
    /// scope alone: what it does there was never improved, and it may stay there for 1e38 steps. So may one that returns as is
    /// best at the prices, by which the classes of the mixture are worth the same.
    pub(super) fn of_one(
        &self,
        column: &Column,
        start: &[(usize, f64)],
        wanted: Wanted,
    ) -> Result<Option<Policy>> {
        if !self.scope.is_large() {
            return Ok(None);
        }
        let mut first = None;
        for often in HARDLY_EVER {
            let own = Draft { occupancy: &self.often_entered(column, often), hurries: true, ..*self };
            match own.attaining(&[], start, &column.gains, wanted)? {
                Some((policy, evaluation)) if evaluation.switched == 0 => return Ok(Some(policy)),
                found => first = first.or(found.map(|(policy, _)| policy)),
            }
        }
        Ok(first)
    }

    /// The occupancy of a policy on the states that it comes to from its most visited one by steps that it takes more `often` than this.
    /// Its mass alone does not tell: where it comes once in 1e50 steps to stay for 1e40, it is 1e-10.
    fn often_entered(&self, column: &Column, often: f64) -> Vec<f64> {
        let (pairs, mass) = (&column.chosen.pair, &column.mass);
        let mut occupancy = vec![0.0; self.model().pairs()];
        let mut waiting: Vec<usize> = most_visited(mass).into_iter().collect();
        waiting.iter().for_each(|&state| occupancy[pairs[state] as usize] = mass[state]);
        while let Some(state) = waiting.pop() {
            column.chosen.successors(&self.scope.choices, state, |next, p| {
                let is_often = mass[next] > 0.0 && mass[state] * p > often;
                if is_often && occupancy[pairs[next] as usize] == 0.0 {
                    occupancy[pairs[next] as usize] = mass[next];
                    waiting.push(next);
                }
            });
        }
        occupancy
    }
}
