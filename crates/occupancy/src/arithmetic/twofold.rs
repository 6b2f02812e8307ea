//! Numbers as a double and an interval for what it lacks: some 32 digits, with their errors.
//!
//! ```text
//! a + b = s + e   for s = fl(a + b)      (Knuth, 1969)          a · b = p + e   for p = fl(a · b)      (Dekker, 1971)
//! ```
//!
//! The doubles are added and multiplied without error: e is a double as well, and joins the interval, which is rounded outward as
//! every [`Interval`] is. Where terms of 1e12 add up to 1, an interval alone is 1e-4 wide; the sum is 1e-16 wide here.

use super::Interval;
use std::ops::{Add, Sub};

/// A number that is known to lie in `head` + `rest`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twofold {
    head: f64,
    rest: Interval,
}

/// 2²⁷ + 1: splits 53 bits in two halves.
const SPLITTER: f64 = 134_217_729.0;

/// 2⁻⁹⁶⁷. What a product of 53 bits each lacks is a multiple of 2⁻¹⁰⁶ of it: below, that may be less than the least double.
const LEAST_PRODUCT: f64 = f64::from_bits((1023 - 967) << 52);

impl Twofold {
    /// Exactly 0.
    pub const ZERO: Twofold = Twofold { head: 0.0, rest: Interval::ZERO };

    /// Exactly this number.
    #[inline]
    pub fn exact(x: f64) -> Twofold {
        Twofold { head: x, rest: Interval::ZERO }
    }

    /// The product with an exact number.
    #[inline]
    pub fn times(self, factor: f64) -> Twofold {
        let rest = self.rest.times(factor);
        let (head, error) = two_product(self.head, factor);
        if head.abs() < LEAST_PRODUCT {
            return Twofold::from(Interval::exact(self.head).times(factor) + rest);
        }
        Twofold { head, rest: Interval::exact(error) + rest }
    }

    /// The quotient by a positive number, precise if that is near 1, as the sum of a row is:
    ///
    /// ```text
    /// (a + b) / (1 + w) = a + (b − a w) / (1 + w)
    /// ```
    #[inline]
    pub fn over(self, divisor: Twofold) -> Twofold {
        let more = (divisor - Twofold::exact(1.0)).interval();
        let rest = (self.rest - more.times(self.head)).over(divisor.interval());
        Twofold { head: self.head, rest }
    }

    /// All that the number may be.
    #[inline]
    pub fn interval(self) -> Interval {
        Interval::exact(self.head) + self.rest
    }
}

impl From<Interval> for Twofold {
    #[inline]
    fn from(x: Interval) -> Twofold {
        Twofold { head: 0.0, rest: x }
    }
}

impl Add for Twofold {
    type Output = Twofold;

    #[inline]
    fn add(self, other: Twofold) -> Twofold {
        let (head, error) = two_sum(self.head, other.head);
        Twofold { head, rest: self.rest + other.rest + Interval::exact(error) }
    }
}

impl Sub for Twofold {
    type Output = Twofold;

    #[inline]
    fn sub(self, other: Twofold) -> Twofold {
        self + Twofold { head: -other.head, rest: -other.rest }
    }
}

impl std::iter::Sum for Twofold {
    fn sum<I: Iterator<Item = Twofold>>(terms: I) -> Twofold {
        terms.fold(Twofold::ZERO, Add::add)
    }
}

/// The rounded sum, and what it lacks: exact unless it overflows, which gives NaN.
#[inline]
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

/// The rounded product, and what it lacks: exact at 2⁻⁹⁶⁷ and above, unless it overflows, which gives NaN. A fused
/// multiplication is one instruction on some machines and a call of a hundred on others.
#[inline]
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((a, a_low), (b, b_low)) = (split(a), split(b));
    (product, ((a * b - product) + a * b_low + a_low * b) + a_low * b_low)
}

/// The first 26 bits of a number, and the others.
#[inline]
fn split(x: f64) -> (f64, f64) {
    let scaled = SPLITTER * x;
    let first = scaled - (scaled - x);
    (first, x - first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::elementary::pow;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// A whole number of 53 bits, times 2^shift.
    fn whole(rng: &mut Xoshiro256PlusPlus, shift: u32) -> i128 {
        i128::from(rng.random_range(-(1i64 << 53)..1 << 53)) << shift
    }

    #[test]
    fn sums_and_products_lack_nothing() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut rounded = 0;
        for _ in 0..10_000 {
            let shift = rng.random_range(0..60);
            let (m, n) = (whole(&mut rng, 0), whole(&mut rng, shift));
            let (sum, error) = two_sum(m as f64, n as f64);
            assert_eq!(sum as i128 + error as i128, m + n, "{m} + {n}");
            rounded += usize::from(error != 0.0);
            let n = whole(&mut rng, 0);
            let (product, error) = two_product(m as f64, n as f64);
            assert_eq!(product as i128 + error as i128, m * n, "{m} times {n}");
        }
        assert!(rounded > 5000, "only {rounded} sums were rounded at all");
    }

    #[test]
    fn products_are_exact_down_to_their_limit() {
        // (1 + 2⁻⁵²)² = 1 + 2⁻⁵¹ + 2⁻¹⁰⁴, at the limit: what is lacking is the least of all doubles or a few of them.
        let (x, at) = (1.0 + f64::EPSILON, LEAST_PRODUCT * (1.0 + f64::EPSILON));
        assert_eq!(LEAST_PRODUCT, pow(2.0, -967.0));
        let (product, error) = two_product(x, at);
        assert_eq!(product, LEAST_PRODUCT * (1.0 + 2.0 * f64::EPSILON));
        assert_eq!(error, pow(2.0, -967.0 - 104.0));
    }

    #[test]
    fn the_exact_value_of_an_expression_lies_inside_and_the_interval_is_narrow() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
        for _ in 0..10_000 {
            // Σ p (x − y) with terms of 2^88 that cancel out to 2^60 or so.
            let mut terms: Vec<[i64; 3]> = (0..3)
                .map(|_| [rng.random_range(0..1 << 30), whole(&mut rng, 0) as i64, whole(&mut rng, 0) as i64])
                .collect();
            let exact = |terms: &[[i64; 3]]| -> i128 {
                terms.iter().map(|&[p, x, y]| i128::from(p) * (i128::from(x) - i128::from(y))).sum()
            };
            let back = -exact(&terms) / (1 << 30) + i128::from(rng.random::<i32>());
            terms.push([1 << 30, (back / 4) as i64, 0]);
            terms.push([3 << 30, (back / 4) as i64, 0]);
            let sum: Twofold = terms
                .iter()
                .map(|&[p, x, y]| (Twofold::exact(x as f64) - Twofold::exact(y as f64)).times(p as f64))
                .sum();
            // The terms that cancel out need not be doubles; then the sum is about what they were rounded to.
            let rounded: Vec<[i64; 3]> =
                terms.iter().map(|&[p, x, y]| [p, x as f64 as i64, y as f64 as i64]).collect();
            let (exact, found) = (exact(&rounded), sum.interval());
            assert!(found.low as i128 <= exact && exact <= found.high as i128, "{exact} in {found:?}");
            let width = found.high - found.low;
            assert!(width <= 4.0 * f64::EPSILON * found.high.abs().max(1.0), "{found:?} is {width:e} wide");
        }
    }

    #[test]
    fn a_quotient_by_the_sum_of_a_row_keeps_its_digits() {
        // The sum is 1 + 2⁻⁵²: x / (1 + w) = x − x w + x w², of which the last is 2⁻⁶⁴ here.
        let whole = Twofold::exact(0.75) + Twofold::exact(0.25 + f64::EPSILON);
        let x = Twofold::exact(pow(2.0, 40.0));
        let difference = (x.over(whole) - x).interval();
        let expected = -pow(2.0, -12.0);
        assert!(difference.low < expected && difference.high > expected, "{difference:?}");
        assert!(difference.high - difference.low < 1e-18, "{difference:?}");
        assert!(!x.over(Twofold::ZERO).interval().is_finite());
    }

    #[test]
    fn tiny_products_are_enclosed_and_what_overflows_is_not_a_number() {
        let tiny = Twofold::exact(1e-300).times(1e-300).interval();
        assert!(tiny.low <= 0.0 && 0.0 < tiny.high);
        for lost in [
            Twofold::exact(f64::MAX) + Twofold::exact(f64::MAX),
            Twofold::exact(f64::MAX).times(2.0),
            Twofold::exact(f64::NAN),
        ] {
            let found = lost.interval();
            assert!(!found.is_finite(), "{found:?} bounds something");
        }
        assert_eq!(Twofold::exact(1e300).times(0.0).interval(), Interval::ZERO);
    }
}
