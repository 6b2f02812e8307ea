//! CMDP-PSRL: posterior sampling with known rewards and costs (Agarwal, Bai and Aggarwal, *Regret guarantees for model-based
//! reinforcement learning with long-term average constraints*, 2022).
//!
//! ```text
//! act uniformly until v(s,a) ≥ max(1, N(s,a)) for some pair, which is one step; then, for epochs e = 1, 2, …
//!     p_e(·∣s,a) ~ Dir(1 + N(s,a,·))
//!     π_e  ←  best policy within the budgets for (p_e, r, c); without them if there is none
//!     follow π_e until v(s,a) ≥ max(1, N(s,a)) for some pair
//! ```
//!
//! It differs from [`super::PsrlTransitionsConfig`] in what it knows and in what it does with infeasible samples. The prior of the box, 1
//! for every transition, is that of the preset `theory`; otherwise it is 0.1, with which it learns sooner (docs/algorithms.md).

use crate::error::Result;
use crate::learn::parts::belief::Belief;
use crate::learn::parts::planning::{OnInfeasible, PlanOptions, Planning};
use crate::learn::parts::posterior::Posterior;
use crate::learn::parts::prior::Prior;
use crate::learn::parts::told::SignalSource;
use crate::learn::{DenseOption, Epoch, EpochRule, Knowledge, Learner, LearnerConfig, Now, Wants};
use crate::model::{Policy, Task};
use crate::options;
use crate::seed::Rng;

const NAME: &str = "cmdp-psrl";

options! {
    /// The options of cmdp-psrl.
    pub struct CmdpPsrlConfig {
        /// The weights of all transitions before any is seen.
        prior: Prior = Prior::Add(0.1), Prior::EXPECTED => Prior::in_range;
        /// Where rewards and costs come from.
        signals: SignalSource = SignalSource::Known, SignalSource::EXPECTED => |_| true;
        with {
            /// How it plans.
            planning: PlanOptions = PlanOptions::if_infeasible(OnInfeasible::Drop);
        }
    }
}

impl LearnerConfig for CmdpPsrlConfig {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "knows rewards and costs; plans in a model drawn from the posterior, without budgets if they cannot be met"
    }

    fn wants(&self) -> Wants {
        let signals = self.signals == SignalSource::Known;
        Wants { successors: self.prior.wants_successors(), signals, ..Wants::default() }
    }

    fn most_plans(&self, pairs: usize, rounds: u64) -> Option<u64> {
        Some(EpochRule::Doubling.most(pairs, rounds))
    }

    fn dense_option(&self) -> Option<DenseOption> {
        self.prior.dense_option()
    }

    fn make(&self, task: &Task, knowledge: &Knowledge) -> Result<Box<dyn Learner>> {
        Ok(Box::new(CmdpPsrl {
            belief: Belief::new(NAME, task, knowledge, self.signals)?,
            posterior: Posterior::new(&self.prior, task, knowledge)?,
            planning: Planning::new(task, &self.planning),
            rounds: task.rounds(),
        }))
    }
}

/// Plans in models drawn from the posterior.
pub struct CmdpPsrl {
    belief: Belief,
    posterior: Posterior,
    planning: Planning,
    rounds: u64,
}

impl Learner for CmdpPsrl {
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch> {
        let until = EpochRule::Doubling.until(now, self.rounds);
        if now.step == 0 {
            return Ok(Epoch::unplanned(Policy::uniform(self.belief.model()), until));
        }
        self.belief.means(now.counts)?;
        self.posterior.draw(now.counts, self.belief.model_mut(), rng)?;
        Ok(Epoch::planned(self.planning.plan(self.belief.model(), now, rng)?, until))
    }
}
