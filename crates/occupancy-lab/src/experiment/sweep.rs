//! Sweeps: a list as the value of an option stands for every one of its values.
//!
//! With several lists, every combination is tried, the last list changing fastest.

use super::reader::Entry;
use crate::error::{KeyProblem, Result};
use occupancy::options::OptionInfo;

/// One of the values to try of an option.
#[derive(Clone, Debug)]
pub(super) struct Choice<'a> {
    pub key: &'a str,
    pub text: String,
    /// Whether it is one of a list, and so a part of the name.
    pub swept: bool,
    pub line: usize,
}

impl<'a> Choice<'a> {
    /// The values that an entry gives.
    pub fn of(entry: Entry<'a>, info: &OptionInfo) -> Result<Vec<Choice<'a>>> {
        let (texts, swept) = entry.sweep(info.form, info.expected)?;
        let (key, line) = (entry.key, entry.line);
        Ok(texts.into_iter().map(|text| Choice { key, text, swept, line }).collect())
    }
}

/// How many combinations of values a table may have, and how many learners all experiments of a file together.
pub(super) const MOST: usize = 10_000;

/// How long a name may be: systems allow 255 characters, and figures and tables add some.
const LONGEST: usize = 220;

/// A name with what the choices of a sweep add to it.
pub(super) fn full_name(name: &str, addition: &str) -> Result<String> {
    let name = format!("{name}{addition}");
    if name.len() > LONGEST {
        return Err(KeyProblem::LongName { name, most: LONGEST }.into());
    }
    Ok(name)
}

/// Every way to choose one of each.
pub(super) fn combinations<'a>(given: &[Vec<Choice<'a>>]) -> Result<Vec<Vec<Choice<'a>>>> {
    let count = given.iter().fold(1, |count: usize, values| count.saturating_mul(values.len()));
    if count > MOST {
        return Err(occupancy::Error::TooLarge { what: "combinations of values", most: MOST }.into());
    }
    Ok(given.iter().fold(vec![Vec::new()], |before, values| {
        let with = |chosen: &Vec<Choice<'a>>, value: &Choice<'a>| {
            chosen.iter().chain([value]).cloned().collect::<Vec<_>>()
        };
        before.iter().flat_map(|chosen| values.iter().map(move |value| with(chosen, value))).collect()
    }))
}

/// What the choices add to a name: `+coef=0.01+off_support=uniform`.
pub(super) fn joined(chosen: &[Choice]) -> String {
    let part = |choice: &Choice| format!("+{}={}", choice.key, tame(&choice.text));
    chosen.iter().filter(|choice| choice.swept).map(part).collect()
}

/// A text that can be a part of a file's name on every system.
fn tame(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.+=".contains(c) { c } else { '-' }).collect()
}

/// Whether a name can be that of a folder on every system, with room for what a sweep adds to it.
pub(super) fn is_tame(name: &str) -> bool {
    name.len() <= 150 && !name.ends_with('.') && is_tame_path(name)
}

/// Whether a full name, with what a sweep adds, stays in its folder.
pub(crate) fn is_tame_path(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && name.len() <= LONGEST && tame(name) == name
}
