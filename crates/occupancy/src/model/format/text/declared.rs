//! The first pass over a text: costs, the start and the states; the grammar is at the head of [`super`].

use super::words::Words;
use crate::error::Result;
use crate::model::Bound;
use crate::model::format::ReadOptions;
use crate::model::format::lines::{expected, twice, unknown};
use std::collections::HashMap;

/// Names in the order of their declaration, and the place of each.
#[derive(Default)]
pub(super) struct Index<'a> {
    pub names: Vec<&'a str>,
    places: HashMap<&'a str, usize>,
}

impl<'a> Index<'a> {
    pub fn add(&mut self, line: usize, what: &'static str, name: &'a str) -> Result<()> {
        if self.places.insert(name, self.names.len()).is_some() {
            return Err(twice(line, what, name));
        }
        self.names.push(name);
        Ok(())
    }

    pub fn find(&self, line: usize, what: &'static str, name: &str) -> Result<usize> {
        let found = self.places.get(name).copied();
        found.ok_or_else(|| unknown(line, what, name, self.names.iter().copied()))
    }
}

/// What the lines other than actions declare.
#[derive(Default)]
pub(super) struct Declared<'a> {
    pub states: Index<'a>,
    /// The reward and the costs.
    pub signals: Index<'a>,
    pub bounds: Vec<Bound>,
    /// The line of the start, after its first word.
    pub start: Option<Words<'a>>,
    pub options: ReadOptions,
}

/// `<=` or `>=` and a number; `inf` for no constraint, `-inf` below.
fn bound(words: &mut Words) -> Result<Bound> {
    if words.accept(">=") {
        let none = words.accept("-inf");
        let wanted = "the least value, a number or -inf";
        return Ok(Bound::AtLeast(if none { f64::NEG_INFINITY } else { words.number(wanted)? }));
    }
    words.require("<=", "`<=` or `>=` and a budget")?;
    let none = words.accept("inf");
    Ok(Bound::AtMost(if none { f64::INFINITY } else { words.number("the budget, a number or inf")? }))
}

impl<'a> Declared<'a> {
    pub fn read(text: &'a str, options: ReadOptions) -> Result<Declared<'a>> {
        let mut declared = Declared { options, ..Declared::default() };
        declared.signals.add(1, "signal", "reward")?;
        for words in Words::of_lines(text).filter(|words| !words.have_arrow()) {
            declared.line(words)?;
        }
        Ok(declared)
    }

    fn line(&mut self, mut words: Words<'a>) -> Result<()> {
        let (line, text) = (words.line, words.text());
        match words.next() {
            Some("state") => self.state(words),
            Some("cost") => self.cost(words),
            Some("start") if self.start.is_some() => Err(twice(line, "the line", "start")),
            Some("start") => {
                self.start = Some(words);
                Ok(())
            }
            _ => {
                let wanted = "`cost`, `start`, `state`, or an action with ` -> ` before its successors";
                Err(expected(line, wanted, text))
            }
        }
    }

    fn state(&mut self, mut words: Words<'a>) -> Result<()> {
        let name = words.name("the state's name")?;
        words.end("the end of the line after the state's name")?;
        self.states.add(words.line, "state", name)
    }

    fn cost(&mut self, mut words: Words<'a>) -> Result<()> {
        let name = words.name("the cost's name")?;
        let bound = bound(&mut words)?;
        words.end("the end of the line after the budget")?;
        bound.check(name).map_err(|error| error.at_line(words.line))?;
        self.bounds.push(bound);
        self.signals.add(words.line, "signal", name)
    }
}
