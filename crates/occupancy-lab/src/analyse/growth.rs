//! How fast a sum grows: α of t^α, by least squares of log(sum) over log(t) in the last nine tenths of the rounds.

use occupancy::arithmetic::elementary::ln;

/// Fewer points than this have no slope.
const FEW: usize = 5;

/// The exponent of growth of sums at ascending steps; `None` if it cannot be fitted: there are few points, or a sum is not
/// above 0, and so has no logarithm.
pub fn growth(points: impl Iterator<Item = (f64, f64)> + Clone) -> Option<f64> {
    let last = points.clone().last()?.0;
    let late: Vec<(f64, f64)> = points.filter(|(step, _)| *step >= last / 10.0).collect();
    if late.len() < FEW || late.iter().any(|(_, sum)| *sum <= 0.0) {
        return None;
    }
    let places: Vec<(f64, f64)> = late.iter().map(|(step, sum)| (ln(*step), ln(*sum))).collect();
    let count = places.len() as f64;
    let (x, y) =
        (places.iter().map(|p| p.0).sum::<f64>() / count, places.iter().map(|p| p.1).sum::<f64>() / count);
    let across: f64 = places.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let along: f64 = places.iter().map(|p| (p.0 - x) * (p.0 - x)).sum();
    (along > 0.0).then(|| across / along)
}

#[cfg(test)]
mod tests {
    use super::*;
    use occupancy::arithmetic::elementary::pow;

    #[test]
    fn the_slope_of_a_power_is_its_exponent_and_a_sum_below_zero_has_none() {
        let power =
            |exponent: f64| (1..=1000).map(move |i| (f64::from(i), 3.0 * pow(f64::from(i), exponent)));
        for exponent in [0.0, 0.5, 1.0] {
            assert!((growth(power(exponent)).unwrap() - exponent).abs() < 1e-9);
        }
        let falling = (1..=1000).map(|i| (f64::from(i), 500.0 - f64::from(i)));
        assert_eq!((growth(falling), growth([].into_iter())), (None, None));
        assert_eq!(growth(power(0.5).take(4)), None);
    }
}
