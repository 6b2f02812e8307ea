//! Round numbers for axes.

use occupancy::arithmetic::elementary::{log10, pow};

/// Round numbers in a range, about `wanted` of them: multiples of 1, 2 or 5 times a power of ten.
pub fn ticks([low, high]: [f64; 2], wanted: usize) -> Vec<f64> {
    let rough = (high - low) / wanted as f64;
    let power = pow(10.0, log10(rough).floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|k| k * power).into_iter().find(|&step| step >= rough * 0.999);
    let step = step.unwrap_or(10.0 * power);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last).map(|k| k as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::number;

    #[test]
    fn ticks_are_round_numbers_inside_the_range() {
        let shown: Vec<String> = ticks([-0.02, 0.27], 7).into_iter().map(number).collect();
        assert_eq!(shown, ["0", "0.05", "0.1", "0.15", "0.2", "0.25"]);
    }
}
