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
        self.confidence.scale.get_or_insert(0.1);
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
