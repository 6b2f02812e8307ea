//! Evaluates a policy by a criterion that is a sum: discounted, over an episode, or until absorption.
//!
//! ```text
//! discounted   v = x + γ P v          episodes   v_h = x + P v_{h+1} ,  v_H = 0          until   v = x + P v ,  v = 0 on the targets
//! ```
//!
//! The first and the last are chains that end: with probability 1 − γ in every step, or on the targets. Node 0 of the solver is
//! that end, and node s + 1 is state s. Episodes need no system of equations at all.

use super::reaching::{astray, visited};
use super::solver::{Solver, Unsolved};
use crate::error::{Error, Result, SumProblem};
use crate::model::builder::{SUM_TOLERANCE, check_start};
use crate::model::{Cmdp, Criterion, Policy, Value};

/// What a policy is worth by a sum.
#[derive(Clone, Debug)]
pub struct SumEvaluation {
    /// From the start.
    pub value: Value,
    /// Of every signal, by stage and state: what the sum is from there on. One stage if the policy is not for episodes.
    pub values: Vec<Vec<f64>>,
    /// Expected visits of every pair, discounted if the sum is; at all stages, one after the other, for episodes.
    pub occupancy: Vec<f64>,
}

/// Evaluates a policy from the distribution `start` by a criterion that is not an average.
pub fn evaluate_sum(
    model: &Cmdp,
    criterion: &Criterion,
    policy: &Policy,
    start: &[(usize, f64)],
) -> Result<SumEvaluation> {
    criterion.check(model)?;
    policy.check(model)?;
    check_start(start, model.states(), SUM_TOLERANCE)?;
    match criterion {
        Criterion::Average => {
            Err(Error::OptionNotHere { option: "evaluate_sum", applies_to: "criteria that are sums" })
        }
        Criterion::Discounted { factor } => {
            let ends = vec![false; model.states()];
            Ending { model, factor: *factor, is_target: &ends }.evaluate(stationary(policy)?, start)
        }
        Criterion::Until { states } => {
            let is_target = marked(model, states);
            let policy = stationary(policy)?;
            if let Some(state) = astray(model, policy, start, &is_target) {
                return Err(Error::Sum(SumProblem::Astray { state: model.names().state(state) }));
            }
            // States that the policy never visits may lead nowhere: they count as ends.
            let mut ends = vec![true; model.states()];
            let visited = visited(model, policy, start, &is_target, |_, _| {});
            visited.into_iter().for_each(|state| ends[state] = is_target[state]);
            Ending { model, factor: 1.0, is_target: &ends }.evaluate(policy, start)
        }
        Criterion::Episodes { horizon } => Ok(episode(model, *horizon, policy, start)),
    }
}

/// The states as marks.
pub(crate) fn marked(model: &Cmdp, states: &[usize]) -> Vec<bool> {
    let mut marks = vec![false; model.states()];
    states.iter().for_each(|&state| marks[state] = true);
    marks
}

fn stationary(policy: &Policy) -> Result<&Policy> {
    match policy.stages() {
        1 => Ok(policy),
        found => Err(Error::TableLength { what: "the stages of a policy", found, expected: 1 }),
    }
}

/// A chain that ends, by a discount or on targets.
#[derive(Clone, Copy)]
pub(crate) struct Ending<'a> {
    pub model: &'a Cmdp,
    /// γ; 1 if only the targets end it.
    pub factor: f64,
    pub is_target: &'a [bool],
}

impl Ending<'_> {
    /// The successors of a node under pairs with weights: node s + 1 is state s, node 0 the end.
    pub fn row<'b>(
        &'b self,
        node: usize,
        taken: impl Iterator<Item = (usize, f64)> + 'b,
    ) -> impl Iterator<Item = (usize, f64)> + 'b {
        let ends = node == 0 || self.is_target[node - 1];
        let leak = if ends { 1.0 } else { 1.0 - self.factor };
        let onward = taken.filter(move |_| !ends).flat_map(move |(pair, weight)| {
            let row = self.model.kernel().row(pair).iter();
            row.map(move |(next, p)| (self.node_of(next), self.factor * weight * p))
        });
        std::iter::once((0, leak)).filter(|(_, p)| *p > 0.0).chain(onward)
    }

    fn node_of(&self, state: usize) -> usize {
        if self.is_target[state] { 0 } else { state + 1 }
    }

    /// Why a chain was not solved, with the state's name.
    pub fn failed(&self, why: Unsolved) -> Error {
        why.error(|node| self.model.names().state(node.max(1) - 1))
    }

    /// The nodes' visits from a start, as those of states.
    pub fn visits(&self, solver: &mut Solver, start: &[(usize, f64)]) -> Result<Vec<f64>> {
        let mut visits = vec![0.0; self.model.states() + 1];
        start.iter().for_each(|&(state, weight)| visits[self.node_of(state)] += weight);
        visits[0] = 0.0;
        solver.visits(&mut visits).map_err(|why| self.failed(why))?;
        visits.remove(0);
        Ok(visits)
    }

    fn evaluate(&self, policy: &Policy, start: &[(usize, f64)]) -> Result<SumEvaluation> {
        let (mut solver, count) = (Solver::default(), self.model.signals().count());
        self.load(&mut solver, policy, count)?;
        let (mut gains, mut values) = (vec![0.0; count], vec![Vec::new(); count]);
        solver.biases(true, &mut gains, &mut values).map_err(|why| self.failed(why))?;
        values.iter_mut().for_each(|values| *values = values.split_off(1));
        let occupancy = self.spread(&self.visits(&mut solver, start)?, policy);
        Ok(SumEvaluation { value: from_start(&values, start), values, occupancy })
    }

    /// Expected visits of every pair from a start, without the values of the states.
    pub fn occupancy(&self, policy: &Policy, start: &[(usize, f64)]) -> Result<Vec<f64>> {
        let mut solver = Solver::default();
        self.load(&mut solver, policy, 0)?;
        Ok(self.spread(&self.visits(&mut solver, start)?, policy))
    }

    /// Takes the chain of a policy into a solver, with the first signals.
    fn load(&self, solver: &mut Solver, policy: &Policy, signals: usize) -> Result<()> {
        let (model, probabilities) = (self.model, policy.probabilities());
        let taken = |node: usize| {
            let pairs = node.checked_sub(1).map_or(0..0, |state| model.pairs_of(state));
            pairs.map(|pair| (pair, probabilities[pair])).filter(|&(_, weight)| weight > 0.0)
        };
        let signal = |node: usize, k: usize| {
            if node == 0 || self.is_target[node - 1] {
                return 0.0;
            }
            taken(node).map(|(pair, weight)| weight * model.signals().signal(k)[pair]).sum()
        };
        let nodes = (model.states() + 1, signals);
        let solved = solver.solve(nodes, true, |node| self.row(node, taken(node)), signal);
        solved.map_err(|why| self.failed(why))
    }

    /// Visits of states as those of pairs.
    fn spread(&self, visits: &[f64], policy: &Policy) -> Vec<f64> {
        let mut occupancy = policy.probabilities().to_vec();
        for (state, visits) in visits.iter().enumerate() {
            occupancy[self.model.pairs_of(state)].iter_mut().for_each(|mass| *mass *= visits);
        }
        occupancy
    }
}

/// Σ start(s) v_k(s).
fn from_start(values: &[Vec<f64>], start: &[(usize, f64)]) -> Value {
    let sum = |values: &Vec<f64>| start.iter().map(|&(state, weight)| weight * values[state]).sum::<f64>();
    let sums: Vec<f64> = values.iter().map(sum).collect();
    Value { reward: sums[0], costs: sums[1..].to_vec(), errors: vec![0.0; sums.len()] }
}

/// Backward for the values, forward for the visits.
fn episode(model: &Cmdp, horizon: usize, policy: &Policy, start: &[(usize, f64)]) -> SumEvaluation {
    let states = model.states();
    let mut values = vec![vec![0.0; states * horizon]; model.signals().count()];
    for (k, values) in values.iter_mut().enumerate() {
        for stage in (0..horizon).rev() {
            let (now, later) = values[stage * states..].split_at_mut(states);
            let (table, later) = (policy.table(stage), later.get(..states));
            for (state, value) in now.iter_mut().enumerate() {
                let pairs = model.pairs_of(state).filter(|&pair| table[pair] > 0.0);
                let worth = |pair: usize| {
                    let onward = later.map_or(0.0, |later| model.kernel().row(pair).dot(later));
                    table[pair] * (model.signals().signal(k)[pair] + onward)
                };
                *value = pairs.map(worth).sum();
            }
        }
    }
    let mut occupancy = vec![0.0; model.pairs() * horizon];
    let mut law = vec![0.0; states];
    start.iter().for_each(|&(state, weight)| law[state] += weight);
    for stage in 0..horizon {
        let here = &mut occupancy[stage * model.pairs()..(stage + 1) * model.pairs()];
        let mut next = vec![0.0; states];
        for state in (0..states).filter(|&state| law[state] > 0.0) {
            for pair in model.pairs_of(state).filter(|&pair| policy.table(stage)[pair] > 0.0) {
                here[pair] = law[state] * policy.table(stage)[pair];
                model.kernel().row(pair).iter().for_each(|(successor, p)| next[successor] += here[pair] * p);
            }
        }
        law = next;
    }
    SumEvaluation { value: from_start(&values, start), values, occupancy }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CmdpBuilder;

    /// 0 pays 1 and moves on with probability 1/2; 1 costs 2 and stays.
    fn model() -> Cmdp {
        let mut model = CmdpBuilder::new(2, &[f64::INFINITY]);
        model.pair(0, &[(0, 0.5), (1, 0.5)], 1.0, &[0.0]);
        model.pair(1, &[(1, 1.0)], 0.0, &[2.0]);
        model.build().unwrap()
    }

    fn evaluated(criterion: Criterion) -> SumEvaluation {
        let model = model();
        evaluate_sum(&model, &criterion, &Policy::uniform(&model), &[(0, 1.0)]).unwrap()
    }

    #[test]
    fn a_discounted_sum_has_its_closed_form() {
        let found = evaluated(Criterion::Discounted { factor: 0.5 });
        // v(0) = 1 + v(0)/4; the second state holds 2/(1 − 1/2) from its entry on.
        assert!((found.value.reward - 4.0 / 3.0).abs() < 1e-15);
        assert!((found.values[1][1] - 4.0).abs() < 1e-15);
        assert!((found.value.costs[0] - 4.0 / 3.0).abs() < 1e-15);
        assert!((found.occupancy.iter().sum::<f64>() - 2.0).abs() < 1e-15);
    }

    #[test]
    fn an_episode_is_summed_stage_by_stage() {
        let found = evaluated(Criterion::Episodes { horizon: 3 });
        assert_eq!((found.value.reward, found.value.costs[0]), (1.75, 2.5));
        assert_eq!(found.occupancy, [1.0, 0.0, 0.5, 0.5, 0.25, 0.75]);
        assert_eq!(found.values[1], [2.5, 6.0, 1.0, 4.0, 0.0, 2.0]);
    }

    #[test]
    fn a_sum_until_a_state_ends_there_and_needs_a_policy_that_gets_there() {
        let found = evaluated(Criterion::Until { states: vec![1] });
        assert_eq!((found.value.reward, found.value.costs[0]), (2.0, 0.0));
        assert_eq!(found.occupancy, [2.0, 0.0]);
        let model = model();
        let nowhere = Criterion::Until { states: vec![0] };
        let refused = evaluate_sum(&model, &nowhere, &Policy::uniform(&model), &[(1, 1.0)]).unwrap_err();
        assert!(matches!(refused, Error::Sum(SumProblem::Astray { .. })), "{refused}");
    }
}
