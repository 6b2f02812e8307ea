//! `occupancy learn`: one run of a learner, compared with what the true model allows.

mod kept;
mod setup;
mod trial;

use crate::args::Learn;
use crate::failure::Result;
use crate::show::ink::Ink;
use crate::source::Source;
use crate::watch::Stopped;
use crate::{csv, json, output, show};
use occupancy::chain::Evaluation;
use occupancy::learn::LearnerConfig;
use occupancy::model::Policy;
use occupancy::plan::WeightedPolicy;
use occupancy::sim::{Baseline, Metrics, Record, ValueGaps};
use occupancy_lab::figure::scene::{MOST_CELLS, Scene};
use occupancy_lab::papers::provodin2022::Preset;
use occupancy_lab::staged;
use std::sync::Arc;
use std::time::Duration;

/// What is to be run.
pub struct Asked {
    /// The true model.
    pub source: Source,
    /// The learner with all its options.
    pub learner: Box<dyn LearnerConfig>,
    /// Where those options came from that were not given.
    pub preset: Preset,
    /// T.
    pub rounds: u64,
    /// The last averages are over this many rounds.
    pub window: u64,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Which of its runs.
    pub run: u64,
}

/// A run that has come to its end, or was stopped on its way.
pub struct Run {
    /// What was run.
    pub asked: Arc<Asked>,
    /// What the true model allows.
    pub baseline: Baseline,
    /// What happened.
    pub record: Record,
    /// The last policy that was planned, or the last followed where none was.
    pub policy: Policy,
    /// Plans that were followed although they were not known to be the best ones in the learner's model.
    pub unsettled: u64,
    /// The exact gaps of the policies that were followed, at the end.
    pub values: ValueGaps,
    /// The time spent in the learner.
    pub planning: Duration,
    /// The time of the whole trial.
    pub total: Duration,
    /// Why it was stopped before its end, if it was.
    pub stopped: Option<Stopped>,
    /// The long run of the policy planned last, in the true model; an error where the arithmetic does not resolve it.
    pub last: std::result::Result<Evaluation, occupancy::Error>,
}

impl Run {
    /// Averages, regret and violation.
    pub fn metrics(&self) -> Metrics<'_> {
        Metrics::new(&self.record, self.baseline.optimum(), self.asked.source.model.budgets())
    }

    /// The average of a signal over all rounds, and over the last ones: 0 is the reward, i + 1 the cost i, in the
    /// original sign. The last ones are not a number if their beginning was not recorded, as may be in a run that was stopped.
    pub fn averages(&self, signal: usize) -> (f64, f64) {
        let metrics = self.metrics();
        let (all, end) = (metrics.average(signal, metrics.last()), metrics.last());
        let window = metrics.window(signal, end, self.asked.window).unwrap_or(f64::NAN);
        (self.asked.source.shown_signal(signal, all), self.asked.source.shown_signal(signal, window))
    }

    /// The share of the time that was spent in the learner.
    pub fn planning_share(&self) -> f64 {
        let (planning, total) = (self.planning.as_secs_f64(), self.total.as_secs_f64());
        if total > 0.0 { planning / total } else { 0.0 }
    }

    /// Rounds by time.
    pub fn steps_per_second(&self) -> f64 {
        self.record.steps() as f64 / self.total.as_secs_f64().max(1e-9)
    }

    /// The policy planned last, if the model is a gridworld that is not too large.
    pub fn scene(&self) -> Option<Scene> {
        let picture =
            self.asked.source.picture.as_ref().filter(|picture| picture.cells.len() <= MOST_CELLS)?;
        let last = self.last.as_ref().ok()?;
        let policy = WeightedPolicy { weight: 1.0, policy: self.policy.clone() };
        Some(Scene::new(picture, &[policy], &last.occupancy))
    }
}

/// Runs the command.
pub fn run(args: &Learn) -> Result<()> {
    output::check_targets(&args.source.source, &args.csv)?;
    let asked = Arc::new(setup::asked(args)?);
    let run = trial::run(&asked, args.time_limit)?;
    if let Some(path) = &args.csv {
        staged::stage(path, |out| csv::write_record(&run, out))?.publish()?;
    }
    if args.json {
        return output::print(&json::line(&json::learn::object(&run)));
    }
    let ink = Ink::for_stdout();
    output::print(&(show::learn::describe(&run, ink) + &drawing(&run, ink)))
}

/// The policy planned last, drawn below the words.
fn drawing(run: &Run, ink: Ink) -> String {
    match run.scene().filter(show::grid::fits) {
        Some(scene) => {
            let grid = show::grid::draw(&scene, ink);
            format!("\nthe last policy, with its shares of time in the long run:\n\n{grid}")
        }
        None if run.asked.source.picture.is_some() && run.last.is_ok() => {
            "\nThe grid is too large to be drawn.\n".into()
        }
        None => String::new(),
    }
}
