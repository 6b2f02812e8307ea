//! The curves of a learner as columns of numbers, and the slopes of its sums over time.
//!
//! Slopes are those of log(sum) over log(t), by least squares over the last nine tenths of the rounds; a sum that is not
//! positive there has none.

use super::numbers::{Keyed, Short};
use crate::analyse::CurvePoint;
use crate::report::Chapter;
use occupancy::arithmetic::elementary::ln;
use serde::Serialize;

/// Steps are left out of a curve beyond so many.
const MOST_POINTS: usize = 400;

/// A quantity over time: the mean over the runs, its interval, and bands of the runs.
#[derive(Clone, Debug, Serialize)]
pub struct Curve {
    x: Vec<u64>,
    mean: Vec<Short>,
    sd: Vec<Short>,
    low: Vec<Short>,
    high: Vec<Short>,
    q05: Vec<Short>,
    q95: Vec<Short>,
    /// How fast a sum grows; moving averages have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    slope: Option<Short>,
}

impl Curve {
    fn of(points: &[&CurvePoint], is_average: bool) -> Curve {
        let column = |value: fn(&CurvePoint) -> f64| points.iter().map(|point| Short(value(point))).collect();
        let growth = || Short(slope(points).unwrap_or(f64::NAN));
        Curve {
            x: points.iter().map(|point| point.step).collect(),
            mean: column(|point| point.found.mean),
            sd: column(|point| point.found.deviation.unwrap_or(f64::NAN)),
            low: column(|point| point.found.interval.map_or(f64::NAN, |interval| interval.0)),
            high: column(|point| point.found.interval.map_or(f64::NAN, |interval| interval.1)),
            q05: column(|point| point.found.quantiles[0]),
            q95: column(|point| point.found.quantiles[4]),
            slope: (!is_average).then(growth),
        }
    }
}

/// The curves of a learner: moving averages of reward and costs, regret and violation.
pub fn of(chapter: &Chapter, points: &[CurvePoint]) -> Keyed<Curve> {
    let first_window = chapter.results.manifest.windows.first().copied();
    let mut found = Keyed::default();
    for name in quantities(chapter) {
        let is_average = name == "reward" || name.starts_with("cost_");
        let window = if is_average { first_window } else { None };
        let of_it = |point: &&CurvePoint| point.quantity == name && point.window == window;
        let curve: Vec<&CurvePoint> = points.iter().filter(of_it).collect();
        if !curve.is_empty() {
            found.insert(name, Curve::of(&thinned(&curve), is_average));
        }
    }
    found
}

/// The names of the curves that are drawn.
fn quantities(chapter: &Chapter) -> Vec<String> {
    let costs = 0..chapter.results.manifest.environment.costs.len();
    let mut names = vec!["reward".to_string()];
    names.extend(costs.clone().map(|i| format!("cost_{i}")));
    names.push("regret".to_string());
    names.extend(costs.map(|i| format!("violation_{i}")));
    names
}

fn thinned<'a>(curve: &[&'a CurvePoint]) -> Vec<&'a CurvePoint> {
    let pace = curve.len().div_ceil(MOST_POINTS).max(1);
    let kept = |at: &usize| (curve.len() - 1 - at).is_multiple_of(pace);
    (0..curve.len()).filter(kept).map(|at| curve[at]).collect()
}

fn slope(curve: &[&CurvePoint]) -> Option<f64> {
    let last = curve.last()?.step;
    let late = curve.iter().filter(|point| 10 * point.step >= last);
    let points: Vec<(f64, f64)> = late.map(|point| (point.step as f64, point.found.mean)).collect();
    if points.len() < 3 || points.iter().any(|(_, sum)| *sum <= 0.0) {
        return None;
    }
    let points: Vec<(f64, f64)> = points.iter().map(|(x, y)| (ln(*x), ln(*y))).collect();
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0 / n, sum.1 + point.1 / n));
    let (mut across, mut along) = (0.0, 0.0);
    for point in &points {
        across += (point.0 - x) * (point.1 - y);
        along += (point.0 - x) * (point.0 - x);
    }
    (along > 0.0).then(|| across / along)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::stats::Bootstrap;

    fn curve(value: impl Fn(f64) -> f64) -> Vec<CurvePoint> {
        let point = |step: u64| CurvePoint {
            quantity: "regret".into(),
            window: None,
            step,
            found: Bootstrap::new(1, 0.95, "").describe(&[value(step as f64)]),
        };
        (1..=1000).map(point).collect()
    }

    #[test]
    fn the_slope_of_a_power_is_its_exponent_and_a_sum_below_zero_has_none() {
        let roots = curve(|t| 3.0 * t.sqrt());
        let found = slope(&roots.iter().collect::<Vec<_>>()).unwrap();
        assert!((found - 0.5).abs() < 1e-9);
        let falling = curve(|t| 500.0 - t);
        assert_eq!(slope(&falling.iter().collect::<Vec<_>>()), None);
    }

    #[test]
    fn long_curves_are_thinned_and_keep_their_end() {
        let points = curve(|t| t);
        let kept = thinned(&points.iter().collect::<Vec<_>>());
        assert!(kept.len() <= MOST_POINTS && kept.last().unwrap().step == 1000);
        assert!(thinned(&[]).is_empty());
    }
}
