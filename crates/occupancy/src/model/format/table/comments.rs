//! The comments of a table that say something: budgets and the start; the grammar is at the head of [`super`].

use crate::error::Result;
use crate::model::Bound;
use crate::model::format::ReadOptions;
use crate::model::format::lines::{expected, number, probability};
use std::borrow::Cow;

/// What the comments say, each with its line.
#[derive(Default)]
pub(super) struct Comments<'a> {
    pub budgets: Vec<(usize, Cow<'a, str>, Bound)>,
    pub start: Vec<(usize, Cow<'a, str>, Option<f64>)>,
}

const BUDGET: &str = "`# budget NAME <= NUMBER` or `# budget NAME >= NUMBER`";
const START: &str = "`# start NAME PROBABILITY`";

impl<'a> Comments<'a> {
    /// Takes a comment, without its `#`.
    pub fn take(&mut self, line: usize, text: &'a str, options: ReadOptions) -> Result<()> {
        let text = text.trim();
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match first {
            "budget" => self.budget(line, rest.trim_start()),
            "start" => self.start(line, rest.trim_start(), options),
            _ => Ok(()),
        }
    }

    fn budget(&mut self, line: usize, text: &'a str) -> Result<()> {
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
        self.budgets.push((line, name, bound));
        Ok(())
    }

    fn start(&mut self, line: usize, text: &'a str, options: ReadOptions) -> Result<()> {
        let wrong = || expected(line, START, text);
        let (name, rest) = word(text).ok_or_else(wrong)?;
        let given = (!rest.is_empty()).then(|| probability(rest, options).ok_or_else(wrong));
        self.start.push((line, name, given.transpose()?));
        Ok(())
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
