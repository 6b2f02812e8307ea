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
use super::region::{Chosen, NONE, Region};
use crate::error::{Error, Result};
use crate::model::Cmdp;
use crate::model::elimination::Elimination;
use crate::model::graph::{Graph, strong_components};

/// Below this share of the most visited state's mass, a reference state is replaced by that state.
const RARE_REFERENCE: f64 = 1e-3;

/// Buffers and the results of the last evaluation.
#[derive(Default)]
pub(crate) struct PolicyIteration {
    elimination: Elimination,
    graph: Graph,
    /// J of every signal under the policy evaluated last.
    pub gains: Vec<f64>,
    /// Its stationary law, by position in the region.
    pub law: Vec<f64>,
    /// The bias of every signal, by position in the elimination.
    biases: Vec<Vec<f64>>,
    /// The bias of the weighted signal, by state.
    pub bias: Vec<f64>,
    /// w(s,a) of every pair.
    pub weighted: Vec<f64>,
    /// The state that the elimination ends at, by component of the last evaluation.
    reference: u32,
    /// The policy before the last improvement.
    previous: Chosen,
    order: Order,
    row: Vec<(u32, f64)>,
    best_row: Vec<(u32, f64)>,
    scratch: Vec<f64>,
}

impl PolicyIteration {
    /// Sets the weights ω of the signals for the iterations to come.
    pub fn weigh(&mut self, model: &Cmdp, weights: &[f64]) {
        let signals = model.signals();
        self.weighted.clear();
        self.weighted.extend(signals.signal(0).iter().map(|x| weights[0] * x));
        for (k, &weight) in weights.iter().enumerate().skip(1).filter(|(_, weight)| **weight != 0.0) {
            self.weighted.iter_mut().zip(signals.signal(k)).for_each(|(w, x)| *w += weight * x);
        }
        self.bias.resize(model.states(), 0.0);
        self.scratch.resize(model.states(), 0.0);
    }

    /// The best policy of the region for the weights set by [`PolicyIteration::weigh`], starting from `chosen`; its
    /// gains and law are left in `self`. Returns an upper bound on the weighted gain of all policies.
    pub fn solve(&mut self, region: &Region, weights: &[f64], chosen: &mut Chosen) -> Result<f64> {
        self.complete(region, chosen);
        let (mut best, mut best_total, mut upper) = (f64::NEG_INFINITY, f64::NEG_INFINITY, f64::INFINITY);
        loop {
            self.evaluate(region, weights, chosen)?;
            let (gain, total) = (dot(weights, &self.gains), self.total_bias(region));
            let rounding = 1e-14 * self.size(region);
            let rises = gain > best + rounding || (gain >= best - rounding && total > best_total + rounding);
            if !rises {
                std::mem::swap(chosen, &mut self.previous);
                self.evaluate(region, weights, chosen)?;
                return Ok(upper.max(dot(weights, &self.gains)));
            }
            self.previous.clone_from(chosen);
            let (switched, bound) = self.improve(region, chosen);
            upper = upper.min(bound);
            if switched == 0 {
                return Ok(upper.max(gain));
            }
            best_total = if gain > best + rounding { total } else { total.max(best_total) };
            best = best.max(gain);
        }
    }

    /// Gives states without a usable pair the one with the greatest immediate signal, and free pairs without a row
    /// the best one for the bias at hand.
    pub fn complete(&mut self, region: &Region, chosen: &mut Chosen) {
        self.sort_states(region);
        let choices = region.choices;
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
    }

    /// Evaluates every signal under the policy, after making it one of a single recurrent class if it is not.
    pub fn evaluate(&mut self, region: &Region, weights: &[f64], chosen: &mut Chosen) -> Result<()> {
        self.make_unichain(region, weights, chosen)?;
        self.factor(region, region.states, chosen)?;
        let most = (0..self.law.len()).max_by(|&a, &b| self.law[a].total_cmp(&self.law[b]).then(b.cmp(&a)));
        let reference = region.local[self.reference as usize] as usize;
        if let Some(most) = most.filter(|&most| self.law[reference] < RARE_REFERENCE * self.law[most]) {
            self.reference = region.states[most];
            self.factor(region, region.states, chosen)?;
        }
        let signals = self.gains.len();
        self.biases.resize_with(signals, Vec::new);
        for (k, bias) in self.biases.iter_mut().enumerate() {
            bias.clear();
            bias.resize(region.states.len(), 0.0);
            if weights[k] != 0.0 {
                self.elimination.bias(k, self.gains[k], bias);
            }
        }
        let swap = region.local[self.reference as usize] as usize;
        for (position, &state) in region.states.iter().enumerate() {
            let node = exchange(position, swap);
            let weighted = weights.iter().zip(&self.biases).map(|(weight, bias)| weight * bias[node]);
            self.bias[state as usize] = weighted.sum();
        }
        Ok(())
    }

    /// Factors the chain of the policy on `states` (a closed set), with the reference first; sets gains and law.
    fn factor(&mut self, region: &Region, states: &[u32], chosen: &Chosen) -> Result<()> {
        let model = region.choices.model;
        let signals = model.signals().count();
        let place = |state: usize| match states.len() == region.states.len() {
            true => region.local[state] as usize,
            false => states.binary_search(&(state as u32)).unwrap_or(0),
        };
        let swap = place(self.reference as usize);
        self.elimination.reset(states.len(), signals);
        for (position, &state) in states.iter().enumerate() {
            let (rates, row) = self.elimination.row_mut(exchange(position, swap));
            let pair = chosen.pair[state as usize] as usize;
            rates.iter_mut().enumerate().for_each(|(k, rate)| *rate = model.signals().signal(k)[pair]);
            chosen
                .successors(&region.choices, state as usize, |next, p| row[exchange(place(next), swap)] += p);
        }
        self.elimination.reduce().map_err(|stuck| {
            let state = states[exchange(stuck.0, swap)] as usize;
            Error::Underflow { state: model.names().state(state) }
        })?;
        self.gains.resize(signals, 0.0);
        self.elimination.gains(&mut self.gains);
        self.law.resize(states.len(), 0.0);
        self.elimination.stationary(&mut self.law);
        self.law.swap(0, swap);
        Ok(())
    }

    /// Where the policy has several recurrent classes, keeps the best and sends all other states there.
    fn make_unichain(&mut self, region: &Region, weights: &[f64], chosen: &mut Chosen) -> Result<()> {
        if region.unichain || region.states.len() == 1 {
            self.reference = region.states[if region.states.contains(&self.reference) {
                region.local[self.reference as usize] as usize
            } else {
                0
            }];
            return Ok(());
        }
        let local = region.local;
        self.graph.clear();
        for &state in region.states {
            let graph = &mut self.graph;
            chosen.successors(&region.choices, state as usize, |next, _| graph.to.push(local[next]));
            self.graph.end_node();
        }
        let parts = strong_components(&self.graph);
        let closed = parts.closed(&self.graph);
        let members = |part: usize| -> Vec<u32> {
            region
                .states
                .iter()
                .copied()
                .filter(|&s| parts.of[local[s as usize] as usize] == part as u32)
                .collect()
        };
        let mut classes: Vec<usize> = (0..parts.count).filter(|&part| closed[part]).collect();
        let mut best = (f64::NEG_INFINITY, classes[0]);
        if classes.len() > 1 {
            for class in classes.drain(..) {
                let states = members(class);
                self.reference = states[0];
                self.factor(region, &states, chosen)?;
                let gain = dot(weights, &self.gains);
                best = if gain > best.0 { (gain, class) } else { best };
            }
            let mut reached = only_reaching(&self.graph, &parts.of, &closed, best.1);
            region.route(&mut reached, chosen);
        }
        let states = members(best.1);
        if states.binary_search(&self.reference).is_err() {
            self.reference = states[0];
        }
        Ok(())
    }

    /// Σ_s h(s) with h scaled to mean 0 under the stationary law, which does not depend on the reference.
    fn total_bias(&self, region: &Region) -> f64 {
        let bias = region.states.iter().map(|&s| self.bias[s as usize]);
        let mean: f64 = bias.clone().zip(&self.law).map(|(h, share)| h * share).sum();
        bias.sum::<f64>() - mean * region.states.len() as f64
    }

    /// The size of what is added up in a comparison of two actions.
    fn size(&self, region: &Region) -> f64 {
        let bias = region.states.iter().map(|&s| self.bias[s as usize].abs()).fold(0.0, f64::max);
        let weighted = region
            .states
            .iter()
            .flat_map(|&s| region.pairs(s as usize))
            .map(|pair| self.weighted[pair].abs());
        bias + weighted.fold(0.0, f64::max)
    }

    /// Switches to better actions; returns how many states switched and the bound max w + P h − h(s).
    fn improve(&mut self, region: &Region, chosen: &mut Chosen) -> (usize, f64) {
        let tolerance = 1e-14 * self.size(region);
        self.sort_states(region);
        let (mut switched, mut upper) = (0, f64::NEG_INFINITY);
        for &state in region.states {
            let state = state as usize;
            let current = chosen.pair[state] as usize;
            let value = self.weighted[current] + chosen.dot(&region.choices, state, &self.bias);
            let best = self.best_action(region, state, (value, current));
            upper = upper.max(best.0 - self.bias[state]);
            if best.0 > value + tolerance {
                switched += 1;
                self.take(region, chosen, state, best.1);
            }
        }
        (switched, upper)
    }

    /// Takes the best action everywhere and writes the residuals max_a [w + P h] − h(s), by position.
    pub fn greedy(&mut self, region: &Region, chosen: &mut Chosen, residual: &mut [f64]) {
        self.sort_states(region);
        for (&state, residual) in region.states.iter().zip(residual) {
            let state = state as usize;
            let current = chosen.pair[state] as usize;
            let value = self.weighted[current] + chosen.dot(&region.choices, state, &self.bias);
            let best = self.best_action(region, state, (value, current));
            *residual = best.0 - self.bias[state];
            if best.0 > value {
                self.take(region, chosen, state, best.1);
            }
        }
    }

    /// The best (value, pair) of a state, `current` among ties; a free pair's row is left in `best_row`.
    fn best_action(&mut self, region: &Region, state: usize, current: (f64, usize)) -> (f64, usize) {
        let choices = region.choices;
        let mut best = current;
        for pair in region.pairs(state) {
            let onward = if choices.is_free(pair) {
                choices.best_row(pair, &self.bias, &self.order, &mut self.row, &mut self.scratch)
            } else if pair == current.1 {
                continue;
            } else {
                choices.model.kernel().row(pair).dot(&self.bias)
            };
            if self.weighted[pair] + onward > best.0 {
                best = (self.weighted[pair] + onward, pair);
                std::mem::swap(&mut self.row, &mut self.best_row);
            }
        }
        best
    }

    fn take(&mut self, region: &Region, chosen: &mut Chosen, state: usize, pair: usize) {
        chosen.pair[state] = pair as u32;
        if region.choices.is_free(pair) {
            std::mem::swap(&mut chosen.rows[state], &mut self.best_row);
        }
    }

    /// Sorts the states by descending bias, for the knapsack of free rows.
    fn sort_states(&mut self, region: &Region) {
        if region.choices.radii.is_some() {
            self.order.clear();
            self.order.extend_from_slice(region.states);
            let bias = &self.bias;
            self.order.sort_by(|&a, &b| bias[b as usize].total_cmp(&bias[a as usize]).then(a.cmp(&b)));
        }
    }
}

/// Which nodes can reach no other closed part than `class`.
fn only_reaching(graph: &Graph, part_of: &[u32], closed: &[bool], class: usize) -> Vec<bool> {
    // Parts are numbered so that edges lead to lower numbers: one pass in ascending order sees successors first.
    let mut good: Vec<bool> = (0..closed.len()).map(|part| !closed[part] || part == class).collect();
    let mut nodes: Vec<usize> = (0..graph.nodes()).collect();
    nodes.sort_by_key(|&node| part_of[node]);
    for node in nodes {
        if graph.successors(node).iter().any(|&next| !good[part_of[next as usize] as usize]) {
            good[part_of[node] as usize] = false;
        }
    }
    part_of.iter().map(|&part| good[part as usize]).collect()
}

/// The transposition of 0 and `swap`.
fn exchange(position: usize, swap: usize) -> usize {
    if position == swap {
        0
    } else if position == 0 {
        swap
    } else {
        position
    }
}

/// Σ x y.
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}
