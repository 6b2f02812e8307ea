//! What to do in states that the plan never visits: return to those it does, as cheaply as the prices say.
//!
//! On the visited states the bias h is pinned; on the others it solves
//!
//! ```text
//! h(s) = max_a  w(s,a) − g + Σ P(s′∣s,a) h(s′)          over policies that return with probability 1
//! ```
//!
//! by policy iteration from the policy that returns in the fewest transitions. (The duals of a linear program are of
//! no use here: off the support they only bound the bias, and acting greedily on them can stand still for ever.)
//! States that cannot return for sure act uniformly.

use crate::arithmetic::extremes::greatest_size;
use crate::chain::solver::Solver;
use crate::plan::response::choices::{Choices, Order};
use crate::plan::response::region::{Chosen, NO_WAY, NONE, Region, depths};
use crate::plan::response::sources::Sources;
use crate::plan::tolerance::IMPROVEMENT;

/// What the pinned rule is given: the visited states, w − g of every pair, and the bias on the visited states.
pub(crate) struct Pinned<'a> {
    pub choices: Choices<'a>,
    /// The pairs of the model that lead to each state, if they are at hand.
    pub sources: Option<&'a Sources>,
    pub visited: &'a [bool],
    /// States to find actions for; the others are left alone.
    pub wanted: &'a [bool],
    pub weighted: &'a [f64],
    pub gain: f64,
    pub bias: &'a [f64],
}

/// The states that have to return, all that do, and the pairs that stay among those.
#[derive(Clone, Copy)]
struct Ways<'a> {
    nodes: &'a [usize],
    returning: &'a [bool],
    safe: &'a [bool],
}

impl Pinned<'_> {
    /// A pair for every wanted state that can return for sure; [`NONE`] for all others. Short ways are taken if the solver is stopped.
    pub fn actions(&self, solver: &mut Solver) -> Vec<u32> {
        let states = self.choices.model.states();
        let mut chosen = Chosen::default();
        chosen.reset(states, self.choices.radii.is_some());
        let (returning, safe) = self.returning(&mut chosen);
        let nodes: Vec<usize> = (0..states).filter(|&s| returning[s] && !self.visited[s]).collect();
        if !nodes.is_empty() {
            let shortest = chosen.clone();
            let ways = Ways { nodes: &nodes, returning: &returning, safe: &safe };
            if self.iterate(&ways, solver, &mut chosen).is_none() {
                chosen = shortest;
            }
        }
        // A state that turned out not to return still has the pair of the way that was tried.
        (0..states).for_each(|s| {
            if self.visited[s] || !returning[s] {
                chosen.pair[s] = NONE
            }
        });
        chosen.pair
    }

    /// Whether a state is left that has to return. If pairs mostly stay where they are there may be none: to look for the ways of
    /// nobody took a fiftieth of the instructions of a plan.
    fn is_awaited(&self, returning: &[bool]) -> bool {
        returning.iter().zip(self.visited).any(|(&returning, &visited)| returning && !visited)
    }

    /// The states from which the visited ones can be reached with probability 1, the pairs that stay among them, and a short way
    /// there.
    fn returning(&self, chosen: &mut Chosen) -> (Vec<bool>, Vec<bool>) {
        let states = self.choices.model.states();
        let mut returning: Vec<bool> = (0..states).map(|s| self.visited[s] || self.wanted[s]).collect();
        if self.choices.has_sparse_rows() {
            let safe = self.drop_lost(&mut returning, chosen);
            return (returning, safe);
        }
        loop {
            let safe = self.safe(&returning);
            if self.route(&mut returning, &safe, chosen) {
                return (returning, safe);
            }
        }
    }

    /// Which pairs of states that have to return surely stay among those that return.
    fn safe(&self, returning: &[bool]) -> Vec<bool> {
        let model = self.choices.model;
        let (rows, mut safe) = (model.kernel().all_rows(), vec![false; model.pairs()]);
        let all_return = !returning.contains(&false);
        for state in (0..model.states()).filter(|&state| returning[state] && !self.visited[state]) {
            for pair in model.pairs_of(state) {
                safe[pair] = all_return || self.choices.can_stay(pair, rows, |next| returning[next]);
            }
        }
        safe
    }

    /// A short way by safe pairs for every state from which there is one; whether there is one from all that have to return. The others
    /// do not return.
    fn route(&self, returning: &mut [bool], safe: &[bool], chosen: &mut Chosen) -> bool {
        let states: Vec<u32> = (0..returning.len() as u32).filter(|&s| returning[s as usize]).collect();
        let mut local = vec![0; returning.len()];
        (0u32..).zip(&states).for_each(|(i, &state)| local[state as usize] = i);
        let mut reached: Vec<bool> = states.iter().map(|&s| self.visited[s as usize]).collect();
        self.region(&states, &local, safe).route(&mut reached, chosen);
        states.iter().zip(&reached).for_each(|(&state, &reached)| returning[state as usize] = reached);
        !reached.contains(&false)
    }

    /// [`Pinned::returning`] by searches backwards from the visited states: where few return, as in models whose pairs mostly stay where
    /// they are, a search looks at few, where every way there would look at all. Drops the states that do not return.
    fn drop_lost(&self, returning: &mut [bool], chosen: &mut Chosen) -> Vec<bool> {
        let model = self.choices.model;
        let found;
        let sources = match self.sources {
            Some(sources) => sources,
            None => {
                found = Sources::of(model);
                &found
            }
        };
        let mut safe = self.safe(returning);
        loop {
            let depth = depths(self.visited, |target| {
                let ways = sources.of_state(target as u32).iter();
                ways.filter(|way| safe[way.1 as usize]).map(|way| way.0)
            });
            let lost: Vec<usize> =
                (0..model.states()).filter(|&state| returning[state] && depth[state] == NO_WAY).collect();
            lost.iter().for_each(|&state| returning[state] = false);
            if !self.is_awaited(returning) {
                return safe;
            }
            if lost.is_empty() {
                let all: Vec<u32> = (0..model.states() as u32).collect();
                self.region(&all, &all, &safe).descend(&depth, chosen);
                return safe;
            }
            for state in lost {
                safe[model.pairs_of(state)].fill(false);
                let ways = sources.of_state(state as u32).iter();
                ways.for_each(|&(_, pair)| safe[pair as usize] = false);
            }
        }
    }

    /// Some states with their safe pairs.
    fn region<'b>(&'b self, states: &'b [u32], local: &'b [u32], safe: &'b [bool]) -> Region<'b> {
        Region { choices: self.choices, states, local, inside: safe, sources: self.sources, unichain: false }
    }

    /// Policy iteration on the states that return; `None` if a policy turns out not to.
    fn iterate(&self, ways: &Ways, solver: &mut Solver, chosen: &mut Chosen) -> Option<()> {
        let nodes = ways.nodes;
        let mut node_of = vec![0; ways.returning.len()];
        nodes.iter().enumerate().for_each(|(i, &state)| node_of[state] = i + 1);
        let mut value: Vec<f64> = self.bias.to_vec();
        let mut local = vec![Vec::new()];
        for _ in 0..1000 {
            let row = |node: usize| {
                let state = (node > 0).then(|| nodes[node - 1]);
                let row = state.into_iter().flat_map(|state| chosen.row(&self.choices, state));
                row.map(|(next, p)| (node_of[next], p))
            };
            let signal = |node: usize, _| {
                let Some(&state) = node.checked_sub(1).and_then(|node| nodes.get(node)) else { return 0.0 };
                let mut back = 0.0;
                chosen.successors(&self.choices, state, |next, p| {
                    back += if self.visited[next] { p * self.bias[next] } else { 0.0 };
                });
                self.weighted[chosen.pair[state] as usize] - self.gain + back
            };
            let size = (nodes.len() + 1, 1);
            let solved = if self.choices.has_sparse_rows() {
                let row = |node: usize| {
                    let pair = node.checked_sub(1).map(|i| chosen.pair[nodes[i]] as usize);
                    let row = pair.and_then(|pair| self.choices.model.kernel().sparse_row(pair));
                    let (next, p) = row.unwrap_or((&[], &[]));
                    next.iter().zip(p).map(|(&next, &p)| (node_of[next as usize], p))
                };
                solver.solve(size, true, row, signal)
            } else {
                solver.solve(size, true, row, signal)
            };
            solved.ok()?;
            solver.biases(true, &mut [0.0], &mut local).ok()?;
            nodes.iter().for_each(|&state| value[state] = local[0][node_of[state]]);
            if !self.improve(ways, &value, chosen) {
                return Some(());
            }
        }
        Some(())
    }

    /// Takes better pairs among those that are safe to take; whether there were any.
    fn improve(&self, ways: &Ways, value: &[f64], chosen: &mut Chosen) -> bool {
        let Ways { nodes, returning, safe } = *ways;
        let rows = self.choices.model.kernel().all_rows();
        let (mut scratch, mut order) = (Vec::new(), Order::new());
        if self.choices.radii.is_some() {
            scratch.resize(value.len(), 0.0);
            order.extend((0..value.len() as u32).filter(|&s| returning[s as usize]));
            order.sort_by(|&a, &b| value[b as usize].total_cmp(&value[a as usize]));
        }
        let size = greatest_size(nodes.iter().map(|&s| value[s]).chain([self.gain]));
        let (mut row, mut switched) = (Vec::new(), false);
        for &state in nodes {
            let current = chosen.pair[state] as usize;
            let mut best =
                self.weighted[current] + chosen.dot(&self.choices, state, value) + IMPROVEMENT * size;
            for pair in self.choices.model.pairs_of(state).filter(|&pair| safe[pair]) {
                let onward = if self.choices.is_free(pair) {
                    self.choices.best_row(pair, value, &order, &mut row, &mut scratch)
                } else {
                    rows.row(pair).dot(value)
                };
                if self.weighted[pair] + onward > best {
                    best = self.weighted[pair] + onward;
                    chosen.pair[state] = pair as u32;
                    if self.choices.is_free(pair) {
                        std::mem::swap(&mut chosen.rows[state], &mut row);
                    }
                    switched = true;
                }
            }
        }
        switched
    }
}

#[cfg(test)]
mod tests;
