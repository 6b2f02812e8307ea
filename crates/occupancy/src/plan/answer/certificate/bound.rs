//! What no policy exceeds: a superharmonic pair at the prices of a verdict, by the bias of the best response to them.

use super::upper::superharmonic;
use crate::arithmetic::Interval;
use crate::arithmetic::extremes::greatest;
use crate::error::{Error, Result};
use crate::model::{Cmdp, Origin};
use crate::plan::response::evaluation::Evaluated;
use crate::plan::response::{Responder, Scope};
use crate::plan::tolerance::{RESCUE_GAP, SETTLED};
use crate::plan::{Ended, OffSupport, Planner, PriceSearch, Problem, Verdict};
use crate::verify::{Harmonic, PricedWitness};

/// Steps of policy iteration after which the best response counts as found: the bound is true for any bias.
const STEPS: usize = 1000;

/// Prices or weights, and the pair that bounds the weighted signal at them: from above, or if infeasible from below.
pub(super) fn proved(
    responder: &mut Responder,
    scope: &mut Scope,
    origin: Origin,
    verdict: &Verdict,
) -> Result<(Vec<f64>, Harmonic)> {
    let model = scope.choices.model;
    match verdict {
        Verdict::Optimal(plan) => {
            let prices: Vec<f64> = priced(model, &plan.prices);
            // A search that was stopped has no time left: any bias bounds the optimum, if not as closely.
            let steps = if plan.ended == Ended::Stopped { None } else { Some(STEPS) };
            let proof = bound(responder, scope, 1.0, &prices, steps)?;
            let mut upper = PricedWitness { prices, proof };
            let far = plan.value.reward + RESCUE_GAP * model.signals().size(0);
            if steps.is_some() && upper.value(model, origin).is_ok_and(|bound| bound > far) {
                upper = settled(responder, scope, origin, upper)?;
            }
            Ok((upper.prices, upper.proof))
        }
        Verdict::Infeasible(found) => {
            let weights = match &found.weights[..] {
                [] => least_violation_weights(model, origin)?,
                known => priced(model, known),
            };
            let proof = bound(responder, scope, 0.0, &weights, Some(STEPS))?;
            Ok((weights, proof.negated()))
        }
    }
}

impl PricedWitness {
    /// The same, or if it bounds less than that: no policy earns more than the greatest reward.
    pub(super) fn or_greatest_reward(self, model: &Cmdp, origin: Origin) -> PricedWitness {
        let most = greatest(model.signals().reward().iter().copied());
        match self.value(model, origin) {
            Ok(bound) if bound <= most => self,
            _ => {
                let proof = Harmonic::constant(most, model.states());
                PricedWitness { prices: vec![0.0; model.costs()], proof }
            }
        }
    }
}

/// The weights by which a search over prices proves that no policy meets the budgets; 0 if it finds one that does.
fn least_violation_weights(model: &Cmdp, origin: Origin) -> Result<Vec<f64>> {
    Ok(match PriceSearch::new(OffSupport::First).plan(&Problem::average(model).counted_from(origin))? {
        Verdict::Infeasible(found) => priced(model, &found.weights),
        Verdict::Optimal(_) => vec![0.0; model.costs()],
    })
}

/// Prices of the costs that have a budget; 0 for the others, whatever rounding left of theirs.
fn priced(model: &Cmdp, prices: &[f64]) -> Vec<f64> {
    let price = |(i, budget): (usize, &f64)| {
        let price = prices.get(i).copied().unwrap_or(0.0);
        if budget.is_finite() && price > 0.0 && price.is_finite() { price } else { 0.0 }
    };
    model.budgets().iter().enumerate().map(price).collect()
}

/// A superharmonic pair for `reward`·r − λ·c over all pairs, after as many improvements of the response as are needed and
/// allowed; without any, the response that is at hand is not even evaluated again.
fn bound(
    responder: &mut Responder,
    scope: &mut Scope,
    reward: f64,
    prices: &[f64],
    steps: Option<usize>,
) -> Result<Harmonic> {
    let model = scope.choices.model;
    let signal = |pair: usize| priced_signal(model, reward, prices, pair);
    let found = response(responder, scope, &weights(reward, prices), steps)
        .and_then(|()| superharmonic(scope, &signal, &responder.iteration.bias));
    match found {
        Ok(_) | Err(Error::Stopped { .. }) => found,
        // If no method evaluates the response, nothing is known but that no policy gets more than the greatest signal.
        Err(_) => {
            let most = greatest((0..model.pairs()).map(|pair| signal(pair).high));
            Ok(Harmonic::constant(most, model.states()))
        }
    }
}

/// `reward`·r − λ·c of a pair.
fn priced_signal(model: &Cmdp, reward: f64, prices: &[f64], pair: usize) -> Interval {
    let signals = model.signals();
    let costs = prices.iter().enumerate().filter(|(_, price)| **price > 0.0);
    let costs: Interval = costs.map(|(i, &price)| Interval::exact(signals.cost(i)[pair]).times(price)).sum();
    let reward = if reward == 0.0 { 0.0 } else { signals.reward()[pair] };
    Interval::exact(reward) - costs
}

fn weights(reward: f64, prices: &[f64]) -> Vec<f64> {
    std::iter::once(reward).chain(prices.iter().map(|price| 0.0 - price)).collect()
}

/// Another superharmonic pair, by the bias that settles ties, where the response's own bounds the optimum by far; or the known one, if
/// that is no worse.
fn settled(
    responder: &mut Responder,
    scope: &mut Scope,
    origin: Origin,
    known: PricedWitness,
) -> Result<PricedWitness> {
    let (model, weights) = (scope.choices.model, weights(1.0, &known.prices));
    let signal = |pair: usize| priced_signal(model, 1.0, &known.prices, pair);
    let found = settle(responder, scope, &weights)
        .and_then(|()| superharmonic(scope, &signal, &responder.iteration.bias));
    let proof = match found {
        Ok(proof) => proof,
        Err(Error::Stopped { violation }) => return Err(Error::Stopped { violation }),
        Err(_) => return Ok(known),
    };
    let other = PricedWitness { prices: known.prices.clone(), proof };
    let value = |upper: &PricedWitness| upper.value(model, origin).unwrap_or(f64::INFINITY);
    Ok(if value(&other) < value(&known) { other } else { known })
}

/// Leaves the bias that settles ties in the responder. A step may find a better policy instead, which is to be settled in its turn.
fn settle(responder: &mut Responder, scope: &mut Scope, weights: &[f64]) -> Result<()> {
    for _ in 0..STEPS {
        if responder.rescue(scope, weights)?.optimal {
            break;
        }
    }
    set_bias(responder, scope, weights);
    Ok(())
}

/// Leaves the bias of a good response to the weights in the responder.
fn response(
    responder: &mut Responder,
    scope: &mut Scope,
    weights: &[f64],
    steps: Option<usize>,
) -> Result<()> {
    let at_hand = |responder: &Responder| {
        let fits =
            |(states, evaluated): (&[u32], &Evaluated)| evaluated.has_biases(weights.len(), states.len());
        responder.evaluated.len() == scope.parts.members.len()
            && scope.parts.members.iter().zip(&responder.evaluated).all(fits)
    };
    let at_hand = at_hand(responder);
    let is_settled = at_hand && responder.evaluated.iter().all(|found| found.units_of_sum(weights).is_some());
    if is_settled || at_hand && (steps.is_none() || scope.is_large() && is_evaluated(responder, scope)) {
        responder.iteration.weigh(scope.choices.model, weights);
    } else {
        responder.evaluate_first(scope, weights, None)?;
    }
    let steps = if is_settled { 0 } else { steps.unwrap_or(0) };
    for _ in 0..steps {
        if responder.respond(scope, weights)?.optimal {
            break;
        }
    }
    set_bias(responder, scope, weights);
    Ok(())
}

/// Leaves the bias of the weighted signal, as it was evaluated last, in the responder.
fn set_bias(responder: &mut Responder, scope: &Scope, weights: &[f64]) {
    for (component, evaluated) in responder.evaluated.iter().enumerate() {
        responder.iteration.set_bias(&scope.region(component), weights, evaluated);
    }
}

/// Whether the biases at hand are those of the current policy in this model: an evaluation of a large one costs as much as all the
/// rest of a proof. They may be of another model with as many states.
fn is_evaluated(responder: &Responder, scope: &Scope) -> bool {
    let (model, chosen) = (scope.choices.model, &responder.chosen);
    let fits = |component: usize, k: usize| {
        let region = scope.region(component);
        let Evaluated { gains, biases, .. } = &responder.evaluated[component];
        let (signal, h) = (model.signals().signal(k), &biases[k]);
        region.states.iter().zip(h).all(|(&state, here)| {
            let pair = chosen.pair[state as usize] as usize;
            if !model.pairs_of(state as usize).contains(&pair) || !region.inside[pair] {
                return false;
            }
            let moves = model.kernel().row(pair).iter();
            let drift: f64 = moves.map(|(next, p)| p * (h[region.local[next] as usize] - here)).sum();
            (signal[pair] + drift - gains[k]).abs() <= SETTLED * model.signals().size(k)
        })
    };
    chosen.pair.len() == model.states()
        && (0..scope.parts.members.len()).all(|part| (0..model.signals().count()).all(|k| fits(part, k)))
}
