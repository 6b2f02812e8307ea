//! A number made of the runs of a learner, and what it would be of other runs: an interval, and a function of two of them.
//!
//! Two statistics of runs that share their random numbers are resampled together if their resamples are: the interval of
//! their difference is then that of the pairs.

use super::stats::{Bootstrap, FEW, mean, quantile};

/// A number and what it was in each bootstrap resample of the runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistic {
    /// The number.
    pub value: f64,
    /// In each resample; empty if there is only one run.
    resampled: Vec<f64>,
    level: f64,
    /// How many runs it is made of; of two numbers the fewer.
    runs: usize,
    /// What it can be.
    possible: (f64, f64),
}

const ANYTHING: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

impl Statistic {
    /// A statistic of the runs, given the share of each of them.
    pub fn of(bootstrap: &Bootstrap, statistic: impl Fn(&[f64]) -> f64) -> Statistic {
        let runs = bootstrap.count();
        let value = statistic(&vec![1.0 / runs as f64; runs]);
        let resampled = bootstrap.resampled(statistic);
        Statistic { value, resampled, level: bootstrap.level(), runs, possible: ANYTHING }
    }

    /// The mean of one number of each run: its interval is [`Bootstrap::interval`].
    pub fn mean(bootstrap: &Bootstrap, values: &[f64]) -> Statistic {
        let value = mean(values);
        let resampled = bootstrap.deviations(values).into_iter().map(|deviation| value + deviation).collect();
        Statistic { value, resampled, level: bootstrap.level(), runs: values.len(), possible: ANYTHING }
    }

    /// The same, where it cannot be outside a range.
    pub fn within(self, possible: (f64, f64)) -> Statistic {
        Statistic { possible, ..self }
    }

    /// A function of two numbers.
    pub fn with(&self, other: &Statistic, combine: impl Fn(f64, f64) -> f64) -> Statistic {
        let resampled = self.resampled.iter().zip(&other.resampled).map(|(&a, &b)| combine(a, b)).collect();
        let (value, runs) = (combine(self.value, other.value), self.runs.min(other.runs));
        Statistic { value, resampled, level: self.level, runs, possible: ANYTHING }
    }

    /// The bootstrap interval; of one run there is none.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let mut ascending = self.resampled.clone();
        ascending.sort_by(f64::total_cmp);
        let tail = (1.0 - self.level) / 2.0;
        let end = |share| quantile(&ascending, share).clamp(self.possible.0, self.possible.1);
        (!ascending.is_empty()).then(|| (end(tail), end(1.0 - tail)))
    }

    /// Whether something is true of so many resamples that an interval on that side would hold the truth as often as this
    /// one does. Few runs say it of nothing.
    pub fn surely(&self, is_true: impl Fn(f64) -> bool) -> bool {
        let count = self.resampled.iter().filter(|x| is_true(**x)).count();
        let enough = (1.0 + self.level) / 2.0 * self.resampled.len() as f64;
        !self.says_little() && count as f64 >= enough
    }

    /// Whether there are too few runs for the interval to mean much.
    pub fn says_little(&self) -> bool {
        self.runs < FEW
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_mean_is_that_of_the_bootstrap() {
        let (bootstrap, values) = (Bootstrap::new(6, 0.95, "test"), [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]);
        let (found, plain) = (Statistic::mean(&bootstrap, &values), bootstrap.interval(&values).unwrap());
        let (low, high) = found.interval().unwrap();
        assert!((low - plain.0).abs() < 1e-12 && (high - plain.1).abs() < 1e-12);
        let (low, high) = found.within((5.0, 12.0)).interval().unwrap();
        assert_eq!((low, high), (5.0, 12.0), "not beyond what is possible");
    }

    #[test]
    fn numbers_that_were_drawn_together_differ_in_pairs() {
        let values: Vec<f64> = (0..20).map(f64::from).collect();
        let more: Vec<f64> = values.iter().map(|x| x + 1.0).collect();
        let difference = |stream: &str| {
            let one = Statistic::mean(&Bootstrap::new(20, 0.95, "one"), &values);
            let other = Statistic::mean(&Bootstrap::new(20, 0.95, stream), &more);
            other.with(&one, |a, b| a - b).interval().unwrap()
        };
        let (low, high) = difference("one");
        assert!((low - 1.0).abs() < 1e-9 && (high - 1.0).abs() < 1e-9, "{low} {high}");
        let (low, high) = difference("other");
        assert!(low < -1.0 && high > 3.0, "{low} {high}");
    }

    #[test]
    fn one_run_has_no_interval() {
        let one = Statistic::mean(&Bootstrap::new(1, 0.95, "test"), &[0.25]);
        assert_eq!((one.value, one.interval(), one.surely(|_| true)), (0.25, None, false));
    }
}
