//! What learning cost: epochs, the time spent in the learner, and how fast a run is.

use super::numbers::Short;
use crate::Result;
use crate::analyse::LearnerSummary;
use crate::analyse::stats::mean;
use crate::report::Chapter;
use crate::store::Timing;
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
    pub fn of(chapter: &Chapter, learner: &LearnerSummary) -> Result<Effort> {
        let results = &chapter.results;
        let runs = results.runs(&learner.label)?;
        let timings: Vec<Timing> =
            runs.iter().filter_map(|&run| results.timing(&learner.label, run)).collect();
        let mean_of = |value: fn(&Timing) -> f64| mean(&timings.iter().map(value).collect::<Vec<f64>>());
        let seconds = mean_of(|timing| timing.seconds);
        let counted = |name: &str| Short(learner.quantity(name).map_or(f64::NAN, |found| found.mean));
        Ok(Effort {
            epochs: counted("epochs"),
            infeasible: counted("infeasible"),
            multichain: counted("multichain"),
            seconds: Short(seconds),
            planning: Short(mean_of(|timing| timing.planning)),
            rate: Short(results.manifest.rounds as f64 / seconds),
        })
    }
}
