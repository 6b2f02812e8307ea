//! The pairs that a forecast looks at: all of them, or those that can be among the best.
//!
//! Draws from a posterior are alike: at the prices of the last model, an action that is far behind the best one does not
//! win when prices and biases settle. Leaving such actions out halves what a forecast reads. It may leave out too
//! much; then the search finds what the forecast has missed, as it does with everything else that a guess gets wrong.

use crate::model::Cmdp;
use std::ops::Range;

/// A pair contends if it is behind the best one of its state by no more than this share of the distance between the
/// best and the worst, on average over the states. (On draws of 64 and 121 states, a half leaves half of the pairs and a
/// fifth hardly less; only at a fifth some plans took a step more. The two best pairs of every state leave as
/// many, and took a quarter to a third more steps.)
const NEAR: f64 = 0.5;

/// Marks a pair that contends whatever its value is.
const TAKEN: u32 = u32::MAX;

/// Pairs, state by state.
#[derive(Default)]
pub(crate) struct Contenders {
    pub pairs: Vec<u32>,
    /// The state of each of them.
    pub states: Vec<u32>,
    /// Where the pairs of every state begin, and the end.
    first: Vec<u32>,
    /// Where every pair is among them.
    place: Vec<u32>,
}

impl Contenders {
    /// All pairs of a model.
    pub fn take_all(&mut self, model: &Cmdp) {
        self.pairs.clear();
        self.pairs.extend(0..model.pairs() as u32);
        self.place.clone_from(&self.pairs);
        self.first.clear();
        self.first.extend((0..model.states()).map(|state| model.pairs_of(state).start as u32));
        self.first.push(model.pairs() as u32);
        self.states.clear();
        for (state, ends) in (0..).zip(self.first.windows(2)) {
            self.states.resize(ends[1] as usize, state);
        }
    }

    /// The pairs whose value is near that of the best one of their state, and those of some policies; writes the best
    /// ones.
    pub fn take_near<'a>(
        &mut self,
        model: &Cmdp,
        values: &[f64],
        policies: impl Iterator<Item = &'a [u32]>,
        best: &mut Vec<u32>,
    ) {
        self.place.clear();
        self.place.resize(model.pairs(), 0);
        policies.flatten().for_each(|&pair| self.place[pair as usize] = TAKEN);
        best.clear();
        let mut leads = 0.0;
        for state in 0..model.states() {
            let pairs = model.pairs_of(state);
            let (mut most, mut least, mut at) = (f64::NEG_INFINITY, f64::INFINITY, 0);
            for (i, &value) in values[pairs.clone()].iter().enumerate() {
                (most, at) = if value > most { (value, i) } else { (most, at) };
                least = if value < least { value } else { least };
            }
            leads += most - least;
            best.push((pairs.start + at) as u32);
        }
        let margin = NEAR * leads / model.states() as f64;
        // Written without a branch for each pair: which of them contend is as good as random, and branches took four times as long
        // on 64 pairs.
        self.pairs.resize(model.pairs(), 0);
        self.states.resize(model.pairs(), 0);
        self.first.clear();
        let mut count = 0;
        for (state, &best) in best.iter().enumerate() {
            self.first.push(count as u32);
            let (pairs, least) = (model.pairs_of(state), values[best as usize] - margin);
            let all = values[pairs.clone()].iter().zip(&mut self.place[pairs.clone()]);
            for (pair, (&value, place)) in (pairs.start as u32..).zip(all) {
                let contends = (value >= least) | (pair == best) | (*place == TAKEN);
                *place = if contends { count as u32 } else { 0 };
                (self.pairs[count], self.states[count]) = (pair, state as u32);
                count += usize::from(contends);
            }
        }
        self.first.push(count as u32);
        self.pairs.truncate(count);
        self.states.truncate(count);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// The places of those of a state.
    #[inline]
    pub fn of(&self, state: usize) -> Range<usize> {
        self.first[state] as usize..self.first[state + 1] as usize
    }

    /// The place of a pair that contends.
    #[inline]
    pub fn place(&self, pair: u32) -> u32 {
        self.place[pair as usize]
    }

    /// The pair of the greatest value in every state, the first of several; values by place.
    pub fn best(&self, values: &[f64], pairs: &mut Vec<u32>) {
        pairs.clear();
        pairs.extend(self.first.windows(2).map(|ends| {
            let (start, end) = (ends[0] as usize, ends[1] as usize);
            let (mut best, mut at) = (greater_number(f64::NEG_INFINITY, values[start]), start);
            for (i, &value) in (start + 1..end).zip(&values[start + 1..end]) {
                (best, at) = if value > best { (value, i) } else { (best, at) };
            }
            self.pairs[at]
        }));
    }
}

/// The greater of two numbers, of which `x` may be lost.
#[inline]
fn greater_number(most: f64, x: f64) -> f64 {
    if x > most { x } else { most }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CmdpBuilder;

    #[test]
    fn pairs_far_behind_contend_only_where_a_policy_takes_them() {
        let mut builder = CmdpBuilder::new(2, &[]);
        for pair in 0..6 {
            builder.pair(pair / 3, &[(0, 0.5), (1, 0.5)], 0.0, &[]);
        }
        let model = builder.build().unwrap();
        let (mut contenders, mut best) = (Contenders::default(), Vec::new());
        // Leads of 10 and 2: pairs up to 3 behind contend.
        let values = [0.0, 8.0, 10.0, 5.0, 5.0, 3.0];
        contenders.take_near(&model, &values, std::iter::empty(), &mut best);
        assert_eq!(best, [2, 3]);
        assert_eq!(contenders.pairs, [1, 2, 3, 4, 5]);
        assert_eq!(contenders.states, [0, 0, 1, 1, 1]);
        contenders.take_near(&model, &values, [[0, 4].as_slice()].into_iter(), &mut best);
        assert_eq!(contenders.len(), 6);
        // Where numbers are lost, every state keeps a pair.
        let lost = [f64::NAN, f64::NAN, f64::NAN, f64::INFINITY, 0.0, 0.0];
        contenders.take_near(&model, &lost, std::iter::empty(), &mut best);
        assert!((0..2).all(|state| !contenders.of(state).is_empty()), "{:?}", contenders.pairs);
        contenders.take_all(&model);
        assert_eq!((contenders.of(1), contenders.place(4), contenders.states[4]), (3..6, 4, 1));
        contenders.best(&values, &mut best);
        assert_eq!(best, [2, 3]);
    }
}
