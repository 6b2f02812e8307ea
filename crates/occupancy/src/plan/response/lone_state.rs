//! Policy iteration on a region of a single state: all pairs that may be taken stay there.
//!
//! A policy attains the signals of its pair, with a bias of 0, so that a step compares signals and solves nothing. The numbers
//! are those of [`PolicyIteration::step`] to the last bit. Where pairs that have not been visited stay where they are, nine
//! regions of ten are of this kind.

use super::evaluation::Evaluated;
use super::policy_iteration::{PolicyIteration, Step};
use super::region::{Chosen, NONE, Region};
use crate::arithmetic::extremes::greater;
use crate::plan::tolerance::ROUNDING;

impl PolicyIteration {
    /// Keeps the pair of the state, or takes the one with the greatest signal if it has none that may be taken.
    pub(super) fn complete_lone_state(
        &mut self,
        region: &Region,
        chosen: &mut Chosen,
        evaluated: &mut Evaluated,
    ) {
        let state = region.states[0] as usize;
        let current = chosen.pair[state] as usize;
        let pairs = region.choices.model.pairs_of(state);
        if !(pairs.contains(&current) && region.inside[current]) {
            // Without a branch for each pair: which of them may be taken, and which is the greatest, is as good as random.
            let (mut best, mut greatest) = (NONE, f64::NAN);
            for (pair, (&w, &inside)) in
                (pairs.start as u32..).zip(self.weighted[pairs.clone()].iter().zip(&region.inside[pairs]))
            {
                let better = inside & ((best == NONE) | w.total_cmp(&greatest).is_gt());
                (best, greatest) = (if better { pair } else { best }, if better { w } else { greatest });
            }
            chosen.pair[state] = best;
        }
        evaluated.stays = Some(chosen.pair[state]);
        evaluated.reference = state as u32;
        evaluated.biases.clear();
    }

    /// [`PolicyIteration::step`] from a pair that stays.
    pub(super) fn step_in_lone_state(
        &mut self,
        region: &Region,
        weights: &[f64],
        chosen: &mut Chosen,
        stays: &mut u32,
    ) -> Step {
        let (state, signals) = (region.states[0] as usize, region.choices.model.signals());
        self.bias[state] = 0.0;
        let gain = |pair: u32| -> f64 {
            weights.iter().enumerate().map(|(k, weight)| weight * signals.signal(k)[pair as usize]).sum()
        };
        let (before, value) = (gain(*stays), self.weighted[*stays as usize]);
        let (mut size, mut best) = (0.0, (value, *stays));
        let pairs = region.choices.model.pairs_of(state);
        let all = self.weighted[pairs.clone()].iter().zip(&region.inside[pairs.clone()]);
        for (pair, (&weighted, &inside)) in (pairs.start as u32..).zip(all) {
            size = greater(size, if inside { weighted.abs() } else { 0.0 });
            let better = inside & (weighted > best.0);
            best = (if better { weighted } else { best.0 }, if better { pair } else { best.1 });
        }
        let rounding = ROUNDING * size;
        let optimal = !(best.0 > value + rounding && gain(best.1) > before + rounding);
        if !optimal {
            *stays = best.1;
            chosen.pair[state] = best.1;
        }
        let bound = if best.0.is_finite() { best.0 } else { f64::INFINITY };
        Step { optimal, upper: greater(before, bound) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Cmdp;
    use crate::plan::fixture::{Given, anywhere, model, policy};

    /// State 0 may stay in three ways or leave for state 1, which stays.
    fn staying() -> Cmdp {
        let pairs: &[Given] = &[
            (0, &[(0, 1.0)], 1.0, &[0.0]),
            (0, &[(1, 1.0)], 9.0, &[0.0]),
            (0, &[(0, 1.0)], 3.0, &[2.0]),
            (0, &[(0, 1.0)], 3.0, &[2.0]),
            (1, &[(1, 1.0)], 0.0, &[0.0]),
        ];
        model(2, &[0.0], pairs)
    }

    #[test]
    fn the_first_pair_of_the_greatest_signal_is_taken_unless_there_is_one_already() {
        let model = staying();
        let (scope, mut iteration) = (anywhere(&model), PolicyIteration::default());
        iteration.weigh(&model, &[1.0, 0.0]);
        for (before, after) in [(u32::MAX, 2), (1, 2), (4, 2), (0, 0), (3, 3)] {
            let (mut chosen, mut found) = (policy(&[before, 4]), Evaluated::default());
            iteration.complete_lone_state(&scope.region(0), &mut chosen, &mut found);
            assert_eq!((chosen.pair[0], found.stays, found.reference), (after, Some(after), 0));
        }
    }

    #[test]
    fn a_step_is_that_of_an_evaluated_policy() {
        let model = staying();
        let scope = anywhere(&model);
        // The rewards of the pairs that stay are 1, 3 and 3; at a price of ½ they are worth 1, 2 and 2, at 1 all 1, at 2 −1.
        for (weights, pair, expected, after) in [
            ([1.0, -0.5], 0, Step { optimal: false, upper: 2.0 }, 2),
            ([1.0, -0.5], 3, Step { optimal: true, upper: 2.0 }, 3),
            ([1.0, -1.0], 0, Step { optimal: true, upper: 1.0 }, 0),
            ([1.0, -2.0], 3, Step { optimal: false, upper: 1.0 }, 0),
            ([0.0, 0.0], 2, Step { optimal: true, upper: 0.0 }, 2),
        ] {
            let (mut iteration, mut chosen) = (PolicyIteration::default(), policy(&[pair, 4]));
            let region = scope.region(0);
            iteration.weigh(&model, &weights);
            let mut evaluated = Evaluated::default();
            iteration.evaluator.evaluate(&region, &weights, &mut chosen, &mut evaluated).unwrap();
            let step = iteration.step(&region, &weights, &mut chosen, &mut evaluated).unwrap();
            assert_eq!((step, chosen.pair[0]), (expected, after));
            let (mut chosen, mut found) = (policy(&[pair, 4]), Evaluated { stays: Some(pair), ..evaluated });
            let step = iteration.step(&region, &weights, &mut chosen, &mut found).unwrap();
            assert_eq!((step, chosen.pair[0], found.stays), (expected, after, Some(after)));
        }
    }
}
