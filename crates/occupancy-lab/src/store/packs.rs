//! Packed runs: many runs in few files, which pandas, polars and DuckDB read as they are.
//!
//! ```text
//! packed/0000.csv.gz            the tables of up to 1000 runs, one below the other: learner,run and the columns of a run
//! packed/0000.runs.csv.gz       a line for each of them: learner,run,offset,length and its receipt
//! ```
//!
//! A file of tables is a sequence of gzip members, one for the head and one for each run, so that a run is found by its offset
//! and length alone. Its lines are those of the file that it was, behind learner and run: the bytes of that file, and so its checksum
//! in the receipt, are the same. A run that has a file of its own besides is read from there.

use super::layout::{self, Found};
use super::receipt;
use crate::error::{Damage, Error, Result};
use flate2::read::GzDecoder;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The folder of packed runs.
pub(super) const PACKED: &str = "packed";
const TABLES: &str = ".csv.gz";
const RUNS: &str = ".runs.csv.gz";
/// What the lines of tables begin with.
const FIRST_COLUMNS: &str = "learner,run,";
const RUNS_COLUMNS: &str = "learner,run,offset,length,";
/// No table of a run is longer, unpacked.
const LONGEST: u64 = 1 << 30;

/// The bytes of a run's table, or what is wrong with it, and the file that they are in.
pub(super) type Table = (PathBuf, std::result::Result<Vec<u8>, Damage>);

/// All packed runs of a folder.
#[derive(Clone, Debug, Default)]
pub(super) struct Packs {
    folder: PathBuf,
    packs: Vec<Pack>,
    runs: BTreeMap<String, BTreeMap<u64, Place>>,
}

#[derive(Clone, Debug)]
struct Pack {
    number: u32,
    /// The first line of the table of a run.
    head: String,
}

#[derive(Clone, Debug)]
struct Place {
    pack: usize,
    offset: u64,
    length: u64,
    receipt: String,
}

/// The file of the tables of a pack.
pub(super) fn tables(number: u32) -> PathBuf {
    Path::new(PACKED).join(format!("{number:04}{TABLES}"))
}

/// The file that says which runs a pack has.
pub(super) fn list(number: u32) -> PathBuf {
    Path::new(PACKED).join(format!("{number:04}{RUNS}"))
}

/// The head of a file of tables, for runs whose tables have this one.
pub(super) fn head_of_tables(head: &str) -> String {
    format!("{FIRST_COLUMNS}{head}\n")
}

/// The head of a list of runs.
pub(super) fn head_of_list() -> String {
    format!("{RUNS_COLUMNS}{}\n", receipt::head())
}

impl Packs {
    /// What is packed in a folder.
    pub fn open(folder: &Path) -> Result<Packs> {
        let names = layout::names(folder, PACKED)?;
        let number = |name: &String| name.strip_suffix(RUNS).and_then(|number| number.parse().ok());
        Packs::of(folder, names.iter().filter_map(number))
    }

    /// What is in some packs of a folder.
    pub fn of(folder: &Path, numbers: impl IntoIterator<Item = u32>) -> Result<Packs> {
        let mut packs = Packs { folder: folder.to_path_buf(), ..Packs::default() };
        for number in numbers {
            packs.add(number).map_err(|damage| layout::damaged(folder, &list(number), damage))?;
        }
        Ok(packs)
    }

    fn add(&mut self, number: u32) -> std::result::Result<(), Damage> {
        let unpacked = |file: &Path| {
            let bytes =
                layout::read(&self.folder.join(file)).ok().map_or(Err(Damage::Missing), Found::bytes)?;
            let mut text = String::new();
            // The head is a member of its own: of the tables nothing else is read here.
            let read = GzDecoder::new(&bytes[..]).take(LONGEST).read_to_string(&mut text);
            read.map(|_| text).map_err(|_| Damage::Checksum)
        };
        let text = unpacked(&list(number))?;
        let head = self.head(number).map_err(|_| Damage::Missing)?;
        let pack = self.packs.len();
        let mut lines = text.lines();
        if lines.next() != Some(head_of_list().trim_end()) {
            return Err(Damage::Line { line: 1 });
        }
        for (line, row) in lines.enumerate() {
            let place = place_of(row, pack).ok_or(Damage::Line { line: line + 2 })?;
            let (label, run, place) = place;
            self.runs.entry(label).or_default().insert(run, place);
        }
        self.packs.push(Pack { number, head });
        Ok(())
    }

    /// The first line of the tables in a pack.
    fn head(&self, number: u32) -> Result<String> {
        let path = self.folder.join(tables(number));
        let failed = |source| Error::File { path: path.clone(), source };
        let mut head = String::new();
        let file = File::open(&path).map_err(failed)?;
        GzDecoder::new(file).take(1 << 20).read_to_string(&mut head).map_err(failed)?;
        let head = head.strip_prefix(FIRST_COLUMNS).unwrap_or_default().trim_end().to_string();
        Ok(head)
    }

    /// How many files of tables there are.
    pub fn next_number(&self) -> u32 {
        self.packs.iter().map(|pack| pack.number + 1).max().unwrap_or(0)
    }

    /// The files of all packs.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> + '_ {
        self.packs.iter().flat_map(|pack| [tables(pack.number), list(pack.number)])
    }

    /// The packed runs of a learner, ascending.
    pub fn runs(&self, label: &str) -> impl Iterator<Item = u64> + '_ {
        self.runs.get(label).into_iter().flat_map(|runs| runs.keys().copied())
    }

    fn place(&self, label: &str, run: u64) -> Option<&Place> {
        self.runs.get(label)?.get(&run)
    }

    /// The bytes of the receipt of a run.
    pub fn receipt(&self, label: &str, run: u64) -> Option<Vec<u8>> {
        let place = self.place(label, run)?;
        Some(format!("{}\n{}\n", receipt::head(), place.receipt).into_bytes())
    }

    /// The bytes of the table of a run, and the file that they are in; or what is wrong with it.
    pub fn trial(&self, label: &str, run: u64) -> Option<Table> {
        let place = self.place(label, run)?;
        let pack = &self.packs[place.pack];
        let file = tables(pack.number);
        let bytes = self.member(&file, place).and_then(|text| {
            let prefix = format!("{label},{run},");
            let mut table = String::with_capacity(text.len() + pack.head.len() + 1);
            table.push_str(&pack.head);
            table.push('\n');
            for line in text.lines() {
                table.push_str(line.strip_prefix(prefix.as_str())?);
                table.push('\n');
            }
            Some(table.into_bytes())
        });
        Some((file, bytes.ok_or(Damage::Checksum)))
    }

    fn member(&self, file: &Path, place: &Place) -> Option<String> {
        let mut from = File::open(self.folder.join(file)).ok()?;
        from.seek(SeekFrom::Start(place.offset)).ok()?;
        let mut packed = Vec::new();
        from.take(place.length).read_to_end(&mut packed).ok()?;
        let mut text = String::new();
        GzDecoder::new(&packed[..]).take(LONGEST).read_to_string(&mut text).ok()?;
        Some(text)
    }
}

/// A line of a list of runs: learner, run, and where it is.
fn place_of(row: &str, pack: usize) -> Option<(String, u64, Place)> {
    let mut cells = row.splitn(5, ',');
    let label = cells.next()?.to_string();
    let run = cells.next()?.parse().ok()?;
    let (offset, length) = (cells.next()?.parse().ok()?, cells.next()?.parse().ok()?);
    Some((label, run, Place { pack, offset, length, receipt: cells.next()?.to_string() }))
}
