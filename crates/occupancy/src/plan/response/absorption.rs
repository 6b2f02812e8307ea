//! Which component to end in: the shortest-path problem over a model's end components.
//!
//! Every component becomes one node that may stop, earning its own gain for ever, or leave through a pair that leads
//! out of it; every other state is a node of its own. No policy wanders for ever without stopping (a set of nodes in
//! which one could would be an end component), so that
//!
//! ```text
//! v(node) = max { gain(component) ,  max over leaving pairs of Σ P(s′∣s,a) v(node of s′) }
//! ```
//!
//! has one solution, found by policy iteration from any policy (Bertsekas and Tsitsiklis, 1991).

use super::choices::Choices;
use super::components::{EndComponents, TRANSIENT};
use super::policy_iteration::dot;
use crate::arithmetic::extremes::{greater, greatest_size};
use crate::chain::solver::{Solver, Unsolved};
use crate::error::Result;
use crate::model::Row;
use crate::stop::StopFlag;

/// What a node does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// Stay in the component for ever.
    Stop,
    /// Take this pair, after going to its state.
    Leave(u32),
}

/// The nodes, and what each does under the best policy found last.
#[derive(Default)]
pub(crate) struct Absorption {
    /// The node of every state, from 1; node 0 is the end. 0 for states that are not looked at.
    pub node_of: Vec<u32>,
    /// A state of every node, for messages.
    state_of: Vec<u32>,
    /// How many of the nodes are components: nodes 1 to `components`.
    components: usize,
    /// The pairs that leave each node: `leaving[first[n]..first[n + 1]]`.
    first: Vec<usize>,
    leaving: Vec<u32>,
    pub decisions: Vec<Decision>,
    solver: Solver,
    /// The weighted value of every node under the decisions evaluated last.
    value: Vec<f64>,
}

impl Absorption {
    /// Builds the nodes of the states marked in `within`.
    pub fn new(choices: &Choices, parts: &EndComponents, within: &[bool]) -> Absorption {
        let model = choices.model;
        let components = parts.members.len();
        let mut found = Absorption { components, node_of: vec![0; model.states()], ..Absorption::default() };
        found.state_of = std::iter::once(0).chain(parts.members.iter().map(|states| states[0])).collect();
        for state in (0..model.states()).filter(|&state| within[state]) {
            if parts.of[state] == TRANSIENT {
                found.node_of[state] = found.state_of.len() as u32;
                found.state_of.push(state as u32);
            } else {
                found.node_of[state] = parts.of[state] + 1;
            }
        }
        let mut leaving = vec![Vec::new(); found.state_of.len()];
        for state in (0..model.states()).filter(|&state| within[state]) {
            let out = model.pairs_of(state).filter(|&pair| !parts.inside[pair]).map(|pair| pair as u32);
            leaving[found.node_of[state] as usize].extend(out);
        }
        found.first.push(0);
        for pairs in &leaving {
            found.leaving.extend_from_slice(pairs);
            found.first.push(found.leaving.len());
        }
        found.decisions = (0..leaving.len())
            .map(|node| match found.leaving.get(found.first[node]) {
                Some(&pair) if node > components => Decision::Leave(pair),
                _ => Decision::Stop,
            })
            .collect();
        found
    }

    /// Long work ends early when this flag asks for it.
    pub fn stop_by(&mut self, stop: StopFlag) {
        self.solver.stop_by(stop);
    }

    /// Solves to the last digits that rounding leaves.
    pub fn aim_high(&mut self) {
        self.solver.aim_high();
    }

    /// Finds the best decisions for the weighted gains, given the gains of all signals in every component; returns
    /// the most by which a single decision still beats the value of its node (rounding error).
    pub fn solve(&mut self, choices: &Choices, gains: &[Vec<f64>], weights: &[f64]) -> Result<f64> {
        let signals = |node: usize, decision: Decision, rates: &mut [f64]| match decision {
            Decision::Stop => rates.copy_from_slice(&gains[node - 1]),
            Decision::Leave(_) => rates.fill(0.0),
        };
        self.iterate(choices, weights, &signals)
    }

    /// How much more than the values found last any policy can get from a start: the greatest expected total, over all policies,
    /// of what single decisions still add to the value of their node, and of what rounding may hide of that.
    ///
    /// Whatever decisions add telescopes to a difference of values, so that the total is as small as rounding itself even if
    /// some policy wanders for 1e12 decisions; the most that one decision adds, times that number, is not.
    pub fn left_to_gain(
        &mut self,
        choices: &Choices,
        gains: &[Vec<f64>],
        weights: &[f64],
        start: &[(usize, f64)],
    ) -> Result<f64> {
        let (kept, value, node_of) = (self.decisions.clone(), self.value.clone(), self.node_of.clone());
        let adds = |node: usize, decision: Decision, rates: &mut [f64]| {
            let worth = |next: usize| match (next, decision) {
                (0, Decision::Stop) => dot(weights, &gains[node - 1]),
                _ => value[next],
            };
            let moves =
                onward(choices, &node_of, node, decision).map(|(next, p)| p * (worth(next) - value[node]));
            let (sum, size) = moves.fold((0.0, 0.0), |(sum, size), x| (sum + x, size + x.abs()));
            rates.fill(sum + 4.0 * f64::EPSILON * size);
        };
        let found = self.iterate(choices, &[1.0], &adds);
        let left = start.iter().map(|&(state, p)| p * self.value[self.node_of[state] as usize]).sum::<f64>();
        (self.decisions, self.value) = (kept, value);
        found.map(|_| left.max(0.0))
    }

    /// The greatest expected number of decisions before the end, over all policies and nodes.
    pub fn longest(&mut self, choices: &Choices) -> Result<f64> {
        Ok(greatest_size(self.most_decisions(choices)?))
    }

    /// The greatest expected number of decisions before the end, over all policies, by node.
    pub fn most_decisions(&mut self, choices: &Choices) -> Result<Vec<f64>> {
        let kept = self.decisions.clone();
        let node_of = self.node_of.clone();
        // Coming back to the same node at once does not count as another decision.
        let counted = |node: usize, decision: Decision, rates: &mut [f64]| {
            rates.fill(onward(choices, &node_of, node, decision).map(|(_, p)| p).sum());
        };
        self.iterate(choices, &[1.0], &counted)?;
        self.decisions = kept;
        Ok(self.value.clone())
    }

    /// The greatest expected total of what leaving pairs bring before the end, over all policies, by node.
    pub fn most_on_the_way(&mut self, choices: &Choices, brings: impl Fn(usize) -> f64) -> Result<Vec<f64>> {
        let rate = |_: usize, decision: Decision, rates: &mut [f64]| match decision {
            Decision::Stop => rates.fill(0.0),
            Decision::Leave(pair) => rates.fill(brings(pair as usize)),
        };
        self.iterate(choices, &[1.0], &rate)?;
        Ok(self.value.clone())
    }

    /// The value of every node, given the gain of every component.
    pub fn values(&mut self, choices: &Choices, gains: &[f64]) -> Result<Vec<f64>> {
        let gains: Vec<Vec<f64>> = gains.iter().map(|&gain| vec![gain]).collect();
        self.solve(choices, &gains, &[1.0])?;
        Ok(self.value.clone())
    }

    /// How many nodes there are, the end included.
    pub fn nodes(&self) -> usize {
        self.state_of.len()
    }

    /// Policy iteration for the weighted sum of the signals that nodes emit under their decisions.
    fn iterate(
        &mut self,
        choices: &Choices,
        weights: &[f64],
        signals: &impl Fn(usize, Decision, &mut [f64]),
    ) -> Result<f64> {
        let mut before = f64::NEG_INFINITY;
        loop {
            self.evaluate(choices, weights, signals)?;
            let total = self.value.iter().sum::<f64>();
            let size = greatest_size(self.value.iter().copied());
            let kept = self.decisions.clone();
            let (switched, excess) = self.improve(choices, weights, signals, 1e-14 * size);
            if switched == 0 || total <= before {
                self.decisions = kept;
                return Ok(excess);
            }
            before = total;
        }
    }

    fn evaluate(
        &mut self,
        choices: &Choices,
        weights: &[f64],
        signals: &impl Fn(usize, Decision, &mut [f64]),
    ) -> Result<()> {
        let nodes = self.state_of.len();
        let rates: Vec<Vec<f64>> = (0..nodes)
            .map(|node| {
                let mut rates = vec![0.0; weights.len()];
                if node > 0 {
                    signals(node, self.decisions[node], &mut rates);
                }
                rates
            })
            .collect();
        let row = |node: usize| {
            let (stop, leave) = match self.decisions[node] {
                _ if node == 0 => (None, None),
                Decision::Stop => (Some((0, 1.0)), None),
                Decision::Leave(pair) => (None, Some(choices.model.kernel().row(pair as usize))),
            };
            let onward = leave.into_iter().flat_map(Row::iter);
            stop.into_iter().chain(onward.map(|(next, p)| (self.node_of[next] as usize, p)))
        };
        let name = |node: usize| choices.model.names().state(self.state_of[node] as usize);
        let failed = |why: Unsolved| why.error(name);
        let mut values = vec![Vec::new(); weights.len()];
        let mut gains = vec![0.0; weights.len()];
        self.solver.solve((nodes, weights.len()), true, row, |node, k| rates[node][k]).map_err(failed)?;
        self.solver.biases(true, &mut gains, &mut values).map_err(failed)?;
        self.value.clear();
        self.value.resize(nodes, 0.0);
        for (&weight, values) in weights.iter().zip(&values) {
            self.value.iter_mut().zip(values).for_each(|(total, v)| *total += weight * v);
        }
        Ok(())
    }

    /// Switches decisions that beat the value of their node by more than the tolerance; returns how many, and the
    /// most by which any does.
    fn improve(
        &mut self,
        choices: &Choices,
        weights: &[f64],
        signals: &impl Fn(usize, Decision, &mut [f64]),
        tolerance: f64,
    ) -> (usize, f64) {
        let (mut switched, mut excess) = (0, 0.0);
        let mut rates = vec![0.0; weights.len()];
        for node in 1..self.state_of.len() {
            let stop = (node <= self.components).then_some(Decision::Stop);
            let leave = self.leaving[self.first[node]..self.first[node + 1]]
                .iter()
                .map(|&pair| Decision::Leave(pair));
            let mut best = (self.value[node], self.decisions[node]);
            for decision in stop.into_iter().chain(leave) {
                signals(node, decision, &mut rates);
                let value = self.value_of(choices, node, decision, dot(weights, &rates));
                best = if value > best.0 { (value, decision) } else { best };
            }
            excess = greater(excess, best.0 - self.value[node]);
            if best.0 > self.value[node] + tolerance {
                self.decisions[node] = best.1;
                switched += 1;
            }
        }
        (switched, excess)
    }

    /// (rate + Σ P(s′∣s,a) v(node of s′)) / Σ P(s′∣s,a), over the s′ outside the node: the value of taking a decision
    /// until it leads elsewhere. (One that hardly ever does adds next to nothing when it is taken once.)
    fn value_of(&self, choices: &Choices, node: usize, decision: Decision, rate: f64) -> f64 {
        let elsewhere = onward(choices, &self.node_of, node, decision);
        let (sum, exit) =
            elsewhere.fold((0.0, 0.0), |(sum, exit), (next, p)| (sum + p * self.value[next], exit + p));
        (rate + sum) / exit
    }

    /// Chains on which elimination took over from iteration.
    pub fn switched(&self) -> usize {
        self.solver.switched
    }

    /// The probability of stopping in each component, from a start distribution.
    pub fn stopping(&mut self, choices: &Choices, start: &[(usize, f64)]) -> Result<Vec<f64>> {
        let mut visits = vec![0.0; self.state_of.len()];
        start.iter().for_each(|&(state, weight)| visits[self.node_of[state] as usize] += weight);
        let name = |node: usize| choices.model.names().state(self.state_of[node] as usize);
        self.solver.visits(&mut visits).map_err(|why| why.error(name))?;
        let stops = |node: usize| self.decisions[node] == Decision::Stop;
        Ok((1..=self.components).map(|node| if stops(node) { visits[node] } else { 0.0 }).collect())
    }
}

/// The other nodes that a decision leads to, with their probabilities; 0 is the end.
fn onward<'a>(
    choices: &Choices<'a>,
    node_of: &'a [u32],
    node: usize,
    decision: Decision,
) -> impl Iterator<Item = (usize, f64)> + 'a {
    let (stop, leave) = match decision {
        Decision::Stop => (Some((0, 1.0)), None),
        Decision::Leave(pair) => (None, Some(choices.model.kernel().row(pair as usize))),
    };
    let row = leave.into_iter().flat_map(Row::iter).map(|(next, p)| (node_of[next] as usize, p));
    stop.into_iter().chain(row.filter(move |&(next, _)| next != node))
}

#[cfg(test)]
mod tests;
