//! CUCRLOptimistic: double optimism in rewards and costs (the principle of ConRL, Brantley et al. 2020, in the epochs of
//! UCRL2).
//!
//! ```text
//! for epochs k = 1, 2, …
//!     r̂ = r̄ + b ,   ĉ_i = c̄_i − b ,   p̄ = shares of the successors seen
//!     π_k  ←  best policy within the budgets for (p̄, r̂, ĉ)
//!     follow π_k until the epoch ends
//! ```
//!
//! ConRL is episodic and its bonus has the horizon as a factor; here it has not (see [`crate::learn::parts::bonus`]). The paper says that
//! the original bonus is used, its published code uses coef / √N.

use crate::error::Result;
use crate::learn::parts::bonus::{Bonus, Original};
use crate::learn::parts::estimate::Estimate;
use crate::learn::settings::Settings;
use crate::learn::{Epoch, EpochRule, Learner, Now};
use crate::model::Task;
use crate::seed::Rng;

/// Plans with more reward and less cost where little was seen.
pub(in crate::learn) struct CucrlOptimistic {
    estimate: Estimate,
    bonus: Bonus,
    clip: bool,
    epochs: EpochRule,
    task: Task,
    epoch: u64,
}

impl CucrlOptimistic {
    pub fn new(task: &Task, settings: &Settings) -> CucrlOptimistic {
        CucrlOptimistic {
            estimate: Estimate::new(task, settings),
            bonus: Bonus::new(task, settings, Original::Optimistic),
            clip: settings.clip,
            epochs: settings.epochs,
            task: task.clone(),
            epoch: 0,
        }
    }
}

impl Learner for CucrlOptimistic {
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch> {
        self.epoch += 1;
        self.bonus.begin(self.epoch, now.step);
        self.estimate.empirical(now.counts, rng)?;
        self.estimate.means(now.counts, |signal, pair, mean| {
            let b = self.bonus.of(now.counts, pair);
            let optimistic = if signal == 0 { mean + b } else { mean - b };
            within(&self.task, signal, optimistic, self.clip)
        })?;
        let (policy, report) = self.estimate.plan(now, rng)?;
        let until = self.epochs.until(now, self.task.rounds());
        Ok(Epoch { policy, until, begins: true, report: Some(report) })
    }
}

/// An estimate within the range of its signal, where that is wanted.
pub(in crate::learn) fn within(task: &Task, signal: usize, estimate: f64, clip: bool) -> f64 {
    let (least, most) = task.bounds(signal);
    if clip { estimate.clamp(least, most) } else { estimate }
}
