//! Tables of a TOML text: every key is asked for by what it should be, and refused with its line where it is not.

use crate::error::{Error, KeyProblem, Result};
use occupancy::options::Form;
use std::ops::RangeInclusive;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A table of the text.
#[derive(Clone, Copy)]
pub(super) struct Section<'a> {
    text: &'a str,
    table: &'a DeTable<'a>,
    /// How messages name it: empty for the whole, otherwise such as ` in [env]`.
    pub within: &'static str,
    /// The line where it begins.
    pub line: usize,
}

/// A key and its value.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a> {
    pub key: &'a str,
    pub line: usize,
    value: &'a DeValue<'a>,
}

/// The tables of a text.
pub(super) fn parse(text: &str) -> Result<Spanned<DeTable<'_>>> {
    DeTable::parse(text).map_err(|error| {
        let line = line_of(text, error.span().map_or(0, |span| span.start));
        let message = error.message().lines().collect::<Vec<_>>().join(", ");
        Error::from(KeyProblem::Syntax { message }).at_line(line)
    })
}

/// The line that a byte is in, from 1.
fn line_of(text: &str, byte: usize) -> usize {
    1 + text.as_bytes().iter().take(byte).filter(|&&byte| byte == b'\n').count()
}

impl<'a> Section<'a> {
    /// The whole text.
    pub fn whole(text: &'a str, table: &'a DeTable<'a>) -> Section<'a> {
        Section { text, table, within: "", line: 1 }
    }

    /// All keys, in the order of the text.
    pub fn entries(self) -> impl Iterator<Item = Entry<'a>> {
        self.table.iter().map(move |(key, value)| Entry {
            key: key.get_ref(),
            line: line_of(self.text, key.span().start),
            value: value.get_ref(),
        })
    }

    /// The entry of a key.
    pub fn get(self, key: &str) -> Option<Entry<'a>> {
        self.entries().find(|entry| entry.key == key)
    }

    /// The error of a key that has to be there.
    pub fn missing(self, key: &'static str, expected: &'static str) -> Error {
        Error::from(KeyProblem::Missing { key, within: self.within, expected }).at_line(self.line)
    }

    /// Refuses every key but these.
    pub fn only(self, known: &[&str]) -> Result<()> {
        match self.entries().find(|entry| !known.contains(&entry.key)) {
            None => Ok(()),
            Some(entry) => {
                let (key, known) = (entry.key.to_string(), known.join(", "));
                Err(entry.wrong(KeyProblem::Unknown { key, within: self.within, known }))
            }
        }
    }

    /// A table below this one.
    pub fn section(self, key: &str, within: &'static str) -> Result<Option<Section<'a>>> {
        let Some(entry) = self.get(key) else { return Ok(None) };
        match entry.value {
            DeValue::Table(table) => Ok(Some(Section { text: self.text, table, within, line: entry.line })),
            _ => Err(entry.unlike(&format!("a table, written as [{key}]"))),
        }
    }

    /// The tables of a list of tables.
    pub fn sections(self, key: &str, within: &'static str) -> Result<Vec<Section<'a>>> {
        let Some(entry) = self.get(key) else { return Ok(Vec::new()) };
        let refused = || entry.unlike(&format!("tables, each written as [[{key}]]"));
        let DeValue::Array(values) = entry.value else { return Err(refused()) };
        let section = |value: &'a Spanned<DeValue<'a>>| match value.get_ref() {
            DeValue::Table(table) => {
                let line = line_of(self.text, value.span().start);
                Ok(Section { text: self.text, table, within, line })
            }
            _ => Err(refused()),
        };
        values.iter().map(section).collect()
    }
}

impl<'a> Entry<'a> {
    /// An error at this key.
    pub fn wrong(self, problem: KeyProblem) -> Error {
        Error::from(problem).at_line(self.line)
    }

    /// The error of a value that is not what it should be.
    pub fn unlike(self, expected: &str) -> Error {
        let (key, found, expected) = (self.key.to_string(), shown(self.value), expected.to_string());
        self.wrong(KeyProblem::Value { key, found, expected })
    }

    /// Yes or no.
    pub fn flag(self) -> Result<bool> {
        self.value.as_bool().ok_or_else(|| self.unlike("true or false"))
    }

    /// A whole number.
    pub fn count(self, range: RangeInclusive<u64>) -> Result<u64> {
        let (least, most) = (range.start(), range.end());
        let given = scalar(self.value, Form::Count).and_then(|text| text.parse().ok());
        let expected = || format!("a whole number from {least} to {most}");
        given.filter(|count| range.contains(count)).ok_or_else(|| self.unlike(&expected()))
    }

    /// A whole number or a list of them.
    pub fn counts(self, range: RangeInclusive<u64>) -> Result<Vec<u64>> {
        match self.value {
            DeValue::Array(values) if !values.is_empty() => values
                .iter()
                .map(|value| Entry { value: value.get_ref(), ..self }.count(range.clone()))
                .collect(),
            _ => Ok(vec![self.count(range)?]),
        }
    }

    /// A text.
    pub fn word(self, expected: &str) -> Result<&'a str> {
        self.value.as_str().ok_or_else(|| self.unlike(expected))
    }

    /// A list of texts.
    pub fn words(self, expected: &str) -> Result<Vec<&'a str>> {
        let words = self.value.as_array().and_then(|values| {
            values.iter().map(|value| value.get_ref().as_str()).collect::<Option<Vec<&str>>>()
        });
        words.ok_or_else(|| self.unlike(expected))
    }

    /// The value of an option as a text.
    pub fn option(self, form: Form, expected: &str) -> Result<String> {
        scalar(self.value, form).ok_or_else(|| self.unlike(expected))
    }

    /// The values of an option as texts, and whether they are a list to be tried one by one.
    pub fn sweep(self, form: Form, expected: &str) -> Result<(Vec<String>, bool)> {
        let inner = |value: &'a Spanned<DeValue<'a>>| Entry { value: value.get_ref(), ..self };
        match self.value {
            DeValue::Array(values) if is_sweep(values.iter().map(Spanned::get_ref), form) => {
                let texts = values.iter().map(|value| inner(value).option(form, expected));
                Ok((texts.collect::<Result<_>>()?, true))
            }
            DeValue::Array(values) if values.is_empty() => {
                Err(self.unlike(&format!("{expected}; or a list of at least one such value, to try each")))
            }
            _ => Ok((vec![self.option(form, expected)?], false)),
        }
    }
}

/// Whether a list stands for several values: an option that takes lists needs a list of lists.
fn is_sweep<'a>(mut values: impl Iterator<Item = &'a DeValue<'a>>, form: Form) -> bool {
    values.next().is_some_and(|first| form != Form::Numbers || first.is_array())
}

/// A value as the text that options are read from, if it has the right type.
fn scalar(value: &DeValue, form: Form) -> Option<String> {
    let whole = |value: &DeValue| {
        let number = value.as_integer()?;
        i128::from_str_radix(number.as_str(), number.radix()).ok().map(|number| number.to_string())
    };
    let number = |value: &DeValue| whole(value).or_else(|| Some(value.as_float()?.as_str().to_string()));
    let word = |value: &DeValue| value.as_str().map(String::from);
    let no_number = |text: &String| text.trim().parse::<f64>().is_err();
    match form {
        Form::Flag => value.as_bool().map(|flag| flag.to_string()),
        Form::Count => whole(value),
        Form::Number => number(value),
        Form::Word => word(value),
        Form::NumberOrWord => number(value).or_else(|| word(value).filter(no_number)),
        Form::CountOrWord => whole(value).or_else(|| word(value).filter(no_number)),
        Form::Numbers => match value {
            DeValue::Array(values) if !values.is_empty() => {
                let texts = values.iter().map(|value| number(value.get_ref()));
                texts.collect::<Option<Vec<String>>>().map(|texts| texts.join(","))
            }
            value => number(value),
        },
    }
}

/// A value as messages repeat it.
fn shown(value: &DeValue) -> String {
    match value {
        DeValue::String(text) => format!("the text {text:?}"),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(_) => "a date".into(),
        DeValue::Array(values) if values.is_empty() => "an empty list".into(),
        DeValue::Array(_) => "a list".into(),
        DeValue::Table(_) => "a table".into(),
    }
}
