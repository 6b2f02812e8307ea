//! Proofs of what planners say: intervals that hold in exact arithmetic, and the vectors by which anyone can check them.
//!
//! A plan is certified after the fact, whoever made it. Its policies are evaluated anew, the best response to its prices
//! is found anew, and their approximate gains and biases are made into super- and subharmonic pairs by arithmetic that rounds
//! outward ([`draft`]). What they prove is then read off by [`crate::verify`], as a stranger would.

mod attained;
mod bound;
mod draft;
mod ties;
mod upper;

use crate::arithmetic::Interval;
use crate::arithmetic::extremes::{greatest, greatest_size};
use crate::chain::{Chain, unless_stopped};
use crate::error::{Error, Result};
use crate::model::Origin;
use crate::model::{Cmdp, Policy};
use crate::plan::Problem;
use crate::plan::response::choices::Choices;
use crate::plan::response::{Responder, Scope, Structure};
use crate::plan::{Ended, Verdict, WeightedPolicy};
use crate::stop::StopFlag;
use crate::verify::{PolicyWitness, PricedWitness, Proof, Witness, prove};
use attained::attained;
use bound::proved;
use std::thread::Builder;

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
    let parts = parts(model, origin, policies, occupancy, stop)?;
    // A search that was stopped has no time left.
    let stopped = matches!(verdict, Verdict::Optimal(plan) if plan.ended == Ended::Stopped);
    let often = |state: usize| occupancy[model.pairs_of(state)].iter().sum();
    let fits =
        biases.len() == model.signals().count() && biases.iter().all(|bias| bias.len() == model.states());
    let guesses = if fits { biases } else { guesses(responder, &scope) };
    let start = scope.start().unwrap_or(&[]).to_vec();
    let way = responder.iteration.evaluator.way();
    let of_policies = || -> Result<Vec<PolicyWitness>> {
        let each = parts.iter().map(|part| {
            let one = part.from.map(|state| [(state, 1.0)]);
            let start = one.as_ref().map_or(&start[..], |start| &start[..]);
            let policy = &policies[part.policy].policy;
            let found = attained(model, policy, start, &guesses, &often, (stopped, way), stop)?;
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

/// The policies of a verdict as they are counted.
fn parts(
    model: &Cmdp,
    origin: Origin,
    policies: &[WeightedPolicy],
    occupancy: &[f64],
    stop: &StopFlag,
) -> Result<Vec<CountedPolicy>> {
    let whole = || {
        policies.iter().enumerate().map(|(policy, one)| CountedPolicy {
            weight: one.weight,
            policy,
            from: None,
        })
    };
    match policies {
        [one] if origin == Origin::Anywhere => classes(model, &one.policy, occupancy, stop),
        _ => Ok(whole().collect()),
    }
}

/// A policy once for every class that it occupies: the share of time there, and the state that is visited most.
fn classes(model: &Cmdp, policy: &Policy, occupancy: &[f64], stop: &StopFlag) -> Result<Vec<CountedPolicy>> {
    let mass = |state: usize| -> f64 { occupancy[model.pairs_of(state)].iter().sum() };
    let occupied: Vec<(usize, f64)> =
        (0..model.states()).map(|state| (state, mass(state))).filter(|(_, mass)| *mass > 0.0).collect();
    let (chain, parts, closed) = Chain::with_parts(model, policy, &occupied, stop)?;
    let mut found: Vec<(f64, Option<usize>)> = vec![(0.0, None); parts.count];
    for (node, &state) in chain.states.iter().enumerate().filter(|(node, _)| closed[parts.of[*node] as usize])
    {
        let (weight, most) = &mut found[parts.of[node] as usize];
        *weight += mass(state);
        *most = most.filter(|&other| mass(other) >= mass(state)).or(Some(state));
    }
    let part = |(weight, from): (f64, Option<usize>)| CountedPolicy { weight, policy: 0, from };
    Ok(found.into_iter().filter(|(weight, _)| *weight > 0.0).map(part).collect())
}
