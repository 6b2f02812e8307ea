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

/// The greatest absolute value of the numbers that are not lost, in lanes that run side by side; 0 if there are none.
pub(crate) fn largest(values: &[f64]) -> f64 {
    let larger = |most: f64, x: f64| if x.abs() > most { x.abs() } else { most };
    let (lines, rest) = values.as_chunks::<8>();
    let mut most = [0.0; 8];
    for line in lines {
        (0..8).for_each(|lane| most[lane] = larger(most[lane], line[lane]));
    }
    most.iter().chain(rest).fold(0.0, |most, &x| larger(most, x))
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
    fn the_largest_passes_over_what_is_lost() {
        let mut values: Vec<f64> = (0..21).map(|i| f64::from(i % 7) - 3.5).collect();
        assert_eq!((largest(&values), largest(&values[3..7]), largest(&[])), (3.5, 2.5, 0.0));
        (values[2], values[9], values[20]) = (f64::NAN, -7.0, f64::NAN);
        assert_eq!(largest(&values), 7.0);
    }

    #[test]
    fn of_numbers_the_extremes_are_found() {
        let values = [-3.0, 2.0, -0.0];
        assert_eq!((greatest(values), least(values), greatest_size(values)), (2.0, -3.0, 3.0));
        assert_eq!((greatest([]), least([]), greatest_size([])), (f64::NEG_INFINITY, f64::INFINITY, 0.0));
    }
}
