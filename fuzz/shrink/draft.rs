//! A model that can be taken apart.

use occupancy::model::Origin;
use occupancy::model::{CmdpBuilder, Policy, text};
use occupancy::plan::OffSupport;
use occupancy_fuzz::Tiny;
use std::fmt;

/// One action: its row, its signals and its radius.
#[derive(Clone, PartialEq)]
struct Action {
    row: Vec<(usize, f64)>,
    signals: Vec<f64>,
    radius: f64,
}

/// A model that can be taken apart.
#[derive(Clone, PartialEq)]
pub struct Draft {
    states: Vec<Vec<Action>>,
    budgets: Vec<f64>,
    start: Vec<(usize, f64)>,
    from: Origin,
    off_support: OffSupport,
    /// For each rival the place of its action in each state.
    rivals: Vec<Vec<usize>>,
    has_radii: bool,
}

impl Draft {
    /// The parts of a model.
    pub fn of(tiny: &Tiny, radii: Option<&[f64]>) -> Draft {
        let model = &tiny.model;
        let action = |pair: usize| Action {
            row: model.kernel().row(pair).iter().collect(),
            signals: (0..=model.costs()).map(|k| model.signals().signal(k)[pair]).collect(),
            radius: radii.map_or(0.0, |radii| radii[pair]),
        };
        let place = |policy: &Policy, state: usize| {
            let taken = &policy.probabilities()[model.pairs_of(state)];
            taken.iter().position(|&p| p > 0.0).unwrap_or(0)
        };
        let places = |policy: &Policy| (0..model.states()).map(|state| place(policy, state)).collect();
        Draft {
            states: (0..model.states()).map(|state| model.pairs_of(state).map(action).collect()).collect(),
            budgets: model.budgets().to_vec(),
            start: model.start().to_vec(),
            from: tiny.from,
            off_support: tiny.off_support,
            rivals: tiny.rivals.iter().map(places).collect(),
            has_radii: radii.is_some(),
        }
    }

    /// The radii of all pairs, where there are any.
    pub fn radii(&self) -> Option<Vec<f64>> {
        self.has_radii.then(|| self.states.iter().flatten().map(|action| action.radius).collect())
    }

    /// The model, if it is one.
    pub fn tiny(&self) -> Option<Tiny> {
        let mut builder = CmdpBuilder::new(self.states.len(), &self.budgets);
        for (state, actions) in self.states.iter().enumerate() {
            for action in actions {
                builder.pair(state, &action.row, action.signals[0], &action.signals[1..]);
            }
        }
        let model = builder.start_distribution(&self.start).build().ok()?;
        let pair = |(state, &place): (usize, &usize)| model.pairs_of(state).nth(place).unwrap_or(0);
        let rival =
            |places: &Vec<usize>| Policy::deterministic(&model, places.iter().enumerate().map(pair)).ok();
        let rivals = self.rivals.iter().map(rival).collect::<Option<_>>()?;
        Some(Tiny { rivals, from: self.from, off_support: self.off_support, model })
    }

    /// Models that are simpler in one way, the greatest steps first.
    pub fn simpler(&self) -> Vec<Draft> {
        let mut all = Vec::new();
        (0..self.states.len()).for_each(|state| all.extend(self.without_state(state)));
        (0..self.budgets.len()).for_each(|cost| all.push(self.without_cost(cost)));
        self.with(&mut all, |draft| draft.rivals.truncate(1));
        self.with(&mut all, |draft| draft.from = Origin::Start);
        if matches!(self.from, Origin::State(_)) {
            self.with(&mut all, |draft| draft.from = Origin::Anywhere);
        }
        self.with(&mut all, |draft| draft.off_support = OffSupport::Pinned);
        self.with(&mut all, |draft| draft.start = vec![(0, 1.0)]);
        for state in 0..self.states.len() {
            for place in 0..self.states[state].len() {
                all.extend(self.without_action(state, place));
            }
        }
        self.simpler_numbers(&mut all);
        all.retain(|draft| draft != self);
        all
    }

    fn with(&self, all: &mut Vec<Draft>, change: impl FnOnce(&mut Draft)) {
        let mut draft = self.clone();
        change(&mut draft);
        all.push(draft);
    }

    fn simpler_numbers(&self, all: &mut Vec<Draft>) {
        for state in 0..self.states.len() {
            for (place, action) in self.states[state].iter().enumerate() {
                for next in 0..if action.row.len() > 1 { self.states.len() } else { 0 } {
                    self.with(all, |draft| draft.states[state][place].row = vec![(next, 1.0)]);
                }
                if let ([(a, p), (b, _)], true) = (&action.row[..], action.row.len() == 2) {
                    let even = vec![(*a, 0.5), (*b, 0.5)];
                    if *p != 0.5 {
                        self.with(all, |draft| draft.states[state][place].row = even);
                    }
                }
                if action.row.len() > 2 {
                    let (a, b) = (action.row[0], action.row[1].0);
                    self.with(all, |draft| draft.states[state][place].row = vec![a, (b, 1.0 - a.1)]);
                }
                for (k, &value) in action.signals.iter().enumerate() {
                    for &number in simpler_than(value, &[0.0, 1.0, -1.0, 2.0]) {
                        self.with(all, |draft| draft.states[state][place].signals[k] = number);
                    }
                }
                for &number in simpler_than(action.radius, &[0.0, 1.0, 0.1]) {
                    self.with(all, |draft| draft.states[state][place].radius = number);
                }
            }
        }
        for (cost, &budget) in self.budgets.iter().enumerate() {
            for &number in simpler_than(budget, &[f64::INFINITY, 0.0, 1.0, -1.0, 0.5]) {
                self.with(all, |draft| draft.budgets[cost] = number);
            }
        }
    }

    fn without_cost(&self, cost: usize) -> Draft {
        let mut draft = self.clone();
        draft.budgets.remove(cost);
        draft.states.iter_mut().flatten().for_each(|action| {
            action.signals.remove(cost + 1);
        });
        draft
    }

    fn without_action(&self, state: usize, place: usize) -> Option<Draft> {
        let mut draft = self.clone();
        draft.states[state].remove(place);
        for rival in &mut draft.rivals {
            rival[state] -= usize::from(rival[state] > place || (rival[state] == place && place > 0));
        }
        (!draft.states[state].is_empty()).then_some(draft)
    }

    /// Ways into the state lead to the first other one instead.
    fn without_state(&self, gone: usize) -> Option<Draft> {
        let mut draft = self.clone();
        let renamed = |state: usize| match state {
            state if state == gone => 0,
            state => state - usize::from(state > gone),
        };
        draft.states.remove(gone);
        draft.rivals.iter_mut().for_each(|rival| {
            rival.remove(gone);
        });
        let rows = draft.states.iter_mut().flatten().map(|action| &mut action.row);
        rows.chain([&mut draft.start]).flatten().for_each(|entry| entry.0 = renamed(entry.0));
        if let Origin::State(state) = draft.from {
            draft.from = Origin::State(renamed(state));
        }
        (!draft.states.is_empty()).then_some(draft)
    }
}

/// The numbers of a list, simplest first, that come before a number in it.
fn simpler_than(value: f64, list: &[f64]) -> &[f64] {
    &list[..list.iter().position(|&number| number == value).unwrap_or(list.len())]
}

impl fmt::Display for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(tiny) = self.tiny() else { return write!(f, "no model") };
        writeln!(f, "from {:?}, off support {:?}, rivals {:?}", self.from, self.off_support, self.rivals)?;
        if let Some(radii) = self.radii() {
            writeln!(f, "radii {radii:?}")?;
        }
        write!(f, "{}", text::to_string(&tiny.model))
    }
}
