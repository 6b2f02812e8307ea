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
use super::runs::{Quantity, Runs};
use super::settling;
use super::statistic::Statistic;
use crate::analyse::stats::{Description, mean};
use crate::error::Result;
use crate::parallel;
use crate::store::{Manifest, Results};
use occupancy::model::Cmdp;

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

/// A quantity and its values in all runs.
type NamedValues = (String, Vec<f64>);

/// The values of each quantity in each run of a learner.
pub(super) struct Values {
    pub(super) label: String,
    pub(super) kind: String,
    pub(super) runs: usize,
    pub(super) quantities: Vec<NamedValues>,
    ends: Vec<Ending>,
    settled: Vec<f64>,
}

impl Summary {
    /// The summary of what is stored so far of an experiment in this model.
    pub fn of(results: &Results, model: &Cmdp, config: SummaryConfig) -> Result<Summary> {
        let measure = Measure::new(&results.manifest, model, config);
        let (mut checked, mut found) = (results.check_beside()?, Vec::new());
        for learner in &results.manifest.learners {
            found.push(measure.learner(&Runs::read(results, learner, &mut checked)?).0);
        }
        checked.refuse_damage(&results.folder)?;
        Ok(measure.together(found))
    }

    /// The summary of all learners of an experiment, in its order.
    pub fn of_runs(manifest: &Manifest, learners: &[Runs], model: &Cmdp, config: SummaryConfig) -> Summary {
        let measure = Measure::new(manifest, model, config);
        let found = parallel::map(learners, |runs| measure.learner(runs).0);
        measure.together(found)
    }
}

/// The window that statistics are about.
fn window(manifest: &Manifest) -> u64 {
    manifest.windows.first().copied().unwrap_or(1)
}

/// What the runs of all learners are held to.
pub(super) struct Measure<'a> {
    pub manifest: &'a Manifest,
    pub limits: Limits,
    config: SummaryConfig,
    window: u64,
}

impl<'a> Measure<'a> {
    pub fn new(manifest: &'a Manifest, model: &Cmdp, config: SummaryConfig) -> Measure<'a> {
        let limits = Limits::of(manifest, model, config.tolerance);
        Measure { manifest, limits, config, window: window(manifest) }
    }

    /// What the runs of a learner say together, their values, and their resamples.
    pub fn learner<'r>(&self, runs: &'r Runs) -> ((LearnerSummary, Values), Resamples<'r>) {
        let mut resamples = Resamples::new(&runs.kind, self.config.level);
        let values = Values::of(runs, self);
        ((values.described(&mut resamples, self), values), resamples)
    }

    /// What all learners say together.
    pub fn together(self, found: Vec<(LearnerSummary, Values)>) -> Summary {
        let (learners, values): (Vec<LearnerSummary>, Vec<Values>) = found.into_iter().unzip();
        let Measure { manifest, limits, config, window } = self;
        let anchors = Anchors::of(&values, manifest, &limits);
        let pairs = if config.all_pairs { all_pairs(values.len()) } else { anchors.pairs(values.len()) };
        let label = |place: Option<usize>| place.map(|place| values[place].label.clone());
        let possible = |name: &str| limits.possible(name, manifest.rounds);
        Summary {
            config,
            window,
            learners,
            reference: label(anchors.reference),
            best: label(anchors.best),
            comparisons: compare(&values, &pairs, config.level, &possible),
            limits,
        }
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

    fn described(&self, resamples: &mut Resamples, measure: &Measure) -> LearnerSummary {
        let half_settled = settling::half(&self.settled, resamples.of(self.settled.len()));
        let mut described: Vec<Option<Description>> = vec![None; self.quantities.len()];
        // Times may be known of fewer runs than there are.
        for count in [self.runs, self.numbers("seconds").unwrap_or_default().len()] {
            let open = |at: &usize| described[*at].is_none() && self.quantities[*at].1.len() == count;
            let places: Vec<usize> = (0..self.quantities.len()).filter(open).collect();
            let columns: Vec<&[f64]> = places.iter().map(|&at| self.quantities[at].1.as_slice()).collect();
            for (at, found) in places.into_iter().zip(resamples.of(count).describe_all(&columns)) {
                described[at] = Some(found);
            }
        }
        let within = |((name, _), found): (&NamedValues, Option<Description>)| {
            Some((name.clone(), found?.within(measure.limits.possible(name, measure.manifest.rounds))))
        };
        LearnerSummary {
            label: self.label.clone(),
            kind: self.kind.clone(),
            runs: self.runs,
            quantities: self.quantities.iter().zip(described).filter_map(within).collect(),
            ends: self.ends.clone(),
            settled: self.settled.clone(),
            half_settled,
        }
    }

    fn of(runs: &Runs, measure: &Measure) -> Values {
        let Measure { limits, window, .. } = measure;
        let (mut quantities, averages) = at_end(runs, *window, &limits.budgets);
        let of_run = |run: usize| averages.iter().map(|signal| signal[run]).collect::<Vec<f64>>();
        let ends: Vec<Ending> = (0..runs.len()).map(|run| limits.ending(&of_run(run))).collect();
        let settled = settling::settled(runs, *window, limits);
        let near = ends.iter().map(|end| f64::from(*end == Ending::Near)).collect();
        let settles = settled.iter().map(|step| f64::from(step.is_finite())).collect();
        let more: [(&str, Vec<f64>); 6] = [
            ("near", near),
            ("settles", settles),
            ("epochs", runs.epochs.clone()),
            ("infeasible", runs.infeasible.clone()),
            ("multichain", runs.multichain.clone()),
            ("seconds", runs.seconds.clone()),
        ];
        quantities.extend(more.map(|(name, values)| (name.to_string(), values)));
        // Of what there are no numbers, nothing is said.
        quantities.retain(|(_, values)| !values.is_empty());
        let (label, kind) = (runs.label.clone(), runs.kind.clone());
        Values { label, kind, runs: runs.len(), quantities, ends, settled }
    }
}

/// The quantities at the last step, each of all runs, and the averages of reward and costs over the last window.
fn at_end(runs: &Runs, window: u64, budgets: &[f64]) -> (Vec<NamedValues>, Vec<Vec<f64>>) {
    let last = runs.last();
    let unknown = || vec![f64::NAN; runs.len()];
    let at_last = |quantity| runs.values(quantity, last);
    let windowed = |signal| at_last(Quantity::Window { signal, window }).unwrap_or_else(unknown);
    let average = |signal| at_last(Quantity::Average { signal }).unwrap_or_else(unknown);
    let total = |signed: &[f64]| signed.iter().map(|sum| sum.max(0.0)).collect();
    let averages: Vec<Vec<f64>> = (0..=budgets.len()).map(windowed).collect();
    let mut found: Vec<NamedValues> = Vec::new();
    let mut add = |name: String, values: Vec<f64>| found.push((name, values));
    add("reward".into(), averages[0].clone());
    (0..budgets.len()).for_each(|i| add(format!("cost_{i}"), averages[i + 1].clone()));
    add("average_reward".into(), average(0));
    (0..budgets.len()).for_each(|i| add(format!("average_cost_{i}"), average(i + 1)));
    if let Some(signed) = at_last(Quantity::Regret) {
        let total = total(&signed);
        add("regret".into(), signed);
        add("regret_total".into(), total);
        add("regret_stepwise".into(), runs.shortfall.clone());
    }
    for (i, &budget) in budgets.iter().enumerate().filter(|(_, budget)| budget.is_finite()) {
        let signed = at_last(Quantity::Violation { cost: i }).unwrap_or_else(unknown);
        let most = budget + ROUNDING * (1.0 + budget.abs());
        let above = average(i + 1).into_iter().map(|cost| f64::from(cost > most)).collect();
        let total = total(&signed);
        add(format!("violation_{i}"), signed);
        add(format!("violation_{i}_total"), total);
        add(format!("violation_{i}_stepwise"), runs.excess[i].clone());
        add(format!("violates_{i}"), above);
    }
    (found, averages)
}

#[cfg(test)]
mod tests {
    use super::super::runs::tests::runs;
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
        let runs = runs(&[record(0)], Some(-0.5), &[0.15]);
        let (found, averages) = at_end(&runs, 80, &[0.15]);
        let value = |name: &str| found.iter().find(|(known, _)| known == name).unwrap().1[0];
        assert_eq!((value("reward"), value("cost_0")), (-0.25, 0.0));
        assert_eq!(averages, [[-0.25], [0.0]]);
        assert_eq!((value("average_reward"), value("average_cost_0")), (-0.4, 0.2));
        assert_eq!((value("regret"), value("regret_total"), value("violates_0")), (-10.0, 0.0, 1.0));
        assert!((value("violation_0") - 5.0).abs() < 1e-12);
    }
}
