//! The recorder: cumulative sums of a trial at the steps of its grid.
//!
//! ```text
//! reward_t = Σ r ,   cost_{i,t} = Σ c_i ,   shortfall_t = Σ [r* − r]₊ ,   excess_{i,t} = Σ [c_i − τ_i]₊        over steps ≤ t
//! ```
//!
//! Averages, moving averages and the three versions of regret and violation follow from these columns exactly. Each sum
//! is made afresh at each point from how often every transition was taken, so that a step costs nothing but its count.

use super::{Grid, ValueGaps};
use crate::learn::{Counts, Epoch};

/// What was recorded, one entry of every column for each step of the grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The steps.
    pub step: Vec<u64>,
    /// Σ r.
    pub reward: Vec<f64>,
    /// Σ c_i.
    pub costs: Vec<Vec<f64>>,
    /// Σ [r* − r]₊; 0 where no policy meets the budgets.
    pub shortfall: Vec<f64>,
    /// Σ [c_i − τ_i]₊.
    pub excess: Vec<Vec<f64>>,
    /// Epochs begun.
    pub epochs: Vec<u64>,
    /// Plans that no policy met the budgets of.
    pub infeasible: Vec<u64>,
    /// Plans with several recurrent classes.
    pub multichain: Vec<u64>,
    /// The exact gaps of the policies followed, if they were asked for.
    pub values: Option<ValueGaps>,
}

/// Fills a [`Record`].
pub(super) struct Recorder<'a> {
    grid: &'a Grid,
    record: Record,
    /// [r* − r]₊ and [c_i − τ_i]₊ of every transition.
    positive: Vec<Vec<f64>>,
    epochs: u64,
    infeasible: u64,
    multichain: u64,
    /// Plans that are not known to be the best ones.
    pub unsettled: u64,
}

impl<'a> Recorder<'a> {
    pub fn new(grid: &'a Grid, counts: &Counts, optimum: Option<f64>, budgets: &[f64]) -> Recorder<'a> {
        let shortfall = |r: &f64| optimum.map_or(0.0, |optimum| (optimum - r).max(0.0));
        let mut positive = vec![counts.values(0).iter().map(shortfall).collect()];
        for (i, budget) in budgets.iter().enumerate() {
            positive.push(counts.values(i + 1).iter().map(|c| (c - budget).max(0.0)).collect());
        }
        let none = vec![Vec::new(); budgets.len()];
        let record = Record { costs: none.clone(), excess: none, ..Record::default() };
        Recorder { grid, record, positive, epochs: 0, infeasible: 0, multichain: 0, unsettled: 0 }
    }

    /// The next step to be recorded.
    pub fn next(&self) -> u64 {
        self.grid.steps().get(self.record.step.len()).copied().unwrap_or(u64::MAX)
    }

    /// Notes how an epoch was planned.
    pub fn epoch(&mut self, epoch: &Epoch) {
        self.epochs += u64::from(epoch.begins);
        if let Some(report) = &epoch.report {
            self.infeasible += u64::from(!report.feasible);
            self.multichain += u64::from(report.classes > 1);
            self.unsettled += u64::from(!report.settled);
        }
    }

    /// Records a step of the grid.
    pub fn record(&mut self, step: u64, counts: &Counts) {
        let sum = |values: &[f64]| weighted_sum(counts.taken(), values);
        let record = &mut self.record;
        record.step.push(step);
        record.reward.push(sum(counts.values(0)));
        record.shortfall.push(sum(&self.positive[0]));
        for i in 0..record.costs.len() {
            record.costs[i].push(sum(counts.values(i + 1)));
            record.excess[i].push(sum(&self.positive[i + 1]));
        }
        record.epochs.push(self.epochs);
        record.infeasible.push(self.infeasible);
        record.multichain.push(self.multichain);
    }

    pub fn finish(self) -> Record {
        self.record
    }
}

/// Σ n x in four running sums.
pub(super) fn weighted_sum(taken: &[u64], values: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (heads, tail) = taken.as_chunks::<4>();
    let (values, rest) = values.as_chunks::<4>();
    for (taken, values) in heads.iter().zip(values) {
        for lane in 0..4 {
            sums[lane] += taken[lane] as f64 * values[lane];
        }
    }
    sums.iter().sum::<f64>() + tail.iter().zip(rest).map(|(&n, x)| n as f64 * x).sum::<f64>()
}
