//! What a run will take, before it is begun: how often its learner plans at most, and how long its first plans take.

use crate::timed::Stopwatch;
use occupancy::sim::{Observer, Planned, Record, TrialConfig};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// So many plans are timed at least: the first one builds what the others use again.
const FEW: u32 = 3;
/// Of a run that seems to be long, plans are timed for so long.
const PILOT: Duration = Duration::from_millis(250);
/// A run that takes longer is worth a word.
const LONG: f64 = 10.0;

/// How often a learner plans in a run, and how long each plan takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// It does not plan more often.
    pub plans: u64,
    /// The mean time of its first plans; later ones may take more or less.
    pub each: Duration,
}

impl Estimate {
    /// Lets the learner of a trial plan a few times. `None` if it never plans, or fails at once: then the run says why.
    pub fn of(config: &TrialConfig) -> Option<Estimate> {
        let plans = config.learner.most_plans(config.model.pairs(), config.rounds)?;
        let mut pilot =
            Pilot { most: plans, began: Instant::now(), plans: 0, stopwatch: Stopwatch::default() };
        match config.run(&mut [&mut pilot]) {
            Ok(_) | Err(occupancy::Error::Interrupted { .. }) => pilot.estimate(),
            Err(_) => None,
        }
    }

    /// Seconds of planning in a run.
    pub fn seconds(&self) -> f64 {
        self.plans as f64 * self.each.as_secs_f64()
    }

    /// Whether a run takes so long that its user should know before.
    pub fn is_long(&self) -> bool {
        self.seconds() > LONG
    }
}

/// Times the first plans of a trial, and breaks it off when it knows enough.
struct Pilot {
    most: u64,
    began: Instant,
    plans: u32,
    stopwatch: Stopwatch,
}

impl Pilot {
    fn estimate(&self) -> Option<Estimate> {
        let each = self.stopwatch.planning.checked_div(self.plans)?;
        Some(Estimate { plans: self.most, each })
    }
}

impl Observer for Pilot {
    fn asking(&mut self) {
        self.stopwatch.asking();
    }

    fn planned(&mut self, planned: &Planned) {
        self.stopwatch.planned(planned);
        self.plans += u32::from(planned.epoch.report.is_some());
    }

    fn recorded(&mut self, _: &Record) -> ControlFlow<()> {
        let is_short = self.estimate().is_some_and(|estimate| !estimate.is_long());
        if self.plans >= FEW && (is_short || self.began.elapsed() >= PILOT) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use occupancy::env::EnvConfig;
    use occupancy::learn::Registry;
    use occupancy::seed::Seed;
    use occupancy::sim::{Baseline, Grid};

    fn estimate(learner: &str, settings: &[(&str, &str)], rounds: u64) -> Option<Estimate> {
        let model = EnvConfig::from_options("marsrover-4x4", &[]).unwrap().build().unwrap().model;
        let baseline = Baseline::of(&model).unwrap();
        let mut learner = Registry::standard().find(learner).unwrap();
        settings.iter().for_each(|(key, value)| learner.set(key, value).unwrap());
        let (grid, learner, seed) = (Grid::new(rounds, &[]), learner.as_ref(), Seed(1));
        let (model, baseline, grid) = (&model, &baseline, &grid);
        Estimate::of(&TrialConfig { model, baseline, learner, rounds, grid, seed, run: 0 })
    }

    #[test]
    fn plans_are_counted_before_the_run_and_the_first_ones_timed() {
        let began = Instant::now();
        // A whole run of so many rounds would take hours.
        let found = estimate("psrl-transitions", &[("epochs", "fixed:10")], 1_000_000_000_000).unwrap();
        assert_eq!(found.plans, 100_000_000_000);
        assert!(found.each > Duration::ZERO && found.is_long(), "{found:?}");
        assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
        let found = estimate("psrl-transitions", &[], 1000).unwrap();
        assert!(!found.is_long() && (64..=1000).contains(&found.plans), "{found:?}");
        assert_eq!(estimate("uniform", &[], 1000), None);
    }
}
