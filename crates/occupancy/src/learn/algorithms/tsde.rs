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
use crate::learn::parts::belief::Belief;
use crate::learn::parts::epochs::most_of_tsde;
use crate::learn::parts::planning::{OnInfeasible, PlanOptions, Planning};
use crate::learn::parts::posterior::Posterior;
use crate::learn::parts::prior::Prior;
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
        let planning =
            PlanOptions { planner: self.planner, ..PlanOptions::if_infeasible(OnInfeasible::Drop) };
        let free = vec![f64::INFINITY; task.costs()];
        Ok(Box::new(Tsde {
            belief: Belief::new(NAME, task, knowledge, self.signals)?.with_budgets(&free)?,
            posterior: Posterior::new(&self.prior, task, knowledge)?,
            planning: Planning::new(task, &planning),
        }))
    }
}

/// Plans without budgets in models drawn from the posterior.
pub struct Tsde {
    belief: Belief,
    posterior: Posterior,
    planning: Planning,
}

impl Learner for Tsde {
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch> {
        self.belief.means(now.counts)?;
        self.posterior.draw(now.counts, self.belief.model_mut(), rng)?;
        let planned = self.planning.plan(self.belief.model(), now, rng)?;
        Ok(Epoch::planned(planned, Until::tsde(now.last_steps)))
    }
}
