//! UCPD: mirror descent over occupancies against losses and queues (Qiu, Wei, Yang, Ye and Wang, *Upper confidence primal–dual
//! reinforcement learning for CMDP with adversarial loss*, 2020).
//!
//! ```text
//! Q_i = 0 ,   q⁰ uniform over the triples of each stage ,   α = H K ,   V = H √K ,   mix = 1 / K
//! for episodes t = 1, …, K
//!     q̃ = (1 − mix) q^{t−1} + mix · uniform
//!     q^t = argmin  ⟨V f + Σ Q_i g_i, q⟩ + α KL(q, q̃)      over occupancies with ‖p − p̄‖₁ ≤ ε
//!     Q_i ← max(0, Q_i + ⟨g_i, q^t⟩ − τ_i)
//!     follow the policy of q^t for an episode
//! ε(s,a) = √( 2 S ln((K+1) S_all A / δ) / max(1, N(s,a)) ) ,     p̄ and ε of the last time that the visits of some pair doubled
//! ```
//!
//! The paper's losses f and costs g are chosen by an adversary and revealed after each episode; here f = 1 − r̄ and g = c̄. S_all
//! counts the states of all stages and those in which episodes end. The step is solved by Newton's method
//! ([`crate::learn::parts::episodic::mirror`]). Where nothing was seen every distribution is possible. The constants are recalled,
//! not read.

use crate::arithmetic::elementary::ln;
use crate::error::Result;
use crate::learn::parts::episodic::config::EpisodicConfig;
use crate::learn::parts::episodic::estimates::Estimates;
use crate::learn::parts::episodic::mirror::MirrorStep;
use crate::learn::parts::episodic::options::{Confidence, Counting};
use crate::learn::parts::episodic::planning::priced;
use crate::learn::parts::episodic::radii::{Sizes, hoeffding};
use crate::learn::parts::estimate::UnvisitedKernel;
use crate::learn::{Epoch, Knowledge, Learner, Now, Until, Wants};
use crate::model::{Policy, Task};
use crate::options;
use crate::seed::Rng;

const NAME: &str = "ucpd";

options! {
    /// The options of ucpd.
    pub struct UcpdConfig {
        /// How much a step is held back; by default H K.
        alpha: Option<f64> = None, "a number above 0" => |alpha| alpha.is_none_or(|alpha| alpha > 0.0 && alpha.is_finite());
        /// The weight of losses beside the queues; by default H √K.
        v: Option<f64> = None, "a number from 0 to 1e12" => |v| v.is_none_or(|v| (0.0..=1e12).contains(&v));
        /// The share of the uniform occupancy; by default 1 / K.
        mix: Option<f64> = None, "a number above 0, 1 at most" => |mix| mix.is_none_or(|mix| mix > 0.0 && mix <= 1.0);
        with {
            /// How sure it is.
            confidence: Confidence = Confidence::default();
            /// What it counts.
            counting: Counting = Counting::default();
        }
    }
}

impl EpisodicConfig for UcpdConfig {
    type Learner = Ucpd;
    const NAME: &'static str = NAME;
    const ABOUT: &'static str = "episodes: mirror descent over occupancies against losses and queues";

    fn wants(&self) -> Wants {
        self.counting.wants()
    }

    fn fill_in(&mut self) {
        self.confidence.scale.get_or_insert(0.05);
    }

    fn learner(&self, task: &Task, knowledge: &Knowledge) -> Result<Ucpd> {
        Ucpd::new(self, task, knowledge)
    }
}

/// Mirror descent over occupancies.
pub struct Ucpd {
    estimates: Estimates,
    /// p̄, ε and the visits when they were taken.
    centre: Vec<f64>,
    radii: Vec<f64>,
    planned: Vec<u64>,
    /// q^{t−1} by row and successor, and ν of its step.
    occupancy: Vec<f64>,
    dual: Vec<f64>,
    /// Q_i.
    queues: Vec<f64>,
    alpha: f64,
    v: f64,
    mix: f64,
    log: f64,
    scale: f64,
}

impl Ucpd {
    fn new(config: &UcpdConfig, task: &Task, knowledge: &Knowledge) -> Result<Ucpd> {
        let estimates = Estimates::new(NAME, task, knowledge, &config.counting, UnvisitedKernel::Uniform)?;
        let Sizes { states, horizon, episodes, delta, .. } =
            Sizes::of(&estimates, task.rounds(), config.confidence.delta);
        let all = task.start().len() as f64 + horizon * states;
        let actions = estimates.most_actions() as f64;
        let entries = estimates.rows() * estimates.states();
        let mut learner = Ucpd {
            centre: vec![0.0; entries],
            radii: vec![2.0; estimates.rows()],
            planned: Vec::new(),
            occupancy: Vec::new(),
            dual: Vec::new(),
            queues: vec![0.0; estimates.costs()],
            alpha: config.alpha.unwrap_or(horizon * episodes),
            v: config.v.unwrap_or(horizon * episodes.sqrt()),
            mix: config.mix.unwrap_or(1.0 / episodes),
            log: 2.0 * states * ln((episodes + 1.0) * all * actions / delta),
            scale: config.confidence.factor(),
            estimates,
        };
        learner.occupancy = learner.uniform();
        Ok(learner)
    }

    /// The same mass on all triples of a stage.
    fn uniform(&self) -> Vec<f64> {
        let (states, pairs) = (self.estimates.states(), self.estimates.pairs());
        let mut uniform = vec![0.0; self.estimates.rows() * states];
        let first = self.estimates.models[0].start().iter().flat_map(|&(s, _)| self.estimates.rows_of(0, s));
        let first: Vec<usize> = first.collect();
        for (stage, rows) in (0..self.estimates.horizon()).map(|h| (h, h * pairs..(h + 1) * pairs)) {
            let rows: Vec<usize> = if stage == 0 { first.clone() } else { rows.collect() };
            let share = 1.0 / (rows.len() * states) as f64;
            rows.iter().for_each(|row| uniform[row * states..(row + 1) * states].fill(share));
        }
        uniform
    }

    /// Takes p̄ and ε as they are now, if the visits of some pair have doubled since the last time.
    fn update_set(&mut self) {
        let doubled = |&row: &usize| {
            let before = self.planned[row];
            self.estimates.visits[row] - before >= before.max(1)
        };
        if !self.planned.is_empty() && !self.estimates.changed.iter().any(doubled) {
            return;
        }
        self.planned.clone_from(&self.estimates.visits);
        let states = self.estimates.states();
        for row in 0..self.estimates.rows() {
            self.centre[row * states..(row + 1) * states].copy_from_slice(self.estimates.kernel(row));
            let visits = self.estimates.visits[row];
            self.radii[row] = if visits == 0 { 2.0 } else { self.scale * hoeffding(visits, self.log) };
        }
    }

    /// V f + Σ Q_i g_i of a row.
    fn loss(&self, row: usize) -> f64 {
        let means = &self.estimates.means;
        let queued = self.queues.iter().zip(&means[1..]).map(|(queue, costs)| queue * costs[row]);
        self.v * (1.0 - means[0][row]) + queued.sum::<f64>()
    }

    /// The next occupancy; queues move on. Masses by row.
    fn step(&mut self) -> Vec<f64> {
        let uniform = self.uniform();
        let mixed = self.occupancy.iter().zip(&uniform).map(|(q, u)| (1.0 - self.mix) * q + self.mix * u);
        let losses: Vec<f64> = (0..self.estimates.rows()).map(|row| self.loss(row)).collect();
        let step = MirrorStep {
            estimates: &self.estimates,
            centre: &self.centre,
            radii: &self.radii,
            previous: &mixed.collect::<Vec<f64>>(),
            losses: &losses,
            alpha: self.alpha,
        };
        self.occupancy = step.solve(&mut self.dual);
        let states = self.estimates.states();
        let masses: Vec<f64> = self.occupancy.chunks_exact(states).map(|row| row.iter().sum()).collect();
        for (i, queue) in self.queues.iter_mut().enumerate() {
            let cost: f64 = self.estimates.means[i + 1].iter().zip(&masses).map(|(c, mass)| c * mass).sum();
            *queue = (*queue + cost - self.estimates.budget(i)).max(0.0);
        }
        masses
    }

    /// The policy of masses by row; every action alike in a state without any.
    fn policy(&self, mut masses: Vec<f64>) -> Policy {
        for (stage, state) in self.estimates.places() {
            let row = &mut masses[self.estimates.rows_of(stage, state)];
            let (sum, even) = (row.iter().sum::<f64>(), 1.0 / row.len() as f64);
            row.iter_mut().for_each(|mass| *mass = if sum > 0.0 { *mass / sum } else { even });
        }
        Policy::unchecked(masses, 1)
    }
}

impl Learner for Ucpd {
    fn next_epoch(&mut self, now: &Now, _rng: &mut Rng) -> Result<Epoch> {
        self.estimates.update(now);
        self.update_set();
        let prices: Vec<f64> =
            self.queues.iter().map(|queue| queue / self.v.max(f64::MIN_POSITIVE)).collect();
        let report = priced(&self.estimates, &prices);
        let masses = self.step();
        let until = Until::steps(self.estimates.horizon() as u64);
        Ok(Epoch::planned((self.policy(masses), report), until))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::algorithms::fixture::Led;
    use crate::learn::algorithms::table1::*;

    /// The occupancy of the uniform policy in the estimated models.
    fn empirical(estimates: &Estimates) -> Vec<f64> {
        let states = estimates.states();
        let mut occupancy = vec![0.0; estimates.rows() * states];
        let mut law = vec![1.0, 0.0, 0.0, 0.0, 0.0];
        for stage in 0..estimates.horizon() {
            let mut next = vec![0.0; states];
            for (state, mass) in law.iter().enumerate() {
                for row in estimates.rows_of(stage, state) {
                    for (to, p) in estimates.kernel(row).iter().enumerate() {
                        occupancy[row * states + to] = mass / 2.0 * p;
                        next[to] += mass / 2.0 * p;
                    }
                }
            }
            law = next;
        }
        occupancy
    }

    /// Occupancies (to 1e-4, as the file says), objectives (to 1e-6) and queues of 13 steps.
    #[test]
    fn steps_from_fixed_counts_are_those_of_another_implementation() {
        let (task, knowledge) = task(1);
        for entry in entries("ucpd") {
            let mut config = UcpdConfig {
                alpha: entry["alpha"].as_f64(),
                v: entry["V"].as_f64(),
                mix: entry["mix"].as_f64(),
                counting: Counting::known(),
                ..UcpdConfig::default()
            };
            config.confidence.scale = entry["radius_scale"].as_f64();
            let mut learner = Ucpd::new(&config, &task, &knowledge).unwrap();
            fill(&mut learner.estimates, &entry["case"]);
            learner.update_set();
            learner.queues = vec![number(&entry["queue"])];
            if entry["previous"] == "empirical-uniform" {
                learner.occupancy = empirical(&learner.estimates);
            }
            let uniform = learner.uniform();
            let mixed: Vec<f64> = learner
                .occupancy
                .iter()
                .zip(&uniform)
                .map(|(q, u)| (1.0 - learner.mix) * q + learner.mix * u)
                .collect();
            let losses: Vec<f64> = (0..50).map(|row| learner.loss(row)).collect();
            let masses = learner.step();
            let what = format!("case {}", entry["case"]);
            let possible = masses[..2].iter().chain(&masses[10..]);
            for (found, expected) in possible.zip(numbers(&entry["occupancy"])) {
                assert!((found - expected).abs() < 1e-4, "{what}: {found}, expected {expected}");
            }
            let term = |(q, old): (&f64, &f64)| if *q > 0.0 { q * ln(q / old) } else { 0.0 } - q + old;
            let divergence: f64 = learner.occupancy.iter().zip(&mixed).map(term).sum();
            let linear: f64 = losses.iter().zip(&masses).map(|(loss, mass)| loss * mass).sum();
            let (found, expected) = (linear + learner.alpha * divergence, number(&entry["objective"]));
            assert!((found - expected).abs() < 1e-6 * expected, "{what}: {found}, expected {expected}");
            let next = number(&entry["next_queue"]);
            assert!((learner.queues[0] - next).abs() < 1e-4, "{what}: {:?}, expected {next}", learner.queues);
        }
    }

    /// Nothing is known at first: losses are all alike, and so are the actions. α = H K = 8, V = H √K = 4.
    #[test]
    fn it_begins_with_the_uniform_policy_and_leans_to_what_pays() {
        let mut led = Led::new(1.0);
        let mut learner = Ucpd::new(&UcpdConfig::default(), &led.task, &led.knowledge).unwrap();
        assert_eq!((learner.alpha, learner.v, learner.mix), (8.0, 4.0, 0.25));
        let policy = led.ask(&mut learner);
        assert!((policy[0] - 0.5).abs() < 1e-12 && (policy[4] - 0.5).abs() < 1e-12, "{policy:?}");
        assert_eq!(learner.queues, [0.0]);
        led.walk([0, 4]);
        // Work at the second stage is seen to bring 1: its loss is 0, that of rest 1.
        let policy = led.ask(&mut learner);
        assert!((policy[4] / policy[3] - crate::arithmetic::elementary::exp(0.5)).abs() < 1e-9, "{policy:?}");
    }
}
