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
use crate::learn::parts::planning::{OnInfeasible, PlanOptions};
use crate::learn::parts::prior::Prior;
use crate::learn::parts::sampling::Sampling;
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
        Sampling::wants(&self.prior, self.signals)
    }

    fn most_plans(&self, pairs: usize, rounds: u64) -> Option<u64> {
        Some(EpochRule::Doubling.most(pairs, rounds))
    }

    fn dense_option(&self) -> Option<DenseOption> {
        self.prior.dense_option()
    }

    fn make(&self, task: &Task, knowledge: &Knowledge) -> Result<Box<dyn Learner>> {
        let given = (&self.prior, self.signals);
        let sampling = Sampling::new(NAME, task, knowledge, given, &self.planning)?;
        Ok(Box::new(CmdpPsrl { sampling, rounds: task.rounds() }))
    }
}

/// Plans in models drawn from the posterior.
pub struct CmdpPsrl {
    sampling: Sampling,
    rounds: u64,
}

impl Learner for CmdpPsrl {
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch> {
        let until = EpochRule::Doubling.until(now, self.rounds);
        if now.step == 0 {
            return Ok(Epoch::unplanned(Policy::uniform(self.sampling.model()), until));
        }
        Ok(Epoch::planned(self.sampling.plan(now, rng)?, until))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::algorithms::fixture::{at, seen, told, two_states};
    use crate::seed::Seed;

    /// The second epoch after a billion visits of every pair, by which the posterior is sharp.
    fn second_epoch(budget: f64) -> Epoch {
        let (model, mut rng) = (two_states(budget), Seed(1).rng("posterior"));
        let mut learner = CmdpPsrlConfig::default().make(&Task::of(&model, 100), &told(&model)).unwrap();
        let nothing = seen(&model, &[0; 6]);
        let first = learner.next_epoch(&at(&nothing, 0, 0), &mut rng).unwrap();
        assert_eq!((first.policy.probabilities(), first.report), (&[0.5, 0.5, 1.0][..], None));
        assert_eq!(first.until.visits.unwrap().of(0), 1, "one step");
        let all = 1_000_000_000;
        // Rest stays, work leads to the second state, which is left.
        let counts = seen(&model, &[all, 0, 0, all, all, 0]);
        learner.next_epoch(&at(&counts, 3 * all, 1), &mut rng).unwrap()
    }

    #[test]
    fn the_first_epochs_by_hand() {
        // Working takes two steps, which bring 1.5 and cost 1.5: of a budget of 0.25 a step, one in six may be spent so.
        let epoch = second_epoch(0.25);
        assert!(epoch.report.as_ref().unwrap().feasible);
        // Of ten steps in a row, 1/6 working and 1/6 waiting: 1/5 of those in the first state.
        assert!((epoch.policy.probabilities()[1] - 0.2).abs() < 1e-3, "{:?}", epoch.policy);
        // A budget below 0 cannot be met, and is dropped.
        let epoch = second_epoch(-0.25);
        assert!(!epoch.report.as_ref().unwrap().feasible);
        assert!((epoch.policy.probabilities()[1] - 1.0).abs() < 1e-12);
    }
}
