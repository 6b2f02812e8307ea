//! UC-CURL: optimism in the transitions within an L1 ball, and budgets that are tightened at first (Agarwal, Bai and Aggarwal,
//! *Concave utility reinforcement learning with zero-constraint violations*, 2022).
//!
//! ```text
//! for epochs e = 1, 2, …  until v(s,a) ≥ max(1, N(s,a)) for some pair
//!     p̄ = shares of the successors seen ,   Σ |p(s′∣s,a) − p̄(s′∣s,a)| ≤ scale √( 14 S ln(2 A t_e) / N⁺ )
//!     ε_e = κ √( ln t_e / t_e ) ,  at most half of the gap, if it is told
//!     π_e  ←  best policy within the budgets τ − ε_e for (p, r, c) with the most favourable such p
//! ```
//!
//! The utility is linear here. κ, the `margin`, is of order L T_M S √A in the paper; 1 is a decision of this project, and so is
//! what follows an infeasible program: the same with ε_e = 0, and then the least cost. The paper's text was not at hand: the
//! structure is certain, the constants are recalled. All rows are possible after a pair that was never visited.

use crate::arithmetic::elementary::ln;
use crate::error::Result;
use crate::learn::parts::belief::{Belief, most_actions, radii, signal_scale};
use crate::learn::parts::episodic::options::Confidence;
use crate::learn::parts::planning::{OnInfeasible, PlanOptions, Planning};
use crate::learn::parts::told::SignalSource;
use crate::learn::{Counts, Epoch, EpochRule, Knowledge, Learner, LearnerConfig, Now, Wants};
use crate::model::Task;
use crate::options;
use crate::plan::{OffSupport, Optimism, Optimist, Radii, Verdict};
use crate::seed::Rng;

const NAME: &str = "uc-curl";

options! {
    /// The options of uc-curl.
    pub struct UcCurlConfig {
        /// κ: budgets are tightened by κ √(ln t / t).
        margin: f64 = 1.0, "a number from 0 to 1e6" => |margin| (0.0..=1e6).contains(margin);
        /// How far below its budget every cost can be at once; budgets are tightened by half of that at most.
        gap: Option<f64> = None, "a number from 0 on" => |gap| gap.is_none_or(|gap| gap >= 0.0);
        /// Where rewards and costs come from.
        signals: SignalSource = SignalSource::Known, SignalSource::EXPECTED => |_| true;
        /// What the policy does in states that the plan never visits.
        off_support: OffSupport = OffSupport::Pinned, "pinned, uniform or first" => |_| true;
        /// What is done when no policy meets the budgets for any of the kernels, tightened or not.
        infeasible: OnInfeasible = OnInfeasible::LeastCost, "explore, least-cost, drop or uniform" => |_| true;
        with {
            /// How sure it is.
            confidence: Confidence = Confidence::default();
        }
    }
}

impl LearnerConfig for UcCurlConfig {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "plans with the most favourable transitions in a ball, within budgets that are tightened at first"
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
        Ok(Box::new(UcCurl::new(self, task, knowledge)?))
    }
}

/// Plans with the most favourable transitions within a ball.
pub struct UcCurl {
    config: UcCurlConfig,
    task: Task,
    belief: Belief,
    optimist: Optimist,
    planning: Planning,
    radii: Vec<f64>,
}

impl UcCurl {
    /// The learner of a task.
    pub fn new(config: &UcCurlConfig, task: &Task, knowledge: &Knowledge) -> Result<UcCurl> {
        let planning =
            PlanOptions { off_support: config.off_support, ..PlanOptions::if_infeasible(config.infeasible) };
        Ok(UcCurl {
            config: config.clone(),
            task: task.clone(),
            belief: Belief::new(NAME, task, knowledge, config.signals)?,
            optimist: Optimist::new(config.off_support),
            planning: Planning::new(task, &planning),
            radii: vec![0.0; task.pairs()],
        })
    }

    /// The estimates and radii for what was counted before step t.
    pub fn believe(&mut self, counts: &Counts, t: u64, rng: &mut Rng) -> Result<()> {
        let scale = signal_scale(&self.task, self.config.confidence.factor(), self.config.confidence.delta);
        self.belief.optimistic_means(counts, scale)?;
        self.belief.empirical(counts, rng)?;
        radii(counts, radius_scale(&self.task, t, self.config.confidence.factor()), 2.0, &mut self.radii);
        Ok(())
    }

    /// The plan within budgets that are tightened by so much.
    pub fn optimism(&mut self, tightening: f64) -> Result<Optimism> {
        let budgets: Vec<f64> = self.task.budgets().iter().map(|budget| budget - tightening).collect();
        let model = self.belief.model().clone().with_budgets(&budgets)?;
        self.optimist.plan_within(&model, Radii::L1(&self.radii))
    }

    /// ε_e.
    fn tightening(&self, t: u64) -> f64 {
        let most = self.config.gap.map_or(f64::INFINITY, |gap| gap / 2.0);
        (self.config.margin * (ln(t as f64) / t as f64).sqrt()).min(most)
    }
}

impl Learner for UcCurl {
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch> {
        let t = now.step + 1;
        self.believe(now.counts, t, rng)?;
        let verdict = match self.optimism(self.tightening(t)) {
            Ok(optimism) if matches!(optimism.verdict, Verdict::Optimal(_)) => Ok(optimism.verdict),
            _ => self.optimism(0.0).map(|optimism| optimism.verdict),
        };
        let planned = self.planning.policy_after(verdict, self.belief.model(), now, rng)?;
        Ok(Epoch::planned(planned, EpochRule::Doubling.until(now, self.task.rounds())))
    }
}

/// scale² 14 S ln(2 A t).
fn radius_scale(task: &Task, t: u64, scale: f64) -> f64 {
    scale * scale * 14.0 * task.states() as f64 * ln(2.0 * most_actions(task) * t as f64)
}
