//! Uniting folders of results that hold runs of the same settings.

use super::folder_writer::Whole;
use super::layout::{self, EXPERIMENT, FILES, Found, MANIFEST, SESSIONS};
use super::{FolderWriter, Manifest, Results, Sessions, Stored, manifest_file, policies, term_file};
use crate::error::{Damage, Error, Result, ResultsProblem};
use crate::experiment::sha256;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What was united.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Runs that were copied.
    pub copied: usize,
    /// Runs that were there already, with the same bytes.
    pub present: usize,
    /// Files that are not what was written; their runs were left out.
    pub damaged: Vec<(PathBuf, Damage)>,
    /// Files among the runs that are none.
    pub strays: Vec<PathBuf>,
    /// The runs that the experiment asks for and that nobody has, by learner.
    pub missing: Vec<(String, Vec<Range<u64>>)>,
}

impl Merged {
    /// How many runs are missing.
    pub fn missing_runs(&self) -> u64 {
        self.missing.iter().flat_map(|(_, runs)| runs).map(|runs| runs.end - runs.start).sum()
    }
}

/// So many runs are copied together.
const GROUP: usize = 64;

/// A run, by its learner and number.
type Key = (String, u64);

/// Copies all runs of some folders into another one, which may be one of them. Nothing is copied where anything does not
/// belong together.
pub fn merge(into: &Path, parts: &[PathBuf]) -> Result<Merged> {
    let parts = parts.iter().map(Results::open).collect::<Result<Vec<Results>>>()?;
    let Some(first) = parts.first() else { return Ok(Merged::default()) };
    let target = match manifest_file::read(into) {
        Ok(_) => Some(Results::open(into)?),
        Err(Error::Results { problem: ResultsProblem::NoManifest, .. }) => None,
        Err(error) => return Err(error),
    };
    for part in parts.iter().chain(&target) {
        belongs(part, &first.manifest)?;
    }
    let sources: Vec<&Results> = parts.iter().filter(|part| !is_same(&part.folder, into)).collect();
    let mut merged = Merged::default();
    let copies = choose(&sources, target.as_ref(), &mut merged)?;
    let writer = FolderWriter { folder: into.to_path_buf() };
    claim(&writer, target.as_ref().unwrap_or(first), &sources)?;
    for part in &sources {
        copy_sessions(&writer, part)?;
    }
    let copies: Vec<(Key, &Results)> = copies.into_iter().collect();
    for group in copies.chunks(GROUP) {
        copy_runs(&writer, group)?;
    }
    merged.copied = copies.len();
    merged.missing = missing(&Results::open(into)?)?;
    Ok(merged)
}

/// The runs of each learner that are not stored.
fn missing(results: &Results) -> Result<Vec<(String, Vec<Range<u64>>)>> {
    let mut missing = Vec::new();
    for label in results.labels() {
        let mut ranges: Vec<Range<u64>> = Vec::new();
        let mut next = 0;
        for run in results.runs(label)?.into_iter().chain([results.manifest.runs]) {
            if next < run.min(results.manifest.runs) {
                ranges.push(next..run.min(results.manifest.runs));
            }
            next = run + 1;
        }
        if !ranges.is_empty() {
            missing.push((label.to_string(), ranges));
        }
    }
    Ok(missing)
}

/// Copies some runs together, each after the files that belong to it.
fn copy_runs(writer: &FolderWriter, runs: &[(Key, &Results)]) -> Result<()> {
    let (mut beside, mut trials) = (Vec::new(), Vec::new());
    for ((label, run), from) in runs {
        beside.push((*from, layout::timing(label, *run)));
        if *run == 0 {
            beside.extend([policies::file(label), term_file::file(label)].map(|file| (*from, file)));
        }
        trials.push((*from, layout::trial(label, *run)));
    }
    let (beside, trials) = (wave(writer, &beside)?, wave(writer, &trials)?);
    writer.put_waves(&[beside.iter().collect(), trials.iter().collect()])
}

/// The files that are there and not yet in their place.
fn wave(writer: &FolderWriter, files: &[(&Results, PathBuf)]) -> Result<Vec<Whole>> {
    let mut wave = Vec::new();
    for (from, file) in files {
        if let Found::Bytes(bytes) = from.read(file)? {
            let found = layout::read(&writer.folder.join(file))?;
            let present = matches!(found, Found::Bytes(found) if found == bytes);
            wave.extend((!present).then(|| (file.clone(), bytes)));
        }
    }
    Ok(wave)
}

fn belongs(part: &Results, first: &Manifest) -> Result<()> {
    if part.manifest.hash == first.hash {
        return Ok(());
    }
    let difference = part.manifest.difference(&first.settings);
    Err(Error::Results { folder: part.folder.clone(), problem: ResultsProblem::Other { difference } })
}

/// Whether two paths lead to one folder.
fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    place(one) == place(other)
}

/// The runs to be copied, each with the folder that has it: those that are whole and not there yet. Two folders that differ in
/// a run are refused.
fn choose<'a>(
    sources: &[&'a Results],
    target: Option<&'a Results>,
    merged: &mut Merged,
) -> Result<BTreeMap<Key, &'a Results>> {
    let mut copies: BTreeMap<Key, &'a Results> = BTreeMap::new();
    for &from in sources {
        let checked = from.check()?;
        merged.strays.extend(checked.strays.iter().map(|file| from.folder.join(file)));
        merged
            .damaged
            .extend(checked.damaged.into_iter().map(|(file, damage)| (from.folder.join(file), damage)));
        for label in from.labels() {
            for run in from.runs(label)? {
                let in_target = target.filter(|target| is_whole(target, label, run));
                let other = copies.get(&(label.to_string(), run)).copied().or(in_target);
                if let Some(other) = other {
                    agree(from, other, label, run)?;
                }
                match (is_whole(from, label, run), other) {
                    (false, _) => {}
                    (true, Some(_)) => merged.present += 1,
                    (true, None) => drop(copies.insert((label.to_string(), run), from)),
                }
            }
        }
    }
    Ok(copies)
}

fn is_whole(results: &Results, label: &str, run: u64) -> bool {
    results.stored(label, run).is_ok_and(|stored| stored == Stored::Whole)
}

/// Refuses two folders whose tables of one run differ, unless the first is known to be damaged.
fn agree(one: &Results, other: &Results, label: &str, run: u64) -> Result<()> {
    let file = layout::trial(label, run);
    let bytes = |results: &Results| -> Result<Option<Vec<u8>>> {
        Ok(results.files().table(label, run)?.and_then(|(_, bytes)| bytes.ok()))
    };
    let (Some(mine), Some(theirs)) = (bytes(one)?, bytes(other)?) else { return Ok(()) };
    let noted = one.files().receipt(label, run)?.ok().flatten();
    if mine == theirs || noted.is_some_and(|receipt| receipt.trial != sha256(&mine)) {
        return Ok(());
    }
    let (other, run) = (other.folder.clone(), file.display().to_string());
    Err(Error::Results { folder: one.folder.clone(), problem: ResultsProblem::Conflict { other, run } })
}

/// Gives a folder its manifest, where it has none yet, and the copies that it tells of.
fn claim(writer: &FolderWriter, owner: &Results, sources: &[&Results]) -> Result<()> {
    let from = &owner.folder;
    let bytes = layout::read(&from.join(MANIFEST))?.bytes();
    let bytes = bytes.map_err(|damage| layout::damaged(from, Path::new(MANIFEST), damage))?;
    if !writer.put_new(MANIFEST, &bytes)? {
        // Another process may have been faster.
        belongs(&Results::open(&writer.folder)?, &owner.manifest)?;
    }
    let Some(text) = &owner.manifest.experiment else { return claim_first(writer, owner) };
    writer.put_changed(Path::new(EXPERIMENT), text.as_bytes())?;
    for copied in &owner.manifest.files {
        let file = Path::new(FILES).join(&copied.name);
        for source in sources {
            match layout::read(&source.folder.join(&file))? {
                Found::Bytes(bytes) if sha256(&bytes) == copied.sha256 => {
                    writer.put_changed(&file, &bytes)?
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// The copies of a folder of the first programs, whose manifest does not tell of them.
fn claim_first(writer: &FolderWriter, owner: &Results) -> Result<()> {
    let files = layout::names(&owner.folder, FILES)?.into_iter().map(|name| Path::new(FILES).join(name));
    let files: Vec<_> = files.chain([PathBuf::from(EXPERIMENT)]).map(|file| (owner, file)).collect();
    writer.put_waves(&[wave(writer, &files)?.iter().collect()])
}

/// Copies the sessions of a folder that are whole, those in the manifest of a first program too.
fn copy_sessions(writer: &FolderWriter, from: &Results) -> Result<()> {
    let manifest = manifest_file::read(&from.folder)?;
    for session in &manifest.sessions {
        session.note_again(writer, &manifest.hash, manifest.runs)?;
    }
    let damaged = Sessions::read(&from.folder, &manifest.hash)?.damaged;
    let names = layout::names(&from.folder, SESSIONS)?.into_iter();
    let files = names.map(|name| (from, Path::new(SESSIONS).join(name)));
    let files: Vec<_> = files.filter(|(_, file)| damaged.iter().all(|(other, _)| other != file)).collect();
    writer.put_waves(&[wave(writer, &files)?.iter().collect()])
}
