//! CUCRLTransitions: optimism in the transitions (UCRL-CMDP, Singh, Gupta and Shroff 2020).
//!
//! ```text
//! for epochs k = 1, 2, …  of ⌈T^α⌉ steps
//!     p̄ = shares of the successors seen ,   |p(s′∣s,a) − p̄(s′∣s,a)| ≤ b(s,a)
//!     π_k  ←  best policy within the budgets for (p, r̄, c̄) with the most favourable such p
//!     follow π_k until the epoch ends
//! ```
//!
//! The original knows rewards and costs; here, as in the paper, they are estimated. The paper calls the planning problem
//! intractable; it is solved exactly here (see [`crate::plan::Optimist`]). The published code runs it in the blocks of
//! CUCRLConservative, random phases included.

use crate::error::Result;
use crate::learn::parts::bonus::{Bonus, Original};
use crate::learn::parts::epochs::{Blocks, Part, Until};
use crate::learn::parts::estimate::Estimate;
use crate::learn::settings::Settings;
use crate::learn::{Epoch, EpochRule, Learner, Now};
use crate::model::{Policy, Task};
use crate::plan::Optimist;
use crate::seed::Rng;

/// Plans with the most favourable transitions within a confidence set.
pub(in crate::learn) struct CucrlTransitions {
    estimate: Estimate,
    optimist: Optimist,
    radius: Bonus,
    radii: Vec<f64>,
    epochs: EpochRule,
    blocks: Blocks,
    h: u64,
    task: Task,
}

impl CucrlTransitions {
    pub fn new(task: &Task, settings: &Settings) -> CucrlTransitions {
        CucrlTransitions {
            estimate: Estimate::new(task, settings),
            optimist: Optimist::new(settings.off_support),
            radius: Bonus::new(task, settings, Original::Transitions),
            radii: vec![0.0; task.pairs()],
            epochs: settings.epochs,
            blocks: Blocks::default(),
            h: settings.h.unwrap_or(1),
            task: task.clone(),
        }
    }

    /// The end of the part that begins now, and whether it begins an epoch; `Err` with the end of a random part.
    fn part(&mut self, now: &Now) -> std::result::Result<(Until, bool), Until> {
        if self.epochs != EpochRule::Blocks {
            return Ok((self.epochs.until(now, self.task.rounds()), true));
        }
        match self.blocks.next(self.h, now.step, self.task.rounds()) {
            Part::Random(until) => Err(until),
            Part::Planned(until, begins) => Ok((until, begins)),
        }
    }
}

impl Learner for CucrlTransitions {
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch> {
        let (until, begins) = match self.part(now) {
            Ok(planned) => planned,
            Err(until) => {
                let policy = Policy::uniform(&self.estimate.model);
                return Ok(Epoch { policy, until, begins: true, report: None });
            }
        };
        self.radius.begin(1, now.step);
        for (pair, radius) in self.radii.iter_mut().enumerate() {
            *radius = self.radius.of(now.counts, pair).min(1.0);
        }
        self.estimate.empirical(now.counts, rng)?;
        self.estimate.means(now.counts, |_, _, mean| mean)?;
        let optimism = self.optimist.plan(&self.estimate.model, &self.radii);
        let verdict = optimism.map(|optimism| optimism.verdict);
        let (policy, report) = self.estimate.settle(verdict, now, rng)?;
        Ok(Epoch { policy, until, begins, report: Some(report) })
    }
}
