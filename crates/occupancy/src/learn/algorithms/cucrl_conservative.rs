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
//! ```text
//! b(s,a) = coef √( ln(S A (m+1) π² t³ / (3 δ)) / (2 N) )        original
//! ```
//!
//! C-UCRL knows the transitions and explores by a policy that is known to be safe; then every policy it follows is within
//! the budgets with probability 1 − δ. Here, as in the paper, transitions are estimated and the exploring policy is
//! uniform, so that this promise does not hold.

use crate::arithmetic::elementary::{cbrt, ln};
use crate::error::Result;
use crate::learn::parts::bonus::{Bonus, BonusOptions};
use crate::learn::parts::epochs::{BlockPart, Blocks};
use crate::learn::parts::estimate::{Estimate, UnvisitedKernel, UnvisitedPairs, within};
use crate::learn::parts::planning::{OnInfeasible, PlanOptions, Planning};
use crate::learn::{DenseOption, Epoch, Knowledge, Learner, LearnerConfig, Now};
use crate::model::{Policy, Task};
use crate::options;
use crate::seed::Rng;

options! {
    /// The options of cucrl-conservative.
    pub struct CucrlConservativeConfig {
        /// Steps of the random part of a block.
        h: Option<u64> = None, "a count of at least 1" => |h| h.is_none_or(|h| h >= 1);
        with {
            /// How it plans.
            planning: PlanOptions = PlanOptions::if_infeasible(OnInfeasible::LeastCost);
            /// What it assumes of pairs never visited.
            unvisited: UnvisitedPairs = UnvisitedPairs::default();
            /// The bonus.
            bonus: BonusOptions = BonusOptions::default();
        }
        /// Whether estimates with their bonus are kept within the range of the signal.
        clip: bool = true, "true or false" => |_| true;
    }
}

/// ⌈T^(1/3)⌉ random steps in each block.
pub(super) fn random_steps(rounds: u64) -> u64 {
    cbrt(rounds as f64).ceil().max(1.0) as u64
}

impl LearnerConfig for CucrlConservativeConfig {
    fn name(&self) -> &'static str {
        "cucrl-conservative"
    }

    fn about(&self) -> &'static str {
        "plans with more reward but also more cost where little was seen; random phases"
    }

    fn fill_in(&mut self, rounds: u64) {
        self.h.get_or_insert(random_steps(rounds));
        self.bonus.fill_in();
    }

    fn most_plans(&self, _pairs: usize, rounds: u64) -> Option<u64> {
        Some(Blocks::most(self.h.unwrap_or(1), rounds))
    }

    fn dense_option(&self) -> Option<DenseOption> {
        self.unvisited.dense_option()
    }

    fn make(&self, task: &Task, _knowledge: &Knowledge) -> Result<Box<dyn Learner>> {
        Ok(Box::new(CucrlConservative {
            estimate: Estimate::new(task, &self.unvisited.signals),
            unvisited: self.unvisited.unvisited_kernel,
            planning: Planning::new(task, &self.planning),
            bonus: Bonus::new(&self.bonus),
            delta: self.bonus.delta,
            clip: self.clip,
            blocks: Blocks::default(),
            h: self.h.unwrap_or(1),
            task: task.clone(),
        }))
    }
}

/// Plans with more reward but also more cost where little was seen.
pub struct CucrlConservative {
    estimate: Estimate,
    unvisited: UnvisitedKernel,
    planning: Planning,
    bonus: Bonus,
    delta: f64,
    clip: bool,
    blocks: Blocks,
    h: u64,
    task: Task,
}

impl Learner for CucrlConservative {
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch> {
        let (until, begins) = match self.blocks.next(self.h, now.step, self.task.rounds()) {
            BlockPart::Random(until) => {
                return Ok(Epoch::unplanned(Policy::uniform(&self.estimate.model), until));
            }
            BlockPart::Planned { until, begins } => (until, begins),
        };
        self.bonus.rescale(scale(&self.task, now.step, self.delta));
        self.estimate.empirical(now.counts, self.unvisited, rng)?;
        self.estimate.means(now.counts, |signal, pair, mean| {
            let raised = mean + self.bonus.of(now.counts, pair);
            if self.clip { within(&self.task, signal, raised) } else { raised }
        })?;
        let planned = self.planning.plan(&self.estimate.model, now, rng)?;
        Ok(Epoch { begins, ..Epoch::planned(planned, until) })
    }
}

/// ln(S A (m+1) π² t³ / (3 δ)) / 2, where S A is the number of pairs and t the steps taken.
pub(super) fn scale(task: &Task, step: u64, delta: f64) -> f64 {
    let (pairs, signals, t) = (task.pairs() as f64, task.costs() as f64 + 1.0, step.max(1) as f64);
    let pi = std::f64::consts::PI;
    ln(pairs * signals * pi * pi * (t * t * t) / (3.0 * delta)) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::algorithms::fixture::three_pairs;

    #[test]
    fn the_scale_is_the_formula() {
        // By hand, with S A = 3, m + 1 = 2, t = 40, δ = 0.05.
        let expected = ln(25_266_187.266_788_58) / 2.0;
        assert!((scale(&three_pairs(1000), 40, 0.05) - expected).abs() < 1e-12);
    }
}
