//! ConRL: more reward and less cost where little was seen (Brantley, Dudík, Lykouris, Miryoosefi, Simchowitz, Slivkins and Sun,
//! *Constrained episodic reinforcement learning in concave-convex and knapsack settings*, 2020).
//!
//! ```text
//! for episodes k = 1, 2, …
//!     b = H √( 2 ln(8 S A H (m+1) k² / δ) / N )         N counts the visits of all stages together
//!     π_k  ←  best policy within the budgets for (p̄, r̄ + b, c̄_i − b)
//!     follow π_k for an episode
//! ```
//!
//! A pair that was never visited stays in its state, and has the bonus of one that was visited once. If no policy meets the
//! budgets every action is as likely as another. The authors' code plans by ten rounds of price updates; here the plan is exact.

use crate::arithmetic::elementary::ln;
use crate::error::Result;
use crate::learn::parts::episodic::config::EpisodicConfig;
use crate::learn::parts::episodic::estimates::Estimates;
use crate::learn::parts::episodic::options::{Confidence, Counting, Replan};
use crate::learn::parts::episodic::planning::{EpisodePlanning, Replanning};
use crate::learn::parts::episodic::radii::{Sizes, hoeffding};
use crate::learn::parts::estimate::UnvisitedKernel;
use crate::learn::{Epoch, Knowledge, Learner, Now, Wants};
use crate::model::Task;
use crate::options;
use crate::seed::Rng;

const NAME: &str = "conrl";

options! {
    /// The options of conrl.
    pub struct ConRlConfig {
        /// When it plans again.
        replan: Replan = Replan::Every, "every or doubled" => |_| true;
        /// Where a pair never visited is thought to lead.
        unvisited_kernel: UnvisitedKernel = UnvisitedKernel::SelfLoop, "self-loop or uniform" => |kernel| *kernel != UnvisitedKernel::Fresh;
        /// Whether estimates with their bonus are kept between 0 and 1, in units of the signal's range.
        clip_signals: bool = false, "true or false" => |_| true;
        with {
            /// How sure it is.
            confidence: Confidence = Confidence::default();
            /// What it counts.
            counting: Counting = Counting { pool_steps: true, ..Counting::default() };
        }
    }
}

impl EpisodicConfig for ConRlConfig {
    type Learner = ConRl;
    const NAME: &'static str = NAME;
    const ABOUT: &'static str =
        "episodes: more reward and less cost where little was seen, over all stages together";

    fn wants(&self) -> Wants {
        self.counting.wants()
    }

    fn fill_in(&mut self) {
        self.confidence.scale.get_or_insert(0.01);
    }

    fn learner(&self, task: &Task, knowledge: &Knowledge) -> Result<ConRl> {
        ConRl::new(self, task, knowledge)
    }
}

/// Plans with more reward and less cost where little was seen.
pub struct ConRl {
    estimates: Estimates,
    planning: EpisodePlanning,
    replanning: Replanning,
    sizes: Sizes,
    scale: f64,
    clip: bool,
    episode: u64,
}

impl ConRl {
    fn new(config: &ConRlConfig, task: &Task, knowledge: &Knowledge) -> Result<ConRl> {
        let estimates = Estimates::new(NAME, task, knowledge, &config.counting, config.unvisited_kernel)?;
        Ok(ConRl {
            sizes: Sizes::of(&estimates, task.rounds(), config.confidence.delta),
            estimates,
            planning: EpisodePlanning::new(),
            replanning: Replanning::new(config.replan),
            scale: config.confidence.factor(),
            clip: config.clip_signals,
            episode: 0,
        })
    }

    /// Writes r̄ + b and c̄ − b for the present episode.
    fn write_signals(&mut self) -> Result<()> {
        let Sizes { pairs, horizon, costs, delta, .. } = self.sizes;
        let k = self.episode as f64;
        let log = 2.0 * ln(8.0 * pairs * horizon * (costs + 1.0) * k * k / delta);
        let bonus = |&visits: &u64| self.scale * horizon * hoeffding(visits, log);
        let bonuses: Vec<f64> = self.estimates.visits.iter().map(bonus).collect();
        let clip = self.clip;
        self.estimates.write_signals(|signal, row, mean| {
            let optimistic = if signal == 0 { mean + bonuses[row] } else { mean - bonuses[row] };
            if clip { optimistic.clamp(0.0, 1.0) } else { optimistic }
        })
    }
}

impl Learner for ConRl {
    fn next_epoch(&mut self, now: &Now, _rng: &mut Rng) -> Result<Epoch> {
        self.episode += 1;
        self.estimates.update(now);
        if let Some(epoch) = self.replanning.kept(&self.estimates) {
            return Ok(epoch);
        }
        self.write_signals()?;
        let planned = self.planning.plan_or_uniform(&self.estimates, None)?;
        Ok(self.replanning.planned(&self.estimates, planned))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::algorithms::fixture::Led;

    /// Counts of both stages are one: having worked once, it knows what work brings at either stage.
    #[test]
    fn it_rests_and_works_after_one_episode() {
        let mut led = Led::new(1.0);
        let mut config = ConRlConfig::default();
        config.confidence.scale = Some(0.0);
        let mut learner = ConRl::new(&config, &led.task, &led.knowledge).unwrap();
        led.ask(&mut learner);
        led.walk([0, 4]);
        let policy = led.ask(&mut learner);
        assert_eq!((policy[0], policy[4]), (1.0, 1.0));
        assert_eq!(learner.estimates.visits, [1, 1, 0, 1, 1, 0]);
    }

    /// By hand, with S A = 3, H = 2, m + 1 = 2, k = 1, δ = 0.05: b = 2 √(2 ln(8 · 3 · 2 · 2 / 0.05)) after one visit.
    #[test]
    fn the_bonus_is_the_formula() {
        let mut led = Led::new(1.0);
        let mut learner = ConRl::new(&ConRlConfig::default(), &led.task, &led.knowledge).unwrap();
        led.ask(&mut learner);
        let bonus = learner.estimates.models[0].signals().reward()[0];
        assert!((bonus - 2.0 * (2.0 * ln(1920.0)).sqrt()).abs() < 1e-12, "{bonus}");
    }
}
