//! What is made of the signals over time, where it is counted from, and what comes out.

use super::Cmdp;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// What is made of a signal over time.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Criterion {
    /// J(x) = lim 1/T Σ_t E[x(S_t, A_t)]: the average in the long run.
    #[default]
    Average,
    /// J(x) = E Σ_t γ^t x(S_t, A_t): the discounted sum, not normalised.
    Discounted {
        /// γ, between 0 and 1.
        factor: f64,
    },
    /// J(x) = E Σ_{h<H} x(S_h, A_h): the sum over an episode. Policies may depend on the stage h.
    Episodes {
        /// H: how many steps an episode has.
        horizon: usize,
    },
    /// J(x) = E Σ_t x(S_t, A_t), as long as none of these states is reached. Only policies that reach one with probability 1
    /// count.
    Until {
        /// The states that end it, ascending.
        states: Vec<usize>,
    },
}

impl Criterion {
    /// Whether it is an average, not a sum.
    pub fn is_average(&self) -> bool {
        *self == Criterion::Average
    }

    /// How many tables a policy has: one for each stage of an episode, otherwise one.
    pub fn stages(&self) -> usize {
        match self {
            Criterion::Episodes { horizon } => *horizon,
            _ => 1,
        }
    }

    /// What the numbers of an occupancy sum to: 1, 1/(1 − γ) or H. Unknown before a sum that ends somewhere.
    pub fn mass(&self) -> Option<f64> {
        match self {
            Criterion::Average => Some(1.0),
            Criterion::Discounted { factor } => Some(1.0 / (1.0 - factor)),
            Criterion::Episodes { horizon } => Some(*horizon as f64),
            Criterion::Until { .. } => None,
        }
    }

    /// The word by which it is asked for and told apart.
    pub fn name(&self) -> &'static str {
        match self {
            Criterion::Average => "average",
            Criterion::Discounted { .. } => "discounted",
            Criterion::Episodes { .. } => "episodes",
            Criterion::Until { .. } => "until",
        }
    }

    /// Refuses a criterion that makes no sense on a model.
    pub fn check(&self, model: &Cmdp) -> Result<()> {
        let refuse = |option, value: String, expected| Err(Error::Option { option, value, expected });
        match self {
            Criterion::Discounted { factor } if !(*factor > 0.0 && *factor < 1.0) => {
                refuse("discount", factor.to_string(), "a number between 0 and 1")
            }
            Criterion::Episodes { horizon } if *horizon == 0 || *horizon > MOST_STAGES => {
                refuse("horizon", horizon.to_string(), "a number of steps from 1 to 1000000")
            }
            Criterion::Until { states } => match states.iter().find(|&&state| state >= model.states()) {
                Some(&state) => Err(Error::UnknownState { state, states: model.states() }),
                None if states.is_empty() => refuse("until", "empty".into(), "at least one state"),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }
}

/// The longest episode that is planned.
const MOST_STAGES: usize = 1_000_000;

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
