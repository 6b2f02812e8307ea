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

pub use canvas::png;

use super::choice::chapter_of;
use super::page::numbers::Keyed;
use super::{Chapter, Paper};
use crate::{Error, Result, staged};
use std::path::{Path, PathBuf};

/// The colours of learners as the page writes them: of those that come along, and of others in these chapters.
pub fn colours(chapters: &[Chapter]) -> Keyed<String> {
    let mut names = marker::COLOURS.map(|(name, _)| name.to_string()).to_vec();
    for entry in chapters.iter().flat_map(|chapter| &chapter.results.manifest.learners) {
        if !names.contains(&entry.kind) {
            names.push(entry.kind.clone());
        }
    }
    let written = |name: String| {
        let colour = marker::colour(&name).to_string().to_lowercase();
        (name, colour)
    };
    Keyed(names.into_iter().map(written).collect())
}

/// Draws the figures of a chapter into a folder; returns the files.
///
/// `NAME-curves` has rewards and costs over time, `NAME-regret` regret and violation, `NAME-effort` epochs and times;
/// `NAME-terms` what regret is made of if that is stored; each as `.svg` and `.png`. A chapter without runs has none.
pub fn draw(chapter: &Chapter, folder: &Path) -> Result<Vec<PathBuf>> {
    let runs = chapter.present();
    if runs.is_empty() {
        return Ok(Vec::new());
    }
    let name = &chapter.results.manifest.name;
    let mut files = store(folder, &format!("{name}-curves"), &curves::draw(chapter, &runs))?;
    if let Some(picture) = regret::draw(chapter, &runs) {
        files.extend(store(folder, &format!("{name}-regret"), &picture)?);
    }
    files.extend(store(folder, &format!("{name}-effort"), &effort::draw(chapter, &runs))?);
    let explained = super::page::terms::of(chapter)?;
    for one in &explained {
        // Several learners that are explained have a figure each.
        let whose = if explained.len() == 1 { String::new() } else { format!("-{}", one.label) };
        if let Some(picture) = terms::draw(chapter, one) {
            files.extend(store(folder, &format!("{name}{whose}-terms"), &picture)?);
        }
    }
    Ok(files)
}

/// Draws rewards and costs of a paper's environments side by side, one figure for each preset that has at least two of
/// them; returns the files, `PRESET-overview` as `.svg` and `.png`.
pub fn draw_overviews(chapters: &[Chapter], paper: &dyn Paper, folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let owned: Vec<&Chapter> = chapters.iter().filter(|chapter| paper.owns(chapter)).collect();
    for preset in paper.presets() {
        let mut shown = Vec::new();
        for name in paper.environments() {
            if let Some(chapter) = chapter_of(&owned, preset, name) {
                shown.push((chapter, chapter.present()));
            }
        }
        shown.retain(|(_, runs)| !runs.is_empty());
        if shown.len() > 1 {
            files.extend(store(folder, &format!("{preset}-overview"), &curves::overview(&shown))?);
        }
    }
    Ok(files)
}

/// Writes a picture as SVG and PNG.
fn store(folder: &Path, name: &str, svg: &str) -> Result<Vec<PathBuf>> {
    let png = canvas::png(svg)?;
    let mut files = Vec::new();
    for (ending, bytes) in [("svg", svg.as_bytes()), ("png", &png)] {
        let path = folder.join(format!("{name}.{ending}"));
        let failed = |source| Error::File { path: folder.to_path_buf(), source };
        std::fs::create_dir_all(folder).map_err(failed)?;
        staged::stage(&path, |out| out.write_all(bytes))?.publish()?;
        files.push(path);
    }
    Ok(files)
}
