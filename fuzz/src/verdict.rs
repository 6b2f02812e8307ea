//! What every verdict must satisfy, whatever the model.

use crate::{Attained, Tiny};
use occupancy::Error;
use occupancy::model::Cmdp;
use occupancy::plan::{Plan, Verdict, WeightedPolicy};

/// Rows with links weaker than this are checked for sense, not for digits.
const WEAK: f64 = 1e-6;
/// How close evaluated and stated averages are, relative to the signal's size.
const ATTAINED: f64 = 1e-6;
/// How close two planners are, beyond their gaps.
const AGREE: f64 = 1e-7;
/// The violation that counts as none is 1e-9; verdicts on models this close to it may differ.
const EDGE: f64 = 3e-9;

fn size(model: &Cmdp, k: usize) -> f64 {
    model.signals().size(k).max(1e-300)
}

/// Errors are for models whose rates cannot be written down in double precision, and for budgets at the edge of what
/// can be met where weak links (a radius may be one) make biases so large that rounding leaves it open.
pub fn check_error(tiny: &Tiny, error: &Error, least_radius: f64) -> Result<(), String> {
    let rate = tiny.least_probability().log10() * tiny.model.states() as f64;
    match error {
        Error::Underflow { .. } if rate < -290.0 => Ok(()),
        Error::Unsettled { .. } if tiny.least_probability().min(least_radius) < WEAK => Ok(()),
        _ => Err(format!("refused: {error}")),
    }
}

/// Gain, costs, gap, prices, weights and occupancy are consistent with each other.
pub fn check_verdict(tiny: &Tiny, verdict: &Verdict) -> Result<(), String> {
    let model = &tiny.model;
    match verdict {
        Verdict::Optimal(plan) => {
            let stated: Vec<f64> =
                std::iter::once(plan.value.reward).chain(plan.value.costs.iter().copied()).collect();
            check_mixture(tiny, &plan.policies, &plan.occupancy, &stated)?;
            ensure(plan.gap >= 0.0, || format!("gap {}", plan.gap))?;
            ensure(plan.prices.len() == model.costs(), || format!("prices {:?}", plan.prices))?;
            for (i, (cost, budget)) in plan.value.costs.iter().zip(model.budgets()).enumerate() {
                let slack = 2e-9 * model.signals().size(i + 1).max(1e-12);
                ensure(*cost <= budget + slack, || format!("cost {i} is {cost}, its budget {budget}"))?;
                ensure(plan.prices[i] >= 0.0, || format!("price {i} is {}", plan.prices[i]))?;
            }
            Ok(())
        }
        Verdict::Infeasible(found) => {
            let gain = model.signals().reward().iter().zip(&found.occupancy).map(|(x, mass)| x * mass).sum();
            let stated: Vec<f64> = std::iter::once(gain).chain(found.least_costs.iter().copied()).collect();
            check_mixture(tiny, &found.policies, &found.occupancy, &stated)?;
            ensure(found.violation > 0.0, || format!("infeasible with violation {}", found.violation))
        }
    }
}

fn check_mixture(
    tiny: &Tiny,
    policies: &[WeightedPolicy],
    occupancy: &[f64],
    stated: &[f64],
) -> Result<(), String> {
    let model = &tiny.model;
    ensure(stated.iter().all(|x| x.is_finite()), || format!("stated {stated:?}"))?;
    let weight: f64 = policies.iter().map(|drawn| drawn.weight).sum();
    ensure((weight - 1.0).abs() < 1e-9, || format!("weights sum to {weight}"))?;
    ensure(policies.len() <= 1 + model.costs(), || format!("{} policies", policies.len()))?;
    for drawn in policies {
        for state in 0..model.states() {
            let row = &drawn.policy.probabilities()[model.pairs_of(state)];
            let sum: f64 = row.iter().sum();
            let right = row.iter().all(|&p| p >= 0.0) && (sum - 1.0).abs() < 1e-9;
            ensure(right, || format!("the policy in state {state} is {row:?}"))?;
        }
    }
    let sum: f64 = occupancy.iter().sum();
    ensure(occupancy.iter().all(|&mass| mass >= 0.0), || format!("occupancy {occupancy:?}"))?;
    ensure((sum - 1.0).abs() < 1e-9, || format!("the occupancy sums to {sum}"))?;
    if tiny.least_probability() < WEAK {
        return Ok(());
    }
    let attained = Attained::by_plan(model, policies, occupancy, tiny.from);
    let attained = attained.map_err(|error| format!("a policy is not evaluated: {error}"))?;
    for (k, (x, y)) in attained.signals.iter().zip(stated).enumerate() {
        let close = (x - y).abs() <= ATTAINED * size(model, k);
        ensure(close, || format!("signal {k} is stated as {y}, attained {x}"))?;
    }
    Ok(())
}

/// What `certain` allows a plan with these costs to gain: its upper bound is one for every policy at its prices, so that
/// costs above the budgets, within the tolerance, are worth what the prices say.
pub(crate) fn certified(model: &Cmdp, certain: &Plan, costs: &[f64]) -> f64 {
    let excess = costs.iter().zip(model.budgets()).map(|(cost, budget)| (cost - budget).max(0.0));
    let worth: f64 = excess.zip(&certain.prices).filter(|(x, _)| *x > 0.0).map(|(x, price)| x * price).sum();
    certain.value.reward + certain.gap + worth + AGREE * size(model, 0)
}

/// Neither of two planners beats what the other certifies.
pub fn check_agreement(tiny: &Tiny, one: &Verdict, other: &Verdict) -> Result<(), String> {
    match (one, other) {
        (Verdict::Optimal(a), Verdict::Optimal(b)) => {
            let model = &tiny.model;
            let holds = a.value.reward <= certified(model, b, &a.value.costs)
                && b.value.reward <= certified(model, a, &b.value.costs);
            ensure(holds, || {
                format!("gains {} and {}, gaps {:e} and {:e}", a.value.reward, b.value.reward, a.gap, b.gap)
            })
        }
        (Verdict::Infeasible(a), Verdict::Infeasible(b)) => {
            let close = a.violation == b.violation
                || (a.violation - b.violation).abs() <= AGREE * a.violation.max(1.0);
            ensure(close || tiny.least_probability() < WEAK, || {
                format!("violations {} and {}", a.violation, b.violation)
            })
        }
        (Verdict::Infeasible(found), _) | (_, Verdict::Infeasible(found)) => {
            let weak = tiny.least_probability() < WEAK;
            ensure(found.violation <= EDGE || weak, || {
                format!("feasible and violated by {}", found.violation)
            })
        }
    }
}

/// No deterministic policy that keeps the budgets beats the plan.
pub fn check_policies(tiny: &Tiny, verdict: &Verdict) -> Result<(), String> {
    let model = &tiny.model;
    for (index, policy) in tiny.rivals.iter().enumerate() {
        let Ok(attained) = Attained::by(model, policy, tiny.from) else { continue };
        let (gain, costs) = (attained.signals[0], &attained.signals[1..]);
        if !costs.iter().zip(model.budgets()).all(|(cost, budget)| cost <= budget) {
            continue;
        }
        match verdict {
            Verdict::Optimal(plan) => {
                let most = plan.value.reward + plan.gap + ATTAINED * size(model, 0);
                ensure(gain <= most, || {
                    format!(
                        "rival {index} attains {gain}, the plan {} with gap {:e}",
                        plan.value.reward, plan.gap
                    )
                })?;
            }
            Verdict::Infeasible(found) => {
                ensure(found.violation <= EDGE, || {
                    format!(
                        "rival {index} keeps the budgets with {costs:?}, said to be violated by {}",
                        found.violation
                    )
                })?;
            }
        }
    }
    Ok(())
}

pub(crate) fn ensure(holds: bool, problem: impl Fn() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem()) }
}
