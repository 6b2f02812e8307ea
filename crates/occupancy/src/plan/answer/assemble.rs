//! Turns a mixture of deterministic policies into a plan: one stationary policy where one attains the mixture's
//! occupancy, otherwise the policies themselves, one to be drawn at the start.

use super::off_support::Pinned;
use crate::chain::Evaluation;
use crate::chain::graph::{Graph, strong_components};
use crate::chain::{Wanted, average, averages, evaluate_way};
use crate::error::Result;
use crate::model::{Cmdp, Policy};
use crate::plan::response::Scope;
use crate::plan::response::column::Column;
use crate::plan::response::policy_iteration::dot;
use crate::plan::response::region::NONE;
use crate::plan::{Ended, Evaluations, OffSupport, Plan, WeightedPolicy};

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

/// The plan of a mixture, without prices and gap, in the vectors of another one; and biases of its policy, if that is a single
/// one on a large model.
pub(crate) fn assemble(scope: &Scope, mixture: &Mixture, into: Plan) -> Result<(Plan, Vec<Vec<f64>>)> {
    let model = scope.choices.model;
    let Plan { policies: before, mut occupancy, mut costs, mut prices, .. } = into;
    occupancy.clear();
    occupancy.resize(model.pairs(), 0.0);
    for (weight, column) in mixture.columns {
        for state in (0..model.states()).filter(|&s| column.mass[s] > 0.0) {
            occupancy[column.chosen.pair[state] as usize] += weight * column.mass[state];
        }
    }
    let classes = classes(scope, mixture, &occupancy);
    let (weighted, bias) = (mixture.weighted, mixture.bias);
    let draft = Draft { scope, occupancy: &occupancy, weighted, bias, off_support: mixture.off_support };
    let Policies { policies, switched, biases } = policies(&draft, mixture, classes, before)?;
    let gain = average(model, 0, &occupancy);
    costs.clear();
    costs.extend((1..=model.costs()).map(|k| average(model, k, &occupancy)));
    prices.clear();
    let evaluations = Evaluations { switched, ..Evaluations::default() };
    let (gap, ended) = (f64::NAN, Ended::default());
    Ok((Plan { policies, occupancy, gain, costs, prices, gap, classes, evaluations, ended }, biases))
}

/// The policies of a plan.
struct Policies {
    policies: Vec<WeightedPolicy>,
    /// How many chains iteration did not solve in evaluating them.
    switched: usize,
    /// As in [`Evaluation::biases`], of a single policy.
    biases: Vec<Vec<f64>>,
}

/// The policies, in the vectors of others.
fn policies(
    draft: &Draft,
    mixture: &Mixture,
    classes: usize,
    mut into: Vec<WeightedPolicy>,
) -> Result<Policies> {
    let (scope, model) = (draft.scope, draft.scope.choices.model);
    let rows = into.pop().map_or(Vec::new(), |one| one.policy.into_rows());
    into.clear();
    let mut single = |policy, switched, biases| {
        into.push(WeightedPolicy { weight: 1.0, policy });
        Ok(Policies { policies: std::mem::take(&mut into), switched, biases })
    };
    let Some(start) = scope.start().filter(|_| !scope.choices.always_unichain()) else {
        return single(draft.policy(&[], mixture.off_support, rows), 0, Vec::new());
    };
    let stated = averages(model, draft.occupancy);
    // Into a single class every way leads: none has to be looked at.
    if classes == 1
        && let Some((policy, evaluation)) = draft.attaining(&[], start, &stated, Wanted::Averages)?
    {
        return single(policy, evaluation.switched, evaluation.biases);
    }
    let mut visits = vec![0.0; model.pairs()];
    let (mut ways, mut switched) = (Vec::new(), 0);
    for (weight, column) in mixture.columns {
        let policy = draft.of_column(column);
        let (way, transient) = evaluate_way(model, &policy, start, Wanted::Way)?;
        for state in (0..model.states()).filter(|&s| transient[s] > 0.0) {
            visits[column.chosen.pair[state] as usize] += weight * transient[state];
        }
        switched += way.switched;
        ways.push((*weight, policy, way.visited));
    }
    if let Some((policy, evaluation)) = draft.attaining(&visits, start, &stated, Wanted::Averages)? {
        return single(policy, switched + evaluation.switched, evaluation.biases);
    }
    let drawn = |(weight, policy, visited): (f64, Policy, Vec<bool>)| {
        let policy = draft.apply(policy.into_rows(), &visited, draft.off_support);
        WeightedPolicy { weight, policy }
    };
    Ok(Policies { policies: ways.into_iter().map(drawn).collect(), switched, biases: Vec::new() })
}

/// An occupancy that is to become a stationary policy.
pub(crate) struct Draft<'a> {
    pub scope: &'a Scope<'a>,
    /// μ(s,a).
    pub occupancy: &'a [f64],
    /// w(s,a) at the prices, and a bias for it on the occupied states.
    pub weighted: &'a [f64],
    pub bias: &'a [f64],
    pub off_support: OffSupport,
}

impl Draft<'_> {
    fn model(&self) -> &Cmdp {
        self.scope.choices.model
    }

    fn is_occupied(&self, state: usize) -> bool {
        self.occupancy[self.model().pairs_of(state)].iter().any(|&mass| mass > 0.0)
    }

    /// The stationary policy of the occupancy with `visits` on the way, if it attains the stated gain and costs from
    /// the start; with its evaluation.
    pub fn attaining(
        &self,
        visits: &[f64],
        start: &[(usize, f64)],
        stated: &[f64],
        wanted: Wanted,
    ) -> Result<Option<(Policy, Evaluation)>> {
        let model = self.model();
        let policy = self.policy(visits, OffSupport::Pinned, Vec::new());
        let (evaluation, _) = evaluate_way(model, &policy, start, wanted)?;
        let found = std::iter::once(&evaluation.gain).chain(&evaluation.costs);
        let close = |(k, (x, y)): (usize, (&f64, &f64))| (x - y).abs() <= ATTAINED * model.signals().size(k);
        if !found.zip(stated).enumerate().all(close) {
            return Ok(None);
        }
        let policy = self.apply(policy.into_rows(), &evaluation.visited, self.off_support);
        Ok(Some((policy, evaluation)))
    }

    /// Acts in proportion to the occupancy; on the way there, in proportion to the visits (one number per pair, or
    /// none); elsewhere by the rule. Written into a vector of whatever content.
    pub fn policy(&self, visits: &[f64], rule: OffSupport, mut probabilities: Vec<f64>) -> Policy {
        let model = self.model();
        probabilities.clear();
        probabilities.extend_from_slice(self.occupancy);
        let mut all_known = true;
        for state in 0..model.states() {
            let pairs = model.pairs_of(state);
            let row = &mut probabilities[pairs.clone()];
            let mut total: f64 = row.iter().sum();
            if total == 0.0 && !visits.is_empty() {
                row.copy_from_slice(&visits[pairs]);
                total = row.iter().sum();
            }
            all_known &= total > 0.0;
            if total > 0.0 {
                row.iter_mut().for_each(|p| *p /= total);
            }
        }
        if all_known {
            return Policy::from_rows(probabilities);
        }
        let is_known = |state: usize| probabilities[model.pairs_of(state)].iter().sum::<f64>() > 0.0;
        let known: Vec<bool> = (0..model.states()).map(is_known).collect();
        self.apply(probabilities, &known, rule)
    }

    /// Gives the states that are not `known` actions by a rule.
    pub fn apply(&self, mut probabilities: Vec<f64>, known: &[bool], rule: OffSupport) -> Policy {
        let model = self.model();
        let actions = match rule {
            OffSupport::Pinned if known.contains(&false) => self.pinned(known),
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

    /// The pinned rule towards the occupied states. Several components have no common bias: then, and for states
    /// that the start never reaches, the way to a known state is the one of least expected time.
    fn pinned(&self, known: &[bool]) -> Vec<u32> {
        let (scope, model) = (self.scope, self.model());
        let states = 0..model.states();
        // Of a policy that is drawn, the states that only others visit are no place to return to.
        let occupied: Vec<bool> = states.clone().map(|s| known[s] && self.is_occupied(s)).collect();
        let mut parts = states.clone().filter(|&s| occupied[s]).map(|s| scope.parts.of[s]);
        let first = parts.next();
        let one_part = parts.all(|part| Some(part) == first);
        let (steps, flat) = (vec![-1.0; model.pairs()], vec![0.0; model.states()]);
        let nearest = |visited, wanted| Pinned {
            choices: scope.choices,
            visited,
            wanted,
            weighted: &steps,
            gain: 0.0,
            bias: &flat,
        };
        let wanted: Vec<bool> = states.clone().map(|s| !known[s] && scope.within[s]).collect();
        let mut actions = match one_part {
            true => {
                let gain = dot(self.weighted, self.occupancy);
                let rule = nearest(&occupied, &wanted);
                Pinned { weighted: self.weighted, gain, bias: self.bias, ..rule }.actions()
            }
            false => nearest(known, &wanted).actions(),
        };
        let outside: Vec<bool> = states.clone().map(|s| !known[s] && !scope.within[s]).collect();
        if outside.contains(&true) {
            let back: Vec<bool> = states.map(|s| known[s] || actions[s] != NONE).collect();
            let ways = nearest(&back, &outside).actions();
            actions
                .iter_mut()
                .zip(ways)
                .filter(|(_, way)| *way != NONE)
                .for_each(|(action, way)| *action = way);
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

#[cfg(test)]
mod tests;
