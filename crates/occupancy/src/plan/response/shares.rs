//! Improvements of large sparse models, in which threads have a share of the states each.

use super::policy_iteration::{PolicyIteration, residual};
use super::region::{Chosen, Region};
use crate::arithmetic::extremes::greater;
use crate::threads::{at_once, cut, shares};

/// Some states of a region, and what is written for them.
struct Share<'a> {
    states: &'a [u32],
    /// The first state that `pairs` has a pair for.
    first: usize,
    /// The pair of every state.
    pairs: &'a mut [u32],
    /// By how much each of the states gains.
    improvements: &'a mut [f64],
}

/// The states of a region, each thread's with their part of a policy.
fn split<'a>(region: &Region<'a>, pairs: &'a mut [u32], improvements: &'a mut [f64]) -> Vec<Share<'a>> {
    let (states, ranges) = (region.states, shares(region.states.len()));
    // States are ascending, so that those of a range lie between the first ones of two ranges.
    let first = |at: usize| states.get(at).map_or(pairs.len(), |&state| state as usize);
    let ends: Vec<usize> = ranges.iter().map(|range| first(range.end)).collect();
    let firsts: Vec<usize> = std::iter::once(0).chain(ends.iter().copied()).collect();
    let of_states = cut(pairs, ends.into_iter());
    let of_positions = cut(improvements, ranges.iter().map(|range| range.end));
    let parts = ranges.into_iter().zip(firsts).zip(of_states.into_iter().zip(of_positions));
    parts
        .map(|((range, first), (pairs, improvements))| Share {
            states: &states[range],
            first,
            pairs,
            improvements,
        })
        .collect()
}

impl PolicyIteration {
    /// [`PolicyIteration::improve`] of a large model whose rows are lists of successors: with the same bits.
    pub(super) fn improve_in_shares(&mut self, region: &Region, chosen: &mut Chosen, tolerance: f64) -> f64 {
        let PolicyIteration { weighted, bias, improvements, .. } = self;
        let kernel = region.choices.model.kernel();
        let value = |pair: usize| weighted[pair] + kernel.row(pair).dot(bias);
        improvements.resize(region.states.len(), 0.0);
        let uppers = at_once(split(region, &mut chosen.pair, improvements), |share| {
            let mut upper = f64::NEG_INFINITY;
            for (&state, improvement) in share.states.iter().zip(share.improvements) {
                let (state, taken) = (state as usize, &mut share.pairs[state as usize - share.first]);
                let current = *taken as usize;
                let now = value(current);
                let mut best = (now, current);
                for pair in region.pairs(state).filter(|&pair| pair != current) {
                    let value = value(pair);
                    best = if value > best.0 { (value, pair) } else { best };
                }
                upper = greater(upper, residual(best.0, bias[state]));
                let better = best.0 > now + tolerance;
                *improvement = if better { best.0 - now } else { 0.0 };
                *taken = if better { best.1 as u32 } else { *taken };
            }
            upper
        });
        self.improved.copy(chosen, region.states);
        uppers.into_iter().fold(f64::NEG_INFINITY, greater)
    }
}

#[cfg(test)]
mod tests {
    use super::super::choices::Choices;
    use super::super::scope::{Scope, Structure};
    use super::*;
    use crate::model::{CmdpBuilder, Origin};

    #[test]
    fn improvements_are_those_of_one_state_after_the_other() {
        // A ring of 30 states, in which actions 0, 1 and 2 go so many states on, for rewards that are all different.
        let mut model = CmdpBuilder::new(30, &[]);
        for (state, step) in (0..30).flat_map(|state| (0..3).map(move |step| (state, step))) {
            let reward = ((7 * state + 13 * step) % 31) as f64 / 31.0;
            model.pair(state, &[((state + step) % 30, 0.75), ((state + 1) % 30, 0.25)], reward, &[]);
        }
        let model = model.build().unwrap();
        let choices = Choices { model: &model, radii: None };
        let scope = Scope::new(choices, Origin::Anywhere, Structure::default()).unwrap();
        let region = scope.region(0);
        let found = |in_shares: bool| {
            let (mut iteration, mut chosen) = (PolicyIteration::default(), Chosen::default());
            iteration.weigh(&model, &[1.0]);
            (0..30).for_each(|state| iteration.bias[state] = ((11 * state) % 17) as f64);
            chosen.reset(30, false);
            chosen.pair = (0..30).map(|state| 3 * state + 1).collect();
            let improve =
                if in_shares { PolicyIteration::improve_in_shares } else { PolicyIteration::improve };
            let upper = improve(&mut iteration, &region, &mut chosen, 1e-12);
            (upper, chosen.pair, iteration.improvements, iteration.improved.pair)
        };
        assert_eq!(found(true), found(false));
    }
}
