//! Proofs of what planners say: intervals that hold in exact arithmetic, and the vectors by which anyone can check them.
//!
//! A plan is certified after the fact, whoever made it. Its policies are evaluated anew, the best response to its prices
//! is found anew, and their approximate gains and biases are made into super- and subharmonic pairs by arithmetic that rounds
//! outward ([`draft`]). What they prove is then read off by [`crate::verify`], as a stranger would.

mod attained;
mod draft;
mod ties;
mod upper;

use crate::arithmetic::Interval;
use crate::arithmetic::extremes::{greatest, greatest_size};
use crate::chain::Chain;
use crate::chain::graph::strong_components;
use crate::error::{Error, Result};
use crate::model::Origin;
use crate::model::{Cmdp, Policy};
use crate::plan::Problem;
use crate::plan::response::choices::Choices;
use crate::plan::response::evaluation::Evaluated;
use crate::plan::response::{Responder, Scope, Structure};
use crate::plan::tolerance::{RESCUE_GAP, SETTLED};
use crate::plan::{Ended, OffSupport, Planner, PriceSearch, Verdict, WeightedPolicy, unless_stopped};
use crate::stop::StopFlag;
use crate::verify::{Harmonic, PolicyWitness, PricedWitness, Proof, Witness, prove};
use attained::attained;
use std::thread::Builder;
use upper::superharmonic;

/// Steps of policy iteration after which the best response counts as found: the bound is true for any bias.
const STEPS: usize = 1000;

/// A proof, and the vectors that it rests on.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// What is proved.
    pub proof: Proof,
    /// By what.
    pub witness: Witness,
    /// The policies that the proof is about, in the order of the witness.
    pub parts: Vec<CountedPolicy>,
}

/// A policy of the verdict, as it is counted: from anywhere, a policy with several classes is counted once in each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CountedPolicy {
    /// The probability of following it.
    pub weight: f64,
    /// Which policy of the verdict.
    pub policy: usize,
    /// The state that it is followed from, if the question is not tied to a start.
    pub from: Option<usize>,
}

impl Certificate {
    /// Moves the numbers of the verdict to where they are proved to be: gain and costs into their ranges, with errors that hold
    /// for both ends, and the gap likewise, so that the optimum is at most `gain + gap` and the policies earn at least
    /// `gain − gap`.
    pub fn correct(&self, verdict: &mut Verdict) {
        let costs = match verdict {
            Verdict::Optimal(plan) => {
                plan.value.reward = self.proof.gain.nearest(plan.value.reward);
                plan.gap = certain_gap(plan.value.reward, self.proof.optimum, self.proof.gain.low);
                &mut plan.value.costs
            }
            Verdict::Infeasible(found) => &mut found.least_costs,
        };
        costs.iter_mut().zip(&self.proof.costs).for_each(|(cost, range)| *cost = range.nearest(*cost));
        if let Verdict::Optimal(plan) = verdict {
            let costs =
                plan.value.costs.iter().zip(&self.proof.costs).map(|(cost, range)| range.farthest(*cost));
            plan.value.errors.clear();
            plan.value.errors.push(self.proof.gain.farthest(plan.value.reward));
            plan.value.errors.extend(costs);
        }
    }
}

/// The least gap that is certain for a gain: no policy gets more than `optimum`, and the plan's get at least `low`.
pub(crate) fn certain_gap(gain: f64, optimum: f64, low: f64) -> f64 {
    let gain = Interval::exact(gain);
    let above = (Interval::exact(optimum) - gain).high;
    let below = (gain - Interval::exact(low)).high;
    // A difference of equal numbers may be −0, which 0 makes 0.
    let mut gap = greatest([above, below, 0.0]) + 0.0;
    // The sum is rounded, too: some units in its last place are added until it holds.
    let unit = (f64::EPSILON * greatest_size([gain.low, gap])).max(f64::MIN_POSITIVE);
    while (gain + Interval::exact(gap)).low < optimum || (gain - Interval::exact(gap)).high > low {
        gap += unit;
    }
    gap
}

/// The most states of a model whose two sides are proved at once.
const MOST_AT_ONCE: usize = 300_000;

/// Proves a verdict on a model, with the current policy of a responder as a first guess; `biases` are those of the verdict's
/// policy by signal and state, or none. The flag ends it with [`Error::Stopped`].
pub(crate) fn certify(
    responder: &mut Responder,
    biases: Vec<Vec<f64>>,
    problem: &Problem,
    verdict: &Verdict,
    stop: &StopFlag,
) -> Result<Certificate> {
    let Problem { model, origin, .. } = *problem;
    unless_stopped(stop)?;
    let structure = Structure::until(stop.clone());
    let mut scope = Scope::new(Choices { model, radii: None }, origin, structure)?;
    responder.stop_by(stop.clone());
    // The model need not be the one that the responder evaluated last.
    responder.iteration.evaluator.forget();
    let (policies, occupancy) = match verdict {
        Verdict::Optimal(plan) => (&plan.policies, &plan.occupancy),
        Verdict::Infeasible(found) => (&found.policies, &found.occupancy),
    };
    if occupancy.len() != model.pairs() {
        let (found, expected) = (occupancy.len(), model.pairs());
        return Err(Error::TableLength { what: "an occupancy", found, expected });
    }
    let parts = parts(model, origin, policies, occupancy);
    // A search that was stopped has no time left.
    let stopped = matches!(verdict, Verdict::Optimal(plan) if plan.ended == Ended::Stopped);
    let often = |state: usize| occupancy[model.pairs_of(state)].iter().sum();
    let fits =
        biases.len() == model.signals().count() && biases.iter().all(|bias| bias.len() == model.states());
    let guesses = if fits { biases } else { guesses(responder, &scope) };
    let start = scope.start().unwrap_or(&[]).to_vec();
    let of_policies = || -> Result<Vec<PolicyWitness>> {
        let each = parts.iter().map(|part| {
            let one = part.from.map(|state| [(state, 1.0)]);
            let start = one.as_ref().map_or(&start[..], |start| &start[..]);
            let policy = &policies[part.policy].policy;
            let found = attained(model, policy, start, &guesses, &often, stopped, stop)?;
            Ok(PolicyWitness { from: part.from, ..found })
        });
        each.collect()
    };
    // What policies attain and what none exceeds are found at once: at 90 000 states either takes half a second. Of larger
    // models they are found one after the other, in half the room.
    let (witnesses, proved) = if model.states() > MOST_AT_ONCE {
        let proved = proved(responder, &mut scope, origin, verdict);
        responder.rest();
        (of_policies(), proved)
    } else {
        std::thread::scope(|scope_of_threads| {
            let other = Builder::new().spawn_scoped(scope_of_threads, of_policies);
            let proved = proved(responder, &mut scope, origin, verdict);
            let witnesses = match other {
                Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                Err(_) => of_policies(),
            };
            (witnesses, proved)
        })
    };
    let ((prices, proof), witnesses) = (proved?, witnesses?);
    unless_stopped(stop)?;
    let witness = match verdict {
        Verdict::Optimal(_) => {
            let upper = PricedWitness { prices, proof }.or_greatest_reward(model, origin);
            Witness::Optimal { upper, policies: witnesses }
        }
        Verdict::Infeasible(_) => Witness::Infeasible { weights: prices, proof, policies: witnesses },
    };
    let weighted: Vec<(f64, &Policy)> =
        parts.iter().map(|part| (part.weight, &policies[part.policy].policy)).collect();
    let proof = prove(model, &problem.criterion, origin, &weighted, &witness)
        .map_err(|refuted| Error::Unproved { reason: refuted.to_string() })?;
    Ok(Certificate { proof, witness, parts })
}

/// Prices or weights, and the pair that bounds the weighted signal at them: from above, or if infeasible from below.
fn proved(
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

/// The biases of the policy that a responder evaluated last, by signal and state: first guesses for policies like it.
pub(crate) fn guesses(responder: &Responder, scope: &Scope) -> Vec<Vec<f64>> {
    let model = scope.choices.model;
    let mut found = vec![vec![0.0; model.states()]; model.signals().count()];
    for (states, evaluated) in scope.parts.members.iter().zip(&responder.evaluated) {
        for (guess, bias) in
            found.iter_mut().zip(&evaluated.biases).filter(|(_, bias)| bias.len() == states.len())
        {
            states.iter().zip(bias).for_each(|(&state, h)| guess[state as usize] = *h);
        }
    }
    found
}

impl PricedWitness {
    /// The same, or if it bounds less than that: no policy earns more than the greatest reward.
    fn or_greatest_reward(self, model: &Cmdp, origin: Origin) -> PricedWitness {
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
    let found = responder.rescue(scope, &weights).and_then(|_| {
        for (component, evaluated) in responder.evaluated.iter().enumerate() {
            responder.iteration.set_bias(&scope.region(component), &weights, evaluated);
        }
        superharmonic(scope, &signal, &responder.iteration.bias)
    });
    let proof = match found {
        Ok(proof) => proof,
        Err(Error::Stopped { violation }) => return Err(Error::Stopped { violation }),
        Err(_) => return Ok(known),
    };
    let other = PricedWitness { prices: known.prices.clone(), proof };
    let value = |upper: &PricedWitness| upper.value(model, origin).unwrap_or(f64::INFINITY);
    Ok(if value(&other) < value(&known) { other } else { known })
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
    for (component, evaluated) in responder.evaluated.iter().enumerate() {
        responder.iteration.set_bias(&scope.region(component), weights, evaluated);
    }
    Ok(())
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

/// The policies of a verdict as they are counted.
fn parts(model: &Cmdp, origin: Origin, policies: &[WeightedPolicy], occupancy: &[f64]) -> Vec<CountedPolicy> {
    let whole = || {
        policies.iter().enumerate().map(|(policy, one)| CountedPolicy {
            weight: one.weight,
            policy,
            from: None,
        })
    };
    match policies {
        [one] if origin == Origin::Anywhere => classes(model, &one.policy, occupancy),
        _ => whole().collect(),
    }
}

/// A policy once for every class that it occupies: the share of time there, and the state that is visited most.
fn classes(model: &Cmdp, policy: &Policy, occupancy: &[f64]) -> Vec<CountedPolicy> {
    let mass = |state: usize| -> f64 { occupancy[model.pairs_of(state)].iter().sum() };
    let occupied: Vec<(usize, f64)> =
        (0..model.states()).map(|state| (state, mass(state))).filter(|(_, mass)| *mass > 0.0).collect();
    let chain = Chain::new(model, policy, &occupied);
    let graph = chain.graph();
    let parts = strong_components(&graph);
    let closed = parts.closed(&graph);
    let mut found: Vec<(f64, Option<usize>)> = vec![(0.0, None); parts.count];
    for (node, &state) in chain.states.iter().enumerate().filter(|(node, _)| closed[parts.of[*node] as usize])
    {
        let (weight, most) = &mut found[parts.of[node] as usize];
        *weight += mass(state);
        *most = most.filter(|&other| mass(other) >= mass(state)).or(Some(state));
    }
    let part = |(weight, from): (f64, Option<usize>)| CountedPolicy { weight, policy: 0, from };
    found.into_iter().filter(|(weight, _)| *weight > 0.0).map(part).collect()
}
