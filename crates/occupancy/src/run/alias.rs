//! Draws from many small distributions with one random number and one comparison each.
//!
//! Walker's alias method in Vose's form: a distribution over n outcomes becomes 2^b ≥ n slots of equal probability, each
//! shared by at most two outcomes. The upper b bits of a random number choose the slot, the others the outcome. With a
//! power of two no multiplication is needed, and a row's slots begin where one number says.
//!
//! Sources: Walker, *An efficient method for generating discrete random variables with general distributions* (1977);
//! Vose, *A linear algorithm for generating random numbers with a given distribution* (1991).

/// Distributions over `u32` outcomes, one for each row.
#[derive(Clone, Debug, Default)]
pub(super) struct AliasTable {
    /// Where the slots of each row begin, and 64 − b.
    rows: Vec<(u32, u32)>,
    slots: Vec<Slot>,
    scratch: Vec<(f64, u32)>,
}

/// A share of a row: `own` below the threshold, `other` from there on.
#[derive(Clone, Copy, Debug)]
struct Slot {
    threshold: u64,
    own: u32,
    other: u32,
}

impl AliasTable {
    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.slots.clear();
    }

    /// Adds the row with these outcomes and probabilities, which sum to 1 to rounding.
    pub fn push(&mut self, outcomes: impl Iterator<Item = (u32, f64)>) {
        self.scratch.clear();
        self.scratch.extend(outcomes.filter(|&(_, p)| p > 0.0).map(|(outcome, p)| (p, outcome)));
        let count = self.scratch.len().next_power_of_two();
        let bits = count.trailing_zeros();
        let first = self.slots.len() as u32;
        self.rows.push((first, 64 - bits));
        let last = self.scratch.last().map_or(0, |&(_, outcome)| outcome);
        self.scratch.resize(count, (0.0, last));
        self.scratch.iter_mut().for_each(|(p, _)| *p *= count as f64);
        self.fill(first as usize);
    }

    /// Pairs outcomes that have less than a slot with those that have more.
    fn fill(&mut self, first: usize) {
        let count = self.scratch.len();
        let whole = |outcome| Slot { threshold: u64::MAX, own: outcome, other: outcome };
        self.slots.extend(self.scratch.iter().map(|&(_, outcome)| whole(outcome)));
        let mut large = (0..count).find(|&i| self.scratch[i].0 >= 1.0).unwrap_or(count);
        let mut next = 0;
        let mut small = None;
        // `next` passes every place once; a large one that has become small is dealt with at once.
        loop {
            let place = match small.take() {
                Some(place) => place,
                None if next < count => {
                    next += 1;
                    if self.scratch[next - 1].0 >= 1.0 {
                        continue;
                    }
                    next - 1
                }
                None => return,
            };
            if large >= count {
                // What is left differs from 1 by rounding alone.
                continue;
            }
            let share = self.scratch[place].0;
            let slot = &mut self.slots[first + place];
            slot.threshold = (share * 2f64.powi(64)) as u64;
            slot.other = self.scratch[large].1;
            self.scratch[large].0 -= 1.0 - share;
            if self.scratch[large].0 < 1.0 {
                let emptied = large;
                large = (emptied + 1..count).find(|&i| self.scratch[i].0 >= 1.0).unwrap_or(count);
                if emptied < next {
                    small = Some(emptied);
                }
            }
        }
    }

    /// The outcome of a row that a random number stands for.
    #[inline(always)]
    pub fn draw(&self, row: u32, random: u64) -> u32 {
        let (first, shift) = self.rows[row as usize];
        // Two shifts, because a row of one slot has nothing to shift in: 64 is one too many for a single one.
        let slot = self.slots[first as usize + ((random >> 1) >> (shift - 1)) as usize];
        let rest = random << (64 - shift);
        if rest < slot.threshold { slot.own } else { slot.other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;
    use proptest::prelude::*;

    /// The exact probability of every outcome, from the slots.
    fn probabilities(table: &AliasTable, row: usize, outcomes: usize) -> Vec<f64> {
        let (first, shift) = table.rows[row];
        let count = 1usize << (64 - shift);
        let mut found = vec![0.0; outcomes];
        for slot in &table.slots[first as usize..first as usize + count] {
            let own = if slot.own == slot.other { 1.0 } else { slot.threshold as f64 / 2f64.powi(64) };
            found[slot.own as usize] += own / count as f64;
            found[slot.other as usize] += (1.0 - own) / count as f64;
        }
        found
    }

    proptest! {
        #[test]
        fn slots_hold_the_probabilities(weights in prop::collection::vec(0.0..1.0f64, 1..20), zero in 0usize..20) {
            let mut weights = weights;
            if weights.len() > 1 && zero < weights.len() { weights[zero] = 0.0; }
            weights[0] += 1e-3;
            let sum: f64 = weights.iter().sum();
            let expected: Vec<f64> = weights.iter().map(|w| w / sum).collect();
            let mut table = AliasTable::default();
            table.push([(0, 1.0)].into_iter());
            table.push((0..).zip(expected.iter().copied()));
            let found = probabilities(&table, 1, expected.len());
            for (found, expected) in found.iter().zip(&expected) {
                prop_assert!((found - expected).abs() < 1e-12, "{found} against {expected}");
            }
        }
    }

    #[test]
    fn outcomes_without_probability_are_never_drawn() {
        let mut table = AliasTable::default();
        table.push([(0, 0.0), (1, 0.25), (2, 0.0), (3, 0.75)].into_iter());
        table.push([(7, 1.0)].into_iter());
        let mut rng = Seed(2).rng("draws");
        let mut counts = [0; 4];
        for _ in 0..40_000 {
            counts[table.draw(0, rng.next_u64()) as usize] += 1;
            assert_eq!(table.draw(1, rng.next_u64()), 7);
        }
        assert_eq!((counts[0], counts[2]), (0, 0));
        // A binomial of 40 000 and 1/4 has a standard deviation of 87.
        assert!((counts[1] as f64 - 10_000.0).abs() < 5.0 * 87.0, "{counts:?}");
        assert_eq!((table.draw(1, 0), table.draw(1, u64::MAX)), (7, 7));
    }
}
