//! PSConRL: posterior sampling that explores when its sample cannot meet the budgets (Provodin, Kaptein and Pechenizkiy, *Efficient
//! exploration in average-reward constrained reinforcement learning*, 2024).
//!
//! ```text
//! for epochs k = 1, 2, …
//!     p_k(·∣s,a) ~ Dir(0.1 + N(s,a,·))
//!     π_k  ←  best policy within the budgets for (p_k, r̄, c̄); if there is none, the quickest way in p_k to the state visited least
//!     follow π_k until N_t(s,a) > 2 N(s,a) for some pair, or it is longer than the epoch before
//! ```
//!
//! Of several states visited least it walks to the first, and acts uniformly in it. The paper's published code has other epochs
//! (v ≥ 3 (1 + N)), rows from Dir(max(N, 0.05)), and acts uniformly if a sample is infeasible; `prior=floor:0.05` and
//! `infeasible=uniform` are the last two.

use crate::error::Result;
use crate::learn::parts::belief::Belief;
use crate::learn::parts::epochs::most_of_tsde;
use crate::learn::parts::planning::{OnInfeasible, PlanOptions, Planning};
use crate::learn::parts::posterior::Posterior;
use crate::learn::parts::prior::Prior;
use crate::learn::parts::told::SignalSource;
use crate::learn::{DenseOption, Epoch, Knowledge, Learner, LearnerConfig, Now, Until, Wants};
use crate::model::Task;
use crate::options;
use crate::seed::Rng;

const NAME: &str = "psconrl";

options! {
    /// The options of psconrl.
    pub struct PsconrlConfig {
        /// The weights of all transitions before any is seen.
        prior: Prior = Prior::Add(0.1), Prior::EXPECTED => Prior::in_range;
        /// Where rewards and costs come from.
        signals: SignalSource = SignalSource::Estimated, SignalSource::EXPECTED => |_| true;
        with {
            /// How it plans.
            planning: PlanOptions = PlanOptions::if_infeasible(OnInfeasible::Explore);
        }
    }
}

impl LearnerConfig for PsconrlConfig {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "plans in a model drawn from the posterior, and explores if the budgets cannot be met there"
    }

    fn wants(&self) -> Wants {
        let signals = self.signals == SignalSource::Known;
        Wants { successors: self.prior.wants_successors(), signals, ..Wants::default() }
    }

    fn most_plans(&self, pairs: usize, rounds: u64) -> Option<u64> {
        Some(most_of_tsde(pairs, rounds))
    }

    fn dense_option(&self) -> Option<DenseOption> {
        self.prior.dense_option()
    }

    fn make(&self, task: &Task, knowledge: &Knowledge) -> Result<Box<dyn Learner>> {
        Ok(Box::new(Psconrl {
            belief: Belief::new(NAME, task, knowledge, self.signals)?,
            posterior: Posterior::new(&self.prior, task, knowledge)?,
            planning: Planning::new(task, &self.planning),
        }))
    }
}

/// Plans in models drawn from the posterior, and explores.
pub struct Psconrl {
    belief: Belief,
    posterior: Posterior,
    planning: Planning,
}

impl Learner for Psconrl {
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch> {
        self.belief.means(now.counts)?;
        self.posterior.draw(now.counts, self.belief.model_mut(), rng)?;
        let planned = self.planning.plan(self.belief.model(), now, rng)?;
        Ok(Epoch::planned(planned, Until::tsde(now.last_steps)))
    }
}
