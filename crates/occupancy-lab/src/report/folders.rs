//! Which folders of results a report is about, and which of them cannot be reported.

use super::Chapter;
use crate::failure::{Failure, Result, wrong};
use occupancy_lab::papers::provodin2022::{PAPER_ENVIRONMENTS, Preset};
use std::path::{Path, PathBuf};

/// What a report is about.
pub struct Found {
    /// Comparisons of learners.
    pub chapters: Vec<Chapter>,
    /// Sweeps over the options of learners.
    pub sweeps: Vec<Chapter>,
    /// The folders that cannot be read.
    pub left_out: LeftOut,
}

/// Folders that cannot be reported, and why.
#[derive(Default)]
pub struct LeftOut(Vec<(PathBuf, Failure)>);

/// The experiments of a folder of results, or of all such folders in a folder, with all their runs.
pub fn open(folder: &Path) -> Result<Found> {
    let (mut chapters, mut left_out) = (Vec::new(), LeftOut::default());
    for folder in folders(folder)? {
        match Chapter::open(&folder).and_then(|mut chapter| Ok((chapter.results.load()?, chapter).1)) {
            Ok(chapter) => chapters.push(chapter),
            Err(failure) => left_out.0.push((folder, failure)),
        }
    }
    chapters.sort_by_key(order);
    let names: Vec<String> = chapters.iter().map(|chapter| chapter.results.manifest.name.clone()).collect();
    // The extended version of an experiment stands for both.
    chapters.retain(|chapter| !names.contains(&format!("{}-extended", chapter.results.manifest.name)));
    let (chapters, sweeps) = chapters.into_iter().partition(|chapter| !is_sweep(chapter));
    Ok(Found { chapters, sweeps, left_out })
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
                Err(failure) => self.0.push((chapter.results.folder, failure)),
            }
        }
        kept
    }

    /// Why nothing can be reported at all.
    pub fn first(self) -> Failure {
        let all = self.0.len();
        match self.0.into_iter().next() {
            Some((_, failure)) if all == 1 => failure,
            Some((folder, failure)) => Failure::Use(format!(
                "none of {all} folders can be reported; {}",
                in_words(&folder, &failure)
            )),
            None => Failure::Use("there is nothing to report".into()),
        }
    }

    /// What is wrong with each.
    pub fn in_words(&self) -> Vec<String> {
        self.0.iter().map(|(folder, failure)| in_words(folder, failure)).collect()
    }
}

/// What is wrong with a folder, which is named once.
fn in_words(folder: &Path, failure: &Failure) -> String {
    let (folder, reason) = (folder.display().to_string(), failure.to_string());
    match reason.contains(&folder) {
        true => format!("not reported: {reason}"),
        false => format!("{folder} is not reported: {reason}"),
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

/// Whether every learner is one of a sweep: `name+key=value`.
fn is_sweep(chapter: &Chapter) -> bool {
    let swept = |label: &str| label.split('+').skip(1).any(|part| part.contains('='));
    chapter.results.manifest.learners.iter().all(|learner| swept(&learner.label))
}
