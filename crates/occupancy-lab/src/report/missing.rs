//! What a report lacks, in sentences.

use super::{Chapter, Paper};
use crate::number::count;

/// What is missing of the runs that were asked for, and of a paper's own experiments.
pub fn sentences(chapters: &[Chapter], sweeps: &[Chapter], paper: &dyn Paper) -> Vec<String> {
    let mut found = Vec::new();
    for chapter in chapters.iter().chain(sweeps) {
        found.extend(unfinished(chapter));
    }
    found.extend(fewer(chapters));
    found.extend(absent(chapters, paper));
    found
}

/// Learners with fewer runs than were asked for.
fn unfinished(chapter: &Chapter) -> Option<String> {
    let manifest = &chapter.results.manifest;
    let mut parts = Vec::new();
    for learner in &chapter.runs {
        let (label, runs) = (&learner.label, learner.len() as u64);
        if runs < manifest.runs {
            parts.push(format!("{label} has {runs} of {}", count(manifest.runs as usize, "run")));
        }
    }
    let sentence = format!("{} is not finished: {}.", manifest.name, parts.join(", "));
    (!parts.is_empty()).then_some(sentence)
}

/// Experiments of which fewer runs were asked for than their files have.
fn fewer(chapters: &[Chapter]) -> Option<String> {
    let runs = |chapter: &Chapter| (chapter.results.manifest.runs, chapter.experiment.runs);
    let mut parts: Vec<String> = Vec::new();
    for chapter in chapters.iter().filter(|chapter| runs(chapter).0 < runs(chapter).1) {
        let (asked, all) = runs(chapter);
        let part = format!("{} {asked} of {all}", chapter.env.name);
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    let sentence = format!("There are few runs, so that intervals are wide: {}.", parts.join(", "));
    (!parts.is_empty()).then_some(sentence)
}

/// Experiments of a paper that one of its presets lacks.
fn absent(chapters: &[Chapter], paper: &dyn Paper) -> Vec<String> {
    let environments = paper.environments();
    let owned: Vec<&Chapter> = chapters.iter().filter(|chapter| paper.owns(chapter)).collect();
    let lacking = |preset: &&str| {
        let has = |name: &str| owned.iter().any(|one| one.preset() == Some(*preset) && one.env.name == name);
        let names: Vec<&str> = environments.iter().copied().filter(|name| !has(name)).collect();
        let some = (1..environments.len()).contains(&names.len());
        some.then(|| format!("Preset {preset} lacks {}.", names.join(" and ")))
    };
    paper.presets().iter().filter_map(lacking).collect()
}
