//! Reads the states of a DRN file; the grammar is at the head of [`super`].
//!
//! One pass, one line at a time, nothing allocated from a number that the file declares.

use super::DrnSignals;
use super::header::{Header, Lines};
use crate::error::{Error, LineProblem, Result};
use crate::model::format::lines::{expected, probability, whole};
use crate::model::format::{ReadOptions, file};
use crate::model::{Cmdp, CmdpBuilder};
use std::path::Path;

/// Reads a DRN file.
pub fn read(path: impl AsRef<Path>, signals: &DrnSignals) -> Result<Cmdp> {
    let path = path.as_ref();
    parse(&file::read_text(path)?, signals).map_err(|error| error.in_file(path))
}

/// Reads a text in DRN.
pub fn parse(text: &str, signals: &DrnSignals) -> Result<Cmdp> {
    parse_with(text, signals, ReadOptions::default())
}

/// The same, with a say in how it is read.
pub fn parse_with(text: &str, signals: &DrnSignals, options: ReadOptions) -> Result<Cmdp> {
    let mut lines = Lines::of(text);
    let header = Header::read(&mut lines)?;
    let columns = header.columns(signals)?;
    let budgets: Vec<f64> = signals.costs.iter().map(|&(_, budget)| budget).collect();
    let mut model = CmdpBuilder::new(header.states, &budgets);
    model.cost_names(signals.costs.iter().map(|(name, _)| name.clone()).collect());
    model.normalise(options.normalise);
    let mut body = Body::new(&header, columns, model, options);
    for (line, text) in lines.by_ref() {
        body.line(line, text)?;
    }
    body.finish(&lines)
}

/// The action whose successors are being read.
struct Choice<'a> {
    line: usize,
    name: &'a str,
    /// Its place among the actions of its state.
    index: usize,
    signals: Vec<f64>,
}

struct Body<'a, 'h> {
    header: &'h Header<'a>,
    options: ReadOptions,
    /// The reward models in use, the reward first.
    columns: Vec<usize>,
    model: CmdpBuilder,
    /// How many states have been read; the last of them is open.
    states: usize,
    choices: usize,
    state_signals: Vec<f64>,
    choice: Option<Choice<'a>>,
    /// How many actions the open state has.
    actions: usize,
    successors: Vec<(usize, f64)>,
    init: Option<usize>,
    /// Whether any state or action has rewards.
    rewarded: bool,
}

impl<'a, 'h> Body<'a, 'h> {
    fn new(
        header: &'h Header<'a>,
        columns: Vec<usize>,
        model: CmdpBuilder,
        options: ReadOptions,
    ) -> Body<'a, 'h> {
        let (choice, init) = (None, None);
        let (state_signals, successors) = (Vec::new(), Vec::new());
        Body {
            header,
            options,
            columns,
            model,
            states: 0,
            choices: 0,
            state_signals,
            choice,
            actions: 0,
            successors,
            init,
            rewarded: false,
        }
    }

    fn line(&mut self, line: usize, text: &'a str) -> Result<()> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match word {
            "" => Ok(()),
            "state" => self.state(line, rest.trim_start()),
            "action" => self.action(line, rest.trim_start()),
            _ => self.successor(line, text),
        }
    }

    fn state(&mut self, line: usize, text: &'a str) -> Result<()> {
        self.close_choice();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if self.states >= self.header.states {
            let most = format!("no more states (@nr_states is {})", self.header.states);
            return Err(expected(line, most, &format!("state {word}")));
        }
        if whole(word) != Some(self.states) {
            return Err(expected(line, format!("state {} (states are in order)", self.states), word));
        }
        let rest = rest.trim_start();
        if rest.starts_with(['{', '!']) {
            let wanted = "rewards or labels (models with observations or exit rates are not supported)";
            return Err(expected(line, wanted, rest));
        }
        let (signals, labels) = self.rewards(line, rest)?;
        self.state_signals = signals;
        let (mut is_init, state) = (false, self.states);
        each_label(line, labels, |label| match label {
            "init" => is_init = true,
            label => drop(self.model.label(label, state)),
        })?;
        if is_init {
            if let Some(first) = self.init {
                let problem = LineProblem::Starts { first, second: self.states };
                return Err(Error::Line { line, problem });
            }
            self.init = Some(self.states);
        }
        self.states += 1;
        self.actions = 0;
        Ok(())
    }

    fn action(&mut self, line: usize, text: &'a str) -> Result<()> {
        let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if name.is_empty() || name.starts_with('[') {
            return Err(expected(line, "the action's name", name));
        }
        let (signals, rest) = self.rewards(line, rest.trim_start())?;
        if !rest.is_empty() {
            return Err(expected(line, "the end of the line after an action", rest));
        }
        self.open_choice(line, name, signals)
    }

    fn open_choice(&mut self, line: usize, name: &'a str, signals: Vec<f64>) -> Result<()> {
        self.close_choice();
        if self.states == 0 {
            return Err(expected(line, "state 0 before the first action", name));
        }
        if self.header.chain && self.actions > 0 {
            return Err(expected(line, "one action for each state of a DTMC", name));
        }
        self.choice = Some(Choice { line, name, index: self.actions, signals });
        self.actions += 1;
        self.choices += 1;
        Ok(())
    }

    /// Adds the open action to the model. A name that is only the action's place is left out.
    fn close_choice(&mut self) {
        let Some(choice) = self.choice.take() else { return };
        let mut signals =
            self.state_signals.iter().zip(&choice.signals).map(|(state, action)| state + action);
        let reward = signals.next().unwrap_or(0.0);
        let costs: Vec<f64> = signals.collect();
        self.model.line(choice.line).pair(self.states - 1, &self.successors, reward, &costs);
        if choice.name != "__NOLABEL__" && whole(choice.name) != Some(choice.index) {
            self.model.action(choice.name);
        }
        self.successors.clear();
    }

    fn successor(&mut self, line: usize, text: &'a str) -> Result<()> {
        let wanted = "`state`, `action` or `successor : probability`";
        let (successor, value) = text.split_once(':').ok_or_else(|| expected(line, wanted, text))?;
        if self.choice.is_none() && self.header.chain && self.states > 0 {
            let none = vec![0.0; self.columns.len()];
            self.open_choice(line, "0", none)?;
        }
        if self.choice.is_none() {
            return Err(expected(line, "an action before its successors", text));
        }
        let states = self.header.states;
        let known = whole(successor.trim()).filter(|&successor| successor < states);
        let wanted = || format!("a successor below {states} (@nr_states)");
        let successor = known.ok_or_else(|| expected(line, wanted(), successor.trim()))?;
        self.successors.push((successor, self.probability(line, value.trim())?));
        Ok(())
    }

    fn probability(&self, line: usize, word: &str) -> Result<f64> {
        let wanted = "a probability from 0 to 1";
        if word.starts_with('$') {
            let value = self.header.number(line, wanted, word)?;
            return if (0.0..=1.0).contains(&value) { Ok(value) } else { Err(expected(line, wanted, word)) };
        }
        probability(word, self.options).ok_or_else(|| expected(line, wanted, word))
    }

    /// The values of the signals in use, from a bracket that may be missing, and the text after it.
    fn rewards(&mut self, line: usize, text: &'a str) -> Result<(Vec<f64>, &'a str)> {
        let mut signals = vec![0.0; self.columns.len()];
        let Some(text) = text.strip_prefix('[') else { return Ok((signals, text)) };
        let (inside, rest) =
            text.split_once(']').ok_or_else(|| expected(line, "`]` after the rewards", text))?;
        self.rewarded = true;
        let mut found = 0;
        for word in inside.split(',').filter(|_| !inside.trim().is_empty()) {
            let value = self.header.number(line, "a reward that is a finite number", word.trim())?;
            for (signal, _) in signals.iter_mut().zip(&self.columns).filter(|&(_, &column)| column == found) {
                *signal = value;
            }
            found += 1;
        }
        if found != self.header.rewards.len() {
            let wanted =
                format!("{} rewards ({})", self.header.rewards.len(), self.header.rewards.join(", "));
            return Err(expected(line, wanted, &found.to_string()));
        }
        Ok((signals, rest.trim_start()))
    }

    fn finish(mut self, lines: &Lines<'_>) -> Result<Cmdp> {
        self.close_choice();
        if self.header.unnamed && !self.rewarded {
            return Err(self.header.choose());
        }
        if self.states < self.header.states {
            return Err(lines.ends(format!("state {} (@nr_states is {})", self.states, self.header.states)));
        }
        if let Some(declared) = self.header.choices.filter(|&declared| declared != self.choices) {
            let problem = LineProblem::Count { what: "@nr_choices", declared, found: self.choices };
            return Err(Error::Line { line: lines.last, problem });
        }
        let init = self.init.filter(|_| self.states > 0);
        let init = init.ok_or_else(|| lines.ends("a state with the label init"))?;
        self.model.start(init).build()
    }
}

/// Calls `visit` with every label: words, or anything in double quotes.
fn each_label(line: usize, mut labels: &str, mut visit: impl FnMut(&str)) -> Result<()> {
    while !labels.is_empty() {
        let (label, rest) = match labels.strip_prefix('"') {
            Some(text) => text.split_once('"').ok_or_else(|| expected(line, "a closing quote", labels))?,
            None => labels.split_once(char::is_whitespace).unwrap_or((labels, "")),
        };
        visit(label);
        labels = rest.trim_start();
    }
    Ok(())
}
