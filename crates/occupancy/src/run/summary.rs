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

use super::{Metrics, Record, Results};
use crate::error::Result;
use crate::stats::{Bootstrap, Description, mean};

/// A cost above its budget by less than this is rounding.
const ROUNDING: f64 = 1e-9;

/// How a summary is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SummaryConfig {
    /// How near the optimum counts as there.
    pub epsilon: f64,
    /// With which probability intervals hold the truth.
    pub level: f64,
}

impl Default for SummaryConfig {
    fn default() -> SummaryConfig {
        SummaryConfig { epsilon: 0.01, level: 0.95 }
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
    /// Every two learners, in every quantity that is compared.
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

/// By how much two learners differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The first learner.
    pub label: String,
    /// The second one.
    pub other: String,
    /// In what.
    pub quantity: String,
    /// Mean of the first minus mean of the second.
    pub difference: f64,
    /// Its bootstrap interval.
    pub interval: Option<(f64, f64)>,
}

/// The values of each quantity in each run of a learner.
struct Values {
    label: String,
    runs: usize,
    quantities: Vec<(String, Vec<f64>)>,
    settled: Option<u64>,
}

impl Summary {
    /// The summary of what is stored so far.
    pub fn of(results: &Results, config: SummaryConfig) -> Result<Summary> {
        let window = results.manifest.windows.first().copied().unwrap_or(1);
        let mut values = Vec::new();
        for label in results.labels() {
            values.push(Values::of(results, label, window, config.epsilon)?);
        }
        let describe = |values: &Values| {
            let one = |(name, found): &(String, Vec<f64>)| {
                (name.clone(), Bootstrap::new(found.len(), config.level, &values.label).describe(found))
            };
            LearnerSummary {
                label: values.label.clone(),
                runs: values.runs,
                quantities: values.quantities.iter().map(one).collect(),
                settled: values.settled,
            }
        };
        let learners = values.iter().map(describe).collect();
        Ok(Summary { config, window, learners, comparisons: compare(&values, config.level) })
    }
}

impl Values {
    fn of(results: &Results, label: &str, window: u64, epsilon: f64) -> Result<Values> {
        let manifest = &results.manifest;
        let (optimum, budgets) = (manifest.optimum(), &manifest.environment.budgets[..]);
        let records = results.records(label)?;
        let mut quantities: Vec<(String, Vec<f64>)> = Vec::new();
        let mut add = |name: &str, value: f64| match quantities.iter_mut().find(|(known, _)| known == name) {
            Some((_, values)) => values.push(value),
            None => quantities.push((name.to_string(), vec![value])),
        };
        for (run, record) in &records {
            let metrics = Metrics::new(record, optimum, budgets);
            at_end(&metrics, window, budgets, &mut add);
            let near =
                |point| is_near(&[metrics], point, window, optimum.map(|r| r - epsilon), budgets, epsilon);
            let settled = settles(record, window, near);
            add("settles", f64::from(settled.is_some()));
            settled.into_iter().for_each(|step| add("settled_step", step as f64));
            for (name, column) in [
                ("epochs", &record.epochs),
                ("infeasible", &record.infeasible),
                ("multichain", &record.multichain),
            ] {
                add(name, column.last().copied().unwrap_or(0) as f64);
            }
            results.timing(label, *run).into_iter().for_each(|timing| add("seconds", timing.seconds));
        }
        let all: Vec<Metrics> =
            records.iter().map(|(_, record)| Metrics::new(record, optimum, budgets)).collect();
        let near = |point| is_near(&all, point, window, optimum.map(|r| r - epsilon), budgets, epsilon);
        let settled = records.first().and_then(|(_, record)| settles(record, window, near));
        Ok(Values { label: label.to_string(), runs: records.len(), quantities, settled })
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

/// Whether the mean over some runs is near the optimum at a point; `None` where the window's other end was not recorded.
fn is_near(
    runs: &[Metrics],
    point: usize,
    window: u64,
    least: Option<f64>,
    budgets: &[f64],
    epsilon: f64,
) -> Option<bool> {
    let average = |signal: usize| {
        let values = runs.iter().map(|metrics| metrics.window(signal, point, window));
        values.collect::<Option<Vec<f64>>>().map(|values| mean(&values))
    };
    let mut near = average(0)? >= least.unwrap_or(f64::NEG_INFINITY);
    for (i, budget) in budgets.iter().enumerate() {
        near &= average(i + 1)? <= budget + epsilon;
    }
    Some(near)
}

/// The first step from which on all points are near, for the length of a window at least.
fn settles(record: &Record, window: u64, near: impl Fn(usize) -> Option<bool>) -> Option<u64> {
    let mut first = None;
    for point in (0..record.step.len()).rev().take_while(|&point| record.step[point] >= window) {
        match near(point) {
            Some(true) => first = Some(record.step[point]),
            Some(false) => break,
            None => {}
        }
    }
    let last = record.step.last().copied().unwrap_or(0);
    first.filter(|&first| last - first >= window)
}

/// Every two learners in every quantity that a reader compares.
fn compare(values: &[Values], level: f64) -> Vec<Comparison> {
    let compared = |name: &str| {
        ["reward", "regret"].contains(&name)
            || ["cost_", "violation_"].iter().any(|start| {
                name.strip_prefix(start).is_some_and(|rest| rest.bytes().all(|digit| digit.is_ascii_digit()))
            })
    };
    let mut found = Vec::new();
    for (at, one) in values.iter().enumerate() {
        for other in &values[at + 1..] {
            for (name, of_one) in one.quantities.iter().filter(|(name, _)| compared(name)) {
                let Some((_, of_other)) = other.quantities.iter().find(|(known, _)| known == name) else {
                    continue;
                };
                let resamples = |label: &str, n: usize| Bootstrap::new(n, level, label);
                let (a, b) = (resamples(&one.label, of_one.len()), resamples(&other.label, of_other.len()));
                found.push(Comparison {
                    label: one.label.clone(),
                    other: other.label.clone(),
                    quantity: name.clone(),
                    difference: mean(of_one) - mean(of_other),
                    interval: a.difference(of_one, &b, of_other),
                });
            }
        }
    }
    found
}
