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
use crate::learn::parts::epochs::most_of_tsde;
use crate::learn::parts::planning::{OnInfeasible, PlanOptions};
use crate::learn::parts::prior::Prior;
use crate::learn::parts::sampling::Sampling;
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
        Sampling::wants(&self.prior, self.signals)
    }

    fn most_plans(&self, pairs: usize, rounds: u64) -> Option<u64> {
        Some(most_of_tsde(pairs, rounds))
    }

    fn dense_option(&self) -> Option<DenseOption> {
        self.prior.dense_option()
    }

    fn make(&self, task: &Task, knowledge: &Knowledge) -> Result<Box<dyn Learner>> {
        let given = (&self.prior, self.signals);
        Ok(Box::new(Psconrl { sampling: Sampling::new(NAME, task, knowledge, given, &self.planning)? }))
    }
}

/// Plans in models drawn from the posterior, and explores.
pub struct Psconrl {
    sampling: Sampling,
}

impl Learner for Psconrl {
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch> {
        Ok(Epoch::planned(self.sampling.plan(now, rng)?, Until::tsde(now.last_steps)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::VisitLimit;
    use crate::learn::algorithms::fixture::{at, seen, told, two_states};
    use crate::seed::Seed;

    /// An epoch after a million visits of rest, which stays, and a few of the others.
    fn epoch(budget: f64) -> Epoch {
        let model = two_states(budget);
        let mut learner = PsconrlConfig::default().make(&Task::of(&model, 100), &told(&model)).unwrap();
        let counts = seen(&model, &[1_000_000, 0, 0, 1000, 1000, 0]);
        learner.next_epoch(&at(&counts, 1_002_000, 6), &mut Seed(1).rng("posterior")).unwrap()
    }

    #[test]
    fn the_first_epochs_by_hand() {
        let planned = epoch(0.25);
        // It may be one step longer than the last one, and ends when a pair's visits are more than doubled.
        assert_eq!(
            (planned.until.steps, planned.until.visits),
            (7, Some(VisitLimit { factor: 1, offset: 1 }))
        );
        assert!(planned.report.as_ref().unwrap().feasible);
        // Of a budget of 0.25 a step, as for cmdp-psrl.
        assert!((planned.policy.probabilities()[1] - 0.2).abs() < 0.01, "{:?}", planned.policy);
    }

    #[test]
    fn an_infeasible_sample_is_explored_towards_the_state_visited_least() {
        let explored = epoch(-0.25);
        assert!(!explored.report.as_ref().unwrap().feasible);
        // The second state was visited 1000 times: working leads there, and there everything is alike.
        assert_eq!(explored.policy.probabilities(), [0.0, 1.0, 1.0]);
    }
}
