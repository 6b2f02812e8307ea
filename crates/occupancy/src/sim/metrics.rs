//! Averages, regret and violation, from a [`Record`].
//!
//! ```text
//!            regret                    violation of cost i
//! signed     Σ (r* − r_t)              Σ (c_{i,t} − τ_i)
//! total      max(0, signed)            max(0, signed)
//! stepwise   Σ [r* − r_t]₊             Σ [c_{i,t} − τ_i]₊            (the paper's definition)
//! ```
//!
//! The stepwise version grows linearly even for the optimal policy, which loses on most steps what it gains at the goal;
//! it is kept for comparison with the paper.

use super::Record;

/// A sum of losses in its three versions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deficits {
    /// Gains make up for losses.
    pub signed: f64,
    /// The same, not below 0.
    pub total: f64,
    /// Losses alone.
    pub stepwise: f64,
}

impl Deficits {
    fn new(signed: f64, stepwise: f64) -> Deficits {
        Deficits { signed, total: signed.max(0.0), stepwise }
    }
}

/// What a record says, point by point. Points are indices into its columns.
#[derive(Clone, Copy, Debug)]
pub struct Metrics<'a> {
    record: &'a Record,
    optimum: Option<f64>,
    budgets: &'a [f64],
}

impl<'a> Metrics<'a> {
    /// The metrics of a record; `optimum` is r*, where there is one.
    pub fn new(record: &'a Record, optimum: Option<f64>, budgets: &'a [f64]) -> Metrics<'a> {
        Metrics { record, optimum, budgets }
    }

    /// The last point.
    pub fn last(&self) -> usize {
        self.record.step.len().saturating_sub(1)
    }

    /// The point of a step, if it was recorded.
    pub fn point(&self, step: u64) -> Option<usize> {
        self.record.step.binary_search(&step).ok()
    }

    /// Σ of a signal up to a point: 0 is the reward, i + 1 the cost i.
    fn column(&self, signal: usize) -> &'a [f64] {
        if signal == 0 { &self.record.reward } else { &self.record.costs[signal - 1] }
    }

    /// The average of a signal over all steps up to a point.
    pub fn average(&self, signal: usize, point: usize) -> f64 {
        self.column(signal)[point] / self.record.step[point] as f64
    }

    /// The average of a signal over the last `window` steps up to a point, over all steps where there are fewer; `None`
    /// where the window's other end was not recorded.
    pub fn window(&self, signal: usize, point: usize, window: u64) -> Option<f64> {
        let end = self.record.step[point];
        if window >= end {
            return Some(self.average(signal, point));
        }
        let start = self.point(end - window)?;
        let column = self.column(signal);
        Some((column[point] - column[start]) / window as f64)
    }

    /// Regret at a point; `None` where no policy meets the budgets.
    pub fn regret(&self, point: usize) -> Option<Deficits> {
        let lost = self.optimum? * self.record.step[point] as f64 - self.record.reward[point];
        Some(Deficits::new(lost, self.record.shortfall[point]))
    }

    /// Violation of a budget at a point.
    pub fn violation(&self, cost: usize, point: usize) -> Deficits {
        let allowed = self.budgets[cost] * self.record.step[point] as f64;
        Deficits::new(self.record.costs[cost][point] - allowed, self.record.excess[cost][point])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        // Rewards −1, 0, −1, −1 and costs 0, 1, 1, 0.
        Record {
            step: vec![1, 2, 3, 4],
            reward: vec![-1.0, -1.0, -2.0, -3.0],
            costs: vec![vec![0.0, 1.0, 2.0, 2.0]],
            shortfall: vec![0.25, 0.25, 0.5, 0.75],
            excess: vec![vec![0.0, 0.75, 1.5, 1.5]],
            epochs: vec![1, 1, 2, 2],
            infeasible: vec![0; 4],
            multichain: vec![0; 4],
            values: None,
        }
    }

    #[test]
    fn averages_and_windows_are_exact() {
        let record = record();
        let metrics = Metrics::new(&record, Some(-0.75), &[0.25]);
        assert_eq!((metrics.average(0, 3), metrics.average(1, 3)), (-0.75, 0.5));
        assert_eq!((metrics.window(0, 3, 2), metrics.window(1, 3, 3)), (Some(-1.0), Some(2.0 / 3.0)));
        assert_eq!(metrics.window(0, 1, 9), Some(-0.5));
    }

    #[test]
    fn regret_and_violation_have_three_versions() {
        let record = record();
        let metrics = Metrics::new(&record, Some(-0.75), &[0.25]);
        assert_eq!(metrics.regret(3), Some(Deficits { signed: 0.0, total: 0.0, stepwise: 0.75 }));
        assert_eq!(metrics.regret(1), Some(Deficits { signed: -0.5, total: 0.0, stepwise: 0.25 }));
        assert_eq!(metrics.violation(0, 3), Deficits { signed: 1.0, total: 1.0, stepwise: 1.5 });
        assert_eq!(Metrics::new(&record, None, &[0.25]).regret(3), None);
    }
}
