//! The formats of files: by their endings, and by what is in them.

use occupancy::model::{binary, table};
use std::borrow::Cow;
use std::path::Path;

/// The formats of files. Each may be packed by gzip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// A model in this project's text format.
    Text,
    /// A model in Storm's explicit format.
    Drn,
    /// A model as a plain table.
    Table,
    /// A map of a gridworld.
    Map,
    /// A model as bytes that keep every bit.
    Binary,
}

impl Format {
    /// The format of a file, by its ending.
    pub fn of(path: &Path) -> Option<Format> {
        let name = unpacked_name(path);
        match name.extension()?.to_string_lossy().to_lowercase().as_str() {
            "cmdp" => Some(Format::Text),
            "drn" => Some(Format::Drn),
            "csv" => Some(Format::Table),
            "map" | "txt" => Some(Format::Map),
            "occ" => Some(Format::Binary),
            _ => None,
        }
    }

    /// The format of some bytes: binary models begin with a word of their own, all else is text.
    pub fn of_bytes(bytes: &[u8]) -> Format {
        if bytes.starts_with(&binary::MAGIC) {
            return Format::Binary;
        }
        std::str::from_utf8(bytes).map_or(Format::Text, Format::of_content)
    }

    /// The format of a text: Storm's has sections that begin with `@`, a table has its header, a map has nothing but cells, and
    /// all else is taken for this project's own.
    pub fn of_content(text: &str) -> Format {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
        let is_map = |line: &str| line.chars().all(|c| c.is_whitespace() || "W0SGPX".contains(c));
        if lines.peek().is_some_and(|line| line.starts_with('@') || line.starts_with("//")) {
            Format::Drn
        } else if table::is_table(text) {
            Format::Table
        } else if lines.peek().is_some() && lines.all(is_map) {
            Format::Map
        } else {
            Format::Text
        }
    }
}

/// A path without the ending of packed files.
pub(super) fn unpacked_name(path: &Path) -> Cow<'_, Path> {
    let is_packed = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
    if is_packed { path.with_extension("").into() } else { path.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_of_a_file_is_in_its_ending_whatever_its_case() {
        let formats = ["a.cmdp", "a.DRN", "b/c.map", "c.Txt", "a.csv", "a.occ", "cmdp", "a.json", "a.gz"]
            .map(|path| Format::of(path.as_ref()));
        let [text, drn, map, table] = [Format::Text, Format::Drn, Format::Map, Format::Table].map(Some);
        assert_eq!(formats, [text, drn, map, map, table, Some(Format::Binary), None, None, None]);
        let packed =
            ["a.cmdp.gz", "a.drn.GZ", "a.b.map.gz", "a.csv.gz"].map(|path| Format::of(path.as_ref()));
        assert_eq!(packed, [text, drn, map, table]);
    }

    #[test]
    fn the_format_of_a_text_is_in_its_first_words() {
        let drn = "// made by hand\n@type: MDP\n";
        let table = "# a table\n\nstate, action, next, probability, reward\na,x,a,1,0\n";
        assert_eq!([drn, table].map(Format::of_content), [Format::Drn, Format::Table]);
        assert_eq!(["\nW S 0\nG P W\n", "SG"].map(Format::of_content), [Format::Map; 2]);
        assert_eq!(["", "# x", "state a\n x -> a", "S G #"].map(Format::of_content), [Format::Text; 4]);
    }
}
