//! What is asked of the runs of one experiment.
//!
//! ```text
//! near the optimum   average reward ≥ r* − ε  and  average cost ≤ τ + τ/4,   ε = r*(τ) − r*(¾ τ)
//! settled at t       the mean over the runs of the moving averages is near the optimum from round t to the end
//! ```
//!
//! A quarter of the budget is what a cost may be off, and what a quarter of the budget is worth is what the reward may be
//! off: the same share of the problem in every environment. What settles less than a window before the end, or never, is
//! counted with the last round.

use super::numbers::{Number, both};
use super::{Observation, Standing};
use crate::Result;
use crate::analyse::stats::mean;
use crate::experiment::Experiment;
use crate::report::Chapter;
use crate::report::Runs;
use crate::store::Manifest;
use occupancy::plan::{PlannerConfig, Problem, Verdict};
use occupancy::sim::{Metrics, Record};

/// About so many points of a curve are looked at.
const POINTS: u64 = 300;
/// The share of the budget that a cost may be off.
const SHARE: f64 = 0.25;

/// An experiment on one of the paper's environments, with one cost.
pub struct Study {
    /// What is stored.
    pub manifest: Manifest,
    /// What was run.
    pub experiment: Experiment,
    /// The learners that go by their own names.
    pub learners: Vec<Runs>,
    /// r*, and what it would be with three quarters, half and a tenth of the budget.
    pub optimum: f64,
    pub three_quarters: f64,
    pub half: f64,
    pub tenth: f64,
    /// The places in the records that are looked at.
    points: Vec<usize>,
    /// When each learner has settled: several claims ask for it, and resampling whole curves takes long.
    settled: Vec<Number>,
}

impl Study {
    /// The study of a chapter; `None` where nothing can be asked.
    pub fn of(chapter: &Chapter) -> Result<Option<Study>> {
        let manifest = chapter.results.manifest.clone();
        let mut learners = Runs::of(chapter)?;
        learners.retain(|learner| learner.label == learner.kind);
        let (Some(first), Some(optimum), &[budget]) =
            (learners.first(), manifest.optimum(), &manifest.environment.budgets[..])
        else {
            return Ok(None);
        };
        let best = |budget: f64| -> Result<Option<f64>> {
            let model = chapter.env.model.clone().with_budgets(&[budget])?;
            Ok(match PlannerConfig::default().build().plan(&Problem::average(&model))? {
                Verdict::Optimal(plan) => Some(plan.value.reward),
                Verdict::Infeasible(_) => None,
            })
        };
        let least = manifest.baseline.safe.as_ref().map_or(f64::NEG_INFINITY, |level| level.reward);
        let [three_quarters, half, tenth] = [best(0.75 * budget)?, best(0.5 * budget)?, best(0.1 * budget)?]
            .map(|gain| gain.unwrap_or(least));
        let points = points(&first.records[0].step);
        let experiment = chapter.experiment.clone();
        let settled = Vec::new();
        let mut study =
            Study { manifest, experiment, learners, optimum, three_quarters, half, tenth, points, settled };
        study.settled = study.learners.iter().map(|runs| study.settled_of(runs)).collect();
        Ok(Some(study))
    }

    /// The environment's name.
    pub fn name(&self) -> &str {
        &self.manifest.environment.name
    }

    /// τ.
    pub fn budget(&self) -> f64 {
        self.manifest.environment.budgets[0]
    }

    /// T.
    pub fn rounds(&self) -> f64 {
        self.manifest.rounds as f64
    }

    /// The runs of a learner.
    pub fn learner(&self, kind: &str) -> Option<&Runs> {
        self.learners.iter().find(|learner| learner.kind == kind)
    }

    fn window(&self) -> u64 {
        self.manifest.windows.first().copied().unwrap_or(1)
    }

    /// The least reward and the greatest cost that are near the optimum.
    pub fn limits(&self) -> (f64, f64) {
        (self.three_quarters, self.budget() * (1.0 + SHARE))
    }

    /// Moving averages of a signal: of each run, at each point.
    pub fn curves(&self, runs: &Runs, signal: usize) -> Vec<Vec<f64>> {
        let budgets = &self.manifest.environment.budgets;
        let curve = |record: &Record| {
            let metrics = Metrics::new(record, Some(self.optimum), budgets);
            // Points without a window were left out already.
            let value = |&at: &usize| metrics.window(signal, at, self.window()).unwrap_or(f64::NAN);
            self.points.iter().map(value).collect()
        };
        runs.records.iter().map(|record| curve(record)).collect()
    }

    /// The same by point: the values of all runs side by side, as resampling looks at them.
    fn by_point(&self, runs: &Runs, signal: usize) -> Vec<Vec<f64>> {
        let curves = self.curves(runs, signal);
        (0..self.points.len()).map(|point| curves.iter().map(|curve| curve[point]).collect()).collect()
    }

    /// The steps of the points.
    pub fn steps<'a>(&'a self, runs: &'a Runs) -> impl Iterator<Item = f64> + 'a {
        self.points.iter().map(|&at| runs.records[0].step[at] as f64)
    }

    /// The average of a signal over the last window.
    pub fn at_end(&self, runs: &Runs, signal: usize) -> Number {
        let last: Vec<f64> =
            self.curves(runs, signal).iter().filter_map(|curve| curve.last().copied()).collect();
        Number::mean(&last, &self.stream(runs))
    }

    /// Whether a learner ends near the optimum.
    pub fn converges(&self, runs: &Runs) -> Observation {
        let (reward, cost) = (self.at_end(runs, 0), self.at_end(runs, 1));
        let (least, most) = self.limits();
        let standing = both(reward.at_least(least), cost.at_most(most));
        let words = format!("{} {} at cost {}", runs.label, reward.shown(4), cost.shown(3));
        Observation { standing, words }
    }

    /// The round at which a learner has settled; the last one where it never does.
    pub fn settles(&self, runs: &Runs) -> Number {
        let known = self.learners.iter().zip(&self.settled).find(|(learner, _)| learner.label == runs.label);
        known.map_or_else(|| self.settled_of(runs), |(_, settled)| settled.clone())
    }

    fn settled_of(&self, runs: &Runs) -> Number {
        let (rewards, costs) = (self.by_point(runs, 0), self.by_point(runs, 1));
        let (least, most) = self.limits();
        let steps: Vec<f64> = self.steps(runs).collect();
        let (window, last) = (self.window() as f64, self.rounds());
        Number::of(runs.records.len(), &self.stream(runs), |shares| {
            let near = |&point: &usize| {
                weighted(shares, &rewards[point]) >= least && weighted(shares, &costs[point]) <= most
            };
            let first = (0..steps.len()).rev().take_while(near).last();
            first.map(|first| steps[first]).filter(|first| last - first >= window).unwrap_or(last)
        })
    }

    /// `12.3k [11.9k, 12.8k]`, or `never`.
    pub fn settling(&self, settled: &Number) -> String {
        let rounds =
            |x: f64| if x >= self.rounds() { "never".to_string() } else { super::numbers::rounds(x) };
        let shown = settled.shown_by(rounds);
        if shown == "never [never, never]" { "never".to_string() } else { shown }
    }

    /// The largest mean over the runs of the moving average of the cost, once a whole window has passed.
    pub fn highest_cost(&self, runs: &Runs) -> Number {
        let costs = self.by_point(runs, 1);
        let whole: Vec<usize> = self
            .steps(runs)
            .enumerate()
            .filter(|(_, step)| *step >= self.window() as f64)
            .map(|(at, _)| at)
            .collect();
        Number::of(runs.records.len(), &self.stream(runs), |shares| {
            let at = |&point: &usize| weighted(shares, &costs[point]);
            whole.iter().map(at).fold(f64::NEG_INFINITY, f64::max)
        })
    }

    /// The standard deviation over the runs of the moving average of the reward, averaged over the second half.
    pub fn spread(&self, runs: &Runs) -> Number {
        let rewards = self.by_point(runs, 0);
        let count = runs.records.len() as f64;
        let half = self.points.len() / 2;
        Number::of(runs.records.len(), &self.stream(runs), |shares| {
            let deviation = |point: usize| {
                let mean = weighted(shares, &rewards[point]);
                let values = rewards[point].iter().zip(shares);
                let square: f64 = values.map(|(x, share)| share * ((x - mean) * (x - mean))).sum();
                (square * count / (count - 1.0).max(1.0)).sqrt()
            };
            mean(&(half..self.points.len()).map(deviation).collect::<Vec<_>>())
        })
    }

    /// Seconds of planning in a run; `None` where no times are stored.
    pub fn planning(&self, runs: &Runs) -> Option<Number> {
        let seconds: Vec<f64> = runs.timings.iter().map(|timing| timing.planning).collect();
        (!seconds.is_empty()).then(|| Number::mean(&seconds, &self.stream(runs)))
    }

    /// Epochs of a run.
    pub fn epochs(&self, runs: &Runs) -> Number {
        Number::mean(&runs.epochs(), &self.stream(runs))
    }

    /// Runs of different learners and experiments are independent.
    fn stream(&self, runs: &Runs) -> String {
        format!("{}/{}", self.manifest.name, runs.label)
    }

    /// That a learner has no runs here.
    pub fn missing(&self, kind: &str) -> Observation {
        let words = format!("{}: no runs of {}", self.name(), kind);
        Observation { standing: Standing::Missing, words }
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
