//! Running sums in whole numbers, to which every step of a trial in a large model adds its terms.

use crate::arithmetic::extremes::greatest_size;

/// Running sums in whole numbers: a column counts in units of 2⁻⁶² of the power of two above its largest value. Values from
/// 1/512 of the largest on are whole numbers of units exactly; smaller ones are off by half a unit. A sum of 2⁶⁴ terms has room.
pub(super) struct Ledger {
    /// The terms of a transition stand side by side, so that a step reads one line of memory.
    terms: Vec<i64>,
    totals: Vec<i128>,
    /// What one unit of each column is worth.
    units: Vec<f64>,
}

impl Ledger {
    /// Nothing summed yet; `columns` hold the values of every transition.
    pub fn new(columns: &[&[f64]]) -> Ledger {
        let units: Vec<f64> = columns.iter().map(|values| unit(values)).collect();
        let transitions = columns.first().map_or(0, |values| values.len());
        let mut terms = Vec::with_capacity(transitions * columns.len());
        for entry in 0..transitions {
            // The quotient is exact, as units are powers of two.
            terms.extend(
                columns.iter().zip(&units).map(|(values, unit)| (values[entry] / unit).round() as i64),
            );
        }
        Ledger { terms, totals: vec![0; columns.len()], units }
    }

    /// A transition was taken.
    #[inline(always)]
    pub fn add(&mut self, entry: u32) {
        let columns = self.totals.len();
        let first = entry as usize * columns;
        for (total, &term) in self.totals.iter_mut().zip(&self.terms[first..first + columns]) {
            *total += i128::from(term);
        }
    }

    pub fn sum(&self, column: usize) -> f64 {
        self.totals[column] as f64 * self.units[column]
    }
}

/// The unit of a column: 2^(e − 62), where all values are below 2^e.
fn unit(values: &[f64]) -> f64 {
    let largest = greatest_size(values.iter().copied());
    // Values below 1e-289 have no unit of their own, which would be no normal number.
    let exponent = ((largest.to_bits() >> 52) as i64 - 1022).max(-960);
    f64::from_bits(((exponent - 62 + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;
    use crate::sim::sums::weighted_sums;
    use proptest::prelude::*;
    use rand::RngExt;

    /// A ledger of one column, and the transitions that are taken.
    fn ledger_after(values: &[f64], steps: &[usize]) -> Ledger {
        let mut ledger = Ledger::new(&[values]);
        steps.iter().for_each(|&entry| ledger.add(entry as u32));
        ledger
    }

    fn counted(values: &[f64], steps: &[usize]) -> f64 {
        let mut taken = vec![0u64; values.len()];
        steps.iter().for_each(|&entry| taken[entry] += 1);
        weighted_sums(&taken, &[values])[0]
    }

    proptest! {
        /// Multiples of 1/16 have exact sums, so that both ways have the same bits.
        #[test]
        fn sums_that_are_exact_are_the_same_either_way(
            values in prop::collection::vec(-160i32..160, 1..40), steps in prop::collection::vec(0usize..1000, 0..300),
        ) {
            let values: Vec<f64> = values.iter().map(|&x| f64::from(x) / 16.0).collect();
            let steps: Vec<usize> = steps.iter().map(|step| step % values.len()).collect();
            let (running, plain) = (ledger_after(&values, &steps).sum(0), counted(&values, &steps));
            prop_assert_eq!(running.to_bits(), plain.to_bits());
        }

        #[test]
        fn other_sums_are_the_plain_ones_but_for_rounding(
            values in prop::collection::vec(-1e3..1e3f64, 1..40), steps in prop::collection::vec(0usize..1000, 0..300),
        ) {
            let steps: Vec<usize> = steps.iter().map(|step| step % values.len()).collect();
            let (running, plain) = (ledger_after(&values, &steps).sum(0), counted(&values, &steps));
            prop_assert!((running - plain).abs() <= 1e-14 * 1e3 * steps.len() as f64, "{running} against {plain}");
        }
    }

    #[test]
    fn running_sums_do_not_drift_and_have_no_order() {
        // 0.1 is 3602879701896397 / 2⁵⁵; a million times that, rounded once, is 100000.00000000001 or so.
        let exact = (3_602_879_701_896_397u128 * 1_000_000) as f64 / (1u64 << 55) as f64;
        let forward: Vec<usize> = (0..1_000_000).map(|_| 0).collect();
        assert_eq!(ledger_after(&[0.1, 0.7], &forward).sum(0), exact);
        assert_ne!((0..1_000_000).fold(0.0, |sum, _| sum + 0.1), exact);
        let mut rng = Seed(4).rng("order");
        let values: Vec<f64> = (0..50).map(|_| rng.random_range(-1.0..1.0)).collect();
        let mut steps: Vec<usize> = (0..10_000).map(|_| rng.random_range(0..50)).collect();
        let sum = ledger_after(&values, &steps).sum(0);
        steps.reverse();
        assert_eq!(ledger_after(&values, &steps).sum(0).to_bits(), sum.to_bits());
    }

    #[test]
    fn values_of_any_size_are_held() {
        for size in [1e100, 1.0, 1e-100, 1e-280, 0.0] {
            let sum = ledger_after(&[size, -size / 3.0], &[0, 1, 0, 1, 0]).sum(0);
            assert!((sum - size * (7.0 / 3.0)).abs() <= 1e-15 * size, "{size:e}: {sum:e}");
        }
    }
}
