//! Policy optimisation for ergodic models (Chen, Jain and Luo, *Learning infinite-horizon average-reward Markov decision processes
//! with constraints*, 2022, Algorithm 1).
//!
//! ```text
//! π_1 uniform, λ_1 = 0; for episodes k = 1, 2, …  of H steps, with counts N and shares p̄ of before the episode
//!     follow π_k;   d = r − (λ_k/η) c
//!     V(s) = mean sum of d over the N_w steps from visits to s on, the next one counted 2 N_w steps later;   Q = d + p̄ V
//!     x(s,a) = ι (1/√N⁺(s,a) + Σ_a′ π_k(a′∣s)/√N⁺(s,a′)) ,   ‖p − p̄‖₁ ≤ √(S ln(2 S A T/δ) / N⁺)
//!     u(s,a) = x + p u_i − min u_{i+1} ,  by extended value iteration of π_k to span(u_{i+1} − u_i) ≤ 1/T
//!     π_{k+1}(·∣s) = argmax over p ≥ 1/T of ⟨p, Q + u⟩ − KL(p, π_k)/θ
//!     λ_{k+1} = min(λ_max, max(0, λ_k + Ĵ + ε − τ)) ,  Ĵ the mean cost of the steps after the first N_w
//! ```
//!
//! H, N_w, η, λ_max, ε, θ and ι have long formulas in t_mix, t_hit and c⁰ (`constants=printed`), under which nothing is learned in
//! less than billions of rounds. The authors' own run has others (`constants=run`): H = 300, N_w = 20, η = λ_max = √T, ε = 0.01,
//! θ = 10/√T, and ι and the radii times √0.1. Signals outside of [0, 1] are scaled to it. A pair that was never visited may lead
//! anywhere, and p̄ V is 0 there; the paper is silent. It takes one cost.

use super::chen_constants::{ChenConstants, Constants, Knobs};
use crate::arithmetic::elementary::{exp, ln};
use crate::error::{LearnerProblem, Result};
use crate::learn::parts::belief::Belief;
use crate::learn::parts::episodic::options::Confidence;
use crate::learn::parts::episodic::units::Units;
use crate::learn::parts::extended_value::Balls;
use crate::learn::parts::told::SignalSource;
use crate::learn::{Counts, Epoch, Knowledge, Learner, LearnerConfig, Now, PlanReport, Until, Wants};
use crate::model::{Policy, Task};
use crate::options;
use crate::seed::Rng;

const NAME: &str = "chen-policy";

options! {
    /// The options of chen-policy.
    pub struct ChenPolicyConfig {
        /// Where constants come from that are not given: the authors' run, or the formulas of the theorem.
        constants: ChenConstants = ChenConstants::Run, "run or printed" => |_| true;
        /// Where rewards and costs come from.
        signals: SignalSource = SignalSource::Known, SignalSource::EXPECTED => |_| true;
        with {
            /// Constants that are given.
            knobs: Knobs = Knobs::default();
            /// How sure it is.
            confidence: Confidence = Confidence::default();
        }
    }
}

impl LearnerConfig for ChenPolicyConfig {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "one cost: improves a policy by what its episodes of many steps were worth, at a price"
    }

    fn fill_in(&mut self, _rounds: u64) {
        // √0.1, by which the authors multiply ι and the radii.
        self.confidence.scale.get_or_insert(0.1_f64.sqrt());
    }

    fn requires(&self, _option: &str) -> bool {
        false
    }

    fn wants(&self) -> Wants {
        Wants { signals: self.signals == SignalSource::Known, trajectory: true, ..Wants::default() }
    }

    fn make(&self, task: &Task, knowledge: &Knowledge) -> Result<Box<dyn Learner>> {
        if task.costs() != 1 {
            let costs = task.costs();
            return Err(LearnerProblem::Costs { learner: NAME, takes: "one cost", costs }.into());
        }
        let constants = Constants::new(NAME, self.constants, &self.knobs, &self.confidence, task)?;
        Ok(Box::new(ChenPolicy::new(constants, task, Belief::new(NAME, task, knowledge, self.signals)?)?))
    }
}

/// Improves its policy and its price after every episode.
pub struct ChenPolicy {
    constants: Constants,
    belief: Belief,
    units: Units,
    task: Task,
    budget: f64,
    state_of: Vec<usize>,
    /// What was counted before the episode, and N⁺.
    balls: Balls,
    visits: Vec<u64>,
    policy: Policy,
    price: f64,
}

/// What an episode was worth.
#[derive(Debug)]
struct Worth {
    /// Q(s,a).
    action_values: Vec<f64>,
    /// u(s,a).
    ahead: Vec<f64>,
}

impl ChenPolicy {
    fn new(constants: Constants, task: &Task, belief: Belief) -> Result<ChenPolicy> {
        let units = Units::of(task, 1);
        let owner = |state: usize| task.pairs_of(state).map(move |_| state);
        Ok(ChenPolicy {
            budget: units.cost_of_episode(0, task.budgets()[0]),
            units,
            state_of: (0..task.states()).flat_map(owner).collect(),
            balls: Balls::new(NAME, task)?,
            visits: vec![1; task.pairs()],
            policy: Policy::uniform(belief.model()),
            price: 0.0,
            constants,
            belief,
            task: task.clone(),
        })
    }

    /// Takes in what was counted before an episode.
    fn count(&mut self, counts: &Counts) {
        self.balls.count(counts, self.constants.row_scale);
        self.visits.iter_mut().enumerate().for_each(|(pair, visits)| *visits = counts.visits(pair).max(1));
    }

    /// What the pairs of an episode were worth.
    fn worth(&self, pairs: &[usize]) -> Worth {
        let d = self.priced();
        let value = self.values(pairs, &d);
        let onward = |pair: usize| self.balls.row(pair).iter().zip(&value).map(|(p, v)| p * v).sum::<f64>();
        let action_values = d.iter().enumerate().map(|(pair, d)| d + onward(pair)).collect();
        let extended = self.balls.iterate(&self.bonus(), Some(&self.policy), self.constants.floor);
        let least = extended.value.iter().copied().fold(f64::INFINITY, f64::min);
        let ahead = extended.action_values.iter().map(|q| q - least).collect();
        Worth { action_values, ahead }
    }

    /// d = r − (λ/η) c.
    fn priced(&self) -> Vec<f64> {
        let (signals, price) = (self.belief.model().signals(), self.price / self.constants.eta);
        let rewards = signals.reward().iter().map(|&r| self.units.signal(0, r));
        let costs = signals.cost(0).iter().map(|&c| self.units.signal(1, c));
        rewards.zip(costs).map(|(r, c)| r - price * c).collect()
    }

    /// V(s): mean sums of d over windows that begin with a visit to s; 0 if there is none.
    fn values(&self, pairs: &[usize], d: &[f64]) -> Vec<f64> {
        let window = self.constants.window;
        let mut sums = vec![0.0; pairs.len() + 1];
        pairs.iter().enumerate().for_each(|(t, &pair)| sums[t + 1] = sums[t] + d[pair]);
        let (mut total, mut windows) = (vec![0.0; self.task.states()], vec![0_u32; self.task.states()]);
        let mut free_from = vec![0; self.task.states()];
        for t in 0..pairs.len().saturating_sub(window) {
            let state = self.state_of[pairs[t]];
            if t >= free_from[state] {
                total[state] += sums[t + window] - sums[t];
                windows[state] += 1;
                free_from[state] = t + 2 * window;
            }
        }
        total.iter().zip(windows).map(|(sum, n)| if n > 0 { sum / f64::from(n) } else { 0.0 }).collect()
    }

    /// x(s,a).
    fn bonus(&self) -> Vec<f64> {
        let each: Vec<f64> = self.visits.iter().map(|&n| self.constants.iota / (n as f64).sqrt()).collect();
        let mut bonus = each.clone();
        for state in 0..self.task.states() {
            let pairs = self.task.pairs_of(state);
            let shares = &self.policy.probabilities()[pairs.clone()];
            let mean: f64 = shares.iter().zip(&each[pairs.clone()]).map(|(p, x)| p * x).sum();
            bonus[pairs].iter_mut().for_each(|x| *x += mean);
        }
        bonus
    }

    /// π_{k+1} and λ_{k+1}.
    fn improve(&mut self, worth: &Worth, cost: f64) {
        let Constants { theta, floor, price_max, epsilon, .. } = self.constants;
        let mut probabilities = self.policy.probabilities().to_vec();
        for state in 0..self.task.states() {
            let pairs = self.task.pairs_of(state);
            let gains: Vec<f64> =
                pairs.clone().map(|pair| worth.action_values[pair] + worth.ahead[pair]).collect();
            mirror_step(&mut probabilities[pairs], &gains, theta, floor);
        }
        self.policy = Policy::unchecked(probabilities, 1);
        self.price = (self.price + cost + epsilon - self.budget).clamp(0.0, price_max);
    }

    /// Ĵ: the mean cost of the steps after the first window.
    fn observed(&self, now: &Now) -> f64 {
        let later = now.trajectory.get(self.constants.window..).unwrap_or_default();
        let cost = later.iter().map(|&visit| self.units.signal(1, now.counts.realised(1, visit)));
        cost.sum::<f64>() / later.len().max(1) as f64
    }
}

impl Learner for ChenPolicy {
    fn next_epoch(&mut self, now: &Now, _: &mut Rng) -> Result<Epoch> {
        self.belief.means(now.counts)?;
        if !now.trajectory.is_empty() {
            let pairs: Vec<usize> = now.trajectory.iter().map(|visit| visit.pair as usize).collect();
            let worth = self.worth(&pairs);
            self.improve(&worth, self.observed(now));
        }
        self.count(now.counts);
        let prices = self.units.prices_outside(&[self.price / self.constants.eta]);
        let report = PlanReport { feasible: true, classes: 1, prices, settled: true };
        Ok(Epoch::planned((self.policy.clone(), report), Until::steps(self.constants.horizon)))
    }
}

/// The maximum of ⟨p, gains⟩ − KL(p, π)/θ over p ≥ floor: p = max(floor, π exp(θ gain)/z). Entries that fall below the floor are
/// put there and the others are scaled to what is left, until none falls any more.
fn mirror_step(shares: &mut [f64], gains: &[f64], theta: f64, floor: f64) {
    let logs: Vec<f64> = shares.iter().zip(gains).map(|(&p, gain)| ln(p) + theta * gain).collect();
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logs.iter().map(|log| exp(log - most)).collect();
    let mut is_low = vec![false; shares.len()];
    // Of more actions than 1 / floor all are alike.
    let floor = floor.min(1.0 / shares.len() as f64);
    loop {
        let low = is_low.iter().filter(|&&low| low).count() as f64;
        let free: f64 = weights.iter().zip(&is_low).filter(|&(_, &low)| !low).map(|(w, _)| w).sum();
        let scale = (1.0 - low * floor) / free;
        let mut falls = false;
        for (i, share) in shares.iter_mut().enumerate() {
            *share = if is_low[i] { floor } else { weights[i] * scale };
            let falls_now = !is_low[i] && *share < floor;
            is_low[i] |= falls_now;
            falls |= falls_now;
        }
        if !falls {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
