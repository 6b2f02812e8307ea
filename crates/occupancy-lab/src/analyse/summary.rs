//! What the runs of a folder of results say together: quantities at the end, their comparison, and when learners settle.
//!
//! | quantity | per run |
//! |---|---|
//! | `reward`, `cost_i` | average over the last window |
//! | `average_reward`, `average_cost_i` | average over all rounds |
//! | `regret`, `violation_i` | signed sums over all rounds; `_total` not below 0, `_stepwise` losses alone |
//! | `violates_i` | 1 where the average cost over all rounds is above its budget: the mean is the share of runs |
//! | `near` | 1 if the averages over the last window are near the optimum ([`Limits`]) |
//! | `settles` | 1 if the run stays near the optimum from some round on |
//! | `epochs`, `infeasible`, `multichain`, `seconds` | totals; seconds are CPU times |

use super::comparisons::{Anchors, Comparison, Resamples, all_pairs, compare};
use super::limits::{Ending, Limits, TOLERANCE};
use super::settling;
use super::statistic::Statistic;
use crate::analyse::stats::{Description, mean};
use crate::error::Result;
use crate::parallel;
use crate::store::{Manifest, Results};
use occupancy::model::Cmdp;
use occupancy::sim::Metrics;

/// A cost above its budget by less than this is rounding.
const ROUNDING: f64 = 1e-9;

/// How a summary is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SummaryConfig {
    /// The share of the range between the levels that is near the optimum.
    pub tolerance: f64,
    /// With which probability intervals hold the truth.
    pub level: f64,
    /// Whether every two learners are compared, and not only each with the reference and the best one.
    pub all_pairs: bool,
}

impl Default for SummaryConfig {
    fn default() -> SummaryConfig {
        SummaryConfig { tolerance: TOLERANCE, level: 0.95, all_pairs: false }
    }
}

/// What the runs say together.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// How it was made.
    pub config: SummaryConfig,
    /// The window of the averages at the end.
    pub window: u64,
    /// What is near the optimum.
    pub limits: Limits,
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
    /// The learner's own name.
    pub kind: String,
    /// How many runs there are.
    pub runs: usize,
    /// The quantities by name.
    pub quantities: Vec<(String, Description)>,
    /// Where each run ended.
    pub ends: Vec<Ending>,
    /// The round from which on each run stays near the optimum; infinite if it never does.
    pub settled: Vec<f64>,
    /// The round by which half of the runs have settled; infinite if fewer do.
    pub half_settled: Statistic,
}

impl LearnerSummary {
    /// Where most of its runs ended.
    pub fn place(&self) -> Ending {
        Ending::most_common(&self.ends)
    }

    /// How many of its runs ended so.
    pub fn ended(&self, ending: Ending) -> usize {
        self.ends.iter().filter(|&&end| end == ending).count()
    }

    /// How many of its runs have settled.
    pub fn settled_runs(&self) -> usize {
        self.settled.iter().filter(|step| step.is_finite()).count()
    }

    /// The round by which half of its runs have settled.
    pub fn half_settled_by(&self) -> Option<u64> {
        Some(self.half_settled.value).filter(|step| step.is_finite()).map(|step| step as u64)
    }

    /// A quantity by its name.
    pub fn quantity(&self, name: &str) -> Option<&Description> {
        self.quantities.iter().find(|(known, _)| known == name).map(|(_, found)| found)
    }
}

/// The values of each quantity in each run of a learner.
pub(super) struct Values {
    pub(super) label: String,
    pub(super) kind: String,
    pub(super) runs: usize,
    pub(super) quantities: Vec<(String, Vec<f64>)>,
    ends: Vec<Ending>,
    settled: Vec<f64>,
}

impl Summary {
    /// The summary of what is stored so far of an experiment in this model.
    pub fn of(results: &Results, model: &Cmdp, config: SummaryConfig) -> Result<Summary> {
        let manifest = &results.manifest;
        let limits = Limits::of(manifest, model, config.tolerance);
        let measure = Measure { manifest, limits: &limits, window: window(manifest) };
        let values = parallel::map(&manifest.learners, |entry| {
            let values = Values::of(results, &entry.label, &entry.kind, &measure)?;
            Ok((values.described(config.level, &measure), values))
        });
        let (learners, values): (Vec<LearnerSummary>, Vec<Values>) =
            values.into_iter().collect::<Result<Vec<_>>>()?.into_iter().unzip();
        let anchors = Anchors::of(&values, manifest, &limits);
        let pairs = if config.all_pairs { all_pairs(values.len()) } else { anchors.pairs(values.len()) };
        let label = |place: Option<usize>| place.map(|place| values[place].label.clone());
        let possible = |name: &str| limits.possible(name, manifest.rounds);
        Ok(Summary {
            config,
            window: measure.window,
            learners,
            reference: label(anchors.reference),
            best: label(anchors.best),
            comparisons: compare(&values, &pairs, config.level, &possible),
            limits,
        })
    }
}

/// The window that statistics are about.
fn window(manifest: &Manifest) -> u64 {
    manifest.windows.first().copied().unwrap_or(1)
}

/// What the runs of all learners are held to.
struct Measure<'a> {
    manifest: &'a Manifest,
    limits: &'a Limits,
    window: u64,
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

    fn described(&self, level: f64, measure: &Measure) -> LearnerSummary {
        let mut resamples = Resamples::new(&self.kind, level);
        let rounds = measure.manifest.rounds;
        let half_settled = settling::half(&self.settled, resamples.of(self.settled.len()));
        let mut one = |(name, found): &(String, Vec<f64>)| {
            let described = resamples.of(found.len()).describe(found);
            (name.clone(), described.within(measure.limits.possible(name, rounds)))
        };
        LearnerSummary {
            label: self.label.clone(),
            kind: self.kind.clone(),
            runs: self.runs,
            quantities: self.quantities.iter().map(&mut one).collect(),
            ends: self.ends.clone(),
            settled: self.settled.clone(),
            half_settled,
        }
    }

    /// One run after the other is read, so that memory does not grow with the number of runs.
    fn of(results: &Results, label: &str, kind: &str, measure: &Measure) -> Result<Values> {
        let Measure { manifest, limits, window } = *measure;
        let (optimum, budgets) = (manifest.optimum(), &manifest.environment.budgets);
        let runs = results.runs(label)?;
        let (mut ends, mut settled) = (Vec::new(), Vec::new());
        let mut quantities: Vec<(String, Vec<f64>)> = Vec::new();
        let mut add = |name: &str, value: f64| match quantities.iter_mut().find(|(known, _)| known == name) {
            Some((_, values)) => values.push(value),
            None => quantities.push((name.to_string(), vec![value])),
        };
        for &run in &runs {
            let record = results.record(label, run)?;
            let metrics = Metrics::new(&record, optimum, budgets);
            let averages = at_end(&metrics, window, budgets, &mut add);
            let end = limits.ending(&averages);
            let step = settling::settled(&metrics, results.grid().steps(), window, limits);
            add("near", f64::from(end == Ending::Near));
            add("settles", f64::from(step.is_finite()));
            ends.push(end);
            settled.push(step);
            for (name, column) in [
                ("epochs", &record.epochs),
                ("infeasible", &record.infeasible),
                ("multichain", &record.multichain),
            ] {
                add(name, column.last().copied().unwrap_or(0) as f64);
            }
            results.timing(label, run).into_iter().for_each(|timing| add("seconds", timing.seconds));
        }
        Ok(Values {
            label: label.to_string(),
            kind: kind.to_string(),
            runs: runs.len(),
            quantities,
            ends,
            settled,
        })
    }
}

/// Adds the quantities at the last step; the averages of reward and costs over the last window.
fn at_end(metrics: &Metrics, window: u64, budgets: &[f64], add: &mut impl FnMut(&str, f64)) -> Vec<f64> {
    let last = metrics.last();
    let windowed = |signal| metrics.window(signal, last, window).unwrap_or(f64::NAN);
    let averages: Vec<f64> = (0..=budgets.len()).map(windowed).collect();
    add("reward", averages[0]);
    (0..budgets.len()).for_each(|i| add(&format!("cost_{i}"), averages[i + 1]));
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
    averages
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

    #[test]
    fn quantities_at_the_end_are_those_of_the_sums() {
        let (record, budgets) = (record(0), [0.15]);
        let metrics = Metrics::new(&record, Some(-0.5), &budgets);
        let mut found = Vec::new();
        let averages =
            at_end(&metrics, 80, &budgets, &mut |name, value| found.push((name.to_string(), value)));
        let value = |name: &str| found.iter().find(|(known, _)| known == name).unwrap().1;
        assert_eq!((value("reward"), value("cost_0")), (-0.25, 0.0));
        assert_eq!(averages, [-0.25, 0.0]);
        assert_eq!((value("average_reward"), value("average_cost_0")), (-0.4, 0.2));
        assert_eq!((value("regret"), value("regret_total"), value("violates_0")), (-10.0, 0.0, 1.0));
        assert!((value("violation_0") - 5.0).abs() < 1e-12);
    }
}
