//! The resamples of a bootstrap: how often each of n numbers is drawn, and the weighted sums of many columns of numbers.
//!
//! ```text
//! sum_r = Σ share_ri x_i  over ascending i ,   share_ri = 1/n + … + 1/n , as often as i is drawn in resample r
//! ```
//!
//! A curve of 20 000 runs has a thousand columns, each of which is summed a thousand times. How often a number is drawn takes
//! a byte where its share takes eight; columns are summed sixteen at a time, a block of numbers after the other, so that what
//! is read again stays near the processor; and what is not drawn, a number in e, is passed over. Sums of one column at a
//! time over a table of shares took six times as long and eight times the memory. Each sum has its terms in the same order
//! either way, so that it is the same number to the last bit.

use occupancy::seed::Seed;
use rand::RngExt;

/// How often a sample is drawn anew.
pub(super) const RESAMPLES: usize = 1000;
/// So many columns are summed side by side.
const LANES: usize = 16;
/// So many columns share the list of what is drawn of a block.
pub(super) const PANEL: usize = 4 * LANES;
/// So many numbers of a column are looked at together: those of a panel fill the first cache.
const BLOCK: usize = 64;

/// A number of each of some columns.
type Tile = [f64; LANES];

/// How often each of n numbers is drawn in each resample.
#[derive(Clone, Debug)]
pub(super) struct Draws {
    count: usize,
    /// One row for each resample. No number is drawn 256 times: that has a probability of 1 in 256!.
    times: Vec<u8>,
    /// The share of a number by how often it is drawn.
    shares: Vec<f64>,
}

impl Draws {
    /// Resamples of so many numbers; of fewer than two there are none. `stream` tells independent ones apart.
    pub fn new(count: usize, stream: &str) -> Draws {
        let mut rng = Seed(0).rng(&format!("bootstrap/{stream}/{count}"));
        let resamples = if count > 1 { RESAMPLES } else { 0 };
        let mut times = vec![0u8; resamples * count];
        for row in times.chunks_exact_mut(count.max(1)) {
            for _ in 0..count {
                let drawn = &mut row[rng.random_range(0..count)];
                *drawn = drawn.saturating_add(1);
            }
        }
        let mut shares = vec![0.0; usize::from(u8::MAX) + 1];
        for k in 1..shares.len() {
            shares[k] = shares[k - 1] + 1.0 / count as f64;
        }
        Draws { count, times, shares }
    }

    /// How many numbers they are of.
    pub fn count(&self) -> usize {
        self.count
    }

    /// A statistic of each resample, from the share that each number has in it.
    pub fn map(&self, statistic: impl Fn(&[f64]) -> f64) -> Vec<f64> {
        let mut row = vec![0.0; self.count];
        let rows = self.times.chunks_exact(self.count.max(1));
        rows.map(|times| {
            row.iter_mut().zip(times).for_each(|(share, &k)| *share = self.shares[usize::from(k)]);
            statistic(&row)
        })
        .collect()
    }

    /// The sums of all resamples for each column, a panel of columns after the other.
    pub fn sums(&self, columns: &[&[f64]]) -> Vec<Vec<f64>> {
        columns.chunks(PANEL).flat_map(|panel| self.of_panel(panel)).collect()
    }

    fn of_panel(&self, panel: &[&[f64]]) -> Vec<Vec<f64>> {
        let resamples = self.times.len() / self.count.max(1);
        let tiles = panel.len().div_ceil(LANES);
        let mut numbers = vec![[[0.0; LANES]; BLOCK]; tiles];
        let mut sums: Vec<Tile> = vec![[0.0; LANES]; resamples * tiles];
        for start in (0..self.count).step_by(BLOCK) {
            let end = self.count.min(start + BLOCK);
            for (at, column) in panel.iter().enumerate() {
                let block = numbers[at / LANES].iter_mut().zip(&column[start..end]);
                block.for_each(|(tile, x)| tile[at % LANES] = *x);
            }
            for (row, sums) in self.times.chunks_exact(self.count).zip(sums.chunks_exact_mut(tiles)) {
                let mut drawn = [(0, 0.0); BLOCK];
                let drawn = self.drawn(&row[start..end], &mut drawn);
                sums.iter_mut().zip(&numbers).for_each(|(sum, block)| *sum = added(*sum, block, drawn));
            }
        }
        let of_column = |at: usize| {
            let tiles = sums.iter().skip(at / LANES).step_by(tiles);
            let sums: Vec<f64> = tiles.map(|tile| tile[at % LANES]).collect();
            // What is passed over would make a sum that is no number of one that is.
            if panel[at].iter().all(|x| x.is_finite()) { sums } else { vec![f64::NAN; resamples] }
        };
        (0..panel.len()).map(of_column).collect()
    }

    /// What is drawn of a block: its places and shares.
    fn drawn<'a>(&self, times: &[u8], room: &'a mut [(usize, f64); BLOCK]) -> &'a [(usize, f64)] {
        let mut many = 0;
        for (i, &k) in times.iter().enumerate() {
            // Without a branch, which would be foretold wrongly every third time.
            room[many] = (i, self.shares[usize::from(k)]);
            many += usize::from(k > 0);
        }
        &room[..many]
    }
}

/// A sum with the terms of a block.
fn added(mut sum: Tile, block: &[Tile; BLOCK], drawn: &[(usize, f64)]) -> Tile {
    for &(i, share) in drawn {
        let numbers = &block[i % BLOCK];
        for lane in 0..LANES {
            sum[lane] += share * numbers[lane];
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng as _;

    /// The same sums, one column and one resample after the other.
    fn plainly(draws: &Draws, column: &[f64]) -> Vec<f64> {
        draws.map(|shares| shares.iter().zip(column).fold(0.0, |sum, (share, x)| sum + share * x))
    }

    #[test]
    fn sums_of_many_columns_are_those_of_each_to_the_last_bit() {
        let mut rng = Seed(7).rng("numbers");
        for (count, columns) in [(2, 1), (5, 3), (63, 16), (64, 17), (65, 65), (301, 130)] {
            let draws = Draws::new(count, "test");
            let mut number = || ((rng.next_u64() >> 11) as f64 / 9e15 - 0.5) * 1e6;
            let columns: Vec<Vec<f64>> =
                (0..columns).map(|_| (0..count).map(|_| number()).collect()).collect();
            let slices: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
            let found = draws.sums(&slices);
            assert_eq!(found.len(), columns.len());
            for (column, sums) in columns.iter().zip(found) {
                let bits = |sums: &[f64]| sums.iter().map(|sum| sum.to_bits()).collect::<Vec<u64>>();
                assert_eq!(bits(&sums), bits(&plainly(&draws, column)), "{count} numbers");
            }
        }
    }

    #[test]
    fn a_number_that_is_none_leaves_no_sum_one() {
        let draws = Draws::new(4, "test");
        let found = draws.sums(&[&[1.0, f64::NAN, 0.0, 2.0], &[f64::INFINITY, 1.0, 1.0, 1.0], &[0.5; 4]]);
        assert!(found[0].iter().chain(&found[1]).all(|sum| sum.is_nan()));
        assert!(found[2].iter().all(|sum| *sum == 0.5));
    }

    #[test]
    fn a_row_of_shares_is_made_of_as_many_parts_as_there_are_numbers() {
        let draws = Draws::new(7, "a");
        assert!(draws.times.chunks(7).all(|row| row.iter().map(|&k| u64::from(k)).sum::<u64>() == 7));
        assert_eq!(draws.map(|_| 0.0).len(), RESAMPLES);
        assert!(Draws::new(1, "a").sums(&[&[3.0]])[0].is_empty());
    }
}
