//! Small models with values in closed form, and short ways to look at them, for the tests of the planner's parts.

use super::response::choices::Choices;
use super::response::region::Chosen;
use super::response::{Scope, Structure};
use crate::error::Result;
use crate::model::{Cmdp, CmdpBuilder, Origin};

/// A pair: its state, its successors, its reward and its costs.
pub(crate) type Given<'a> = (usize, &'a [(usize, f64)], f64, &'a [f64]);

/// A model that starts in state 0.
pub(crate) fn model(states: usize, budgets: &[f64], pairs: &[Given]) -> Cmdp {
    let mut builder = CmdpBuilder::new(states, budgets);
    for &(state, successors, reward, costs) in pairs {
        builder.pair(state, successors, reward, costs);
    }
    builder.build().unwrap()
}

/// Two rooms, each of which may be kept: 0 for a reward of 1 (pair 0), 1 for a reward of 2 (pair 2); pairs 1 and 3 go
/// to the other room for nothing.
pub(crate) fn rooms() -> Cmdp {
    let pairs: &[Given] = &[
        (0, &[(0, 1.0)], 1.0, &[]),
        (0, &[(1, 1.0)], 0.0, &[]),
        (1, &[(1, 1.0)], 2.0, &[]),
        (1, &[(0, 1.0)], 0.0, &[]),
    ];
    model(2, &[], pairs)
}

/// Work (pair 0: reward 1, cost 1) or a rest of two steps (pairs 1 and 2, for nothing). Of a share x of working steps
/// the gain and the cost are x, and the share of visits to state 0 that work is x / (x + (1 − x) / 2).
pub(crate) fn work_or_rest(budget: f64) -> Cmdp {
    let pairs: &[Given] =
        &[(0, &[(0, 1.0)], 1.0, &[1.0]), (0, &[(1, 1.0)], 0.0, &[0.0]), (1, &[(0, 1.0)], 0.0, &[0.0])];
    model(2, &[budget], pairs)
}

/// Stay in state 0 (pair 0: reward 1, cost 1) or leave it for good (pairs 1 and 2, for nothing): every stationary
/// policy attains (1, 1) or (0, 0) from the start, so that anything in between needs two of them.
pub(crate) fn stay_or_leave(budget: f64) -> Cmdp {
    let pairs: &[Given] =
        &[(0, &[(0, 1.0)], 1.0, &[1.0]), (0, &[(1, 1.0)], 0.0, &[0.0]), (1, &[(1, 1.0)], 0.0, &[0.0])];
    model(2, &[budget], pairs)
}

/// State 0 is left at once: to 1 with probability a half (pair 0) or a quarter (pair 1), to 2 otherwise. State 1 brings
/// 1 for ever, state 2 brings 3 at a cost of 4.
pub(crate) fn gamble(budget: f64) -> Cmdp {
    let pairs: &[Given] = &[
        (0, &[(1, 0.5), (2, 0.5)], 9.0, &[9.0]),
        (0, &[(1, 0.25), (2, 0.75)], 9.0, &[9.0]),
        (1, &[(1, 1.0)], 1.0, &[0.0]),
        (2, &[(2, 1.0)], 3.0, &[4.0]),
    ];
    model(3, &[budget], pairs)
}

/// A gambler with one or two coins (states 1 and 2) plays a fair game until he has none (state 0) or three (state 3).
/// With i coins he wins with probability i / 3 and plays i (3 − i) times.
pub(crate) fn ruin() -> Cmdp {
    let pairs: &[Given] = &[
        (0, &[(0, 1.0)], 0.0, &[]),
        (1, &[(0, 0.5), (2, 0.5)], 0.0, &[]),
        (2, &[(1, 0.5), (3, 0.5)], 0.0, &[]),
        (3, &[(3, 1.0)], 1.0, &[]),
    ];
    model(4, &[], pairs)
}

/// The rows of a model as they are.
pub(crate) fn plain(model: &Cmdp) -> Choices<'_> {
    Choices { model, radii: None }
}

/// All of a model.
pub(crate) fn anywhere(model: &Cmdp) -> Scope<'_> {
    Scope::new(plain(model), Origin::Anywhere, Structure::default()).unwrap()
}

/// What can be reached from the start of a model.
pub(crate) fn from_start(model: &Cmdp) -> Scope<'_> {
    Scope::new(plain(model), Origin::Start, Structure::default()).unwrap()
}

/// What can be reached from a state of a model, in the vectors of an earlier scope.
pub(crate) fn from_state(model: &Cmdp, state: usize, kept: Structure) -> Result<Scope<'_>> {
    Scope::new(plain(model), Origin::State(state), kept)
}

/// The policy that takes these pairs, one for each state.
pub(crate) fn policy(pairs: &[u32]) -> Chosen {
    Chosen { pair: pairs.to_vec(), rows: Vec::new() }
}

/// Fails unless two numbers differ by at most 1e-12.
#[track_caller]
pub(crate) fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-12, "{found} instead of {expected}");
}

/// Fails unless the numbers of two lists differ by at most 1e-12.
#[track_caller]
pub(crate) fn assert_all_near(found: &[f64], expected: &[f64]) {
    let near = |(x, y): (&f64, &f64)| (x - y).abs() <= 1e-12;
    let all = found.len() == expected.len() && found.iter().zip(expected).all(near);
    assert!(all, "{found:?} instead of {expected:?}");
}
