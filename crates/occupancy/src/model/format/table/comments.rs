//! The comments of a table that say something: budgets and the start; the grammar is at the head of [`super`].

use super::header::Header;
use crate::error::Result;
use crate::model::Bound;
use crate::model::builder::check_start;
use crate::model::format::ReadOptions;
use crate::model::format::lines::{expected, number, probability, twice, unknown};
use crate::model::rows::{ROUNDED_SUMS, SUM_TOLERANCE};
use std::borrow::Cow;

/// What the comments say, each with its line.
#[derive(Default)]
pub(super) struct Comments {
    budgets: Vec<(usize, String, Bound)>,
    start: Vec<(usize, String, Option<f64>)>,
}

const BUDGET: &str = "`# budget NAME <= NUMBER` or `# budget NAME >= NUMBER`";
const START: &str = "`# start NAME PROBABILITY`";

impl Comments {
    /// Takes a comment, without its `#`.
    pub fn take(&mut self, line: usize, text: &str, options: ReadOptions) -> Result<()> {
        let text = text.trim();
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match first {
            "budget" => self.budget(line, rest.trim_start()),
            "start" => self.take_start(line, rest.trim_start(), options),
            _ => Ok(()),
        }
    }

    fn budget(&mut self, line: usize, text: &str) -> Result<()> {
        let wrong = || expected(line, BUDGET, text);
        let (name, rest) = word(text).ok_or_else(wrong)?;
        let (sign, value) = rest.split_at_checked(2).ok_or_else(wrong)?;
        let value = match (sign, value.trim()) {
            ("<=", "inf") => f64::INFINITY,
            (">=", "-inf") => f64::NEG_INFINITY,
            (_, value) => number(value).ok_or_else(wrong)?,
        };
        let bound = Bound::of(sign, value).ok_or_else(wrong)?;
        bound.check(&name).map_err(|error| error.at_line(line))?;
        self.budgets.push((line, name.into_owned(), bound));
        Ok(())
    }

    fn take_start(&mut self, line: usize, text: &str, options: ReadOptions) -> Result<()> {
        let wrong = || expected(line, START, text);
        let (name, rest) = word(text).ok_or_else(wrong)?;
        let given = (!rest.is_empty()).then(|| probability(rest, options).ok_or_else(wrong));
        self.start.push((line, name.into_owned(), given.transpose()?));
        Ok(())
    }

    /// The bound of every cost.
    pub fn bounds(&self, header: &Header) -> Result<Vec<Bound>> {
        let mut bounds = vec![Bound::AtMost(f64::INFINITY); header.costs().len()];
        let mut given = vec![false; bounds.len()];
        for (line, name, bound) in &self.budgets {
            let found = header.costs().position(|cost| cost == name);
            let cost = found.ok_or_else(|| unknown(*line, "cost", name, header.costs()))?;
            if std::mem::replace(&mut given[cost], true) {
                return Err(twice(*line, "the budget of", name));
            }
            bounds[cost] = *bound;
        }
        Ok(bounds)
    }

    /// Whether a start is given.
    pub fn has_start(&self) -> bool {
        !self.start.is_empty()
    }

    /// The start among so many states, which `find` finds by the line and the name.
    pub fn start(
        &self,
        states: usize,
        options: ReadOptions,
        find: impl Fn(usize, &str) -> Result<usize>,
    ) -> Result<Vec<(usize, f64)>> {
        let (alone, mut start) = (self.start.len() == 1, Vec::new());
        for (line, name, probability) in &self.start {
            let state = find(*line, name)?;
            let wanted = "a probability (only a single start may leave it out)";
            let given = probability.or(alone.then_some(1.0));
            start.push((state, given.ok_or_else(|| expected(*line, wanted, ""))?));
        }
        let within = if options.normalise { ROUNDED_SUMS } else { SUM_TOLERANCE };
        let last = self.start.last().map_or(1, |(line, ..)| *line);
        check_start(&start, states, within).map_err(|error| error.at_line(last))
    }
}

/// The next word, in quotes or not, and what follows it.
fn word(text: &str) -> Option<(Cow<'_, str>, &str)> {
    if text.starts_with('"') {
        return crate::cell::unquoted(text.strip_prefix('"')?).map(|(name, rest)| (name, rest.trim()));
    }
    let ends = |c: char| c.is_whitespace() || c == '<' || c == '>';
    let (name, rest) = text.split_at(text.find(ends).unwrap_or(text.len()));
    (!name.is_empty()).then(|| (name.into(), rest.trim()))
}

/// A name as a comment holds it.
pub(super) fn written(name: &str) -> String {
    let is_plain = !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || "<>\"".contains(c));
    if is_plain { name.to_string() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}
