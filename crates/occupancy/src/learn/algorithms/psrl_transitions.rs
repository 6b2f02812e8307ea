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
//! The paper's text leaves open what the posterior is if a count is 0 (see [`Prior`]), what follows an
//! infeasible plan, and when an epoch ends while a pair is unvisited (see [`EpochRule`]).

use crate::error::Result;
use crate::learn::parts::estimate::{Estimate, UnvisitedSignals};
use crate::learn::parts::planning::{PlanOptions, Planning};
use crate::learn::parts::posterior::Posterior;
use crate::learn::parts::prior::Prior;
use crate::learn::{DenseOption, Epoch, EpochRule, Knowledge, Learner, LearnerConfig, Now, Wants};
use crate::model::Task;
use crate::options;
use crate::seed::Rng;

options! {
    /// The options of psrl-transitions.
    pub struct PsrlTransitionsConfig {
        /// The weights of all transitions before any is seen; `known` is told which successors are possible, `sparse` is for
        /// models of many states.
        prior: Prior = Prior::Add(0.1), Prior::EXPECTED => Prior::in_range;
        /// When an epoch ends.
        epochs: EpochRule = EpochRule::Doubling,
            "doubling, tsde, v1.2, fixed:STEPS (at least 1) or power:α (⌈T^α⌉ steps, α from 0 to 1)" => EpochRule::in_range;
        with {
            /// How it plans.
            planning: PlanOptions = PlanOptions::default();
            /// What it assumes of pairs never visited.
            unvisited: UnvisitedSignals = UnvisitedSignals::default();
        }
    }
}

impl LearnerConfig for PsrlTransitionsConfig {
    fn name(&self) -> &'static str {
        "psrl-transitions"
    }

    fn about(&self) -> &'static str {
        "plans within the budgets in a model drawn from the posterior"
    }

    fn wants(&self) -> Wants {
        Wants { successors: self.prior.wants_successors(), ..Wants::default() }
    }

    fn most_plans(&self, pairs: usize, rounds: u64) -> Option<u64> {
        Some(self.epochs.most(pairs, rounds))
    }

    fn dense_option(&self) -> Option<DenseOption> {
        self.prior.dense_option()
    }

    fn make(&self, task: &Task, knowledge: &Knowledge) -> Result<Box<dyn Learner>> {
        Ok(Box::new(PsrlTransitions {
            estimate: Estimate::new(task, &self.unvisited),
            posterior: Posterior::new(&self.prior, task, knowledge)?,
            planning: Planning::new(task, &self.planning),
            epochs: self.epochs,
            rounds: task.rounds(),
        }))
    }
}

/// Plans within the budgets in models drawn from the posterior.
pub struct PsrlTransitions {
    estimate: Estimate,
    posterior: Posterior,
    planning: Planning,
    epochs: EpochRule,
    rounds: u64,
}

impl Learner for PsrlTransitions {
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch> {
        self.estimate.means(now.counts, |_, _, mean| mean)?;
        self.posterior.draw(now.counts, &mut self.estimate.model, rng)?;
        let planned = self.planning.plan(&self.estimate.model, now, rng)?;
        Ok(Epoch::planned(planned, self.epochs.until(now, self.rounds)))
    }
}
