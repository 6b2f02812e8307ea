//! Builds a [`Cmdp`] pair by pair and checks it once.

use super::cmdp::check_budget;
use super::listed::Listed;
use super::names::{ActionNaming, StateNames, printable};
pub(crate) use super::rows::SUM_TOLERANCE;
use super::rows::{Fault, ROUNDED_SUMS, Rows};
use super::support::Support;
use super::{Cmdp, Names};
use crate::error::{Error, Result, RowProblem, StartProblem};

/// One possible outcome of a pair: the successor, its probability, and what this transition brings.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The successor state.
    pub next: usize,
    /// P(next∣s,a). Outcomes with the same successor are added up, their signals averaged.
    pub probability: f64,
    /// The reward of this transition.
    pub reward: f64,
    /// The costs of this transition.
    pub costs: Vec<f64>,
}

/// Collects pairs in any order; [`CmdpBuilder::build`] sorts them by state and checks everything.
///
/// ```
/// use occupancy::model::CmdpBuilder;
/// let mut model = CmdpBuilder::new(2, &[0.5]);
/// model.pair(0, &[(0, 1.0)], 1.0, &[1.0]).action("work");
/// model.pair(0, &[(1, 0.9), (0, 0.1)], 0.0, &[0.0]).action("rest");
/// model.pair(1, &[(0, 1.0)], 0.2, &[0.0]).action("rest");
/// let model = model.start(0).build().unwrap();
/// assert_eq!((model.states(), model.pairs(), model.costs()), (2, 3, 1));
/// ```
pub struct CmdpBuilder {
    states: usize,
    budgets: Vec<f64>,
    added: Added,
    start: Vec<(usize, f64)>,
    names: Names,
}

impl CmdpBuilder {
    /// A model of `states` states without actions yet, with one cost for each budget; it starts in state 0.
    pub fn new(states: usize, budgets: &[f64]) -> CmdpBuilder {
        let (added, names) = (Added::new(states, budgets.len()), Names::default());
        CmdpBuilder { states, budgets: budgets.to_vec(), added, start: vec![(0, 1.0)], names }
    }

    /// A model whose number of states is known only at its end: [`CmdpBuilder::finish_states`] tells it.
    pub(super) fn growing(budgets: &[f64]) -> CmdpBuilder {
        CmdpBuilder::new(u32::MAX as usize - 1, budgets)
    }

    /// There are so many states, and a successor that was given as `i` is state `numbers[i]`, or state `i` without numbers.
    pub(super) fn finish_states(&mut self, states: usize, numbers: Option<&[u32]>) {
        self.states = states;
        self.added.rows.finish_states(states, numbers);
    }

    /// Takes rows and a start whose sums are off by rounding, up to [`ROUNDED_SUMS`], and divides them by their sums; otherwise
    /// they may be off by 1e-9. Said before the first pair.
    pub fn normalise(&mut self, normalise: bool) -> &mut Self {
        if normalise {
            self.added.rows.tolerance = ROUNDED_SUMS;
        }
        self
    }

    /// The line of a text that the next pairs come from, so that what is wrong with them is found.
    pub fn line(&mut self, line: usize) -> &mut Self {
        self.added.line = Some(line);
        self
    }

    /// Adds an action whose signals do not depend on the successor.
    pub fn pair(
        &mut self,
        state: usize,
        successors: &[(usize, f64)],
        reward: f64,
        costs: &[f64],
    ) -> &mut Self {
        let signal = |k: usize, _| if k == 0 { reward } else { costs[k - 1] };
        self.added.push(state, successors.iter().copied(), costs.len(), signal);
        self
    }

    /// The same with a probability for each state, as arrays of other programs have them.
    pub fn dense_pair(&mut self, state: usize, row: &[f64], reward: f64, costs: &[f64]) -> &mut Self {
        let added = self.added.rows.push_dense(row, reward, costs);
        self.added.note(state, added);
        self
    }

    /// Adds an action whose signals depend on the successor.
    pub fn outcomes(&mut self, state: usize, outcomes: &[Outcome]) -> &mut Self {
        let costs = outcomes.iter().map(|o| o.costs.len()).max().unwrap_or(self.budgets.len());
        let signal = |k: usize, outcome: usize| {
            let Outcome { reward, costs, .. } = &outcomes[outcome];
            if k == 0 { *reward } else { *costs.get(k - 1).unwrap_or(&f64::NAN) }
        };
        self.added.push(state, outcomes.iter().map(|o| (o.next, o.probability)), costs, signal);
        self
    }

    /// The same, where `signal(k, outcome)` is the reward (k = 0) or a cost of one of the outcomes.
    pub(crate) fn transitions(
        &mut self,
        state: usize,
        outcomes: &[(usize, f64)],
        costs: usize,
        signal: impl Fn(usize, usize) -> f64,
    ) -> &mut Self {
        self.added.push(state, outcomes.iter().copied(), costs, signal);
        self
    }

    /// Names the action that was added last.
    pub fn action(&mut self, name: impl Into<String>) -> &mut Self {
        if let Some(last) = self.added.owner.len().checked_sub(1) {
            self.added.actions.name(last, printable(name.into()));
        }
        self
    }

    /// Starts in one state.
    pub fn start(&mut self, state: usize) -> &mut Self {
        self.start = vec![(state, 1.0)];
        self
    }

    /// Starts in a state drawn from a distribution.
    pub fn start_distribution(&mut self, start: &[(usize, f64)]) -> &mut Self {
        self.start = start.to_vec();
        self
    }

    /// Names the states. Control characters of names are written out, here and below: `\u{1b}` for an escape.
    pub fn state_names(&mut self, names: Vec<String>) -> &mut Self {
        self.listed_state_names(names.into_iter().map(printable).collect())
    }

    /// Names the states, by names that hold no control characters.
    pub(super) fn listed_state_names(&mut self, names: Listed) -> &mut Self {
        self.names.states = Some(StateNames::List(names));
        self
    }

    /// Names each state after its cell in a grid `width` cells wide, or after its cells, one of each list.
    pub(crate) fn cell_names(&mut self, width: usize, lists: Vec<Vec<u32>>) -> &mut Self {
        self.names.states = Some(StateNames::Cells { width, lists });
        self
    }

    /// Gives a state a label, by which it can be asked for together with others.
    pub fn label(&mut self, label: &str, state: usize) -> &mut Self {
        self.names.add_label(&printable(label.to_string()), state);
        self
    }

    /// Names the costs.
    pub fn cost_names(&mut self, names: Vec<String>) -> &mut Self {
        self.names.costs = Some(names.into_iter().map(printable).collect());
        self
    }

    /// Checks everything and builds the model.
    pub fn build(&mut self) -> Result<Cmdp> {
        if self.states == 0 {
            return Err(Error::NoStates);
        }
        let most = u32::MAX as usize - 1;
        if self.states > most {
            return Err(Error::TooManyStates { states: self.states, most });
        }
        let none = Added::new(self.states, self.budgets.len());
        let added = std::mem::replace(&mut self.added, none);
        if let Some(state) = added.largest.filter(|&state| state >= self.states) {
            return Err(Error::UnknownState { state, states: self.states });
        }
        // Before anything is allocated by the number of states, which is only a claim until each has an action.
        if let Some(state) = added.first_without_actions(self.states) {
            return Err(Error::NoActions { state: self.names.state(state) });
        }
        let first_pair = added.first_pairs(self.states);
        let order = added.order();
        let Added { rows, owner, actions, refused, .. } = added;
        let mut names = std::mem::take(&mut self.names);
        let state_of = |pair: usize| first_pair.partition_point(|&first| first <= pair) - 1;
        let index = |pair: usize| pair - first_pair[state_of(pair)];
        names.actions = actions.finish(owner.len(), order.as_deref(), index);
        let start = self.check_task(&first_pair, &names, rows.tolerance)?;
        if let Some(refused) = refused {
            let error = refused.error(&owner, &first_pair, &names, rows.tolerance);
            return Err(match refused.line {
                Some(line) => error.at_line(line),
                None => error,
            });
        }
        drop(owner);
        let rows = if let Some(order) = order { rows.reordered(&order) } else { rows };
        let (kernel, signals) = rows.finish();
        let model =
            Cmdp { first_pair, kernel, signals, budgets: self.budgets.clone(), start, names, stages: None };
        (0..model.pairs()).try_for_each(|pair| model.check_signals(pair))?;
        Ok(model)
    }

    /// Checks all but the rows; returns the start distribution.
    fn check_task(&self, first_pair: &[usize], names: &Names, tolerance: f64) -> Result<Vec<(usize, f64)>> {
        names.check(self.states, self.budgets.len())?;
        if let Some(state) = first_pair.windows(2).position(|ends| ends[0] == ends[1]) {
            return Err(Error::NoActions { state: names.state(state) });
        }
        for (i, &value) in self.budgets.iter().enumerate() {
            check_budget(&names.cost(i), value)?;
        }
        check_start(&self.start, self.states, tolerance)
    }
}

/// Pairs in the order of their arrival.
struct Added {
    rows: Rows,
    /// The state of each pair.
    owner: Vec<u32>,
    /// The largest of the states.
    largest: Option<usize>,
    actions: ActionNaming,
    /// Where the next pairs come from.
    line: Option<usize>,
    /// The first pair with a fault, in the order of states.
    refused: Option<Refused>,
}

impl Added {
    fn new(states: usize, costs: usize) -> Added {
        let (rows, actions) = (Rows::new(states, 1 + costs), ActionNaming::default());
        Added { rows, owner: Vec::new(), largest: None, actions, line: None, refused: None }
    }

    fn push(
        &mut self,
        state: usize,
        successors: impl Iterator<Item = (usize, f64)>,
        costs: usize,
        signal: impl Fn(usize, usize) -> f64,
    ) {
        let added = self.rows.push(successors, costs, signal);
        self.note(state, added);
    }

    /// Notes whose the row is that was added, or what is wrong with it.
    fn note(&mut self, state: usize, added: std::result::Result<(), Fault>) {
        if let Err(fault) = added
            && self.refused.as_ref().is_none_or(|first| state < first.state)
        {
            self.refused = Some(Refused { state, pair: self.owner.len(), line: self.line, fault });
        }
        // A state that does not fit is too large in any case, which `largest` tells.
        self.owner.push(u32::try_from(state).unwrap_or(u32::MAX));
        self.largest = self.largest.max(Some(state));
    }

    /// The first state without actions, where there are fewer pairs than states.
    fn first_without_actions(&self, states: usize) -> Option<usize> {
        if self.owner.len() >= states {
            return None;
        }
        let mut seen = vec![false; self.owner.len() + 1];
        for &state in &self.owner {
            if let Some(seen) = seen.get_mut(state as usize) {
                *seen = true;
            }
        }
        seen.iter().position(|&seen| !seen)
    }

    /// Where the pairs of each state begin once they are sorted, and where the last ones end.
    fn first_pairs(&self, states: usize) -> Vec<usize> {
        let mut first = vec![0; states + 1];
        self.owner.iter().for_each(|&state| first[state as usize + 1] += 1);
        for state in 0..states {
            first[state + 1] += first[state];
        }
        first
    }

    /// The pairs sorted by state, or nothing where they have come so.
    fn order(&self) -> Option<Vec<u32>> {
        if self.owner.is_sorted() {
            return None;
        }
        let mut order: Vec<u32> = (0..self.owner.len() as u32).collect();
        order.sort_by_key(|&pair| self.owner[pair as usize]);
        Some(order)
    }
}

/// A pair whose row has a fault.
struct Refused {
    state: usize,
    /// Its place in the order of arrival.
    pair: usize,
    line: Option<usize>,
    fault: Fault,
}

impl Refused {
    /// The fault and where it is.
    fn error(&self, owner: &[u32], first_pair: &[usize], names: &Names, within: f64) -> Error {
        let before = owner.iter().take(self.pair);
        let index = before.filter(|&&state| state as usize == self.state).count();
        let state = names.state(self.state);
        let action = names.action(first_pair[self.state] + index, index);
        let states = first_pair.len() - 1;
        let row = |state, action, problem| Error::Row { state, action, problem };
        match self.fault {
            Fault::Costs { found, expected } => Error::CostCount { state, action, found, expected },
            Fault::Length { found, expected } => {
                Error::TableLength { what: "a row of transitions", found, expected }
            }
            Fault::Successor(successor) => row(state, action, RowProblem::Successor { successor, states }),
            Fault::Probability(successor, value) => {
                row(state, action, RowProblem::Probability { successor: names.state(successor), value })
            }
            Fault::Signal(k, value) => Error::Signal { signal: names.signal(k), state, action, value },
            Fault::Sum(sum) => row(state, action, RowProblem::Sum { sum, within }),
            Fault::TooMany => Error::TooLarge { what: "transitions in a model", most: Support::MOST },
        }
    }
}

/// The start without what cannot happen, states ascending, divided by its sum, which may be off by `within`.
pub(crate) fn check_start(start: &[(usize, f64)], states: usize, within: f64) -> Result<Vec<(usize, f64)>> {
    let mut sum = 0.0;
    for &(state, value) in start {
        if state >= states {
            return Err(Error::Start { problem: StartProblem::Unknown { state, states } });
        }
        if !(0.0..=1.0 + within).contains(&value) {
            return Err(Error::Start { problem: StartProblem::Probability { state, value } });
        }
        sum += value;
    }
    if sum.is_nan() || (sum - 1.0).abs() > within {
        return Err(Error::Start { problem: StartProblem::Sum { sum, within } });
    }
    let mut merged: Vec<(usize, f64)> =
        start.iter().filter(|(_, p)| *p > 0.0).map(|&(s, p)| (s, p / sum)).collect();
    merged.sort_by_key(|entry| entry.0);
    merged.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        if same {
            earlier.1 += later.1;
        }
        same
    });
    Ok(merged)
}

#[cfg(test)]
mod tests;
