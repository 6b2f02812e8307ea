//! What is asked of the runs of one experiment. Near the optimum and settled are what they are in its statistics.

use super::judge::{at_least, rounds, shown, shown_by};
use super::{Observation, Standing};
use crate::analyse::stats::{Bootstrap, mean};
use crate::analyse::{Ending, LearnerSummary, Quantity, Runs, Statistic};
use crate::report::Judged;
use crate::store::Manifest;

/// About so many points of a curve are looked at.
const POINTS: u64 = 300;
/// The share of the runs that most of them are.
const MOST: f64 = 0.5;

/// An experiment with one cost.
pub struct Study<'a> {
    /// What was run, and its statistics.
    pub judged: Judged<'a>,
    /// The learners that are asked about.
    pub learners: Vec<&'a Runs>,
    /// The places in the records that are looked at.
    points: Vec<usize>,
}

impl<'a> Study<'a> {
    /// The study of an experiment; `None` where nothing can be asked.
    pub fn of(judged: Judged<'a>) -> Option<Study<'a>> {
        let manifest = &judged.chapter.results.manifest;
        let learners = judged.chapter.present();
        let (Some(first), Some(_), 1) =
            (learners.first(), manifest.optimum(), manifest.environment.budgets.len())
        else {
            return None;
        };
        let points = points(&first.steps);
        Some(Study { judged, learners, points })
    }

    fn manifest(&self) -> &Manifest {
        &self.judged.chapter.results.manifest
    }

    /// The environment's name.
    pub fn name(&self) -> &str {
        &self.manifest().environment.name
    }

    /// τ.
    pub fn budget(&self) -> f64 {
        self.manifest().environment.budgets[0]
    }

    /// T.
    pub fn rounds(&self) -> f64 {
        self.manifest().rounds as f64
    }

    /// S A.
    pub fn pairs(&self) -> f64 {
        self.manifest().environment.pairs as f64
    }

    /// The runs of a learner that goes by its own name, which those of a sweep do not.
    pub fn learner(&self, kind: &str) -> Option<&'a Runs> {
        self.learners.iter().copied().find(|learner| learner.label == kind)
    }

    /// The statistics of a learner.
    pub fn summary(&self, runs: &Runs) -> Option<&'a LearnerSummary> {
        self.judged.summary.learners.iter().find(|learner| learner.label == runs.label)
    }

    /// The resamples that the statistics of a learner are made with too.
    fn bootstrap(&self, runs: &Runs, count: usize) -> Bootstrap {
        Bootstrap::new(count, self.judged.summary.config.level, &runs.kind)
    }

    /// Moving averages of a signal by point: the values of all runs side by side, as resampling looks at them.
    fn by_point(&self, runs: &Runs, signal: usize) -> Vec<Vec<f64>> {
        let quantity = Quantity::Window { signal, window: self.judged.summary.window };
        // Of a window whose other end was not recorded nothing is known.
        let unknown = || vec![f64::NAN; runs.len()];
        self.points.iter().map(|&point| runs.values(quantity, point).unwrap_or_else(unknown)).collect()
    }

    /// The mean of a quantity at the end, as tables have it.
    fn at_end(&self, runs: &Runs, quantity: &str, decimals: usize) -> String {
        let found = self.summary(runs).and_then(|learner| learner.quantity(quantity));
        let shown = |x: f64| format!("{x:.decimals$}");
        found.map_or_else(String::new, |found| match found.interval {
            Some((low, high)) => format!("{} [{}, {}]", shown(found.mean), shown(low), shown(high)),
            None => shown(found.mean),
        })
    }

    /// Whether most runs of a learner ended at a place.
    pub fn ends(&self, runs: &Runs, ending: Ending) -> Observation {
        let ends: Vec<f64> = self.summary(runs).map_or_else(Vec::new, |learner| {
            learner.ends.iter().map(|end| f64::from(u8::from(*end == ending))).collect()
        });
        let share = Statistic::mean(&self.bootstrap(runs, ends.len()), &ends);
        let count = ends.iter().sum::<f64>();
        let words = format!(
            "{} {count} of {} runs, mean {} at cost {}",
            runs.label,
            ends.len(),
            self.at_end(runs, "reward", 4),
            self.at_end(runs, "cost_0", 3)
        );
        Observation { about: runs.label.clone(), standing: at_least(&share, MOST), words }
    }

    /// The round by which half of the runs have settled; infinite if fewer do.
    pub fn settles(&self, runs: &Runs) -> Statistic {
        let known = self.summary(runs).map(|learner| learner.half_settled.clone());
        known.unwrap_or_else(|| Statistic::mean(&Bootstrap::new(0, 0.95, ""), &[]))
    }

    /// `12.3k [11.9k, 12.8k]`, or that fewer than half of the runs have settled.
    pub fn settling(&self, runs: &Runs) -> String {
        let (settled, summary) = (self.settles(runs), self.summary(runs));
        match summary {
            Some(learner) if settled.value.is_infinite() => {
                format!("never ({} of {} runs have settled)", learner.settled_runs(), learner.runs)
            }
            _ => shown_by(&settled, rounds),
        }
    }

    /// The largest mean over the runs of the moving average of the cost, once a whole window has passed.
    pub fn highest_cost(&self, runs: &Runs) -> Statistic {
        let (costs, window) = (self.by_point(runs, 1), self.judged.summary.window);
        let is_whole = |&point: &usize| runs.steps[self.points[point]] >= window;
        let whole: Vec<usize> = (0..self.points.len()).filter(is_whole).collect();
        Statistic::of(&self.bootstrap(runs, runs.len()), |shares| {
            let at = |&point: &usize| weighted(shares, &costs[point]);
            whole.iter().map(at).fold(f64::NEG_INFINITY, f64::max)
        })
    }

    /// The standard deviation over the runs of the moving average of the reward, averaged over the second half.
    pub fn spread(&self, runs: &Runs) -> Statistic {
        let rewards = self.by_point(runs, 0);
        let count = runs.len() as f64;
        let half = self.points.len() / 2;
        Statistic::of(&self.bootstrap(runs, runs.len()), |shares| {
            let deviation = |point: usize| {
                let mean = weighted(shares, &rewards[point]);
                let values = rewards[point].iter().zip(shares);
                let square: f64 = values.map(|(x, share)| share * ((x - mean) * (x - mean))).sum();
                (square * count / (count - 1.0).max(1.0)).sqrt()
            };
            mean(&(half..self.points.len()).map(deviation).collect::<Vec<_>>())
        })
    }

    /// CPU seconds of planning in a run; `None` where no times are stored.
    pub fn planning(&self, runs: &Runs) -> Option<Statistic> {
        let seconds = &runs.planning;
        let found = || Statistic::mean(&self.bootstrap(runs, seconds.len()), seconds);
        (!seconds.is_empty()).then(|| found().within((0.0, f64::INFINITY)))
    }

    /// Epochs of a run.
    pub fn epochs(&self, runs: &Runs) -> Statistic {
        Statistic::mean(&self.bootstrap(runs, runs.len()), &runs.epochs).within((1.0, self.rounds()))
    }

    /// What is near the optimum, in words.
    pub fn near(&self) -> String {
        let limits = &self.judged.summary.limits;
        let (least, most) = (limits.reward.unwrap_or(f64::NAN), limits.costs[0]);
        format!("near is at least {least:.4} at cost {most:.3} at most")
    }

    /// That a learner has no runs here.
    pub fn untested(&self, kind: &str) -> Observation {
        let words = format!("{}: no runs of {kind}", self.name());
        Observation { about: kind.to_string(), standing: Standing::Untested, words }
    }

    /// A number with its interval beside another one's: `0.031 [0.028, 0.034] against 0.012 [0.011, 0.013]`.
    pub fn beside(&self, one: &Statistic, other: &Statistic, decimals: usize) -> String {
        format!("{}: {} against {}", self.name(), shown(one, decimals), shown(other, decimals))
    }
}

/// Σ share x.
fn weighted(shares: &[f64], values: &[f64]) -> f64 {
    shares.iter().zip(values).map(|(share, x)| share * x).sum()
}

/// Places in the records at about equal distances, up to the last.
fn points(steps: &[u64]) -> Vec<usize> {
    let last = steps.last().copied().unwrap_or(0);
    let spacing = last.div_ceil(POINTS).max(1);
    let target = |i: u64| steps.partition_point(|&step| step < last - i * spacing);
    let mut places: Vec<usize> = (0..last / spacing).rev().map(target).collect();
    places.dedup();
    places
}
