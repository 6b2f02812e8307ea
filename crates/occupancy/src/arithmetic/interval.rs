//! Intervals that hold the exact result of every operation: each end is moved outward by one unit in the last place.
//!
//! IEEE 754 rounds to nearest, so that the exact result of an operation lies between the neighbours of the rounded one.
//! Results that are exact by nature (adding 0, a difference of equal numbers, a product with 0) are left as they are:
//! that equal numbers differ by exactly 0 is what certificates rest on.

use std::ops::{Add, Neg, Sub};

/// A number that is known to lie between `low` and `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Not above the number.
    pub low: f64,
    /// Not below the number.
    pub high: f64,
}

impl Interval {
    /// Exactly 0.
    pub const ZERO: Interval = Interval { low: 0.0, high: 0.0 };

    /// Exactly this number.
    #[inline]
    pub fn exact(x: f64) -> Interval {
        Interval { low: x, high: x }
    }

    /// The product with an exact number.
    #[inline]
    pub fn times(self, factor: f64) -> Interval {
        let (low, high) = if factor >= 0.0 { (self.low, self.high) } else { (self.high, self.low) };
        Interval { low: product_below(low, factor), high: -product_below(-high, factor) }
    }

    /// The quotient by a positive number. If that number may be 0 or less, nothing is known of the quotient.
    #[inline]
    pub fn over(self, divisor: Interval) -> Interval {
        if divisor.low > 0.0 {
            Interval { low: quotient_below(self.low, divisor), high: -quotient_below(-self.high, divisor) }
        } else {
            Interval { low: f64::NEG_INFINITY, high: f64::INFINITY }
        }
    }

    /// Both ends.
    pub fn ends(self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// The number in here that is nearest to another.
    pub fn nearest(self, x: f64) -> f64 {
        if x >= self.low { x.min(self.high) } else { self.low }
    }

    /// How far a number in here may be from another.
    pub fn farthest(self, x: f64) -> f64 {
        let off = self - Interval::exact(x);
        (-off.low).max(off.high)
    }

    /// Whether the number is certainly known.
    pub fn is_finite(self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }
}

impl Add for Interval {
    type Output = Interval;

    #[inline]
    fn add(self, other: Interval) -> Interval {
        Interval { low: sum_below(self.low, other.low), high: -sum_below(-self.high, -other.high) }
    }
}

impl Neg for Interval {
    type Output = Interval;

    #[inline]
    fn neg(self) -> Interval {
        Interval { low: -self.high, high: -self.low }
    }
}

impl Sub for Interval {
    type Output = Interval;

    #[inline]
    fn sub(self, other: Interval) -> Interval {
        self + -other
    }
}

impl std::iter::Sum for Interval {
    fn sum<I: Iterator<Item = Interval>>(terms: I) -> Interval {
        terms.fold(Interval::ZERO, Add::add)
    }
}

/// Not above a + b.
#[inline]
fn sum_below(a: f64, b: f64) -> f64 {
    let sum = a + b;
    // A sum that rounds to 0 is 0: below the normal numbers, addition is exact.
    if a == 0.0 || b == 0.0 || sum == 0.0 { sum } else { sum.next_down() }
}

/// Not above a · b.
#[inline]
fn product_below(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { (a * b).next_down() }
}

/// Not above a / d for every d of a positive interval.
#[inline]
fn quotient_below(a: f64, divisor: Interval) -> f64 {
    match a {
        0.0 => 0.0,
        a if a > 0.0 => (a / divisor.high).next_down(),
        a => (a / divisor.low).next_down(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// 2^60.
    const UNIT: f64 = (1u64 << 60) as f64;

    /// A multiple of 2^-60, as that multiple.
    fn multiple(x: f64) -> i128 {
        assert_eq!((x * UNIT).fract(), 0.0);
        (x * UNIT) as i128
    }

    #[test]
    fn the_exact_sum_lies_inside() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut rounded = 0;
        for _ in 0..10_000 {
            // Numbers of very different size: their exact sum has more bits than a double holds.
            let a = f64::from(rng.random::<i32>()) / f64::from(1u32 << 31);
            let b = f64::from(rng.random::<i32>()) / UNIT;
            let sum = Interval::exact(a) + Interval::exact(b);
            let exact = multiple(a) + multiple(b);
            let (low, high) = ((sum.low * UNIT).floor() as i128, (sum.high * UNIT).ceil() as i128);
            assert!(low <= exact && exact <= high, "{a:e} + {b:e}");
            rounded += usize::from(multiple(a + b) != exact);
        }
        assert!(rounded > 5000, "only {rounded} sums were rounded at all");
    }

    #[test]
    fn the_exact_product_lies_inside() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
        for _ in 0..10_000 {
            let (m, n) = (i64::from(rng.random::<i32>()), rng.random_range(-(1i64 << 40)..1 << 40));
            let product = Interval::exact(m as f64).times(n as f64);
            let exact = i128::from(m) * i128::from(n);
            assert!(product.low as i128 <= exact && exact <= product.high as i128, "{m} times {n}");
        }
    }

    #[test]
    fn what_is_exact_stays_exact() {
        let x = Interval::exact(0.1);
        assert_eq!(x - x, Interval::ZERO);
        assert_eq!(x + Interval::ZERO, x);
        assert_eq!(x.times(0.0), Interval::ZERO);
        assert_eq!(Interval::ZERO.over(Interval { low: 0.9, high: 1.1 }), Interval::ZERO);
    }

    #[test]
    fn signs_decide_which_ends_meet() {
        let x = Interval { low: -2.0, high: 3.0 };
        let product = x.times(-2.0);
        assert!(product.low < -6.0 && product.low > -6.1 && product.high > 4.0 && product.high < 4.1);
        let quotient = x.over(Interval { low: 0.5, high: 2.0 });
        assert!(quotient.low < -4.0 && quotient.low > -4.1 && quotient.high > 6.0 && quotient.high < 6.1);
        assert!(!x.over(Interval { low: 0.0, high: 1.0 }).is_finite());
    }

    #[test]
    fn a_third_is_enclosed() {
        let third = Interval::exact(1.0).over(Interval::exact(3.0));
        let one = third.times(3.0);
        assert!(third.low < third.high && one.low < 1.0 && 1.0 < one.high);
    }
}
