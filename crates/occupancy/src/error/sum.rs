//! What can be wrong with a sum that is to be planned or evaluated.

/// Why a sum has no best policy, or a policy no sum.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SumProblem {
    /// A policy that may never come to the states that end it.
    #[error("the policy can be in state {state}, from which it never comes to a state that ends the sum")]
    Astray {
        /// The state's name.
        state: String,
    },
    /// States that no policy is certain to reach.
    #[error("no policy is certain to come from state {state} to a state that ends the sum")]
    OutOfReach {
        /// The state's name.
        state: String,
    },
    /// A sum without bound.
    #[error(
        "the sum is not bounded: the loop through {loop_through} can be repeated without end, and it pays within the budgets"
    )]
    Unbounded {
        /// Its states.
        loop_through: String,
    },
    /// A supremum that no policy attains.
    #[error(
        "no policy attains the supremum {supremum}: the loop through {loop_through} pays as long as a budget lasts, \
         and entering it ever more rarely, to stay ever longer, pays ever more"
    )]
    NotAttained {
        /// What policies come arbitrarily close to.
        supremum: f64,
        /// The states of the loop.
        loop_through: String,
    },
}
