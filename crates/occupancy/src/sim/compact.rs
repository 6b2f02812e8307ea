//! Compact tables: a slot is 8 bytes, and where it is follows from the state, the action and the random number.
//!
//! ```text
//! slot of (s, a, u) :   ((s · 2^b + a) · 2^d) + the upper d bits of u      2^b ≥ actions of any state,  2^d ≥ successors of any pair
//! 24 bits of the threshold | own: place in the row (4), state (16) | other: place in the row (4), state (16)
//! ```
//!
//! Rows are filled as those of [`super::tables::Wide`] are. Where 24 bits do not tell a random number from a threshold, once in 16 million
//! draws, the row is made again and all bits decide: every number stands for the same outcome in both.
//!
//! Measured on a copy of the loop against slots of 32 bytes, jumps and grids with a random and with deterministic policies: 5 to
//! 7 ns instead of 12 at 20 states, 9 to 12 instead of 15 to 30 at 1000, 10 to 35 instead of 17 to 150 at 10 000, where 4 actions and
//! successors have 1.3 MB of slots instead of 6. The steps of some rounds in a list, counted later, took 2 to 9 ns more.

use super::actions::{Actions, MOST_ACTIONS};
use super::alias::AliasTable;
use super::tables::{Tables, Taken, set_transitions};
use crate::learn::Counts;
use crate::model::Cmdp;
use std::hint::select_unpredictable;

/// As many successors of a pair are told apart by the bits of a slot, and as many states.
const MOST_PLACES: usize = 1 << 4;
const MOST_STATES: usize = 1 << 16;

/// Tables of at most so many slots, 32 kB, may be as empty as they like; larger ones have at most twice the slots of wide ones.
const ALWAYS: usize = 4096;

/// How large the parts of compact tables are: b and d, each at least 1.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub action_bits: u32,
    pub slot_bits: u32,
}

impl Shape {
    /// The shape for a model, if it has compact tables.
    pub fn of(counts: &Counts) -> Option<Shape> {
        let (states, support) = (counts.states(), counts.support());
        let actions = (0..states).map(|state| counts.pairs_of(state).len()).max()?;
        let successors = || (0..support.pairs()).map(|pair| support.entries(pair).len());
        let most = successors().max()?;
        let bits = |count: usize| count.next_power_of_two().trailing_zeros().max(1);
        let (action_bits, slot_bits) = (bits(actions), bits(most));
        let wide: usize = successors().map(usize::next_power_of_two).sum();
        let fits = states <= MOST_STATES && actions <= MOST_ACTIONS && most <= MOST_PLACES;
        let dense = fits && states << action_bits << slot_bits <= ALWAYS.max(2 * wide);
        dense.then_some(Shape { action_bits, slot_bits })
    }
}

/// Tables of a model with few actions and successors.
pub(super) struct Compact<'a> {
    model: &'a Cmdp,
    actions: Actions,
    slot_bits: u32,
    /// 2^d slots of every row.
    transitions: Vec<u64>,
    /// The first transition of every row.
    first_entry: Vec<u32>,
}

impl<'a> Compact<'a> {
    /// The transitions of a model, and no policy yet.
    pub fn new(Shape { action_bits, slot_bits }: Shape, model: &'a Cmdp, counts: &Counts) -> Compact<'a> {
        let (actions, support) = (Actions::new(action_bits, counts), counts.support());
        let rows = actions.rows();
        let (mut transitions, mut first_entry) = (vec![0; rows << slot_bits], vec![0; rows]);
        let mut drawn = AliasTable::new([1 << slot_bits].into_iter());
        for state in 0..counts.states() {
            for (row, pair) in (actions.first_row(state)..).zip(counts.pairs_of(state)) {
                let entries = support.entries(pair);
                first_entry[row] = entries.start as u32;
                let successors = support.successors(entries);
                let outcome = |place: u32| u64::from(place) << 16 | u64::from(successors[place as usize]);
                set_transitions(&mut drawn, model, pair);
                let slots = transitions[row << slot_bits..].iter_mut();
                for (slot, (threshold, own, other)) in slots.zip(drawn.slots_of(0)) {
                    *slot = threshold >> 40 << 40 | outcome(own) << 20 | outcome(other);
                }
            }
        }
        Compact { model, actions, slot_bits, transitions, first_entry }
    }

    /// The half of a slot, at the lower end, that a random number stands for.
    #[cold]
    #[inline(never)]
    fn by_all_bits(&self, row: usize, slot: u64, random: u64) -> u64 {
        let mut drawn = AliasTable::new([1 << self.slot_bits].into_iter());
        set_transitions(&mut drawn, self.model, self.pair(row) as usize);
        let place = drawn.draw(drawn.place(0), random).index;
        let own = slot >> 20;
        if place_in_row(own) == place { own } else { slot }
    }
}

/// The place in its row of the outcome at the lower end of a slot.
#[inline(always)]
fn place_in_row(half: u64) -> u32 {
    (half >> 16) as u32 % MOST_PLACES as u32
}

impl Tables for Compact<'_> {
    /// The state.
    type Place = u32;

    fn place(&self, state: usize) -> u32 {
        state as u32
    }

    fn rows(&self) -> usize {
        self.actions.rows()
    }

    fn first_row(&self, state: usize) -> usize {
        self.actions.first_row(state)
    }

    #[inline]
    fn pair(&self, row: usize) -> u32 {
        self.actions.pair(row)
    }

    fn take_up(&mut self, state: usize, probabilities: &[f64]) {
        self.actions.take_up(state, probabilities);
    }

    #[inline(always)]
    fn step(&self, place: u32, action: u64, environment: u64) -> Taken<u32> {
        let row = self.actions.row(place as usize, action);
        let slot =
            self.transitions[(row << self.slot_bits) + (environment >> (64 - self.slot_bits)) as usize];
        let (rest, threshold) = ((environment << self.slot_bits) >> 40, slot >> 40);
        let mut half = slot >> select_unpredictable(rest < threshold, 20, 0);
        if rest == threshold {
            half = self.by_all_bits(row, slot, environment);
        }
        let cell = self.first_entry[row] + place_in_row(half);
        Taken { row, cell, next: half as u32 % MOST_STATES as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CmdpBuilder;
    use crate::seed::{Rng, Seed};
    use crate::sim::tables::tests::{Awkward, draw_the_same, model, near};
    use proptest::prelude::*;
    use rand::RngExt;

    impl Awkward for Compact<'_> {
        fn awkward_action(&self, state: usize, rng: &mut Rng) -> u64 {
            self.actions.awkward(state, rng)
        }

        fn awkward_successor(&self, row: usize, rng: &mut Rng) -> u64 {
            let upper = rng.random_range(0..1 << self.slot_bits);
            let slot = self.transitions[(row << self.slot_bits) + upper];
            near(upper, self.slot_bits, slot >> 40, 24, rng)
        }
    }

    proptest! {
        #[test]
        fn every_number_stands_for_the_same_step_as_in_wide_tables(
            seed: u64, states in 1usize..=16, actions in 1usize..=16, successors in 1usize..=16,
        ) {
            let mut rng = Seed(seed).rng("model");
            let model = model(states, actions, successors, &mut rng);
            let counts = Counts::new(&model);
            let shape = Shape::of(&counts).expect("few actions and successors");
            draw_the_same(Compact::new(shape, &model, &counts), &model, &mut rng)?;
        }
    }

    #[test]
    fn numbers_at_a_threshold_are_decided_by_all_bits() {
        let mut model = CmdpBuilder::new(2, &[]);
        model.pair(0, &[(0, 0.3), (1, 0.7)], 0.0, &[]).pair(1, &[(0, 1.0)], 0.0, &[]);
        let model = model.build().unwrap();
        let counts = Counts::new(&model);
        let compact = Compact::new(Shape::of(&counts).unwrap(), &model, &counts);
        // The first half of the numbers belongs to state 0 up to 2 · 0.3 of it.
        let boundary = (0.3 * 18_446_744_073_709_551_616.0) as u64;
        assert_eq!(boundary >> 39, compact.transitions[0] >> 40, "the same 24 bits behind the first");
        let next = |random| compact.step(0, 0, random).next;
        assert_eq!((next(boundary - 2), next(boundary + 2)), (0, 1));
    }

    #[test]
    fn models_with_many_successors_or_nearly_empty_tables_are_left_to_wide_ones() {
        let fan = |states: usize, successors: usize| {
            let mut model = CmdpBuilder::new(states, &[]);
            let row: Vec<(usize, f64)> =
                (0..successors).map(|next| (next, 1.0 / successors as f64)).collect();
            model.pair(0, &row, 0.0, &[]);
            for state in 1..states {
                model.pair(state, &[(0, 1.0)], 0.0, &[]);
            }
            Shape::of(&Counts::new(&model.build().unwrap())).is_some()
        };
        assert!(fan(20, 16) && !fan(20, 17));
        // 1000 states have 2 · 16 slots each, where wide tables have 1015 slots in all.
        assert!(fan(100, 16) && !fan(1000, 16));
        let full = |states: usize| {
            let mut model = CmdpBuilder::new(states, &[]);
            for state in 0..states {
                let row = [(state, 0.5), ((state + 1) % states, 0.5)];
                model.pair(state, &row, 0.0, &[]).pair(state, &row, 1.0, &[]);
            }
            Shape::of(&Counts::new(&model.build().unwrap())).is_some()
        };
        assert!(full(1 << 16) && !full((1 << 16) + 1));
    }
}
