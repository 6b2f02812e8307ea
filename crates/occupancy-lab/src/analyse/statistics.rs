//! All that is said of an experiment's runs: the summary, and the curves of each learner.
//!
//! Each run is read once, and the runs of one learner are kept at a time: what 10⁵ runs take is what those of the learner with
//! the most of them take.

use super::curves::{CurvePoint, curves};
use super::runs::Runs;
use super::summary::{LearnerSummary, Measure, Summary, SummaryConfig, Values};
use crate::error::Result;
use crate::store::{Checked, Manifest, Results};
use occupancy::model::Cmdp;

/// What the runs of an experiment say together.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// At the end.
    pub summary: Summary,
    /// Over time: the curves of each learner, in the order of the experiment.
    pub curves: Vec<Vec<CurvePoint>>,
}

impl Statistics {
    /// The statistics of what is stored so far of an experiment in this model. `inspected` is told what was found of all
    /// files; nothing is said of results of which one is damaged.
    pub fn of(
        results: &Results,
        model: &Cmdp,
        config: SummaryConfig,
        inspected: impl FnOnce(&Checked),
    ) -> Result<Statistics> {
        let measure = Measure::new(&results.manifest, model, config);
        let (mut checked, mut found) = (results.check_beside()?, Vec::new());
        for learner in &results.manifest.learners {
            let runs = Runs::read(results, learner, &mut checked)?;
            // Of damaged results only the damage is told.
            if checked.damaged.is_empty() {
                found.push(learner_of(&measure, &runs));
            }
        }
        inspected(&checked);
        checked.refuse_damage(&results.folder)?;
        Ok(together(measure, found))
    }

    /// The statistics of all learners of an experiment, in its order.
    pub fn of_runs(
        manifest: &Manifest,
        learners: &[Runs],
        model: &Cmdp,
        config: SummaryConfig,
    ) -> Statistics {
        let measure = Measure::new(manifest, model, config);
        let found = learners.iter().map(|runs| learner_of(&measure, runs)).collect();
        together(measure, found)
    }
}

/// What is said of a learner by itself.
type OfLearner = ((LearnerSummary, Values), Vec<CurvePoint>);

fn learner_of(measure: &Measure, runs: &Runs) -> OfLearner {
    let (found, mut resamples) = measure.learner(runs);
    (found, curves(runs, resamples.of(runs.len()), measure))
}

fn together(measure: Measure, found: Vec<OfLearner>) -> Statistics {
    let (learners, curves) = found.into_iter().unzip();
    Statistics { summary: measure.together(learners), curves }
}
