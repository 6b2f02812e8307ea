//! Packing the runs of a folder: from a file each into some hundred files, with the same bytes inside.

use super::layout::{self, Found};
use super::packs::{self, Packs};
use super::receipt;
use super::{FolderWriter, Results};
use crate::error::{Damage, Error, Result};
use crate::parallel;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::path::Path;

/// So many runs are in a file at most.
const MOST_RUNS: usize = 1000;

/// What was packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    /// Runs that were packed now.
    pub runs: usize,
    /// Files of tables that were made.
    pub files: usize,
    /// The bytes of the tables as they were.
    pub before: u64,
    /// The bytes of the packed tables.
    pub after: u64,
}

/// A run to be packed: its learner, its number, its table and its receipt.
struct Run {
    label: String,
    run: u64,
    table: Vec<u8>,
    receipt: String,
}

/// Packs all runs of a folder that have files of their own; these are removed once the packed ones were read back. What is damaged is
/// an error, and nothing is packed then.
pub fn pack(folder: &Path) -> Result<Packed> {
    let results = Results::open(folder)?;
    results.check()?.refuse_damage(folder)?;
    let mut keys: Vec<(String, u64)> = Vec::new();
    for label in results.labels() {
        keys.extend(layout::runs(folder, label)?.0.into_iter().map(|run| (label.to_string(), run)));
    }
    let writer = FolderWriter { folder: folder.to_path_buf() };
    let mut packed = Packed::default();
    let first = results.packs().next_number();
    for (number, keys) in (first..).zip(keys.chunks(MOST_RUNS)) {
        let runs = parallel::map(keys, |(label, run)| read(folder, label, *run));
        let runs: Vec<Run> = runs.into_iter().collect::<Result<_>>()?;
        packed.after += write(&writer, number, &runs)?;
        packed.before += runs.iter().map(|run| run.table.len() as u64).sum::<u64>();
        packed.runs += runs.len();
        packed.files += 1;
        remove_loose(folder, &runs)?;
    }
    for label in results.labels() {
        // They are empty now, unless there is a stray file.
        let _ = std::fs::remove_dir(folder.join(layout::TRIALS).join(label));
        let _ = std::fs::remove_dir(folder.join(layout::TIMINGS).join(label));
    }
    let results = Results::open(folder)?;
    results.put("SHA256SUMS", results.sums()?.as_bytes())?;
    Ok(packed)
}

fn read(folder: &Path, label: &str, run: u64) -> Result<Run> {
    let bytes = |file: &Path| {
        let found = layout::read(&folder.join(file))?;
        found.bytes().map_err(|damage| layout::damaged(folder, file, damage))
    };
    let table = bytes(&layout::trial(label, run))?;
    let file = layout::timing(label, run);
    let text = String::from_utf8_lossy(&bytes(&file)?).into_owned();
    let row = text.strip_prefix(&receipt::head()).and_then(|rest| rest.strip_prefix('\n'));
    // Receipts of the first programs lack most of it: `run` writes them anew.
    let row = row.ok_or_else(|| layout::damaged(folder, &file, Damage::Line { line: 1 }))?;
    Ok(Run { label: label.to_string(), run, table, receipt: row.trim_end().to_string() })
}

/// Writes a pack and reads it back; returns the size of its tables.
fn write(writer: &FolderWriter, number: u32, runs: &[Run]) -> Result<u64> {
    let head = runs.first().map(|run| first_line(&run.table)).unwrap_or_default();
    let members = parallel::map(runs, |run| member(&lines_of(run)));
    let mut tables = member(packs::head_of_tables(&head).as_bytes());
    let mut list = packs::head_of_list();
    for (run, member) in runs.iter().zip(members) {
        let Run { label, run, receipt, .. } = run;
        list += &format!("{label},{run},{},{},{receipt}\n", tables.len(), member.len());
        tables.extend(member);
    }
    let size = tables.len() as u64;
    let (tables, list) = ((packs::tables(number), tables), (packs::list(number), member(list.as_bytes())));
    // The list comes second: a pack is there once it can be found.
    writer.put_waves(&[vec![&tables], vec![&list]])?;
    let back = Packs::of(&writer.folder, [number])?;
    let same = parallel::map(runs, |run| {
        let table = back.trial(&run.label, run.run).and_then(|(_, table)| table.ok());
        table.is_some_and(|table| table == run.table)
    });
    if same.into_iter().all(|same| same) {
        return Ok(size);
    }
    Err(layout::damaged(&writer.folder, &packs::tables(number), Damage::Checksum))
}

fn first_line(table: &[u8]) -> String {
    String::from_utf8_lossy(table).lines().next().unwrap_or_default().to_string()
}

/// The lines of a run behind its learner and number.
fn lines_of(run: &Run) -> Vec<u8> {
    let text = String::from_utf8_lossy(&run.table);
    let prefix = format!("{},{},", run.label, run.run);
    let mut lines = Vec::with_capacity(run.table.len() * 2);
    for line in text.lines().skip(1) {
        lines.extend_from_slice(prefix.as_bytes());
        lines.extend_from_slice(line.as_bytes());
        lines.push(b'\n');
    }
    lines
}

/// Bytes as a gzip member of their own.
fn member(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    // Writing into memory does not fail.
    let _ = packer.write_all(bytes);
    packer.finish().unwrap_or_default()
}

fn remove_loose(folder: &Path, runs: &[Run]) -> Result<()> {
    // Tables first: a run without its table is looked for in the packs, its receipt too.
    for file in [layout::trial, layout::timing] {
        let removed = parallel::map(runs, |run| {
            let path = folder.join(file(&run.label, run.run));
            match layout::read(&path)? {
                Found::Nothing => Ok(()),
                _ => std::fs::remove_file(&path).map_err(|source| Error::File { path, source }),
            }
        });
        removed.into_iter().collect::<Result<()>>()?;
    }
    Ok(())
}
