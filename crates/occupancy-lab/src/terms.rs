//! What regret and violation are made of, epoch by epoch: the three terms of the paper's Appendix A.
//!
//! ```text
//! Σ (r* − r_t)  =  Σ (r* − r̂)  +  Σ (r̂ − r̂_k)  +  Σ (r̂_k − r_k)  +  Σ (r_k − r_t)        over epochs k and their steps t
//!                  posterior_cmdp   relaxation        posterior_mdp      remainder
//! ```
//!
//! r̂ is the best gain within the budgets of the model drawn for the epoch, r̂_k the gain of the epoch's policy in that
//! model, r_k its gain in the true one. The appendix takes r_k for r_t; what lies between them, the way into the long run
//! and chance, is the remainder, so that the four sum to the regret. A violation Σ (c_t − τ) falls apart in the same way,
//! with τ in the place of r* and the other sign.
//!
//! Gains are counted from the state in which the epoch begins. Where no policy meets the budgets in the drawn model, r̂ is
//! the gain of the one that comes closest. A gain that rounding hides is taken to be the next one of the chain. Both are
//! counted.

use crate::clock::thread_time;
use occupancy::Result;
use occupancy::chain::{Evaluation, evaluate};
use occupancy::learn::algorithms::PsrlLagrangian;
use occupancy::learn::{Learner, LearnerConfig};
use occupancy::model::Origin;
use occupancy::model::{Cmdp, Policy};
use occupancy::plan::Problem;
use occupancy::plan::{OffSupport, Planner, PlannerConfig, Verdict};
use occupancy::sim::{Baseline, Observer, Planned, Walked};
use std::any::Any;
use std::time::Duration;

/// Rows are kept whenever the steps have grown by one part in so many: some hundred rows for any number of epochs.
const PARTS: u64 = 64;

/// What one sum is made of, over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    /// `regret` or `violation_i`.
    pub quantity: String,
    /// Sums up to the ends of epochs, ascending; the last row is that of the last epoch.
    pub rows: Vec<TermRow>,
}

/// The sums up to the end of an epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TermRow {
    /// The epoch, from 1.
    pub epoch: u64,
    /// The steps taken by its end.
    pub step: u64,
    /// Σ (r* − r_t), or Σ (c_t − τ).
    pub sum: f64,
    /// Σ (r* − r̂).
    pub posterior_cmdp: f64,
    /// Σ (r̂ − r̂_k).
    pub relaxation: f64,
    /// Σ (r̂_k − r_k).
    pub posterior_mdp: f64,
    /// Σ (r_k − r_t).
    pub remainder: f64,
    /// Drawn models in which no policy met the budgets.
    pub infeasible: u64,
    /// Epochs of which rounding hid a gain.
    pub unsettled: u64,
}

/// A sum in the making.
struct Quantity {
    /// The reward is signal 0, cost i signal i + 1.
    signal: usize,
    /// r* or τ.
    level: f64,
    /// −1 for costs, of which more is worse.
    sign: f64,
    now: TermRow,
    terms: Terms,
}

/// Long-run averages of all signals, the reward first.
type Averages = Vec<f64>;

/// What is known of the epoch that is being walked.
struct Levels {
    /// Of the drawn model's best plan, of the policy in the drawn model, of the policy in the true one.
    chain: [Option<Averages>; 3],
    infeasible: bool,
}

/// Whether a learner shows the models it draws, so that its regret can be taken apart.
pub fn are_known(learner: &dyn LearnerConfig) -> bool {
    learner.name() == "psrl-lagrangian"
}

/// The model that a learner drew for its last epoch, if it plans at prices in such a model: what it lost falls apart into what
/// drawing and what pricing cost.
fn drawn(learner: &dyn Learner) -> Option<&Cmdp> {
    (learner as &dyn Any).downcast_ref::<PsrlLagrangian>().map(PsrlLagrangian::drawn)
}

/// Takes regret and violation of a trial apart, epoch by epoch.
pub struct TermObserver<'a> {
    model: &'a Cmdp,
    /// Kept from epoch to epoch, since one drawn model is a warm start for the next.
    planner: Box<dyn Planner>,
    quantities: Vec<Quantity>,
    epoch: u64,
    levels: Option<Levels>,
    /// How long all this took, which is no part of the trial.
    pub time: Duration,
}

impl<'a> TermObserver<'a> {
    /// Nothing seen yet of a trial in a model with these levels.
    pub fn new(model: &'a Cmdp, baseline: &Baseline) -> TermObserver<'a> {
        let regret = baseline.optimum().map(|level| Quantity::new("regret".into(), 0, level, 1.0));
        let budgets = model.budgets().iter().enumerate().filter(|(_, budget)| budget.is_finite());
        let violations =
            budgets.map(|(i, &budget)| Quantity::new(format!("violation_{i}"), i + 1, budget, -1.0));
        // What a plan does where it never comes is of no interest here.
        let planner = PlannerConfig { off_support: OffSupport::Uniform, ..PlannerConfig::default() };
        TermObserver {
            model,
            planner: planner.build(),
            quantities: regret.into_iter().chain(violations).collect(),
            epoch: 0,
            levels: None,
            time: Duration::ZERO,
        }
    }

    fn levels(&mut self, drawn: &Cmdp, policy: &Policy, state: usize) -> Levels {
        let averages = |found: Result<Evaluation>| {
            found
                .ok()
                .map(|found| [found.value.reward].into_iter().chain(found.value.costs).collect::<Averages>())
        };
        let here = [(state, 1.0)];
        let (planned, truly) = (evaluate(drawn, policy, &here), evaluate(self.model, policy, &here));
        let (best, infeasible) = match self
            .planner
            .plan(&Problem::average(drawn).counted_from(Origin::State(state)))
        {
            // A plan that may be far from the best one says nothing of what drawing and what pricing cost.
            Ok(Verdict::Optimal(plan)) if !plan.is_settled(drawn) => (None, false),
            Ok(Verdict::Optimal(plan)) => (Some([vec![plan.value.reward], plan.value.costs].concat()), false),
            Ok(Verdict::Infeasible(found)) => {
                let rewards = drawn.signals().reward().iter().zip(&found.occupancy);
                let gain: f64 = rewards.map(|(reward, mass)| reward * mass).sum();
                (Some([vec![gain], found.least_costs].concat()), true)
            }
            Err(_) => (None, false),
        };
        Levels { chain: [best, averages(planned), averages(truly)], infeasible }
    }

    /// What was seen; nothing if the learner showed no model.
    pub fn finish(self) -> Vec<Terms> {
        self.quantities.into_iter().map(Quantity::finish).filter(|terms| !terms.rows.is_empty()).collect()
    }
}

impl Observer for TermObserver<'_> {
    fn planned(&mut self, planned: &Planned) {
        let started = thread_time();
        self.epoch += u64::from(planned.epoch.begins);
        self.levels =
            drawn(planned.learner).map(|drawn| self.levels(drawn, &planned.epoch.policy, planned.state));
        self.time += thread_time().saturating_sub(started);
    }

    fn walked(&mut self, walked: &Walked) {
        let started = thread_time();
        if let Some(levels) = self.levels.take() {
            for quantity in &mut self.quantities {
                quantity.add(self.epoch, &levels, walked.steps, walked.sums);
            }
        }
        self.time += thread_time().saturating_sub(started);
    }
}

impl Quantity {
    fn new(quantity: String, signal: usize, level: f64, sign: f64) -> Quantity {
        let terms = Terms { quantity, rows: Vec::new() };
        Quantity { signal, level, sign, now: TermRow::default(), terms }
    }

    fn add(&mut self, epoch: u64, levels: &Levels, steps: u64, sums: &[f64]) {
        let (n, seen) = (steps as f64, sums[self.signal]);
        // From the end of the chain to its beginning, so that a gain that is not known is the next one.
        let mut known = [seen / n; 3];
        for (at, averages) in levels.chain.iter().enumerate().rev() {
            let next = known.get(at + 1).copied().unwrap_or(seen / n);
            known[at] = averages.as_ref().map_or(next, |averages| averages[self.signal]);
        }
        let [best, planned, truly] = known;
        let now = &mut self.now;
        now.epoch = epoch;
        now.step += steps;
        now.sum += self.sign * (n * self.level - seen);
        now.posterior_cmdp += self.sign * n * (self.level - best);
        now.relaxation += self.sign * n * (best - planned);
        now.posterior_mdp += self.sign * n * (planned - truly);
        now.remainder += self.sign * (n * truly - seen);
        now.infeasible += u64::from(levels.infeasible);
        now.unsettled += u64::from(levels.chain.iter().any(Option::is_none));
        let last = self.terms.rows.last().map_or(0, |row| row.step);
        if now.step >= last + last / PARTS {
            self.terms.rows.push(*now);
        }
    }

    fn finish(mut self) -> Terms {
        if self.terms.rows.last().is_some_and(|row| row.step < self.now.step) {
            self.terms.rows.push(self.now);
        }
        self.terms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_epochs_leave_some_hundred_rows_and_the_last_has_every_sum() {
        let mut regret = Quantity::new("regret".into(), 0, 1.0, 1.0);
        for epoch in 1..=100_000 {
            let chain = [Some(vec![1.5]), None, Some(vec![0.5])];
            regret.add(epoch, &Levels { chain, infeasible: epoch % 2 == 0 }, 10, &[4.0]);
        }
        let rows = regret.finish().rows;
        assert!((100..700).contains(&rows.len()), "{}", rows.len());
        assert!(rows.is_sorted_by_key(|row| row.step));
        let last = rows.last().copied().unwrap();
        assert_eq!((last.epoch, last.step, last.infeasible), (100_000, 1_000_000, 50_000));
        assert_eq!((last.posterior_cmdp, last.relaxation), (-5e5, 1e6), "an unknown gain is the next one");
        assert_eq!((last.posterior_mdp, last.unsettled), (0.0, 100_000));
        assert!((last.remainder - 1e5).abs() < 1e-4 && (last.sum - 6e5).abs() < 1e-4, "{last:?}");
    }
}
