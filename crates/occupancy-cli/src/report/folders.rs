//! Which folders of results a report is about.

use super::Chapter;
use crate::failure::{Result, wrong};
use occupancy::run::{PAPER_ENVIRONMENTS, Preset};
use std::path::{Path, PathBuf};

/// The chapters of a folder of results, or of all such folders in a folder: comparisons of learners, and sweeps over
/// their options.
pub fn open(folder: &Path) -> Result<(Vec<Chapter>, Vec<Chapter>)> {
    let mut chapters =
        folders(folder)?.iter().map(|folder| Chapter::open(folder)).collect::<Result<Vec<_>>>()?;
    chapters.sort_by_key(order);
    let names: Vec<String> = chapters.iter().map(|chapter| chapter.results.manifest.name.clone()).collect();
    // The extended version of an experiment stands for both.
    chapters.retain(|chapter| !names.contains(&format!("{}-extended", chapter.results.manifest.name)));
    Ok(chapters.into_iter().partition(|chapter| !is_sweep(chapter)))
}

fn folders(folder: &Path) -> Result<Vec<PathBuf>> {
    // A folder that lost its manifest is named, not passed over.
    let holds_results = |folder: &Path| {
        std::fs::symlink_metadata(folder.join("manifest.json")).is_ok() || folder.join("trials").is_dir()
    };
    if holds_results(folder) {
        return Ok(vec![folder.to_path_buf()]);
    }
    let Ok(entries) = std::fs::read_dir(folder) else {
        return wrong(format!("there is no folder {}", folder.display()));
    };
    let set_aside =
        |folder: &Path| folder.extension().is_some_and(|end| end.to_string_lossy().starts_with("old-"));
    let found = entries.flatten().map(|entry| entry.path());
    let found: Vec<PathBuf> = found.filter(|path| holds_results(path) && !set_aside(path)).collect();
    if found.is_empty() {
        return wrong(format!(
            "{} holds no results; `occupancy reproduce` and `occupancy run` make some",
            folder.display()
        ));
    }
    Ok(found)
}

/// The order of the paper, then by name.
fn order(chapter: &Chapter) -> (usize, usize, String) {
    let place = |found: Option<usize>| found.unwrap_or(usize::MAX);
    let environment = PAPER_ENVIRONMENTS.iter().position(|&name| name == chapter.env.name);
    let preset = Preset::ALL.iter().position(|&preset| Some(preset) == chapter.preset());
    (place(preset), place(environment), chapter.results.manifest.name.clone())
}

/// Whether every learner is one of a sweep.
fn is_sweep(chapter: &Chapter) -> bool {
    chapter.results.manifest.learners.iter().all(|learner| learner.label.contains('+'))
}
