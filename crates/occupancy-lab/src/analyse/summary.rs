//! What the runs of a folder of results say together: quantities at the end, their comparison, and when learners settle.
//!
//! | quantity | per run |
//! |---|---|
//! | `reward`, `cost_i` | average over the last window |
//! | `average_reward`, `average_cost_i` | average over all rounds |
//! | `regret`, `violation_i` | signed sums over all rounds; `_total` not below 0, `_stepwise` losses alone |
//! | `violates_i` | 1 where the average cost over all rounds is above its budget: the mean is the share of runs |
//! | `settles` | 1 where the run stays within ε of the optimum from some round on |
//! | `settled_step` | the first such round, of the runs that have one |
//! | `epochs`, `infeasible`, `multichain`, `seconds` | totals |
//!
//! Within ε of the optimum: the average reward over the window is at least r* − ε, and every cost at most τ_i + ε. What
//! began less than a window before the end does not count: that may be chance.

use super::comparisons::{Anchors, Comparison, Resamples, all_pairs, compare};
use crate::analyse::stats::{Description, mean};
use crate::error::Result;
use crate::parallel;
use crate::store::Results;
use occupancy::sim::Metrics;

/// A cost above its budget by less than this is rounding.
const ROUNDING: f64 = 1e-9;

/// How a summary is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SummaryConfig {
    /// How near the optimum counts as there.
    pub epsilon: f64,
    /// With which probability intervals hold the truth.
    pub level: f64,
    /// Whether every two learners are compared, and not only each with the reference and the best one.
    pub all_pairs: bool,
}

impl Default for SummaryConfig {
    fn default() -> SummaryConfig {
        SummaryConfig { epsilon: 0.01, level: 0.95, all_pairs: false }
    }
}

/// What the runs say together.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// How it was made.
    pub config: SummaryConfig,
    /// The window of the averages at the end.
    pub window: u64,
    /// The learners, in the order of the experiment.
    pub learners: Vec<LearnerSummary>,
    /// Whom all others are compared with: the oracle, or the first learner; nobody where there are no runs.
    pub reference: Option<String>,
    /// The best learner that is no oracle; the others are compared with it too.
    pub best: Option<String>,
    /// The differences of learners, in every quantity that is compared.
    pub comparisons: Vec<Comparison>,
}

/// What the runs of a learner say together.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnerSummary {
    /// Its label.
    pub label: String,
    /// How many runs there are.
    pub runs: usize,
    /// The quantities by name.
    pub quantities: Vec<(String, Description)>,
    /// The first round from which on the mean over the runs stays within ε of the optimum.
    pub settled: Option<u64>,
}

impl LearnerSummary {
    /// A quantity by its name.
    pub fn quantity(&self, name: &str) -> Option<&Description> {
        self.quantities.iter().find(|(known, _)| known == name).map(|(_, found)| found)
    }
}

/// The values of each quantity in each run of a learner.
pub(super) struct Values {
    pub(super) label: String,
    pub(super) runs: usize,
    pub(super) quantities: Vec<(String, Vec<f64>)>,
    settled: Option<u64>,
}

impl Summary {
    /// The summary of what is stored so far.
    pub fn of(results: &Results, config: SummaryConfig) -> Result<Summary> {
        let window = results.manifest.windows.first().copied().unwrap_or(1);
        let labels: Vec<&str> = results.labels().collect();
        let values = parallel::map(&labels, |label| {
            let values = Values::of(results, label, window, config.epsilon)?;
            Ok((values.described(config.level), values))
        });
        let (learners, values): (Vec<LearnerSummary>, Vec<Values>) =
            values.into_iter().collect::<Result<Vec<_>>>()?.into_iter().unzip();
        let anchors = Anchors::of(&values, &results.manifest, config.epsilon);
        let pairs = if config.all_pairs { all_pairs(values.len()) } else { anchors.pairs(values.len()) };
        let label = |place: Option<usize>| place.map(|place| values[place].label.clone());
        Ok(Summary {
            config,
            window,
            learners,
            reference: label(anchors.reference),
            best: label(anchors.best),
            comparisons: compare(&values, &pairs, config.level),
        })
    }
}

impl Values {
    /// The numbers of a quantity.
    pub(super) fn numbers(&self, name: &str) -> Option<&[f64]> {
        self.quantities.iter().find(|(known, _)| known == name).map(|(_, numbers)| numbers.as_slice())
    }

    /// The mean of a quantity; NaN where it is not known.
    pub(super) fn mean(&self, name: &str) -> f64 {
        mean(self.numbers(name).unwrap_or_default())
    }

    fn described(&self, level: f64) -> LearnerSummary {
        let mut resamples = Resamples::new(&self.label, level);
        let one =
            |(name, found): &(String, Vec<f64>)| (name.clone(), resamples.of(found.len()).describe(found));
        let quantities = self.quantities.iter().map(one).collect();
        LearnerSummary { label: self.label.clone(), runs: self.runs, quantities, settled: self.settled }
    }

    /// One run after the other is read, so that memory does not grow with the number of runs.
    fn of(results: &Results, label: &str, window: u64, epsilon: f64) -> Result<Values> {
        let manifest = &results.manifest;
        let near = Near { optimum: manifest.optimum(), budgets: &manifest.environment.budgets, epsilon };
        let (steps, runs) = (results.grid().steps(), results.runs(label)?);
        let mut means = Windows::default();
        let mut quantities: Vec<(String, Vec<f64>)> = Vec::new();
        let mut add = |name: &str, value: f64| match quantities.iter_mut().find(|(known, _)| known == name) {
            Some((_, values)) => values.push(value),
            None => quantities.push((name.to_string(), vec![value])),
        };
        for &run in &runs {
            let record = results.record(label, run)?;
            let metrics = Metrics::new(&record, near.optimum, near.budgets);
            at_end(&metrics, window, near.budgets, &mut add);
            let windows = Windows::of(&metrics, steps.len(), near.budgets.len() + 1, window);
            let settled = settles(steps, window, |point| near.holds(windows.at(point)?));
            add("settles", f64::from(settled.is_some()));
            settled.into_iter().for_each(|step| add("settled_step", step as f64));
            for (name, column) in [
                ("epochs", &record.epochs),
                ("infeasible", &record.infeasible),
                ("multichain", &record.multichain),
            ] {
                add(name, column.last().copied().unwrap_or(0) as f64);
            }
            results.timing(label, run).into_iter().for_each(|timing| add("seconds", timing.seconds));
            means.add(&windows, 1.0 / runs.len() as f64);
        }
        let settled = settles(steps, window, |point| near.holds(means.at(point)?));
        Ok(Values { label: label.to_string(), runs: runs.len(), quantities, settled })
    }
}

/// Averages over the window up to every point: of the reward, then of the costs.
#[derive(Default)]
struct Windows {
    signals: usize,
    /// NaN where the window's other end was not recorded.
    averages: Vec<f64>,
}

impl Windows {
    fn of(metrics: &Metrics, points: usize, signals: usize, window: u64) -> Windows {
        let one = |point, signal| metrics.window(signal, point, window).unwrap_or(f64::NAN);
        let averages = (0..points).flat_map(|point| (0..signals).map(move |signal| (point, signal)));
        Windows { signals, averages: averages.map(|(point, signal)| one(point, signal)).collect() }
    }

    /// Adds others, each times a factor.
    fn add(&mut self, others: &Windows, factor: f64) {
        self.signals = others.signals;
        self.averages.resize(others.averages.len(), 0.0);
        self.averages.iter_mut().zip(&others.averages).for_each(|(sum, x)| *sum += factor * x);
    }

    /// The averages at a point; `None` where they are not known.
    fn at(&self, point: usize) -> Option<&[f64]> {
        let found = self.averages.get(point * self.signals..(point + 1) * self.signals)?;
        found.iter().all(|x| !x.is_nan()).then_some(found)
    }
}

/// What counts as near the optimum.
struct Near<'a> {
    optimum: Option<f64>,
    budgets: &'a [f64],
    epsilon: f64,
}

impl Near<'_> {
    /// Whether averages of reward and costs are near the optimum.
    fn holds(&self, averages: &[f64]) -> Option<bool> {
        let (reward, costs) = averages.split_first()?;
        let earned = self.optimum.is_none_or(|optimum| *reward >= optimum - self.epsilon);
        let met = costs.iter().zip(self.budgets).all(|(cost, budget)| *cost <= budget + self.epsilon);
        Some(earned && met)
    }
}

/// The quantities at the last step.
fn at_end(metrics: &Metrics, window: u64, budgets: &[f64], add: &mut impl FnMut(&str, f64)) {
    let last = metrics.last();
    let windowed = |signal| metrics.window(signal, last, window).unwrap_or(f64::NAN);
    add("reward", windowed(0));
    (0..budgets.len()).for_each(|i| add(&format!("cost_{i}"), windowed(i + 1)));
    add("average_reward", metrics.average(0, last));
    (0..budgets.len()).for_each(|i| add(&format!("average_cost_{i}"), metrics.average(i + 1, last)));
    if let Some(regret) = metrics.regret(last) {
        add("regret", regret.signed);
        add("regret_total", regret.total);
        add("regret_stepwise", regret.stepwise);
    }
    for (i, &budget) in budgets.iter().enumerate().filter(|(_, budget)| budget.is_finite()) {
        let violation = metrics.violation(i, last);
        add(&format!("violation_{i}"), violation.signed);
        add(&format!("violation_{i}_total"), violation.total);
        add(&format!("violation_{i}_stepwise"), violation.stepwise);
        let above = metrics.average(i + 1, last) > budget + ROUNDING * (1.0 + budget.abs());
        add(&format!("violates_{i}"), f64::from(above));
    }
}

/// The first step from which on all points are near, for the length of a window at least.
fn settles(steps: &[u64], window: u64, near: impl Fn(usize) -> Option<bool>) -> Option<u64> {
    let mut first = None;
    for point in (0..steps.len()).rev().take_while(|&point| steps[point] >= window) {
        match near(point) {
            Some(true) => first = Some(steps[point]),
            Some(false) => break,
            None => {}
        }
    }
    let last = steps.last().copied().unwrap_or(0);
    first.filter(|&first| last - first >= window)
}

#[cfg(test)]
mod tests {
    use super::*;
    use occupancy::sim::Record;

    /// Rewards 0 from step 40 on, before that −1; costs 1 up to step 20.
    fn record(late: u64) -> Record {
        let step: Vec<u64> = (1..=100).collect();
        let reward = step.iter().map(|&t| -(t.min(40 + late) as f64)).collect();
        let cost = step.iter().map(|&t| t.min(20) as f64).collect();
        let none = vec![0; 100];
        Record {
            reward,
            costs: vec![cost],
            shortfall: vec![0.0; 100],
            excess: vec![vec![0.0; 100]],
            epochs: none.clone(),
            infeasible: none.clone(),
            multichain: none,
            values: None,
            step,
        }
    }

    fn settled(records: &[Record], window: u64, epsilon: f64, budget: f64) -> Option<u64> {
        let near = Near { optimum: Some(0.0), budgets: &[budget], epsilon };
        let mut means = Windows::default();
        for record in records {
            let metrics = Metrics::new(record, Some(0.0), near.budgets);
            means.add(&Windows::of(&metrics, 100, 2, window), 1.0 / records.len() as f64);
        }
        settles(&records[0].step, window, |point| near.holds(means.at(point)?))
    }

    #[test]
    fn a_learner_settles_where_its_last_window_away_from_the_optimum_ends() {
        // Windows of ten steps are without loss from step 50 on; one lost step in ten is allowed from 49 on.
        assert_eq!(settled(&[record(0)], 10, 0.01, 0.0), Some(50));
        assert_eq!(settled(&[record(0)], 10, 0.1, 0.0), Some(49));
        // The mean of two runs, one of which is late by four steps.
        assert_eq!(settled(&[record(0), record(4)], 10, 0.01, 0.0), Some(54));
        // Too late to be more than chance; never, for a budget below 0.
        assert_eq!(settled(&[record(45)], 10, 0.01, 0.0), None);
        assert_eq!(settled(&[record(0)], 10, 0.01, -1.0), None);
        // Reward alone is not enough.
        assert_eq!(settled(&[record(0)], 20, 1.0, -0.875), Some(38));
    }

    #[test]
    fn quantities_at_the_end_are_those_of_the_sums() {
        let (record, budgets) = (record(0), [0.15]);
        let metrics = Metrics::new(&record, Some(-0.5), &budgets);
        let mut found = Vec::new();
        at_end(&metrics, 80, &budgets, &mut |name, value| found.push((name.to_string(), value)));
        let value = |name: &str| found.iter().find(|(known, _)| known == name).unwrap().1;
        assert_eq!((value("reward"), value("cost_0")), (-0.25, 0.0));
        assert_eq!((value("average_reward"), value("average_cost_0")), (-0.4, 0.2));
        assert_eq!((value("regret"), value("regret_total"), value("violates_0")), (-10.0, 0.0, 1.0));
        assert!((value("violation_0") - 5.0).abs() < 1e-12);
    }
}
