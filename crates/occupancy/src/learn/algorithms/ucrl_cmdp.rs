//! UCRL-CMDP: optimism in the transitions, with known rewards and costs (Singh, Gupta and Shroff, *Learning in constrained Markov
//! decision processes*, 2020).
//!
//! ```text
//! for epochs k = 1, 2, …  of ⌈T^α⌉ steps, α = 1/3
//!     p̄ = shares of the successors seen ,   |p(s′∣s,a) − p̄(s′∣s,a)| ≤ ε(s,a) = scale √( ln(T^b S A) / N⁺ )
//!     π_k  ←  best policy within the budgets τ_i − m_i for (p, r, c) with the most favourable such p
//!     follow π_k to the end of the epoch; if there is none, act uniformly
//! ```
//!
//! The original form of what [`super::CucrlTransitionsConfig`] is in the comparison of Provodin et al. (2022): that one estimates
//! rewards and costs and has a coefficient before its radius. The form of the radius is certain, its constant (b = 1) is not:
//! the paper was not at hand. All rows are possible after a pair that was never visited. m_i, the `margins`, are how the paper trades
//! the regret of some costs for that of others; c T^(−1/3) is natural. The program is solved exactly ([`Optimist`]).

use crate::arithmetic::elementary::ln;
use crate::error::{LearnerProblem, Result};
use crate::learn::parts::belief::{Belief, radii, signal_scale};
use crate::learn::parts::episodic::options::Confidence;
use crate::learn::parts::planning::{OnInfeasible, PlanOptions, Planning};
use crate::learn::parts::told::SignalSource;
use crate::learn::{Counts, Epoch, EpochRule, Knowledge, Learner, LearnerConfig, Now, Wants};
use crate::model::{Policy, Task};
use crate::options;
use crate::plan::{OffSupport, Optimism, Optimist};
use crate::seed::Rng;

const NAME: &str = "ucrl-cmdp";

options! {
    /// The options of ucrl-cmdp.
    pub struct UcrlCmdpConfig {
        /// The radius is √(ln(T^b S A) / N).
        b: f64 = 1.0, "a number from 0 to 100" => |b| (0.0..=100.0).contains(b);
        /// An epoch has ⌈T^alpha⌉ steps.
        alpha: f64 = 1.0 / 3.0, "a number from 0 to 1" => |alpha| (0.0..=1.0).contains(alpha);
        /// Taken off the budgets, one number for each cost; none by default.
        margins: Vec<f64> = Vec::new(), "numbers, one for each cost" => |margins: &Vec<f64>| margins.iter().all(|m| m.is_finite());
        /// Where rewards and costs come from.
        signals: SignalSource = SignalSource::Known, SignalSource::EXPECTED => |_| true;
        /// What the policy does in states that the plan never visits.
        off_support: OffSupport = OffSupport::Pinned, "pinned, uniform or first" => |_| true;
        /// What is done when no policy meets the budgets for any of the kernels.
        infeasible: OnInfeasible = OnInfeasible::Uniform, "explore, least-cost, drop or uniform" => |_| true;
        with {
            /// How sure it is.
            confidence: Confidence = Confidence::default();
        }
    }
}

impl UcrlCmdpConfig {
    fn epochs(&self) -> EpochRule {
        EpochRule::Power(self.alpha)
    }
}

impl LearnerConfig for UcrlCmdpConfig {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "knows rewards and costs; plans with the most favourable transitions, entry by entry"
    }

    fn fill_in(&mut self, _rounds: u64) {
        self.confidence.scale.get_or_insert(0.03);
    }

    fn requires(&self, _option: &str) -> bool {
        false
    }

    fn wants(&self) -> Wants {
        Wants { signals: self.signals == SignalSource::Known, ..Wants::default() }
    }

    fn most_plans(&self, pairs: usize, rounds: u64) -> Option<u64> {
        Some(self.epochs().most(pairs, rounds))
    }

    fn make(&self, task: &Task, knowledge: &Knowledge) -> Result<Box<dyn Learner>> {
        Ok(Box::new(UcrlCmdp::new(self, task, knowledge)?))
    }
}

/// Budgets less the margins.
fn tightened(task: &Task, margins: &[f64]) -> Result<Vec<f64>> {
    if margins.is_empty() {
        return Ok(task.budgets().to_vec());
    }
    if margins.len() != task.costs() {
        let (option, value) = ("margins", margins.len() as f64);
        let expected = format!("as many numbers as there are costs, {}", task.costs());
        return Err(LearnerProblem::Contradiction { learner: NAME, option, value, expected }.into());
    }
    Ok(task.budgets().iter().zip(margins).map(|(budget, margin)| budget - margin).collect())
}

/// Plans with the most favourable transitions within a box.
pub struct UcrlCmdp {
    belief: Belief,
    optimist: Optimist,
    planning: Planning,
    epochs: EpochRule,
    rounds: u64,
    /// scale² ln(T^b S A), and the same for estimated signals.
    radius_scale: f64,
    signal_scale: f64,
    radii: Vec<f64>,
}

impl UcrlCmdp {
    /// The learner of a task.
    pub fn new(config: &UcrlCmdpConfig, task: &Task, knowledge: &Knowledge) -> Result<UcrlCmdp> {
        let planning =
            PlanOptions { off_support: config.off_support, ..PlanOptions::if_infeasible(config.infeasible) };
        let (belief, factor) =
            (Belief::new(NAME, task, knowledge, config.signals)?, config.confidence.factor());
        Ok(UcrlCmdp {
            belief: belief.with_budgets(&tightened(task, &config.margins)?)?,
            optimist: Optimist::new(config.off_support),
            planning: Planning::new(task, &planning),
            epochs: config.epochs(),
            rounds: task.rounds(),
            radius_scale: factor * factor * log_term(task, config.b),
            signal_scale: signal_scale(task, factor, config.confidence.delta),
            radii: vec![0.0; task.pairs()],
        })
    }

    /// The plan for what was counted.
    pub fn optimism(&mut self, counts: &Counts, rng: &mut Rng) -> Result<Optimism> {
        self.belief.optimistic_means(counts, self.signal_scale)?;
        self.belief.empirical(counts, rng)?;
        radii(counts, self.radius_scale, 1.0, &mut self.radii);
        self.optimist.plan(self.belief.model(), &self.radii)
    }
}

impl Learner for UcrlCmdp {
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch> {
        let verdict = self.optimism(now.counts, rng).map(|optimism| optimism.verdict);
        let planned: (Policy, _) = self.planning.policy_after(verdict, self.belief.model(), now, rng)?;
        Ok(Epoch::planned(planned, self.epochs.until(now, self.rounds)))
    }
}

/// ln(T^b S A), where S A is the number of pairs.
fn log_term(task: &Task, b: f64) -> f64 {
    b * ln(task.rounds().max(1) as f64) + ln(task.pairs() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::algorithms::fixture::{at, seen, told, two_states};
    use crate::learn::parts::episodic::options::Confidence;
    use crate::plan::Verdict;
    use crate::seed::Seed;

    fn gain(learner: &mut UcrlCmdp, counts: &Counts) -> f64 {
        match learner.optimism(counts, &mut Seed(1).rng("none")).unwrap().verdict {
            Verdict::Optimal(plan) => plan.value.reward,
            Verdict::Infeasible(found) => panic!("infeasible by {}", found.violation),
        }
    }

    #[test]
    fn the_first_epochs_by_hand() {
        let model = two_states(1.0);
        let (task, knowledge) = (Task::of(&model, 8), told(&model));
        // ln(8 · 3) / N under the root: 0.25 for N = 4.
        let scale = 0.25 / (ln(24.0) / 4.0).sqrt();
        let confidence = Confidence { scale: Some(scale), ..Confidence::default() };
        let config = UcrlCmdpConfig { confidence, ..Default::default() };
        let mut learner = UcrlCmdp::new(&config, &task, &knowledge).unwrap();
        // Nothing was seen: the second state may be kept for ever.
        let nothing = seen(&model, &[0; 6]);
        assert!((gain(&mut learner, &nothing) - 1.0).abs() < 1e-12);
        let epoch = learner.next_epoch(&at(&nothing, 0, 0), &mut Seed(1).rng("none")).unwrap();
        assert_eq!((epoch.until, epoch.begins), (crate::learn::Until::steps(2), true));
        // Both pairs of the first state stayed 4 times, the second state was left 16 times: it is reached with 0.25 and kept with
        // 0.125, so that 2/9 of the time is spent there, and work brings 0.5 in the rest.
        let counts = seen(&model, &[4, 0, 4, 0, 16, 0]);
        assert!((gain(&mut learner, &counts) - (2.0 / 9.0 + 0.5 * 7.0 / 9.0)).abs() < 1e-12);
        // Rewards and costs are alike here, so that a margin of 0.4 below the budget of 0.5 leaves 0.1.
        let config = UcrlCmdpConfig { margins: vec![0.4], ..config };
        let tight = two_states(0.5);
        let mut learner = UcrlCmdp::new(&config, &Task::of(&tight, 8), &knowledge).unwrap();
        assert!((gain(&mut learner, &counts) - 0.1).abs() < 1e-9);
    }

    #[test]
    fn margins_and_signals_are_asked_for() {
        let model = two_states(1.0);
        let task = Task::of(&model, 8);
        let config = UcrlCmdpConfig { margins: vec![0.1, 0.1], ..Default::default() };
        let refused = UcrlCmdp::new(&config, &task, &told(&model)).err().map(|error| error.to_string());
        let expected = "margins of ucrl-cmdp is 2, expected as many numbers as there are costs, 1";
        assert_eq!(refused.unwrap(), expected);
        let refused = UcrlCmdp::new(&UcrlCmdpConfig::default(), &task, &Knowledge::default()).err();
        assert!(refused.unwrap().to_string().contains("signals=estimated does without"));
    }
}
