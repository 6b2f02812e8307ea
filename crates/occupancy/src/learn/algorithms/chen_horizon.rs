//! Average rewards by episodes without resets, for weakly communicating models (Chen, Jain and Luo, *Learning infinite-horizon
//! average-reward Markov decision processes with constraints*, 2022, Algorithm 3).
//!
//! ```text
//! H = ⌈(T / (S² A))^(1/3)⌉; for episodes k = 1, 2, …, from the state that the last one led to
//!     |p_h(s′) − p̄(s′)| ≤ scale (4 √(p̄(s′) α) + 28 α) ,   α = ln(2 S A T / δ) / N⁺        at every step h
//!     π_1 … π_H  ←  best policy by step for such p_h with E Σ c_i ≤ H τ_i + sp
//!     follow π_h in step h
//! ```
//!
//! sp, the `span`, bounds how much more cost one state has ahead than another under an optimal policy; the learner has to be told. If
//! no policy meets the budgets, the one of least violation is followed; the paper does not treat this. Any number of costs. A pair that
//! was never visited may lead anywhere.

use crate::arithmetic::elementary::{cbrt, ln};
use crate::error::{Error, LearnerProblem, Result};
use crate::learn::parts::belief::{Belief, signal_scale};
use crate::learn::parts::episodic::options::Confidence;
use crate::learn::parts::told::SignalSource;
use crate::learn::{
    Counts, Epoch, Knowledge, Learner, LearnerConfig, Now, PlanReport, Until, Wants, check_table,
};
use crate::model::{Policy, Task};
use crate::options;
use crate::plan::{EpisodePlanner, KernelSet, Layers, OffSupport, Verdict};
use crate::seed::Rng;

const NAME: &str = "chen-horizon";

options! {
    /// The options of chen-horizon.
    pub struct ChenHorizonConfig {
        /// How much more cost one state may have ahead than another.
        span: Option<f64> = None, "a number from 0 on" => |span| span.is_none_or(|span| span >= 0.0 && span.is_finite());
        /// H: the steps of an episode; by default ⌈(T / (S² A))^(1/3)⌉.
        h: Option<u64> = None, "a count of at least 1" => |h| h.is_none_or(|h| h >= 1);
        /// Where rewards and costs come from.
        signals: SignalSource = SignalSource::Known, SignalSource::EXPECTED => |_| true;
        with {
            /// How sure it is.
            confidence: Confidence = Confidence::default();
        }
    }
}

impl ChenHorizonConfig {
    fn horizon(&self, states: usize, pairs: usize, rounds: u64) -> u64 {
        let own = || cbrt(rounds as f64 / (states as f64 * pairs as f64)).ceil().max(1.0) as u64;
        self.h.unwrap_or_else(own)
    }
}

impl LearnerConfig for ChenHorizonConfig {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "plans some steps ahead with the most favourable transitions, again and again"
    }

    fn fill_in(&mut self, _rounds: u64) {
        self.confidence.scale.get_or_insert(0.002);
    }

    fn requires(&self, _option: &str) -> bool {
        false
    }

    fn wants(&self) -> Wants {
        Wants { signals: self.signals == SignalSource::Known, ..Wants::default() }
    }

    fn make(&self, task: &Task, knowledge: &Knowledge) -> Result<Box<dyn Learner>> {
        Ok(Box::new(ChenHorizon::new(self, task, knowledge)?))
    }
}

/// Plans an episode ahead.
pub struct ChenHorizon {
    belief: Belief,
    planner: EpisodePlanner,
    task: Task,
    horizon: usize,
    /// ln(2 S A T / δ), and the factor of the radii.
    log_term: f64,
    factor: f64,
    signal_scale: f64,
    radii: Vec<f64>,
    /// The tables of the present episode, and the step it is in.
    policy: Vec<f64>,
    step: usize,
}

impl ChenHorizon {
    fn new(config: &ChenHorizonConfig, task: &Task, knowledge: &Knowledge) -> Result<ChenHorizon> {
        let how = "give it by span; 0 takes the budgets as they are";
        let what = "how much more cost one state has ahead than another";
        let span = config.span.ok_or(LearnerProblem::Unknown { learner: NAME, what, how })?;
        let (states, pairs) = (task.states(), task.pairs());
        check_table(NAME, states, pairs)?;
        let horizon = config.horizon(states, pairs, task.rounds());
        let budgets: Vec<f64> = task.budgets().iter().map(|budget| budget * horizon as f64 + span).collect();
        let Confidence { delta, .. } = config.confidence;
        Ok(ChenHorizon {
            belief: Belief::new(NAME, task, knowledge, config.signals)?.with_budgets(&budgets)?,
            planner: EpisodePlanner::new(OffSupport::Pinned),
            task: task.clone(),
            horizon: horizon as usize,
            log_term: ln(2.0 * pairs as f64 * task.rounds() as f64 / delta),
            factor: config.confidence.factor(),
            signal_scale: signal_scale(task, config.confidence.factor(), delta),
            radii: vec![0.0; states * pairs],
            policy: Vec::new(),
            step: 0,
        })
    }

    /// The radii of every entry for what was counted; 1, which is all rows, where nothing was seen.
    fn widen(&mut self, counts: &Counts) {
        for (pair, radii) in self.radii.chunks_exact_mut(self.task.states()).enumerate() {
            let visits = counts.visits(pair);
            let alpha = self.log_term / visits.max(1) as f64;
            radii.fill(if visits == 0 { 1.0 } else { self.factor * 28.0 * alpha });
            for (next, n) in counts.transitions(pair) {
                radii[next] += self.factor * 4.0 * (n as f64 / visits as f64 * alpha).sqrt();
            }
        }
    }

    /// Plans an episode from a state.
    fn plan(&mut self, now: &Now, rng: &mut Rng) -> Result<PlanReport> {
        self.belief.optimistic_means(now.counts, self.signal_scale)?;
        self.belief.empirical(now.counts, rng)?;
        self.belief.model_mut().start_in(now.state);
        self.widen(now.counts);
        let layers = Layers::same(self.belief.model(), self.horizon);
        let no_prices = vec![0.0; self.task.costs()];
        let verdict = self.planner.plan(layers, Some(KernelSet::Box(&self.radii)));
        let (feasible, prices, policies) = match verdict {
            Ok(Verdict::Optimal(plan)) => (true, plan.prices, plan.policies),
            Ok(Verdict::Infeasible(found)) => (false, no_prices, found.policies),
            Err(Error::Unsettled { .. } | Error::Underflow { .. } | Error::Master { .. }) => {
                (false, no_prices, Vec::new())
            }
            Err(error) => return Err(error),
        };
        let first = policies.into_iter().next().map(|one| one.policy.into_probabilities());
        let uniform = || Policy::uniform(self.belief.model()).into_probabilities().repeat(self.horizon);
        self.policy = first.unwrap_or_else(uniform);
        Ok(PlanReport { feasible, classes: 1, prices, settled: true })
    }
}

impl Learner for ChenHorizon {
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch> {
        let begins = self.step == 0;
        let report = if begins { Some(self.plan(now, rng)?) } else { None };
        let pairs = self.task.pairs();
        let table = self.policy[self.step * pairs..(self.step + 1) * pairs].to_vec();
        self.step = (self.step + 1) % self.horizon;
        let step = Epoch::unplanned(Policy::unchecked(table, 1), Until::steps(1));
        Ok(Epoch { begins, report, ..step })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::algorithms::fixture::{at, seen, told, two_states};
    use crate::learn::parts::episodic::options::Confidence;
    use crate::seed::Seed;

    #[test]
    fn the_first_epochs_by_hand() {
        let (model, mut rng) = (two_states(0.5), Seed(1).rng("none"));
        let task = Task::of(&model, 1000);
        let missing = ChenHorizon::new(&ChenHorizonConfig::default(), &task, &told(&model)).err();
        assert!(missing.unwrap().to_string().ends_with("give it by span; 0 takes the budgets as they are"));
        let confidence = Confidence { scale: Some(0.0), ..Confidence::default() };
        let config = ChenHorizonConfig { span: Some(0.5), confidence, ..Default::default() };
        let mut learner = ChenHorizon::new(&config, &task, &told(&model)).unwrap();
        // ⌈(1000 / (2 · 3))^(1/3)⌉ = ⌈5.503⌉.
        assert_eq!(learner.horizon, 6);
        learner.horizon = 2;
        // Without radii, working leads to the second state. Rewards are costs: of two steps, 0.5 · 2 + 0.5 = 1.5 may be spent, which is
        // to work and to wait.
        learner.belief = learner.belief.clone().with_budgets(&[1.5]).unwrap();
        let counts = seen(&model, &[9, 0, 0, 9, 9, 0]);
        let first = learner.next_epoch(&at(&counts, 27, 1), &mut rng).unwrap();
        assert_eq!((first.until, first.begins), (Until::steps(1), true));
        assert!((first.policy.probabilities()[1] - 1.0).abs() < 1e-9 && first.report.unwrap().feasible);
        let second = learner.next_epoch(&at(&counts, 28, 1), &mut rng).unwrap();
        assert!(!second.begins && second.report.is_none());
        assert_eq!(second.policy.probabilities()[2], 1.0);
        // The next episode begins.
        assert!(learner.next_epoch(&at(&counts, 29, 1), &mut rng).unwrap().begins);
    }

    #[test]
    fn the_radii_are_the_formula() {
        let model = two_states(0.5);
        let task = Task::of(&model, 1000);
        let confidence = Confidence { scale: Some(0.5), delta: 0.06 };
        let config = ChenHorizonConfig { span: Some(0.0), confidence, ..Default::default() };
        let mut learner = ChenHorizon::new(&config, &task, &told(&model)).unwrap();
        learner.widen(&seen(&model, &[1, 3, 0, 0, 0, 0]));
        // α = ln(2 · 3 · 1000 / 0.06) / 4.
        let alpha = ln(100_000.0) / 4.0;
        let expected = [0.25, 0.75].map(|p: f64| 0.5 * (4.0 * (p * alpha).sqrt() + 28.0 * alpha));
        assert!(learner.radii[..2].iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-12));
        assert_eq!(learner.radii[2..], [1.0; 4]);
    }
}
