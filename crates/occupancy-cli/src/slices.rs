//! `occupancy slices`: experiments cut into slices of equal work, and the file that holds them.
//!
//! ```text
//! # occupancy 0.1.0
//! # sha256:… big.toml
//! 1 0..25 big.toml
//! 2 25..50 big.toml
//! ```
//!
//! The hash is that of all settings of the file's experiments: a node with another file, or with a program whose numbers differ,
//! is refused.

use crate::args::Slices;
use crate::failure::{Result, wrong};
use crate::{json, output};
use occupancy_lab::Error;
use occupancy_lab::catalogue::Catalogue;
use occupancy_lab::experiment::Experiment;
use occupancy_lab::slices::{Slice, Wanted, Work, cut};
use serde_json::json;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Runs the command.
pub fn run(args: &Slices) -> Result<()> {
    let wanted = match (args.count, args.seconds) {
        (Some(count), _) => Wanted::Count(count as usize),
        (None, seconds) => Wanted::Seconds(seconds.unwrap_or(60.0)),
    };
    let planned = Planned::of(&args.files, wanted)?;
    let text = if args.json { planned.in_json() } else { planned.text() };
    output::print(&text)
}

/// Files, what they hold, and their slices.
pub struct Planned {
    files: Vec<PathBuf>,
    hashes: Vec<String>,
    /// The names of all experiments.
    pub names: Vec<String>,
    /// The slices.
    pub slices: Vec<Slice>,
}

impl Planned {
    /// Reads files and cuts them.
    pub fn of(files: &[PathBuf], wanted: Wanted) -> Result<Planned> {
        let (mut work, mut hashes, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for file in files {
            let experiments = Experiment::read(file, &Catalogue::standard())?;
            if let Some(twice) = experiments.iter().find(|experiment| names.contains(&experiment.name)) {
                return wrong(format!("{}: another file is called {} too", file.display(), twice.name));
            }
            names.extend(experiments.iter().map(|experiment| experiment.name.clone()));
            hashes.push(hash_of(&experiments));
            work.push(Work::of(&experiments)?);
        }
        Ok(Planned { files: files.to_vec(), hashes, names, slices: cut(&work, wanted) })
    }

    /// The lines of a file of slices.
    pub fn text(&self) -> String {
        let mut text = format!("# occupancy {}\n", env!("CARGO_PKG_VERSION"));
        for (file, hash) in self.files.iter().zip(&self.hashes) {
            text += &format!("# sha256:{hash} {}\n", file.display());
        }
        for (number, slice) in self.slices.iter().enumerate() {
            for (file, runs) in &slice.parts {
                let file = self.files[*file].display();
                text += &format!("{} {}..{} {file}\n", number + 1, runs.start, runs.end);
            }
        }
        text
    }

    fn in_json(&self) -> String {
        let part = |(file, runs): &(usize, Range<u64>)| json!({ "file": self.files[*file].display().to_string(), "runs": [runs.start, runs.end] });
        let slice = |(number, slice): (usize, &Slice)| {
            let parts: Vec<_> = slice.parts.iter().map(part).collect();
            json!({ "slice": number + 1, "seconds": slice.seconds, "parts": parts })
        };
        let slices: Vec<_> = self.slices.iter().enumerate().map(slice).collect();
        let seconds: f64 = self.slices.iter().map(|slice| slice.seconds).sum();
        json::line(&json!({ "experiments": self.names, "seconds": seconds, "slices": slices }))
    }
}

/// The hash of the settings of all experiments of a file.
fn hash_of(experiments: &[Experiment]) -> String {
    let hashes: Vec<String> = experiments.iter().map(Experiment::hash).collect();
    hashes.join("+")
}

/// The parts of a slice in a file of slices: files and their runs. Files that are not what they were when the slices were cut are
/// refused.
pub fn parts(path: &Path, slice: u32) -> Result<Vec<(PathBuf, Range<u64>)>> {
    let text = std::fs::read_to_string(path).map_err(|source| Error::File { path: path.into(), source })?;
    let mut parts = Vec::new();
    let mut numbers = 0;
    for (line, content) in text.lines().enumerate() {
        let bad = || format!("{}: line {}: {content} is no part of a slice", path.display(), line + 1);
        if let Some(head) = content.strip_prefix("# sha256:") {
            let Some((hash, file)) = head.split_once(' ') else { return wrong(bad()) };
            check_hash(Path::new(file), hash, path)?;
            continue;
        }
        if let Some(version) = content.strip_prefix("# occupancy ") {
            check_version(version, path)?;
            continue;
        }
        let mut words = content.splitn(3, ' ');
        let (Some(number), Some(runs), Some(file)) = (words.next(), words.next(), words.next()) else {
            return wrong(bad());
        };
        let ends = runs.split_once("..").and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        let (Ok(number), Some((first, end))) = (number.parse::<u32>(), ends) else { return wrong(bad()) };
        numbers = numbers.max(number);
        if number == slice {
            parts.push((PathBuf::from(file), first..end));
        }
    }
    if parts.is_empty() {
        return wrong(format!("{} has slices 1 to {numbers}, but no slice {slice}", path.display()));
    }
    Ok(parts)
}

fn check_hash(file: &Path, hash: &str, slices: &Path) -> Result<()> {
    if hash_of(&Experiment::read(file, &Catalogue::standard())?) == hash {
        return Ok(());
    }
    let (file, slices) = (file.display(), slices.display());
    wrong(format!(
        "{file} is not what it was when {slices} was written: the file or the version of the program differs here; \
         bring the same to every node, or cut the slices again"
    ))
}

fn check_version(version: &str, slices: &Path) -> Result<()> {
    let own = env!("CARGO_PKG_VERSION");
    if version == own {
        return Ok(());
    }
    wrong(format!(
        "{} was written by occupancy {version}, and this is {own}: bring the same program to every node",
        slices.display()
    ))
}
