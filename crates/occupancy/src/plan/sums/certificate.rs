//! Proofs of what is said about sums: values that bound every policy from above, and those of the policies themselves.

use super::search::{Column, Responder};
use super::start_of;
use super::stationary::{Pairs, Stationary};
use crate::arithmetic::Interval;
use crate::arithmetic::extremes::{greater, greatest_size};
use crate::chain::unless_stopped;
use crate::chain::{evaluate, evaluate_sum};
use crate::error::{Error, Result};
use crate::model::{Cmdp, Criterion, Policy};
use crate::plan::{Certificate, CountedPolicy, Problem, Verdict};
use crate::stop::StopFlag;
use crate::verify::{PolicyValues, PricedValue, SignalValue, SumQuestion, Values, Witness, priced, prove};

/// Steps of policy iteration after which the best response counts as found.
const STEPS: usize = 1000;

/// How often discounted values are raised until they bound what follows.
const ROUNDS: usize = 40;

/// How often prices are moved away from loops that pay exactly nothing at them, so that rounding cannot make them pay.
const MOVES: usize = 200;

/// By how much signals are raised until absorption, as a share of the largest, so that the values of the best response bound what
/// follows with room for rounding. It is raised if that is not enough.
const MARGIN: f64 = 1e-13;

/// Proves a verdict on a problem whose criterion is a sum. The flag ends it with [`Error::Stopped`].
pub(crate) fn certify(problem: &Problem, verdict: &Verdict, stop: &StopFlag) -> Result<Certificate> {
    let Problem { model, criterion, origin } = problem;
    let (policies, reward, prices) = match verdict {
        Verdict::Optimal(plan) => (&plan.policies, 1.0, &plan.prices),
        Verdict::Infeasible(found) => (&found.policies, 0.0, &found.weights),
    };
    let [one] = &policies[..] else {
        return Err(Error::Unproved { reason: "a sum is attained by one policy, not by several".into() });
    };
    let start = start_of(model, *origin)?;
    let attained = vec![policy_values(model, criterion, &one.policy, &start)?];
    unless_stopped(stop)?;
    let (prices, value) = upper(problem, &one.policy, (reward, prices), stop)?;
    unless_stopped(stop)?;
    let witness = if reward > 0.0 {
        Witness::OptimalSum { upper: PricedValue { prices, value }, policies: attained }
    } else {
        Witness::InfeasibleSum { weights: prices, value: value.negated(), policies: attained }
    };
    let proof = prove(model, criterion, *origin, &[(1.0, &one.policy)], &witness)
        .map_err(|refuted| Error::Unproved { reason: refuted.to_string() })?;
    let parts = vec![CountedPolicy { weight: 1.0, policy: 0, from: None }];
    Ok(Certificate { proof, witness, parts })
}

/// What a policy is worth, and until absorption how long it takes.
fn policy_values(
    model: &Cmdp,
    criterion: &Criterion,
    policy: &Policy,
    start: &[(usize, f64)],
) -> Result<PolicyValues> {
    let found = evaluate_sum(model, criterion, policy, start)?;
    let states = model.states();
    let values = |values: Vec<f64>| match criterion {
        Criterion::Episodes { .. } => {
            Values::Staged(values.chunks_exact(states).map(<[f64]>::to_vec).collect())
        }
        _ => Values::Stationary(values),
    };
    let signals = found.values.into_iter().map(|table| SignalValue { value: values(table) }).collect();
    let steps = match criterion {
        Criterion::Until { .. } => {
            let counted = model.with_signals(vec![1.0; model.pairs()], Vec::new(), &[])?;
            let mut steps = evaluate_sum(&counted, criterion, policy, start)?.values.remove(0);
            // A little more than the solution satisfies the inequality, whatever rounding did.
            steps.iter_mut().for_each(|steps| *steps *= 1.0 + 1e-6);
            Some(steps)
        }
        _ => None,
    };
    Ok(PolicyValues { signals, steps })
}

/// Prices near those given, and values that no policy exceeds for the signals at them.
fn upper(
    problem: &Problem,
    policy: &Policy,
    (reward, prices): (f64, &[f64]),
    stop: &StopFlag,
) -> Result<(Vec<f64>, Values)> {
    let model = problem.model;
    let usable = |(i, budget): (usize, &f64)| {
        let price = prices.get(i).copied().unwrap_or(0.0);
        if budget.is_finite() && price > 0.0 && price.is_finite() { price } else { 0.0 }
    };
    let prices: Vec<f64> = model.budgets().iter().enumerate().map(usable).collect();
    let question = SumQuestion::new(model, &problem.criterion, problem.origin)
        .map_err(|refuted| Error::Unproved { reason: refuted.to_string() })?;
    if let Criterion::Episodes { horizon } = problem.criterion {
        let value = backward(&question, model, horizon, |pair| priced(model, reward, &prices, pair));
        return Ok((prices, value));
    }
    let size = (0..model.signals().count()).map(|k| model.signals().size(k)).fold(0.0, f64::max);
    let (mut moved, mut margin) = (prices, MARGIN * size);
    for _ in 0..MOVES {
        match stationary_bound(problem, &question, policy, (reward, &moved, margin), stop)? {
            Bound::Values(value) => return Ok((moved, value)),
            Bound::Pays(gains) => move_away(model, reward, &gains, 4.0 * margin, &mut moved),
            Bound::TooClose => margin *= 8.0,
        }
    }
    Err(Error::Unproved { reason: "loops pay at all prices near those of the budgets, by rounding".into() })
}

/// Moves prices to the nearest ones at which a loop loses a little.
fn move_away(model: &Cmdp, reward: f64, gains: &[f64], margin: f64, prices: &mut [f64]) {
    let costs = prices.iter().zip(&gains[1..]).map(|(price, cost)| price * cost);
    let pays = reward * gains[0] - costs.sum::<f64>();
    let bounded = |i: usize| model.budgets()[i].is_finite();
    let length: f64 = (0..prices.len()).filter(|&i| bounded(i)).map(|i| gains[i + 1] * gains[i + 1]).sum();
    let step = (pays.max(0.0) + margin) / length;
    for i in (0..prices.len()).filter(|&i| bounded(i) && length > 0.0) {
        prices[i] = (prices[i] + step * gains[i + 1]).max(0.0);
    }
}

/// What policy iteration at prices comes to.
enum Bound {
    /// Values that no policy exceeds.
    Values(Values),
    /// A loop that pays at the prices, and what each signal is on average there.
    Pays(Vec<f64>),
    /// Values that bound what follows only up to rounding.
    TooClose,
}

/// v_h = max w + P v_{h+1}, each rounded up as far as the check needs it.
fn backward(
    question: &SumQuestion,
    model: &Cmdp,
    horizon: usize,
    signal: impl Fn(usize) -> Interval,
) -> Values {
    let mut later = vec![0.0; model.states()];
    let mut tables = vec![Vec::new(); horizon];
    for table in tables.iter_mut().rev() {
        let mut here = later.clone();
        for state in 0..model.states() {
            let over = |here: &[f64]| {
                let over = |pair| question.residual(pair, state, signal(pair), here, &later).high;
                model.pairs_of(state).map(over).fold(f64::NEG_INFINITY, greater)
            };
            here[state] += over(&here);
            // The sum above was rounded: a few units in the last place make up for it.
            let mut unit = f64::EPSILON * (here[state].abs() + later[state].abs());
            while over(&here) > 0.0 {
                here[state] += unit.max(f64::MIN_POSITIVE);
                unit *= 2.0;
            }
        }
        table.clone_from(&here);
        later = here;
    }
    Values::Staged(tables)
}

/// The values of a best response, raised so that they bound what follows: all by the same number if the sum is discounted, and
/// otherwise by a margin on every step.
fn stationary_bound(
    problem: &Problem,
    question: &SumQuestion,
    policy: &Policy,
    (reward, prices, margin): (f64, &[f64], f64),
    stop: &StopFlag,
) -> Result<Bound> {
    let model = problem.model;
    let signals = model.signals();
    let margin = if problem.criterion.mass().is_some() { 0.0 } else { margin };
    let weighted = (0..model.pairs()).map(|pair| {
        let costs: f64 = prices.iter().enumerate().map(|(i, price)| price * signals.cost(i)[pair]).sum();
        reward * signals.reward()[pair] - costs + margin
    });
    let asked = model.with_signals(weighted.collect(), Vec::new(), &[])?;
    let start = start_of(model, problem.origin)?;
    let mut response = Stationary::new(&asked, &problem.criterion, start, stop.clone())?;
    response.begin_with(policy)?;
    if let Some(column) = respond(&mut response)? {
        let policy = Policy::deterministic(model, column.policy.iter().map(|&pair| pair as usize))?;
        let gains = evaluate(model, &policy, &[(column.loop_states[0] as usize, 1.0)])?.value;
        return Ok(Bound::Pays(std::iter::once(gains.reward).chain(gains.costs).collect()));
    }
    let mut value = response.weighted;
    for _ in 0..ROUNDS {
        let most = excess(model, question, &value, |pair| priced(model, reward, prices, pair));
        if most <= 0.0 {
            return Ok(Bound::Values(Values::Stationary(value)));
        }
        let Criterion::Discounted { factor } = problem.criterion else { return Ok(Bound::TooClose) };
        let size = greatest_size(value.iter().copied());
        let shift = 1.5 * most / (1.0 - factor) + 2.0 * f64::EPSILON * size;
        value.iter_mut().for_each(|v| *v += shift);
    }
    Ok(Bound::TooClose)
}

/// Policy iteration to its end, or to a loop that pays.
fn respond(response: &mut Stationary) -> Result<Option<Column<Pairs>>> {
    for _ in 0..STEPS {
        let found = response.respond(&[1.0])?;
        if found.column.is_loop() {
            return Ok(Some(found.column));
        }
        if found.optimal {
            break;
        }
    }
    Ok(None)
}

/// The greatest w + γ P v − v of the pairs that may be taken, rounded up.
fn excess(model: &Cmdp, question: &SumQuestion, value: &[f64], signal: impl Fn(usize) -> Interval) -> f64 {
    let mut most = f64::NEG_INFINITY;
    for state in (0..model.states()).filter(|&state| question.matters(state)) {
        for pair in model.pairs_of(state).filter(|&pair| question.may_take(pair)) {
            most = greater(most, question.residual(pair, state, signal(pair), value, value).high);
        }
    }
    most
}
