//! Near the optimum: one definition for tables, pages and claims.
//!
//! ```text
//! near     reward ≥ r* − ε ρ_0   and   cost_i ≤ τ_i + ε ρ_i  for every i
//! over     cost_i > τ_i + ε ρ_i  for some i
//! safe     neither; reward ≥ r_safe − ε ρ_0, and every cost nearer that of the safe policy than its budget
//! short    everything else
//! ρ        the range from the safe level to the optimum; to the fast level if these two coincide or one is not there; that of
//!          the signal itself if all levels coincide
//! ```
//!
//! Rewards and costs are averages of one run over the last window. ε is the tolerance, a share: what is near does not depend
//! on the unit of a signal, and a learner at the exact optimum is near it however slack the budgets are. With one budget that
//! binds, a quarter is what a quarter of the budget is worth. A tenth of the range to the fast level was tried: where the
//! optimum is close to the safe policy, as in Box with slip, the safe policy itself was near.

use crate::store::Manifest;
use occupancy::model::Cmdp;
use occupancy::sim::Level;
use serde::Serialize;

/// The share of the range between the levels that is near.
pub const TOLERANCE: f64 = 0.25;
/// Differences below this share are rounding.
const ROUNDING: f64 = 1e-9;

/// Where a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// Near the optimum.
    Near,
    /// With the safe policy.
    Safe,
    /// Above a budget.
    Over,
    /// Below the optimum, not at the safe policy.
    Short,
    /// There are no runs.
    Nowhere,
}

impl Ending {
    /// The most common one; of equally common ones the worst.
    pub fn most_common(ends: &[Ending]) -> Ending {
        let count = |ending: &Ending| ends.iter().filter(|other| *other == ending).count();
        let worst_last = [Ending::Near, Ending::Safe, Ending::Short, Ending::Over];
        worst_last.into_iter().max_by_key(count).filter(|_| !ends.is_empty()).unwrap_or(Ending::Nowhere)
    }
}

/// What is near the optimum of an experiment, and what its signals can be.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// ε.
    pub tolerance: f64,
    /// The least reward that is near; `None` if no policy meets the budgets.
    pub reward: Option<f64>,
    /// The greatest costs that are near.
    pub costs: Vec<f64>,
    /// r*.
    pub(super) optimum: Option<f64>,
    pub(super) budgets: Vec<f64>,
    /// The least and the greatest value of the reward, then of the costs.
    pub(super) signals: Vec<(f64, f64)>,
    /// The least reward that counts as that of the safe policy, and the policy's costs.
    safe: Option<(f64, Vec<f64>)>,
}

impl Limits {
    /// Those of an experiment in this model.
    pub fn of(manifest: &Manifest, model: &Cmdp, tolerance: f64) -> Limits {
        let (levels, budgets) = (&manifest.baseline, &manifest.environment.budgets);
        let signals: Vec<(f64, f64)> = (0..=budgets.len()).map(|k| model.signals().bounds(k)).collect();
        let (optimal, fast, safe) = (levels.optimal.as_ref(), Some(&levels.fast), levels.safe.as_ref());
        let allowance = |k: usize| {
            let size = signals[k].0.abs().max(signals[k].1.abs());
            let at = |level: &Level| if k == 0 { level.reward } else { level.costs[k - 1] };
            let pairs = [(optimal, safe), (optimal, fast), (fast, safe)];
            let ranges = pairs.into_iter().filter_map(|(one, other)| Some((at(one?) - at(other?)).abs()));
            let apart = ranges.into_iter().find(|range| *range > ROUNDING * size);
            tolerance * apart.unwrap_or(signals[k].1 - signals[k].0) + ROUNDING * size
        };
        let off = allowance(0);
        Limits {
            tolerance,
            reward: manifest.optimum().map(|optimum| optimum - off),
            costs: (0..budgets.len()).map(|i| budgets[i] + allowance(i + 1)).collect(),
            optimum: manifest.optimum(),
            budgets: budgets.clone(),
            signals,
            safe: safe.map(|level| (level.reward - off, level.costs.clone())),
        }
    }

    /// Whether costs are within the budgets, as far as that is near.
    pub fn affords(&self, costs: &[f64]) -> bool {
        costs.iter().zip(&self.costs).all(|(cost, most)| cost <= most)
    }

    /// Whether the averages of the reward and then of the costs are near the optimum.
    pub fn admit(&self, averages: &[f64]) -> bool {
        self.ending(averages) == Ending::Near
    }

    /// Where averages of the reward and then of the costs are.
    pub fn ending(&self, averages: &[f64]) -> Ending {
        let Some((&reward, costs)) = averages.split_first() else { return Ending::Nowhere };
        let at_safe = |(least, safe): &(f64, Vec<f64>)| {
            let nearer = |i: usize| (costs[i] - safe[i]).abs() < (costs[i] - self.budgets[i]).abs();
            reward >= *least && (0..costs.len()).all(nearer)
        };
        if !self.affords(costs) {
            Ending::Over
        } else if self.reward.is_some_and(|least| reward >= least) {
            Ending::Near
        } else if self.safe.as_ref().is_some_and(at_safe) {
            Ending::Safe
        } else {
            Ending::Short
        }
    }

    /// The range of values that a quantity of a summary or curve can have after so many steps.
    pub(super) fn possible(&self, quantity: &str, steps: u64) -> (f64, f64) {
        let name = quantity.strip_prefix("average_").unwrap_or(quantity);
        let cost = |start: &str| name.strip_prefix(start).and_then(|i| i.parse::<usize>().ok());
        let steps = steps as f64;
        if name == "reward" {
            self.signals[0]
        } else if let Some(i) = cost("cost_") {
            self.signals[i + 1]
        } else if let (true, Some(optimum)) = (name == "regret", self.optimum) {
            let (least, most) = self.signals[0];
            (steps * (optimum - most), steps * (optimum - least))
        } else if let Some(i) = cost("violation_") {
            let (least, most) = self.signals[i + 1];
            (steps * (least - self.budgets[i]), steps * (most - self.budgets[i]))
        } else if name.starts_with("violates_") || ["near", "settles"].contains(&name) {
            (0.0, 1.0)
        } else {
            (0.0, f64::INFINITY)
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Those of levels −0.833 at cost 0.833 (fast), −0.865 at 0.2 (optimal) and −0.875 at 0 (safe).
    pub fn limits(tolerance: f64) -> Limits {
        let (reward, cost) = (tolerance * 0.01, tolerance * 0.2);
        Limits {
            tolerance,
            reward: Some(-0.865 - reward),
            costs: vec![0.2 + cost],
            optimum: Some(-0.865),
            budgets: vec![0.2],
            signals: vec![(-1.0, 0.0), (0.0, 1.0)],
            safe: Some((-0.875 - reward, vec![0.0])),
        }
    }

    #[test]
    fn each_end_has_its_word() {
        let limits = limits(0.25);
        let at = |reward, cost| limits.ending(&[reward, cost]);
        assert_eq!(at(-0.867, 0.24), Ending::Near);
        assert_eq!(at(-0.875, 0.0), Ending::Safe);
        assert_eq!(at(-0.833, 0.833), Ending::Over);
        assert_eq!(at(-0.875, 0.15), Ending::Short);
        assert_eq!(at(-0.95, 0.0), Ending::Short, "the safe policy earns more");
        assert_eq!(limits.ending(&[]), Ending::Nowhere);
    }

    #[test]
    fn the_word_of_a_learner_is_that_of_most_runs() {
        use Ending::{Near, Over, Safe};
        // The runs of psrl-lagrangian in Box: their mean is near the optimum, and none of them is.
        let runs: Vec<[f64; 2]> = [vec![[-0.875, 0.0]; 17], vec![[-0.833, 0.833]; 8]].concat();
        let mean = [0, 1].map(|k| runs.iter().map(|run| run[k]).sum::<f64>() / 25.0);
        let limits = limits(0.25);
        let ends: Vec<Ending> = runs.iter().map(|run| limits.ending(run)).collect();
        assert_eq!((Ending::most_common(&ends), ends.contains(&Near)), (Safe, false));
        assert!(limits.admit(&[mean[0], 0.2]), "{mean:?}");
        assert_eq!(Ending::most_common(&[Near, Over, Over, Near]), Over, "of equals the worst");
        assert_eq!(Ending::most_common(&[]), Ending::Nowhere);
    }

    #[test]
    fn every_quantity_has_its_range() {
        let limits = limits(0.25);
        let possible = |name| limits.possible(name, 100);
        assert_eq!([possible("reward"), possible("average_cost_0")], [(-1.0, 0.0), (0.0, 1.0)]);
        assert_eq!([possible("near"), possible("violates_0")], [(0.0, 1.0); 2]);
        assert_eq!([possible("epochs"), possible("regret_total")], [(0.0, f64::INFINITY); 2]);
        let (least, most) = possible("regret");
        assert!((least + 86.5).abs() < 1e-9 && (most - 13.5).abs() < 1e-9);
        assert_eq!(possible("violation_0"), (-20.0, 80.0));
    }
}
