//! How quantities went over time: one line for each learner, quantity and step, with what the runs say together.
//!
//! `reward` and `cost_i` are averages over a window that ends at the step; `average_reward` and `average_cost_i` over all
//! steps so far; `regret` and `violation_i` are signed sums.

use super::{Metrics, Results};
use crate::error::Result;
use crate::stats::{Bootstrap, Description};

/// About so many steps are kept of a grid.
const STEPS: usize = 250;

/// A point of a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct CurvePoint {
    /// The quantity.
    pub quantity: String,
    /// The window of the average; `None` for sums and averages over all steps.
    pub window: Option<u64>,
    /// The step.
    pub step: u64,
    /// What the runs say together.
    pub found: Description,
}

/// The curves of a learner, each with ascending steps.
pub fn curves(results: &Results, label: &str, level: f64) -> Result<Vec<CurvePoint>> {
    let manifest = &results.manifest;
    let budgets = &manifest.environment.budgets;
    let records = results.records(label)?;
    let runs: Vec<Metrics> =
        records.iter().map(|(_, record)| Metrics::new(record, manifest.optimum(), budgets)).collect();
    let Some((_, first)) = records.first() else { return Ok(Vec::new()) };
    let points = thinned(&first.step);
    let bootstrap = Bootstrap::new(runs.len(), level, label);
    let mut found = Vec::new();
    let mut add = |quantity: &str, window: Option<u64>, value: &dyn Fn(&Metrics, usize) -> Option<f64>| {
        for &point in &points {
            let values = runs.iter().map(|metrics| value(metrics, point)).collect::<Option<Vec<f64>>>();
            let Some(values) = values else { continue };
            let (quantity, step) = (quantity.to_string(), first.step[point]);
            found.push(CurvePoint { quantity, window, step, found: bootstrap.describe(&values) });
        }
    };
    for signal in 0..=budgets.len() {
        let name = if signal == 0 { "reward".to_string() } else { format!("cost_{}", signal - 1) };
        for &window in &manifest.windows {
            add(&name, Some(window), &|metrics, point| metrics.window(signal, point, window));
        }
        add(&format!("average_{name}"), None, &|metrics, point| Some(metrics.average(signal, point)));
    }
    add("regret", None, &|metrics, point| metrics.regret(point).map(|regret| regret.signed));
    for i in (0..budgets.len()).filter(|&i| budgets[i].is_finite()) {
        add(&format!("violation_{i}"), None, &|metrics, point| Some(metrics.violation(i, point).signed));
    }
    Ok(found)
}

/// Places in a grid: every so many, and the first ones of each decade.
fn thinned(steps: &[u64]) -> Vec<usize> {
    let pace = steps.len().div_ceil(STEPS);
    let is_round = |step: u64| {
        let power = 10u64.pow(step.checked_ilog10().unwrap_or(0));
        step.is_multiple_of(power) && [1, 2, 5].contains(&(step / power))
    };
    let kept = |&at: &usize| (steps.len() - 1 - at).is_multiple_of(pace) || is_round(steps[at]);
    (0..steps.len()).filter(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_steps_are_all_kept_and_many_are_thinned_to_the_last() {
        assert_eq!(thinned(&[1, 2, 3]), [0, 1, 2]);
        let steps: Vec<u64> = (1..=10_000).collect();
        let kept = thinned(&steps);
        assert!((250..=265).contains(&kept.len()), "{}", kept.len());
        assert_eq!((kept[0], kept[1], kept.last()), (0, 1, Some(&9999)));
    }
}
