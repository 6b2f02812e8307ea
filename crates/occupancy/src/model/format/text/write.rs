//! Writes a model in the text format; the grammar is at the head of [`super`].

use crate::model::Cmdp;
use crate::model::format::lines::{Fitting, Shortest, Written, fitting};
use std::fmt;
use std::io::{self, BufWriter, Write};

/// Writes a model in the `.cmdp` format.
///
/// Numbers have the digits that are read back as the same number. Characters that a name cannot hold become `_`, and
/// names that would repeat get a number.
pub fn write(model: &Cmdp, to: impl Write) -> io::Result<()> {
    let mut to = BufWriter::new(to);
    write!(to, "{}", Text::of(&model.as_written(), model))?;
    to.flush()
}

/// The text that [`write()`] writes.
pub fn to_string(model: &Cmdp) -> String {
    Text::of(&model.as_written(), model).to_string()
}

struct Text<'a> {
    /// No cost is negated.
    model: &'a Cmdp,
    /// The model with its bounds.
    given: &'a Cmdp,
    states: Written<'a>,
    /// The reward and the costs.
    signals: Vec<String>,
}

impl<'a> Text<'a> {
    fn of(model: &'a Cmdp, given: &'a Cmdp) -> Text<'a> {
        let states = Written::of(model, Fitting::new(fit, RESERVED));
        let mut names = Fitting::new(fit, RESERVED);
        let costs: Vec<String> = (0..model.costs()).map(|i| model.names().cost(i)).collect();
        let all = std::iter::once("reward").chain(costs.iter().map(String::as_str));
        let signals = all.map(|name| names.name(name)).collect();
        Text { model, given, states, signals }
    }

    fn action(&self, f: &mut fmt::Formatter<'_>, name: &str, pair: usize) -> fmt::Result {
        let model = self.model;
        // Where signals depend on the successor, the action shows those of its first one and the others differ.
        let realised = |successor: usize| -> Vec<f64> {
            let value = |k| model.signals().realised(k, pair, successor).unwrap_or(0.0);
            (0..self.signals.len()).map(value).collect()
        };
        let row: Vec<(usize, f64)> = model.kernel().row(pair).iter().collect();
        let shown = realised(row.first().map_or(0, |&(next, _)| next));
        write!(f, "  {name}")?;
        for (signal, &value) in self.signals.iter().zip(&shown).filter(|&(_, &value)| value != 0.0) {
            write!(f, " {signal} {}", Shortest(value))?;
        }
        write!(f, " ->")?;
        self.places(f, &row, |f, next| {
            if model.signals().depends_on_successor() {
                self.replaced(f, &shown, &realised(next))
            } else {
                Ok(())
            }
        })
    }

    /// The signals of an outcome that are not those of its action.
    fn replaced(&self, f: &mut fmt::Formatter<'_>, shown: &[f64], realised: &[f64]) -> fmt::Result {
        let values = self.signals.iter().zip(shown.iter().zip(realised));
        let mut open = " (";
        for (signal, (_, &value)) in values.filter(|(_, (shown, realised))| shown != realised) {
            write!(f, "{open}{signal} {}", Shortest(value))?;
            open = " ";
        }
        if open == " " { write!(f, ")") } else { Ok(()) }
    }

    /// States with their probabilities, which one that is alone leaves out.
    fn places(
        &self,
        f: &mut fmt::Formatter<'_>,
        places: &[(usize, f64)],
        mut after: impl FnMut(&mut fmt::Formatter<'_>, usize) -> fmt::Result,
    ) -> fmt::Result {
        for (index, &(state, probability)) in places.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma} {}", self.states.name(state))?;
            if places.len() > 1 {
                write!(f, " {}", Shortest(probability))?;
            }
            after(f, state)?;
        }
        writeln!(f)
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = self.model;
        for (i, cost) in self.signals.iter().skip(1).enumerate() {
            let bound = self.given.bound(i);
            writeln!(f, "cost {cost} {} {}", bound.sign(), Shortest(bound.value()))?;
        }
        write!(f, "start")?;
        self.places(f, model.start(), |_, _| Ok(()))?;
        for state in 0..model.states() {
            writeln!(f, "\nstate {}", self.states.name(state))?;
            let mut names = Fitting::new(fit, RESERVED);
            for (index, pair) in model.pairs_of(state).enumerate() {
                self.action(f, &names.name(&model.names.action(pair, index)), pair)?;
            }
        }
        Ok(())
    }
}

/// What would be taken for an arrow.
const RESERVED: &[&str] = &["->"];

fn fit(name: &str) -> String {
    fitting(name, |c| !matches!(c, ',' | '(' | ')' | '#'))
}
