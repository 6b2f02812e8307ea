//! Reads a table; the grammar is at the head of [`super`].
//!
//! One pass collects the outcomes in a few flat vectors, because the lines of an action may stand anywhere; a second one hands
//! them over action by action.

use super::comments::Comments;
use super::header::Header;
use crate::cell;
use crate::error::{Error, LineProblem, Result};
use crate::model::builder::check_start;
use crate::model::cmdp::in_range;
use crate::model::format::lines::{expected, number, probability, twice, unknown};
use crate::model::format::{ReadOptions, file};
use crate::model::rows::{ROUNDED_SUMS, SUM_TOLERANCE};
use crate::model::{Bound, Cmdp, CmdpBuilder, Outcome};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

/// Reads a table from a file.
pub fn read(path: impl AsRef<Path>) -> Result<Cmdp> {
    let path = path.as_ref();
    parse(&file::read_text(path)?).map_err(|error| error.in_file(path))
}

/// Reads a table.
///
/// ```
/// let model = occupancy::model::table::parse("\
/// ## budget heat <= 0.5
/// state, action, next, probability, reward, heat
/// idle,  wait,   idle, 1,           0,      0
/// idle,  work,   idle, 1,           1,      1
/// ").unwrap();
/// assert_eq!((model.states(), model.pairs(), model.costs()), (1, 2, 1));
/// ```
pub fn parse(text: &str) -> Result<Cmdp> {
    parse_with(text, ReadOptions::default())
}

/// The same, with a say in how it is read.
pub fn parse_with(text: &str, options: ReadOptions) -> Result<Cmdp> {
    let (mut comments, mut table) = (Comments::default(), None);
    let (mut cells, mut last) = (Vec::new(), 1);
    for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        last = line;
        if let Some(comment) = text.trim_start().strip_prefix('#') {
            comments.take(line, comment, options)?;
            continue;
        }
        cell::split(text, &mut cells)
            .map_err(|rest| expected(line, "a closing quote, and a comma after it", rest))?;
        match &mut table {
            None => table = Some(Table::new(Header::of(line, text, &cells)?, options)),
            Some(table) => table.line(line, &cells)?,
        }
    }
    let missing = || Error::Line {
        line: last,
        problem: LineProblem::Ends {
            expected: "a header: state, action, next, probability, reward, and costs".into(),
        },
    };
    table.ok_or_else(missing)?.finish(&comments)
}

/// Names in the order of their first use, and the place of each.
#[derive(Default)]
struct Interned {
    places: HashMap<Box<str>, u32>,
    names: Vec<Box<str>>,
}

impl Interned {
    fn place(&mut self, name: &str) -> u32 {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        let place = self.names.len() as u32;
        self.places.insert(name.into(), place);
        self.names.push(name.into());
        place
    }
}

/// An action of a state: both by their places, and the line that names it first.
struct Pair {
    state: u32,
    action: u32,
    line: usize,
}

struct Table {
    header: Header,
    options: ReadOptions,
    /// All names of states, of successors too.
    states: Interned,
    /// The line that names each first.
    lines: Vec<usize>,
    /// The states of the column `state`, in its order.
    order: Vec<u32>,
    actions: Interned,
    places: HashMap<(u32, u32), u32>,
    pairs: Vec<Pair>,
    /// Of each outcome: its pair, its successor and its probability.
    outcomes: Vec<(u32, u32, f64)>,
    /// Of each outcome: the reward and the costs.
    signals: Vec<f64>,
}

impl Table {
    fn new(header: Header, options: ReadOptions) -> Table {
        Table {
            header,
            options,
            states: Interned::default(),
            lines: Vec::new(),
            order: Vec::new(),
            actions: Interned::default(),
            places: HashMap::new(),
            pairs: Vec::new(),
            outcomes: Vec::new(),
            signals: Vec::new(),
        }
    }

    fn line(&mut self, line: usize, cells: &[Cow<str>]) -> Result<()> {
        if cells.len() != self.header.count {
            let wanted = format!("{} cells as in the header", self.header.count);
            return Err(expected(line, wanted, &cells.len().to_string()));
        }
        let name = |column: usize, what: &str| match cell::read(&cells[column]) {
            "" => Err(expected(line, format!("the name of {what}"), "")),
            name => Ok(name),
        };
        let state = self.state(line, name(self.header.state, "a state")?);
        let action = self.actions.place(name(self.header.action, "an action")?);
        let next = self.state(line, name(self.header.next, "the next state")?);
        let given = &cells[self.header.probability];
        let wanted = || expected(line, "a probability from 0 to 1", given);
        let probability = probability(given, self.options).ok_or_else(wanted)?;
        for (column, signal) in &self.header.signals {
            let value = number(&cells[*column]).filter(|&value| in_range(value));
            let wanted = || format!("{signal}, a finite number of at most 1e100 in size");
            self.signals.push(value.ok_or_else(|| expected(line, wanted(), &cells[*column]))?);
        }
        let pair = self.pair(line, state, action);
        self.outcomes.push((pair, next, probability));
        Ok(())
    }

    fn state(&mut self, line: usize, name: &str) -> u32 {
        let place = self.states.place(name);
        if self.lines.len() < self.states.names.len() {
            self.lines.push(line);
        }
        place
    }

    fn pair(&mut self, line: usize, state: u32, action: u32) -> u32 {
        let free = self.pairs.len() as u32;
        let pair = *self.places.entry((state, action)).or_insert(free);
        if pair == free {
            self.pairs.push(Pair { state, action, line });
        }
        pair
    }

    fn finish(mut self, comments: &Comments) -> Result<Cmdp> {
        let mut index = vec![u32::MAX; self.states.names.len()];
        for pair in &self.pairs {
            if index[pair.state as usize] == u32::MAX {
                index[pair.state as usize] = self.order.len() as u32;
                self.order.push(pair.state);
            }
        }
        if let Some(place) = index.iter().position(|&index| index == u32::MAX) {
            let state = self.states.names[place].to_string();
            return Err(Error::NoActions { state }.at_line(self.lines[place]));
        }
        let bounds = self.bounds(comments)?;
        let mut model = CmdpBuilder::new(self.order.len(), &vec![f64::INFINITY; bounds.len()]);
        model.normalise(self.options.normalise);
        self.add_pairs(&index, &mut model);
        if !comments.start.is_empty() {
            model.start_distribution(&self.start(comments, &index)?);
        }
        self.name(&mut model);
        model.build()?.with_bounds(&bounds)
    }

    fn bounds(&self, comments: &Comments) -> Result<Vec<Bound>> {
        let mut bounds = vec![Bound::AtMost(f64::INFINITY); self.header.costs().len()];
        let mut given = vec![false; bounds.len()];
        for (line, name, bound) in &comments.budgets {
            let found = self.header.costs().position(|cost| cost == name);
            let cost = found.ok_or_else(|| unknown(*line, "cost", name, self.header.costs()))?;
            if std::mem::replace(&mut given[cost], true) {
                return Err(twice(*line, "the budget of", name));
            }
            bounds[cost] = *bound;
        }
        Ok(bounds)
    }

    fn start(&self, comments: &Comments, index: &[u32]) -> Result<Vec<(usize, f64)>> {
        let (alone, mut start) = (comments.start.len() == 1, Vec::new());
        for (line, name, probability) in &comments.start {
            let known = || self.order.iter().map(|&place| &*self.states.names[place as usize]);
            let found = self.states.places.get(&**name).map(|&place| index[place as usize] as usize);
            let state = found.ok_or_else(|| unknown(*line, "state", name, known()))?;
            let wanted = "a probability (only a single start may leave it out)";
            let given = probability.or(alone.then_some(1.0));
            start.push((state, given.ok_or_else(|| expected(*line, wanted, ""))?));
        }
        let within = if self.options.normalise { ROUNDED_SUMS } else { SUM_TOLERANCE };
        let last = comments.start.last().map_or(1, |(line, ..)| *line);
        check_start(&start, self.order.len(), within).map_err(|error| error.at_line(last))
    }

    /// Hands over the outcomes of each action together.
    fn add_pairs(&self, index: &[u32], model: &mut CmdpBuilder) {
        let mut order: Vec<u32> = (0..self.outcomes.len() as u32).collect();
        order.sort_by_key(|&outcome| self.outcomes[outcome as usize].0);
        let mut numbers = vec![0; self.order.len()];
        for same in order.chunk_by(|&a, &b| self.outcomes[a as usize].0 == self.outcomes[b as usize].0) {
            let pair = &self.pairs[self.outcomes[same[0] as usize].0 as usize];
            let state = index[pair.state as usize] as usize;
            model.line(pair.line);
            self.add(state, same, index, model);
            let name = &self.actions.names[pair.action as usize];
            if **name != *i32::to_string(&numbers[state]) {
                model.action(&**name);
            }
            numbers[state] += 1;
        }
    }

    fn add(&self, state: usize, same: &[u32], index: &[u32], model: &mut CmdpBuilder) {
        let width = self.header.signals.len();
        let signals = |outcome: u32| &self.signals[outcome as usize * width..][..width];
        let place = |outcome: u32| {
            let (_, next, probability) = self.outcomes[outcome as usize];
            (index[next as usize] as usize, probability)
        };
        let first = signals(same[0]);
        if same.iter().all(|&outcome| signals(outcome) == first) {
            let successors: Vec<(usize, f64)> = same.iter().map(|&outcome| place(outcome)).collect();
            model.pair(state, &successors, first[0], &first[1..]);
            return;
        }
        let outcome = |&outcome: &u32| {
            let ((next, probability), signals) = (place(outcome), signals(outcome));
            Outcome { next, probability, reward: signals[0], costs: signals[1..].to_vec() }
        };
        model.outcomes(state, &same.iter().map(outcome).collect::<Vec<_>>());
    }

    /// Names what is not named by its index alone.
    fn name(&self, model: &mut CmdpBuilder) {
        let states: Vec<String> =
            self.order.iter().map(|&place| self.states.names[place as usize].to_string()).collect();
        if states.iter().enumerate().any(|(index, name)| *name != index.to_string()) {
            model.state_names(states);
        }
        if self.header.costs().enumerate().any(|(index, name)| name != format!("c{index}")) {
            model.cost_names(self.header.costs().map(String::from).collect());
        }
    }
}
