//! Takes a solution of Kallenberg's program apart into stationary policies, one of which is drawn at the start.
//!
//! ```text
//! Σ_a x(j,a) + Σ_a y(j,a) = β_j + Σ y(s,a) P(j∣s,a)        x(s,a) the share of time, y(s,a) the visits on the way
//! ```
//!
//! A state in which some stay for ever and others pass through has x and y, and no stationary policy does both. Each class
//! of the support of x becomes a node: in it one stops, to follow x for ever, or leaves it by a pair of y; every other
//! state is a node that can only be left. A policy that decides once in every node is stationary. As much of it as the
//! flow holds is taken away, and so on with what remains: each takes a decision away for good, so that few do.
//!
//! Where x itself mixes two actions, it does so to the solver's tolerance, too coarse for a budget that is used up. Policies
//! with either of them are evaluated exactly instead, for the caller to mix.

use crate::chain::graph::{Components, Graph, strong_components};
use crate::chain::solver::Solver;
use crate::chain::{Evaluation, evaluate};
use crate::chain::{Wanted, evaluate_way};
use crate::error::Result;
use crate::model::{Cmdp, Policy};
use crate::plan::answer::assemble::Draft;
use crate::plan::tolerance::{LP_FLOW, LP_SHARE};

/// A vertex mixes actions in at most as many states as there are budgets; of more, not all combinations are looked at.
const MOST_MIXED: usize = 6;

/// What is done in a node.
#[derive(Clone, Copy)]
enum Decision {
    Stop,
    Leave(usize),
}

/// What is left of a solution.
struct Flow<'a> {
    draft: &'a Draft<'a>,
    /// The node of every state, and the states of every node.
    node_of: Vec<usize>,
    members: Vec<Vec<usize>>,
    /// How much stops in every node, and leaves by every pair.
    stops: Vec<f64>,
    leaves: Vec<f64>,
}

/// Policies of which a mixture attains the occupancy of `draft`, with their evaluations.
pub(crate) fn draws(
    draft: &Draft,
    visits: &[f64],
    start: &[(usize, f64)],
) -> Result<Vec<(Policy, Evaluation)>> {
    let model = draft.scope.choices.model;
    let base = draft.policy(visits, super::OffSupport::Pinned, Vec::new()).into_probabilities();
    let mut flow = Flow::new(draft, visits);
    let (mut found, mut left) = (Vec::new(), 1.0);
    while left > LP_FLOW && found.len() < 2 * model.pairs() {
        let decisions = flow.decisions();
        if start.iter().any(|&(state, _)| decisions[flow.node_of[state]].is_none()) {
            break;
        }
        let policy = flow.policy(&decisions, base.clone());
        let (evaluation, way) = evaluate_way(model, &policy, start, Wanted::Way, Solver::default())?;
        left -= flow.take(&decisions, &evaluation, &way);
        for policy in unmixed(model, &policy, &evaluation.occupancy) {
            let evaluation = evaluate(model, &policy, start)?;
            let policy = draft.apply(policy.into_probabilities(), &evaluation.visited, draft.off_support);
            found.push((policy, evaluation));
        }
    }
    Ok(found)
}

/// The policies that take one of the actions that `policy` mixes in the states it occupies, in all combinations.
fn unmixed(model: &Cmdp, policy: &Policy, occupancy: &[f64]) -> Vec<Policy> {
    let likely = |state: usize| -> Vec<usize> {
        model.pairs_of(state).filter(|&pair| policy.probabilities()[pair] > LP_SHARE).collect()
    };
    let is_occupied = |state: &usize| occupancy[model.pairs_of(*state)].iter().any(|&mass| mass > 0.0);
    let mixed: Vec<Vec<usize>> = (0..model.states()).filter(is_occupied).map(likely).collect();
    if mixed.iter().filter(|pairs| pairs.len() > 1).count() > MOST_MIXED {
        return vec![policy.clone()];
    }
    let mut all = vec![policy.probabilities().to_vec()];
    for pairs in mixed {
        let with = |rows: &Vec<f64>, pair: usize| {
            let mut rows = rows.clone();
            rows[model.pairs_of(model.state_of(pair))].fill(0.0);
            rows[pair] = 1.0;
            rows
        };
        all = all
            .iter()
            .flat_map(|rows| pairs.iter().map(|&pair| with(rows, pair)).collect::<Vec<_>>())
            .collect();
    }
    all.into_iter().map(Policy::from_rows).collect()
}

/// The strongly connected parts of what an occupancy does: its classes, and every state outside of them by itself.
pub(crate) fn support(model: &Cmdp, occupancy: &[f64]) -> Components {
    let mut graph = Graph::default();
    graph.clear();
    for state in 0..model.states() {
        for pair in model.pairs_of(state).filter(|&pair| occupancy[pair] > 0.0) {
            graph.to.extend(model.kernel().row(pair).iter().map(|(next, _)| next as u32));
        }
        graph.end_node();
    }
    strong_components(&graph)
}

impl<'a> Flow<'a> {
    fn new(draft: &'a Draft<'a>, visits: &[f64]) -> Flow<'a> {
        let (model, occupancy) = (draft.scope.choices.model, draft.occupancy);
        let parts = support(model, occupancy);
        let node_of: Vec<usize> = parts.of.iter().map(|&part| part as usize).collect();
        let (mut members, mut stops) = (vec![Vec::new(); parts.count], vec![0.0; parts.count]);
        for (state, &node) in node_of.iter().enumerate() {
            members[node].push(state);
            stops[node] += occupancy[model.pairs_of(state)].iter().sum::<f64>();
        }
        // What goes round inside of a class leads nowhere.
        let leave = |(&y, &x): (&f64, &f64)| if x > 0.0 { 0.0 } else { y };
        let leaves = visits.iter().zip(occupancy).map(leave).collect();
        Flow { draft, node_of, members, stops, leaves }
    }

    fn model(&self) -> &Cmdp {
        self.draft.scope.choices.model
    }

    /// Stops where anything stops, and otherwise leaves in the direction of such nodes: nobody goes round for ever.
    fn decisions(&self) -> Vec<Option<Decision>> {
        let stop = |&mass: &f64| (mass > LP_FLOW).then_some(Decision::Stop);
        let mut decisions: Vec<Option<Decision>> = self.stops.iter().map(stop).collect();
        loop {
            let mut next = Vec::new();
            for (node, states) in
                self.members.iter().enumerate().filter(|(node, _)| decisions[*node].is_none())
            {
                let pairs = states.iter().flat_map(|&state| self.model().pairs_of(state));
                let leads = |pair: &usize| {
                    let mut row = self.model().kernel().row(*pair).iter();
                    self.leaves[*pair] > LP_FLOW && row.any(|(s, _)| decisions[self.node_of[s]].is_some())
                };
                let best = pairs.filter(leads).max_by(|&a, &b| self.leaves[a].total_cmp(&self.leaves[b]));
                next.extend(best.map(|pair| (node, pair)));
            }
            if next.is_empty() {
                return decisions;
            }
            next.into_iter().for_each(|(node, pair)| decisions[node] = Some(Decision::Leave(pair)));
        }
    }

    /// The policy that decides so, and follows `base` inside of classes and where nothing is decided.
    fn policy(&self, decisions: &[Option<Decision>], mut base: Vec<f64>) -> Policy {
        for decision in decisions {
            if let Some(Decision::Leave(pair)) = *decision {
                base[self.model().pairs_of(self.model().state_of(pair))].fill(0.0);
                base[pair] = 1.0;
            }
        }
        Policy::from_rows(base)
    }

    /// Takes away as much of a policy as there is; returns its weight.
    fn take(&mut self, decisions: &[Option<Decision>], evaluation: &Evaluation, way: &[f64]) -> f64 {
        let used: Vec<f64> = decisions
            .iter()
            .enumerate()
            .map(|(node, decision)| match *decision {
                Some(Decision::Stop) => {
                    let pairs = self.members[node].iter().flat_map(|&state| self.model().pairs_of(state));
                    pairs.map(|pair| evaluation.occupancy[pair]).sum()
                }
                Some(Decision::Leave(pair)) => way[self.model().state_of(pair)],
                None => 0.0,
            })
            .collect();
        let held = |node: usize| match decisions[node] {
            Some(Decision::Leave(pair)) => self.leaves[pair],
            _ => self.stops[node],
        };
        let shares = (0..used.len()).filter(|&node| used[node] > LP_FLOW).map(|node| held(node) / used[node]);
        let weight = shares.fold(1.0, f64::min);
        for (node, used) in used.iter().enumerate() {
            let held = match decisions[node] {
                Some(Decision::Leave(pair)) => &mut self.leaves[pair],
                _ => &mut self.stops[node],
            };
            *held = (*held - weight * used).max(0.0);
        }
        weight
    }
}
