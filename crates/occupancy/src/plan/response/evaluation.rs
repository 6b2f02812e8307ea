//! Evaluates a deterministic policy on a communicating region: gains and biases of all signals at once.
//!
//! A policy may have several recurrent classes; the best of them at the weights given is kept, and all other states
//! are sent there, which makes the gain the same everywhere.

mod evaluated;
mod unichain;
mod until;

use super::leading::leads_to;
use super::places::Places;
use super::region::{Chosen, NONE, Region};
use crate::chain::graph::{Components, Graph, Walk, strong_components};
use crate::chain::solver::{Solver, Unsolved, Way};
use crate::chain::unless_stopped;
use crate::error::Result;
use crate::model::{Cmdp, Row};
use crate::stop::StopFlag;
pub(crate) use evaluated::Evaluated;

/// Below this share of the most visited state's mass, a reference state is replaced by that state.
const RARE_REFERENCE: f64 = 1e-3;

/// How many states whose actions are likely to change stand first in a chain, so that a change of theirs is cheap.
pub(crate) const HEAD: usize = 16;

/// Evaluates policies; keeps buffers.
#[derive(Default)]
pub(crate) struct Evaluator {
    solver: Solver,
    graph: Graph,
    walk: Walk,
    parts: Components,
    /// Policies that were left out of the search because no method evaluates them.
    pub left_out: usize,
    /// How often value iteration ran out of sweeps.
    pub out_of_sweeps: usize,
    places: Places,
    /// The states whose actions are likely to change next, the likeliest first; up to [`HEAD`] of them count.
    pub likely: Vec<u32>,
    /// The pair at every node of the dense or large chain loaded last; empty if there is none to go on from.
    loaded: Vec<u32>,
    changed: Vec<usize>,
    stop: StopFlag,
}

impl Evaluator {
    /// Long evaluations end early when this flag asks for it.
    pub fn stop_by(&mut self, stop: StopFlag) {
        self.solver.stop_by(stop.clone());
        self.stop = stop;
    }

    /// Fails if the end was asked for.
    pub fn check_stop(&self) -> Result<()> {
        unless_stopped(&self.stop)
    }

    /// Counts failures from now on, and tries iteration again.
    pub fn forget_failures(&mut self) {
        self.solver.forget_failures();
        self.left_out = 0;
        self.out_of_sweeps = 0;
    }

    /// Gives its memory back; how chains are best solved is remembered.
    pub fn shrink(&mut self) {
        let mut solver = std::mem::take(&mut self.solver);
        solver.shrink();
        *self = Evaluator { solver, ..Evaluator::default() };
    }

    /// Chains on which elimination took over from iteration.
    pub fn switched(&self) -> usize {
        self.solver.switched
    }

    /// Iterations that evaluations took.
    pub fn iterations(&self) -> usize {
        self.solver.iterations
    }

    /// Whether the chains of a region are sparse and eliminated, because iteration does not solve them.
    pub fn eliminates(&self, region: &Region) -> bool {
        region.is_sparse() && Solver::is_large(region.states.len(), 0) && self.switched() > 0
    }

    /// The way that iteration solved the last chain.
    pub fn way(&self) -> Way {
        self.solver.way()
    }

    /// Whether the last chain was solved by iteration.
    pub fn is_iterative(&self) -> bool {
        self.solver.is_iterative()
    }

    /// Whether the last chain was solved in a table, as small ones are.
    pub fn is_in_table(&self) -> bool {
        self.solver.is_in_table()
    }

    /// Finds gains, biases and, if it comes with them, the law of a policy, made one of a single recurrent class.
    pub fn evaluate(
        &mut self,
        region: &Region,
        weights: &[f64],
        chosen: &mut Chosen,
        found: &mut Evaluated,
    ) -> Result<()> {
        self.factor_well(region, weights, chosen, found)?;
        let by_iteration = self.solver.is_iterative();
        let Evaluated { gains, biases, errors, sum, .. } = found;
        biases.resize_with(gains.len(), Vec::new);
        // Biases of an earlier policy on the same states are the first guess of an iteration.
        let count = region.states.len();
        let places = &self.places;
        biases.iter_mut().filter(|bias| bias.len() == count).for_each(|bias| places.to_nodes(bias));
        let solved = self.solver.biases(false, gains, biases);
        biases.iter_mut().filter(|bias| bias.len() == count).for_each(|bias| places.to_positions(bias));
        errors.clone_from(&self.solver.errors);
        solved.map_err(|why| why.error(|node| name(region, region.states[places.position(node)])))?;
        if by_iteration && !self.solver.is_iterative() {
            // Elimination has taken over: once more, with a reference that is visited often.
            return self.evaluate(region, weights, chosen, found);
        }
        *sum = self.solver.bias_of_sum(weights, gains).map(|mut bias| {
            places.to_positions(&mut bias);
            (weights.to_vec(), bias)
        });
        Ok(())
    }

    /// Finds gains and law alone, which take less than the biases do, on a chain that is solved in a table.
    pub fn attain(
        &mut self,
        region: &Region,
        weights: &[f64],
        chosen: &mut Chosen,
        found: &mut Evaluated,
    ) -> Result<()> {
        self.factor_well(region, weights, chosen, found)?;
        let solved = self.solver.gains(&mut found.gains);
        solved.map_err(|why| why.error(|node| name(region, region.states[self.places.position(node)])))
    }

    /// Factors the chain of the policy, after making it one of a single recurrent class if it is not, with a reference
    /// that is visited often. Whether it has a single class shows in a table: a node that does not lead to the reference is
    /// stuck there. To find out before took a quarter of the instructions of a plan of 121 states.
    fn factor_well(
        &mut self,
        region: &Region,
        weights: &[f64],
        chosen: &mut Chosen,
        found: &mut Evaluated,
    ) -> Result<()> {
        found.stays = None;
        let may_be_stuck = !Solver::is_large(region.states.len(), 0) && region.contains(found.reference);
        if !may_be_stuck || self.try_factor(region, region.states, chosen, found).is_err() {
            self.make_unichain(region, weights, chosen, found)?;
            self.factor(region, region.states, chosen, found)?;
        }
        let reference = region.local[found.reference as usize] as usize;
        let often = often_visited(&found.law, reference);
        if often != reference {
            found.reference = region.states[often];
            self.forget();
            self.factor(region, region.states, chosen, found)?;
        }
        Ok(())
    }

    /// The model has changed: nothing is kept of the last chain.
    pub fn forget(&mut self) {
        self.loaded.clear();
    }

    /// Finds a recurrent state of a policy that has one recurrent class; on large regions the reference that is set, if it is one.
    pub fn anchor(&mut self, region: &Region, chosen: &Chosen, found: &mut Evaluated) {
        if Solver::is_large(region.states.len(), 0) && leads_to(region, chosen, found.reference) {
            return;
        }
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
            let to = &mut self.graph.to;
            chosen.successors(&region.choices, state as usize, |next, _| to.push(region.local[next]));
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
        let loaded = self.load(region, region.states, chosen, &mut evaluated.reference.clone());
        let solved = loaded.and_then(|()| {
            self.places.to_nodes(law);
            let solved = self.solver.stationary(law);
            self.places.to_positions(law);
            solved
        });
        solved.map_err(|why| why.error(|node| name(region, region.states[self.places.position(node)])))
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
        let solved = self.try_factor(region, states, chosen, found);
        solved.map_err(|why| why.error(|node| name(region, states[self.places.position(node)])))
    }

    /// [`Evaluator::factor`], which tells by its node what is stuck.
    fn try_factor(
        &mut self,
        region: &Region,
        states: &[u32],
        chosen: &Chosen,
        found: &mut Evaluated,
    ) -> std::result::Result<(), Unsolved> {
        self.load(region, states, chosen, &mut found.reference)?;
        found.gains.resize(region.choices.model.signals().count(), 0.0);
        found.law.clear();
        if !self.solver.is_iterative() {
            found.law.resize(states.len(), 0.0);
            self.solver.stationary(&mut found.law)?;
            self.places.to_positions(&mut found.law);
        }
        Ok(())
    }

    /// Gives the solver the chain of the policy on `states`, the reference at node 0; where a chain is at hand that
    /// needs few changes, its reference is taken.
    fn load(
        &mut self,
        region: &Region,
        states: &[u32],
        chosen: &Chosen,
        reference: &mut u32,
    ) -> std::result::Result<(), Unsolved> {
        let (choices, model) = (region.choices, region.choices.model);
        let (nodes, signals) = (states.len(), model.signals().count());
        let is_dense = choices.radii.is_none() && matches!(model.kernel().row(0), Row::Dense(_));
        if is_dense && nodes == model.states() {
            self.load_dense(region, chosen, reference)
        } else {
            let whole = nodes == region.states.len();
            let place = |state: usize| {
                if whole {
                    region.local[state] as usize
                } else {
                    states.binary_search(&(state as u32)).unwrap_or(0)
                }
            };
            self.places.reset(nodes);
            self.places.bring(place(*reference as usize), 0);
            if nodes == model.states() && choices.has_sparse_rows() && Solver::is_large(nodes, 0) {
                self.tell_changes(model, chosen);
            } else {
                self.forget();
            }
            let places = &self.places;
            let state = |node: usize| states[places.position(node)] as usize;
            let signal = |node: usize, k: usize| model.signals().signal(k)[chosen.pair[state(node)] as usize];
            let size = (nodes, signals);
            if choices.has_sparse_rows() {
                let row = |node: usize| {
                    let row = model.kernel().sparse_row(chosen.pair[state(node)] as usize);
                    let (next, p) = row.unwrap_or((&[], &[]));
                    next.iter().zip(p).map(|(&next, &p)| (places.node(place(next as usize)), p))
                };
                self.solver.solve(size, false, row, signal)
            } else {
                let row = |node: usize| {
                    chosen.row(&choices, state(node)).map(|(next, p)| (places.node(place(next)), p))
                };
                self.solver.solve(size, false, row, signal)
            }
        }
    }

    /// Tells the solver in which rows the chain of a policy on all states of a large sparse model is not the last one.
    fn tell_changes(&mut self, model: &Cmdp, chosen: &Chosen) {
        let (places, loaded) = (&self.places, &mut self.loaded);
        let pair = |node: usize| chosen.pair[places.position(node)];
        // With the same reference all nodes have the same numbers.
        if loaded.len() == model.states()
            && model.pairs_of(places.position(0)).contains(&(loaded[0] as usize))
        {
            let nodes = 0..loaded.len() as u32;
            let changed = nodes.filter(|&node| loaded[node as usize] != pair(node as usize));
            self.solver.expect_changes(changed.collect());
        }
        loaded.clear();
        loaded.extend((0..model.states()).map(pair));
    }

    /// [`Evaluator::load`] for a policy on all states of a dense model. Where it differs from the last one in states
    /// at the head of the chain alone, only their rows are eliminated again.
    fn load_dense(
        &mut self,
        region: &Region,
        chosen: &Chosen,
        reference: &mut u32,
    ) -> std::result::Result<(), Unsolved> {
        let model = region.choices.model;
        let (nodes, signals) = (model.states(), model.signals().count());
        let places = &mut self.places;
        self.changed.clear();
        // Where a policy may have several classes, only a state of the right one can be the reference.
        let fits =
            self.loaded.len() == nodes && (region.unichain || places.position(0) == *reference as usize);
        if fits {
            let pair = |node: usize| chosen.pair[places.position(node)];
            self.changed.extend((0..nodes).filter(|&node| self.loaded[node] != pair(node)));
        }
        let again = fits && self.changed.last().is_none_or(|&node| node < HEAD);
        if !again {
            self.changed.clear();
            places.reset(nodes);
            let likely = self.likely.iter().filter(|&state| state != reference && (*state as usize) < nodes);
            for (node, &state) in std::iter::once(&*reference).chain(likely).take(HEAD.min(nodes)).enumerate()
            {
                places.bring(state as usize, node);
            }
            self.changed.extend(0..nodes);
            self.loaded.clear();
            self.loaded.resize(nodes, NONE);
        }
        *reference = places.position(0) as u32;
        let table = if again { self.solver.table_again() } else { self.solver.table(nodes, signals) };
        for &node in &self.changed {
            let pair = chosen.pair[places.position(node)];
            let (rates, row) = table.row_mut(node);
            let signals = (0..signals).map(|k| model.signals().signal(k)[pair as usize]);
            rates.iter_mut().zip(signals).for_each(|(rate, x)| *rate = x);
            if let Row::Dense(all) = model.kernel().row(pair as usize) {
                places.write_nodes(all, row);
            }
            self.loaded[node] = pair;
        }
        let solved = if again { table.reduce_again(&self.changed) } else { table.reduce(HEAD) };
        if solved.is_err() {
            self.loaded.clear();
        }
        Ok(solved?)
    }
}

fn name(region: &Region, state: u32) -> String {
    region.choices.model.names().state(state as usize)
}

/// The position of a state that is visited often: this one, or the most visited if it is rare.
fn often_visited(law: &[f64], reference: usize) -> usize {
    most_visited(law).filter(|&most| law[reference] < RARE_REFERENCE * law[most]).unwrap_or(reference)
}

/// The position of the greatest share of time, the first of several.
pub(crate) fn most_visited(law: &[f64]) -> Option<usize> {
    let larger = |most: usize, state: usize| if law[state] > law[most] { state } else { most };
    (0..law.len()).reduce(larger)
}

#[cfg(test)]
mod tests;
