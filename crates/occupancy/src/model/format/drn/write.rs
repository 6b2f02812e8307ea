//! Writes a model in DRN; the grammar is at the head of [`super`].

use crate::model::format::lines::{Fitting, Shortest, fitting};
use crate::model::{Cmdp, Row};
use std::fmt;
use std::io::{self, BufWriter, Write};

/// Writes a model in DRN: the reward as `r`, the costs under their names, the budgets as comments.
///
/// Numbers have the digits that are read back as the same number. Characters that a name cannot hold in this format
/// (white space, brackets) become `_`.
pub fn write(model: &Cmdp, to: impl Write) -> io::Result<()> {
    let mut to = BufWriter::new(to);
    write!(to, "{}", Drn { model: &model.as_written(), given: model })?;
    to.flush()
}

/// The text that [`write()`] writes.
pub fn to_string(model: &Cmdp) -> String {
    Drn { model: &model.as_written(), given: model }.to_string()
}

struct Drn<'a> {
    /// No cost is negated.
    model: &'a Cmdp,
    /// The model with its bounds.
    given: &'a Cmdp,
}

impl fmt::Display for Drn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = self.model;
        let one_start = matches!(model.start(), [_]);
        self.header(f, if one_start { 0 } else { 1 })?;
        for state in 0..model.states() {
            let init = one_start && model.start().iter().any(|&(start, _)| start == state);
            writeln!(f, "state {state}{}", if init { " init" } else { "" })?;
            for (index, pair) in model.pairs_of(state).enumerate() {
                let name = fitting(&model.names.action(pair, index), holds);
                self.action(f, &name, |k| model.signals().signal(k)[pair])?;
                successors(f, model.kernel().row(pair))?;
            }
        }
        if one_start { Ok(()) } else { self.added_start(f) }
    }
}

impl Drn<'_> {
    fn header(&self, f: &mut fmt::Formatter<'_>, added: usize) -> fmt::Result {
        let model = self.model;
        let mut names = Fitting::new(|name| fitting(name, holds), &["r"]);
        let costs: Vec<String> = (0..model.costs()).map(|i| names.name(&model.names().cost(i))).collect();
        for (i, cost) in costs.iter().enumerate() {
            let bound = self.given.bound(i);
            writeln!(f, "// budget: {cost} {} {}", bound.sign(), Shortest(bound.value()))?;
        }
        writeln!(f, "@type: MDP\n@parameters\n\n@reward_models")?;
        let rewards: Vec<&str> = std::iter::once("r").chain(costs.iter().map(String::as_str)).collect();
        writeln!(f, "{}", rewards.join(" "))?;
        writeln!(f, "@nr_states\n{}", model.states() + added)?;
        writeln!(f, "@nr_choices\n{}\n@model", model.pairs() + added)
    }

    fn action(&self, f: &mut fmt::Formatter<'_>, name: &str, signal: impl Fn(usize) -> f64) -> fmt::Result {
        write!(f, "\taction {name} [")?;
        for k in 0..self.model.signals().count() {
            write!(f, "{}{}", if k == 0 { "" } else { ", " }, Shortest(signal(k)))?;
        }
        writeln!(f, "]")
    }

    fn added_start(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.model.states();
        writeln!(f, "state {state} init\n// added: its one action draws the start")?;
        self.action(f, "0", |_| 0.0)?;
        self.model.start().iter().try_for_each(|&(next, p)| successor(f, next, p))
    }
}

fn successors(f: &mut fmt::Formatter<'_>, row: Row<'_>) -> fmt::Result {
    let mut entries = row.iter();
    entries.try_for_each(|(next, p)| successor(f, next, p))
}

fn successor(f: &mut fmt::Formatter<'_>, next: usize, probability: f64) -> fmt::Result {
    writeln!(f, "\t\t{next} : {}", Shortest(probability))
}

/// The characters of a name: a bracket would start the rewards, `@` a section, `/` a comment, `"` a quoted label.
fn holds(c: char) -> bool {
    !['[', ']', '@', '/', '"'].contains(&c)
}
