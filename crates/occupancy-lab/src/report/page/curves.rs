//! The curves of a learner as columns of numbers, and the slopes of its sums over time.

use super::numbers::{Exact, Keyed, Short};
use crate::analyse::{CurvePoint, growth};
use crate::report::Chapter;
use serde::Serialize;

/// Steps are left out of a curve beyond so many.
const MOST_POINTS: usize = 400;

/// A quantity over time: the mean over the runs, its interval, and bands of the runs.
#[derive(Clone, Debug, Serialize)]
pub struct Curve {
    x: Vec<u64>,
    mean: Vec<Exact>,
    sd: Vec<Short>,
    low: Vec<Short>,
    high: Vec<Short>,
    q05: Vec<Short>,
    q95: Vec<Short>,
    /// How fast a sum grows; moving averages have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    slope: Option<Exact>,
}

impl Curve {
    fn of(points: &[&CurvePoint], is_average: bool) -> Curve {
        let column = |value: fn(&CurvePoint) -> f64| points.iter().map(|point| Short(value(point))).collect();
        let sums = points.iter().map(|point| (point.step as f64, point.found.mean));
        let slope = || Exact(growth(sums).unwrap_or(f64::NAN));
        Curve {
            x: points.iter().map(|point| point.step).collect(),
            mean: points.iter().map(|point| Exact(point.found.mean)).collect(),
            sd: column(|point| point.found.deviation.unwrap_or(f64::NAN)),
            low: column(|point| point.found.interval.map_or(f64::NAN, |interval| interval.0)),
            high: column(|point| point.found.interval.map_or(f64::NAN, |interval| interval.1)),
            q05: column(|point| point.found.quantiles[0]),
            q95: column(|point| point.found.quantiles[4]),
            slope: (!is_average).then(slope),
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
    fn long_curves_are_thinned_and_keep_their_end() {
        let points = curve(|t| t);
        let kept = thinned(&points.iter().collect::<Vec<_>>());
        assert!(kept.len() <= MOST_POINTS && kept.last().unwrap().step == 1000);
        assert!(thinned(&[]).is_empty());
    }
}
