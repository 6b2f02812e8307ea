//! Narrow tables: a row of at most four successors is 16 bytes, a quarter of a line of the cache.
//!
//! ```text
//! row of (s, a) :   four slots, each 14 bits of the threshold | other: a slot (2)      four states, each 16 bits
//! ```
//!
//! A slot's own outcome is its own state, so that the place of it is known before the row is, and the other one is the state of the
//! slot that is named. Rows are filled as those of [`super::tables::Wide`] are. Where 14 bits do not tell a random number from a
//! threshold, once in 16 thousand draws, the row is made again and all bits decide.
//!
//! A step waits for its row, and in a large model for how far away it is: 10 000 states of 4 actions and 4 successors have 0.64 MB of
//! rows, which stay within 1 MiB of cache, where slots of 8 bytes ([`super::compact`]) have 1.3 MB. Transitions are counted by slot
//! and not by their numbers, as the first number of every row would be one more table: 1.5 ns a step.

use super::actions::Actions;
use super::alias::AliasTable;
use super::compact::Shape;
use super::tables::{Tables, Taken, set_transitions};
use crate::learn::Counts;
use crate::model::Cmdp;
use std::hint::select_unpredictable;

/// 2² slots in a row.
const SLOT_BITS: u32 = 2;
const SLOTS: usize = 1 << SLOT_BITS;

/// Slots of a pair, and the states that they stand for, the first in the lowest bits. Four rows fill a line of the cache.
#[derive(Clone, Copy, Default)]
#[repr(align(16))]
struct Row {
    slots: [u16; SLOTS],
    states: u64,
}

/// Tables of a large model with few actions and at most four successors.
pub(super) struct Narrow<'a> {
    model: &'a Cmdp,
    actions: Actions,
    rows: Vec<Row>,
    /// The transition of every slot.
    transitions: Vec<u32>,
}

impl<'a> Narrow<'a> {
    /// Whether compact tables of this shape could be narrow ones: rows of one or two successors are no shorter.
    pub fn fits(shape: Shape) -> bool {
        shape.slot_bits == SLOT_BITS
    }

    /// The transitions of a model, and no policy yet.
    pub fn new(shape: Shape, model: &'a Cmdp, counts: &Counts) -> Narrow<'a> {
        let (actions, support) = (Actions::new(shape.action_bits, counts), counts.support());
        let (mut rows, mut transitions) =
            (vec![Row::default(); actions.rows()], vec![0; actions.rows() * SLOTS]);
        let mut drawn = AliasTable::new([SLOTS].into_iter());
        for state in 0..counts.states() {
            for (row, pair) in (actions.first_row(state)..).zip(counts.pairs_of(state)) {
                let entries = support.entries(pair);
                set_transitions(&mut drawn, model, pair);
                for (slot, (threshold, own, other)) in drawn.slots_of(0).enumerate() {
                    let entry = entries.start + own as usize;
                    transitions[row * SLOTS + slot] = entry as u32;
                    rows[row].states |= u64::from(support.all_successors()[entry]) << (16 * slot);
                    rows[row].slots[slot] =
                        (threshold >> 50 << SLOT_BITS) as u16 | slot_of(&drawn, other) as u16;
                }
            }
        }
        Narrow { model, actions, rows, transitions }
    }

    /// The slot whose own outcome a random number stands for.
    #[cold]
    #[inline(never)]
    fn by_all_bits(&self, row: usize, random: u64) -> usize {
        let mut drawn = AliasTable::new([SLOTS].into_iter());
        set_transitions(&mut drawn, self.model, self.pair(row) as usize);
        slot_of(&drawn, drawn.draw(drawn.place(0), random).index)
    }
}

/// The first slot of which an outcome is the own one; every outcome that is possible has one.
fn slot_of(drawn: &AliasTable, outcome: u32) -> usize {
    drawn.slots_of(0).take_while(|&(_, own, _)| own != outcome).count() % SLOTS
}

impl Tables for Narrow<'_> {
    /// The state.
    type Place = u32;

    fn place(&self, state: usize) -> u32 {
        state as u32
    }

    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn first_row(&self, state: usize) -> usize {
        self.actions.first_row(state)
    }

    #[inline]
    fn pair(&self, row: usize) -> u32 {
        self.actions.pair(row)
    }

    fn cells(&self, _: &Counts) -> usize {
        self.transitions.len()
    }

    #[inline]
    fn transition(&self, cell: u32) -> u32 {
        self.transitions[cell as usize]
    }

    fn take_up(&mut self, state: usize, probabilities: &[f64]) {
        self.actions.take_up(state, probabilities);
    }

    #[inline(always)]
    fn step(&self, place: u32, action: u64, environment: u64) -> Taken<u32> {
        let index = self.actions.row(place as usize, action);
        let row = &self.rows[index];
        let own = (environment >> (64 - SLOT_BITS)) as usize;
        let slot = usize::from(row.slots[own]);
        let (rest, threshold) = ((environment << SLOT_BITS >> 50) as usize, slot >> SLOT_BITS);
        let mut drawn = select_unpredictable(rest < threshold, own, slot % SLOTS);
        if rest == threshold {
            drawn = self.by_all_bits(index, environment);
        }
        let next = u32::from((row.states >> (16 * drawn)) as u16);
        Taken { row: index, cell: (index * SLOTS + drawn) as u32, next }
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

    impl Awkward for Narrow<'_> {
        fn awkward_action(&self, state: usize, rng: &mut Rng) -> u64 {
            self.actions.awkward(state, rng)
        }

        fn awkward_successor(&self, row: usize, rng: &mut Rng) -> u64 {
            let upper = rng.random_range(0..SLOTS);
            near(upper, SLOT_BITS, u64::from(self.rows[row].slots[upper] >> SLOT_BITS), 14, rng)
        }
    }

    fn narrow<'a>(model: &'a Cmdp, counts: &Counts) -> Narrow<'a> {
        let shape = Shape::of(counts).expect("few actions and successors");
        assert!(Narrow::fits(shape));
        Narrow::new(shape, model, counts)
    }

    proptest! {
        #[test]
        fn every_number_stands_for_the_same_step_as_in_wide_tables(
            seed: u64, states in 3usize..=16, actions in 1usize..=16, successors in 3usize..=4,
        ) {
            let mut rng = Seed(seed).rng("model");
            let model = model(states, actions, successors, &mut rng);
            draw_the_same(narrow(&model, &Counts::new(&model)), &model, &mut rng)?;
        }
    }

    #[test]
    fn numbers_at_a_threshold_are_decided_by_all_bits() {
        let mut model = CmdpBuilder::new(3, &[]);
        model.pair(0, &[(0, 0.2), (1, 0.3), (2, 0.5)], 0.0, &[]);
        model.pair(1, &[(0, 1.0)], 0.0, &[]).pair(2, &[(0, 1.0)], 0.0, &[]);
        let model = model.build().unwrap();
        let narrow = narrow(&model, &Counts::new(&model));
        // The first quarter of the numbers belongs to state 0 up to 4 · 0.2 of it, and then to the state that has more than a quarter.
        let boundary = (0.2 * 18_446_744_073_709_551_616.0) as u64;
        assert_eq!(
            boundary >> 48,
            u64::from(narrow.rows[0].slots[0] >> SLOT_BITS),
            "the same 14 bits behind the first two"
        );
        let next = |random| narrow.step(0, 0, random).next;
        assert_eq!((next(boundary - 4), next(boundary + 4)), (0, 1));
    }

    #[test]
    fn the_last_state_of_the_largest_model_has_room() {
        let states = 1 << 16;
        let mut model = CmdpBuilder::new(states, &[]);
        for state in 0..states {
            let others = [(state + 1) % states, (state + 2) % states].map(|next| (next, 0.25));
            let row = [(states - 1 - state, 0.5), others[0], others[1]];
            model.pair(state, &row, 0.0, &[]).pair(state, &row, 0.0, &[]);
        }
        let model = model.build().unwrap();
        let narrow = narrow(&model, &Counts::new(&model));
        let last = states as u32 - 1;
        let mut next = [0, 1, 2, 3].map(|slot| narrow.step(0, 0, slot << 62).next);
        next.sort_unstable();
        assert_eq!(next, [1, 2, last, last]);
    }
}
