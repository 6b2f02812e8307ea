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
//! Most policies need no table for the action: it is the only one of its state, or all are equally likely and the upper b bits of
//! the number say which. A step then waits for one load instead of two, and a processor foresees which of the three it is.
//! Measured on a copy of the loop against slots of 32 bytes, jumps and grids with a random and with deterministic policies: 5 to
//! 7 ns instead of 12 at 20 states, 9 to 12 instead of 15 to 30 at 1000, 10 to 35 instead of 17 to 150 at 10 000, where 4 actions and
//! successors have 1.3 MB of slots instead of 6. The steps of some rounds in a list, counted later, took 2 to 9 ns more.

use super::alias::{AliasTable, Drawn, SlotRange};
use super::tables::{Tables, Taken, certain};
use crate::learn::Counts;
use crate::model::Cmdp;
use std::hint::select_unpredictable;

/// As many actions of a state or successors of a pair are told apart by the bits of a slot, and as many states.
const MOST_PLACES: usize = 1 << 4;
const MOST_STATES: usize = 1 << 16;

/// Tables of at most so many slots, 32 kB, may be as empty as they like; larger ones have at most twice the slots of wide ones.
const ALWAYS: usize = 4096;

/// How a state's action is drawn, if it is not certain: all equally likely, or by its slots.
const EVEN: u8 = 16;
const LOTTERY: u8 = 17;

/// How large the parts of compact tables are: b and d, each at least 1.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    action_bits: u32,
    slot_bits: u32,
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
        let fits = states <= MOST_STATES && actions.max(most) <= MOST_PLACES;
        let dense = fits && states << action_bits << slot_bits <= ALWAYS.max(2 * wide);
        dense.then_some(Shape { action_bits, slot_bits })
    }
}

/// Tables of a model with few actions and successors.
pub(super) struct Compact<'a> {
    model: &'a Cmdp,
    action_bits: u32,
    slot_bits: u32,
    /// The only action of every state, or how it is drawn.
    kinds: Vec<u8>,
    /// Where it is by a lottery, 2^b slots of a state: 24 bits of the threshold, and two actions.
    actions: Vec<u32>,
    /// The same with all bits.
    lotteries: AliasTable,
    /// 2^d slots of every row.
    transitions: Vec<u64>,
    /// The first transition of every row.
    first_entry: Vec<u32>,
    /// The first pair of every state.
    first_pair: Vec<u32>,
}

impl<'a> Compact<'a> {
    /// The transitions of a model, and no policy yet.
    pub fn new(Shape { action_bits, slot_bits }: Shape, model: &'a Cmdp, counts: &Counts) -> Compact<'a> {
        let (states, support) = (counts.states(), counts.support());
        let rows = states << action_bits;
        let (mut transitions, mut first_entry) = (vec![0; rows << slot_bits], vec![0; rows]);
        let mut drawn = AliasTable::new([1 << slot_bits].into_iter());
        for state in 0..states {
            for (action, pair) in counts.pairs_of(state).enumerate() {
                let (row, entries) = ((state << action_bits) + action, support.entries(pair));
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
        Compact {
            model,
            action_bits,
            slot_bits,
            kinds: vec![0; states],
            actions: vec![0; rows],
            lotteries: AliasTable::new((0..states).map(|_| 1 << action_bits)),
            transitions,
            first_entry,
            first_pair: (0..states).map(|state| counts.pairs_of(state).start as u32).collect(),
        }
    }

    /// The action of a state.
    #[inline(always)]
    fn action(&self, state: usize, random: u64) -> usize {
        let kind = self.kinds[state];
        if kind < EVEN {
            return usize::from(kind);
        }
        let upper = (random >> (64 - self.action_bits)) as usize;
        if kind == EVEN { upper } else { self.by_lottery(state, upper, random) }
    }

    #[inline(always)]
    fn by_lottery(&self, state: usize, upper: usize, random: u64) -> usize {
        let slot = self.actions[(state << self.action_bits) + upper];
        let (rest, threshold) = (((random << self.action_bits) >> 40) as u32, slot >> 8);
        if rest == threshold {
            return self.action_by_all_bits(state, random);
        }
        (slot >> select_unpredictable(rest < threshold, 4, 0)) as usize % MOST_PLACES
    }

    #[cold]
    #[inline(never)]
    fn action_by_all_bits(&self, state: usize, random: u64) -> usize {
        self.lotteries.draw(self.lotteries.place(state), random).index as usize
    }

    /// The half of a slot, at the lower end, that a random number stands for.
    #[cold]
    #[inline(never)]
    fn transition_by_all_bits(&self, row: usize, slot: u64, random: u64) -> u64 {
        let mut drawn = AliasTable::new([1 << self.slot_bits].into_iter());
        set_transitions(&mut drawn, self.model, self.pair(row) as usize);
        let place = drawn.draw(drawn.place(0), random).index;
        let own = slot >> 20;
        if place_in_row(own) == place { own } else { slot }
    }
}

/// Fills the one row of a table with the transitions of a pair.
fn set_transitions(drawn: &mut AliasTable, model: &Cmdp, pair: usize) {
    drawn.set(0, model.kernel().row(pair).iter().enumerate().map(|(place, (_, p))| (at(place), p)));
}

/// An outcome without a row to draw from next.
fn at(place: usize) -> Drawn {
    Drawn { index: place as u32, then: SlotRange::default() }
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
        self.first_entry.len()
    }

    fn first_row(&self, state: usize) -> usize {
        state << self.action_bits
    }

    #[inline]
    fn pair(&self, row: usize) -> u32 {
        self.first_pair[row >> self.action_bits] + (row % (1 << self.action_bits)) as u32
    }

    fn take_up(&mut self, state: usize, probabilities: &[f64]) {
        if let Some(action) = certain(probabilities) {
            self.kinds[state] = action as u8;
            return;
        }
        self.lotteries.set(state, probabilities.iter().enumerate().map(|(action, &p)| (at(action), p)));
        let slots = self.actions[state << self.action_bits..].iter_mut();
        let mut even = true;
        for (place, (slot, drawn)) in slots.zip(self.lotteries.slots_of(state)).enumerate() {
            let (threshold, own, other) = drawn;
            even &= own == other && own as usize == place;
            *slot = (threshold >> 40 << 8) as u32 | own << 4 | other;
        }
        self.kinds[state] = if even { EVEN } else { LOTTERY };
    }

    #[inline(always)]
    fn step(&self, place: u32, action: u64, environment: u64) -> Taken<u32> {
        let state = place as usize;
        let row = (state << self.action_bits) + self.action(state, action);
        let slot =
            self.transitions[(row << self.slot_bits) + (environment >> (64 - self.slot_bits)) as usize];
        let (rest, threshold) = ((environment << self.slot_bits) >> 40, slot >> 40);
        let mut half = slot >> select_unpredictable(rest < threshold, 20, 0);
        if rest == threshold {
            half = self.transition_by_all_bits(row, slot, environment);
        }
        let entry = self.first_entry[row] + place_in_row(half);
        Taken { row, entry, next: half as u32 % MOST_STATES as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CmdpBuilder;
    use crate::seed::Seed;
    use crate::sim::tables::Wide;
    use proptest::prelude::*;
    use rand::RngExt;

    /// A model whose states have 1 to `actions` actions and whose pairs 1 to `successors` successors.
    fn model(states: usize, actions: usize, successors: usize, rng: &mut crate::seed::Rng) -> Cmdp {
        let mut model = CmdpBuilder::new(states, &[]);
        for state in 0..states {
            for _ in 0..rng.random_range(1..=actions) {
                let count = rng.random_range(1..=successors.min(states));
                let first = rng.random_range(0..states);
                let weights: Vec<f64> = (0..count).map(|_| rng.random_range(0.01..1.0)).collect();
                let sum: f64 = weights.iter().sum();
                let row: Vec<(usize, f64)> =
                    weights.iter().enumerate().map(|(i, w)| ((first + i) % states, w / sum)).collect();
                model.pair(state, &row, 0.0, &[]);
            }
        }
        model.build().unwrap()
    }

    /// A certain action, equally likely ones, or a lottery among some.
    fn row(actions: usize, rng: &mut crate::seed::Rng) -> Vec<f64> {
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

    /// Both tables of a model after the same policy was taken up.
    fn both<'a>(model: &'a Cmdp, rng: &mut crate::seed::Rng) -> (Wide, Compact<'a>) {
        let counts = Counts::new(model);
        let mut wide = Wide::new(model, &counts);
        let shape = Shape::of(&counts).expect("few actions and successors");
        let mut compact = Compact::new(shape, model, &counts);
        // The second policy is taken up over the first.
        for state in (0..model.states()).chain(0..model.states()) {
            let row = row(model.pairs_of(state).len(), rng);
            wide.take_up(state, &row);
            compact.take_up(state, &row);
        }
        (wide, compact)
    }

    /// A number that 24 bits do not tell from the threshold of a slot among 2^bits.
    fn near(upper: usize, bits: u32, threshold: u64, rng: &mut crate::seed::Rng) -> u64 {
        let lower = [0, (1 << 40) - 1, rng.next_u64() >> 24][rng.random_range(0..3)];
        (upper as u64) << (64 - bits) | (threshold << 40 | lower) >> bits
    }

    proptest! {
        #[test]
        fn every_number_stands_for_the_same_step_as_in_wide_tables(
            seed: u64, states in 1usize..=16, actions in 1usize..=16, successors in 1usize..=16,
        ) {
            let mut rng = Seed(seed).rng("model");
            let model = model(states, actions, successors, &mut rng);
            let (wide, compact) = both(&model, &mut rng);
            for _ in 0..300 {
                let state = rng.random_range(0..states);
                let (mut action, mut environment) = (rng.next_u64(), rng.next_u64());
                if rng.random() {
                    let upper = rng.random_range(0..1 << compact.action_bits);
                    let slot = compact.actions[(state << compact.action_bits) + upper];
                    action = near(upper, compact.action_bits, u64::from(slot >> 8), &mut rng);
                }
                if rng.random() {
                    let upper = rng.random_range(0..1 << compact.slot_bits);
                    let row = (state << compact.action_bits) + compact.action(state, action);
                    let slot = compact.transitions[(row << compact.slot_bits) + upper];
                    environment = near(upper, compact.slot_bits, slot >> 40, &mut rng);
                }
                let expected = wide.step(wide.place(state), action, environment);
                let found = compact.step(state as u32, action, environment);
                prop_assert_eq!(found.entry, expected.entry);
                prop_assert_eq!(found.row - compact.first_row(state), expected.row - wide.first_row(state));
                let there = wide.place(found.next as usize);
                prop_assert_eq!(format!("{there:?}"), format!("{:?}", expected.next));
            }
        }
    }

    #[test]
    fn numbers_at_a_threshold_are_decided_by_all_bits() {
        let mut model = CmdpBuilder::new(2, &[]);
        model.pair(0, &[(0, 0.3), (1, 0.7)], 0.0, &[]).pair(1, &[(0, 1.0)], 0.0, &[]);
        let model = model.build().unwrap();
        let (_, compact) = both(&model, &mut Seed(1).rng("policy"));
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
