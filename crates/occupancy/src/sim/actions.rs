//! Which action is taken in a state: the part that the tables of models with few actions have in common.
//!
//! Every state has 2^b rows, one for each of its actions. Most policies need no table to choose one: the action is the only one of
//! its state, or all are equally likely and the upper b bits of the random number say which. A step then waits for one load instead
//! of two, and a processor foresees which of the three it is.

use super::alias::{AliasTable, Drawn};
use super::tables::certain;
use crate::learn::Counts;
use std::hint::select_unpredictable;

/// As many actions of a state are told apart by the bits of a slot.
pub(super) const MOST_ACTIONS: usize = 1 << 4;

/// How a state's action is drawn, if it is not certain: all equally likely, or by its slots.
const EVEN: u8 = 16;
const LOTTERY: u8 = 17;

/// The actions of every state.
pub(super) struct Actions {
    /// b, at least 1.
    bits: u32,
    /// The only action of every state, or how it is drawn.
    kinds: Vec<u8>,
    /// Where it is by a lottery, 2^b slots of a state: 24 bits of the threshold, and two actions.
    slots: Vec<u32>,
    /// The same with all bits.
    lotteries: AliasTable,
    /// The first pair of every state.
    first_pair: Vec<u32>,
}

impl Actions {
    /// No policy yet; no state has more than 2^b actions.
    pub fn new(bits: u32, counts: &Counts) -> Actions {
        let states = counts.states();
        Actions {
            bits,
            kinds: vec![0; states],
            slots: vec![0; states << bits],
            lotteries: AliasTable::new((0..states).map(|_| 1 << bits)),
            first_pair: (0..states).map(|state| counts.pairs_of(state).start as u32).collect(),
        }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.slots.len()
    }

    /// The row of a state's first pair.
    pub fn first_row(&self, state: usize) -> usize {
        state << self.bits
    }

    /// The pair of a row.
    #[inline]
    pub fn pair(&self, row: usize) -> u32 {
        self.first_pair[row >> self.bits] + (row % (1 << self.bits)) as u32
    }

    /// Takes up the probabilities of a state's pairs.
    pub fn take_up(&mut self, state: usize, probabilities: &[f64]) {
        if let Some(action) = certain(probabilities) {
            self.kinds[state] = action as u8;
            return;
        }
        // Slots for these would each have one action, its own.
        let even = 1.0 / f64::from(1u32 << self.bits);
        if probabilities.len() == 1 << self.bits && probabilities.iter().all(|&p| p == even) {
            self.kinds[state] = EVEN;
            return;
        }
        self.kinds[state] = LOTTERY;
        self.lotteries.set(state, (0..).map(Drawn::last).zip(probabilities.iter().copied()));
        let slots = self.slots[state << self.bits..].iter_mut();
        for (slot, (threshold, own, other)) in slots.zip(self.lotteries.slots_of(state)) {
            *slot = (threshold >> 40 << 8) as u32 | own << 4 | other;
        }
    }

    /// The row of the action that a random number stands for.
    #[inline(always)]
    pub fn row(&self, state: usize, random: u64) -> usize {
        (state << self.bits) + self.draw(state, random)
    }

    #[inline(always)]
    fn draw(&self, state: usize, random: u64) -> usize {
        let kind = self.kinds[state];
        if kind < EVEN {
            return usize::from(kind);
        }
        let upper = (random >> (64 - self.bits)) as usize;
        if kind == EVEN { upper } else { self.by_lottery(state, upper, random) }
    }

    #[inline(always)]
    fn by_lottery(&self, state: usize, upper: usize, random: u64) -> usize {
        let slot = self.slots[(state << self.bits) + upper];
        let (rest, threshold) = (((random << self.bits) >> 40) as u32, slot >> 8);
        if rest == threshold {
            return self.by_all_bits(state, random);
        }
        (slot >> select_unpredictable(rest < threshold, 4, 0)) as usize % MOST_ACTIONS
    }

    #[cold]
    #[inline(never)]
    fn by_all_bits(&self, state: usize, random: u64) -> usize {
        self.lotteries.draw(self.lotteries.place(state), random).index as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Rng;
    use crate::sim::tables::tests::near;
    use rand::RngExt;

    impl Actions {
        /// A number that the bits of a slot do not tell from its threshold, if the state has a lottery.
        pub fn awkward(&self, state: usize, rng: &mut Rng) -> u64 {
            let upper = rng.random_range(0..1 << self.bits);
            let slot = self.slots[(state << self.bits) + upper];
            near(upper, self.bits, u64::from(slot >> 8), 24, rng)
        }
    }
}
