//! What an experiment came to: its statistics, where its learners ended, and how they went there.

use super::Chapter;
use crate::Result;
use crate::analyse::{CurvePoint, Ending, LearnerSummary, Summary, SummaryConfig, curves};

/// What an experiment came to. Lists are in the order of its learners.
pub struct Digest {
    /// The statistics.
    pub summary: Summary,
    /// The learners' curves; none where they were not asked for.
    pub curves: Vec<Vec<CurvePoint>>,
}

impl Digest {
    /// The digest of a chapter, with the tolerance of what is near the optimum.
    pub fn of(chapter: &Chapter, tolerance: f64) -> Result<Digest> {
        let mut digest = Digest::without_curves(chapter, tolerance)?;
        let labels = chapter.results.labels();
        let curves = labels.map(|label| curves(&chapter.results, label, &digest.summary));
        digest.curves = curves.collect::<Result<Vec<_>>>()?;
        Ok(digest)
    }

    /// The digest of a chapter of which only the ends are shown: curves, with intervals at every point, take most of the
    /// time.
    pub fn without_curves(chapter: &Chapter, tolerance: f64) -> Result<Digest> {
        let config = SummaryConfig { tolerance, ..SummaryConfig::default() };
        let summary = Summary::of(&chapter.results, &chapter.env.model, config)?;
        Ok(Digest { summary, curves: Vec::new() })
    }

    /// The learners most of whose runs ended so.
    pub fn at(&self, ending: Ending) -> Vec<&LearnerSummary> {
        self.summary.learners.iter().filter(|learner| learner.place() == ending).collect()
    }

    /// How many learners have runs.
    pub fn present(&self) -> usize {
        self.summary.learners.iter().filter(|learner| learner.runs > 0).count()
    }
}
