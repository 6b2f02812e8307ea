//! Turns a mixture of deterministic policies into a plan: one stationary policy where one attains the mixture's
//! occupancy, otherwise the policies themselves, one to be drawn at the start.

use super::off_support::Pinned;
use super::policy_iteration::dot;
use super::region::NONE;
use super::response::{Column, Scope};
use super::{OffSupport, Plan, WeightedPolicy};
use crate::error::Result;
use crate::model::chain::averages;
use crate::model::graph::{Graph, strong_components};
use crate::model::{Cmdp, Evaluation, Policy, evaluate};

/// How far the evaluated gain and costs of a stationary policy may be from the mixture's, relative to their size.
const ATTAINED: f64 = 1e-9;

/// Policies with weights, and what is known at the prices they answer.
pub(crate) struct Mixture<'a> {
    pub columns: &'a [(f64, Column)],
    /// w(s,a) at the prices, and a bias for it.
    pub weighted: &'a [f64],
    pub bias: &'a [f64],
    pub off_support: OffSupport,
}

/// The plan of a mixture, without prices and gap.
pub(crate) fn assemble(scope: &Scope, mixture: &Mixture) -> Result<Plan> {
    let model = scope.choices.model;
    let mut occupancy = vec![0.0; model.pairs()];
    for (weight, column) in mixture.columns {
        for state in (0..model.states()).filter(|&s| column.mass[s] > 0.0) {
            occupancy[column.chosen.pair[state] as usize] += weight * column.mass[state];
        }
    }
    let stated = averages(model, &occupancy);
    let policies = policies(scope, mixture, &occupancy, &stated)?;
    let classes = classes(scope, mixture, &occupancy);
    let (gain, costs) = (stated[0], stated[1..].to_vec());
    Ok(Plan { policies, occupancy, gain, costs, prices: Vec::new(), gap: f64::NAN, classes })
}

fn policies(scope: &Scope, mixture: &Mixture, occupancy: &[f64], stated: &[f64]) -> Result<Vec<WeightedPolicy>> {
    let model = scope.choices.model;
    let mass: Vec<f64> = (0..model.states()).map(|s| occupancy[model.pairs_of(s)].iter().sum()).collect();
    let fill = Fill { scope, mixture, occupancy, mass: &mass };
    let single = |policy| vec![WeightedPolicy { weight: 1.0, policy }];
    let Some(start) = scope.start.as_deref() else {
        return Ok(single(fill.policy(&[], &mass, mixture.off_support)));
    };
    if scope.choices.always_unichain() {
        return Ok(single(fill.policy(&[], &mass, mixture.off_support)));
    }
    let attained = |evaluation: &Evaluation| {
        let found = std::iter::once(&evaluation.gain).chain(&evaluation.costs);
        let close = |(k, (x, y)): (usize, (&f64, &f64))| (x - y).abs() <= ATTAINED * model.signals().size(k);
        found.zip(stated).enumerate().all(close)
    };
    let mut ways = Vec::new();
    for (weight, column) in mixture.columns {
        let policy = fill.of_column(column);
        let visits = evaluate(model, &policy, start)?;
        ways.push(Way { weight: *weight, policy, visits });
    }
    let policy = fill.policy(&ways, &mass, OffSupport::Pinned);
    let evaluation = evaluate(model, &policy, start)?;
    if attained(&evaluation) {
        return Ok(single(fill.unvisited(policy, &evaluation.visited)));
    }
    let drawn = |way: Way| WeightedPolicy { weight: way.weight, policy: fill.unvisited(way.policy, &way.visits.visited) };
    Ok(ways.into_iter().map(drawn).collect())
}

/// One policy of the mixture and what it visits on the way from the start.
struct Way {
    weight: f64,
    policy: Policy,
    visits: Evaluation,
}

/// Fills in actions.
struct Fill<'a> {
    scope: &'a Scope<'a>,
    mixture: &'a Mixture<'a>,
    occupancy: &'a [f64],
    mass: &'a [f64],
}

impl Fill<'_> {
    fn model(&self) -> &Cmdp {
        self.scope.choices.model
    }

    /// The stationary policy of the occupancy; on the way there, in proportion to the visits of `ways`; elsewhere by
    /// the rule.
    fn policy(&self, ways: &[Way], mass: &[f64], rule: OffSupport) -> Policy {
        let model = self.model();
        let mut probabilities = self.occupancy.to_vec();
        let mut known: Vec<bool> = mass.iter().map(|&mass| mass > 0.0).collect();
        for state in (0..model.states()).filter(|&s| mass[s] == 0.0) {
            for way in ways {
                let visits = way.weight * way.visits.transient_visits[state];
                for pair in model.pairs_of(state) {
                    probabilities[pair] += visits * way.policy.probabilities()[pair];
                }
                known[state] |= visits > 0.0;
            }
        }
        for state in (0..model.states()).filter(|&s| known[s]) {
            let row = &mut probabilities[model.pairs_of(state)];
            let total: f64 = row.iter().sum();
            row.iter_mut().for_each(|p| *p /= total);
        }
        self.apply(probabilities, &known, rule)
    }

    /// Gives the states that are not `known` actions by a rule.
    fn apply(&self, mut probabilities: Vec<f64>, known: &[bool], rule: OffSupport) -> Policy {
        let model = self.model();
        let actions = match rule {
            OffSupport::Pinned if known.iter().any(|known| !known) => self.pinned(known),
            _ => vec![NONE; model.states()],
        };
        for state in (0..model.states()).filter(|&s| !known[s]) {
            let pairs = model.pairs_of(state);
            let row = &mut probabilities[pairs.clone()];
            row.fill(0.0);
            match (rule, actions[state]) {
                (OffSupport::Pinned, pair) if pair != NONE => row[pair as usize - pairs.start] = 1.0,
                (OffSupport::First, _) => row[0] = 1.0,
                _ => row.fill(1.0 / pairs.len() as f64),
            }
        }
        Policy::from_rows(probabilities)
    }

    /// The pinned rule with the occupied states visited. From several components there is no common bias: then, and
    /// for states that the start never reaches, the way back is the shortest.
    fn pinned(&self, known: &[bool]) -> Vec<u32> {
        let (scope, model) = (self.scope, self.model());
        let occupied: Vec<bool> = self.mass.iter().map(|&mass| mass > 0.0).collect();
        let mut parts = (0..model.states()).filter(|&s| occupied[s]).map(|s| scope.parts.of[s]);
        let first = parts.next();
        let one_part = parts.all(|part| Some(part) == first);
        let gain = dot(self.mixture.weighted, self.occupancy);
        let steps = vec![-1.0; model.pairs()];
        let flat = vec![0.0; model.states()];
        let wanted: Vec<bool> = (0..model.states()).map(|s| !known[s] && scope.within[s]).collect();
        let target = if one_part { &occupied } else { known };
        let rule = Pinned { choices: scope.choices, visited: target, wanted: &wanted, weighted: &steps, gain: 0.0, bias: &flat };
        let rule = match one_part {
            true => Pinned { weighted: self.mixture.weighted, gain, bias: self.mixture.bias, ..rule },
            false => rule,
        };
        let mut actions = rule.actions();
        let outside: Vec<bool> = (0..model.states()).map(|s| !known[s] && !scope.within[s]).collect();
        if outside.contains(&true) {
            let back: Vec<bool> = (0..model.states()).map(|s| known[s] || actions[s] != NONE).collect();
            let rule = Pinned { visited: &back, wanted: &outside, weighted: &steps, gain: 0.0, bias: &flat, ..rule };
            for (action, way) in actions.iter_mut().zip(rule.actions()) {
                *action = if way != NONE { way } else { *action };
            }
        }
        actions
    }

    /// The policy of one column, uniform where it has none.
    fn of_column(&self, column: &Column) -> Policy {
        let model = self.model();
        let mut policy = Policy::uniform(model).into_rows();
        for state in (0..model.states()).filter(|&s| self.scope.within[s] && column.chosen.pair[s] != NONE) {
            policy[model.pairs_of(state)].fill(0.0);
            policy[column.chosen.pair[state] as usize] = 1.0;
        }
        Policy::from_rows(policy)
    }

    /// Gives the states that are never visited the actions of the rule that was asked for.
    fn unvisited(&self, policy: Policy, visited: &[bool]) -> Policy {
        self.apply(policy.into_rows(), visited, self.mixture.off_support)
    }
}

/// How many recurrent classes the occupancy has under its own policy.
fn classes(scope: &Scope, mixture: &Mixture, occupancy: &[f64]) -> usize {
    let model = scope.choices.model;
    if scope.choices.always_unichain() {
        return 1;
    }
    let mut graph = Graph::default();
    graph.clear();
    let mut occupied = vec![false; model.states()];
    for state in 0..model.states() {
        occupied[state] = occupancy[model.pairs_of(state)].iter().any(|&mass| mass > 0.0);
        for (_, column) in mixture.columns.iter().filter(|(_, column)| column.mass[state] > 0.0) {
            column.chosen.successors(&scope.choices, state, |next, _| graph.to.push(next as u32));
        }
        graph.end_node();
    }
    let parts = strong_components(&graph);
    let mut seen = vec![false; parts.count];
    (0..model.states()).filter(|&s| occupied[s]).for_each(|s| seen[parts.of[s] as usize] = true);
    seen.iter().filter(|&&seen| seen).count()
}
