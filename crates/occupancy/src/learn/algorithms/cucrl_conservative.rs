//! CUCRLConservative: optimism in rewards, pessimism in costs (C-UCRL, Zheng and Ratliff 2020).
//!
//! ```text
//! for blocks k = 1, 2, …
//!     h steps of the uniform policy
//!     r̂ = r̄ + b ,   ĉ_i = c̄_i + b ,   p̄ = shares of the successors seen
//!     π_k  ←  best policy within the budgets for (p̄, r̂, ĉ)
//!     (k − 1) h steps of π_k
//! ```
//!
//! C-UCRL knows the transitions and explores by a policy that is known to be safe; then every policy it follows is within
//! the budgets with probability 1 − δ. Here, as in the paper, transitions are estimated and the exploring policy is
//! uniform, so that this promise does not hold.

use super::cucrl_optimistic::within;
use crate::error::Result;
use crate::learn::parts::bonus::{Bonus, Original};
use crate::learn::parts::epochs::{Blocks, Part};
use crate::learn::parts::estimate::Estimate;
use crate::learn::settings::Settings;
use crate::learn::{Epoch, Learner, Now};
use crate::model::{Policy, Task};
use crate::seed::Rng;

/// Plans with more reward but also more cost where little was seen.
pub(in crate::learn) struct CucrlConservative {
    estimate: Estimate,
    bonus: Bonus,
    clip: bool,
    blocks: Blocks,
    h: u64,
    task: Task,
}

impl CucrlConservative {
    pub fn new(task: &Task, settings: &Settings) -> CucrlConservative {
        CucrlConservative {
            estimate: Estimate::new(task, settings),
            bonus: Bonus::new(task, settings, Original::Conservative),
            clip: settings.clip,
            blocks: Blocks::default(),
            h: settings.h.unwrap_or(1),
            task: task.clone(),
        }
    }
}

impl Learner for CucrlConservative {
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch> {
        let (until, begins) = match self.blocks.next(self.h, now.step, self.task.rounds()) {
            Part::Random(until) => {
                let policy = Policy::uniform(&self.estimate.model);
                return Ok(Epoch { policy, until, begins: true, report: None });
            }
            Part::Planned(until, begins) => (until, begins),
        };
        self.bonus.begin(1, now.step);
        self.estimate.empirical(now.counts, rng)?;
        self.estimate.means(now.counts, |signal, pair, mean| {
            within(&self.task, signal, mean + self.bonus.of(now.counts, pair), self.clip)
        })?;
        let (policy, report) = self.estimate.plan(now, rng)?;
        Ok(Epoch { policy, until, begins, report: Some(report) })
    }
}
