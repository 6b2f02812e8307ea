//! What a report is about: the title, the description and the groups of its experiments.
//!
//! An experiment of a paper goes by the paper's words. Every other one goes by its own file's: `title` and `description`, or
//! the experiment's name.

use super::{Chapter, Paper};
use crate::number::count;
use std::path::Path;

/// The group of experiments that are not the paper's, beside some that are.
const OTHERS: &str = "other experiments";
/// The group of experiments that name no preset.
const NO_PRESET: &str = "no preset";

/// The title of an experiment.
pub fn title(chapter: &Chapter, paper: &dyn Paper) -> String {
    let own = || chapter.experiment.title.clone().unwrap_or_else(|| chapter.results.manifest.name.clone());
    if paper.owns(chapter) { paper.title(&chapter.env.name).to_string() } else { own() }
}

/// The title of a report of these experiments, and the description of what there is only one of.
pub fn head(
    chapters: &[Chapter],
    sweeps: &[Chapter],
    folder: &Path,
    paper: &dyn Paper,
) -> (String, Option<String>) {
    let all: Vec<&Chapter> = chapters.iter().chain(sweeps).collect();
    if all.iter().all(|chapter| paper.owns(chapter)) {
        return (paper.words().title.to_string(), None);
    }
    match all[..] {
        [first, ref rest @ ..] if rest.iter().all(|other| other.experiment.text == first.experiment.text) => {
            // The experiments of one file differ in what a sweep gave them; its name stands before that.
            let name = first.results.manifest.name.split('+').next().unwrap_or_default().to_string();
            let name = if rest.is_empty() { first.results.manifest.name.clone() } else { name };
            (first.experiment.title.clone().unwrap_or(name), first.experiment.description.clone())
        }
        _ => {
            let name = std::path::absolute(folder).ok();
            let name = name.and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
            let place = name.map(|name| format!(" in {name}")).unwrap_or_default();
            (format!("{}{place}", count(all.len(), "experiment")), None)
        }
    }
}

/// The group that a reader sees an experiment in: the preset, but what is not the paper's stays apart from what is.
pub fn group(chapter: &Chapter, has_paper: bool, paper: &dyn Paper) -> String {
    if has_paper && !paper.owns(chapter) {
        return OTHERS.to_string();
    }
    chapter.preset().unwrap_or(NO_PRESET).to_string()
}
