//! DOPE: optimistic and pessimistic at once, in the reward and in the cost (Bura, HasanzadeZonuzy, Kalathil, Shakkottai and
//! Chamberland, *DOPE: doubly optimistic and pessimistic exploration for safe reinforcement learning*, 2022).
//!
//! ```text
//! known: r, c, a safe policy π_b and its cost C_b < τ ,   L = ln(2 S A H K / δ)
//! β(s′) = √( 4 p̄ (1 − p̄) L / max(1,n) ) + 14 L / (3 max(1,n)) ,     β̄ = Σ_{s′} β(s′)
//! for episodes k = 1, …, K_0 = S² A H⁴ / (τ − C_b)²     follow π_b
//! for episodes k = K_0 + 1, …, K
//!     π_k  ←  best policy within τ for (p, r + H² β̄ / (τ − C_b), c + H β̄) with the most favourable p in the box β
//!     follow π_k for an episode; π_b if no policy is within τ
//! ```
//!
//! Radii are 1 at most by default, as where nothing was seen. If rewards and costs are estimated, both have the bonus β^r of
//! OptCMDP in addition.

use crate::arithmetic::elementary::ln;
use crate::error::Result;
use crate::learn::parts::episodic::config::EpisodicConfig;
use crate::learn::parts::episodic::estimates::Estimates;
use crate::learn::parts::episodic::options::{Confidence, Counting, Limits, Replan};
use crate::learn::parts::episodic::planning::{EpisodePlanning, Replanning, infeasible};
use crate::learn::parts::episodic::radii::{BoxRadii, BoxRule, Sizes, hoeffding};
use crate::learn::parts::episodic::safety::SafeBaseline;
use crate::learn::parts::estimate::UnvisitedKernel;
use crate::learn::{Epoch, Knowledge, Learner, Now, PlanReport, Until, Wants};
use crate::model::{Policy, Task};
use crate::options;
use crate::plan::KernelSet;
use crate::seed::Rng;
use std::sync::Arc;

const NAME: &str = "dope";

options! {
    /// The options of dope.
    pub struct DopeConfig {
        /// When it plans again, after those episodes.
        replan: Replan = Replan::Every, "every or doubled" => |_| true;
        /// For how many episodes the safe policy is followed at first; by default S² A H⁴ / (τ − C_b)².
        baseline_episodes: Option<u64> = None, "a count" => |_| true;
        with {
            /// How sure it is.
            confidence: Confidence = Confidence::default();
            /// How far optimism goes.
            limits: Limits = Limits::capped();
            /// What it counts.
            counting: Counting = Counting::known();
            /// What is known to be safe.
            safe: SafeBaseline = SafeBaseline::default();
        }
    }
}

impl EpisodicConfig for DopeConfig {
    type Learner = Dope;
    const NAME: &'static str = NAME;
    const ABOUT: &'static str =
        "episodes: a safe policy at first, then plans that are optimistic and pessimistic at once";

    fn wants(&self) -> Wants {
        self.counting.wants()
    }

    fn fill_in(&mut self) {
        self.confidence.scale.get_or_insert(0.001);
        self.baseline_episodes.get_or_insert(100);
    }

    fn learner(&self, task: &Task, knowledge: &Knowledge) -> Result<Dope> {
        Dope::new(self, task, knowledge)
    }
}

/// Optimistic and pessimistic at once.
pub struct Dope {
    estimates: Estimates,
    radii: BoxRadii,
    planning: EpisodePlanning,
    replanning: Replanning,
    baseline: Arc<Policy>,
    baseline_episodes: f64,
    episode: u64,
    /// H² / (τ − C_b), and H.
    weights: [f64; 2],
    /// β^r: its logarithm and its scale.
    signal_log: f64,
    signal_scale: f64,
    clip: bool,
}

impl Dope {
    fn new(config: &DopeConfig, task: &Task, knowledge: &Knowledge) -> Result<Dope> {
        let estimates = Estimates::new(NAME, task, knowledge, &config.counting, UnvisitedKernel::Uniform)?;
        let (cost, budget) = config.safe.cost.below_budget(NAME, &estimates)?;
        let sizes = Sizes::of(&estimates, task.rounds(), config.confidence.delta);
        let Sizes { pairs, states, horizon, episodes, delta, .. } = sizes;
        let (room, factor) = (budget - cost, config.confidence.factor());
        let log = ln(2.0 * pairs * horizon * episodes / delta);
        let at_first = states * pairs * (horizon * horizon * horizon * horizon) / (room * room);
        Ok(Dope {
            radii: BoxRadii::new(
                &estimates,
                BoxRule { log, scale: factor, capped: config.limits.cap_radius },
            ),
            planning: EpisodePlanning::new(),
            replanning: Replanning::new(config.replan),
            baseline: Arc::new(config.safe.policy(NAME, task)?),
            baseline_episodes: config.baseline_episodes.map_or(at_first, |episodes| episodes as f64),
            episode: 0,
            weights: [horizon * horizon / room, horizon],
            signal_log: sizes.log_signals(),
            signal_scale: if estimates.knows_signals() { 0.0 } else { factor },
            clip: config.limits.clip_signals,
            estimates,
        })
    }

    /// The plan for what was seen, if there is one.
    fn plan(&mut self) -> Result<Option<(Policy, PlanReport)>> {
        let beyond = |row: usize| {
            let own = self.signal_scale * hoeffding(self.estimates.visits[row], self.signal_log);
            (self.radii.sum(&self.estimates, row), own)
        };
        let beyond: Vec<(f64, f64)> = (0..self.estimates.rows()).map(beyond).collect();
        let (weights, clip) = (self.weights, self.clip);
        self.estimates.write_signals(|k, row, mean| {
            let (spread, own) = beyond[row];
            let moved = mean + weights[k] * spread + own;
            if clip { moved.clamp(0.0, 1.0) } else { moved }
        })?;
        self.planning.plan(&self.estimates, Some(KernelSet::Box(&self.radii.radii)))
    }
}

impl Learner for Dope {
    fn next_epoch(&mut self, now: &Now, _rng: &mut Rng) -> Result<Epoch> {
        self.episode += 1;
        self.estimates.update(now);
        self.radii.refresh(&self.estimates);
        let until = Until::steps(self.estimates.horizon() as u64);
        if self.episode as f64 <= self.baseline_episodes {
            let changed = (self.episode > 1).then(Vec::new);
            return Ok(Epoch { changed, ..Epoch::unplanned(Arc::clone(&self.baseline), until) });
        }
        if let Some(epoch) = self.replanning.kept(&self.estimates) {
            return Ok(epoch);
        }
        let planned = self.plan()?.unwrap_or_else(|| (self.baseline.as_ref().clone(), infeasible(1)));
        Ok(self.replanning.planned(&self.estimates, planned))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::algorithms::fixture::Led;
    use crate::learn::algorithms::table1::*;
    use crate::learn::parts::told::BaselinePolicy;
    use crate::plan::Verdict;

    /// Radii, status and optimum of 56 plans, and the plans themselves where they are unique.
    #[test]
    fn plans_of_fixed_counts_are_those_of_another_implementation() {
        let (task, knowledge) = task(1);
        for entry in entries("dope") {
            let mut config = DopeConfig::default();
            config.confidence.scale = Some(number(&entry["scale"]));
            config.safe.baseline = Some(BaselinePolicy::Uniform);
            config.safe.cost.baseline_cost = Some(0.5);
            let mut learner = Dope::new(&config, &task, &knowledge).unwrap();
            fill(&mut learner.estimates, &entry["case"]);
            learner.radii.refresh(&learner.estimates);
            let what = format!("case {} scale {}", entry["case"], entry["scale"]);
            assert_close(&[learner.radii.radii.iter().sum()], &entry["beta_bar_sum"], &what);
            let planned = learner.plan().unwrap();
            assert_eq!(planned.is_some(), entry["status"] == "optimal", "{what}");
            if planned.is_some() {
                let set = Some(KernelSet::Box(&learner.radii.radii));
                let Verdict::Optimal(plan) = learner.planning.verdict(&learner.estimates, set).unwrap()
                else {
                    panic!("{what}")
                };
                assert_close(&[plan.value.reward], &entry["value"], &what);
                assert_same_plan(&plan, &entry, &what);
            }
        }
        // By hand: K_0 = S² A H⁴ / (τ − C_b)² = 25 · 2 · 625 / 0.49.
        let mut config = DopeConfig::default();
        config.safe.baseline = Some(BaselinePolicy::Uniform);
        config.safe.cost.baseline_cost = Some(0.5);
        let learner = Dope::new(&config, &task, &knowledge).unwrap();
        assert!((learner.baseline_episodes - 31_250.0 / 0.49).abs() < 1e-6);
    }

    /// The safe policy is followed for as many episodes as it is told to, and then again where no plan is safe enough.
    #[test]
    fn the_safe_policy_comes_first() {
        let mut led = Led::new(1.0);
        let mut config = DopeConfig { baseline_episodes: Some(2), ..DopeConfig::default() };
        config.confidence.scale = Some(0.0);
        config.safe.baseline = Some(BaselinePolicy::Uniform);
        config.safe.cost.baseline_cost = Some(0.0);
        let mut learner = Dope::new(&config, &led.task, &led.knowledge).unwrap();
        let safe = vec![1.0, 0.0, 1.0, 1.0, 0.0, 1.0];
        learner.baseline = Arc::new(Policy::unchecked(safe.clone(), 1));
        for walked in [[0, 3], [0, 4]] {
            assert_eq!(led.ask(&mut learner), safe);
            led.walk(walked);
        }
        // Work at the first stage and back at the second were never seen, β̄ = 2: they bring 9 + 8 and cost 5 + 4, while to rest
        // twice brings 1 for nothing. Within a budget of 1 the former happens once in nine episodes.
        let policy = led.ask(&mut learner);
        assert!((policy[0] - 8.0 / 9.0).abs() < 1e-9 && policy[3] == 1.0, "{policy:?}");
    }
}
