//! Posterior sampling: a model drawn from what was counted, and the plan in it.

use super::belief::Belief;
use super::planning::{PlanOptions, Planning};
use super::posterior::Posterior;
use super::prior::Prior;
use super::told::SignalSource;
use crate::error::Result;
use crate::learn::{Knowledge, Now, PlanReport, Wants};
use crate::model::{Cmdp, Policy, Task};
use crate::seed::Rng;

/// Draws transitions from their posterior and plans with them; signals are told, or means.
pub struct Sampling {
    belief: Belief,
    posterior: Posterior,
    planning: Planning,
}

impl Sampling {
    /// Nothing seen yet.
    pub fn new(
        learner: &'static str,
        task: &Task,
        knowledge: &Knowledge,
        (prior, signals): (&Prior, SignalSource),
        planning: &PlanOptions,
    ) -> Result<Sampling> {
        Ok(Sampling {
            belief: Belief::new(learner, task, knowledge, signals)?,
            posterior: Posterior::new(prior, task, knowledge)?,
            planning: Planning::new(task, planning),
        })
    }

    /// What a learner has to be told for this.
    pub fn wants(prior: &Prior, signals: SignalSource) -> Wants {
        let signals = signals == SignalSource::Known;
        Wants { successors: prior.wants_successors(), signals, ..Wants::default() }
    }

    /// The same without budgets.
    pub fn without_budgets(mut self) -> Result<Sampling> {
        let free = vec![f64::INFINITY; self.belief.model().costs()];
        self.belief = self.belief.with_budgets(&free)?;
        Ok(self)
    }

    /// The model drawn last.
    pub fn model(&self) -> &Cmdp {
        self.belief.model()
    }

    /// Draws a model, and plans in it.
    pub fn plan(&mut self, now: &Now, rng: &mut Rng) -> Result<(Policy, PlanReport)> {
        self.belief.means(now.counts)?;
        self.posterior.draw(now.counts, self.belief.model_mut(), rng)?;
        self.planning.plan(self.belief.model(), now, rng)
    }
}
