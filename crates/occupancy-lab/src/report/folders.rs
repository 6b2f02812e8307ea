//! Which folders of results a report is about, and which of them cannot be reported.

use super::{Chapter, Inspected, Paper, ReportOptions};
use crate::error::ReportProblem;
use crate::{Error, Result};
use std::path::{Path, PathBuf};

/// What a report is about.
pub struct Found {
    /// Comparisons of learners.
    pub chapters: Vec<Chapter>,
    /// Sweeps over the options of learners.
    pub sweeps: Vec<Chapter>,
    /// The folders that cannot be read.
    pub left_out: LeftOut,
    /// What else was found in the folders.
    pub inspected: Vec<Inspected>,
}

/// Folders that cannot be reported, and why.
#[derive(Default)]
pub struct LeftOut(Vec<(PathBuf, Error)>);

/// The experiments of a folder of results, or of all such folders in a folder, with all their runs.
pub fn open(folder: &Path, options: &ReportOptions) -> Result<Found> {
    let (mut chapters, mut left_out, mut inspected) = (Vec::new(), LeftOut::default(), Vec::new());
    for folder in folders(folder)? {
        match Chapter::inspect(&folder, options.catalogue, &mut inspected) {
            Ok(chapter) => chapters.push(chapter),
            Err(error) => left_out.0.push((folder, error)),
        }
    }
    chapters.sort_by_key(|chapter| order(chapter, options.paper));
    let names: Vec<String> = chapters.iter().map(|chapter| chapter.results.manifest.name.clone()).collect();
    // The extended version of an experiment stands for both.
    chapters.retain(|chapter| !names.contains(&format!("{}-extended", chapter.results.manifest.name)));
    let (chapters, sweeps) = chapters.into_iter().partition(|chapter| !is_sweep(chapter));
    Ok(Found { chapters, sweeps, left_out, inspected })
}

impl LeftOut {
    /// The chapters of which something could be made, with that; the others are added here.
    pub fn without<T>(&mut self, chapters: Vec<Chapter>, made: Vec<Result<T>>) -> (Vec<Chapter>, Vec<T>) {
        let mut kept = (Vec::new(), Vec::new());
        for (chapter, made) in chapters.into_iter().zip(made) {
            match made {
                Ok(made) => {
                    kept.0.push(chapter);
                    kept.1.push(made);
                }
                Err(error) => self.0.push((chapter.results.folder, error)),
            }
        }
        kept
    }

    /// Why nothing can be reported at all.
    pub fn first(self) -> Error {
        let folders = self.0.len();
        match self.0.into_iter().next() {
            Some((_, error)) if folders == 1 => error,
            Some((folder, error)) => {
                ReportProblem::NoneOf { folders, first: in_words(&folder, &error) }.into()
            }
            None => ReportProblem::Nothing.into(),
        }
    }

    /// What is wrong with each.
    pub fn in_words(&self) -> Vec<String> {
        self.0.iter().map(|(folder, error)| in_words(folder, error)).collect()
    }
}

/// What is wrong with a folder, which is named once.
fn in_words(folder: &Path, error: &Error) -> String {
    let (folder, reason) = (folder.display().to_string(), error.to_string());
    if reason.contains(&folder) {
        format!("not reported: {reason}")
    } else {
        format!("{folder} is not reported: {reason}")
    }
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
        return Err(ReportProblem::NoFolder { folder: folder.to_path_buf() }.into());
    };
    let set_aside =
        |folder: &Path| folder.extension().is_some_and(|end| end.to_string_lossy().starts_with("old-"));
    let found = entries.flatten().map(|entry| entry.path());
    let found: Vec<PathBuf> = found.filter(|path| holds_results(path) && !set_aside(path)).collect();
    if found.is_empty() {
        return Err(ReportProblem::NoResults { folder: folder.to_path_buf() }.into());
    }
    Ok(found)
}

/// The experiments of the paper in its order, then the others by name.
fn order(chapter: &Chapter, paper: &dyn Paper) -> (usize, usize, String) {
    let last = |found: Option<usize>| found.unwrap_or(usize::MAX);
    let name = chapter.results.manifest.name.clone();
    if !paper.owns(chapter) {
        return (usize::MAX, usize::MAX, name);
    }
    let environment = paper.environments().iter().position(|&name| name == chapter.env.name);
    let preset = paper.presets().iter().position(|&preset| Some(preset) == chapter.preset());
    (last(preset), last(environment), name)
}

/// Whether every learner is one of a sweep: `name+key=value`.
fn is_sweep(chapter: &Chapter) -> bool {
    let swept = |label: &str| label.split('+').skip(1).any(|part| part.contains('='));
    chapter.results.manifest.learners.iter().all(|learner| swept(&learner.label))
}
