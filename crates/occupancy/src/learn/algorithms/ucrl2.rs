//! UCRL2: optimism in rewards and transitions, without budgets (Jaksch, Ortner and Auer, *Near-optimal regret bounds for reinforcement
//! learning*, 2010).
//!
//! ```text
//! for epochs k = 1, 2, …
//!     |r̃ − r̄| ≤ scale √( 7 ln(2 S A t_k / δ) / (2 N⁺) ) ,   Σ |p̃(s′∣s,a) − p̄(s′∣s,a)| ≤ scale √( 14 S ln(2 A t_k / δ) / N⁺ )
//!     π̃_k  ←  greedy after extended value iteration to span(u_{i+1} − u_i) < 1/√t_k
//!     follow π̃_k until v(s,a) ≥ max(1, N(s,a)) for some pair
//! ```
//!
//! Rewards lie in [0, 1] there; elsewhere their radius is relative to their range, and what is left of optimism is cut at its ends. The
//! epoch ends with the visit that reaches the limit; the box asks before the next visit of the same pair, so that it may go on for some
//! steps. The costs are recorded, and the learner does not look at them. At most S A log₂(8 T / (S A)) epochs.

use crate::arithmetic::elementary::ln;
use crate::error::Result;
use crate::learn::parts::belief::{Belief, most_actions};
use crate::learn::parts::episodic::options::Confidence;
use crate::learn::parts::extended_value::Balls;
use crate::learn::parts::told::SignalSource;
use crate::learn::{Epoch, EpochRule, Knowledge, Learner, LearnerConfig, Now, PlanReport, Wants};
use crate::model::{Policy, Task};
use crate::options;
use crate::seed::Rng;

const NAME: &str = "ucrl2";

options! {
    /// The options of ucrl2.
    pub struct Ucrl2Config {
        /// Where rewards come from.
        signals: SignalSource = SignalSource::Estimated, SignalSource::EXPECTED => |_| true;
        with {
            /// How sure it is.
            confidence: Confidence = Confidence::default();
        }
    }
}

impl LearnerConfig for Ucrl2Config {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "has no budgets; plans with the most favourable rewards and transitions in a ball"
    }

    fn fill_in(&mut self, _rounds: u64) {
        self.confidence.scale.get_or_insert(0.1);
    }

    fn requires(&self, _option: &str) -> bool {
        false
    }

    fn wants(&self) -> Wants {
        Wants { signals: self.signals == SignalSource::Known, ..Wants::default() }
    }

    fn most_plans(&self, pairs: usize, rounds: u64) -> Option<u64> {
        Some(EpochRule::Doubling.most(pairs, rounds))
    }

    fn make(&self, task: &Task, knowledge: &Knowledge) -> Result<Box<dyn Learner>> {
        Ok(Box::new(Ucrl2 {
            belief: Belief::new(NAME, task, knowledge, self.signals)?,
            balls: Balls::new(NAME, task)?,
            task: task.clone(),
            scale: self.confidence.factor() * self.confidence.factor(),
            delta: self.confidence.delta,
        }))
    }
}

/// Plans with the most favourable rewards and transitions.
pub struct Ucrl2 {
    belief: Belief,
    balls: Balls,
    task: Task,
    /// The square of the option.
    scale: f64,
    delta: f64,
}

impl Ucrl2 {
    /// The greedy policy for what was counted before step t.
    fn plan(&mut self, now: &Now, t: u64) -> Result<Policy> {
        self.belief.optimistic_means(now.counts, self.scale * reward_scale(&self.task, t, self.delta))?;
        self.balls.count(now.counts, self.scale * row_scale(&self.task, t, self.delta));
        let accuracy = 1.0 / (t as f64).sqrt();
        let found = self.balls.iterate(self.belief.model().signals().reward(), None, accuracy);
        let greedy = |state: usize| {
            let pairs = self.task.pairs_of(state);
            pairs.reduce(|a, b| if found.action_values[b] > found.action_values[a] { b } else { a })
        };
        let mut probabilities = vec![0.0; self.task.pairs()];
        (0..self.task.states()).filter_map(greedy).for_each(|pair| probabilities[pair] = 1.0);
        Policy::new(self.belief.model(), probabilities)
    }
}

impl Learner for Ucrl2 {
    fn next_epoch(&mut self, now: &Now, _: &mut Rng) -> Result<Epoch> {
        let policy = self.plan(now, now.step + 1)?;
        let prices = vec![0.0; self.task.costs()];
        let report = PlanReport { feasible: true, classes: 1, prices, settled: true };
        Ok(Epoch::planned((policy, report), EpochRule::Doubling.until(now, self.task.rounds())))
    }
}

/// 7 ln(2 S A t / δ) / 2, where S A is the number of pairs.
fn reward_scale(task: &Task, t: u64, delta: f64) -> f64 {
    3.5 * ln(2.0 * task.pairs() as f64 * t as f64 / delta)
}

/// 14 S ln(2 A t / δ).
fn row_scale(task: &Task, t: u64, delta: f64) -> f64 {
    14.0 * task.states() as f64 * ln(2.0 * most_actions(task) * t as f64 / delta)
}
