//! Reads the text format; the grammar is at the head of [`super`].
//!
//! Two passes: the first collects costs, the start and the states, so that the second can read actions that lead to
//! states further down.

use super::declared::Declared;
use super::words::Words;
use crate::error::Result;
use crate::model::builder::check_start;
use crate::model::format::lines::{expected, twice};
use crate::model::format::{ReadOptions, file};
use crate::model::rows::{ROUNDED_SUMS, SUM_TOLERANCE};
use crate::model::{Cmdp, CmdpBuilder, Outcome};
use std::collections::HashSet;
use std::path::Path;

/// Reads a `.cmdp` file.
pub fn read(path: impl AsRef<Path>) -> Result<Cmdp> {
    let path = path.as_ref();
    parse(&file::read_text(path)?).map_err(|error| error.in_file(path))
}

/// Reads a text in the `.cmdp` format.
///
/// ```
/// let model = occupancy::model::text::parse("
///     cost heat <= 0.5
///     state idle
///       wait                    -> idle
///       work reward 1 heat 1    -> idle
/// ").unwrap();
/// assert_eq!((model.states(), model.pairs(), model.costs()), (1, 2, 1));
/// ```
pub fn parse(text: &str) -> Result<Cmdp> {
    parse_with(text, ReadOptions::default())
}

/// The same, with a say in how it is read.
pub fn parse_with(text: &str, options: ReadOptions) -> Result<Cmdp> {
    let mut declared = Declared::read(text, options)?;
    let free = vec![f64::INFINITY; declared.bounds.len()];
    let mut model = CmdpBuilder::new(declared.states.names.len(), &free);
    model.normalise(options.normalise);
    if let Some(mut words) = declared.start.take() {
        model.start_distribution(&declared.start(&mut words)?);
    }
    let mut states = 0;
    let mut actions = HashSet::new();
    for mut words in Words::of_lines(text) {
        if words.have_arrow() {
            let early = || expected(words.line, "a `state` line before the first action", words.text());
            let state = usize::checked_sub(states, 1).ok_or_else(early)?;
            declared.action(&mut words, state, &mut actions, &mut model)?;
        } else if words.peek() == Some("state") {
            states += 1;
            actions.clear();
        }
    }
    declared.name(&mut model);
    model.build()?.with_bounds(&declared.bounds)
}

/// An outcome as the line gives it.
struct Given<'a> {
    name: &'a str,
    next: usize,
    probability: Option<f64>,
    /// All signals, where the outcome has some of its own.
    signals: Option<Vec<f64>>,
}

impl<'a> Declared<'a> {
    /// Names what is not named by its index alone.
    fn name(&self, model: &mut CmdpBuilder) {
        let owned = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
        let states = &self.states.names;
        if states.iter().enumerate().any(|(index, name)| *name != index.to_string()) {
            model.state_names(owned(states));
        }
        let costs = self.signals.names.get(1..).unwrap_or_default();
        if costs.iter().enumerate().any(|(index, name)| *name != format!("c{index}")) {
            model.cost_names(owned(costs));
        }
    }

    fn start(&self, words: &mut Words<'a>) -> Result<Vec<(usize, f64)>> {
        let mut all = vec![self.place(words)?];
        while words.accept(",") {
            all.push(self.place(words)?);
        }
        words.end("`,` or the end of the line after a start state")?;
        let start = distribution(words.line, &all)?;
        let within = if self.options.normalise { ROUNDED_SUMS } else { SUM_TOLERANCE };
        check_start(&start, self.states.names.len(), within).map_err(|error| error.at_line(words.line))
    }

    fn action(
        &self,
        words: &mut Words<'a>,
        state: usize,
        actions: &mut HashSet<&'a str>,
        model: &mut CmdpBuilder,
    ) -> Result<()> {
        let name = words.name("the action's name")?;
        let index = actions.len();
        if !actions.insert(name) {
            return Err(twice(words.line, "action", name));
        }
        let signals = self.signals(words, vec![0.0; self.signals.names.len()])?;
        words.require("->", "a signal and its value, or ` -> ` before the successors")?;
        let outcomes = self.outcomes(words, &signals)?;
        let successors = distribution(words.line, &outcomes)?;
        model.line(words.line);
        if outcomes.iter().any(|outcome| outcome.signals.is_some()) {
            let with_signals = |(given, &(next, probability)): (&Given, &(usize, f64))| {
                let (reward, costs) = parts(given.signals.as_ref().unwrap_or(&signals));
                Outcome { next, probability, reward, costs: costs.to_vec() }
            };
            let outcomes: Vec<Outcome> = outcomes.iter().zip(&successors).map(with_signals).collect();
            model.outcomes(state, &outcomes);
        } else {
            let (reward, costs) = parts(&signals);
            model.pair(state, &successors, reward, costs);
        }
        if name != index.to_string() {
            model.action(name);
        }
        Ok(())
    }

    /// Replaces those signals that are given by their values.
    fn signals(&self, words: &mut Words<'a>, mut signals: Vec<f64>) -> Result<Vec<f64>> {
        let mut seen: Vec<usize> = Vec::new();
        while words.peek().is_some_and(|word| word != "->" && word != ")") {
            let name = words.name("a signal's name")?;
            let signal = self.signals.find(words.line, "signal", name)?;
            let value = words.number(&format!("the value of {name}, a finite number"))?;
            if seen.contains(&signal) {
                return Err(twice(words.line, "signal", name));
            }
            seen.push(signal);
            signals.iter_mut().skip(signal).take(1).for_each(|place| *place = value);
        }
        Ok(signals)
    }

    fn outcomes(&self, words: &mut Words<'a>, signals: &[f64]) -> Result<Vec<Given<'a>>> {
        let mut outcomes = Vec::new();
        loop {
            let mut outcome = self.place(words)?;
            if words.accept("(") {
                outcome.signals = Some(self.signals(words, signals.to_vec())?);
                words.require(")", "`)` after the signals of an outcome")?;
            }
            outcomes.push(outcome);
            if !words.accept(",") {
                words.end("`,`, signals in parentheses or the end of the line after a successor")?;
                return Ok(outcomes);
            }
        }
    }

    /// A state and, where it is given, its probability.
    fn place(&self, words: &mut Words<'a>) -> Result<Given<'a>> {
        let name = words.name("the name of a state")?;
        let next = self.states.find(words.line, "state", name)?;
        let ends = matches!(words.peek(), None | Some("," | "(" | ")"));
        let probability =
            if ends { None } else { Some(words.probability("a probability from 0 to 1", self.options)?) };
        Ok(Given { name, next, probability, signals: None })
    }
}

/// The reward and the costs.
fn parts(signals: &[f64]) -> (f64, &[f64]) {
    signals.split_first().map_or((0.0, &[]), |(&reward, costs)| (reward, costs))
}

/// The probabilities, of which one that is alone may be left out.
fn distribution(line: usize, all: &[Given]) -> Result<Vec<(usize, f64)>> {
    let alone = all.len() == 1;
    let probability = |given: &Given| {
        let wanted = || format!("a probability after {} (only a single state may leave it out)", given.name);
        let probability = given.probability.or(alone.then_some(1.0));
        probability.map(|p| (given.next, p)).ok_or_else(|| expected(line, wanted(), ""))
    };
    all.iter().map(probability).collect()
}
