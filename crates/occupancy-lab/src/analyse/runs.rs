//! What is kept of the runs of a learner: each is read once, and all that is ever asked of it is asked of these columns.
//!
//! Sums of the reward and of the costs stand by point of the grid, the runs side by side, because statistics look at all runs
//! at one point. Of the other columns of a run only the ends are asked for. That is 8 bytes for each signal and point: 3 kB for a
//! run of 200 points with one cost, where its whole record takes 16.
//!
//! Averages, regret and violation are those of [`Metrics`](occupancy::sim::Metrics), for all runs at once.

use crate::error::Result;
use crate::store::{Checked, Entry, Results, Timing};
use occupancy::sim::Record;

/// A quantity of a run over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The average of a signal over the last steps, over all where there are fewer; the reward is signal 0.
    Window {
        /// The signal.
        signal: usize,
        /// How many steps.
        window: u64,
    },
    /// The average of a signal over all steps so far.
    Average {
        /// The signal.
        signal: usize,
    },
    /// The signed regret.
    Regret,
    /// The signed violation of the budget of a cost.
    Violation {
        /// The cost.
        cost: usize,
    },
}

/// The runs of a learner.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Runs {
    /// Its label.
    pub label: String,
    /// The learner's own name.
    pub kind: String,
    /// The steps at which every run is recorded.
    pub steps: Vec<u64>,
    /// r*, where there is one.
    optimum: Option<f64>,
    /// τ.
    budgets: Vec<f64>,
    /// Σ of each signal by point, the runs side by side.
    sums: Vec<Vec<Vec<f64>>>,
    /// Σ [r* − r]₊ of each run.
    pub shortfall: Vec<f64>,
    /// Σ [c_i − τ_i]₊ of each cost and run.
    pub excess: Vec<Vec<f64>>,
    /// Epochs of each run.
    pub epochs: Vec<f64>,
    /// Plans of each run that no policy met the budgets of.
    pub infeasible: Vec<f64>,
    /// Plans of each run with several recurrent classes.
    pub multichain: Vec<f64>,
    /// Seconds of each run of which they are known.
    pub seconds: Vec<f64>,
    /// Seconds spent in the learner, of the same runs.
    pub planning: Vec<f64>,
}

/// What is kept of one run.
struct Row {
    /// Signal by signal.
    sums: Vec<f64>,
    shortfall: f64,
    excess: Vec<f64>,
    counts: [u64; 3],
    timing: Option<Timing>,
}

impl Row {
    fn of(record: &Record, timing: Option<Timing>) -> Row {
        let end = |column: &[f64]| column.last().copied().unwrap_or(0.0);
        let count = |column: &[u64]| column.last().copied().unwrap_or(0);
        Row {
            sums: [&record.reward].into_iter().chain(&record.costs).flatten().copied().collect(),
            shortfall: end(&record.shortfall),
            excess: record.excess.iter().map(|column| end(column)).collect(),
            counts: [&record.epochs, &record.infeasible, &record.multichain].map(|column| count(column)),
            timing,
        }
    }
}

impl Runs {
    /// Reads the runs of a learner once each, on all cores; what is found of their files is added to `checked`, and runs with
    /// a damaged file are left out.
    pub fn read(results: &Results, learner: &Entry, checked: &mut Checked) -> Result<Runs> {
        let (manifest, steps) = (&results.manifest, results.grid().steps().to_vec());
        let mut runs = Runs {
            label: learner.label.clone(),
            kind: learner.kind.clone(),
            ..Runs::new(steps, manifest.optimum(), &manifest.environment.budgets)
        };
        results.read_runs(&learner.label, checked, Row::of, |rows| runs.add(rows))?;
        Ok(runs)
    }

    fn new(steps: Vec<u64>, optimum: Option<f64>, budgets: &[f64]) -> Runs {
        Runs {
            sums: vec![vec![Vec::new(); steps.len()]; budgets.len() + 1],
            excess: vec![Vec::new(); budgets.len()],
            budgets: budgets.to_vec(),
            optimum,
            steps,
            ..Runs::default()
        }
    }

    /// Adds some runs, column by column.
    fn add(&mut self, rows: Vec<Row>) {
        for (at, column) in self.sums.iter_mut().flatten().enumerate() {
            column.extend(rows.iter().map(|row| row.sums[at]));
        }
        for (i, column) in self.excess.iter_mut().enumerate() {
            column.extend(rows.iter().map(|row| row.excess[i]));
        }
        self.shortfall.extend(rows.iter().map(|row| row.shortfall));
        for (at, column) in
            [&mut self.epochs, &mut self.infeasible, &mut self.multichain].into_iter().enumerate()
        {
            column.extend(rows.iter().map(|row| row.counts[at] as f64));
        }
        let timings = || rows.iter().filter_map(|row| row.timing.as_ref());
        self.seconds.extend(timings().map(|timing| timing.seconds));
        self.planning.extend(timings().map(|timing| timing.planning));
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.epochs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.epochs.is_empty()
    }

    /// The last point.
    pub fn last(&self) -> usize {
        self.steps.len().saturating_sub(1)
    }

    /// Whether a quantity is known at a point: the other end of its window was recorded, and there is an optimum.
    pub fn know(&self, quantity: Quantity, point: usize) -> bool {
        match quantity {
            Quantity::Window { window, .. } => self.start(point, window).is_some(),
            Quantity::Average { .. } | Quantity::Violation { .. } => true,
            Quantity::Regret => self.optimum.is_some(),
        }
    }

    /// A quantity of each run at a point; `None` where it is not known.
    pub fn values(&self, quantity: Quantity, point: usize) -> Option<Vec<f64>> {
        let step = self.steps[point] as f64;
        let each = |signal: usize, value: &dyn Fn(f64) -> f64| -> Vec<f64> {
            self.sums[signal][point].iter().map(|&sum| value(sum)).collect()
        };
        Some(match quantity {
            Quantity::Average { signal } => each(signal, &|sum| sum / step),
            Quantity::Window { signal, window } => match self.start(point, window)? {
                None => each(signal, &|sum| sum / step),
                Some(start) => {
                    let both = self.sums[signal][point].iter().zip(&self.sums[signal][start]);
                    both.map(|(end, start)| (end - start) / window as f64).collect()
                }
            },
            Quantity::Regret => {
                let best = self.optimum? * step;
                each(0, &|sum| best - sum)
            }
            Quantity::Violation { cost } => {
                let allowed = self.budgets[cost] * step;
                each(cost + 1, &|sum| sum - allowed)
            }
        })
    }

    /// The point where a window begins that ends at a point: nowhere if it holds all steps. `None` where that was not recorded.
    fn start(&self, point: usize, window: u64) -> Option<Option<usize>> {
        let end = self.steps[point];
        if window >= end {
            return Some(None);
        }
        self.steps.binary_search(&(end - window)).ok().map(Some)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use occupancy::sim::Metrics;
    use proptest::prelude::*;

    /// The runs of some records of the same steps, held to an optimum and budgets.
    pub fn runs(records: &[Record], optimum: Option<f64>, budgets: &[f64]) -> Runs {
        let mut runs = Runs::new(records[0].step.clone(), optimum, budgets);
        runs.add(records.iter().map(|record| Row::of(record, None)).collect());
        runs
    }

    proptest! {
        #[test]
        fn every_quantity_is_that_of_the_metrics_of_each_run(
            sums in proptest::collection::vec((-1e6f64..1e6, -1e6f64..1e6), 24),
            window in 1u64..30,
        ) {
            let steps: Vec<u64> = vec![1, 2, 5, 6, 10, 14, 20, 25];
            let record = |run: usize| {
                let of = &sums[8 * run..][..8];
                let none = vec![0; 8];
                Record {
                    step: steps.clone(),
                    reward: of.iter().map(|sum| sum.0).collect(),
                    costs: vec![of.iter().map(|sum| sum.1).collect()],
                    shortfall: vec![0.0; 8],
                    excess: vec![vec![0.0; 8]],
                    epochs: none.clone(),
                    infeasible: none.clone(),
                    multichain: none,
                    values: None,
                }
            };
            let records: Vec<Record> = (0..3).map(record).collect();
            let runs = runs(&records, Some(-0.3), &[0.7]);
            for point in 0..steps.len() {
                let of_each = |value: &dyn Fn(&Metrics) -> Option<f64>| {
                    records.iter().map(|record| value(&Metrics::new(record, Some(-0.3), &[0.7]))).collect::<Option<Vec<f64>>>()
                };
                for signal in 0..2 {
                    let expected = of_each(&|metrics| metrics.window(signal, point, window));
                    prop_assert_eq!(runs.values(Quantity::Window { signal, window }, point), expected);
                    let expected = of_each(&|metrics| Some(metrics.average(signal, point)));
                    prop_assert_eq!(runs.values(Quantity::Average { signal }, point), expected);
                }
                let expected = of_each(&|metrics| metrics.regret(point).map(|regret| regret.signed));
                prop_assert_eq!(runs.values(Quantity::Regret, point), expected);
                let expected = of_each(&|metrics| Some(metrics.violation(0, point).signed));
                prop_assert_eq!(runs.values(Quantity::Violation { cost: 0 }, point), expected);
            }
        }
    }
}
