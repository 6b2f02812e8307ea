//! What can be wrong with a start distribution.

use super::told::short;

/// What is wrong with a start distribution.
#[derive(Debug, thiserror::Error)]
pub enum StartProblem {
    /// It names a state outside the model.
    #[error("names state {state}, but the model has {states} states")]
    Unknown {
        /// The state's index.
        state: usize,
        /// How many states there are.
        states: usize,
    },
    /// A weight is not a probability.
    #[error("gives state {state} the probability {}, expected a number from 0 to 1", short(*value))]
    Probability {
        /// The state's index.
        state: usize,
        /// The number given.
        value: f64,
    },
    /// It does not sum to one.
    #[error("sums to {sum}, expected 1 within {}", short(*within))]
    Sum {
        /// The sum.
        sum: f64,
        /// How far it may be from 1.
        within: f64,
    },
}
