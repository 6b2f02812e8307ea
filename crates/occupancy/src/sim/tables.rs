//! The tables that a walk is drawn from: an action of each state, and what follows each pair.
//!
//! There are three forms, which draw the same outcomes from the same random numbers: [`Wide`] holds every model, [`super::compact`]
//! those with few actions and successors, in a quarter of the memory, and [`super::narrow`] large ones with at most four successors, in
//! half of that.

use super::alias::{AliasTable, Drawn, SlotRange};
use crate::learn::Counts;
use crate::model::Cmdp;
use std::hint::select_unpredictable;

/// A policy in a model, to draw steps from.
pub(super) trait Tables {
    /// Where a state is.
    type Place: Copy;

    /// Where a state is.
    fn place(&self, state: usize) -> Self::Place;

    /// How many rows there are: one for each pair, and those that are there for regularity.
    fn rows(&self) -> usize;

    /// The row of a state's first pair, behind which those of its others follow.
    fn first_row(&self, state: usize) -> usize;

    /// The pair of a row.
    fn pair(&self, row: usize) -> u32;

    /// How many cells there are in which the transitions of a model are counted: one for each, or several.
    fn cells(&self, counts: &Counts) -> usize {
        counts.taken().len()
    }

    /// The transition of a cell.
    #[inline(always)]
    fn transition(&self, cell: u32) -> u32 {
        cell
    }

    /// Takes up the probabilities of a state's pairs.
    fn take_up(&mut self, state: usize, probabilities: &[f64]);

    /// Draws a step by one random number for the action and one for what follows.
    fn step(&self, place: Self::Place, action: u64, environment: u64) -> Taken<Self::Place>;
}

/// A step that was drawn.
pub(super) struct Taken<P> {
    /// The row of its pair.
    pub row: usize,
    /// The cell of its transition.
    pub cell: u32,
    /// Where it leads.
    pub next: P,
}

/// The action that is taken with certainty. Which one it is cannot be foreseen by the processor: all are looked at, without a branch.
pub(super) fn certain(probabilities: &[f64]) -> Option<usize> {
    let looked_at = probabilities.iter().enumerate();
    let found =
        looked_at.fold(usize::MAX, |found, (action, &p)| select_unpredictable(p == 1.0, action, found));
    (found < usize::MAX).then_some(found)
}

/// Fills the one row of a table with the transitions of a pair, by their places in its row.
pub(super) fn set_transitions(drawn: &mut AliasTable, model: &Cmdp, pair: usize) {
    drawn.set(0, model.kernel().row(pair).iter().enumerate().map(|(place, (_, p))| (Drawn::last(place), p)));
}

/// Tables of any model: slots of 32 bytes that say where the next ones are.
pub(super) struct Wide {
    /// Draws a transition of each pair.
    transitions: AliasTable,
    /// Draws a pair of each state.
    actions: AliasTable,
    /// The first pair of every state.
    first_pair: Vec<u32>,
}

impl Wide {
    /// The transitions of a model, and no policy yet.
    pub fn new(model: &Cmdp, counts: &Counts) -> Wide {
        let support = counts.support();
        let actions = AliasTable::new((0..model.states()).map(|state| model.pairs_of(state).len()));
        let mut transitions = AliasTable::new((0..model.pairs()).map(|pair| support.entries(pair).len()));
        for pair in 0..model.pairs() {
            let row = model.kernel().row(pair).iter().zip(support.entries(pair));
            let outcome = |((next, p), entry)| (Drawn { index: entry as u32, then: actions.place(next) }, p);
            transitions.set(pair, row.map(outcome));
        }
        let first_pair = (0..model.states()).map(|state| model.pairs_of(state).start as u32).collect();
        Wide { transitions, actions, first_pair }
    }
}

impl Tables for Wide {
    type Place = SlotRange;

    fn place(&self, state: usize) -> SlotRange {
        self.actions.place(state)
    }

    fn rows(&self) -> usize {
        self.transitions.rows()
    }

    fn first_row(&self, state: usize) -> usize {
        self.first_pair[state] as usize
    }

    #[inline]
    fn pair(&self, row: usize) -> u32 {
        row as u32
    }

    fn take_up(&mut self, state: usize, probabilities: &[f64]) {
        let first = self.first_row(state);
        let outcome = |pair: usize| Drawn { index: pair as u32, then: self.transitions.place(pair) };
        match certain(probabilities) {
            Some(action) => self.actions.set_certain(state, outcome(first + action)),
            None => {
                let outcomes = probabilities.iter().enumerate();
                self.actions.set(state, outcomes.map(|(action, &p)| (outcome(first + action), p)));
            }
        }
    }

    #[inline(always)]
    fn step(&self, place: SlotRange, action: u64, environment: u64) -> Taken<SlotRange> {
        let pair = self.actions.draw(place, action);
        let transition = self.transitions.draw(pair.then, environment);
        Taken { row: pair.index as usize, cell: transition.index, next: transition.then }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::model::CmdpBuilder;
    use crate::seed::Rng;
    use proptest::prelude::*;
    use rand::{Rng as _, RngExt};

    /// Tables that hold some bits of each threshold, and know numbers which these do not tell from it.
    pub trait Awkward: Tables<Place = u32> {
        fn awkward_action(&self, state: usize, rng: &mut Rng) -> u64;
        fn awkward_successor(&self, row: usize, rng: &mut Rng) -> u64;
    }

    /// A number that the first bits do not tell from a threshold of so many bits, in a slot among 2^bits.
    pub fn near(upper: usize, bits: u32, threshold: u64, known: u32, rng: &mut Rng) -> u64 {
        let lower = [0, (1 << (64 - known)) - 1, rng.next_u64() >> known][rng.random_range(0..3)];
        (upper as u64) << (64 - bits) | (threshold << (64 - known) | lower) >> bits
    }

    /// A model whose states have 1 to `actions` actions, and whose pairs 1 to `successors` successors; the first has so many.
    pub fn model(states: usize, actions: usize, successors: usize, rng: &mut Rng) -> Cmdp {
        let most = successors.min(states);
        let mut model = CmdpBuilder::new(states, &[]);
        for state in 0..states {
            for action in 0..rng.random_range(1..=actions) {
                let count = if state + action == 0 { most } else { rng.random_range(1..=most) };
                let first = rng.random_range(0..states);
                // Some are equally likely, some nearly impossible.
                let weight = |_| [rng.random_range(0.01..1.0), 0.25, 1e-6][rng.random_range(0..3)];
                let weights: Vec<f64> = (0..count).map(weight).collect();
                let sum: f64 = weights.iter().sum();
                let row: Vec<(usize, f64)> =
                    weights.iter().enumerate().map(|(i, w)| ((first + i) % states, w / sum)).collect();
                model.pair(state, &row, 0.0, &[]);
            }
        }
        model.build().unwrap()
    }

    /// A certain action, equally likely ones, or a lottery among some.
    fn policy(actions: usize, rng: &mut Rng) -> Vec<f64> {
        let certain = rng.random_range(0..actions);
        match rng.random_range(0..3) {
            0 => (0..actions).map(|action| f64::from(u8::from(action == certain))).collect(),
            1 => vec![1.0 / actions as f64; actions],
            _ => {
                let mut weights: Vec<f64> = (0..actions).map(|_| rng.random::<f64>()).collect();
                weights[certain] = if actions > 1 { 0.0 } else { 1.0 };
                let sum: f64 = weights.iter().sum();
                weights.iter().map(|w| w / sum).collect()
            }
        }
    }

    /// Whether tables that have no policy yet draw what wide ones do, from any numbers and from awkward ones.
    pub fn draw_the_same<T: Awkward>(
        mut tables: T,
        model: &Cmdp,
        rng: &mut Rng,
    ) -> Result<(), TestCaseError> {
        let mut wide = Wide::new(model, &Counts::new(model));
        // The second policy is taken up over the first.
        for state in (0..model.states()).chain(0..model.states()) {
            let probabilities = policy(model.pairs_of(state).len(), rng);
            wide.take_up(state, &probabilities);
            tables.take_up(state, &probabilities);
        }
        for _ in 0..300 {
            let state = rng.random_range(0..model.states());
            let any = rng.random();
            let action = if any { rng.next_u64() } else { tables.awkward_action(state, rng) };
            let row = tables.step(state as u32, action, 0).row;
            let any = rng.random();
            let environment = if any { rng.next_u64() } else { tables.awkward_successor(row, rng) };
            let expected = wide.step(wide.place(state), action, environment);
            let found = tables.step(state as u32, action, environment);
            prop_assert_eq!(tables.transition(found.cell), expected.cell);
            prop_assert_eq!(found.row - tables.first_row(state), expected.row - wide.first_row(state));
            let there = wide.place(found.next as usize);
            prop_assert_eq!(format!("{there:?}"), format!("{:?}", expected.next));
        }
        Ok(())
    }
}
