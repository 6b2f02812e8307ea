//! How quantities went over time: one line for each learner, quantity and step, with what the runs say together.
//!
//! `reward` and `cost_i` are averages over a window that ends at the step; `average_reward` and `average_cost_i` over all
//! steps so far; `regret` and `violation_i` are signed sums.

use super::draws::PANEL;
use super::runs::{Quantity, Runs};
use super::stats::{Bootstrap, Description};
use super::summary::Measure;
use crate::parallel;
use crate::store::Manifest;

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

/// The curves of the runs of a learner, each with ascending steps, on all cores.
pub(super) fn curves(runs: &Runs, bootstrap: &Bootstrap, measure: &Measure) -> Vec<CurvePoint> {
    let quantities = quantities(measure.manifest);
    let points = thinned(&runs.steps);
    let places = quantities.iter().flat_map(|quantity| points.iter().map(move |&point| (quantity, point)));
    let known =
        |((_, _, quantity), point): &(&Named, usize)| !runs.is_empty() && runs.know(*quantity, *point);
    let places: Vec<(&Named, usize)> = places.filter(known).collect();
    let panels: Vec<&[(&Named, usize)]> = places.chunks(PANEL).collect();
    let found = parallel::map(&panels, |panel| {
        let columns = panel.iter().filter_map(|((_, _, quantity), point)| runs.values(*quantity, *point));
        let columns: Vec<Vec<f64>> = columns.collect();
        bootstrap.describe_all(&columns.iter().map(Vec::as_slice).collect::<Vec<_>>())
    });
    let point = |(((quantity, window, _), point), described): (&(&Named, usize), Description)| {
        let (quantity, window, step) = (quantity.clone(), *window, runs.steps[*point]);
        let found = described.within(measure.limits.possible(&quantity, step));
        CurvePoint { quantity, window, step, found }
    };
    places.iter().zip(found.into_iter().flatten()).map(point).collect()
}

/// A quantity with its name and window.
type Named = (String, Option<u64>, Quantity);

fn quantities(manifest: &Manifest) -> Vec<Named> {
    let budgets = &manifest.environment.budgets;
    let mut found: Vec<Named> = Vec::new();
    for signal in 0..=budgets.len() {
        let name = if signal == 0 { "reward".to_string() } else { format!("cost_{}", signal - 1) };
        for &window in &manifest.windows {
            found.push((name.clone(), Some(window), Quantity::Window { signal, window }));
        }
        found.push((format!("average_{name}"), None, Quantity::Average { signal }));
    }
    found.push(("regret".to_string(), None, Quantity::Regret));
    for cost in (0..budgets.len()).filter(|&cost| budgets[cost].is_finite()) {
        found.push((format!("violation_{cost}"), None, Quantity::Violation { cost }));
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
