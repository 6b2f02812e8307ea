//! Numbers with intervals, and what they say of a limit.

use super::Standing;
use crate::analyse::stats::{Bootstrap, mean, quantile};

/// The probability with which an interval holds the truth.
pub const LEVEL: f64 = 0.95;

/// A number and what it was in each bootstrap resample of the runs.
#[derive(Clone, Debug)]
pub struct Number {
    /// The number.
    pub value: f64,
    /// In each resample; empty where there is only one run.
    resampled: Vec<f64>,
}

impl Number {
    /// A statistic of some runs, given the weight of each of them; `stream` tells independent runs apart.
    pub fn of(runs: usize, stream: &str, statistic: impl Fn(&[f64]) -> f64) -> Number {
        let value = statistic(&vec![1.0 / runs as f64; runs]);
        Number { value, resampled: Bootstrap::new(runs, LEVEL, stream).resampled(statistic) }
    }

    /// The mean of one number of each run.
    pub fn mean(values: &[f64], stream: &str) -> Number {
        let weighted = |shares: &[f64]| shares.iter().zip(values).map(|(share, x)| share * x).sum();
        Number { value: mean(values), ..Number::of(values.len(), stream, weighted) }
    }

    /// A function of two numbers of independent runs.
    pub fn with(&self, other: &Number, combine: impl Fn(f64, f64) -> f64) -> Number {
        let resampled = self.resampled.iter().zip(&other.resampled).map(|(&a, &b)| combine(a, b)).collect();
        Number { value: combine(self.value, other.value), resampled }
    }

    /// The bootstrap interval; of one run there is none.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let mut ascending = self.resampled.clone();
        ascending.sort_by(f64::total_cmp);
        let tail = (1.0 - LEVEL) / 2.0;
        (!ascending.is_empty()).then(|| (quantile(&ascending, tail), quantile(&ascending, 1.0 - tail)))
    }

    /// Whether it is at most a limit.
    pub fn at_most(&self, limit: f64) -> Standing {
        match self.interval() {
            Some((_, high)) if high <= limit => Standing::Holds,
            Some((low, _)) if low > limit => Standing::Fails,
            _ => Standing::Depends,
        }
    }

    /// Whether it is at least a limit.
    pub fn at_least(&self, limit: f64) -> Standing {
        match self.interval() {
            Some((low, _)) if low >= limit => Standing::Holds,
            Some((_, high)) if high < limit => Standing::Fails,
            _ => Standing::Depends,
        }
    }

    /// `-0.7751 [-0.7760, -0.7743]`, with so many decimals.
    pub fn shown(&self, decimals: usize) -> String {
        self.shown_by(|x| format!("{x:.decimals$}"))
    }

    /// The number and its interval, each as `show` writes it.
    pub fn shown_by(&self, show: impl Fn(f64) -> String) -> String {
        match self.interval() {
            Some((low, high)) => format!("{} [{}, {}]", show(self.value), show(low), show(high)),
            None => show(self.value),
        }
    }
}

/// Both have to hold; one that fails decides.
pub fn both(a: Standing, b: Standing) -> Standing {
    match (a, b) {
        (Standing::Holds, Standing::Holds) => Standing::Holds,
        (Standing::Fails, _) | (_, Standing::Fails) => Standing::Fails,
        _ => Standing::Depends,
    }
}

/// A number of rounds in words: `850`, `12.3k`, `1.25M`.
pub fn rounds(x: f64) -> String {
    match x {
        x if x >= 1e6 => format!("{:.2}M", x / 1e6),
        x if x >= 1e4 => format!("{:.1}k", x / 1e3),
        x => format!("{x:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_decides_or_does_not() {
        let values: Vec<f64> = (0..20).map(|i| f64::from(i) / 10.0).collect();
        let number = Number::mean(&values, "test");
        assert!((number.value - 0.95).abs() < 1e-12);
        let (low, high) = number.interval().unwrap();
        assert!((0.6..0.8).contains(&low) && (1.1..1.3).contains(&high), "{low} {high}");
        assert_eq!(
            [1.5, 1.0, 0.5].map(|x| number.at_most(x)),
            [Standing::Holds, Standing::Depends, Standing::Fails]
        );
        assert_eq!(
            [1.5, 1.0, 0.5].map(|x| number.at_least(x)),
            [Standing::Fails, Standing::Depends, Standing::Holds]
        );
        let ratio = number.with(&Number::mean(&[2.0; 20], "other"), |a, b| a / b);
        assert!((ratio.value - 0.475).abs() < 1e-12);
    }

    #[test]
    fn one_run_decides_nothing() {
        let number = Number::mean(&[0.25], "test");
        assert_eq!((number.at_most(1.0), number.shown(2)), (Standing::Depends, "0.25".to_string()));
    }

    #[test]
    fn rounds_are_short() {
        assert_eq!([850.0, 12_345.0, 1_250_000.0].map(rounds), ["850", "12.3k", "1.25M"]);
    }
}
