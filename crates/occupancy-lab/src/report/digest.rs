//! What an experiment came to: its statistics, where its learners ended, and how they went there.

use super::Chapter;
use crate::analyse::{CurvePoint, Ending, LearnerSummary, Statistics, Summary, SummaryConfig};

/// What an experiment came to. Lists are in the order of its learners.
pub struct Digest {
    /// The statistics.
    pub summary: Summary,
    /// The learners' curves; none where they were not asked for.
    pub curves: Vec<Vec<CurvePoint>>,
}

impl Digest {
    /// The digest of a chapter, with the tolerance of what is near the optimum.
    pub fn of(chapter: &Chapter, tolerance: f64) -> Digest {
        let Statistics { summary, curves } = Statistics::of_runs(
            &chapter.results.manifest,
            &chapter.runs,
            &chapter.env.model,
            SummaryConfig { tolerance, ..SummaryConfig::default() },
        );
        Digest { summary, curves }
    }

    /// The digest of a chapter of which only the ends are shown: curves, with intervals at every point, take most of the
    /// time.
    pub fn without_curves(chapter: &Chapter, tolerance: f64) -> Digest {
        let config = SummaryConfig { tolerance, ..SummaryConfig::default() };
        let Chapter { results, env, runs, .. } = chapter;
        Digest { summary: Summary::of_runs(&results.manifest, runs, &env.model, config), curves: Vec::new() }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::write_tables;
    use crate::catalogue::Catalogue;
    use crate::report::fixture::{MadeUp, Story};
    use crate::report::{self, ReportOptions};
    use crate::store::{pack, readings};

    /// 10⁵ runs take seconds to read: a command that reads them three times is too slow by as much.
    #[test]
    fn statistics_and_report_read_every_run_once_packed_or_not() {
        let signals = |run: u64, step: u64| [-0.8 - (run * step % 7) as f64 / 50.0, 0.2];
        let learner = |name| MadeUp { name, signals, epochs: 9, planning: 0.1 };
        let story = Story { rounds: 60, window: 6, runs: 5, ..Story::default() };
        let chapter = story.chapter("once", &[learner("psrl-transitions"), learner("cucrl-optimistic")]);
        let (folder, model) = (&chapter.results.folder, &chapter.env.model);
        let catalogue = Catalogue::standard();
        let mut told = Vec::new();
        for is_packed in [false, true] {
            if is_packed {
                assert_eq!(readings::during(folder, || pack(folder).unwrap().runs), (10, 10));
            }
            let (count, statistics) = readings::during(folder, || {
                let results = crate::store::Results::open(folder).unwrap();
                let config = SummaryConfig::default();
                let statistics = Statistics::of(&results, model, config, |_| ()).unwrap();
                write_tables(&results, &statistics).unwrap();
                statistics
            });
            assert_eq!(count, 10, "for statistics, packed: {is_packed}");
            let (count, written) =
                readings::during(folder, || report::write(folder, &ReportOptions::new(&catalogue)).unwrap());
            assert_eq!(count, 10, "for a report, packed: {is_packed}");
            told.push((statistics, written.sentences));
        }
        assert_eq!(told[0], told[1]);
    }
}
