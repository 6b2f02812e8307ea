//! The recorder: cumulative sums of a trial at the steps of its grid.
//!
//! ```text
//! reward_t = Σ r ,   cost_{i,t} = Σ c_i ,   shortfall_t = Σ [r* − r]₊ ,   excess_{i,t} = Σ [c_i − τ_i]₊        over steps ≤ t
//! ```
//!
//! Averages, moving averages and the three versions of regret and violation follow from these columns exactly.

use super::sums::Sums;
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

impl Record {
    /// How many steps it is about.
    pub fn steps(&self) -> u64 {
        self.step.last().copied().unwrap_or(0)
    }

    /// Takes over what a longer record of the same trial has more.
    pub fn catch_up(&mut self, longer: &Record) {
        fn more<T: Copy>(own: &mut Vec<T>, longer: &[T]) {
            own.extend_from_slice(&longer[own.len()..]);
        }
        more(&mut self.step, &longer.step);
        more(&mut self.reward, &longer.reward);
        more(&mut self.shortfall, &longer.shortfall);
        for (own, longer) in [(&mut self.costs, &longer.costs), (&mut self.excess, &longer.excess)] {
            own.resize(longer.len(), Vec::new());
            own.iter_mut().zip(longer).for_each(|(own, longer)| more(own, longer));
        }
        more(&mut self.epochs, &longer.epochs);
        more(&mut self.infeasible, &longer.infeasible);
        more(&mut self.multichain, &longer.multichain);
    }
}

/// Fills a [`Record`].
pub(super) struct Recorder<'a> {
    grid: &'a Grid,
    pub record: Record,
    pub sums: Sums,
    epochs: u64,
    infeasible: u64,
    multichain: u64,
    /// Plans that are not known to be the best ones.
    pub unsettled: u64,
}

impl<'a> Recorder<'a> {
    pub fn new(grid: &'a Grid, sums: Sums, costs: usize) -> Recorder<'a> {
        let none = vec![Vec::new(); costs];
        let record = Record { costs: none.clone(), excess: none, ..Record::default() };
        Recorder { grid, record, sums, epochs: 0, infeasible: 0, multichain: 0, unsettled: 0 }
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
        let record = &mut self.record;
        let sums = self.sums.of_all(counts);
        let (signals, worse) = sums.split_at(counts.signals());
        record.step.push(step);
        record.reward.push(signals[0]);
        record.shortfall.push(worse[0]);
        for i in 0..record.costs.len() {
            record.costs[i].push(signals[i + 1]);
            record.excess[i].push(worse[i + 1]);
        }
        record.epochs.push(self.epochs);
        record.infeasible.push(self.infeasible);
        record.multichain.push(self.multichain);
    }

    pub fn finish(self) -> Record {
        self.record
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_that_catches_up_is_the_same() {
        let longer = Record {
            step: vec![1, 2, 5],
            reward: vec![0.5, 1.0, 2.0],
            costs: vec![vec![0.0, 1.0, 1.0], vec![3.0, 4.0, 5.0]],
            shortfall: vec![0.0, 0.1, 0.2],
            excess: vec![vec![0.0, 0.5, 0.5], vec![1.0, 1.5, 2.0]],
            epochs: vec![1, 1, 2],
            infeasible: vec![0, 0, 1],
            multichain: vec![0, 1, 1],
            values: None,
        };
        let mut first = Record { step: vec![1], reward: vec![0.5], ..Record::default() };
        first.shortfall.push(0.0);
        (first.epochs, first.infeasible, first.multichain) = (vec![1], vec![0], vec![0]);
        (first.costs, first.excess) = (vec![vec![0.0], vec![3.0]], vec![vec![0.0], vec![1.0]]);
        for mut own in [Record::default(), first] {
            own.catch_up(&longer);
            assert_eq!((own.steps(), &own), (5, &longer));
        }
    }
}
