//! A table whose lines of a state stand together, and within them those of an action: each row is handed over when it is
//! read, so that nothing is in memory but the model and the names of its states.

use super::comments::Comments;
use super::header::{Header, Line};
use super::interned::Interned;
use crate::error::Result;
use crate::model::format::ReadOptions;
use crate::model::format::lines::{unknown, whole};
use crate::model::{Cmdp, CmdpBuilder};

/// A state of more actions is looked through for an action that comes back; they are left to what keeps a table of them.
const MOST_ACTIONS: usize = 256;
/// The number of a state that has no actions yet.
const UNKNOWN: u32 = u32::MAX;

/// How states are known by their names.
pub(super) enum Places {
    /// States are called 0, 1, …, and their lines come in this order. With the largest number of a successor.
    Numbers(usize),
    /// Any names; of each the number of its state, by the order of their lines, and the names in this order.
    Names { names: Interned, numbers: Vec<u32>, order: Vec<u32> },
}

impl Places {
    pub fn numbers() -> Places {
        Places::Numbers(0)
    }

    pub fn names() -> Places {
        Places::Names { names: Interned::default(), numbers: Vec::new(), order: Vec::new() }
    }

    /// The lines of state number `state` begin; false if this is not its name, or the name of an earlier one.
    fn begin(&mut self, name: &str, state: usize) -> bool {
        match self {
            Places::Numbers(_) => number(name) == Some(state),
            Places::Names { .. } => {
                let place = self.place(name);
                let Places::Names { numbers, order, .. } = self else { return false };
                let Some(place) = place.filter(|&place| numbers[place] == UNKNOWN) else { return false };
                numbers[place] = state as u32;
                order.push(place as u32);
                true
            }
        }
    }

    /// The place of a successor.
    fn place(&mut self, name: &str) -> Option<usize> {
        match self {
            Places::Numbers(largest) => {
                let place = number(name)?;
                *largest = place.max(*largest);
                Some(place)
            }
            Places::Names { names, numbers, .. } => {
                let place = names.place(name) as usize;
                numbers.resize(names.len(), UNKNOWN);
                Some(place)
            }
        }
    }

    /// Whether each of the names is that of one of so many states.
    fn are_known(&self, states: usize) -> bool {
        match self {
            Places::Numbers(largest) => *largest < states,
            Places::Names { numbers, .. } => numbers.len() == states,
        }
    }

    /// The number of the state of a name.
    fn find(&self, name: &str, states: usize) -> Option<usize> {
        match self {
            Places::Numbers(_) => number(name).filter(|&state| state < states),
            Places::Names { names, numbers, .. } => {
                names.find(name).map(|place| numbers[place as usize] as usize)
            }
        }
    }
}

/// A state by its number, if it is written as a number is: a name such as 007 is another one than 7.
fn number(name: &str) -> Option<usize> {
    let is_plain = name.len() == 1 || !name.starts_with('0');
    whole(name).filter(|&state| is_plain && state < UNKNOWN as usize)
}

/// What the lines have said so far.
pub(super) struct Together {
    header: Header,
    options: ReadOptions,
    model: CmdpBuilder,
    places: Places,
    /// How many states have begun, and the name of the last of them.
    states: usize,
    state: String,
    /// The actions of that state; the last of them is open.
    actions: Vec<String>,
    /// The line that names the open action first, its successors, and the signals of each.
    line: usize,
    successors: Vec<(usize, f64)>,
    signals: Vec<f64>,
}

impl Together {
    pub fn new(header: Header, options: ReadOptions, places: Places) -> Together {
        let mut model = CmdpBuilder::growing(&vec![f64::INFINITY; header.costs().len()]);
        model.normalise(options.normalise);
        Together {
            header,
            options,
            model,
            places,
            states: 0,
            state: String::new(),
            actions: Vec::new(),
            line: 0,
            successors: Vec::new(),
            signals: Vec::new(),
        }
    }

    /// Takes a line; false if it does not stand together with those that it belongs to.
    pub fn line(&mut self, line: usize, given: &Line, signals: &[f64]) -> bool {
        let same_state = self.states > 0 && given.state == self.state;
        if !same_state {
            self.close();
            self.actions.clear();
            if !self.places.begin(given.state, self.states) {
                return false;
            }
            self.states += 1;
            self.state.clear();
            self.state.push_str(given.state);
        }
        if self.actions.last().is_none_or(|open| open != given.action) {
            self.close();
            if self.actions.len() >= MOST_ACTIONS || self.actions.iter().any(|known| known == given.action) {
                return false;
            }
            self.actions.push(given.action.to_string());
            self.line = line;
        }
        let Some(next) = self.places.place(given.next) else { return false };
        self.successors.push((next, given.probability));
        self.signals.extend_from_slice(signals);
        true
    }

    /// Hands over the open action.
    fn close(&mut self) {
        let Some(name) = self.actions.last().filter(|_| !self.successors.is_empty()) else { return };
        let (width, all) = (self.header.signals.len(), &self.signals);
        let signal = |k: usize, outcome: usize| all[outcome * width + k];
        self.model.line(self.line).transitions(self.states - 1, &self.successors, width - 1, signal);
        if *name != (self.actions.len() - 1).to_string() {
            self.model.action(name.as_str());
        }
        self.successors.clear();
        self.signals.clear();
    }

    /// The model, unless something is missing that another reader tells.
    pub fn finish(mut self, comments: &Comments) -> Result<Option<Cmdp>> {
        self.close();
        let states = self.states;
        if states == 0 || !self.places.are_known(states) {
            return Ok(None);
        }
        let bounds = comments.bounds(&self.header)?;
        if comments.has_start() {
            let unknown = |line, name: &str| unknown(line, "state", name, [].into_iter());
            let find = |line, name: &str| self.places.find(name, states).ok_or_else(|| unknown(line, name));
            let Ok(start) = comments.start(states, self.options, find) else { return Ok(None) };
            self.model.start_distribution(&start);
        }
        self.header.name_costs(&mut self.model);
        match &self.places {
            Places::Numbers(_) => self.model.finish_states(states, None),
            Places::Names { names, numbers, order } => {
                self.model.finish_states(states, Some(numbers));
                names.name_states(order, &mut self.model);
            }
        }
        let Together { mut model, places, .. } = self;
        drop(places);
        Ok(Some(model.build()?.with_bounds(&bounds)?))
    }
}
