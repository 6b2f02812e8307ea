//! What a given policy attains, by the criterion of a problem and from its origin.

use super::Problem;
use super::tolerance::FEASIBLE;
use crate::chain::{Evaluation, evaluate};
use crate::error::Result;
use crate::model::{Cmdp, Origin, Policy, Value};

/// What a policy attains in a problem. Not tied to a start, it is counted from the state where it comes closest to the budgets
/// and, of those within them, earns the most.
pub fn follow(problem: &Problem, policy: &Policy) -> Result<Evaluation> {
    let model = problem.model;
    match problem.origin {
        Origin::Start => evaluate(model, policy, model.start()),
        Origin::State(state) => evaluate(model, policy, &[(state, 1.0)]),
        Origin::Anywhere => from_the_best_state(model, policy),
    }
}

fn from_the_best_state(model: &Cmdp, policy: &Policy) -> Result<Evaluation> {
    let mut best = evaluate(model, policy, &[(0, 1.0)])?;
    let mut known = if best.classes == 1 { best.visited.clone() } else { vec![false; model.states()] };
    for state in 1..model.states() {
        if known[state] {
            continue;
        }
        let found = evaluate(model, policy, &[(state, 1.0)])?;
        if found.classes == 1 {
            // Whatever is visited on the way to a single class has its averages.
            known.iter_mut().zip(&found.visited).for_each(|(known, visited)| *known |= visited);
        }
        if rank(model, &found.value) > rank(model, &best.value) {
            best = found;
        }
    }
    Ok(best)
}

/// The greater, the better: first the violation, then the gain.
fn rank(model: &Cmdp, value: &Value) -> (f64, f64) {
    (0.0 - violation(model, value), value.reward)
}

/// max over i of (J(c_i) − τ_i) / max(1e-12, max|c_i|); 0 if all budgets are met, up to rounding.
pub(super) fn violation(model: &Cmdp, value: &Value) -> f64 {
    let over =
        |(i, cost): (usize, &f64)| (cost - model.budgets()[i]) / model.signals().size(i + 1).max(1e-12);
    let most = value.costs.iter().enumerate().map(over).fold(0.0, f64::max);
    if most <= FEASIBLE { 0.0 } else { most }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::text;

    #[test]
    fn not_tied_to_a_start_a_policy_is_counted_from_where_it_does_best() {
        let text =
            "cost c <= 0.5\nstate a\n  x -> a\nstate b\n  x reward 3 c 1 -> b\nstate d\n  x reward 2 -> d";
        let model = text::parse(text).unwrap();
        let (policy, problem) = (Policy::uniform(&model), Problem::average(&model));
        let gain = |origin| follow(&problem.clone().counted_from(origin), &policy).unwrap().value.reward;
        assert_eq!([Origin::Start, Origin::State(1), Origin::Anywhere].map(gain), [0.0, 3.0, 2.0]);
    }
}
