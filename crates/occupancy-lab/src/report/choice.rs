//! Which chapter stands for an environment of a paper.

use super::Chapter;

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
