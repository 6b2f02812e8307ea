//! Makes superharmonic pairs (g, h) out of approximate ones.
//!
//! ```text
//! g ≥ P g   and   g + h ≥ x + P h   on every row, in arithmetic that rounds outward
//! ```
//!
//! States that can be kept for ever without leaving each other share a *node*, and with it the very same g: on rows that
//! stay in their node the first inequality then holds exactly, and g = max of x + P h − h makes the second hold. A row that
//! leaves its node cannot be mended by raising g where it starts, for that violation would grow with time. There a
//! function u helps that is the same within a node and falls strictly along every row that leaves one: g + δ u and
//! h + M u, for small δ and M, leave the rows that stay as they are.

use crate::arithmetic::extremes::{greater, greatest, least};
use crate::arithmetic::{Interval, two_sum};
use crate::model::Cmdp;
use crate::threads::{at_once, shares};
use crate::verify::{Bias, Harmonic, Rows, brings, drift, mean};

/// The node of states that do not matter, because the long run never comes there.
pub(super) const NOWHERE: u32 = u32::MAX;

/// How often g and h are raised before the attempt is given up.
const ATTEMPTS: usize = 8;

/// By how much more than needed g and h are raised.
const MORE: f64 = 1.0 + 1e-6;

/// By how much more at each further attempt: what is added may be lost in the last places of g and h.
const AGAIN: f64 = 4.0;

/// A draft with fewer nodes is looked at by several threads.
const FEW_NODES: usize = 1000;

/// A row as pairs with their weights.
type Mixed = [(usize, f64)];

/// What a pair is made for.
pub(super) struct Draft<'a> {
    pub model: &'a Cmdp,
    pub rows: Rows<'a>,
    /// x of every pair.
    pub signal: &'a (dyn Fn(usize) -> Interval + Sync),
    /// The node of every state, or [`NOWHERE`].
    pub node: &'a [u32],
    /// Whether a row of a state, known by its first pair, stays in the node.
    pub stays: &'a (dyn Fn(usize, usize) -> bool + Sync),
    /// u of every node, which g is raised by; empty if no row leaves its node.
    pub falls: &'a [f64],
    /// The same for h, by state. It may be larger, as h proves nothing by itself, and falls along all rows that do not stay.
    pub falls_of_bias: &'a [f64],
}

/// Numbers of nodes as numbers of states; 0 where a state has no node.
pub(super) fn of_states(node: &[u32], of_nodes: &[f64]) -> Vec<f64> {
    node.iter().map(|&node| of_nodes.get(node as usize).copied().unwrap_or(0.0)).collect()
}

impl Draft<'_> {
    /// A superharmonic pair near the bias `h`. `values` gives every node its value, given the greatest x + P h − h of the
    /// rows that stay in each (−∞ if there are none). If rounding defeats it, the pair is a trivial one, and so it is if that bounds
    /// more: biases of 1e22, of classes that are hardly ever left, have bounds of 1e6.
    pub fn above(&self, nodes: usize, bias: Bias, values: impl FnMut(&[f64]) -> Vec<f64>) -> Harmonic {
        let most = self.greatest_signal();
        let found = self.lifted(nodes, bias, values);
        found
            .filter(|pair| least(pair.gain.iter().copied()) < most)
            .unwrap_or_else(|| Harmonic::constant(most, self.model.states()))
    }

    /// The same, or nothing if rounding defeats it.
    pub fn lifted(
        &self,
        nodes: usize,
        first: Bias,
        mut values: impl FnMut(&[f64]) -> Vec<f64>,
    ) -> Option<Harmonic> {
        let mut found =
            Harmonic { gain: Vec::new(), bias: first.high.to_vec(), bias_low: first.low.to_vec() };
        let mut by = 0.0;
        for _ in 0..ATTEMPTS {
            let gains = self.node_gains(nodes, found.bias());
            let mut value = values(&gains);
            value.iter_mut().zip(&gains).for_each(|(value, &gain)| *value = greater(*value, gain));
            if self.falls.is_empty() {
                return self.complete(&value, found);
            }
            let value = self.raised(value)?;
            let lacking = self.most_lacking(self.falls_of_bias, &|state, row| {
                self.brings(state, row, found.bias()) - value[self.node[state] as usize]
            })?;
            if lacking <= 0.0 {
                return self.complete(&value, found);
            }
            by = AGAIN * by + MORE * lacking;
            for state in (0..first.high.len()).filter(|&state| self.node[state] != NOWHERE) {
                let (high, lost) = two_sum(first.high[state], by * self.falls_of_bias[state]);
                found.bias[state] = high;
                if let (Some(low), Some(first)) = (found.bias_low.get_mut(state), first.low.get(state)) {
                    *low = first + lost;
                }
            }
        }
        None
    }

    /// The most that x + P h − h of a row may be.
    fn brings(&self, state: usize, row: &Mixed, bias: Bias) -> f64 {
        brings(self.model, (state, row), self.signal, bias).high
    }

    /// max of x + P h − h over the rows that stay in each node.
    pub fn node_gains(&self, nodes: usize, bias: Bias) -> Vec<f64> {
        let states = self.model.states();
        // Every thread has numbers of all nodes.
        let shares = if nodes < FEW_NODES { shares(states) } else { std::iter::once(0..states).collect() };
        let of_shares = at_once(shares, |states| {
            let mut gains = vec![f64::NEG_INFINITY; nodes];
            for state in states.filter(|&state| self.node[state] != NOWHERE) {
                self.rows.each(self.model, state, |row| {
                    if (self.stays)(state, row[0].0) {
                        let gain = &mut gains[self.node[state] as usize];
                        *gain = greater(*gain, self.brings(state, row, bias));
                    }
                });
            }
            gains
        });
        let both = |x: Vec<f64>, y: Vec<f64>| x.into_iter().zip(y).map(|(x, y)| greater(x, y)).collect();
        of_shares.into_iter().reduce(both).unwrap_or_default()
    }

    /// g = value + δ u, with the least δ that makes g fall along all rows that leave.
    fn raised(&self, value: Vec<f64>) -> Option<Vec<f64>> {
        let mut raised = value.clone();
        let mut by = 0.0;
        for _ in 0..ATTEMPTS {
            let gain = of_states(self.node, &raised);
            let over =
                |state: usize, row: &Mixed| mean(row, |pair| drift(self.model, pair, state, &gain)).high;
            let lacking = self.most_lacking(&of_states(self.node, self.falls), &over)?;
            if lacking <= 0.0 {
                return Some(raised);
            }
            by = AGAIN * by + MORE * lacking;
            let all = raised.iter_mut().zip(&value).zip(self.falls);
            all.for_each(|((raised, value), fall)| *raised = value + by * fall);
        }
        None
    }

    /// The greatest multiple of a function of states that some row that leaves lacks to have `excess` ≤ 0; `None` if it does not fall.
    fn most_lacking(&self, falls: &[f64], excess: &dyn Fn(usize, &Mixed) -> f64) -> Option<f64> {
        let (mut most, mut lost) = (0.0, false);
        self.each(&mut |state, row| {
            if (self.stays)(state, row[0].0) {
                return;
            }
            let over = excess(state, row);
            if over <= 0.0 {
                return;
            }
            let fall = -mean(row, |pair| drift(self.model, pair, state, falls)).high;
            lost |= !(fall > 0.0 && over.is_finite());
            most = greater(most, over / fall);
        });
        Some(most).filter(|most| !lost && most.is_finite())
    }

    /// The pair with the states that do not matter: there g is the greatest signal or value, and h the greatest bias.
    fn complete(&self, value: &[f64], mut found: Harmonic) -> Option<Harmonic> {
        let matter = || (0..self.node.len()).filter(|&state| self.node[state] != NOWHERE);
        let mut gain = of_states(self.node, value);
        if self.node.contains(&NOWHERE) {
            let nowhere: Vec<usize> = (0..self.node.len()).filter(|&s| self.node[s] == NOWHERE).collect();
            let highest = greatest(matter().map(|state| found.bias[state]));
            for &state in &nowhere {
                found.bias[state] = highest;
                found.bias_low.get_mut(state).into_iter().for_each(|low| *low = 0.0);
            }
            // The signal and a drift that is not positive: summed as the check does, since its sum is rounded up.
            let mut most = greatest(matter().map(|state| gain[state]));
            for &state in &nowhere {
                self.rows.each(self.model, state, |row| {
                    most = greater(most, self.brings(state, row, found.bias()));
                });
            }
            nowhere.iter().for_each(|&state| gain[state] = most);
        }
        let known = gain.iter().chain(&found.bias).chain(&found.bias_low).all(|x| x.is_finite());
        known.then_some(Harmonic { gain, ..found })
    }

    fn greatest_signal(&self) -> f64 {
        let mut most = f64::NEG_INFINITY;
        for state in 0..self.model.states() {
            self.rows.each(self.model, state, |row| most = greater(most, mean(row, self.signal).high));
        }
        most
    }

    /// Calls `visit` with every row of every state that matters.
    fn each(&self, visit: &mut dyn FnMut(usize, &Mixed)) {
        for state in (0..self.model.states()).filter(|&state| self.node[state] != NOWHERE) {
            self.rows.each(self.model, state, |row| visit(state, row));
        }
    }
}
