//! The report of stored runs: a pure function of folders of results.
//!
//! Reading order: [`folders`] finds the [`Chapter`]s; [`digest`] says where every learner ended; [`verdict`] and
//! [`missing`] turn that into sentences; [`chapter`], [`curves`], [`effort`], [`grid`], [`terms`] and [`ablation`] are
//! the data of the page; [`page`] writes it. [`claims`] and [`plots`] are the paper's claims and its figures as files.

mod ablation;
mod chapter;
pub mod claims;
mod curves;
mod digest;
mod effort;
#[cfg(test)]
mod fixture;
mod folders;
mod grid;
mod missing;
mod page;
pub mod plots;
mod runs;
mod terms;
mod verdict;

use crate::failure::{Failure, Result};
use crate::show::wrap::wrapped;
use crate::{args, output, stored};
use digest::Digest;
use occupancy::env::Env;
use occupancy_lab::experiment::Experiment;
use occupancy_lab::papers::provodin2022::Preset;
use occupancy_lab::parallel;
use occupancy_lab::store::Results;
use serde_json::{Value, json};
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

impl Chapter {
    /// The chapter of a folder of results.
    pub fn open(folder: &Path) -> Result<Chapter> {
        let results = stored::open(folder)?;
        let experiment = results.experiment()?;
        let env = experiment.build()?;
        Ok(Chapter { results, experiment, env })
    }

    /// The preset of the experiment, where its file names one.
    pub fn preset(&self) -> Option<Preset> {
        self.experiment.preset
    }
}

/// Sentences on the terminal are broken at this width.
const WIDTH: usize = 100;

/// What was written.
pub struct Written {
    /// The page.
    pub page: PathBuf,
    /// The verdict in a few lines.
    pub summary: String,
    /// The experiments that are not on the page and why, in words.
    pub left_out: Vec<String>,
}

/// What is computed of one experiment by itself.
struct Part {
    digest: Digest,
    data: Value,
    figures: Vec<String>,
}

/// Runs `occupancy report`.
pub fn run(args: &args::Report) -> Result<()> {
    let written = write(&args.folder)?;
    output::print(&format!("{}\n{}\n", written.summary, written.page.display()))?;
    if written.left_out.is_empty() { Ok(()) } else { Err(Failure::Stopped(written.left_out.join("; "))) }
}

/// Writes the page and the figures of a folder of results, or of all such folders in a folder. An experiment that cannot be
/// reported is left out; if none is left, the first one's failure is that of all.
pub fn write(folder: &Path) -> Result<Written> {
    stored::check_page(folder)?;
    output::sweep(folder);
    output::sweep(&folder.join("figures"));
    let folders::Found { chapters, sweeps, mut left_out } = folders::open(folder)?;
    let parts = parallel::map(&chapters, |chapter| Part::of(chapter, folder));
    let (chapters, parts) = left_out.without(chapters, parts);
    let tables = parallel::map(&sweeps, ablation::data);
    let (sweeps, tables) = left_out.without(sweeps, tables);
    if chapters.is_empty() && sweeps.is_empty() {
        return Err(left_out.first());
    }
    let (claims, overviews) =
        (claims::check(&chapters)?, plots::draw_overviews(&chapters, &folder.join("figures"))?);
    let overviews = overviews.iter().map(|path| within(folder, path));
    let figures: Vec<String> = overviews.chain(parts.iter().flat_map(|part| part.figures.clone())).collect();
    let digests: Vec<&Digest> = parts.iter().map(|part| &part.digest).collect();
    let verdict = verdict::general(&chapters, &digests, &claims);
    let left_out = left_out.in_words();
    let missing = missing::sentences(&chapters, &sweeps)?;
    let missing: Vec<String> = left_out.iter().map(|words| format!("{words}.")).chain(missing).collect();
    let data = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "revision": env!("OCCUPANCY_REVISION"),
        "verdict": verdict,
        "missing": missing,
        "colours": plots::colours(),
        "chapters": parts.iter().map(|part| part.data.clone()).collect::<Vec<_>>(),
        "claims": page::claims(&claims),
        "ablation": tables,
        "figures": figures,
    });
    let page = folder.join("index.html");
    output::stage(&page, |out| page::write(out, &data))?.publish()?;
    let ends = verdict::of_first_preset(&chapters, &digests);
    let said = ends.into_iter().chain(verdict).chain(missing);
    let lines: Vec<String> = said.flat_map(|sentence| wrapped(&sentence, WIDTH)).collect();
    Ok(Written { page, summary: lines.join("\n"), left_out })
}

impl Part {
    fn of(chapter: &Chapter, folder: &Path) -> Result<Part> {
        let digest = Digest::of(chapter)?;
        let data = chapter::data(chapter, &digest)?;
        let figures = plots::draw(chapter, &folder.join("figures"))?;
        Ok(Part { digest, data, figures: figures.iter().map(|path| within(folder, path)).collect() })
    }
}

/// A path as seen from the page.
fn within(folder: &Path, path: &Path) -> String {
    path.strip_prefix(folder).unwrap_or(path).display().to_string()
}
