//! PSRL: the best policy of a sampled model (Osband, Russo and Van Roy, *(More) efficient reinforcement learning via posterior
//! sampling*, 2013).
//!
//! ```text
//! for episodes k = 1, 2, …
//!     p_k, r_k, c_k ~ posterior
//!     π_k  ←  best policy for (p_k, r_k) , within the budgets for c_k if it is asked for
//!     follow π_k for an episode
//! ```
//!
//! The paper is about rewards alone, and so is this learner unless `constrained` is set. Transitions have the posterior Dir(α + n)
//! at every stage, rewards and costs Beta(1 + ones, 1 + zeros): a value between 0 and 1 counts as a one with that probability, in
//! units of the signal's range. If no policy meets the budgets in the sampled model every action is as likely as another.

use crate::error::Result;
use crate::learn::parts::dirichlet::draw_dense;
use crate::learn::parts::episodic::backward::Backward;
use crate::learn::parts::episodic::config::EpisodicConfig;
use crate::learn::parts::episodic::estimates::Estimates;
use crate::learn::parts::episodic::options::Counting;
use crate::learn::parts::episodic::planning::{EpisodePlanning, priced};
use crate::learn::parts::episodic::posterior::draw_rows;
use crate::learn::parts::estimate::UnvisitedKernel;
use crate::learn::parts::told::SignalSource;
use crate::learn::{Epoch, Knowledge, Learner, Now, PlanReport, Until, Wants};
use crate::model::{Policy, Task};
use crate::options;
use crate::seed::Rng;
use rand::RngExt;

const NAME: &str = "psrl";

options! {
    /// The options of psrl.
    pub struct PsrlConfig {
        /// The prior weight of every successor.
        alpha: f64 = 1.0, "a number from 1e-6 to 1e6" => |alpha| (1e-6..=1e6).contains(alpha);
        /// Whether plans are within the budgets of the sampled model.
        constrained: bool = false, "true or false" => |_| true;
        with {
            /// What it counts.
            counting: Counting = Counting::default();
        }
    }
}

impl EpisodicConfig for PsrlConfig {
    type Learner = Psrl;
    const NAME: &'static str = NAME;
    const ABOUT: &'static str =
        "episodes: the best policy of a sampled model, without budgets unless it is told to mind them";

    fn wants(&self) -> Wants {
        self.counting.wants()
    }

    fn learner(&self, task: &Task, knowledge: &Knowledge) -> Result<Psrl> {
        Psrl::new(self, task, knowledge)
    }
}

/// The best policy of a sampled model.
pub struct Psrl {
    /// The sampled model.
    estimates: Estimates,
    planning: EpisodePlanning,
    backward: Backward,
    alpha: f64,
    pooled: bool,
    constrained: bool,
    signals: SignalSource,
    /// Ones and zeros of every signal and row.
    seen: Vec<Vec<[u64; 2]>>,
}

impl Psrl {
    fn new(config: &PsrlConfig, task: &Task, knowledge: &Knowledge) -> Result<Psrl> {
        let estimates = Estimates::new(NAME, task, knowledge, &config.counting, UnvisitedKernel::Uniform)?;
        Ok(Psrl {
            backward: Backward::new(&estimates, 1),
            planning: EpisodePlanning::new(),
            alpha: config.alpha,
            pooled: config.counting.pool_steps,
            constrained: config.constrained && estimates.costs() > 0,
            signals: config.counting.signals,
            seen: vec![vec![[0, 0]; estimates.rows()]; estimates.costs() + 1],
            estimates,
        })
    }

    /// Rounds the signals of the last episode to ones and zeros, with the right mean.
    fn round(&mut self, now: &Now, rng: &mut Rng) {
        let (pairs, stages) = (self.estimates.pairs(), self.estimates.horizon());
        for &visit in now.trajectory {
            let row = visit.pair as usize;
            for (k, seen) in self.seen.iter_mut().enumerate() {
                let value = self.estimates.units.signal(k, now.counts.realised(k, visit));
                let zero = usize::from(rng.random::<f64>() >= value);
                if self.pooled {
                    (0..stages).for_each(|stage| seen[stage * pairs + row % pairs][zero] += 1);
                } else {
                    seen[row][zero] += 1;
                }
            }
        }
    }

    /// Draws a mean of every signal and row; of pooled counts one for all stages.
    fn draw_means(&mut self, rng: &mut Rng) {
        let pairs = self.estimates.pairs();
        let mut shares = [0.0; 2];
        for (means, seen) in self.estimates.means.iter_mut().zip(&self.seen) {
            for row in 0..means.len() {
                if self.pooled && row >= pairs {
                    means[row] = means[row % pairs];
                    continue;
                }
                let weights = seen[row].map(|n| 1.0 + n as f64);
                draw_dense(&mut shares, 1.0, weights.into_iter().enumerate(), rng);
                means[row] = shares[0] / (shares[0] + shares[1]);
            }
        }
    }

    fn plan(&mut self) -> Result<(Policy, PlanReport)> {
        if !self.constrained {
            let mut policy = vec![0.0; self.estimates.rows()];
            let Psrl { backward, estimates, .. } = self;
            backward.improve(estimates, &[1.0], |_, row| estimates.means[0][row], &mut policy);
            return Ok((Policy::unchecked(policy, 1), priced(estimates, &vec![0.0; estimates.costs()])));
        }
        self.estimates.write_signals(|_, _, mean| mean)?;
        self.planning.plan_or_uniform(&self.estimates, None)
    }
}

impl Learner for Psrl {
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch> {
        if self.signals == SignalSource::Estimated {
            self.round(now, rng);
            self.draw_means(rng);
        }
        draw_rows(&mut self.estimates.models, now.counts, self.alpha, self.pooled, rng);
        Ok(Epoch::planned(self.plan()?, Until::steps(self.estimates.horizon() as u64)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::algorithms::fixture::Led;

    /// After a thousand episodes of each kind the samples are near the truth, and the best policy of an episode is rest and work;
    /// within a budget of 0.5, work every second time.
    #[test]
    fn samples_come_near_the_truth() {
        for (budget, constrained, expected) in [(1.0, false, 1.0), (0.5, true, 0.5)] {
            let mut led = Led::new(budget);
            let config = PsrlConfig { constrained, ..PsrlConfig::default() };
            let mut learner = Psrl::new(&config, &led.task, &led.knowledge).unwrap();
            for _ in 0..1000 {
                for walked in [[0, 3], [0, 4], [1, 5]] {
                    led.walk(walked);
                    led.ask(&mut learner);
                }
            }
            let policy = led.ask(&mut learner);
            assert!(policy[0] > 0.9 && (policy[4] - expected).abs() < 0.1, "{policy:?}");
        }
    }
}
