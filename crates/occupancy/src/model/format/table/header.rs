//! The header of a table: which column is what; the grammar is at the head of [`super`].

use super::COLUMNS;
use crate::cell;
use crate::error::Result;
use crate::model::CmdpBuilder;
use crate::model::cmdp::in_range;
use crate::model::format::ReadOptions;
use crate::model::format::lines::{expected, number, probability, twice};
use std::borrow::Cow;

/// Where the cells of a line are.
#[derive(Clone)]
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

/// A line of a table: an outcome of an action.
pub(super) struct Line<'c> {
    pub state: &'c str,
    pub action: &'c str,
    pub next: &'c str,
    pub probability: f64,
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

    /// What the cells of a line say; the reward and the costs are put into `signals`.
    pub fn line<'c>(
        &self,
        line: usize,
        cells: &'c [Cow<str>],
        options: ReadOptions,
        signals: &mut Vec<f64>,
    ) -> Result<Line<'c>> {
        if cells.len() != self.count {
            let wanted = format!("{} cells as in the header", self.count);
            return Err(expected(line, wanted, &cells.len().to_string()));
        }
        let name = |column: usize, what: &str| match cell::read(&cells[column]) {
            "" => Err(expected(line, format!("the name of {what}"), "")),
            name => Ok(name),
        };
        let (state, action) = (name(self.state, "a state")?, name(self.action, "an action")?);
        let (next, given) = (name(self.next, "the next state")?, &cells[self.probability]);
        let wanted = || expected(line, "a probability from 0 to 1", given);
        let probability = probability(given, options).ok_or_else(wanted)?;
        signals.clear();
        for (column, signal) in &self.signals {
            let value = number(&cells[*column]).filter(|&value| in_range(value));
            let wanted = || format!("{signal}, a finite number of at most 1e100 in size");
            signals.push(value.ok_or_else(|| expected(line, wanted(), &cells[*column]))?);
        }
        Ok(Line { state, action, next, probability })
    }

    /// Names the costs of a model, unless they are only indices.
    pub fn name_costs(&self, model: &mut CmdpBuilder) {
        if self.costs().enumerate().any(|(index, name)| name != format!("c{index}")) {
            model.cost_names(self.costs().map(String::from).collect());
        }
    }

    /// The names of the costs.
    pub fn costs(&self) -> impl ExactSizeIterator<Item = &str> {
        self.signals.iter().skip(1).map(|(_, name)| name.as_str())
    }
}
