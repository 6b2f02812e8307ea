//! Evaluates a policy: its long-run averages from a start distribution, whatever classes its chain has.
//!
//! ```text
//! J(x) = Σ_classes K  P(K is entered from the start) · Σ_{s∈K} law_K(s) Σ_a π(a∣s) x(s,a)
//! ```
//!
//! It knows nothing of how a plan was found, so that it can check what planners return.

use super::graph::{Components, Graph, strong_components_until};
use super::solver::{Solver, Unsolved};
use super::unless_stopped;
use crate::error::{Error, Result};
use crate::model::builder::{SUM_TOLERANCE, check_start};
use crate::model::{Cmdp, Policy, Value};
use crate::stop::StopFlag;

/// The long-run averages of a policy.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// What it is worth in the long run.
    pub value: Value,
    /// μ(s,a): the share of time spent in each pair.
    pub occupancy: Vec<f64>,
    /// How many recurrent classes are entered.
    pub classes: usize,
    /// Which states are visited at all, on the way included.
    pub visited: Vec<bool>,
    /// How many of its chains iteration did not solve, so that elimination took over.
    pub switched: usize,
    /// The bias of every signal by state, if a single large class was solved by iteration; otherwise empty.
    pub(crate) biases: Vec<Vec<f64>>,
}

impl Evaluation {
    /// A value alone: nothing is known of classes and visits.
    pub(crate) fn of_value(value: Value) -> Evaluation {
        let (occupancy, visited, biases) = (Vec::new(), Vec::new(), Vec::new());
        Evaluation { value, occupancy, classes: 0, visited, switched: 0, biases }
    }
}

/// Evaluates `policy` from the distribution `start` (states and weights that sum to 1).
pub fn evaluate(model: &Cmdp, policy: &Policy, start: &[(usize, f64)]) -> Result<Evaluation> {
    policy.check(model)?;
    Ok(evaluate_way(model, policy, start, Wanted::Occupancy, Solver::default())?.0)
}

/// What is wanted of a policy besides its averages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Wanted<'a> {
    /// Nothing: the occupancy is left empty. Biases of a policy like it, by signal and state, are where iteration begins; or
    /// there are none.
    Averages { guesses: &'a [Vec<f64>] },
    /// The occupancy.
    Occupancy,
    /// The occupancy, and the expected visits to the states that are left for good.
    Way,
}

impl<'a> Wanted<'a> {
    /// Where iteration begins, if averages alone are wanted.
    fn guesses(self) -> Option<&'a [Vec<f64>]> {
        match self {
            Wanted::Averages { guesses } => Some(guesses),
            Wanted::Occupancy | Wanted::Way => None,
        }
    }
}

/// As [`evaluate`], with what is wanted: the expected visits to the states that are left for good are by state. The flag of the solver ends it
/// with [`Error::Stopped`].
pub(crate) fn evaluate_way(
    model: &Cmdp,
    policy: &Policy,
    start: &[(usize, f64)],
    wanted: Wanted,
    mut solver: Solver,
) -> Result<(Evaluation, Vec<f64>)> {
    let (way, guesses) = (wanted == Wanted::Way, wanted.guesses());
    if policy.probabilities().len() != model.pairs() {
        let (found, expected) = (policy.probabilities().len(), model.pairs());
        return Err(Error::TableLength { what: "a policy", found, expected });
    }
    check_start(start, model.states(), SUM_TOLERANCE)?;
    let (chain, parts, closed) = Chain::with_parts(model, policy, start, solver.stop())?;
    let classes = closed.iter().filter(|&&closed| closed).count();
    let class_of = |node: usize| Some(parts.of[node] as usize).filter(|&part| closed[part]);

    let (entry, transient_visits) = if classes > 1 || way {
        chain.entry_weights(&mut solver, &class_of, parts.count)?
    } else {
        (closed.iter().map(|&closed| f64::from(closed)).collect(), Vec::new())
    };
    let mut members = vec![Vec::new(); parts.count];
    (0..chain.states.len()).for_each(|node| members[parts.of[node] as usize].push(node));
    let mut mass = vec![0.0; chain.states.len()];
    let signals = model.signals().count();
    let (mut averages, mut errors, mut biases) = (vec![0.0; signals], vec![0.0; signals], Vec::new());
    for class in (0..parts.count).filter(|&part| closed[part] && entry[part] > 0.0) {
        let (gains, found) =
            chain.class_averages(&mut solver, &members[class], guesses.unwrap_or_default())?;
        errors.iter_mut().zip(&solver.errors).for_each(|(sum, error)| *sum += entry[class] * error);
        if classes == 1 && solver.is_iterative() {
            biases = chain.by_state(&members[class], &found);
        }
        if guesses.is_none() {
            chain.add_law(&mut solver, &members[class], entry[class], &mut mass)?;
        }
        averages.iter_mut().zip(gains).for_each(|(sum, gain)| *sum += entry[class] * gain);
    }
    let mut occupancy = vec![0.0; if guesses.is_some() { 0 } else { model.pairs() }];
    let mut visits = vec![0.0; if way { model.states() } else { 0 }];
    for (node, &state) in chain.states.iter().enumerate() {
        for pair in model.pairs_of(state).filter(|_| guesses.is_none()) {
            occupancy[pair] = mass[node] * policy.probabilities()[pair];
        }
        if way {
            visits[state] = transient_visits[node];
        }
    }
    let mut visited = vec![false; model.states()];
    chain.states.iter().for_each(|&state| visited[state] = true);
    let value = Value { reward: averages[0], costs: averages[1..].to_vec(), errors };
    let evaluation = Evaluation { value, occupancy, classes, visited, switched: solver.switched, biases };
    Ok((evaluation, visits))
}

/// Σ μ(s,a) x(s,a) of every signal.
pub(crate) fn averages(model: &Cmdp, occupancy: &[f64]) -> Vec<f64> {
    (0..model.signals().count()).map(|k| average(model, k, occupancy)).collect()
}

/// Σ μ(s,a) x(s,a) of one signal.
pub(crate) fn average(model: &Cmdp, signal: usize, occupancy: &[f64]) -> f64 {
    model.signals().signal(signal).iter().zip(occupancy).map(|(x, mass)| x * mass).sum()
}

/// The part of a policy's chain that is reached from the start, renumbered.
pub(crate) struct Chain<'a> {
    model: &'a Cmdp,
    policy: &'a Policy,
    start: &'a [(usize, f64)],
    /// The state of every node.
    pub states: Vec<usize>,
    /// The node of every state that is reached.
    pub node_of: Vec<Option<u32>>,
}

impl<'a> Chain<'a> {
    /// The chain, its strongly connected components, and which of them are closed, unless the end is asked for: on ten million states
    /// they take 4 s.
    pub fn with_parts(
        model: &'a Cmdp,
        policy: &'a Policy,
        start: &'a [(usize, f64)],
        stop: &StopFlag,
    ) -> Result<(Chain<'a>, Components, Vec<bool>)> {
        let chain = Chain::new(model, policy, start, stop)?;
        let graph = chain.graph(stop)?;
        let parts = strong_components_until(&graph, stop)?;
        let closed = parts.closed(&graph);
        Ok((chain, parts, closed))
    }

    fn new(
        model: &'a Cmdp,
        policy: &'a Policy,
        start: &'a [(usize, f64)],
        stop: &StopFlag,
    ) -> Result<Chain<'a>> {
        let mut chain =
            Chain { model, policy, start, states: Vec::new(), node_of: vec![None; model.states()] };
        start.iter().filter(|(_, weight)| *weight > 0.0).for_each(|&(state, _)| chain.visit(state));
        let mut next = 0;
        while next < chain.states.len() {
            if stop.asked_at(next) {
                break;
            }
            let state = chain.states[next];
            for pair in model.pairs_of(state).filter(|&pair| policy.probabilities()[pair] > 0.0) {
                model.kernel().row(pair).iter().for_each(|(successor, _)| chain.visit(successor));
            }
            next += 1;
        }
        unless_stopped(stop).map(|()| chain)
    }

    fn visit(&mut self, state: usize) {
        if self.node_of[state].is_none() {
            self.node_of[state] = Some(self.states.len() as u32);
            self.states.push(state);
        }
    }

    /// The transitions out of a node: (successor node, probability), successors possibly repeated.
    pub fn transitions(&self, node: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let probabilities = self.policy.probabilities();
        let pairs = self.model.pairs_of(self.states[node]).filter(move |&pair| probabilities[pair] > 0.0);
        pairs.flat_map(move |pair| {
            let row = self.model.kernel().row(pair).iter();
            row.filter_map(move |(s, p)| self.node_of[s].map(|next| (next as usize, p * probabilities[pair])))
        })
    }

    fn graph(&self, stop: &StopFlag) -> Result<Graph> {
        let mut graph = Graph::default();
        graph.clear();
        for node in 0..self.states.len() {
            if stop.asked_at(node) {
                break;
            }
            graph.to.extend(self.transitions(node).map(|(next, _)| next as u32));
            graph.end_node();
        }
        unless_stopped(stop).map(|()| graph)
    }

    /// The probability of ending in each class, and the expected visits to the nodes outside all of them.
    fn entry_weights(
        &self,
        solver: &mut Solver,
        class_of: &impl Fn(usize) -> Option<usize>,
        parts: usize,
    ) -> Result<(Vec<f64>, Vec<f64>)> {
        let transient: Vec<usize> = (0..self.states.len()).filter(|&node| class_of(node).is_none()).collect();
        let mut local = vec![0; self.states.len()];
        transient.iter().enumerate().for_each(|(i, &node)| local[node] = i + 1);
        let row = |node: usize| {
            let from = node.checked_sub(1).map(|i| transient[i]);
            from.into_iter().flat_map(|node| self.transitions(node)).map(|(next, p)| (local[next], p))
        };
        let failed = |why: Unsolved| why.error(|node| self.name(transient[node.max(1) - 1]));
        solver.solve((transient.len() + 1, 0), true, row, |_, _| 0.0).map_err(failed)?;

        let mut entry = vec![0.0; parts];
        let mut visits = vec![0.0; transient.len() + 1];
        for &(state, weight) in self.start {
            match self.node_of[state].map(|node| (class_of(node as usize), local[node as usize])) {
                Some((Some(class), _)) => entry[class] += weight,
                Some((None, at)) => visits[at] += weight,
                None => {}
            }
        }
        solver.visits(&mut visits).map_err(failed)?;
        let mut by_node = vec![0.0; self.states.len()];
        for &node in &transient {
            by_node[node] = visits[local[node]];
            for (next, p) in self.transitions(node) {
                if let Some(class) = class_of(next) {
                    entry[class] += visits[local[node]] * p;
                }
            }
        }
        Ok((entry, by_node))
    }

    /// The averages of all signals in a closed class, and the biases if they come with them.
    fn class_averages(
        &self,
        solver: &mut Solver,
        members: &[usize],
        guesses: &[Vec<f64>],
    ) -> Result<(Vec<f64>, Vec<Vec<f64>>)> {
        let mut local = vec![0u32; self.states.len()];
        members.iter().enumerate().for_each(|(i, &node)| local[node] = i as u32);
        let row = |i: usize| self.transitions(members[i]).map(|(next, p)| (local[next] as usize, p));
        let (probabilities, signals) = (self.policy.probabilities(), self.model.signals());
        let signal = |i: usize, k: usize| {
            let pairs = self.model.pairs_of(self.states[members[i]]);
            pairs.map(|pair| probabilities[pair] * signals.signal(k)[pair]).sum()
        };
        let failed = |why: Unsolved| why.error(|node| self.name(members[node]));
        let mut gains = vec![0.0; signals.count()];
        solver.solve((members.len(), gains.len()), false, row, signal).map_err(failed)?;
        let guess = |k: usize| -> Vec<f64> {
            guesses
                .get(k)
                .map_or(Vec::new(), |guess| members.iter().map(|&node| guess[self.states[node]]).collect())
        };
        let count = if solver.is_iterative() { gains.len() } else { 0 };
        let mut biases: Vec<Vec<f64>> = (0..count).map(guess).collect();
        if biases.is_empty() {
            solver.gains(&mut gains).map_err(failed)?
        } else {
            solver.biases(false, &mut gains, &mut biases).map_err(failed)?
        }
        Ok((gains, biases))
    }

    /// Numbers of the nodes of a class as numbers of states; 0 elsewhere.
    fn by_state(&self, members: &[usize], of_nodes: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let one = |values: &Vec<f64>| {
            let mut found = vec![0.0; self.model.states()];
            members.iter().zip(values).for_each(|(&node, x)| found[self.states[node]] = *x);
            found
        };
        of_nodes.iter().map(one).collect()
    }

    /// Adds `weight` times the stationary law of the class solved last to `mass`.
    fn add_law(&self, solver: &mut Solver, members: &[usize], weight: f64, mass: &mut [f64]) -> Result<()> {
        let mut law = vec![0.0; members.len()];
        solver.stationary(&mut law).map_err(|why| why.error(|node| self.name(members[node])))?;
        members.iter().zip(&law).for_each(|(&node, share)| mass[node] += weight * share);
        Ok(())
    }

    fn name(&self, node: usize) -> String {
        self.model.names().state(self.states[node])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CmdpBuilder;

    #[test]
    fn a_gamble_between_two_absorbing_states_is_averaged() {
        let mut model = CmdpBuilder::new(3, &[f64::INFINITY]);
        model.pair(0, &[(1, 0.25), (2, 0.25), (0, 0.5)], 9.0, &[9.0]);
        model.pair(1, &[(1, 1.0)], 4.0, &[0.0]);
        model.pair(2, &[(2, 1.0)], 0.0, &[2.0]);
        let model = model.build().unwrap();
        let evaluation = evaluate(&model, &Policy::uniform(&model), model.start()).unwrap();
        assert_eq!((evaluation.value.reward, evaluation.value.costs[0], evaluation.classes), (2.0, 1.0, 2));
        let (_, visits) =
            evaluate_way(&model, &Policy::uniform(&model), model.start(), Wanted::Way, Solver::default())
                .unwrap();
        assert_eq!(visits, [2.0, 0.0, 0.0]);
    }

    #[test]
    fn the_end_is_heeded_before_the_parts_of_a_chain_are_known() {
        let mut model = CmdpBuilder::new(2, &[]);
        model.pair(0, &[(1, 1.0)], 0.0, &[]).pair(1, &[(0, 1.0)], 0.0, &[]);
        let model = model.build().unwrap();
        let (policy, flag) = (Policy::uniform(&model), StopFlag::new());
        let parts = |stop: &StopFlag| {
            Chain::with_parts(&model, &policy, &[(0, 1.0)], stop).map(|(_, parts, _)| parts.count)
        };
        let graph =
            Chain::new(&model, &policy, &[(0, 1.0)], &flag).and_then(|chain| chain.graph(&flag)).unwrap();
        assert_eq!(parts(&flag).unwrap(), 1);
        flag.ask();
        assert!(matches!(parts(&flag), Err(Error::Stopped { .. })));
        assert!(matches!(strong_components_until(&graph, &flag), Err(Error::Stopped { .. })));
        assert_eq!(parts(&flag.insisted_only()).unwrap(), 1);
    }

    #[test]
    fn a_part_that_is_not_reached_does_not_count() {
        let mut model = CmdpBuilder::new(2, &[]);
        model.pair(0, &[(0, 1.0)], 1.0, &[]);
        model.pair(1, &[(1, 1.0)], 100.0, &[]);
        let model = model.build().unwrap();
        let evaluation = evaluate(&model, &Policy::uniform(&model), model.start()).unwrap();
        assert_eq!((evaluation.value.reward, evaluation.classes), (1.0, 1));
        assert_eq!(evaluation.visited, [true, false]);
    }
}
