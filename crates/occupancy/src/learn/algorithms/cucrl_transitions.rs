//! CUCRLTransitions: optimism in the transitions (UCRL-CMDP, Singh, Gupta and Shroff 2020).
//!
//! ```text
//! for epochs k = 1, 2, …  of ⌈T^α⌉ steps
//!     p̄ = shares of the successors seen ,   |p(s′∣s,a) − p̄(s′∣s,a)| ≤ b(s,a)
//!     π_k  ←  best policy within the budgets for (p, r̄, c̄) with the most favourable such p
//!     follow π_k until the epoch ends
//! ```
//!
//! ```text
//! b(s,a) = coef √( ln(T S A) / N )        original
//! ```
//!
//! The original knows rewards and costs; here, as in the paper, they are estimated. The paper calls the planning problem
//! intractable; it is solved exactly here (see [`crate::plan::Optimist`]). The published code runs it in the blocks of
//! CUCRLConservative, random phases included.

use super::cucrl_conservative::random_steps;
use crate::arithmetic::elementary::ln;
use crate::error::Result;
use crate::learn::parts::bonus::{Bonus, BonusOptions};
use crate::learn::parts::epochs::{BlockPart, Blocks};
use crate::learn::parts::estimate::{Estimate, UnvisitedKernel, UnvisitedPairs};
use crate::learn::parts::planning::{OnInfeasible, PlanOptions, Planning};
use crate::learn::{DenseOption, Epoch, EpochRule, Knowledge, Learner, LearnerConfig, Now};
use crate::model::{Policy, Task};
use crate::options;
use crate::options::{Form, OptionValue};
use crate::plan::{OffSupport, Optimist};
use crate::seed::Rng;

/// When an epoch ends, or that it is a block with a random part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EpochsOrBlocks {
    /// Epochs that are planned from their beginning.
    Epochs(EpochRule),
    /// Growing blocks with a random part.
    Blocks,
}

impl EpochsOrBlocks {
    fn in_range(&self) -> bool {
        match self {
            EpochsOrBlocks::Epochs(rule) => rule.in_range(),
            EpochsOrBlocks::Blocks => true,
        }
    }
}

impl OptionValue for EpochsOrBlocks {
    const FORM: Form = Form::Word;

    fn parse(text: &str) -> Option<EpochsOrBlocks> {
        match text {
            "blocks" => Some(EpochsOrBlocks::Blocks),
            rule => EpochRule::parse(rule).map(EpochsOrBlocks::Epochs),
        }
    }

    fn show(&self) -> String {
        match self {
            EpochsOrBlocks::Epochs(rule) => rule.show(),
            EpochsOrBlocks::Blocks => "blocks".into(),
        }
    }
}

options! {
    /// The options of cucrl-transitions.
    pub struct CucrlTransitionsConfig {
        /// When an epoch ends.
        epochs: EpochsOrBlocks = EpochsOrBlocks::Epochs(EpochRule::Power(1.0 / 3.0)),
            "doubling, tsde, v1.2, fixed:STEPS (at least 1), power:α (⌈T^α⌉ steps, α from 0 to 1) or blocks"
            => EpochsOrBlocks::in_range;
        /// Steps of the random part of a block.
        h: Option<u64> = None, "a count of at least 1" => |h| h.is_none_or(|h| h >= 1);
        /// What the policy does in states that the plan never visits.
        off_support: OffSupport = OffSupport::Pinned, "pinned, uniform or first" => |_| true;
        /// What is done when no policy meets the budgets in the learner's model.
        infeasible: OnInfeasible = OnInfeasible::LeastCost, "explore, least-cost, drop or uniform" => |_| true;
        with {
            /// What it assumes of pairs never visited.
            unvisited: UnvisitedPairs = UnvisitedPairs::default();
            /// The radius.
            radius: BonusOptions = BonusOptions::default();
        }
    }
}

impl LearnerConfig for CucrlTransitionsConfig {
    fn name(&self) -> &'static str {
        "cucrl-transitions"
    }

    fn about(&self) -> &'static str {
        "plans with the most favourable transitions within a confidence set"
    }

    fn fill_in(&mut self, rounds: u64) {
        self.h.get_or_insert(random_steps(rounds));
        self.radius.fill_in();
    }

    fn requires(&self, option: &str) -> bool {
        option != "h" || self.epochs == EpochsOrBlocks::Blocks
    }

    fn most_plans(&self, pairs: usize, rounds: u64) -> Option<u64> {
        Some(match self.epochs {
            EpochsOrBlocks::Epochs(rule) => rule.most(pairs, rounds),
            EpochsOrBlocks::Blocks => Blocks::most(self.h.unwrap_or(1), rounds),
        })
    }

    fn dense_option(&self) -> Option<DenseOption> {
        self.unvisited.dense_option()
    }

    fn make(&self, task: &Task, _knowledge: &Knowledge) -> Result<Box<dyn Learner>> {
        let planning =
            PlanOptions { off_support: self.off_support, ..PlanOptions::if_infeasible(self.infeasible) };
        Ok(Box::new(CucrlTransitions {
            estimate: Estimate::new(task, &self.unvisited.signals),
            unvisited: self.unvisited.unvisited_kernel,
            optimist: Optimist::new(self.off_support),
            planning: Planning::new(task, &planning),
            radius: Bonus::new(&self.radius),
            radii: vec![0.0; task.pairs()],
            epochs: self.epochs,
            blocks: Blocks::default(),
            h: self.h.unwrap_or(1),
            task: task.clone(),
        }))
    }
}

/// Plans with the most favourable transitions within a confidence set.
pub struct CucrlTransitions {
    estimate: Estimate,
    unvisited: UnvisitedKernel,
    optimist: Optimist,
    planning: Planning,
    radius: Bonus,
    radii: Vec<f64>,
    epochs: EpochsOrBlocks,
    blocks: Blocks,
    h: u64,
    task: Task,
}

impl CucrlTransitions {
    /// What begins now: an epoch, or the next part of a block.
    fn next_part(&mut self, now: &Now) -> BlockPart {
        match self.epochs {
            EpochsOrBlocks::Blocks => self.blocks.next(self.h, now.step, self.task.rounds()),
            EpochsOrBlocks::Epochs(rule) => {
                BlockPart::Planned { until: rule.until(now, self.task.rounds()), begins: true }
            }
        }
    }
}

impl Learner for CucrlTransitions {
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch> {
        let (until, begins) = match self.next_part(now) {
            BlockPart::Random(until) => {
                return Ok(Epoch::unplanned(Policy::uniform(&self.estimate.model), until));
            }
            BlockPart::Planned { until, begins } => (until, begins),
        };
        self.radius.rescale(scale(&self.task));
        for (pair, radius) in self.radii.iter_mut().enumerate() {
            *radius = self.radius.of(now.counts, pair).min(1.0);
        }
        self.estimate.empirical(now.counts, self.unvisited, rng)?;
        self.estimate.means(now.counts, |_, _, mean| mean)?;
        let model = &self.estimate.model;
        let verdict = self.optimist.plan(model, &self.radii).map(|optimism| optimism.verdict);
        let planned = self.planning.policy_after(verdict, model, now, rng)?;
        Ok(Epoch { begins, ..Epoch::planned(planned, until) })
    }
}

/// ln(T S A), where S A is the number of pairs.
fn scale(task: &Task) -> f64 {
    ln(task.rounds() as f64 * task.pairs() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::algorithms::fixture::three_pairs;

    #[test]
    fn the_scale_is_the_formula() {
        // By hand, with S A = 3 and T = 1000.
        assert!((scale(&three_pairs(1000)) - ln(3000.0)).abs() < 1e-12);
    }
}
