//! What may be wrong with a learner for a task.

/// Why a learner cannot be made for a task.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LearnerProblem {
    /// A learner of episodes in a task without them.
    #[error("{learner} learns in episodes: give their length by --horizon H, or by horizon = H under [env]")]
    NoEpisodes {
        /// The learner.
        learner: &'static str,
    },
    /// A learner that its paper defines for fewer costs.
    #[error("{learner} takes {takes}, but the model has {costs} costs")]
    Costs {
        /// The learner.
        learner: &'static str,
        /// How many costs it takes, in words.
        takes: &'static str,
        /// How many there are.
        costs: usize,
    },
    /// The cost of a safe policy, which a learner of episodes has to be told.
    #[error(
        "{learner} has to know the cost of an episode under a safe policy: give baseline_cost; `occupancy evaluate MODEL POLICY.csv --horizon H` tells what a policy costs"
    )]
    NoBaselineCost {
        /// The learner.
        learner: &'static str,
    },
    /// A safe policy, which a learner has to be told.
    #[error(
        "{learner} has to know a policy within the budgets: give baseline, the path of a policy's table as `occupancy solve --policy` writes it, or uniform"
    )]
    NoBaseline {
        /// The learner.
        learner: &'static str,
    },
    /// Something that a learner has to be told.
    #[error("{learner} has to know {what}: {how}")]
    Unknown {
        /// The learner.
        learner: &'static str,
        /// What it has to know.
        what: &'static str,
        /// How that is given.
        how: &'static str,
    },
    /// Tables that would take too much memory.
    #[error(
        "{learner} keeps {states} probabilities for each of {pairs} pairs, at most {most} in all are supported"
    )]
    TooLarge {
        /// The learner.
        learner: &'static str,
        /// The pairs of all stages.
        pairs: usize,
        /// The states of a stage.
        states: usize,
        /// How many probabilities there may be.
        most: usize,
    },
    /// A learner from outside this library that failed in its own way.
    #[error("{learner} failed: {what}")]
    Failed {
        /// The learner.
        learner: &'static str,
        /// What it said.
        what: String,
    },
    /// A number that contradicts the task.
    #[error("{option} of {learner} is {value}, expected {expected}")]
    Contradiction {
        /// The learner.
        learner: &'static str,
        /// The option.
        option: &'static str,
        /// Its value.
        value: f64,
        /// What it has to be.
        expected: String,
    },
}
