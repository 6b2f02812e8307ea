//! What one evaluation of a policy foresees of all others.
//!
//! ```text
//! J_k(π) = Σ_s μ_π(s) B_k(s,π(s))          B_k(s,a) = x_k(s,a) + Σ P(s′∣s,a) h_k(s′) − h_k(s)
//! ```
//!
//! for every policy π with law μ_π, whatever the h_k are. With biases h_k and the law μ of a policy nearby in place of
//! μ_π, the constrained problem falls apart into states that only share the budgets:
//!
//! ```text
//! max Σ_s μ(s) B_0(s,π(s))   subject to   Σ_s μ(s) B_i(s,π(s)) ≤ τ_i
//! ```
//!
//! The same search over prices solves it, but a response costs one look at the pairs instead of a factorisation. Its
//! best mixture is exact to second order in the distance from the policy that was evaluated. It is a guess all the same,
//! and what is claimed of a plan does not rest on it.

use super::contenders::Contenders;
use crate::arithmetic::dense::products;
use crate::model::Cmdp;
use crate::plan::mixture::master::{Master, Points};
use crate::plan::mixture::pool::Terms;
use crate::plan::response::column::Column;
use crate::plan::response::evaluation::{Evaluated, HEAD};
use crate::plan::response::region::Chosen;
use crate::plan::tolerance::FORECAST_PROGRESS;

/// Bounds the work on a program that is a guess.
const STEPS: usize = 60;

/// How many policies there is room for at first.
const FIRST_POLICIES: usize = 16;

/// The program of one evaluation, and the policies it was mixed from.
#[derive(Default)]
pub(crate) struct Forecast {
    /// The pairs looked at.
    contenders: Contenders,
    /// B_k(s,a) of the contenders, all of a signal together.
    residuals: Vec<f64>,
    points: Points,
    master: Master,
    /// The policy of every point; there may be more of them, out of use.
    policies: Vec<Chosen>,
    /// Σ ω_k B_k of the contenders at the weights set last.
    weighted: Vec<f64>,
    sums: Vec<f64>,
    /// Where the pairs of the policy looked at last are among the contenders.
    places: Vec<u32>,
    /// Σ ω_k h_k.
    bias: Vec<f64>,
    /// How far the second best action is behind, and the state.
    behind: Vec<(f64, u32)>,
}

impl Forecast {
    /// Starts from the policies of an earlier plan, as far as they fit the model.
    pub fn start_from(&mut self, model: &Cmdp, last: &[(f64, Column)]) {
        let fits = |chosen: &Chosen| {
            chosen.pair.len() == model.states()
                && (0..model.states()).all(|s| model.pairs_of(s).contains(&(chosen.pair[s] as usize)))
        };
        let mut count = 0;
        for (_, column) in last.iter().filter(|(_, column)| fits(&column.chosen)) {
            self.room(model, count).pair.clone_from(&column.chosen.pair);
            count += 1;
        }
        let weights = &mut self.master.mixed.weights;
        weights.clear();
        weights.extend((0..count).map(|k| (k, 1.0)));
    }

    /// Looks at all pairs from now on.
    pub fn look_at_all(&mut self, model: &Cmdp) {
        self.contenders.take_all(model);
    }

    /// The best policy for biases at the prices found last, whatever model they belong to; from now on, looks at pairs
    /// that are not far from it alone. False if there are no prices.
    pub fn at_last_prices(
        &mut self,
        model: &Cmdp,
        terms: &mut Terms,
        biases: &[Vec<f64>],
        policy: &mut Chosen,
    ) -> bool {
        if self.master.mixed.prices.len() != terms.constraints.len() {
            return false;
        }
        terms.weigh(1.0, self.master.mixed.prices.iter().copied());
        let bias = &mut self.bias;
        bias.clear();
        bias.resize(model.states(), 0.0);
        for (weight, all) in terms.weights.iter().zip(biases) {
            bias.iter_mut().zip(all).for_each(|(sum, h)| *sum += weight * h);
        }
        let weighted = &mut self.weighted;
        weighted.resize(model.pairs(), 0.0);
        products(model.kernel().dense().unwrap_or(&[]), None, std::slice::from_ref(bias), weighted);
        for (k, weight) in terms.weights.iter().enumerate() {
            weighted.iter_mut().zip(model.signals().signal(k)).for_each(|(w, x)| *w += weight * x);
        }
        let last = self.master.mixed.weights.iter().map(|&(k, _)| &*self.policies[k].pair);
        self.contenders.take_near(model, weighted, last, &mut policy.pair);
        true
    }

    /// The policies of the best mixture.
    pub fn mixture(&self) -> impl Iterator<Item = &Chosen> {
        self.master.mixed.weights.iter().map(|&(k, _)| &self.policies[k])
    }

    /// The policy that the best mixture takes most of the time.
    pub fn main(&self) -> &Chosen {
        let weights = self.master.mixed.weights.iter();
        let most = weights.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        &self.policies[most.map_or(0, |&(k, _)| k)]
    }

    /// Finds the best mixture that biases and a law foresee, of which neither has to be exact; where the budgets seem
    /// out of reach, the one that comes closest. `None` if the numbers are lost.
    pub fn solve(&mut self, model: &Cmdp, terms: &mut Terms, evaluated: &Evaluated) -> Option<()> {
        self.set_residuals(model, evaluated);
        self.keep_mixture();
        self.master.reset();
        self.points.reset(terms.constraints.len(), STEPS);
        let kept = self.master.mixed.weights.len();
        (0..kept).for_each(|k| self.add_point(k, terms, evaluated));
        if kept == 0 {
            terms.weigh(1.0, std::iter::empty());
            self.respond(model, terms, evaluated);
        }
        for reward in [0.0, 1.0] {
            for _ in 0..STEPS {
                if reward == 0.0 && !terms.constraints.is_empty() {
                    self.master.least_violation(&self.points, 0.0)?
                } else {
                    self.master.best(&self.points, 0.0)?
                }
                let mixed = &self.master.mixed;
                if reward == 0.0 && mixed.value <= 0.0 {
                    break;
                }
                let value = if reward == 0.0 { -mixed.value } else { mixed.value };
                terms.weigh(reward, mixed.prices.iter().copied());
                let reached = self.respond(model, terms, evaluated);
                if reached - value <= FORECAST_PROGRESS * (1.0 + value.abs()) {
                    if reward == 0.0 {
                        return Some(());
                    }
                    break;
                }
            }
        }
        Some(())
    }

    /// The states in which the second best action is the least behind at the weights set last, the closest first.
    pub fn near_ties(&mut self, model: &Cmdp, into: &mut Vec<u32>) {
        self.behind.clear();
        self.behind.extend((0..model.states()).map(|state| {
            let (mut best, mut second) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
            for &w in &self.weighted[self.contenders.of(state)] {
                let lower = if w > best { best } else { w };
                best = if w > best { w } else { best };
                second = if lower > second { lower } else { second };
            }
            (best - second, state as u32)
        }));
        let order = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        let count = HEAD.min(model.states());
        self.behind.select_nth_unstable_by(count - 1, order);
        self.behind.truncate(count);
        self.behind.sort_unstable_by(order);
        into.clear();
        into.extend(self.behind.iter().map(|&(_, state)| state));
    }

    /// h_k ← h_k + B_k(·,π), less its value in the first state: what a sweep under a policy π makes of the biases that
    /// were forecast from.
    pub fn sweep(&self, policy: &Chosen, biases: &mut [Vec<f64>]) {
        let (contenders, count) = (&self.contenders, self.contenders.len());
        for (bias, residuals) in biases.iter_mut().zip(self.residuals.chunks_exact(count)) {
            let of = |pair: u32| residuals[contenders.place(pair) as usize];
            bias.iter_mut().zip(&policy.pair).for_each(|(h, &pair)| *h += of(pair));
            let first = bias[0];
            bias.iter_mut().for_each(|h| *h -= first);
        }
    }

    /// Sets B_k(s,a).
    fn set_residuals(&mut self, model: &Cmdp, evaluated: &Evaluated) {
        let (signals, biases) = (model.signals(), &evaluated.biases);
        let (pairs, count) = (&self.contenders.pairs, self.contenders.len());
        self.residuals.resize(count * signals.count(), 0.0);
        self.weighted.resize(count, 0.0);
        let chosen = Some(pairs.as_slice()).filter(|_| count < model.pairs());
        products(model.kernel().dense().unwrap_or(&[]), chosen, biases, &mut self.residuals);
        for (k, residuals) in self.residuals.chunks_exact_mut(count).enumerate() {
            let (signal, bias) = (signals.signal(k), &biases[k]);
            for (b, (&pair, &state)) in residuals.iter_mut().zip(pairs.iter().zip(&self.contenders.states)) {
                *b = *b + signal[pair as usize] - bias[state as usize];
            }
        }
    }

    /// Moves the policies of the best mixture to the front.
    fn keep_mixture(&mut self) {
        let weights = &mut self.master.mixed.weights;
        weights.sort_unstable_by_key(|&(k, _)| k);
        for (i, (k, _)) in weights.iter_mut().enumerate() {
            self.policies.swap(i, *k);
            *k = i;
        }
    }

    /// The best policy at the weights set last becomes a point; returns how far it is above the budgets, weighted.
    fn respond(&mut self, model: &Cmdp, terms: &Terms, evaluated: &Evaluated) -> f64 {
        let (k, count) = (self.points.len(), self.contenders.len());
        self.room(model, k);
        let (weighted, policy) = (&mut self.weighted, &mut self.policies[k]);
        weighted.clear();
        weighted.extend(self.residuals[..count].iter().map(|b| terms.weights[0] * b));
        for (residuals, weight) in self.residuals.chunks_exact(count).zip(&terms.weights).skip(1) {
            weighted.iter_mut().zip(residuals).for_each(|(w, b)| *w += weight * b);
        }
        self.contenders.best(weighted, &mut policy.pair);
        self.add_point(k, terms, evaluated);
        let budgets = terms.constraints.iter().map(|c| -terms.weights[c.signal] * c.budget);
        self.sums.iter().zip(&terms.weights).map(|(sum, weight)| sum * weight).sum::<f64>()
            + budgets.sum::<f64>()
    }

    /// Σ_s μ(s) B_k(s,π(s)) of a policy, as a point.
    fn add_point(&mut self, policy: usize, terms: &Terms, evaluated: &Evaluated) {
        let (pairs, contenders) = (&self.policies[policy].pair, &self.contenders);
        self.sums.clear();
        // The places serve all signals.
        self.places.clear();
        self.places.extend(pairs.iter().map(|&pair| contenders.place(pair)));
        let residuals = self.residuals.chunks_exact(contenders.len());
        self.sums.extend(residuals.map(|residuals| gather(residuals, &self.places, &evaluated.law)));
        let sums = &self.sums;
        let violations = terms.constraints.iter().map(|c| (sums[c.signal] - c.budget) / c.scale);
        self.points.push(sums[0] / terms.reward_scale, violations);
    }

    /// The policy number `k`; where there are not so many, twice as many are made, so that forecasts of about the same
    /// length do not allocate.
    fn room(&mut self, model: &Cmdp, k: usize) -> &mut Chosen {
        if self.policies.len() <= k {
            let more = (2 * k).max(FIRST_POLICIES);
            let empty = || Chosen { pair: Vec::with_capacity(model.states()), rows: Vec::new() };
            self.policies.resize_with(more, empty);
        }
        &mut self.policies[k]
    }
}

/// Σ_s μ(s) x(π(s)), given the places of the pairs, in four lanes: one sum would wait for itself.
fn gather(x: &[f64], places: &[u32], law: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let ((places, last_places), (law, last_law)) = (places.as_chunks::<4>(), law.as_chunks::<4>());
    for (places, law) in places.iter().zip(law) {
        for lane in 0..4 {
            sums[lane] += law[lane] * x[places[lane] as usize];
        }
    }
    let rest = last_places.iter().zip(last_law).map(|(&place, share)| share * x[place as usize]);
    sums.iter().sum::<f64>() + rest.sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CmdpBuilder;
    use crate::model::Origin;
    use crate::plan::mixture::pool::Pool;
    use crate::plan::response::choices::Choices;
    use crate::plan::response::{Inner, Responder, Scope, Structure};

    /// Four states, two actions, every successor possible; one budget.
    fn model() -> Cmdp {
        let mut builder = CmdpBuilder::new(4, &[0.4]);
        for pair in 0..8 {
            let weight = |next: usize| 1.0 + ((pair * 5 + next * 3) % 7) as f64;
            let total: f64 = (0..4).map(weight).sum();
            let row: Vec<(usize, f64)> = (0..4).map(|next| (next, weight(next) / total)).collect();
            builder.pair(pair / 2, &row, (pair % 3) as f64, &[((pair + 1) % 3) as f64 / 2.0]);
        }
        builder.build().unwrap()
    }

    #[test]
    fn what_is_foreseen_of_the_policy_itself_is_exact() {
        let model = model();
        let choices = Choices { model: &model, radii: None };
        let mut scope = Scope::new(choices, Origin::Anywhere, Structure::default()).unwrap();
        let mut responder = Responder::new(Inner::PolicyIteration);
        let mut pool = Pool::default();
        pool.reset(&model);
        let column = responder.evaluate_first(&mut scope, &[1.0, 0.0], None).unwrap();
        let (mut forecast, evaluated) = (Forecast::default(), &responder.evaluated[0]);
        forecast.look_at_all(&model);
        forecast.set_residuals(&model, evaluated);
        forecast.room(&model, 0).clone_from(&column.chosen);
        forecast.add_point(0, &pool.terms, evaluated);
        for (foreseen, exact) in forecast.sums.iter().zip(&column.gains) {
            assert!((foreseen - exact).abs() < 1e-14, "{foreseen} for {exact}");
        }
        // A sweep under the policy leaves its own biases alone.
        let mut biases = evaluated.biases.clone();
        forecast.sweep(&column.chosen, &mut biases);
        for (swept, exact) in biases.iter().zip(&evaluated.biases) {
            assert!(swept.iter().zip(exact).all(|(x, y)| (x - y - (swept[0] - exact[0])).abs() < 1e-13));
        }
    }
}
