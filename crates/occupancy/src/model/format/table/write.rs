//! Writes a model as a table; the grammar is at the head of [`super`].

use super::COLUMNS;
use super::comments::written;
use crate::cell::quoted;
use crate::model::Cmdp;
use crate::model::format::lines::{Fitting, Shortest, Written};
use std::fmt;
use std::io::{self, BufWriter, Write};

/// Writes a model as a table.
///
/// Numbers have the digits that are read back as the same number; names that would repeat get a number.
pub fn write(model: &Cmdp, to: impl Write) -> io::Result<()> {
    let mut to = BufWriter::new(to);
    write!(to, "{}", Table::of(&model.as_written(), model))?;
    to.flush()
}

/// The text that [`write()`] writes.
pub fn to_string(model: &Cmdp) -> String {
    Table::of(&model.as_written(), model).to_string()
}

struct Table<'a> {
    /// No cost is negated.
    model: &'a Cmdp,
    /// The model with its bounds.
    given: &'a Cmdp,
    states: Written<'a>,
    costs: Vec<String>,
}

impl<'a> Table<'a> {
    fn of(model: &'a Cmdp, given: &'a Cmdp) -> Table<'a> {
        let states = Written::of(model, Fitting::new(fit, &[]));
        let mut names = Fitting::new(fit, &COLUMNS);
        let costs = (0..model.costs()).map(|i| names.name(&model.names().cost(i))).collect();
        Table { model, given, states, costs }
    }

    fn outcomes(&self, f: &mut fmt::Formatter<'_>, state: &str, action: &str, pair: usize) -> fmt::Result {
        let signals = self.model.signals();
        for (next, probability) in self.model.kernel().row(pair).iter() {
            write!(f, "{state},{action},{},{}", quoted(&self.states.name(next)), Shortest(probability))?;
            for k in 0..signals.count() {
                write!(f, ",{}", Shortest(signals.realised(k, pair, next).unwrap_or(0.0)))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = self.model;
        for (i, cost) in self.costs.iter().enumerate() {
            let bound = self.given.bound(i);
            writeln!(f, "# budget {} {} {}", written(cost), bound.sign(), Shortest(bound.value()))?;
        }
        for &(state, probability) in model.start() {
            writeln!(f, "# start {} {}", written(&self.states.name(state)), Shortest(probability))?;
        }
        write!(f, "{}", COLUMNS.join(","))?;
        self.costs.iter().try_for_each(|cost| write!(f, ",{}", quoted(cost)))?;
        writeln!(f)?;
        for state in 0..model.states() {
            let (name, mut actions) = (quoted(&self.states.name(state)), Fitting::new(fit, &[]));
            for (index, pair) in model.pairs_of(state).enumerate() {
                let action = quoted(&actions.name(&model.names.action(pair, index)));
                self.outcomes(f, &name, &action, pair)?;
            }
        }
        Ok(())
    }
}

/// A cell holds every name but none.
fn fit(name: &str) -> String {
    if name.is_empty() { "_".to_string() } else { name.to_string() }
}
