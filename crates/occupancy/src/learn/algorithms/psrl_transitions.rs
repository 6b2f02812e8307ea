//! PSRLTransitions: posterior sampling of transitions (the paper's Algorithm 1).
//!
//! ```text
//! for epochs k = 1, 2, …
//!     r̄_k, c̄_k  ←  means of what was seen
//!     p_k(·∣s,a) ~ Dir(prior + N(s,a,·))
//!     π_k        ←  best policy within the budgets for (p_k, r̄_k, c̄_k)
//!     follow π_k until the epoch ends
//! ```
//!
//! The paper's text leaves open what the posterior is where a count is 0 (see [`crate::learn::Prior`]), what follows an
//! infeasible plan, and when an epoch ends while a pair is unvisited (see [`crate::learn::EpochRule`]).

use crate::error::Result;
use crate::learn::parts::estimate::Estimate;
use crate::learn::parts::posterior::Posterior;
use crate::learn::parts::prior::PriorRows;
use crate::learn::settings::Settings;
use crate::learn::{Epoch, EpochRule, Learner, Now};
use crate::model::Task;
use crate::seed::Rng;

/// Plans within the budgets in models drawn from the posterior.
pub(in crate::learn) struct PsrlTransitions {
    estimate: Estimate,
    posterior: Posterior,
    epochs: EpochRule,
    rounds: u64,
}

impl PsrlTransitions {
    pub fn new(task: &Task, settings: &Settings, prior: Option<PriorRows>) -> PsrlTransitions {
        PsrlTransitions {
            estimate: Estimate::new(task, settings),
            posterior: Posterior::new(&settings.prior, prior),
            epochs: settings.epochs,
            rounds: task.rounds(),
        }
    }
}

impl Learner for PsrlTransitions {
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch> {
        self.estimate.means(now.counts, |_, _, mean| mean)?;
        self.posterior.draw(now.counts, &mut self.estimate.model, rng)?;
        let (policy, report) = self.estimate.plan(now, rng)?;
        let until = self.epochs.until(now, self.rounds);
        Ok(Epoch { policy, until, begins: true, report: Some(report) })
    }
}
