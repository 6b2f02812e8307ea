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
//! ```text
//! b(s,a) = coef √( 2 ln(8 S A (m+1) k² / δ) / N )        original
//! ```
//!
//! ConRL is episodic and its bonus has the horizon as a factor; here it has not (see [`crate::learn::parts::bonus`]). The paper says that
//! the original bonus is used, its published code uses coef / √N.

use crate::arithmetic::elementary::ln;
use crate::error::Result;
use crate::learn::parts::bonus::{Bonus, BonusOptions};
use crate::learn::parts::estimate::{Estimate, UnvisitedKernel, UnvisitedPairs, within};
use crate::learn::parts::planning::{OnInfeasible, PlanOptions, Planning};
use crate::learn::{DenseOption, Epoch, EpochRule, Knowledge, Learner, LearnerConfig, Now};
use crate::model::Task;
use crate::options;
use crate::seed::Rng;

options! {
    /// The options of cucrl-optimistic.
    pub struct CucrlOptimisticConfig {
        /// When an epoch ends.
        epochs: EpochRule = EpochRule::Doubling,
            "doubling, tsde, v1.2, fixed:STEPS (at least 1) or power:α (⌈T^α⌉ steps, α from 0 to 1)" => EpochRule::in_range;
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

impl LearnerConfig for CucrlOptimisticConfig {
    fn name(&self) -> &'static str {
        "cucrl-optimistic"
    }

    fn about(&self) -> &'static str {
        "plans with more reward and less cost where little was seen"
    }

    fn fill_in(&mut self, _rounds: u64) {
        self.bonus.fill_in();
    }

    fn most_plans(&self, pairs: usize, rounds: u64) -> Option<u64> {
        Some(self.epochs.most(pairs, rounds))
    }

    fn dense_option(&self) -> Option<DenseOption> {
        self.unvisited.dense_option()
    }

    fn make(&self, task: &Task, _knowledge: &Knowledge) -> Result<Box<dyn Learner>> {
        Ok(Box::new(CucrlOptimistic {
            estimate: Estimate::new(task, &self.unvisited.signals),
            unvisited: self.unvisited.unvisited_kernel,
            planning: Planning::new(task, &self.planning),
            bonus: Bonus::new(&self.bonus),
            delta: self.bonus.delta,
            clip: self.clip,
            epochs: self.epochs,
            task: task.clone(),
            epoch: 0,
        }))
    }
}

/// Plans with more reward and less cost where little was seen.
pub struct CucrlOptimistic {
    estimate: Estimate,
    unvisited: UnvisitedKernel,
    planning: Planning,
    bonus: Bonus,
    delta: f64,
    clip: bool,
    epochs: EpochRule,
    task: Task,
    epoch: u64,
}

impl Learner for CucrlOptimistic {
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch> {
        self.epoch += 1;
        self.bonus.rescale(scale(&self.task, self.epoch, self.delta));
        self.estimate.empirical(now.counts, self.unvisited, rng)?;
        self.estimate.means(now.counts, |signal, pair, mean| {
            let b = self.bonus.of(now.counts, pair);
            let optimistic = if signal == 0 { mean + b } else { mean - b };
            if self.clip { within(&self.task, signal, optimistic) } else { optimistic }
        })?;
        let planned = self.planning.plan(&self.estimate.model, now, rng)?;
        Ok(Epoch::planned(planned, self.epochs.until(now, self.task.rounds())))
    }
}

/// 2 ln(8 S A (m+1) k² / δ), where S A is the number of pairs.
fn scale(task: &Task, epoch: u64, delta: f64) -> f64 {
    let (pairs, signals, k) = (task.pairs() as f64, task.costs() as f64 + 1.0, epoch as f64);
    2.0 * ln(8.0 * pairs * signals * k * k / delta)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::algorithms::fixture::three_pairs;

    #[test]
    fn the_scale_is_the_formula() {
        // By hand, with S A = 3, m + 1 = 2, k = 3, δ = 0.05: 8 · 3 · 2 · 9 / 0.05 = 8640.
        assert!((scale(&three_pairs(1000), 3, 0.05) - 2.0 * ln(8640.0)).abs() < 1e-12);
    }
}
