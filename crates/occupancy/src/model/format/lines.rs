//! What the line-oriented formats share: numbers as people and programs write them, names that fit, and errors.
//!
//! ```text
//! number = decimal | decimal "/" decimal          such as 0.25, 1e-3, 1/3; finite, the divisor positive
//! ```

use super::ReadOptions;
use crate::error::{Error, LineProblem, visible};
use crate::model::listed::Listed;
use crate::model::rows::{ROUNDED_SUMS, SUM_TOLERANCE};
use crate::model::{Cmdp, Names};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

/// How much of a wrong word an error repeats.
const QUOTED: usize = 40;
/// How many of the known names an error lists.
const LISTED: usize = 10;

/// A finite number, as a decimal or a fraction of two.
pub(super) fn number(word: &str) -> Option<f64> {
    let decimal = |word: &str| word.parse().ok().filter(|value: &f64| value.is_finite());
    let value = match word.split_once('/') {
        None => decimal(word)?,
        Some((over, under)) => decimal(over)? / decimal(under).filter(|&under| under > 0.0)?,
    };
    value.is_finite().then_some(value)
}

/// A probability, with the slack that a distribution's sum is allowed.
pub(super) fn probability(word: &str, options: ReadOptions) -> Option<f64> {
    let slack = if options.normalise { ROUNDED_SUMS } else { SUM_TOLERANCE };
    number(word).filter(|value| (0.0..=1.0 + slack).contains(value))
}

/// A whole number of at least 0, in digits.
pub(super) fn whole(word: &str) -> Option<usize> {
    word.parse().ok().filter(|_| !word.starts_with('+'))
}

/// The error of a line in which something else was expected.
pub(super) fn expected(line: usize, expected: impl Into<String>, found: &str) -> Error {
    let found = if found.is_empty() { "nothing".to_string() } else { quoted(found) };
    Error::Line { line, problem: LineProblem::Expected { expected: expected.into(), found } }
}

/// The error of a name that is not known.
pub(super) fn unknown<'a>(
    line: usize,
    what: &'static str,
    name: &str,
    known: impl ExactSizeIterator<Item = &'a str>,
) -> Error {
    Error::Line { line, problem: LineProblem::Unknown { what, name: quoted(name), known: listed(known) } }
}

/// The error of a thing that is given twice.
pub(super) fn twice(line: usize, what: &'static str, name: &str) -> Error {
    Error::Line { line, problem: LineProblem::Twice { what, name: quoted(name) } }
}

/// The first names of a list.
pub(super) fn listed<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let count = names.len();
    if count == 0 {
        return "none".to_string();
    }
    let mut all = names.take(LISTED).collect::<Vec<_>>().join(", ");
    if count > LISTED {
        all.push_str(&format!(", … ({count} in all)"));
    }
    all
}

/// A word as an error repeats it: short, and without characters that move a cursor.
fn quoted(word: &str) -> String {
    let start: String = word.chars().take(QUOTED).collect();
    let more = if word.chars().nth(QUOTED).is_some() { "…" } else { "" };
    format!("`{}{more}`", visible(&start))
}

/// A number in the fewest digits that are read back as the same number.
pub(super) struct Shortest(pub f64);

impl fmt::Display for Shortest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || (1e-5..1e16).contains(&size) {
            write!(f, "{}", self.0)
        } else {
            write!(f, "{:e}", self.0)
        }
    }
}

/// Names that a format can hold, each once: they are made to fit, and repeated names get a number.
pub(super) struct Fitting<F> {
    fit: F,
    /// The names in use, each with the number that its next repetition gets.
    taken: HashMap<String, usize>,
}

impl<F: Fn(&str) -> String> Fitting<F> {
    /// Names as `fit` makes them, and none of those `reserved`.
    pub fn new(fit: F, reserved: &[&str]) -> Fitting<F> {
        Fitting { fit, taken: reserved.iter().map(|name| (name.to_string(), 2)).collect() }
    }

    /// The name to write.
    pub fn name(&mut self, name: &str) -> String {
        let fits = (self.fit)(name);
        let Some(&first) = self.taken.get(&fits) else {
            self.taken.insert(fits.clone(), 2);
            return fits;
        };
        let mut number = first;
        let mut free = format!("{fits}_{number}");
        while self.taken.contains_key(&free) {
            number += 1;
            free = format!("{fits}_{number}");
        }
        self.taken.insert(fits, number + 1);
        self.taken.insert(free.clone(), 2);
        free
    }
}

/// The names of states as a format writes them.
pub(super) enum Written<'a> {
    /// As the model has them: indices and cells fit everywhere, and none is repeated.
    Own(&'a Names),
    /// Made to fit.
    Fitted(Listed),
}

impl<'a> Written<'a> {
    pub fn of<F: Fn(&str) -> String>(model: &'a Cmdp, mut names: Fitting<F>) -> Written<'a> {
        if model.names().states_differ() {
            return Written::Own(model.names());
        }
        let own = (0..model.states()).map(|state| model.names().state(state));
        Written::Fitted(own.map(|name| names.name(&name)).collect())
    }

    pub fn name(&self, state: usize) -> Cow<'_, str> {
        match self {
            Written::Own(names) => names.state(state).into(),
            Written::Fitted(names) => names.get(state).unwrap_or_default().into(),
        }
    }
}

/// The name with `_` for white space, control characters and what does not satisfy `holds`.
pub(super) fn fitting(name: &str, holds: impl Fn(char) -> bool) -> String {
    let fits = |c: char| !c.is_whitespace() && !c.is_control() && holds(c);
    let name: String = name.chars().map(|c| if fits(c) { c } else { '_' }).collect();
    if name.is_empty() { "_".to_string() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_finite_decimals_or_fractions() {
        for (word, value) in [("0.25", 0.25), ("1e-3", 1e-3), ("1/4", 0.25), ("-1/2", -0.5), (".5", 0.5)] {
            assert_eq!(number(word), Some(value), "{word}");
        }
        for word in
            ["", "nan", "NaN", "inf", "-infinity", "1e999", "1/0", "1/inf", "1/-2", "1/2/3", "0x1", "1,5"]
        {
            assert_eq!(number(word), None, "{word}");
        }
    }

    #[test]
    fn whole_numbers_are_digits_that_fit() {
        assert_eq!(whole("17"), Some(17));
        for word in ["", "+1", "-1", "1.0", "99999999999999999999999"] {
            assert_eq!(whole(word), None, "{word}");
        }
    }

    #[test]
    fn written_numbers_are_short_and_read_back_the_same() {
        for value in [0.1, -1e-300, 1e300, 5e-324, f64::MAX, 1.0 / 3.0, 0.0, 123456.0] {
            let text = Shortest(value).to_string();
            assert_eq!(number(&text), Some(value));
            assert!(text.len() < 25, "{text}");
        }
    }

    #[test]
    fn a_long_or_strange_word_is_repeated_shortly() {
        assert_eq!(quoted(&"x".repeat(1000)).chars().count(), QUOTED + 3);
        assert_eq!(quoted("a\u{1b}b"), "`a\\u{1b}b`");
    }

    #[test]
    fn names_that_collide_get_a_number() {
        let mut names = Fitting::new(|name| fitting(name, |c| c != '#'), &["reward"]);
        let written: Vec<String> =
            ["a b", "a_b", "", "reward", "a#b"].iter().map(|name| names.name(name)).collect();
        assert_eq!(written, ["a_b", "a_b_2", "_", "reward_2", "a_b_3"]);
    }
}
