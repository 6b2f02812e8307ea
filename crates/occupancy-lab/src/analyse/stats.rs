//! Statistics of a few independent numbers: means, deviations, quantiles and bootstrap intervals.
//!
//! ```text
//! deviation    √( Σ (x − mean)² / (n − 1) )
//! quantile     linear between the ordered values, the smallest at 0 and the largest at 1
//! interval     mean* of n draws with replacement, a thousand times; its quantiles around the mean, widened by √(n/(n − 1))
//! ```
//!
//! Without the widening an interval of few numbers is too narrow, because resampling divides by n where n − 1 is right.
//! One number has neither deviation nor interval. Intervals of two to four are there but say little:
//! [`Description::says_little`].
//!
//! Sources: Efron, *Bootstrap methods* (1979); Hesterberg, *What teachers should know about the bootstrap* (2015) on the
//! widening; quantiles are type 7 of Hyndman and Fan (1996).

use super::draws::Draws;

/// Below this many numbers an interval says little.
pub(super) const FEW: usize = 5;
/// The quantiles of a [`Description`].
pub const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// What is said about some numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// How many there are.
    pub count: usize,
    /// Their mean; NaN where there are none.
    pub mean: f64,
    /// Their standard deviation; `None` for fewer than two.
    pub deviation: Option<f64>,
    /// Their quantiles at [`QUANTILES`].
    pub quantiles: [f64; 5],
    /// The bootstrap interval of the mean; `None` for fewer than two.
    pub interval: Option<(f64, f64)>,
}

impl Description {
    /// The same, with an interval inside the range that the numbers can have: widening may leave it.
    pub fn within(self, (least, most): (f64, f64)) -> Description {
        let interval = self.interval.map(|(low, high)| (low.clamp(least, most), high.clamp(least, most)));
        Description { interval, ..self }
    }

    /// Whether there are too few numbers for the interval to mean much.
    pub fn says_little(&self) -> bool {
        self.count < FEW
    }
}

/// Σ x / n; NaN where there are none.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The standard deviation; `None` for fewer than two numbers.
pub fn deviation(values: &[f64]) -> Option<f64> {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
    (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
}

/// The quantile of ascending numbers; NaN where there are none.
pub fn quantile(ascending: &[f64], share: f64) -> f64 {
    let Some(last) = ascending.len().checked_sub(1) else { return f64::NAN };
    let place = share.clamp(0.0, 1.0) * last as f64;
    let (low, part) = (place.floor() as usize, place.fract());
    let (a, b) = (ascending[low], ascending[(low + 1).min(last)]);
    if part == 0.0 || a == b { a } else { a + part * (b - a) }
}

/// Puts the numbers that quantiles lie between where they would be in ascending order; the others are not needed, and to
/// order them too takes several times as long.
fn order_around(values: &mut [f64], shares: &[f64]) {
    let Some(last) = values.len().checked_sub(1) else { return };
    let below = |share: &f64| (share.clamp(0.0, 1.0) * last as f64) as usize;
    let mut places: Vec<usize> =
        shares.iter().map(below).flat_map(|low| [low, (low + 1).min(last)]).collect();
    places.sort_unstable();
    places.dedup();
    let mut end = values.len();
    for place in places.into_iter().rev() {
        values[..end].select_nth_unstable_by(place, f64::total_cmp);
        end = place;
    }
}

/// Resamples of n numbers: the same for all quantities of the same runs.
#[derive(Clone, Debug)]
pub struct Bootstrap {
    level: f64,
    draws: Draws,
}

impl Bootstrap {
    /// Resamples of so many numbers, for intervals that hold the truth with probability `level`. `stream` tells
    /// independent resamples apart.
    pub fn new(count: usize, level: f64, stream: &str) -> Bootstrap {
        Bootstrap { level, draws: Draws::new(count, stream) }
    }

    /// How many numbers it is for.
    pub(super) fn count(&self) -> usize {
        self.draws.count()
    }

    /// The probability with which intervals hold the truth.
    pub(super) fn level(&self) -> f64 {
        self.level
    }

    /// The resampled means minus the mean, widened.
    pub(super) fn deviations(&self, values: &[f64]) -> Vec<f64> {
        self.deviations_of(&[values]).pop().unwrap_or_default()
    }

    /// Those of some columns of as many numbers as the resamples are for.
    fn deviations_of(&self, columns: &[&[f64]]) -> Vec<Vec<f64>> {
        let n = self.count() as f64;
        let widening = (n / (n - 1.0)).sqrt();
        let around = |(sums, column): (Vec<f64>, &&[f64])| {
            let mean = mean(column);
            sums.into_iter().map(|resampled| widening * (resampled - mean)).collect()
        };
        self.draws.sums(columns).into_iter().zip(columns).map(around).collect()
    }

    fn around(&self, center: f64, mut deviations: Vec<f64>) -> (f64, f64) {
        let tail = (1.0 - self.level) / 2.0;
        order_around(&mut deviations, &[tail, 1.0 - tail]);
        (center + quantile(&deviations, tail), center + quantile(&deviations, 1.0 - tail))
    }

    /// Whether there are resamples of columns, and of as many numbers as these have.
    fn fits(&self, columns: &[&[f64]]) -> bool {
        self.count() > 1 && columns.iter().all(|column| column.len() == self.count())
    }

    /// The interval of the mean; `None` for fewer than two numbers, or another number of them than the resamples are for.
    pub fn interval(&self, values: &[f64]) -> Option<(f64, f64)> {
        self.intervals(&[values]).pop().flatten()
    }

    fn intervals(&self, columns: &[&[f64]]) -> Vec<Option<(f64, f64)>> {
        if !self.fits(columns) {
            return vec![None; columns.len()];
        }
        let found = self.deviations_of(columns).into_iter().zip(columns);
        found.map(|(deviations, column)| Some(self.around(mean(column), deviations))).collect()
    }

    /// The intervals of the differences of means, column by column: of independent numbers if the resamples are of two
    /// streams, and of pairs if they are of one.
    pub fn differences(
        &self,
        columns: &[&[f64]],
        other: &Bootstrap,
        others: &[&[f64]],
    ) -> Vec<Option<(f64, f64)>> {
        if !self.fits(columns) || !other.fits(others) {
            return vec![None; columns.len()];
        }
        let deviations = self.deviations_of(columns).into_iter().zip(other.deviations_of(others));
        let means = columns.iter().zip(others).map(|(one, other)| mean(one) - mean(other));
        let interval = |(center, (a, b)): (f64, (Vec<f64>, Vec<f64>))| {
            Some(self.around(center, a.iter().zip(&b).map(|(a, b)| a - b).collect()))
        };
        means.zip(deviations).map(interval).collect()
    }

    /// A statistic of each resample, from the share that each number has in it; none for fewer than two numbers.
    pub fn resampled(&self, statistic: impl Fn(&[f64]) -> f64) -> Vec<f64> {
        self.draws.map(statistic)
    }

    /// All that is said about some numbers.
    pub fn describe(&self, values: &[f64]) -> Description {
        described(values, self.interval(values))
    }

    /// All that is said about each of some columns: many of them take less time together.
    pub fn describe_all(&self, columns: &[&[f64]]) -> Vec<Description> {
        let intervals = self.intervals(columns);
        columns.iter().zip(intervals).map(|(column, interval)| described(column, interval)).collect()
    }
}

fn described(values: &[f64], interval: Option<(f64, f64)>) -> Description {
    let mut ordered = values.to_vec();
    order_around(&mut ordered, &QUANTILES);
    Description {
        count: values.len(),
        mean: mean(values),
        deviation: deviation(values),
        quantiles: QUANTILES.map(|share| quantile(&ordered, share)),
        interval,
    }
}

#[cfg(test)]
mod tests {
    use super::super::draws::RESAMPLES;
    use super::*;
    use occupancy::seed::Seed;
    use rand::Rng as _;

    #[test]
    fn quantiles_and_deviations_are_those_of_numpy() {
        // numpy.quantile and numpy.std(ddof=1) of [3, 1, 4, 1, 5].
        let bootstrap = Bootstrap::new(5, 0.95, "test");
        let found = bootstrap.describe(&[3.0, 1.0, 4.0, 1.0, 5.0]);
        assert_eq!((found.count, found.mean), (5, 2.8));
        assert!((found.deviation.unwrap() - 1.788_854_381_999_831_6).abs() < 1e-15);
        assert_eq!(found.quantiles, [1.0, 1.0, 3.0, 4.0, 4.8]);
        assert!(!found.says_little());
    }

    #[test]
    fn quantiles_of_what_is_ordered_in_part_are_those_of_the_whole() {
        let mut rng = Seed(6).rng("numbers");
        for count in [1, 2, 3, 10, 1000] {
            let values: Vec<f64> = (0..count).map(|_| (rng.next_u64() % 500) as f64).collect();
            let mut ascending = values.clone();
            ascending.sort_by(f64::total_cmp);
            for shares in [[0.025, 0.975], [0.0, 1.0], [0.5, 0.5], [0.49, 0.51], [0.3, 0.35]] {
                let mut partly = values.clone();
                order_around(&mut partly, &shares);
                assert_eq!(shares.map(|s| quantile(&partly, s)), shares.map(|s| quantile(&ascending, s)));
            }
        }
    }

    #[test]
    fn few_numbers_do_not_break_anything() {
        let none = Bootstrap::new(0, 0.95, "test").describe(&[]);
        assert!(none.mean.is_nan() && none.deviation.is_none() && none.interval.is_none());
        let one = Bootstrap::new(1, 0.95, "test").describe(&[2.5]);
        assert_eq!((one.mean, one.deviation, one.interval, one.quantiles), (2.5, None, None, [2.5; 5]));
        let two = Bootstrap::new(2, 0.95, "test").describe(&[0.0, 2.0]);
        let (low, high) = two.interval.unwrap();
        assert!(low < 0.0 && high > 2.0 && two.says_little(), "{low} {high}");
        let same = Bootstrap::new(3, 0.95, "test").describe(&[0.1; 3]);
        assert!(same.interval.is_some_and(|(low, high)| (high - low).abs() < 1e-15));
    }

    #[test]
    fn intervals_hold_the_truth_about_as_often_as_they_say() {
        // Sums of two uniform numbers have mean 1. Of 2000 intervals of 95 %, 1900 hold it, with deviation 10; those of
        // ten numbers fall short by a few percent, as percentile intervals do.
        let mut rng = Seed(5).rng("numbers");
        let mut uniform = || (rng.next_u64() >> 11) as f64 / 9_007_199_254_740_992.0;
        for (count, least) in [(10, 1800), (40, 1860)] {
            let bootstrap = Bootstrap::new(count, 0.95, "test");
            let held = (0..2000).filter(|_| {
                let values: Vec<f64> = (0..count).map(|_| uniform() + uniform()).collect();
                bootstrap.interval(&values).is_some_and(|(low, high)| low <= 1.0 && 1.0 <= high)
            });
            let held = held.count();
            assert!((least..=1940).contains(&held), "{count}: {held}");
        }
    }

    #[test]
    fn shares_of_a_resample_make_one_whole() {
        let sums = Bootstrap::new(7, 0.9, "a").resampled(|shares| shares.iter().sum());
        assert_eq!(sums.len(), RESAMPLES);
        assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-12));
        assert!(Bootstrap::new(1, 0.9, "a").resampled(|shares| shares[0]).is_empty());
    }

    #[test]
    fn a_difference_has_an_interval_of_its_own() {
        let (a, b) = (Bootstrap::new(4, 0.9, "a"), Bootstrap::new(3, 0.9, "b"));
        let (low, high) = a.differences(&[&[1.0, 2.0, 3.0, 4.0]], &b, &[&[1.0, 1.0, 1.0]])[0].unwrap();
        let alone = a.interval(&[0.0, 1.0, 2.0, 3.0]).unwrap();
        assert!((low - alone.0).abs() < 1e-12 && (high - alone.1).abs() < 1e-12);
        assert_eq!(a.differences(&[&[1.0; 4]], &Bootstrap::new(1, 0.9, "b"), &[&[1.0]]), [None]);
    }
}
