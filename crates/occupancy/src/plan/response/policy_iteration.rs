//! Average-reward policy iteration on a communicating region (Howard, 1960; Puterman, 1994, section 9.5).
//!
//! ```text
//! evaluate   g + h(s) = w(s,π(s)) + Σ P(s′∣s,π(s)) h(s′)          w = ω₀ r + Σ ω_i c_i
//! improve    π(s) ← argmax_a  w(s,a) + Σ P(s′∣s,a) h(s′)          (only on an improvement above the rounding)
//! ```
//!
//! Reward and all costs are evaluated from one factorisation, so that the same policy can be improved for other
//! weights ω at the price of one product. The improved policy of a policy with one recurrent class may have several;
//! then the gain of the best of them is strictly above g (a class without an improved state was a class before), and
//! all other states are sent there: the gain rises in every such step, and in all others the pair (gain, bias) rises
//! lexicographically, so the iteration is finite. Near-ties could still make it wander in rounding error, which shows
//! as a step in which neither gain nor bias rises: it ends there.
//!
//! max over pairs of w + P h − h(s) bounds the gain of every policy of the region from above, whatever h is: it is
//! returned as the certificate.

use super::choices::Order;
use super::evaluation::{Evaluated, Evaluator};
use super::region::{Chosen, NONE, Region};
use crate::arithmetic::extremes::{greater, greatest_size, largest};
use crate::chain::solver::Solver;
use crate::error::{Error, Result};
use crate::model::Cmdp;
use crate::plan::tolerance::{NEAR_TIE, ROUNDING};

/// How many of the greatest signals a first policy may aim at, where rare links are in the way.
const TARGETS: usize = 16;

/// How a policy is made of the improvements that were found.
#[derive(Clone, Copy)]
enum Attempt {
    /// By all of them, and those that follow from them.
    LookAhead,
    /// By those that are at least this share of the greatest.
    AtLeast(f64),
}

/// What a step of the iteration ends with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    /// No improvement is left: the policy is the best one at these weights.
    pub optimal: bool,
    /// An upper bound on the weighted gain of all policies of the region.
    pub upper: f64,
}

/// Buffers for the regions of a model.
#[derive(Default)]
pub(crate) struct PolicyIteration {
    pub evaluator: Evaluator,
    /// The bias of the weighted signal, by state.
    pub bias: Vec<f64>,
    /// w(s,a) of every pair.
    pub weighted: Vec<f64>,
    /// w(s,a) + Σ P(s′∣s,a) h(s′) of the pairs whose row is not free, from this pair on: of all pairs of a dense model, of those of
    /// one state of others, because a table of all would be a tenth of what a plan of a large model needs.
    pub(super) values: Vec<f64>,
    pub(super) first_value: usize,
    /// The policy before the last improvement and after it, by how much each state gains (by position), and an
    /// evaluation that may be taken.
    previous: Chosen,
    pub(super) improved: Chosen,
    pub(super) improvements: Vec<f64>,
    candidate: Evaluated,
    pub(super) order: Order,
    pub(super) row: Vec<(u32, f64)>,
    pub(super) best_row: Vec<(u32, f64)>,
    pub(super) scratch: Vec<f64>,
}

impl PolicyIteration {
    /// Sets the weights ω of the signals for the steps to come.
    pub fn weigh(&mut self, model: &Cmdp, weights: &[f64]) {
        let signals = model.signals();
        self.weighted.clear();
        self.weighted.extend(signals.signal(0).iter().map(|x| weights[0] * x));
        for (k, &weight) in weights.iter().enumerate().skip(1).filter(|(_, weight)| **weight != 0.0) {
            self.weighted.iter_mut().zip(signals.signal(k)).for_each(|(w, x)| *w += weight * x);
        }
        self.bias.resize(model.states(), 0.0);
    }

    /// One improvement of an evaluated policy, and the evaluation of the new one. A policy that is not better after
    /// all is not taken, and the old one is called optimal: only rounding spoke for the change.
    pub fn step(
        &mut self,
        region: &Region,
        weights: &[f64],
        chosen: &mut Chosen,
        evaluated: &mut Evaluated,
    ) -> Result<Step> {
        if let Some(pair) = &mut evaluated.stays {
            return Ok(self.step_in_lone_state(region, weights, chosen, pair));
        }
        self.set_bias(region, weights, evaluated);
        let before = (dot(weights, &evaluated.gains), self.total_bias(region, evaluated));
        // Gains are accurate to the last digits; biases, and so comparisons of actions, to those of the largest bias.
        let (signal, bias) = self.sizes(region);
        let (in_gain, in_bias) = (ROUNDING * signal, ROUNDING * (signal + bias));
        let error = weighted_error(weights, evaluated);
        self.previous.copy(chosen, region.states);
        let upper = greater(before.0, self.improve(region, chosen, in_bias)) + doubt(signal, bias);
        let most = greatest_size(self.improvements.iter().copied());
        let mut optimal = most == 0.0;
        if !optimal {
            let mut candidate = std::mem::take(&mut self.candidate);
            candidate.reference = evaluated.reference;
            if self.evaluator.is_iterative() {
                // What the last policy comes to is the best guess of what the next one does.
                candidate.gains.clone_from(&evaluated.gains);
                candidate.biases.clone_from(&evaluated.biases);
            }
            // First all states but near-ties, then the most improved one alone: together, a switch that only
            // rounding speaks for can undo the effect of a real one. On large models a look further ahead comes before.
            optimal = true;
            let looks_ahead = !self.evaluator.is_in_table() && region.choices.radii.is_none();
            let attempts = [Attempt::LookAhead, Attempt::AtLeast(NEAR_TIE), Attempt::AtLeast(1.0)];
            for attempt in attempts.into_iter().skip(usize::from(!looks_ahead)) {
                match attempt {
                    Attempt::LookAhead => self.look_ahead(region, chosen, before.0, (in_bias, None)),
                    Attempt::AtLeast(share) => self.adopt_improvements(region, chosen, share * most),
                }
                match self.evaluator.evaluate(region, weights, chosen, &mut candidate) {
                    // A large chain that falls nearly apart: leave it alone; the bound tells what that costs.
                    Err(Error::NotConverged { .. } | Error::Underflow { .. })
                        if self.evaluator.is_iterative() =>
                    {
                        self.evaluator.left_out += 1;
                        continue;
                    }
                    other => other?,
                }
                let gain = dot(weights, &candidate.gains);
                // Gains of large chains are known to intervals: those that overlap are equal.
                let in_gain = in_gain + error + weighted_error(weights, &candidate);
                self.set_bias(region, weights, &candidate);
                let total = self.total_bias(region, &candidate);
                if gain > before.0 + in_gain || (gain >= before.0 - in_gain && total > before.1 + in_bias) {
                    std::mem::swap(evaluated, &mut candidate);
                    optimal = false;
                    break;
                }
            }
            self.candidate = candidate;
        }
        if optimal {
            chosen.copy(&self.previous, region.states);
            self.set_bias(region, weights, evaluated);
        }
        Ok(Step { optimal, upper })
    }

    /// Takes the improved action in the states that gain at least `least` by it, the previous one elsewhere.
    fn adopt_improvements(&mut self, region: &Region, chosen: &mut Chosen, least: f64) {
        for (&state, improvement) in region.states.iter().zip(&self.improvements) {
            let better = *improvement >= least && *improvement > 0.0;
            chosen.copy_state(if better { &self.improved } else { &self.previous }, state as usize);
        }
    }

    /// Steps until the policy is optimal; returns the upper bound.
    pub fn solve(
        &mut self,
        region: &Region,
        weights: &[f64],
        chosen: &mut Chosen,
        evaluated: &mut Evaluated,
    ) -> Result<f64> {
        loop {
            self.evaluator.check_stop()?;
            let step = self.step(region, weights, chosen, evaluated)?;
            if step.optimal {
                return Ok(step.upper);
            }
        }
    }

    /// A first policy: shortest ways to the pair with the greatest signal. Greed alone would leave it to the iteration
    /// to find that pair, one step of the way in each improvement. Pairs that cannot be reached without rare links come
    /// last: with links of 1e-12 on the way biases are so large that the iteration cannot see what it loses there.
    fn aim(&mut self, region: &Region, chosen: &mut Chosen) -> Option<u32> {
        let pairs =
            || region.states.iter().flat_map(|&s| region.pairs(s as usize).map(move |pair| (s, pair)));
        let weighted = &self.weighted;
        let order =
            |a: &(u32, usize), b: &(u32, usize)| weighted[b.1].total_cmp(&weighted[a.1]).then(a.1.cmp(&b.1));
        let mut best = pairs().min_by(order);
        let is_alone = region.states.len() == 1;
        if !is_alone && region.has_rare_links() {
            let mut ranked: Vec<(u32, usize)> = pairs().collect();
            ranked.sort_by(order);
            ranked.truncate(TARGETS);
            best = ranked.into_iter().find(|&(state, _)| region.is_likely_reached(state)).or(best);
        }
        let (state, pair) = best?;
        if !is_alone {
            let mut reached: Vec<bool> = region.states.iter().map(|&s| s == state).collect();
            region.route(&mut reached, chosen);
        }
        chosen.pair[state as usize] = pair as u32;
        Some(pair as u32)
    }

    /// Gives states without a usable pair the one with the greatest immediate signal, and free pairs without a row
    /// the best one for the bias at hand. Where no state had a pair, returns the one that all others lead to.
    pub fn complete(&mut self, region: &Region, chosen: &mut Chosen) -> Option<u32> {
        self.sort_states(region);
        let choices = region.choices;
        let is_new = region.states.iter().all(|&state| chosen.pair[state as usize] == NONE);
        let aim = if is_new { self.aim(region, chosen) } else { None };
        for &state in region.states {
            let state = state as usize;
            let current = chosen.pair[state];
            let usable = choices.model.pairs_of(state).contains(&(current as usize))
                && region.inside[current as usize];
            if !usable {
                let weighted = &self.weighted;
                let best =
                    region.pairs(state).max_by(|&a, &b| weighted[a].total_cmp(&weighted[b]).then(b.cmp(&a)));
                chosen.pair[state] = best.map_or(NONE, |pair| pair as u32);
            }
            let pair = chosen.pair[state] as usize;
            if choices.is_free(pair) && (!usable || chosen.rows[state].is_empty()) {
                choices.best_row(pair, &self.bias, &self.order, &mut chosen.rows[state], &mut self.scratch);
            }
        }
        aim
    }

    /// h(s) of the weighted signal. Biases without weight are left out: with links of 1e-300 they may be infinite.
    pub fn set_bias(&mut self, region: &Region, weights: &[f64], evaluated: &Evaluated) {
        region.states.iter().for_each(|&state| self.bias[state as usize] = 0.0);
        let is_whole = region.states.len() == self.bias.len();
        let mut add = |weight: f64, bias: &[f64]| {
            if weight != 0.0 && is_whole {
                // Without looking up where each state is.
                self.bias.iter_mut().zip(bias).for_each(|(sum, h)| *sum += weight * h);
            } else if weight != 0.0 {
                let all = region.states.iter().zip(bias);
                all.for_each(|(&state, h)| self.bias[state as usize] += weight * h);
            }
        };
        if let (Some((_, bias)), Some(factor)) = (&evaluated.sum, evaluated.units_of_sum(weights)) {
            return add(factor, bias);
        }
        let known: &[f64] = match &evaluated.sum {
            Some((weights, bias)) => {
                add(1.0, bias);
                weights
            }
            None => &[],
        };
        for (k, (weight, bias)) in weights.iter().zip(&evaluated.biases).enumerate() {
            add(weight - known.get(k).unwrap_or(&0.0), bias);
        }
    }

    /// Σ_s h(s) with h scaled to mean 0 under the stationary law, which does not depend on the reference; without the
    /// law, to 0 in the reference, which stays the same as long as it is recurrent.
    fn total_bias(&self, region: &Region, evaluated: &Evaluated) -> f64 {
        let bias = region.states.iter().map(|&s| self.bias[s as usize]);
        let mean: f64 = if evaluated.law.is_empty() {
            self.bias[evaluated.reference as usize]
        } else {
            bias.clone().zip(&evaluated.law).map(|(h, share)| h * share).sum()
        };
        bias.sum::<f64>() - mean * region.states.len() as f64
    }

    /// The largest weighted signal and the largest bias.
    pub fn sizes(&self, region: &Region) -> (f64, f64) {
        if region.unichain {
            // All pairs of all states may be taken.
            return (largest(&self.weighted), largest(&self.bias));
        }
        let larger = |size: f64, x: f64| if x.abs() > size { x.abs() } else { size };
        let (mut signal, mut bias) = (0.0, 0.0);
        for &state in region.states {
            bias = larger(bias, self.bias[state as usize]);
            let pairs = region.choices.model.pairs_of(state as usize);
            for (&w, &inside) in self.weighted[pairs.clone()].iter().zip(&region.inside[pairs]) {
                signal = if inside { larger(signal, w) } else { signal };
            }
        }
        (signal, bias)
    }

    /// Finds better actions and by how much they are better, more than the tolerance; returns the bound
    /// max w + P h − h(s).
    pub(super) fn improve(&mut self, region: &Region, chosen: &mut Chosen, tolerance: f64) -> f64 {
        if region.choices.has_sparse_rows() && Solver::is_large(region.states.len(), 0) {
            return self.improve_in_shares(region, chosen, tolerance);
        }
        self.sort_states(region);
        self.set_dense_values(region);
        self.improvements.clear();
        let mut upper = f64::NEG_INFINITY;
        for &state in region.states {
            let state = state as usize;
            let current = chosen.pair[state] as usize;
            self.set_values_of(region, state);
            let value = self.value(region, chosen, state);
            let best = self.best_action(region, state, (value, current));
            upper = greater(upper, residual(best.0, self.bias[state]));
            let better = best.0 > value + tolerance;
            self.improvements.push(if better { best.0 - value } else { 0.0 });
            if better {
                self.take(region, chosen, state, best.1);
            }
        }
        self.improved.copy(chosen, region.states);
        upper
    }

    /// Takes the best action everywhere and writes the residuals max_a [w + P h] − h(s), by position.
    pub fn greedy(&mut self, region: &Region, chosen: &mut Chosen, residuals: &mut [f64]) {
        self.sort_states(region);
        self.set_dense_values(region);
        for (&state, written) in region.states.iter().zip(residuals) {
            let state = state as usize;
            let current = chosen.pair[state] as usize;
            self.set_values_of(region, state);
            let value = self.value(region, chosen, state);
            let best = self.best_action(region, state, (value, current));
            *written = residual(best.0, self.bias[state]);
            if best.0 > value {
                self.take(region, chosen, state, best.1);
            }
        }
    }

    fn take(&mut self, region: &Region, chosen: &mut Chosen, state: usize, pair: usize) {
        chosen.pair[state] = pair as u32;
        if region.choices.is_free(pair) {
            std::mem::swap(&mut chosen.rows[state], &mut self.best_row);
        }
    }

    /// Gives memory back that only steps need; bias and weighted signal stay.
    pub fn shrink(&mut self) {
        self.evaluator.shrink();
        (self.previous, self.improved) = (Chosen::default(), Chosen::default());
        (self.improvements, self.candidate) = (Vec::new(), Evaluated::default());
    }

    /// Sorts the states by descending bias, for the knapsack of free rows.
    fn sort_states(&mut self, region: &Region) {
        if region.choices.radii.is_some() {
            self.scratch.resize(region.choices.model.states(), 0.0);
            self.order.clear();
            self.order.extend_from_slice(region.states);
            let bias = &self.bias;
            self.order.sort_by(|&a, &b| bias[b as usize].total_cmp(&bias[a as usize]).then(a.cmp(&b)));
        }
    }
}

/// max_a [w + P h] − h(s); without bound where numbers are lost, so that nothing is certified by them.
pub(super) fn residual(best: f64, bias: f64) -> f64 {
    let above = best - bias;
    if above.is_finite() { above } else { f64::INFINITY }
}

/// Biases so much larger than the signals that their last bits outweigh these make a bound as uncertain.
pub(crate) fn doubt(signal: f64, bias: f64) -> f64 {
    if bias > 1e9 * signal { 4.0 * f64::EPSILON * bias } else { 0.0 }
}

/// How far the weighted gain of an evaluated policy may be off.
fn weighted_error(weights: &[f64], evaluated: &Evaluated) -> f64 {
    weights.iter().zip(&evaluated.errors).map(|(weight, error)| (weight * error).abs()).sum()
}

/// Σ x y.
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests;
