//! Improvements of large sparse models, in which threads have a share of the states each.

use super::policy_iteration::{PolicyIteration, residual};
use super::region::{Chosen, Region};
use crate::arithmetic::extremes::greater;
use crate::threads::{at_once, cut, shares};
use std::ops::Range;

/// Some states of a region, and what is written for them.
pub(super) struct Share<'a, T> {
    pub states: &'a [u32],
    /// The first state that the slices by state have a number for.
    pub first: usize,
    /// The pair of every state.
    pub pairs: &'a mut [u32],
    /// Another number of every state, or of every position.
    pub numbers: &'a mut [T],
}

/// The states of a region at these positions, each range with its part of a policy. `numbers` are by state, or by position.
pub(super) fn split<'a, T>(
    region: &Region<'a>,
    ranges: &[Range<usize>],
    pairs: &'a mut [u32],
    (numbers, by_state): (&'a mut [T], bool),
) -> Vec<Share<'a, T>> {
    let states = region.states;
    // States are ascending, so that those of a range lie between the first ones of two ranges.
    let end = |range: &Range<usize>| states.get(range.end).map_or(pairs.len(), |&state| state as usize);
    let ends: Vec<usize> = ranges.iter().map(end).collect();
    let firsts = std::iter::once(0).chain(ends.iter().copied());
    let numbers = if by_state {
        cut(numbers, ends.iter().copied())
    } else {
        cut(numbers, ranges.iter().map(|range| range.end))
    };
    let parts = cut(pairs, ends.iter().copied()).into_iter().zip(numbers);
    let share = |((range, first), (pairs, numbers)): ((&Range<usize>, usize), (_, _))| Share {
        states: &states[range.clone()],
        first,
        pairs,
        numbers,
    };
    ranges.iter().zip(firsts).zip(parts).map(share).collect()
}

impl PolicyIteration {
    /// [`PolicyIteration::improve`] of a large model whose rows are lists of successors: with the same bits.
    pub(super) fn improve_in_shares(&mut self, region: &Region, chosen: &mut Chosen, tolerance: f64) -> f64 {
        let PolicyIteration { weighted, bias, improvements, .. } = self;
        let kernel = region.choices.model.kernel();
        let value = |pair: usize| weighted[pair] + kernel.row(pair).dot(bias);
        improvements.resize(region.states.len(), 0.0);
        let ranges = shares(region.states.len());
        let uppers = at_once(split(region, &ranges, &mut chosen.pair, (improvements, false)), |share| {
            let mut upper = f64::NEG_INFINITY;
            for (&state, improvement) in share.states.iter().zip(share.numbers) {
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

    #[test]
    fn every_range_has_the_pairs_of_its_states() {
        let mut model = CmdpBuilder::new(5, &[]);
        for state in 0..5 {
            model.pair(state, &[((state + 1) % 5, 1.0)], 0.0, &[]);
        }
        let model = model.build().unwrap();
        let scope =
            Scope::new(Choices { model: &model, radii: None }, Origin::Anywhere, Structure::default())
                .unwrap();
        let (mut pairs, mut numbers) = ([0, 1, 2, 3, 4], [0.0, 0.1, 0.2, 0.3, 0.4]);
        let shares = split(&scope.region(0), &[0..2, 2..5], &mut pairs, (&mut numbers, true));
        assert_eq!(
            (shares[0].first, &*shares[0].pairs, &*shares[0].numbers),
            (0, &[0, 1][..], &[0.0, 0.1][..])
        );
        assert_eq!(
            (shares[1].first, shares[1].states, &*shares[1].pairs),
            (2, &[2, 3, 4][..], &[2, 3, 4][..])
        );
    }
}
