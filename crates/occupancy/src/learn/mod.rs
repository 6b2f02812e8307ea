//! Learning: what was counted in, the next epoch out.
//!
//! A [`Learner`] never acts. Asked by the trial loop, it answers with an [`Epoch`]: a policy and the moment to ask again.
//! Acting, counting and stopping are written once, in [`crate::sim`].
//!
//! [`LearnerConfig`] is the registry: a kind and its [`Settings`] become a learner.

mod algorithms;
mod config;
mod counts;
mod parts;
mod settings;

pub use config::{Knowledge, LearnerConfig, LearnerKind};
pub use counts::Counts;
pub use parts::epochs::{EpochRule, Until, VisitLimit};
pub use parts::posterior::Posterior;
pub use parts::prior::{Prior, PriorRows};
pub use settings::{
    BonusForm, DualSignal, Execution, Level, Mixed, OnInfeasible, PlanFrom, Settings, UnvisitedBonus,
    UnvisitedKernel,
};

use crate::error::Result;
use crate::model::{Cmdp, Policy};
use crate::seed::Rng;

/// Decides how to act, epoch by epoch.
pub trait Learner {
    /// What to do from now on, and until when.
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch>;

    /// The model that was drawn for the last epoch, where a learner plans at prices in such a model: what it lost
    /// falls apart into what drawing and what pricing cost.
    fn drawn(&self) -> Option<&Cmdp> {
        None
    }
}

/// What a learner knows when it is asked.
#[derive(Debug)]
pub struct Now<'a> {
    /// Steps taken so far.
    pub step: u64,
    /// The state it is in.
    pub state: usize,
    /// All that was seen so far.
    pub counts: &'a Counts,
    /// How long the last epoch took; 0 before the first.
    pub last_steps: u64,
    /// The sums of the signals over it: the reward, then the costs.
    pub last_sums: &'a [f64],
}

/// A policy, and the moment to ask again.
#[derive(Clone, Debug)]
pub struct Epoch {
    /// How to act.
    pub policy: Policy,
    /// Until when.
    pub until: Until,
    /// Whether this begins a new epoch; `false` where it is the second part of a block.
    pub begins: bool,
    /// How planning went; `None` where nothing was planned.
    pub report: Option<PlanReport>,
}

/// How planning went.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanReport {
    /// Whether some policy met the budgets in the learner's model.
    pub feasible: bool,
    /// How many recurrent classes the planned occupancy had; more than one where the policy cannot realise its plan.
    pub classes: usize,
    /// λ_i: the prices of the plan.
    pub prices: Vec<f64>,
    /// Whether the plan is known to be the best one in the learner's model; it is played all the same.
    pub settled: bool,
}
