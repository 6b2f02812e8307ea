//! The greatest and the least of some numbers. A number that is lost (NaN) is never passed over, as `f64::max` does: it
//! makes the greatest infinite and the least minus infinity, so that no bound and no error estimate can hide it.

/// The greatest number; −∞ if there are none, +∞ if one is NaN.
pub(crate) fn greatest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(f64::NEG_INFINITY, greater)
}

/// The least number; +∞ if there are none, −∞ if one is NaN.
pub(crate) fn least(values: impl IntoIterator<Item = f64>) -> f64 {
    -greatest(values.into_iter().map(|x| -x))
}

/// The greatest absolute value; 0 if there are none, +∞ if one is NaN.
pub(crate) fn greatest_size(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |most, x| greater(most, x.abs()))
}

/// The greater of two numbers; +∞ if `x` is NaN.
#[inline]
pub(crate) fn greater(most: f64, x: f64) -> f64 {
    if x <= most {
        most
    } else if x.is_nan() {
        f64::INFINITY
    } else {
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_number_is_not_passed_over() {
        for values in [[f64::NAN, 1.0, 2.0], [1.0, f64::NAN, 2.0], [2.0, 1.0, f64::NAN]] {
            assert_eq!(greatest(values), f64::INFINITY);
            assert_eq!(least(values), f64::NEG_INFINITY);
            assert_eq!(greatest_size(values), f64::INFINITY);
        }
    }

    #[test]
    fn of_numbers_the_extremes_are_found() {
        let values = [-3.0, 2.0, -0.0];
        assert_eq!((greatest(values), least(values), greatest_size(values)), (2.0, -3.0, 3.0));
        assert_eq!((greatest([]), least([]), greatest_size([])), (f64::NEG_INFINITY, f64::INFINITY, 0.0));
    }
}
