//! Evaluates a deterministic policy on a communicating region: gains and biases of all signals at once.
//!
//! A policy may have several recurrent classes; the best of them at the weights given is kept, and all other states
//! are sent there, which makes the gain the same everywhere.

use super::policy_iteration::dot;
use super::region::{Chosen, Region};
use crate::error::Result;
use crate::model::Row;
use crate::model::graph::{Graph, strong_components};
use crate::model::solver::Solver;

/// Below this share of the most visited state's mass, a reference state is replaced by that state.
const RARE_REFERENCE: f64 = 1e-3;

/// What an evaluation of a policy on a region finds, by position in the region.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evaluated {
    /// J of every signal.
    pub gains: Vec<f64>,
    /// How far each of them may be off.
    pub errors: Vec<f64>,
    /// The stationary law; empty where it has to be asked for by [`Evaluator::law`].
    pub law: Vec<f64>,
    /// The bias of every signal.
    pub biases: Vec<Vec<f64>>,
    /// The recurrent state whose bias is 0.
    pub reference: u32,
}

/// Evaluates policies; keeps buffers.
#[derive(Default)]
pub(crate) struct Evaluator {
    solver: Solver,
    graph: Graph,
    /// Policies that were left out of the search because no method evaluates them.
    pub left_out: usize,
}

impl Evaluator {
    /// Counts failures from now on, and tries iteration again.
    pub fn forget_failures(&mut self) {
        self.solver.forget_failures();
        self.left_out = 0;
    }

    /// Chains on which elimination took over from iteration.
    pub fn switched(&self) -> usize {
        self.solver.switched
    }

    /// Whether the last chain was solved by iteration.
    pub fn is_iterative(&self) -> bool {
        self.solver.is_iterative()
    }

    /// Evaluates every signal under the policy, after making it one of a single recurrent class if it is not.
    pub fn evaluate(
        &mut self,
        region: &Region,
        weights: &[f64],
        chosen: &mut Chosen,
        found: &mut Evaluated,
    ) -> Result<()> {
        self.make_unichain(region, weights, chosen, found)?;
        self.factor(region, region.states, chosen, found)?;
        let most =
            (0..found.law.len()).max_by(|&a, &b| found.law[a].total_cmp(&found.law[b]).then(b.cmp(&a)));
        let reference = region.local[found.reference as usize] as usize;
        if let Some(most) = most.filter(|&most| found.law[reference] < RARE_REFERENCE * found.law[most]) {
            found.reference = region.states[most];
            self.factor(region, region.states, chosen, found)?;
        }
        let swap = region.local[found.reference as usize] as usize;
        let by_iteration = self.solver.is_iterative();
        let Evaluated { gains, biases, errors, .. } = found;
        biases.resize_with(gains.len(), Vec::new);
        // Biases of an earlier policy on the same states are the first guess of an iteration.
        biases
            .iter_mut()
            .filter(|bias| bias.len() == region.states.len())
            .for_each(|bias| bias.swap(0, swap));
        let solved = self.solver.biases(false, gains, biases);
        biases
            .iter_mut()
            .filter(|bias| bias.len() == region.states.len())
            .for_each(|bias| bias.swap(0, swap));
        errors.clone_from(&self.solver.errors);
        solved.map_err(|why| why.error(|node| name(region, region.states[exchange(node, swap)])))?;
        match by_iteration && !self.solver.is_iterative() {
            // Elimination has taken over: once more, with a reference that is visited often.
            true => self.evaluate(region, weights, chosen, found),
            false => Ok(()),
        }
    }

    /// Finds a recurrent state of a policy that has one recurrent class.
    pub fn anchor(&mut self, region: &Region, chosen: &Chosen, found: &mut Evaluated) {
        self.draw(region, chosen);
        let parts = strong_components(&self.graph);
        let closed = parts.closed(&self.graph);
        let recurrent = |&&state: &&u32| closed[parts.of[region.local[state as usize] as usize] as usize];
        found.reference = region.states.iter().find(recurrent).copied().unwrap_or(region.states[0]);
    }

    /// The graph of a policy, by position in the region.
    fn draw(&mut self, region: &Region, chosen: &Chosen) {
        self.graph.clear();
        for &state in region.states {
            let successors = chosen.row(&region.choices, state as usize);
            self.graph.to.extend(successors.map(|(next, _)| region.local[next]));
            self.graph.end_node();
        }
    }

    /// The stationary law of the policy, where its evaluation left it out; guessed first by `law`.
    pub fn law(
        &mut self,
        region: &Region,
        chosen: &Chosen,
        evaluated: &Evaluated,
        law: &mut [f64],
    ) -> Result<()> {
        let swap = region.local[evaluated.reference as usize] as usize;
        self.load(region, region.states, chosen, evaluated.reference)?;
        law.swap(0, swap);
        let solved = self.solver.stationary(law);
        law.swap(0, swap);
        solved.map_err(|why| why.error(|node| name(region, region.states[exchange(node, swap)])))
    }

    /// Factors the chain of the policy on `states` (a closed set), with the reference first; sets law and, unless
    /// they come with the biases, gains.
    fn factor(
        &mut self,
        region: &Region,
        states: &[u32],
        chosen: &Chosen,
        found: &mut Evaluated,
    ) -> Result<()> {
        let swap = self.load(region, states, chosen, found.reference)?;
        found.gains.resize(region.choices.model.signals().count(), 0.0);
        found.law.clear();
        if !self.solver.is_iterative() {
            found.law.resize(states.len(), 0.0);
            let solved = self.solver.stationary(&mut found.law);
            solved.map_err(|why| why.error(|node| name(region, states[exchange(node, swap)])))?;
            found.law.swap(0, swap);
        }
        Ok(())
    }

    /// Gives the solver the chain of the policy on `states`; returns the node that the first state has changed with.
    fn load(&mut self, region: &Region, states: &[u32], chosen: &Chosen, reference: u32) -> Result<usize> {
        let (choices, model) = (region.choices, region.choices.model);
        let (nodes, signals) = (states.len(), model.signals().count());
        let whole = nodes == region.states.len();
        let place = |state: usize| match whole {
            true => region.local[state] as usize,
            false => states.binary_search(&(state as u32)).unwrap_or(0),
        };
        let swap = place(reference as usize);
        let state = |node: usize| states[exchange(node, swap)] as usize;
        let signal = |node: usize, k: usize| model.signals().signal(k)[chosen.pair[state(node)] as usize];
        let is_dense = choices.radii.is_none() && matches!(model.kernel().row(0), Row::Dense(_));
        let solved = if is_dense && nodes == model.states() {
            let table = self.solver.table(nodes, signals);
            for node in 0..nodes {
                let (rates, row) = table.row_mut(node);
                rates.iter_mut().enumerate().for_each(|(k, rate)| *rate = signal(node, k));
                if let Row::Dense(all) = model.kernel().row(chosen.pair[state(node)] as usize) {
                    row.copy_from_slice(all);
                    row.swap(0, swap);
                }
            }
            self.solver.reduce()
        } else {
            let row = |node: usize| {
                chosen.row(&choices, state(node)).map(|(next, p)| (exchange(place(next), swap), p))
            };
            self.solver.solve((nodes, signals), false, row, signal)
        };
        solved.map_err(|why| why.error(|node| name(region, states[exchange(node, swap)])))?;
        Ok(swap)
    }

    /// Where the policy has several recurrent classes, keeps the best and sends all other states there; sets the
    /// reference to a state of the class.
    fn make_unichain(
        &mut self,
        region: &Region,
        weights: &[f64],
        chosen: &mut Chosen,
        found: &mut Evaluated,
    ) -> Result<()> {
        if region.unichain || region.states.len() == 1 {
            if region.states.binary_search(&found.reference).is_err() {
                found.reference = region.states[0];
            }
            return Ok(());
        }
        let local = region.local;
        self.draw(region, chosen);
        let parts = strong_components(&self.graph);
        let closed = parts.closed(&self.graph);
        let mut members = vec![Vec::new(); parts.count];
        for &state in region.states {
            let part = parts.of[local[state as usize] as usize] as usize;
            if closed[part] {
                members[part].push(state);
            }
        }
        let classes = (0..parts.count).filter(|&part| closed[part]);
        let mut best = (f64::NEG_INFINITY, classes.clone().next().unwrap_or(0));
        if classes.clone().count() > 1 {
            for class in classes {
                found.reference = members[class][0];
                self.factor(region, &members[class], chosen, found)?;
                let solved = self.solver.gains(&mut found.gains);
                solved.map_err(|why| why.error(|node| name(region, members[class][node])))?;
                let gain = dot(weights, &found.gains);
                best = if gain > best.0 { (gain, class) } else { best };
            }
            let mut reached = only_reaching(&self.graph, &parts.of, &closed, best.1);
            region.route(&mut reached, chosen);
        }
        if members[best.1].binary_search(&found.reference).is_err() {
            found.reference = members[best.1][0];
        }
        Ok(())
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

fn name(region: &Region, state: u32) -> String {
    region.choices.model.names().state(state as usize)
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
