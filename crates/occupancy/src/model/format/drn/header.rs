//! The sections of a DRN file before its states; the grammar is at the head of [`super`].

use super::DrnSignals;
use crate::error::{Error, LineProblem, Result};
use crate::model::format::lines::{expected, listed, number, twice, unknown, whole};
use std::collections::{HashMap, HashSet};
use std::iter::{Enumerate, Peekable};

const SECTIONS: [&str; 9] = [
    "@type",
    "@version",
    "@value_type",
    "@parameters",
    "@placeholders",
    "@reward_models",
    "@nr_states",
    "@nr_choices",
    "@model",
];

/// What a reward model without a name is called: PRISM's `rewards … endrewards`, which Storm writes as no name at all.
const UNNAMED: &str = "reward";

/// The lines of a text without comments, trimmed and numbered from 1.
struct Lines<'a> {
    lines: Peekable<Enumerate<std::str::Lines<'a>>>,
    /// The number of the last line taken.
    last: usize,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Lines<'a> {
        Lines { lines: text.lines().enumerate().peekable(), last: 1 }
    }

    /// The next line, unless it starts a section.
    fn next_of_section(&mut self) -> Option<(usize, &'a str)> {
        loop {
            let (_, text) = self.lines.peek()?;
            match text.trim_start() {
                text if text.starts_with('@') => return None,
                text if text.starts_with("//") => self.lines.next(),
                _ => return self.next(),
            };
        }
    }
}

/// Whether a line is the last one before the states.
pub(super) fn is_model(line: &str) -> bool {
    line.split(|c: char| c == ':' || c.is_whitespace()).next() == Some("@model")
}

/// The error of a text that ends too early.
pub(super) fn ends(line: usize, expected: impl Into<String>) -> Error {
    Error::Line { line, problem: LineProblem::Ends { expected: expected.into() } }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<(usize, &'a str)> {
        loop {
            let (index, text) = self.lines.next()?;
            self.last = index + 1;
            let text = text.trim();
            if !text.starts_with("//") {
                return Some((self.last, text));
            }
        }
    }
}

/// What the sections say.
#[derive(Default)]
pub(super) struct Header {
    /// A DTMC: one action per state.
    pub chain: bool,
    pub states: usize,
    pub choices: Option<usize>,
    pub rewards: Vec<String>,
    /// No reward model is named; there is one nevertheless if the states have rewards.
    pub unnamed: bool,
    placeholders: HashMap<String, f64>,
    /// The line that names the reward models, or that of `@model`.
    line: usize,
}

impl Header {
    /// Reads a text up to and with `@model`.
    pub fn read(text: &str) -> Result<Header> {
        let lines = &mut Lines::of(text);
        let mut header = Header::default();
        let mut seen: Vec<&str> = Vec::new();
        while let Some((line, text)) = lines.next() {
            if text.is_empty() {
                continue;
            }
            let end = text.find(|c: char| c == ':' || c.is_whitespace()).unwrap_or(text.len());
            let (name, value) = text.split_at(end);
            let Some(&name) = SECTIONS.iter().find(|&&section| section == name) else {
                return Err(unknown(line, "section", name, SECTIONS.into_iter()));
            };
            if seen.contains(&name) {
                return Err(twice(line, "section", name));
            }
            seen.push(name);
            if name == "@model" {
                header.line = if header.line == 0 { line } else { header.line };
                if header.rewards.is_empty() {
                    (header.rewards, header.unnamed) = (vec![UNNAMED.to_string()], true);
                }
                let missing = ["@type", "@nr_states"].into_iter().find(|section| !seen.contains(section));
                return missing.map_or(Ok(header), |missing| Err(expected(line, missing, "@model")));
            }
            let value = value.strip_prefix(':').unwrap_or(value).trim();
            header.section(name, (line, value), lines)?;
        }
        Err(ends(lines.last, "@model"))
    }

    fn section<'a>(
        &mut self,
        name: &str,
        (line, value): (usize, &'a str),
        lines: &mut Lines<'a>,
    ) -> Result<()> {
        if name == "@placeholders" {
            return self.placeholders(lines);
        }
        let here = (line, value);
        let (line, value) = if value.is_empty() { lines.next_of_section().unwrap_or(here) } else { here };
        let one_of = |right: &[&str], message: &str| {
            if right.contains(&value) { Ok(()) } else { Err(expected(line, message, value)) }
        };
        match name {
            "@type" => {
                self.chain = value.eq_ignore_ascii_case("dtmc");
                let message = "the type MDP or DTMC (discrete time, fully observed)";
                one_of(&["MDP", "mdp", "DTMC", "dtmc"], message)?;
            }
            "@version" => one_of(&["1", "2"], "version 1 or 2")?,
            "@value_type" => one_of(&["double", "rational"], "the value type double or rational")?,
            "@parameters" => one_of(&[""], "no parameters (give them values in Storm before exporting)")?,
            "@reward_models" => {
                self.line = line;
                self.rewards = value.split_whitespace().map(String::from).collect();
                let mut seen = HashSet::new();
                if let Some(name) = self.rewards.iter().find(|&name| !seen.insert(name)) {
                    return Err(twice(line, "reward model", name));
                }
            }
            "@nr_states" => self.states = count(line, "how many states there are", value)?,
            _ => self.choices = Some(count(line, "how many choices there are", value)?),
        }
        Ok(())
    }

    fn placeholders(&mut self, lines: &mut Lines) -> Result<()> {
        while let Some((line, text)) = lines.next_of_section() {
            if text.is_empty() {
                continue;
            }
            let parts = text.strip_prefix('$').and_then(|text| text.split_once(':'));
            let (name, value) = parts.ok_or_else(|| expected(line, "`$name : value`", text))?;
            let value = self.number(line, "a number", value.trim())?;
            if self.placeholders.insert(name.trim().to_string(), value).is_some() {
                return Err(twice(line, "placeholder", name.trim()));
            }
        }
        Ok(())
    }

    /// A number, or the value of a placeholder.
    pub fn number(&self, line: usize, what: &str, word: &str) -> Result<f64> {
        let value = match word.strip_prefix('$') {
            Some(name) => self.placeholders.get(name).copied(),
            None => number(word),
        };
        value.ok_or_else(|| expected(line, what, word))
    }

    /// Which reward models to use: the reward's place, then those of the costs.
    pub fn columns(&self, signals: &DrnSignals) -> Result<Vec<usize>> {
        let place = |name: &str| self.rewards.iter().position(|known| known == name);
        let unknown =
            |name: &str| unknown(self.line, "reward model", name, self.rewards.iter().map(String::as_str));
        let mut costs: Vec<usize> = Vec::with_capacity(signals.costs.len());
        for (name, _) in &signals.costs {
            let cost = place(name).ok_or_else(|| unknown(name))?;
            if costs.contains(&cost) {
                return Err(twice(self.line, "cost", name));
            }
            costs.push(cost);
        }
        let reward = match &signals.reward {
            Some(name) => place(name).ok_or_else(|| unknown(name))?,
            None => self.default_reward(&costs)?,
        };
        costs.insert(0, reward);
        Ok(costs)
    }

    fn default_reward(&self, costs: &[usize]) -> Result<usize> {
        let free: Vec<usize> = (0..self.rewards.len()).filter(|place| !costs.contains(place)).collect();
        let usual =
            |&place: &usize| self.rewards.get(place).is_some_and(|name| name == "r" || name == "reward");
        let usual: Vec<usize> = free.iter().copied().filter(usual).collect();
        match (&free[..], &usual[..]) {
            (&[only], _) | (_, &[only]) => Ok(only),
            _ => Err(self.choose()),
        }
    }

    /// The error of a reward that is not said.
    pub fn choose(&self) -> Error {
        let named: &[String] = if self.unnamed { &[] } else { &self.rewards };
        let problem =
            LineProblem::Choose { what: "reward model", known: listed(named.iter().map(String::as_str)) };
        Error::Line { line: self.line, problem }
    }
}

fn count(line: usize, what: &str, word: &str) -> Result<usize> {
    whole(word).ok_or_else(|| expected(line, what, word))
}
