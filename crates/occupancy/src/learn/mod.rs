//! Learning: what was counted in, the next epoch out.
//!
//! A [`Learner`] never acts. Asked by the trial loop, it answers with an [`Epoch`]: a policy and the moment to ask again.
//! Acting, counting and stopping are written once, in [`crate::sim`].
//!
//! [`algorithms`] has one file for each learner, with its options and its box; [`parts`] is what they are made of. Both are
//! open: a learner from outside implements [`Learner`] and [`LearnerConfig`] with the same parts, and a [`Registry`] knows
//! it by its name like any other.

pub mod algorithms;
mod config;
mod counts;
pub mod parts;
mod registry;

pub(crate) use config::check_table;
pub use config::{CloneConfig, DenseOption, Knowledge, LearnerConfig, Wants};
pub use counts::{Counts, Visit};
pub use parts::epochs::{EpochRule, Until, VisitLimit};
pub use registry::Registry;

use crate::error::Result;
use crate::model::Policy;
use crate::seed::Rng;
use std::any::Any;
use std::sync::Arc;

/// Decides how to act, epoch by epoch.
pub trait Learner: Any + Send {
    /// What to do from now on, and until when.
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch>;
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
    /// Its steps, for learners that want them ([`Wants::trajectory`]).
    pub trajectory: &'a [Visit],
}

/// A policy, and the moment to ask again.
#[derive(Clone, Debug)]
pub struct Epoch {
    /// How to act.
    pub policy: Arc<Policy>,
    /// The states in which that differs from the last epoch; `None` if it may in all of them.
    pub changed: Option<Vec<u32>>,
    /// Until when.
    pub until: Until,
    /// Whether this begins a new epoch; `false` if it is the second part of a block.
    pub begins: bool,
    /// How planning went; `None` if nothing was planned.
    pub report: Option<PlanReport>,
}

impl Epoch {
    /// A new epoch of a policy that was planned.
    pub fn planned((policy, report): (impl Into<Arc<Policy>>, PlanReport), until: Until) -> Epoch {
        Epoch { report: Some(report), ..Epoch::unplanned(policy, until) }
    }

    /// A new epoch of a policy that was not planned.
    pub fn unplanned(policy: impl Into<Arc<Policy>>, until: Until) -> Epoch {
        Epoch { policy: policy.into(), changed: None, until, begins: true, report: None }
    }
}

/// How planning went.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanReport {
    /// Whether some policy met the budgets in the learner's model.
    pub feasible: bool,
    /// How many recurrent classes the planned occupancy had; with more than one the policy cannot realise its plan.
    pub classes: usize,
    /// λ_i: the prices of the plan.
    pub prices: Vec<f64>,
    /// Whether the plan is known to be the best one in the learner's model; it is played all the same.
    pub settled: bool,
}
