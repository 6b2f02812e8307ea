//! What learning cost: epochs, the time spent in the learner, and how fast a run is.

use super::numbers::Short;
use crate::analyse::stats::mean;
use crate::analyse::{LearnerSummary, Runs};
use serde::Serialize;

/// The means over the runs of a learner; times are `null` if they are not known.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Effort {
    epochs: Short,
    infeasible: Short,
    multichain: Short,
    seconds: Short,
    planning: Short,
    /// Rounds in a second.
    rate: Short,
}

impl Effort {
    /// What the runs of a learner cost.
    pub fn of(runs: &Runs, learner: &LearnerSummary, rounds: u64) -> Effort {
        let seconds = mean(&runs.seconds);
        let counted = |name: &str| Short(learner.quantity(name).map_or(f64::NAN, |found| found.mean));
        Effort {
            epochs: counted("epochs"),
            infeasible: counted("infeasible"),
            multichain: counted("multichain"),
            seconds: Short(seconds),
            planning: Short(mean(&runs.planning)),
            rate: Short(rounds as f64 / seconds),
        }
    }
}
