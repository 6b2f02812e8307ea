//! The header of a table: which column is what; the grammar is at the head of [`super`].

use super::COLUMNS;
use crate::cell;
use crate::error::Result;
use crate::model::format::lines::{expected, twice};
use std::borrow::Cow;

/// Where the cells of a line are.
pub(super) struct Header {
    /// How many cells a line has.
    pub count: usize,
    pub state: usize,
    pub action: usize,
    pub next: usize,
    pub probability: usize,
    /// The reward and the costs: the column and its name.
    pub signals: Vec<(usize, String)>,
}

impl Header {
    pub fn of(line: usize, text: &str, cells: &[Cow<str>]) -> Result<Header> {
        let names: Vec<&str> = cells.iter().map(|name| cell::read(name)).collect();
        for (place, name) in names.iter().enumerate() {
            if names[..place].contains(name) {
                return Err(twice(line, "column", name));
            }
            if name.is_empty() {
                return Err(expected(line, format!("a name of column {}", place + 1), ""));
            }
        }
        let find = |column: &str| {
            let wanted = || format!("a header with the column {column} ({}, then costs)", COLUMNS.join(", "));
            names.iter().position(|name| *name == column).ok_or_else(|| expected(line, wanted(), text))
        };
        let [state, action, next, probability, reward] = COLUMNS;
        let costs = names.iter().enumerate().filter(|(_, name)| !COLUMNS.contains(name));
        let signals = std::iter::once((find(reward)?, reward.to_string()))
            .chain(costs.map(|(place, name)| (place, name.to_string())));
        Ok(Header {
            count: names.len(),
            state: find(state)?,
            action: find(action)?,
            next: find(next)?,
            probability: find(probability)?,
            signals: signals.collect(),
        })
    }

    /// The names of the costs.
    pub fn costs(&self) -> impl ExactSizeIterator<Item = &str> {
        self.signals.iter().skip(1).map(|(_, name)| name.as_str())
    }
}
