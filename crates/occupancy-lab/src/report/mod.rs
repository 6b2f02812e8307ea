//! The report of stored runs: a pure function of folders of results.
//!
//! Reading order: `folders` finds the [`Chapter`]s; `digest` says where every learner ended; `verdict` and
//! `missing` turn that into sentences; [`page`] is the typed data of the page and its HTML; [`plots`] draws the figures as
//! files. What a paper adds comes in as a [`Paper`].

mod digest;
#[cfg(test)]
pub(crate) mod fixture;
mod folders;
mod missing;
pub mod page;
mod paper;
pub mod plots;
mod runs;
mod verdict;

pub use page::without_controls;
pub use paper::{Claim, Finding, Paper, Standing};
pub use runs::{Runs, chapter_of};

use crate::catalogue::Catalogue;
use crate::experiment::Experiment;
use crate::staged::{self, unwritable};
use crate::store::{Checked, Results};
use crate::{Result, parallel};
use digest::Digest;
use occupancy::env::Env;
use page::Page;
use page::ablation::Sweep;
use page::chapter::ChapterData;
use std::path::{Path, PathBuf};

/// One experiment of a report.
pub struct Chapter {
    /// The stored runs.
    pub results: Results,
    /// What was run.
    pub experiment: Experiment,
    /// The environment.
    pub env: Env,
}

/// What was found in a folder of results besides its runs.
#[derive(Clone, Debug)]
pub struct Inspected {
    /// The folder.
    pub folder: PathBuf,
    /// What was found of its files.
    pub checked: Checked,
}

impl Chapter {
    /// The chapter of a folder of results, all of whose files are what was written.
    pub fn open(folder: &Path, catalogue: &Catalogue) -> Result<Chapter> {
        Chapter::inspect(folder, catalogue, &mut Vec::new())
    }

    /// The same; what was found besides is added to a list, also if a file is damaged.
    fn inspect(folder: &Path, catalogue: &Catalogue, inspected: &mut Vec<Inspected>) -> Result<Chapter> {
        let results = Results::open(folder)?;
        let checked = results.check()?;
        inspected.push(Inspected { folder: folder.to_path_buf(), checked: checked.clone() });
        checked.refuse_damage(folder)?;
        let experiment = results.experiment(catalogue)?;
        let env = experiment.build()?;
        Ok(Chapter { results, experiment, env })
    }

    /// The name of the experiment's preset, if its file names one.
    pub fn preset(&self) -> Option<&str> {
        self.experiment.preset
    }
}

/// What a report is made with.
#[derive(Clone)]
pub struct ReportOptions<'a> {
    /// The version of the program, which the page names.
    pub version: &'a str,
    /// The revision that the program was built from.
    pub revision: &'a str,
    /// The learners and presets that experiments may name.
    pub catalogue: &'a Catalogue,
    /// The paper whose order the report follows and whose claims it checks; `&()` for none.
    pub paper: &'a dyn Paper,
}

impl<'a> ReportOptions<'a> {
    /// Of this version of the library, and without a paper.
    pub fn new(catalogue: &'a Catalogue) -> ReportOptions<'a> {
        ReportOptions { version: env!("CARGO_PKG_VERSION"), revision: "unknown", catalogue, paper: &() }
    }
}

/// What was written.
#[derive(Clone, Debug)]
pub struct Written {
    /// The page.
    pub page: PathBuf,
    /// The verdict and what is missing, sentence by sentence.
    pub sentences: Vec<String>,
    /// The experiments that are not on the page and why, in words.
    pub left_out: Vec<String>,
    /// What else was found in the folders of results.
    pub inspected: Vec<Inspected>,
}

/// What is computed of one experiment by itself.
struct Computed {
    digest: Digest,
    data: ChapterData,
    figures: Vec<String>,
}

/// Writes the page and the figures of a folder of results, or of all such folders in a folder. An experiment that cannot be
/// reported is left out; if none is left, the first one's failure is that of all.
pub fn write(folder: &Path, options: &ReportOptions) -> Result<Written> {
    check_targets(folder)?;
    staged::sweep(folder);
    staged::sweep(&folder.join("figures"));
    let paper = options.paper;
    let folders::Found { chapters, sweeps, mut left_out, inspected } = folders::open(folder, options)?;
    let computed = parallel::map(&chapters, |chapter| Computed::of(chapter, folder, paper));
    let (chapters, computed) = left_out.without(chapters, computed);
    let tables = parallel::map(&sweeps, Sweep::of);
    let (sweeps, tables) = left_out.without(sweeps, tables);
    if chapters.is_empty() && sweeps.is_empty() {
        return Err(left_out.first());
    }
    let claims = paper.claims(&chapters)?;
    let overviews = plots::draw_overviews(&chapters, paper, &folder.join("figures"))?;
    let left_out = left_out.in_words();
    let missing = missing::sentences(&chapters, &sweeps, paper)?;
    let missing: Vec<String> = left_out.iter().map(|words| format!("{words}.")).chain(missing).collect();
    let digests: Vec<&Digest> = computed.iter().map(|one| &one.digest).collect();
    let verdict = verdict::general(&chapters, &digests, &claims, paper);
    let ends = verdict::of_first_preset(&chapters, &digests, paper);
    let sentences = ends.into_iter().chain(verdict.clone()).chain(missing.clone()).collect();
    let overviews = overviews.iter().map(|path| within(folder, path));
    let data = Page {
        version: options.version.to_string(),
        revision: options.revision.to_string(),
        verdict,
        missing,
        colours: plots::colours(&chapters),
        figures: overviews.chain(computed.iter().flat_map(|one| one.figures.clone())).collect(),
        chapters: computed.into_iter().map(|one| one.data).collect(),
        claims,
        ablation: tables,
    };
    let page = folder.join("index.html");
    staged::stage(&page, |out| page::write(out, &data))?.publish()?;
    Ok(Written { page, sentences, left_out, inspected })
}

impl Computed {
    fn of(chapter: &Chapter, folder: &Path, paper: &dyn Paper) -> Result<Computed> {
        let digest = Digest::of(chapter)?;
        let data = ChapterData::of(chapter, &digest, verdict::ends(chapter, &digest, paper))?;
        let figures = plots::draw(chapter, &folder.join("figures"))?;
        Ok(Computed { digest, data, figures: figures.iter().map(|path| within(folder, path)).collect() })
    }
}

/// A path as seen from the page.
fn within(folder: &Path, path: &Path) -> String {
    path.strip_prefix(folder).unwrap_or(path).display().to_string()
}

/// Refuses to write a page and figures through links or into pipes: a folder of somebody else may hold such.
fn check_targets(folder: &Path) -> Result<()> {
    let figures = folder.join("figures");
    let found = |path: &Path| std::fs::symlink_metadata(path).ok().map(|found| found.file_type());
    let is_folder = found(&figures).is_some_and(|found| found.is_dir());
    let entries = if is_folder { std::fs::read_dir(&figures).ok() } else { None };
    let inside = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    for path in inside.chain([folder.join("index.html")]) {
        if found(&path).is_some_and(|found| !found.is_file()) {
            return Err(unwritable(&path, "there is something that is no ordinary file"));
        }
    }
    if found(&figures).is_some() && !is_folder {
        return Err(unwritable(&figures, "it is not a folder"));
    }
    Ok(())
}
