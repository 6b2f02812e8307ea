//! Reads a table; the grammar is at the head of [`super`].
//!
//! Tables of large models are written state by state, and mostly by the numbers of states: each row goes to the model as it is read,
//! and the text is not in memory. What is not so is begun again: by names, and at last by collecting lines that stand anywhere.

use super::comments::Comments;
use super::header::{Header, Line};
use super::scattered::Scattered;
use super::together::{Places, Together};
use crate::cell;
use crate::error::{Error, LineProblem, Result};
use crate::model::Cmdp;
use crate::model::format::ReadOptions;
use crate::model::format::blocks::Blocks;
use crate::model::format::lines::expected;
use crate::model::format::stream::{Meter, Unpacked};
use std::path::Path;

/// Reads a table from a file.
pub fn read(path: impl AsRef<Path>) -> Result<Cmdp> {
    read_with(path, ReadOptions::default(), &Meter::default())
}

/// The same, with a say in how it is read, and a meter of how far it has come.
pub fn read_with(path: impl AsRef<Path>, options: ReadOptions, meter: &Meter) -> Result<Cmdp> {
    let path = path.as_ref();
    let blocks = || Ok(Blocks::of(Unpacked::of_file(path, meter)?));
    read_blocks(blocks, options).map_err(|error| error.in_file_once(path))
}

/// Reads a table.
///
/// ```
/// let model = occupancy::model::table::parse("\
/// ## budget heat <= 0.5
/// state, action, next, probability, reward, heat
/// idle,  wait,   idle, 1,           0,      0
/// idle,  work,   idle, 1,           1,      1
/// ").unwrap();
/// assert_eq!((model.states(), model.pairs(), model.costs()), (1, 2, 1));
/// ```
pub fn parse(text: &str) -> Result<Cmdp> {
    parse_with(text, ReadOptions::default())
}

/// The same, with a say in how it is read.
pub fn parse_with(text: &str, options: ReadOptions) -> Result<Cmdp> {
    read_blocks(|| Blocks::of_text(text), options)
}

/// Reads a table that can be read several times.
fn read_blocks<'a>(blocks: impl Fn() -> Result<Blocks<'a>>, options: ReadOptions) -> Result<Cmdp> {
    for places in [Places::numbers, Places::names] {
        let begin = |header| Together::new(header, options, places());
        let fits =
            |table: &mut Together, line, given: &Line, signals: &[f64]| table.line(line, given, signals);
        if let Some((table, comments)) = lines(blocks()?, options, begin, fits)?
            && let Some(model) = table.finish(&comments)?
        {
            return Ok(model);
        }
    }
    let begin = |header| Scattered::new(header, options);
    let take = |table: &mut Scattered, line, given: &Line, signals: &[f64]| {
        table.line(line, given, signals);
        true
    };
    let (table, comments) = lines(blocks()?, options, begin, take)?.ok_or_else(|| missing(1))?;
    table.finish(&comments)
}

/// Hands every line to what its header begins; nothing if that refuses one.
fn lines<T>(
    mut blocks: Blocks<'_>,
    options: ReadOptions,
    begin: impl Fn(Header) -> T,
    take: impl Fn(&mut T, usize, &Line, &[f64]) -> bool,
) -> Result<Option<(T, Comments)>> {
    let (mut comments, mut table, mut signals, mut last) = (Comments::default(), None, Vec::new(), 1);
    let mut header: Option<Header> = None;
    while let Some((first, block)) = blocks.next()? {
        let mut cells = Vec::new();
        for (line, text) in (first..).zip(block.lines()).filter(|(_, text)| !text.trim().is_empty()) {
            last = line;
            if let Some(comment) = text.trim_start().strip_prefix('#') {
                comments.take(line, comment, options)?;
                continue;
            }
            cell::split(text, &mut cells)
                .map_err(|rest| expected(line, "a closing quote, and a comma after it", rest))?;
            let (Some(header), Some(table)) = (&header, &mut table) else {
                let found = Header::of(line, text, &cells)?;
                (table, header) = (Some(begin(found.clone())), Some(found));
                continue;
            };
            let given = header.line(line, &cells, options, &mut signals)?;
            if !take(table, line, &given, &signals) {
                return Ok(None);
            }
        }
    }
    table.map(|table| Some((table, comments))).ok_or_else(|| missing(last))
}

fn missing(line: usize) -> Error {
    let expected = "a header: state, action, next, probability, reward, and costs".into();
    Error::Line { line, problem: LineProblem::Ends { expected } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::EnvConfig;
    use crate::model::{binary, table};

    /// The bytes of a model as it is read by one of the ways.
    fn bytes(model: &Cmdp) -> Vec<u8> {
        let mut bytes = Vec::new();
        binary::write(model, &mut bytes).unwrap();
        bytes
    }

    fn scattered(text: &str) -> Vec<u8> {
        let options = ReadOptions::default();
        let take = |table: &mut Scattered, line, given: &Line, signals: &[f64]| {
            table.line(line, given, signals);
            true
        };
        let blocks = Blocks::of_text(text).unwrap();
        let read = lines(blocks, options, |header| Scattered::new(header, options), take);
        let (table, comments) = read.unwrap().unwrap();
        bytes(&table.finish(&comments).unwrap())
    }

    fn together(text: &str, places: fn() -> Places) -> Option<Vec<u8>> {
        let options = ReadOptions::default();
        let fits =
            |table: &mut Together, line, given: &Line, signals: &[f64]| table.line(line, given, signals);
        let begin = |header| Together::new(header, options, places());
        let (table, comments) = lines(Blocks::of_text(text).unwrap(), options, begin, fits).unwrap()?;
        table.finish(&comments).unwrap().map(|model| bytes(&model))
    }

    #[test]
    fn a_table_read_as_it_comes_has_every_bit_of_one_that_is_collected_first() {
        let slip = [("slip".to_string(), "0.3".to_string())];
        for (name, options) in [
            ("marsrover-8x8", &slip[..]),
            ("box", &slip),
            ("river-swim", &[]),
            ("garnet", &[]),
            ("queue", &[]),
        ] {
            let model = EnvConfig::from_options(name, options).unwrap().build().unwrap().model;
            let text = table::to_string(&model);
            let whole = scattered(&text);
            let is_numbered = !model.names().has_states();
            assert_eq!(together(&text, Places::names).as_ref(), Some(&whole), "{name}");
            assert_eq!(together(&text, Places::numbers), is_numbered.then_some(whole), "{name}");
        }
    }

    #[test]
    fn successors_named_before_their_own_lines_are_sorted_by_their_numbers() {
        // State z is named third and begins second, so that the row of `go` turns round; its mean is a sum in that order.
        let text = "state,action,next,probability,reward,c\n\
                    a,go,y,0.1,1,0.3\na,go,z,0.2,2,0.7\na,go,a,0.7,3,0.11\n\
                    z,0,a,1,0,0\ny,0,a,1,0,0\n";
        let whole = scattered(text);
        assert_eq!(together(text, Places::names), Some(whole.clone()));
        assert_eq!(bytes(&parse(text).unwrap()), whole);
    }

    #[test]
    fn lines_that_stand_anywhere_are_collected() {
        let apart = "state,action,next,probability,reward\n0,x,1,0.5,0\n1,x,0,1,0\n0,x,0,0.5,0\n";
        assert_eq!(together(apart, Places::numbers), None);
        assert_eq!(together(apart, Places::names), None);
        let two = "state,action,next,probability,reward\n0,x,0,0.5,0\n0,y,0,1,0\n0,x,0,0.5,0\n";
        assert_eq!(together(two, Places::numbers), None);
        for text in [apart, two] {
            assert_eq!(bytes(&parse(text).unwrap()), scattered(text));
        }
        // Numbers that are not written as numbers are names.
        let names = "state,action,next,probability,reward\n0,x,00,1,0\n00,x,0,1,0\n";
        assert_eq!(together(names, Places::numbers), None);
        assert_eq!(parse(names).unwrap().names().state(1), "00");
    }
}
