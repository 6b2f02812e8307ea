//! What is made of the signals over time, where it is counted from, and what comes out.

use serde::{Deserialize, Serialize};

/// What is made of a signal over time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Criterion {
    /// J(x) = lim 1/T Σ_t E[x(S_t, A_t)]: the average in the long run.
    #[default]
    Average,
}

/// Where a criterion is counted from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// From the model's start distribution; exact for every finite model.
    #[default]
    Start,
    /// From one state.
    State(usize),
    /// Not tied to a start: the best occupancy measure there is (the paper's LP).
    Anywhere,
}

/// What a policy is worth by a criterion.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// J(r).
    pub reward: f64,
    /// J(c_i).
    pub costs: Vec<f64>,
    /// How far the reward, and then each cost, may be off, in floating-point arithmetic: what the residuals of iteration leave
    /// open on large models, 0 on others, whose averages have all digits but the last.
    pub errors: Vec<f64>,
}
