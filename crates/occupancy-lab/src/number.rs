//! Numbers for people: ten significant digits without trailing zeros, or fewer where chance has made them.

use occupancy::arithmetic::elementary::log10;

const DIGITS: i32 = 10;
/// Of numbers that another run would change.
const FEW_DIGITS: i32 = 6;
/// Sizes below this are rounding and shown as 0.
const NOTHING: f64 = 1e-12;

/// Ten significant digits; `inf` for an infinite budget.
pub fn number(x: f64) -> String {
    with_digits(x, DIGITS)
}

/// Six significant digits.
pub fn brief(x: f64) -> String {
    with_digits(x, FEW_DIGITS)
}

fn with_digits(x: f64, digits: i32) -> String {
    if x.is_infinite() {
        return if x > 0.0 { "inf".into() } else { "-inf".into() };
    }
    if x.abs() < NOTHING {
        return "0".into();
    }
    let exponent = log10(x.abs()).floor() as i32;
    if !(-5..15).contains(&exponent) {
        let text = format!("{x:.*e}", digits as usize - 1);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{exponent}", trimmed(mantissa));
    }
    trimmed(&format!("{x:.*}", (digits - 1 - exponent).max(0) as usize))
}

/// As [`number`], but never below x: a budget that is enough. Rounding of the last digits is taken off first.
pub fn number_above(x: f64) -> String {
    let text = number(x);
    let shown: f64 = text.parse().unwrap_or(x);
    if shown >= x - x.abs() * 1e-13 { text } else { number(x + x.abs() * 1e-9) }
}

/// Two significant digits, for sizes of errors.
pub fn rough(x: f64) -> String {
    if x == 0.0 { "0".into() } else { format!("{x:.1e}") }
}

/// A share as percent: `12.5%`, `100%`, `<0.1%`.
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent > 0.0 && percent < 0.1 {
        return "<0.1%".into();
    }
    format!("{}%", trimmed(&format!("{percent:.1}")))
}

/// A time, in the unit that suits it.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s if s < 120.0 => format!("{s:.1} s"),
        s if s < 7200.0 => format!("{:.1} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// `1 cost`, `2 costs`.
pub fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn trimmed(text: &str) -> String {
    if !text.contains('.') {
        return text.to_string();
    }
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_ten_significant_digits_and_no_trailing_zeros() {
        let cases = [
            (-0.775, "-0.775"),
            (0.1 + 0.2, "0.3"),
            (1.0, "1"),
            (3.0 / 13.0, "0.2307692308"),
            (123456.0, "123456"),
            (1e300, "1e300"),
            (5.11416e-6, "5.11416e-6"),
            (1.4e-17, "0"),
            (f64::INFINITY, "inf"),
            (100.0, "100"),
        ];
        for (x, text) in cases {
            assert_eq!(number(x), text);
        }
    }

    #[test]
    fn brief_numbers_have_six_digits() {
        assert_eq!([-0.8265555, 2143.13333, 1.0, 0.0].map(brief), ["-0.826555", "2143.13", "1", "0"]);
        assert_eq!(brief(12_345_678.9), "12345679");
    }

    #[test]
    fn a_budget_that_is_enough_is_never_rounded_below_the_cost() {
        for x in [0.1, 1.0 / 3.0, 2.0 / 3.0, 0.0013547562, 1e-7 / 3.0, -1.0 / 3.0, -2.0 / 3.0] {
            let shown: f64 = number_above(x).parse().unwrap();
            assert!(shown >= x - 1e-13 && shown - x <= 2e-9 * x.abs(), "{x} shown as {shown}");
        }
        assert_eq!(number_above(0.1 + 0.2), "0.3");
    }

    #[test]
    fn percents_and_times_are_short() {
        assert_eq!(
            [percent(1.0), percent(0.125), percent(0.0001), percent(0.0)],
            ["100%", "12.5%", "<0.1%", "0%"]
        );
        assert_eq!([duration(2e-4), duration(0.0123), duration(12.34)], ["200 µs", "12.3 ms", "12.3 s"]);
    }
}
