//! The tables that a walk is drawn from: an action of each state, and what follows each pair.
//!
//! There are two forms, which draw the same outcomes from the same random numbers: [`Wide`] holds every model, [`super::compact`]
//! those with few actions and successors, in a quarter of the memory.

use super::alias::{AliasTable, Drawn, SlotRange};
use crate::learn::Counts;
use crate::model::Cmdp;
use std::hint::select_unpredictable;

/// A policy in a model, to draw steps from.
pub(super) trait Tables {
    /// Where a state is.
    type Place: Copy;

    /// Where a state is.
    fn place(&self, state: usize) -> Self::Place;

    /// How many rows there are: one for each pair, and those that are there for regularity.
    fn rows(&self) -> usize;

    /// The row of a state's first pair, behind which those of its others follow.
    fn first_row(&self, state: usize) -> usize;

    /// The pair of a row.
    fn pair(&self, row: usize) -> u32;

    /// Takes up the probabilities of a state's pairs.
    fn take_up(&mut self, state: usize, probabilities: &[f64]);

    /// Draws a step by one random number for the action and one for what follows.
    fn step(&self, place: Self::Place, action: u64, environment: u64) -> Taken<Self::Place>;
}

/// A step that was drawn.
pub(super) struct Taken<P> {
    /// The row of its pair.
    pub row: usize,
    /// The transition.
    pub entry: u32,
    /// Where it leads.
    pub next: P,
}

/// The action that is taken with certainty. Which one it is cannot be foreseen by the processor: all are looked at, without a branch.
pub(super) fn certain(probabilities: &[f64]) -> Option<usize> {
    let looked_at = probabilities.iter().enumerate();
    let found =
        looked_at.fold(usize::MAX, |found, (action, &p)| select_unpredictable(p == 1.0, action, found));
    (found < usize::MAX).then_some(found)
}

/// Tables of any model: slots of 32 bytes that say where the next ones are.
pub(super) struct Wide {
    /// Draws a transition of each pair.
    transitions: AliasTable,
    /// Draws a pair of each state.
    actions: AliasTable,
    /// The first pair of every state.
    first_pair: Vec<u32>,
}

impl Wide {
    /// The transitions of a model, and no policy yet.
    pub fn new(model: &Cmdp, counts: &Counts) -> Wide {
        let support = counts.support();
        let actions = AliasTable::new((0..model.states()).map(|state| model.pairs_of(state).len()));
        let mut transitions = AliasTable::new((0..model.pairs()).map(|pair| support.entries(pair).len()));
        for pair in 0..model.pairs() {
            let row = model.kernel().row(pair).iter().zip(support.entries(pair));
            let outcome = |((next, p), entry)| (Drawn { index: entry as u32, then: actions.place(next) }, p);
            transitions.set(pair, row.map(outcome));
        }
        let first_pair = (0..model.states()).map(|state| model.pairs_of(state).start as u32).collect();
        Wide { transitions, actions, first_pair }
    }
}

impl Tables for Wide {
    type Place = SlotRange;

    fn place(&self, state: usize) -> SlotRange {
        self.actions.place(state)
    }

    fn rows(&self) -> usize {
        self.transitions.rows()
    }

    fn first_row(&self, state: usize) -> usize {
        self.first_pair[state] as usize
    }

    #[inline]
    fn pair(&self, row: usize) -> u32 {
        row as u32
    }

    fn take_up(&mut self, state: usize, probabilities: &[f64]) {
        let first = self.first_row(state);
        let outcome = |pair: usize| Drawn { index: pair as u32, then: self.transitions.place(pair) };
        match certain(probabilities) {
            Some(action) => self.actions.set_certain(state, outcome(first + action)),
            None => {
                let outcomes = probabilities.iter().enumerate();
                self.actions.set(state, outcomes.map(|(action, &p)| (outcome(first + action), p)));
            }
        }
    }

    #[inline(always)]
    fn step(&self, place: SlotRange, action: u64, environment: u64) -> Taken<SlotRange> {
        let pair = self.actions.draw(place, action);
        let transition = self.transitions.draw(pair.then, environment);
        Taken { row: pair.index as usize, entry: transition.index, next: transition.then }
    }
}
