//! The bias at a gain that no policy attains, which settles ties between classes that are hardly ever left.
//!
//! At the prices of an optimum some classes of states are worth the same. A policy that stays in one of them for 10²⁷
//! steps differs from one that leaves it by what rounding makes of their gains, times 10²⁷, and policy iteration goes to and fro
//! between biases of that size, none of which bounds anything. At a gain g that is higher than any by a hair, staying costs:
//!
//! ```text
//! h(s) = max over policies  E Σ (w − g)  from s until the reference          w + P h − h ≤ g  for all pairs
//! ```
//!
//! This is a shortest way with its signs turned round (Bertsekas and Tsitsiklis, 1991), found by policy iteration among the policies that
//! come to the reference. Its values are no larger than ways are long, and rounding does not matter to them.

use super::evaluation::Evaluated;
use super::policy_iteration::{PolicyIteration, Step, dot, doubt, residual};
use super::region::{Chosen, Region};
use crate::arithmetic::extremes::{greatest, greatest_size};
use crate::error::{Error, Result};
use crate::plan::tolerance::{FAR_OFF, HAIR, ROUNDING};

/// Steps after which the bound found so far is the answer: grids of 40 000 cells take 10 to 20.
const STEPS: usize = 200;

/// Totals above this many signals hide the differences between actions: the iteration begins with the shortest ways instead.
const LONGEST: f64 = 1e9;

/// The least bound found, and the bias that it is seen by.
struct Settled {
    upper: f64,
    bias: Vec<f64>,
}

/// What an improvement of the ways to the reference ends with.
#[derive(PartialEq)]
enum Ways {
    /// There are better ones.
    Improved,
    Best,
    /// It pays to go round and come back, or not to come back at all.
    RoundTrip,
}

impl PolicyIteration {
    /// Whether the bias of a policy of a sparse region bounds its gain by far.
    pub(super) fn is_far_off(&mut self, region: &Region, weights: &[f64], evaluated: &Evaluated) -> bool {
        if !region.is_sparse() || region.is_lone_state() {
            return false;
        }
        self.set_bias(region, weights, evaluated);
        let kernel = region.choices.model.kernel();
        let upper = greatest(region.states.iter().flat_map(|&state| {
            let here = self.bias[state as usize];
            let value = |pair: usize| self.weighted[pair] + kernel.row(pair).dot(&self.bias);
            region.pairs(state as usize).map(move |pair| residual(value(pair), here))
        }));
        upper > dot(weights, &evaluated.gains) + FAR_OFF * self.sizes(region).0
    }

    /// Bounds the weighted gain of all policies by the bias at a raised gain, which it leaves with the evaluation; or finds a policy
    /// whose gain is even higher, and evaluates it.
    pub(super) fn settle(
        &mut self,
        region: &Region,
        weights: &[f64],
        chosen: &mut Chosen,
        evaluated: &mut Evaluated,
    ) -> Result<Step> {
        let kept = (chosen.clone(), evaluated.clone());
        let raised = dot(weights, &evaluated.gains) + HAIR * self.sizes(region).0;
        let (found, ways) = self.lengthen(region, chosen, evaluated.reference, raised)?;
        if ways == Ways::RoundTrip {
            match self.evaluator.evaluate(region, weights, chosen, evaluated) {
                Ok(()) if dot(weights, &evaluated.gains) > raised => {
                    return Ok(Step { optimal: false, upper: found.upper });
                }
                // Only rounding spoke for it.
                Ok(()) | Err(Error::NotConverged { .. } | Error::Underflow { .. }) => {}
                Err(other) => return Err(other),
            }
        }
        (*chosen, *evaluated) = kept;
        if found.upper.is_finite() {
            evaluated.sum = Some((weights.to_vec(), found.bias));
        }
        Ok(Step { optimal: true, upper: found.upper })
    }

    /// Improves the ways to the reference at a gain until there are no better ones, or a round trip pays.
    fn lengthen(
        &mut self,
        region: &Region,
        chosen: &mut Chosen,
        reference: u32,
        gain: f64,
    ) -> Result<(Settled, Ways)> {
        let mut found = Settled { upper: f64::INFINITY, bias: Vec::new() };
        let (mut bias, signal) = (Vec::new(), self.sizes(region).0);
        for step in 0..STEPS {
            self.evaluator.check_stop()?;
            let total = |pair: usize| self.weighted[pair] - gain;
            match self.evaluator.total_until(region, chosen, reference, total, &mut bias) {
                Err(Error::NotConverged { .. } | Error::Underflow { .. }) => break,
                other => other?,
            }
            let size = greatest_size(bias.iter().copied());
            if step == 0 && size > LONGEST * signal {
                let mut reached = vec![false; region.states.len()];
                reached[region.local[reference as usize] as usize] = true;
                region.route(&mut reached, chosen);
                continue;
            }
            region.states.iter().zip(&bias).for_each(|(&state, h)| self.bias[state as usize] = *h);
            let tolerance = ROUNDING * (signal + size);
            let upper = self.improve(region, chosen, tolerance) + doubt(signal, size);
            if upper < found.upper {
                found.upper = upper;
                found.bias.clone_from(&bias);
            }
            let ways = self.ways(region, chosen, reference, (gain, tolerance));
            if ways != Ways::Improved {
                return Ok((found, ways));
            }
        }
        Ok((found, Ways::Best))
    }

    /// What the last improvement has come to; better ways are followed further.
    fn ways(
        &mut self,
        region: &Region,
        chosen: &mut Chosen,
        reference: u32,
        (gain, tolerance): (f64, f64),
    ) -> Ways {
        let round_trip = self.weighted[chosen.pair[reference as usize] as usize]
            + chosen.dot(&region.choices, reference as usize, &self.bias);
        if round_trip > gain + tolerance {
            return Ways::RoundTrip;
        }
        let mut improved = region.states.iter().zip(&self.improvements);
        if improved.all(|(&state, more)| *more == 0.0 || state == reference) {
            return Ways::Best;
        }
        self.look_ahead(region, chosen, gain, (tolerance, Some(reference)));
        if self.evaluator.leads_to(region, chosen, reference) { Ways::Improved } else { Ways::RoundTrip }
    }
}

#[cfg(test)]
mod tests {
    use super::super::choices::Choices;
    use super::super::scope::{Scope, Structure};
    use super::*;
    use crate::model::{Cmdp, CmdpBuilder, Origin};

    /// Two states that pay 1 and `other`, and are left by chance once in 10¹⁵ steps or at once for nothing. From others, which make the
    /// rows sparse, the way leads to state 0; it leads to them by chance as well.
    fn two_places(other: f64) -> Cmdp {
        let mut model = CmdpBuilder::new(8, &[]);
        for (state, pays) in [1.0, other].into_iter().enumerate() {
            model.pair(state, &[(state, 1.0 - 1e-15), (1 - state, 1e-15)], pays, &[]);
            let by_chance = [(1 - state, 1.0 - 1e-3), (2, 1e-3)];
            model.pair(state, &by_chance, 0.0, &[]);
        }
        for state in 2..8 {
            model.pair(state, &[(if state < 7 { state + 1 } else { 0 }, 1.0)], 1.0, &[]);
        }
        model.build().unwrap()
    }

    /// Settles the policy that stays in both, with state 0 as its reference.
    fn settled(model: &Cmdp) -> (Step, Evaluated, Chosen) {
        let choices = Choices { model, radii: None };
        let scope = Scope::new(choices, Origin::Anywhere, Structure::default()).unwrap();
        let (region, weights) = (scope.region(0), [1.0]);
        let (mut iteration, mut chosen) = (PolicyIteration::default(), Chosen::default());
        iteration.weigh(model, &weights);
        chosen.reset(8, false);
        chosen.pair = vec![0, 2, 4, 5, 6, 7, 8, 9];
        let mut evaluated = Evaluated { gains: vec![1.0], ..Evaluated::default() };
        let step = iteration.settle(&region, &weights, &mut chosen, &mut evaluated).unwrap();
        (step, evaluated, chosen)
    }

    #[test]
    fn classes_that_are_worth_the_same_leave_a_small_bias() {
        let (step, evaluated, chosen) = settled(&two_places(1.0));
        assert!(step.optimal && (step.upper - 1.0).abs() < 3e-12, "{step:?}");
        // To go back at once costs a step; to wait for chance costs a hair for 10¹⁵ steps.
        let (_, bias) = evaluated.sum.unwrap();
        assert!((bias[1] + 1.0).abs() < 1e-9, "{bias:?}");
        assert_eq!(chosen.pair[..2], [0, 2]);
    }

    #[test]
    fn a_class_that_is_worth_more_is_found() {
        let (step, evaluated, chosen) = settled(&two_places(1.5));
        assert!(!step.optimal && evaluated.gains[0] > 1.4, "{step:?}, {:?}", evaluated.gains);
        assert_eq!(chosen.pair[1], 2);
    }
}
