//! TSDE: Thompson sampling with dynamic episodes, without budgets (Ouyang, Gagrani, Nayyar and Jain, *Learning unknown Markov decision
//! processes: a Thompson sampling approach*, 2017).
//!
//! ```text
//! for epochs k = 1, 2, …
//!     p_k(·∣s,a) ~ Dir(prior + N(s,a,·))
//!     π_k  ←  best policy for (p_k, r)
//!     follow π_k while t ≤ t_k + T_{k−1} and N_t(s,a) ≤ 2 N(s,a) for all pairs        (T_{k−1}: how long the last epoch took, T_0 = 1)
//! ```
//!
//! At most √(2 S A T ln T) epochs. The costs are recorded, and the learner does not look at them. The prior of the paper is any;
//! 0.1 for every transition is this project's choice.

use crate::error::Result;
use crate::learn::parts::epochs::most_of_tsde;
use crate::learn::parts::planning::{OnInfeasible, PlanOptions};
use crate::learn::parts::prior::Prior;
use crate::learn::parts::sampling::Sampling;
use crate::learn::parts::told::SignalSource;
use crate::learn::{DenseOption, Epoch, Knowledge, Learner, LearnerConfig, Now, Until, Wants};
use crate::model::Task;
use crate::options;
use crate::plan::PlannerKind;
use crate::seed::Rng;

const NAME: &str = "tsde";

options! {
    /// The options of tsde.
    pub struct TsdeConfig {
        /// The weights of all transitions before any is seen.
        prior: Prior = Prior::Add(0.1), Prior::EXPECTED => Prior::in_range;
        /// Where rewards come from.
        signals: SignalSource = SignalSource::Known, SignalSource::EXPECTED => |_| true;
        /// The planner.
        planner: PlannerKind = PlannerKind::Prices, "prices, prices-vi or lp" => |_| true;
    }
}

impl LearnerConfig for TsdeConfig {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "knows rewards and has no budgets; plans in a model drawn from the posterior"
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
        let planning =
            PlanOptions { planner: self.planner, ..PlanOptions::if_infeasible(OnInfeasible::Drop) };
        let sampling = Sampling::new(NAME, task, knowledge, (&self.prior, self.signals), &planning)?;
        Ok(Box::new(Tsde { sampling: sampling.without_budgets()? }))
    }
}

/// Plans without budgets in models drawn from the posterior.
pub struct Tsde {
    sampling: Sampling,
}

impl Learner for Tsde {
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch> {
        Ok(Epoch::planned(self.sampling.plan(now, rng)?, Until::tsde(now.last_steps)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::algorithms::fixture::{at, seen, told, two_states};
    use crate::seed::Seed;

    #[test]
    fn the_first_epochs_by_hand() {
        // No policy meets this budget, which is no matter.
        let (model, mut rng) = (two_states(-1.0), Seed(1).rng("posterior"));
        let mut learner = TsdeConfig::default().make(&Task::of(&model, 100), &told(&model)).unwrap();
        let nothing = seen(&model, &[0; 6]);
        let first = learner.next_epoch(&at(&nothing, 0, 0), &mut rng).unwrap();
        // Two steps at most, and one for a pair that was never visited; then the same, as the last one took one.
        let limit = first.until.visits.unwrap();
        assert_eq!((first.until.steps, limit.of(0), limit.of(1), limit.of(5)), (2, 1, 2, 6));
        let all = 1_000_000_000;
        let counts = seen(&model, &[all, 0, 0, all, all, 0]);
        let later = learner.next_epoch(&at(&counts, 3 * all, 1), &mut rng).unwrap();
        assert_eq!(later.until.steps, 2);
        // Working and waiting bring 0.75 a step, resting nothing.
        assert_eq!(later.policy.probabilities(), [0.0, 1.0, 1.0]);
        assert!(later.report.unwrap().feasible);
    }
}
