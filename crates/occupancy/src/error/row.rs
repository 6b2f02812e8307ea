//! What can be wrong with a row of transitions.

use super::told::short;

/// What is wrong with a row of transitions.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RowProblem {
    /// It leads to a state outside the model.
    #[error("leads to state {successor}, but the model has {states} states")]
    Successor {
        /// The successor's index.
        successor: usize,
        /// How many states there are.
        states: usize,
    },
    /// A number that is not a probability.
    #[error("gives state {successor} the probability {}, expected a number from 0 to 1", short(*value))]
    Probability {
        /// The successor's name.
        successor: String,
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
