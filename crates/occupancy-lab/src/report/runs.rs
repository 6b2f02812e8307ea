//! The stored runs of a chapter.

use super::Chapter;
use crate::Result;
use crate::store::Timing;
use occupancy::sim::Record;
use std::sync::Arc;

/// The runs of a learner.
#[derive(Clone, Debug)]
pub struct Runs {
    /// Its label.
    pub label: String,
    /// The learner's own name.
    pub kind: String,
    /// What was recorded of each run.
    pub records: Vec<Arc<Record>>,
    /// How long the runs took, of those of which that is known.
    pub timings: Vec<Timing>,
}

impl Runs {
    /// The learners of a chapter that have runs, in the order of the experiment.
    pub fn of(chapter: &Chapter) -> Result<Vec<Runs>> {
        let results = &chapter.results;
        let mut found = Vec::new();
        for entry in &results.manifest.learners {
            let (label, kind) = (entry.label.clone(), entry.kind.clone());
            let numbered = results.records(&label)?;
            let timings = numbered.iter().filter_map(|(run, _)| results.timing(&label, *run)).collect();
            let records: Vec<Arc<Record>> = numbered.into_iter().map(|(_, record)| record).collect();
            if !records.is_empty() {
                found.push(Runs { label, kind, records, timings });
            }
        }
        Ok(found)
    }

    /// The epochs of each run.
    pub fn epochs(&self) -> Vec<f64> {
        self.records.iter().map(|record| record.epochs.last().copied().unwrap_or(0) as f64).collect()
    }
}

/// The chapter of an environment under a preset: the one with the most learners that go by their own names, which those
/// of a sweep do not.
pub fn chapter_of<'a>(chapters: &[&'a Chapter], preset: &str, environment: &str) -> Option<&'a Chapter> {
    let own = |chapter: &Chapter| {
        chapter.results.manifest.learners.iter().filter(|entry| entry.label == entry.kind).count()
    };
    let meant = |chapter: &&'a Chapter| {
        chapter.preset() == Some(preset) && chapter.results.manifest.environment.name == environment
    };
    // Of equals the first.
    let found = chapters.iter().copied().rev().filter(meant).filter(|chapter| own(chapter) > 0);
    found.max_by_key(|chapter| own(chapter))
}
