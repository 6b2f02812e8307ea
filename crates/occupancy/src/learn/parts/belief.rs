//! The model that an average-reward learner plans in: rows and signals, told or estimated, and how far they may be off.
//!
//! ```text
//! r̂ = r̄ + β ,   ĉ_i = c̄_i − β ,   β(s,a) = scale √( 2 ln(6 S A (m+1) T / δ) / N⁺ )        optimism about signals
//! ```
//!
//! N⁺ = max(1, N). Estimates with their β are kept between 0 and 1 if the signal lies there; elsewhere β is relative to the
//! signal's range, and kept within it. Signals that are told are what they are.

use super::estimate::{Estimate, UnvisitedKernel, UnvisitedSignals, unit_range};
use super::told::{SignalSource, known_signals};
use crate::arithmetic::elementary::ln;
use crate::error::Result;
use crate::learn::{Counts, Knowledge};
use crate::model::{Cmdp, Task};
use crate::seed::Rng;

/// An estimated model whose signals may be told.
#[derive(Clone, Debug)]
pub struct Belief {
    estimate: Estimate,
    task: Task,
    told: bool,
}

impl Belief {
    /// Nothing seen yet; signals that are told are there from now on.
    pub fn new(
        learner: &'static str,
        task: &Task,
        knowledge: &Knowledge,
        signals: SignalSource,
    ) -> Result<Belief> {
        let mut estimate = Estimate::new(task, &UnvisitedSignals::default());
        let told = signals == SignalSource::Known;
        if told {
            for (k, values) in known_signals(learner, knowledge)?.iter().enumerate() {
                estimate.model.rewrite_signal(k, |pair| values[pair])?;
            }
        }
        Ok(Belief { estimate, task: task.clone(), told })
    }

    /// The model.
    pub fn model(&self) -> &Cmdp {
        &self.estimate.model
    }

    /// The model, for a posterior to draw its rows.
    pub fn model_mut(&mut self) -> &mut Cmdp {
        &mut self.estimate.model
    }

    /// Other budgets than the task's.
    pub fn with_budgets(mut self, budgets: &[f64]) -> Result<Belief> {
        self.estimate.model = self.estimate.model.with_budgets(budgets)?;
        Ok(self)
    }

    /// Signals that are not told become their means.
    pub fn means(&mut self, counts: &Counts) -> Result<()> {
        if self.told { Ok(()) } else { self.estimate.means(counts, |_, _, mean| mean) }
    }

    /// Signals that are not told become better than their means, by β = √(`scale` / N⁺) of their range.
    pub fn optimistic_means(&mut self, counts: &Counts, scale: f64) -> Result<()> {
        if self.told {
            return Ok(());
        }
        let task = &self.task;
        self.estimate.means(counts, |k, pair, mean| {
            let (least, width) = unit_range(task, k);
            let beta = width * (scale / counts.visits(pair).max(1) as f64).sqrt();
            (if k == 0 { mean + beta } else { mean - beta }).clamp(least, least + width)
        })
    }

    /// Rows become the shares of what was seen; a pair never visited stays, which its radius makes no difference.
    pub fn empirical(&mut self, counts: &Counts, rng: &mut Rng) -> Result<()> {
        self.estimate.empirical(counts, UnvisitedKernel::SelfLoop, rng)
    }
}

/// scale² · 2 ln(6 S A (m+1) T / δ), where S A is the number of pairs.
pub fn signal_scale(task: &Task, scale: f64, delta: f64) -> f64 {
    let (pairs, signals, rounds) = (task.pairs() as f64, task.costs() as f64 + 1.0, task.rounds() as f64);
    scale * scale * 2.0 * ln(6.0 * pairs * signals * rounds / delta)
}

/// b(s,a) = √(`scale` / N) of every pair, and `whole`, which is all rows, where N = 0.
pub fn radii(counts: &Counts, scale: f64, whole: f64, radii: &mut [f64]) {
    for (pair, radius) in radii.iter_mut().enumerate() {
        *radius = match counts.visits(pair) {
            0 => whole,
            visits => (scale / visits as f64).sqrt().min(whole),
        };
    }
}

/// A: the actions of the state that has most.
pub fn most_actions(task: &Task) -> f64 {
    (0..task.states()).map(|state| task.pairs_of(state).len()).max().unwrap_or(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::algorithms::fixture::three_pairs;
    use crate::model::{CmdpBuilder, Task};
    use crate::seed::Seed;

    #[test]
    fn told_signals_stay_and_estimated_ones_are_optimistic_within_their_range() {
        let mut model = CmdpBuilder::new(1, &[0.5]);
        model.pair(0, &[(0, 1.0)], 0.25, &[1.0]).pair(0, &[(0, 1.0)], 1.0, &[0.0]);
        let model = model.build().unwrap();
        let task = Task::of(&model, 100);
        let mut counts = Counts::new(&model);
        counts.taken_mut().1.copy_from_slice(&[16, 0]);
        counts.tally();
        let signals = (0..2).map(|k| model.signals().signal(k).to_vec()).collect();
        let knowledge = Knowledge { signals: Some(signals), ..Knowledge::default() };
        let mut told = Belief::new("some", &task, &knowledge, SignalSource::Known).unwrap();
        told.optimistic_means(&counts, 4.0).unwrap();
        assert_eq!(told.model().signals().reward(), [0.25, 1.0]);
        let mut seen = Belief::new("some", &task, &Knowledge::default(), SignalSource::Estimated).unwrap();
        // Both signals lie between 0 and 1, of which √(4 / 16) is a half; the second pair has the best values that there are.
        seen.optimistic_means(&counts, 4.0).unwrap();
        assert_eq!(
            (seen.model().signals().reward(), seen.model().signals().cost(0)),
            (&[0.75, 1.0][..], &[0.5, 0.0][..])
        );
        seen.empirical(&counts, &mut Seed(1).rng("none")).unwrap();
        let missing = Belief::new("some", &task, &Knowledge::default(), SignalSource::Known).unwrap_err();
        assert!(missing.to_string().starts_with("some has to know the rewards and costs"), "{missing}");
        let mut found = [0.0; 2];
        radii(&counts, 4.0, 1.0, &mut found);
        assert_eq!(found, [0.5, 1.0]);
    }

    #[test]
    fn the_scale_of_signals_is_the_formula() {
        // By hand, with S A = 3, m + 1 = 2, T = 1000, δ = 0.05: 6 · 3 · 2 · 1000 / 0.05 = 720 000.
        assert!((signal_scale(&three_pairs(1000), 0.5, 0.05) - 0.5 * ln(720_000.0)).abs() < 1e-12);
        assert_eq!(most_actions(&three_pairs(1)), 2.0);
    }
}
