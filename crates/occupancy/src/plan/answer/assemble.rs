//! Turns a mixture of deterministic policies into a plan: one stationary policy where one attains the mixture's
//! occupancy, otherwise the policies themselves, one to be drawn at the start.

mod drawn;

use super::off_support::Pinned;
use crate::chain::Evaluation;
use crate::chain::graph::{Graph, strong_components};
use crate::chain::solver::{Solver, Way};
use crate::chain::{Wanted, average, averages, evaluate_way};
use crate::error::Result;
use crate::model::{Cmdp, Policy, Value};
use crate::plan::response::Scope;
use crate::plan::response::column::Column;
use crate::plan::response::policy_iteration::dot;
use crate::plan::response::region::NONE;
use crate::plan::tolerance::ATTAINED;
use crate::plan::{Ended, Evaluations, OffSupport, Plan, WeightedPolicy};
use crate::threads::at_once;
use drawn::of_column;

/// Policies with weights, and what is known at the prices they answer.
pub(crate) struct Mixture<'a> {
    pub columns: &'a [(f64, Column)],
    /// w(s,a) at the prices, and a bias for it.
    pub weighted: &'a [f64],
    pub bias: &'a [f64],
    /// Biases of a policy like these, by signal and state; none on small scopes.
    pub guesses: &'a [Vec<f64>],
    /// How their chains were solved.
    pub way: Way,
    pub off_support: OffSupport,
}

/// On large scopes, states with less mass than this in a policy count as not visited. What policies do where they hardly ever come was never improved:
/// some stay there for 1e20 steps, and no proof in double precision gets over that.
const NEGLIGIBLE: f64 = 1e-20;

/// The plan of a mixture, without prices and gap, in the vectors of another one; and biases of its policy, if that is a single
/// one on a large model.
pub(crate) fn assemble(scope: &Scope, mixture: &Mixture, into: Plan) -> Result<(Plan, Vec<Vec<f64>>)> {
    let model = scope.choices.model;
    let Plan { policies: before, mut occupancy, mut value, mut prices, .. } = into;
    occupancy.clear();
    occupancy.resize(model.pairs(), 0.0);
    let least = if scope.is_large() { NEGLIGIBLE } else { 0.0 };
    for (weight, column) in mixture.columns {
        for state in (0..model.states()).filter(|&s| column.mass[s] > least) {
            occupancy[column.chosen.pair[state] as usize] += weight * column.mass[state];
        }
    }
    let classes = classes(scope, mixture, &occupancy);
    let (weighted, bias) = (mixture.weighted, mixture.bias);
    let Mixture { way, off_support, .. } = *mixture;
    let draft = Draft { scope, occupancy: &occupancy, weighted, bias, way, off_support, hurries: false };
    let Policies { policies, switched, evaluation } = policies(&draft, mixture, classes, before)?;
    value.reward =
        attained(scope, mixture, &occupancy, evaluation.as_ref(), (&mut value.costs, &mut value.errors));
    prices.clear();
    let evaluations = Evaluations { switched, ..Evaluations::default() };
    let (gap, ended) = (f64::NAN, Ended::default());
    let biases = evaluation.map_or(Vec::new(), |found| found.biases);
    Ok((Plan { policies, occupancy, value, prices, gap, classes, evaluations, ended }, biases))
}

/// The gain of a plan, its costs, and how far each may be off. On small scopes they are averages over the occupancy, which has
/// all digits but the last. A law that was found by iteration has no bound of its error, so that on large ones they are
/// those of the single policy as it was evaluated, or else those of the columns.
fn attained(
    scope: &Scope,
    mixture: &Mixture,
    occupancy: &[f64],
    evaluation: Option<&Evaluation>,
    (costs, errors): (&mut Vec<f64>, &mut Vec<f64>),
) -> f64 {
    let model = scope.choices.model;
    costs.clear();
    errors.clear();
    if !scope.is_large() {
        costs.extend((1..=model.costs()).map(|k| average(model, k, occupancy)));
        errors.resize(model.signals().count(), 0.0);
        return average(model, 0, occupancy);
    }
    if let Some(found) = evaluation {
        costs.extend_from_slice(&found.value.costs);
        errors.extend_from_slice(&found.value.errors);
        return found.value.reward;
    }
    let value = of_columns(model, mixture.columns);
    costs.extend_from_slice(&value.costs);
    errors.extend_from_slice(&value.errors);
    value.reward
}

/// What policies that are drawn with their weights attain together, as they were evaluated.
fn of_columns(model: &Cmdp, columns: &[(f64, Column)]) -> Value {
    let sum = |of: fn(&Column) -> &[f64], k: usize| -> f64 {
        columns.iter().map(|(weight, column)| weight * of(column)[k]).sum()
    };
    Value {
        reward: sum(|column| &column.gains, 0),
        costs: (1..=model.costs()).map(|k| sum(|column| &column.gains, k)).collect(),
        errors: (0..=model.costs()).map(|k| sum(|column| &column.errors, k)).collect(),
    }
}

/// The policies of a mixture as they are, one to be drawn at the start: what there is if somebody insists on the end before they
/// are put together. Nothing is known of their occupancy, nor of how many classes it has.
pub(crate) fn unassembled(scope: &Scope, columns: &[(f64, Column)]) -> Plan {
    let drawn = |(weight, column): &(f64, Column)| WeightedPolicy {
        weight: *weight,
        policy: of_column(scope, column),
    };
    let value = of_columns(scope.choices.model, columns);
    // Somebody waits: a policy of ten million states is 0.3 GB.
    Plan { policies: at_once(columns.iter().collect(), drawn), value, ended: Ended::Stopped, ..Plan::empty() }
}

/// The policies of a plan.
struct Policies {
    policies: Vec<WeightedPolicy>,
    /// How many chains iteration did not solve in evaluating them.
    switched: usize,
    /// That of a single policy, if it was asked for.
    evaluation: Option<Evaluation>,
}

/// The policies, in the vectors of others.
fn policies(
    draft: &Draft,
    mixture: &Mixture,
    classes: usize,
    mut into: Vec<WeightedPolicy>,
) -> Result<Policies> {
    let (scope, model) = (draft.scope, draft.scope.choices.model);
    let wanted = Wanted::Averages { guesses: mixture.guesses };
    let rows = into.pop().map_or(Vec::new(), |one| one.policy.into_probabilities());
    into.clear();
    let mut single = |policy, before, evaluation: Option<Evaluation>| {
        into.push(WeightedPolicy { weight: 1.0, policy });
        let switched = before + evaluation.as_ref().map_or(0, |found| found.switched);
        Ok(Policies { policies: std::mem::take(&mut into), switched, evaluation })
    };
    let Some(start) = scope.start().filter(|_| !scope.choices.always_unichain()) else {
        let policy = draft.policy(&[], mixture.off_support, rows);
        let evaluation = draft.evaluated_if_large(&policy, wanted)?;
        return single(policy, 0, evaluation);
    };
    let stated = averages(model, draft.occupancy);
    // Into a single class every way leads: none has to be looked at.
    if classes == 1
        && let Some((policy, evaluation)) = draft.attaining(&[], start, &stated, wanted)?
    {
        return single(policy, 0, Some(evaluation));
    }
    let mut visits = vec![0.0; model.pairs()];
    let (mut ways, mut switched) = (Vec::new(), 0);
    for (weight, column) in mixture.columns {
        let policy = of_column(scope, column);
        let (way, transient) = evaluate_way(model, &policy, start, Wanted::Way, draft.solver())?;
        for state in (0..model.states()).filter(|&s| transient[s] > 0.0) {
            visits[column.chosen.pair[state] as usize] += weight * transient[state];
        }
        switched += way.switched;
        ways.push((*weight, policy, way.visited));
    }
    if let Some((policy, evaluation)) = draft.attaining(&visits, start, &stated, wanted)? {
        return single(policy, switched, Some(evaluation));
    }
    let drawn = |((weight, policy, visited), (_, column)): ((f64, Policy, Vec<bool>), &(f64, Column))| {
        let policy = match draft.of_one(column, start, wanted)? {
            Some(policy) => policy,
            None => draft.apply(policy.into_probabilities(), &visited, draft.off_support),
        };
        Ok(WeightedPolicy { weight, policy })
    };
    let policies = ways.into_iter().zip(mixture.columns).map(drawn).collect::<Result<_>>()?;
    Ok(Policies { policies, switched, evaluation: None })
}

/// An occupancy that is to become a stationary policy.
pub(crate) struct Draft<'a> {
    pub scope: &'a Scope<'a>,
    /// μ(s,a).
    pub occupancy: &'a [f64],
    /// w(s,a) at the prices, and a bias for it on the occupied states.
    pub weighted: &'a [f64],
    pub bias: &'a [f64],
    /// How chains of policies like it were solved.
    pub way: Way,
    pub off_support: OffSupport,
    /// Whether the pinned rule returns in the least time, whatever the prices say.
    pub hurries: bool,
}

impl Draft<'_> {
    /// For chains of its policy.
    fn solver(&self) -> Solver {
        Solver::beginning(self.way, &self.scope.stop)
    }

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
        let (policy, known) = self.policy_and_known(visits, OffSupport::Pinned, Vec::new());
        let (evaluation, _) = evaluate_way(model, &policy, start, wanted, self.solver())?;
        let found = std::iter::once(&evaluation.value.reward).chain(&evaluation.value.costs);
        let close = |(k, (x, y)): (usize, (&f64, &f64))| (x - y).abs() <= ATTAINED * model.signals().size(k);
        if !found.zip(stated).enumerate().all(close) {
            return Ok(None);
        }
        // What is known is visited: the rule has been applied.
        if self.off_support == OffSupport::Pinned && known == evaluation.visited {
            return Ok(Some((policy, evaluation)));
        }
        let policy = self.apply(policy.into_probabilities(), &evaluation.visited, self.off_support);
        Ok(Some((policy, evaluation)))
    }

    /// What a policy attains that is followed from the occupied states, on a large scope of a model's own rows.
    fn evaluated_if_large(&self, policy: &Policy, wanted: Wanted) -> Result<Option<Evaluation>> {
        if !self.scope.is_large() || self.scope.choices.radii.is_some() {
            return Ok(None);
        }
        let model = self.model();
        let mass = |state: usize| self.occupancy[model.pairs_of(state)].iter().sum::<f64>();
        let total: f64 = self.occupancy.iter().sum();
        let start: Vec<(usize, f64)> = (0..model.states()).map(|s| (s, mass(s) / total)).collect();
        Ok(Some(evaluate_way(model, policy, &start, wanted, self.solver())?.0))
    }

    /// Acts in proportion to the occupancy; on the way there, in proportion to the visits (one number per pair, or
    /// none); elsewhere by the rule. Written into a vector of whatever content.
    pub fn policy(&self, visits: &[f64], rule: OffSupport, probabilities: Vec<f64>) -> Policy {
        self.policy_and_known(visits, rule, probabilities).0
    }

    /// [`Draft::policy`], and the states in which it does not act by the rule; none are listed if there are no others.
    fn policy_and_known(
        &self,
        visits: &[f64],
        rule: OffSupport,
        mut probabilities: Vec<f64>,
    ) -> (Policy, Vec<bool>) {
        let model = self.model();
        probabilities.clear();
        probabilities.extend_from_slice(self.occupancy);
        let mut known = Vec::new();
        for state in 0..model.states() {
            let pairs = model.pairs_of(state);
            let row = &mut probabilities[pairs.clone()];
            let mut total: f64 = row.iter().sum();
            if total == 0.0 && !visits.is_empty() {
                row.copy_from_slice(&visits[pairs]);
                total = row.iter().sum();
            }
            let is_known = total > 0.0;
            if !is_known && known.is_empty() {
                // Where all states are known, as in dense models, nothing is allocated.
                known.reserve_exact(model.states());
                known.resize(state, true);
            }
            if !is_known || !known.is_empty() {
                known.push(is_known);
            }
            if is_known {
                row.iter_mut().for_each(|p| *p /= total);
            }
        }
        if known.is_empty() {
            return (Policy::from_rows(probabilities), Vec::new());
        }
        (self.apply(probabilities, &known, rule), known)
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
            let taken = match (rule, actions[state]) {
                (OffSupport::Pinned, pair) if pair != NONE => Some(pair as usize),
                (OffSupport::First, _) => Some(pairs.start),
                _ => None,
            };
            let share = if taken.is_some() { 0.0 } else { 1.0 / pairs.len() as f64 };
            // One by one: to fill a few numbers takes a call.
            probabilities[pairs].iter_mut().for_each(|p| *p = share);
            if let Some(pair) = taken {
                probabilities[pair] = 1.0;
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
        let outside: Vec<bool> = states.clone().map(|s| !known[s] && !scope.within[s]).collect();
        let by_time = !one_part || self.hurries || outside.contains(&true);
        let (pairs, all) = if by_time { (model.pairs(), model.states()) } else { (0, 0) };
        let (steps, flat) = (vec![-1.0; pairs], vec![0.0; all]);
        let nearest = |visited, wanted| Pinned {
            choices: scope.choices,
            sources: scope.parts.sources.as_ref(),
            visited,
            wanted,
            weighted: &steps,
            gain: 0.0,
            bias: &flat,
        };
        let mut solver = Solver::beginning(Way::default(), &scope.stop);
        let wanted: Vec<bool> = states.clone().map(|s| !known[s] && scope.within[s]).collect();
        let mut actions = if self.hurries {
            nearest(&occupied, &wanted).actions(&mut solver)
        } else if one_part {
            let gain = dot(self.weighted, self.occupancy);
            let rule = nearest(&occupied, &wanted);
            Pinned { weighted: self.weighted, gain, bias: self.bias, ..rule }.actions(&mut solver)
        } else {
            nearest(known, &wanted).actions(&mut solver)
        };
        if outside.contains(&true) {
            let back: Vec<bool> = states.map(|s| known[s] || actions[s] != NONE).collect();
            let ways = nearest(&back, &outside).actions(&mut solver);
            actions
                .iter_mut()
                .zip(ways)
                .filter(|(_, way)| *way != NONE)
                .for_each(|(action, way)| *action = way);
        }
        actions
    }
}

/// How many recurrent classes the occupancy has under its own policy.
fn classes(scope: &Scope, mixture: &Mixture, occupancy: &[f64]) -> usize {
    let model = scope.choices.model;
    if scope.choices.always_unichain() {
        return 1;
    }
    // States without mass lead nowhere: they are in no class, and on no way from one to another.
    let has_mass = |&s: &usize| mixture.columns.iter().any(|(_, column)| column.mass[s] > 0.0);
    let states: Vec<usize> = (0..model.states()).filter(has_mass).collect();
    let mut node_of = vec![NONE; model.states()];
    (0u32..).zip(&states).for_each(|(node, &state)| node_of[state] = node);
    let mut graph = Graph::default();
    graph.clear();
    for &state in &states {
        for (_, column) in mixture.columns.iter().filter(|(_, column)| column.mass[state] > 0.0) {
            column.chosen.successors(&scope.choices, state, |next, _| {
                if node_of[next] != NONE {
                    graph.to.push(node_of[next]);
                }
            });
        }
        graph.end_node();
    }
    let parts = strong_components(&graph);
    let mut seen = vec![false; parts.count];
    for (&state, &part) in states.iter().zip(&parts.of) {
        seen[part as usize] |= occupancy[model.pairs_of(state)].iter().any(|&mass| mass > 0.0);
    }
    seen.iter().filter(|&&seen| seen).count()
}

#[cfg(test)]
mod tests;
