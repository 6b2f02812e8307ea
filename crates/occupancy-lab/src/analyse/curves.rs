//! How quantities went over time: one line for each learner, quantity and step, with what the runs say together.
//!
//! `reward` and `cost_i` are averages over a window that ends at the step; `average_reward` and `average_cost_i` over all
//! steps so far; `regret` and `violation_i` are signed sums.

use super::Summary;
use crate::analyse::stats::{Bootstrap, Description};
use crate::error::Result;
use crate::store::Results;
use occupancy::sim::Metrics;

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

/// A quantity of a run at a point; `None` where it is not known.
type Value = Box<dyn Fn(&Metrics, usize) -> Option<f64>>;

/// The curves of a learner, each with ascending steps. One run after the other is read, so that memory does not grow with
/// the length of a run.
pub fn curves(results: &Results, label: &str, summary: &Summary) -> Result<Vec<CurvePoint>> {
    let (optimum, budgets) = (results.manifest.optimum(), &results.manifest.environment.budgets);
    let (quantities, steps) = (quantities(results), results.grid().steps());
    let points = thinned(steps);
    let runs = results.runs(label)?;
    let mut values = vec![vec![Some(Vec::with_capacity(runs.len())); points.len()]; quantities.len()];
    for &run in &runs {
        let record = results.record(label, run)?;
        let metrics = Metrics::new(&record, optimum, budgets);
        for ((_, _, value), curve) in quantities.iter().zip(&mut values) {
            for (&point, known) in points.iter().zip(curve) {
                let found = value(&metrics, point);
                *known = known.take().and_then(|mut known: Vec<f64>| {
                    known.push(found?);
                    Some(known)
                });
            }
        }
    }
    let kind = results.manifest.learners.iter().find(|entry| entry.label == label);
    let kind = kind.map_or(label, |entry| entry.kind.as_str());
    let bootstrap = Bootstrap::new(runs.len(), summary.config.level, kind);
    let mut found = Vec::new();
    for ((quantity, window, _), curve) in quantities.iter().zip(values) {
        for (&point, values) in points.iter().zip(curve) {
            let Some(values) = values.filter(|values| !values.is_empty()) else { continue };
            let (quantity, window, step) = (quantity.clone(), *window, steps[point]);
            let described = bootstrap.describe(&values).within(summary.limits.possible(&quantity, step));
            found.push(CurvePoint { quantity, window, step, found: described });
        }
    }
    Ok(found)
}

/// The quantities, with their windows and how they are had.
fn quantities(results: &Results) -> Vec<(String, Option<u64>, Value)> {
    let budgets = &results.manifest.environment.budgets;
    let mut found: Vec<(String, Option<u64>, Value)> = Vec::new();
    for signal in 0..=budgets.len() {
        let name = if signal == 0 { "reward".to_string() } else { format!("cost_{}", signal - 1) };
        for &window in &results.manifest.windows {
            let value = move |metrics: &Metrics, point| metrics.window(signal, point, window);
            found.push((name.clone(), Some(window), Box::new(value)));
        }
        let value = move |metrics: &Metrics, point| Some(metrics.average(signal, point));
        found.push((format!("average_{name}"), None, Box::new(value)));
    }
    let regret = |metrics: &Metrics, point| metrics.regret(point).map(|regret| regret.signed);
    found.push(("regret".to_string(), None, Box::new(regret)));
    for i in (0..budgets.len()).filter(|&i| budgets[i].is_finite()) {
        let value = move |metrics: &Metrics, point| Some(metrics.violation(i, point).signed);
        found.push((format!("violation_{i}"), None, Box::new(value)));
    }
    found
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
