//! Turns a mixture of deterministic policies into a plan: occupancies add up, and one policy acts in proportion to their sum.

use super::connect::connect;
use super::episodes::{Answers, Episodes};
use super::search::{Found, loop_names};
use super::stationary::{Pairs, Stationary};
use crate::chain::evaluate_sum;
use crate::chain::reaching::visited;
use crate::error::{Error, Result, SumProblem};
use crate::model::{Cmdp, Policy, Value};
use crate::plan::{Ended, Evaluations, Infeasible, OffSupport, Plan, Verdict, WeightedPolicy};

/// What was found about a problem, as a verdict: `occupancy` and `policy` have a table for every stage.
fn verdict<P>(found: &Found<P>, occupancy: Vec<f64>, policy: Policy, value: Value) -> Verdict {
    let policies = vec![WeightedPolicy { weight: 1.0, policy }];
    let evaluations = Evaluations::default();
    if let Some(violation) = found.violation {
        let (least_costs, weights) = (value.costs, found.prices.clone());
        return Verdict::Infeasible(Infeasible {
            violation,
            least_costs,
            policies,
            occupancy,
            weights,
            evaluations,
        });
    }
    let gap = (found.upper - value.reward).max(0.0);
    Verdict::Optimal(Plan {
        policies,
        occupancy,
        value,
        prices: found.prices.clone(),
        gap,
        classes: 0,
        evaluations,
        ended: found.ended,
    })
}

/// The weights of the signals at the prices of an answer: that to which states that are never visited respond.
fn final_weights<P>(found: &Found<P>) -> Vec<f64> {
    let reward = if found.violation.is_some() { 0.0 } else { 1.0 };
    std::iter::once(reward).chain(found.prices.iter().map(|price| -price)).collect()
}

/// The gains of all signals, summed from an occupancy.
fn value_of(model: &Cmdp, gain: impl Fn(usize) -> f64) -> Value {
    let count = model.signals().count();
    Value { reward: gain(0), costs: (1..count).map(gain).collect(), errors: vec![0.0; count] }
}

/// Divides the masses of each state by their sum; `otherwise` fills the row of a state without any.
fn normalise(model: &Cmdp, masses: &mut [f64], mut otherwise: impl FnMut(usize, &mut [f64])) {
    for state in 0..model.states() {
        let row = &mut masses[model.pairs_of(state)];
        let total: f64 = row.iter().sum();
        if total > 0.0 {
            row.iter_mut().for_each(|p| *p /= total);
        } else {
            otherwise(state, row);
        }
    }
}

/// What a policy does in a state that is never visited, given the action that is best there.
fn off_support(rule: OffSupport, row: &mut [f64], best: usize) {
    match rule {
        OffSupport::Uniform => {
            let share = 1.0 / row.len() as f64;
            row.fill(share);
        }
        OffSupport::First => row[0] = 1.0,
        OffSupport::Pinned => row[best] = 1.0,
    }
}

/// The plan of an episode.
pub(crate) fn of_episodes(
    episodes: &mut Episodes,
    found: Found<Answers>,
    rule: OffSupport,
) -> Result<Verdict> {
    let (model, horizon) = (episodes.layers.first(), episodes.layers.horizon());
    let pairs = model.pairs();
    let mut occupancy = vec![0.0; pairs * horizon];
    for (weight, column) in &found.mixture {
        episodes.answer(&column.policy)?;
        episodes.walk(|stage, pair, mass| occupancy[stage * pairs + pair] += weight * mass);
    }
    episodes.answer(&final_weights(&found))?;
    let mut probabilities = occupancy.clone();
    for (stage, table) in probabilities.chunks_exact_mut(pairs).enumerate() {
        normalise(model, table, |state, row| {
            off_support(rule, row, episodes.pair(stage, state) - model.pairs_of(state).start);
        });
    }
    let policy = Policy::unchecked(probabilities, horizon);
    let gain = |k: usize| -> f64 {
        let stage = |stage: usize| -> f64 {
            let signal = episodes.layers.at(stage).signals().signal(k).iter();
            signal.zip(&occupancy[stage * pairs..(stage + 1) * pairs]).map(|(x, mass)| x * mass).sum()
        };
        (0..horizon).map(stage).sum()
    };
    let value = value_of(model, gain);
    Ok(verdict(&found, occupancy, policy, value))
}

/// The plan of a discounted sum, or of one until absorption.
pub(crate) fn of_stationary(
    stationary: &mut Stationary,
    mut found: Found<Pairs>,
    rule: OffSupport,
) -> Result<Verdict> {
    let model = stationary.model;
    let best = stationary.policy.clone();
    let mut policy = mixed(stationary, &found, rule, &best)?;
    if let Some(loop_states) = cut_off_loop(stationary, &found, &policy) {
        let weights = final_weights(&found);
        if !connect(stationary, &mut found, &weights, &loop_states)? {
            let loop_through = loop_names(model, &loop_states);
            return Err(Error::Sum(SumProblem::NotAttained { supremum: found.upper, loop_through }));
        }
        policy = mixed(stationary, &found, rule, &best)?;
    }
    let (occupancy, value) = attained(stationary, &policy)?;
    if found.ended == Ended::Proved && found.upper < value.reward {
        found.upper = value.reward;
    }
    Ok(verdict(&found, occupancy, policy, value))
}

/// The occupancy of a policy, and what it is worth. On large models visits tell both: the values of the states, which nobody
/// asks for, would be a system of equations for each signal.
fn attained(stationary: &Stationary, policy: &Policy) -> Result<(Vec<f64>, Value)> {
    let (model, start) = (stationary.model, &stationary.start);
    if !stationary.is_swept() {
        let found = evaluate_sum(model, &stationary.criterion, policy, start)?;
        return Ok((found.occupancy, found.value));
    }
    let occupancy = stationary.ending().occupancy(policy, start)?;
    let gain = |k: usize| -> f64 {
        model.signals().signal(k).iter().zip(&occupancy).map(|(x, mass)| x * mass).sum()
    };
    let value = value_of(model, gain);
    Ok((occupancy, value))
}

/// The policy of a mixture; `best` acts in states that it never visits.
fn mixed(
    stationary: &mut Stationary,
    found: &Found<Pairs>,
    rule: OffSupport,
    best: &Pairs,
) -> Result<Policy> {
    let model = stationary.model;
    let mut masses_of_pairs = vec![0.0; model.pairs()];
    for (weight, column) in &found.mixture {
        let masses = match column.loop_states.first() {
            Some(&state) => stationary.law_of(&column.policy, state as usize)?.0,
            None => stationary.visits_of(&column.policy)?,
        };
        for state in (0..model.states()).filter(|&state| masses[state] > 0.0 && !stationary.is_end[state]) {
            masses_of_pairs[column.policy[state] as usize] += weight * masses[state];
        }
    }
    normalise(model, &mut masses_of_pairs, |state, row| {
        off_support(rule, row, best[state] as usize - model.pairs_of(state).start);
    });
    Policy::new(model, masses_of_pairs)
}

/// The states of a loop in the mixture that its policy never comes to.
fn cut_off_loop(stationary: &Stationary, found: &Found<Pairs>, policy: &Policy) -> Option<Vec<u32>> {
    let loops: Vec<&Vec<u32>> = found
        .mixture
        .iter()
        .map(|(_, column)| &column.loop_states)
        .filter(|states| !states.is_empty())
        .collect();
    if loops.is_empty() {
        return None;
    }
    let mut seen = vec![false; stationary.model.states()];
    let order = visited(stationary.model, policy, &stationary.start, &stationary.is_end, |_, _| {});
    order.into_iter().for_each(|state| seen[state] = true);
    loops.into_iter().find(|states| states.iter().any(|&state| !seen[state as usize])).cloned()
}
