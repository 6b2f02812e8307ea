//! The quickest way to a state: max over policies of −E[steps until it is reached].
//!
//! A learner that finds its budgets impossible walks to the state it knows least about, by this policy.

use super::off_support::Pinned;
use crate::chain::solver::Solver;
use crate::model::{Cmdp, Policy};
use crate::plan::response::choices::Choices;
use crate::plan::response::region::NONE;

/// The policy that reaches `target` in the fewest expected steps. States that cannot reach it with certainty, and the
/// target itself, take all actions with the same probability.
pub fn quickest_way(model: &Cmdp, target: usize) -> Policy {
    let mut visited = vec![false; model.states()];
    visited[target] = true;
    let rule = Pinned {
        choices: Choices { model, radii: None },
        sources: None,
        visited: &visited,
        wanted: &vec![true; model.states()],
        weighted: &vec![-1.0; model.pairs()],
        gain: 0.0,
        bias: &vec![0.0; model.states()],
    };
    let mut probabilities = Policy::uniform(model).into_probabilities();
    for (state, &pair) in
        rule.actions(&mut Solver::default()).iter().enumerate().filter(|&(_, &pair)| pair != NONE)
    {
        probabilities[model.pairs_of(state)].fill(0.0);
        probabilities[pair as usize] = 1.0;
    }
    Policy::from_rows(probabilities)
}

#[cfg(test)]
mod tests;
