//! The report of stored runs: a pure function of folders of results.
//!
//! Reading order: `folders` finds the [`Chapter`]s; `digest` says where every run ended; `about`, `verdict` and
//! `missing` turn that into sentences; [`page`] is the typed data of the page and its HTML; [`plots`] draws the figures as
//! files. What a paper adds to its own experiments comes in as a [`Paper`].

mod about;
mod choice;
mod digest;
#[cfg(test)]
pub(crate) mod fixture;
mod folders;
mod missing;
pub mod page;
mod paper;
pub mod plots;
mod verdict;

pub use choice::chapter_of;
pub use page::without_controls;
pub use paper::{Claim, Finding, Judged, Paper, PaperWords, Standing};
pub use verdict::list;

use crate::analyse::{Runs, TOLERANCE};
use crate::catalogue::Catalogue;
use crate::experiment::Experiment;
use crate::staged::{self, unwritable};
use crate::store::{Checked, Results};
use crate::{Result, parallel};
use digest::Digest;
use occupancy::env::Env;
use page::Page;
use page::ablation::Sweep;
use page::chapter::{ChapterData, Words};
use page::numbers::Keyed;
use std::path::{Path, PathBuf};

/// One experiment of a report.
pub struct Chapter {
    /// The stored runs.
    pub results: Results,
    /// What was run.
    pub experiment: Experiment,
    /// The environment.
    pub env: Env,
    /// The runs of all learners, in the order of the experiment: each was read once.
    pub runs: Vec<Runs>,
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
        let mut checked = results.check_beside()?;
        let learners = results.manifest.learners.iter();
        let runs = learners.map(|learner| Runs::read(&results, learner, &mut checked));
        let runs = runs.collect::<Result<Vec<Runs>>>()?;
        inspected.push(Inspected { folder: folder.to_path_buf(), checked: checked.clone() });
        checked.refuse_damage(folder)?;
        let experiment = results.experiment(catalogue)?;
        let env = experiment.build()?;
        Ok(Chapter { results, experiment, env, runs })
    }

    /// The learners that have runs, in the order of the experiment.
    pub fn present(&self) -> Vec<&Runs> {
        self.runs.iter().filter(|runs| !runs.is_empty()).collect()
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
    /// The paper whose own experiments are reported in its words and order, with its claims; `&()` for none.
    pub paper: &'a dyn Paper,
    /// The share of the range between the levels that is near the optimum.
    pub tolerance: f64,
}

impl<'a> ReportOptions<'a> {
    /// Of this version of the library, and without a paper.
    pub fn new(catalogue: &'a Catalogue) -> ReportOptions<'a> {
        let (version, revision) = (env!("CARGO_PKG_VERSION"), "unknown");
        ReportOptions { version, revision, catalogue, paper: &(), tolerance: TOLERANCE }
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
    let folders::Found { chapters, sweeps, mut left_out, inspected } = folders::open(folder, options)?;
    let has_paper = chapters.iter().chain(&sweeps).any(|chapter| options.paper.owns(chapter));
    let computed = parallel::map(&chapters, |chapter| Computed::of(chapter, folder, has_paper, options));
    let (chapters, computed) = left_out.without(chapters, computed);
    let swept = parallel::map(&sweeps, |sweep| Digest::without_curves(sweep, options.tolerance));
    if chapters.is_empty() && sweeps.is_empty() {
        return Err(left_out.first());
    }
    let overviews = plots::draw_overviews(&chapters, options.paper, &folder.join("figures"))?;
    let told = Told::of(&chapters, &computed, &sweeps, &swept, options);
    let left_out = left_out.in_words();
    let missing = missing::sentences(&chapters, &sweeps, options.paper);
    let missing: Vec<String> = left_out.iter().map(|words| format!("{words}.")).chain(missing).collect();
    let sentences = told.sentences(&computed).chain(missing.clone()).collect();
    let (title, description) = about::head(&chapters, &sweeps, folder, options.paper);
    let overviews = overviews.iter().map(|path| within(folder, path));
    let tables = sweeps.iter().zip(&swept);
    let data = Page {
        version: options.version.to_string(),
        revision: options.revision.to_string(),
        title,
        description,
        paper: has_paper.then(|| options.paper.words()),
        groups: groups(&chapters, has_paper, options.paper),
        commands: commands(&chapters, &sweeps, options.paper),
        tolerance: options.tolerance,
        findings: told.findings,
        verdict: told.verdict,
        missing,
        colours: plots::colours(&chapters),
        figures: overviews.chain(computed.iter().flat_map(|one| one.figures.clone())).collect(),
        ablation: tables.map(|(sweep, digest)| Sweep::of(sweep, digest, options.paper)).collect(),
        chapters: computed.into_iter().map(|one| one.data).collect(),
        claims: told.claims,
    };
    let page = folder.join("index.html");
    staged::stage(&page, |out| page::write(out, &data.title, &data))?.publish()?;
    Ok(Written { page, sentences, left_out, inspected })
}

/// What is said of all experiments together.
struct Told {
    findings: Vec<String>,
    verdict: Vec<String>,
    claims: Vec<Claim>,
}

impl Told {
    fn of(
        chapters: &[Chapter],
        computed: &[Computed],
        sweeps: &[Chapter],
        swept: &[Digest],
        options: &ReportOptions,
    ) -> Told {
        let paper = options.paper;
        let digests = computed.iter().map(|one| &one.digest);
        let of_chapters: Vec<(&Chapter, &Digest)> = chapters.iter().zip(digests).collect();
        let is_owned = |(chapter, _): &(&Chapter, &Digest)| paper.owns(chapter);
        let owned: Vec<(&Chapter, &Digest)> = of_chapters.into_iter().filter(is_owned).collect();
        let of_sweeps = sweeps.iter().zip(swept).filter(is_owned);
        let all: Vec<_> = owned.iter().copied().chain(of_sweeps).collect();
        let judged: Vec<Judged> =
            all.iter().map(|(chapter, digest)| Judged { chapter, summary: &digest.summary }).collect();
        let claims = if judged.is_empty() { Vec::new() } else { paper.claims(&judged) };
        let verdict = verdict::of_paper(&owned, &claims, paper);
        Told { findings: paper.findings(&judged), verdict, claims }
    }

    /// The findings, where the runs ended (of a paper's experiments those of the first group), and the verdict.
    fn sentences<'a>(&'a self, computed: &'a [Computed]) -> impl Iterator<Item = String> + 'a {
        let (first, has_paper) = (computed.first().map(|one| &one.data.group), !self.claims.is_empty());
        let ends = computed.iter().filter(move |one| !has_paper || Some(&one.data.group) == first);
        let ends = ends.map(|one| one.data.verdict.clone());
        self.findings.iter().cloned().chain(ends).chain(self.verdict.clone())
    }
}

impl Computed {
    fn of(chapter: &Chapter, folder: &Path, has_paper: bool, options: &ReportOptions) -> Result<Computed> {
        let paper = options.paper;
        let digest = Digest::of(chapter, options.tolerance);
        let words = Words {
            title: about::title(chapter, paper),
            group: about::group(chapter, has_paper, paper),
            verdict: verdict::ends(chapter, &digest, paper),
        };
        let data = ChapterData::of(chapter, &digest, words)?;
        let figures = plots::draw(chapter, &folder.join("figures"))?;
        Ok(Computed { digest, data, figures: figures.iter().map(|path| within(folder, path)).collect() })
    }
}

/// The groups of experiments, and what each of them is.
fn groups(chapters: &[Chapter], has_paper: bool, paper: &dyn Paper) -> Keyed<String> {
    let mut found: Vec<(String, String)> = Vec::new();
    for chapter in chapters {
        let group = about::group(chapter, has_paper, paper);
        if !found.iter().any(|(known, _)| *known == group) {
            let words = if paper.owns(chapter) { paper.about_preset(&group) } else { "" };
            found.push((group, words.to_string()));
        }
    }
    Keyed(found)
}

/// The commands that repeat all of it.
fn commands(chapters: &[Chapter], sweeps: &[Chapter], paper: &dyn Paper) -> Vec<String> {
    let (owned, own): (Vec<&Chapter>, Vec<&Chapter>) =
        chapters.iter().chain(sweeps).partition(|chapter| paper.owns(chapter));
    let mut commands = if owned.is_empty() { Vec::new() } else { paper.commands(&owned) };
    if !own.is_empty() {
        commands.push("occupancy run FILE.toml        # the files below".to_string());
    }
    commands.push("occupancy report DIR        # this page from stored runs".to_string());
    commands
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
