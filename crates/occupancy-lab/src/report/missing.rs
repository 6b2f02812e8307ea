//! What a report lacks, in sentences.

use super::Chapter;
use crate::failure::Result;
use crate::source::count;
use occupancy_lab::papers::provodin2022::{PAPER_ENVIRONMENTS, Preset};

/// What is missing of the runs that were asked for, and of the paper's experiments.
pub fn sentences(chapters: &[Chapter], sweeps: &[Chapter]) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for chapter in chapters.iter().chain(sweeps) {
        found.extend(unfinished(chapter)?);
    }
    found.extend(fewer(chapters));
    found.extend(absent(chapters));
    Ok(found)
}

/// Learners with fewer runs than were asked for.
fn unfinished(chapter: &Chapter) -> Result<Option<String>> {
    let manifest = &chapter.results.manifest;
    let mut parts = Vec::new();
    for label in chapter.results.labels() {
        let runs = chapter.results.runs(label)?.len() as u64;
        if runs < manifest.runs {
            parts.push(format!("{label} has {runs} of {}", count(manifest.runs as usize, "run")));
        }
    }
    let sentence = format!("{} is not finished: {}.", manifest.name, parts.join(", "));
    Ok((!parts.is_empty()).then_some(sentence))
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

/// Experiments of the paper that a preset lacks.
fn absent(chapters: &[Chapter]) -> Vec<String> {
    let is_paper = |chapter: &&Chapter| PAPER_ENVIRONMENTS.contains(&chapter.env.name.as_str());
    let of =
        |preset: Preset| chapters.iter().filter(is_paper).filter(move |one| one.preset() == Some(preset));
    let lacking = |preset: Preset| {
        let has = |name: &str| of(preset).any(|chapter| chapter.env.name == name);
        let names: Vec<&str> = PAPER_ENVIRONMENTS.into_iter().filter(|name| !has(name)).collect();
        let some = (1..PAPER_ENVIRONMENTS.len()).contains(&names.len());
        some.then(|| format!("Preset {} lacks {}.", preset.name(), names.join(" and ")))
    };
    Preset::ALL.into_iter().filter_map(lacking).collect()
}
