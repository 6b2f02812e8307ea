//! A table whose lines of an action stand anywhere.
//!
//! One pass collects the outcomes in a few flat vectors; a second one hands them over action by action. It takes some 2 kB for a
//! state of four actions, six times as much as the model.

use super::comments::Comments;
use super::header::{Header, Line};
use super::interned::Interned;
use crate::error::{Error, Result};
use crate::model::format::ReadOptions;
use crate::model::format::lines::unknown;
use crate::model::{Cmdp, CmdpBuilder};
use std::collections::HashMap;

/// An action of a state: both by their places, and the line that names it first.
struct Pair {
    state: u32,
    action: u32,
    line: usize,
}

/// What the lines have said so far.
pub(super) struct Scattered {
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

impl Scattered {
    pub fn new(header: Header, options: ReadOptions) -> Scattered {
        Scattered {
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

    pub fn line(&mut self, line: usize, given: &Line, signals: &[f64]) {
        let state = self.state(line, given.state);
        let action = self.actions.place(given.action);
        let next = self.state(line, given.next);
        self.signals.extend_from_slice(signals);
        let pair = self.pair(line, state, action);
        self.outcomes.push((pair, next, given.probability));
    }

    fn state(&mut self, line: usize, name: &str) -> u32 {
        let place = self.states.place(name);
        if self.lines.len() < self.states.len() {
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

    pub fn finish(mut self, comments: &Comments) -> Result<Cmdp> {
        let mut index = vec![u32::MAX; self.states.len()];
        for pair in &self.pairs {
            if index[pair.state as usize] == u32::MAX {
                index[pair.state as usize] = self.order.len() as u32;
                self.order.push(pair.state);
            }
        }
        if let Some(place) = index.iter().position(|&index| index == u32::MAX) {
            let state = self.states.name(place as u32).to_string();
            return Err(Error::NoActions { state }.at_line(self.lines[place]));
        }
        let bounds = comments.bounds(&self.header)?;
        let mut model = CmdpBuilder::new(self.order.len(), &vec![f64::INFINITY; bounds.len()]);
        model.normalise(self.options.normalise);
        self.add_pairs(&index, &mut model);
        if comments.has_start() {
            model.start_distribution(&self.start(comments, &index)?);
        }
        self.name(&mut model);
        model.build()?.with_bounds(&bounds)
    }

    fn start(&self, comments: &Comments, index: &[u32]) -> Result<Vec<(usize, f64)>> {
        let known: Vec<&str> = self.order.iter().map(|&place| self.states.name(place)).collect();
        comments.start(known.len(), self.options, |line, name| {
            let found = self.states.find(name).map(|place| index[place as usize] as usize);
            found.ok_or_else(|| unknown(line, "state", name, known.iter().copied()))
        })
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
            let name = self.actions.name(pair.action);
            if *name != *i32::to_string(&numbers[state]) {
                model.action(name);
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
        let successors: Vec<(usize, f64)> = same.iter().map(|&outcome| place(outcome)).collect();
        model.transitions(state, &successors, width - 1, |k, outcome| signals(same[outcome])[k]);
    }

    /// Names what is not named by its index alone.
    fn name(&self, model: &mut CmdpBuilder) {
        self.states.name_states(&self.order, model);
        self.header.name_costs(model);
    }
}
