//! Reads the states of a DRN file; the grammar is at the head of [`super`].
//!
//! One pass, one line at a time, nothing allocated from a number that the file declares. Of the text only a block is in memory.

use super::DrnSignals;
use super::header::{Header, ends, is_model};
use crate::error::{Error, LineProblem, Result};
use crate::model::format::ReadOptions;
use crate::model::format::blocks::Blocks;
use crate::model::format::lines::{expected, probability, whole};
use crate::model::format::stream::{Meter, Unpacked};
use crate::model::{Cmdp, CmdpBuilder};
use std::path::Path;

/// Reads a DRN file.
pub fn read(path: impl AsRef<Path>, signals: &DrnSignals) -> Result<Cmdp> {
    read_with(path, signals, ReadOptions::default(), &Meter::default())
}

/// The same, with a say in how it is read, and a meter of how far it has come.
pub fn read_with(
    path: impl AsRef<Path>,
    signals: &DrnSignals,
    options: ReadOptions,
    meter: &Meter,
) -> Result<Cmdp> {
    let path = path.as_ref();
    let from = Unpacked::of_file(path, meter)?;
    parse_blocks(Blocks::of(from), signals, options).map_err(|error| error.in_file_once(path))
}

/// Reads a text in DRN.
pub fn parse(text: &str, signals: &DrnSignals) -> Result<Cmdp> {
    parse_with(text, signals, ReadOptions::default())
}

/// The same, with a say in how it is read.
pub fn parse_with(text: &str, signals: &DrnSignals, options: ReadOptions) -> Result<Cmdp> {
    parse_blocks(Blocks::of_text(text)?, signals, options)
}

fn parse_blocks(mut blocks: Blocks<'_>, signals: &DrnSignals, options: ReadOptions) -> Result<Cmdp> {
    let (mut head, mut body, mut last) = (String::new(), None, 1);
    while let Some((first, block)) = blocks.next()? {
        for (line, text) in (first..).zip(block.lines()) {
            last = line;
            let text = text.trim();
            match &mut body {
                Some(_) if text.starts_with("//") => {}
                Some(body) => Body::line(body, line, text)?,
                None => {
                    head.push_str(text);
                    head.push('\n');
                    if is_model(text) {
                        body = Some(Body::new(Header::read(&head)?, signals, options)?);
                    }
                }
            }
        }
        // A large file of another kind is refused at its first line, not at its end.
        if body.is_none() {
            refuse_strangers(&head)?;
        }
    }
    match body {
        Some(body) => body.finish(last),
        None => Err(Header::read(&head).err().unwrap_or_else(|| ends(last, "@model"))),
    }
}

/// Refuses sections that no `@model` further down can mend.
fn refuse_strangers(head: &str) -> Result<()> {
    match Header::read(head) {
        Err(Error::Line { problem: LineProblem::Ends { .. }, .. }) | Ok(_) => Ok(()),
        Err(error) => Err(error),
    }
}

struct Body {
    header: Header,
    options: ReadOptions,
    /// The reward models in use, the reward first.
    columns: Vec<usize>,
    model: CmdpBuilder,
    /// How many states have been read; the last of them is open.
    states: usize,
    choices: usize,
    state_signals: Vec<f64>,
    /// The line of the action whose successors are being read, and its place among those of its state.
    choice: Option<(usize, usize)>,
    name: String,
    choice_signals: Vec<f64>,
    /// How many actions the open state has.
    actions: usize,
    successors: Vec<(usize, f64)>,
    init: Option<usize>,
    /// Whether any state or action has rewards.
    rewarded: bool,
}

impl Body {
    fn new(header: Header, signals: &DrnSignals, options: ReadOptions) -> Result<Body> {
        let columns = header.columns(signals)?;
        let budgets: Vec<f64> = signals.costs.iter().map(|&(_, budget)| budget).collect();
        let mut model = CmdpBuilder::new(header.states, &budgets);
        model.cost_names(signals.costs.iter().map(|(name, _)| name.clone()).collect());
        model.normalise(options.normalise);
        Ok(Body {
            header,
            options,
            columns,
            model,
            states: 0,
            choices: 0,
            state_signals: Vec::new(),
            choice: None,
            name: String::new(),
            choice_signals: Vec::new(),
            actions: 0,
            successors: Vec::new(),
            init: None,
            rewarded: false,
        })
    }

    fn line(&mut self, line: usize, text: &str) -> Result<()> {
        // Most lines are successors, and nothing else begins with a digit.
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return self.successor(line, text);
        }
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match word {
            "" => Ok(()),
            "state" => self.state(line, rest.trim_start()),
            "action" => self.action(line, rest.trim_start()),
            _ => self.successor(line, text),
        }
    }

    fn state(&mut self, line: usize, text: &str) -> Result<()> {
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
        let mut signals = std::mem::take(&mut self.state_signals);
        let labels = self.rewards(line, rest, &mut signals)?;
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

    fn action(&mut self, line: usize, text: &str) -> Result<()> {
        let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if name.is_empty() || name.starts_with('[') {
            return Err(expected(line, "the action's name", name));
        }
        self.close_choice();
        let mut signals = std::mem::take(&mut self.choice_signals);
        let rest = self.rewards(line, rest.trim_start(), &mut signals)?;
        self.choice_signals = signals;
        if !rest.is_empty() {
            return Err(expected(line, "the end of the line after an action", rest));
        }
        self.open_choice(line, name)
    }

    /// Opens an action whose signals are known.
    fn open_choice(&mut self, line: usize, name: &str) -> Result<()> {
        if self.states == 0 {
            return Err(expected(line, "state 0 before the first action", name));
        }
        if self.header.chain && self.actions > 0 {
            return Err(expected(line, "one action for each state of a DTMC", name));
        }
        self.choice = Some((line, self.actions));
        self.name.clear();
        self.name.push_str(name);
        self.actions += 1;
        self.choices += 1;
        Ok(())
    }

    /// Adds the open action to the model. A name that is only the action's place is left out.
    fn close_choice(&mut self) {
        let Some((line, index)) = self.choice.take() else { return };
        for (action, state) in self.choice_signals.iter_mut().zip(&self.state_signals) {
            *action += state;
        }
        let (reward, costs) =
            self.choice_signals.split_first().map_or((0.0, &[][..]), |(r, costs)| (*r, costs));
        self.model.line(line).pair(self.states - 1, &self.successors, reward, costs);
        if self.name != "__NOLABEL__" && whole(&self.name) != Some(index) {
            self.model.action(self.name.as_str());
        }
        self.successors.clear();
    }

    fn successor(&mut self, line: usize, text: &str) -> Result<()> {
        let wanted = "`state`, `action` or `successor : probability`";
        let (successor, value) = text.split_once(':').ok_or_else(|| expected(line, wanted, text))?;
        if self.choice.is_none() && self.header.chain && self.states > 0 {
            self.choice_signals.clear();
            self.choice_signals.resize(self.columns.len(), 0.0);
            self.open_choice(line, "0")?;
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

    /// Puts the values of the signals in use, from a bracket that may be missing, into `signals`; returns the text after it.
    fn rewards<'t>(&mut self, line: usize, text: &'t str, signals: &mut Vec<f64>) -> Result<&'t str> {
        signals.clear();
        signals.resize(self.columns.len(), 0.0);
        let Some(text) = text.strip_prefix('[') else { return Ok(text) };
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
        Ok(rest.trim_start())
    }

    fn finish(mut self, last: usize) -> Result<Cmdp> {
        self.close_choice();
        if self.header.unnamed && !self.rewarded {
            return Err(self.header.choose());
        }
        if self.states < self.header.states {
            return Err(ends(last, format!("state {} (@nr_states is {})", self.states, self.header.states)));
        }
        if let Some(declared) = self.header.choices.filter(|&declared| declared != self.choices) {
            let problem = LineProblem::Count { what: "@nr_choices", declared, found: self.choices };
            return Err(Error::Line { line: last, problem });
        }
        let init = self.init.filter(|_| self.states > 0);
        let init = init.ok_or_else(|| ends(last, "a state with the label init"))?;
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
