//! The figures of a report as SVG and PNG files.
//!
//! Drawn from stored runs alone: the SVG of the same runs is the same text on every machine, times apart.

mod axis;
mod canvas;
mod curves;
mod effort;
mod legend;
mod lines;
mod marker;
mod regret;
mod terms;
#[cfg(test)]
mod tests;

use super::Chapter;
use super::runs::{Runs, chapter_of};
use crate::failure::Result;
use crate::output;
use occupancy::learn::LearnerKind;
use occupancy_lab::papers::provodin2022::PAPER_ENVIRONMENTS;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// The colours of all learner kinds, as the page writes them.
pub fn colours() -> Map<String, Value> {
    let written =
        |kind: LearnerKind| (kind.name().to_string(), marker::colour(kind).to_string().to_lowercase().into());
    LearnerKind::ALL.into_iter().map(written).collect()
}

/// Draws the figures of a chapter into a folder; returns the files.
///
/// `NAME-curves` has rewards and costs over time, `NAME-regret` regret and violation, `NAME-effort` epochs and times;
/// `NAME-terms` what
/// regret is made of where that is stored; each as `.svg` and `.png`. A chapter without runs has none.
pub fn draw(chapter: &Chapter, folder: &Path) -> Result<Vec<PathBuf>> {
    let runs = Runs::of(chapter)?;
    if runs.is_empty() {
        return Ok(Vec::new());
    }
    let name = &chapter.results.manifest.name;
    let mut files = keep(folder, &format!("{name}-curves"), &curves::draw(chapter, &runs))?;
    if let Some(picture) = regret::draw(chapter, &runs) {
        files.extend(keep(folder, &format!("{name}-regret"), &picture)?);
    }
    files.extend(keep(folder, &format!("{name}-effort"), &effort::draw(chapter, &runs))?);
    let explained = super::terms::of(chapter)?;
    for one in &explained {
        // Several learners that are explained have a figure each.
        let whose = if explained.len() == 1 { String::new() } else { format!("-{}", one.label) };
        if let Some(picture) = terms::draw(chapter, one) {
            files.extend(keep(folder, &format!("{name}{whose}-terms"), &picture)?);
        }
    }
    Ok(files)
}

/// Draws rewards and costs of the paper's environments side by side, one figure for each preset that has at least two of
/// them; returns the files, `PRESET-overview` as `.svg` and `.png`.
pub fn draw_overviews(chapters: &[Chapter], folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for preset in occupancy_lab::papers::provodin2022::Preset::ALL {
        let mut shown = Vec::new();
        for name in PAPER_ENVIRONMENTS {
            if let Some(chapter) = chapter_of(chapters, preset, name) {
                shown.push((chapter, Runs::of(chapter)?));
            }
        }
        shown.retain(|(_, runs)| !runs.is_empty());
        if shown.len() > 1 {
            files.extend(keep(folder, &format!("{}-overview", preset.name()), &curves::overview(&shown))?);
        }
    }
    Ok(files)
}

/// Writes a picture as SVG and PNG.
fn keep(folder: &Path, name: &str, svg: &str) -> Result<Vec<PathBuf>> {
    let png = canvas::png(svg)?;
    let mut files = Vec::new();
    for (ending, bytes) in [("svg", svg.as_bytes()), ("png", &png)] {
        let path = folder.join(format!("{name}.{ending}"));
        let failed = |source| occupancy::Error::File { path: folder.to_path_buf(), source };
        std::fs::create_dir_all(folder).map_err(failed)?;
        output::stage(&path, |out| out.write_all(bytes))?.publish()?;
        files.push(path);
    }
    Ok(files)
}
