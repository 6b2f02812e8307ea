//! What numbers with intervals say of a limit, and how they are written.

use super::Standing;
use crate::analyse::Statistic;

/// Whether a number is at most a limit.
pub fn at_most(number: &Statistic, limit: f64) -> Standing {
    decided(number.surely(|x| x <= limit), number.surely(|x| x > limit))
}

/// Whether a number is at least a limit.
pub fn at_least(number: &Statistic, limit: f64) -> Standing {
    decided(number.surely(|x| x >= limit), number.surely(|x| x < limit))
}

/// Whether one number of rounds is below another. Two that were not reached before the runs ended cannot be compared.
pub fn earlier(one: &Statistic, other: &Statistic) -> Standing {
    if one.value.is_infinite() && other.value.is_infinite() {
        return Standing::Censored;
    }
    // Not a − b, which is no number if neither is reached.
    let order =
        one.with(other, |a, b| if a == b { 0.0 } else { (a > b) as i32 as f64 - (a < b) as i32 as f64 });
    decided(order.surely(|x| x < 0.0), order.surely(|x| x > 0.0))
}

fn decided(yes: bool, no: bool) -> Standing {
    match (yes, no) {
        (true, _) => Standing::Holds,
        (_, true) => Standing::Fails,
        _ => Standing::Undecided,
    }
}

/// `-0.7751 [-0.7760, -0.7743]`, with so many decimals.
pub fn shown(number: &Statistic, decimals: usize) -> String {
    shown_by(number, |x| format!("{x:.decimals$}"))
}

/// The number and its interval, each as `show` writes it.
pub fn shown_by(number: &Statistic, show: impl Fn(f64) -> String) -> String {
    match number.interval() {
        Some((low, high)) => format!("{} [{}, {}]", show(number.value), show(low), show(high)),
        None => show(number.value),
    }
}

/// A number of rounds in words: `850`, `12.3k`, `1.25M`; `never` if it is not reached.
pub fn rounds(x: f64) -> String {
    match x {
        x if x.is_infinite() => "never".to_string(),
        x if x >= 1e6 => format!("{:.2}M", x / 1e6),
        x if x >= 1e4 => format!("{:.1}k", x / 1e3),
        x => format!("{x:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::stats::Bootstrap;

    fn mean(values: &[f64]) -> Statistic {
        Statistic::mean(&Bootstrap::new(values.len(), 0.95, "test"), values)
    }

    #[test]
    fn an_interval_decides_or_does_not() {
        let values: Vec<f64> = (0..20).map(|i| f64::from(i) / 10.0).collect();
        let number = mean(&values);
        let (low, high) = number.interval().unwrap();
        assert!((0.6..0.8).contains(&low) && (1.1..1.3).contains(&high), "{low} {high}");
        let standings = [Standing::Holds, Standing::Undecided, Standing::Fails];
        assert_eq!([1.5, 1.0, 0.5].map(|x| at_most(&number, x)), standings);
        assert_eq!([0.5, 1.0, 1.5].map(|x| at_least(&number, x)), standings);
    }

    #[test]
    fn few_runs_decide_nothing() {
        assert_eq!(
            (at_most(&mean(&[0.25]), 1.0), shown(&mean(&[0.25]), 2)),
            (Standing::Undecided, "0.25".into())
        );
        assert_eq!(
            [4, 5].map(|n| at_most(&mean(&vec![0.25; n]), 1.0)),
            [Standing::Undecided, Standing::Holds]
        );
    }

    #[test]
    fn what_never_happened_is_later_than_what_did_and_not_compared_with_its_like() {
        let round = |step: f64| Statistic::of(&Bootstrap::new(8, 0.95, "test"), |_| step);
        let (never, soon) = (round(f64::INFINITY), round(10.0));
        assert_eq!([earlier(&soon, &never), earlier(&never, &soon)], [Standing::Holds, Standing::Fails]);
        assert_eq!(earlier(&never, &never), Standing::Censored);
        assert_eq!(earlier(&soon, &soon), Standing::Undecided);
    }

    #[test]
    fn rounds_are_short() {
        assert_eq!(
            [850.0, 12_345.0, 1_250_000.0, f64::INFINITY].map(rounds),
            ["850", "12.3k", "1.25M", "never"]
        );
    }
}
