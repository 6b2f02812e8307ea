//! Maximal end components: the sets of states that a policy can stay in for ever and roam as it likes.
//!
//! Every long run ends in one, and inside one the optimal gain does not depend on the state; so a multichain model
//! falls into communicating ones. Found by taking strongly connected components and dropping the pairs that leave
//! theirs, until nothing changes (de Alfaro, 1997). A pair that is dropped matters to its own component alone, so that only
//! the components that have lost pairs are looked at again.

use super::choices::Choices;
use super::sources::Sources;
use crate::chain::graph::{Components, Graph, Walk};
use crate::chain::solver::Solver;
use std::ops::{Index, Range};

/// No component: the state is left for good under every policy.
pub(crate) const TRANSIENT: u32 = u32::MAX;

/// The maximal end components among the states looked at.
#[derive(Clone, Debug, Default)]
pub(crate) struct EndComponents {
    /// The component of every state, or [`TRANSIENT`].
    pub of: Vec<u32>,
    /// The states of every component, ascending.
    pub members: Groups,
    /// Whether a pair can be taken without leaving its component.
    pub inside: Vec<bool>,
    /// The pairs that lead to each state of a small model with sparse rows: first policies and ways back go by them too. Those of
    /// a large one would be in the way of what its plan needs.
    pub sources: Option<Sources>,
}

/// States in groups, one after the other: a vector for each would be a hundred of them on a model of 121 states.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Groups {
    states: Vec<u32>,
    /// Where each group begins, and the end.
    first: Vec<u32>,
}

impl Groups {
    /// So many groups, made of the group of every state; states of others are left out.
    pub fn collect(&mut self, count: usize, of: &[u32]) {
        let grouped = || of.iter().filter(|group| (**group as usize) < count);
        self.first.clear();
        self.first.resize(count + 2, 0);
        grouped().for_each(|&group| self.first[group as usize + 2] += 1);
        (2..count + 2).for_each(|i| self.first[i] += self.first[i - 1]);
        self.states.clear();
        self.states.resize(self.first[count + 1] as usize, 0);
        for (state, &group) in (0u32..).zip(of).filter(|(_, group)| (**group as usize) < count) {
            let end = &mut self.first[group as usize + 1];
            self.states[*end as usize] = state;
            *end += 1;
        }
        self.first.pop();
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    /// One group after the other.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.first.windows(2).map(|ends| &self.states[ends[0] as usize..ends[1] as usize])
    }
}

#[cfg(test)]
impl Groups {
    /// A list for each group.
    pub fn lists(&self) -> Vec<Vec<u32>> {
        self.iter().map(<[u32]>::to_vec).collect()
    }
}

impl Index<usize> for Groups {
    type Output = [u32];

    fn index(&self, group: usize) -> &[u32] {
        &self.states[self.first[group] as usize..self.first[group + 1] as usize]
    }
}

impl EndComponents {
    /// One component of all states, with all pairs inside; in the vectors at hand.
    fn make_whole(&mut self, states: usize, pairs: usize) {
        self.of.clear();
        self.of.resize(states, 0);
        self.members.collect(1, &self.of);
        self.inside.clear();
        self.inside.resize(pairs, true);
        self.sources = None;
    }

    /// Numbers the components by their first state; states without a pair that stays are transient.
    fn number(&mut self, choices: &Choices, part: &[u32]) {
        let (mut number_of, mut count) = (vec![TRANSIENT; part.len()], 0);
        self.of.clear();
        self.of.extend(part.iter().enumerate().map(|(state, &part)| {
            let pairs = &self.inside[choices.model.pairs_of(state)];
            if !pairs.iter().fold(false, |any, &inside| any | inside) {
                return TRANSIENT;
            }
            let number = &mut number_of[part as usize];
            if *number == TRANSIENT {
                *number = count;
                count += 1;
            }
            *number
        }));
        self.members.collect(count as usize, &self.of);
    }
}

/// Decomposes the states marked in `within`, which must be closed under all transitions.
pub(crate) fn end_components(choices: &Choices, within: &[bool], found: &mut EndComponents) {
    let model = choices.model;
    let states = model.states();
    if choices.connects_all() {
        return found.make_whole(states, model.pairs());
    }
    found.inside.clear();
    found.inside.resize(model.pairs(), false);
    let mut parts = Parts::of_all(choices, within, found.sources.take());
    for &state in &parts.states {
        found.inside[model.pairs_of(state as usize)].fill(true);
    }
    let Parts { states, left, alone, .. } = &mut parts;
    alone.extend(states.iter().filter(|&&state| left[state as usize] == 0));
    parts.lose_ways_to_lone_states(&mut found.inside);
    let mut waiting = vec![parts.set_apart_lone_states()];
    while let Some(part) = waiting.pop() {
        parts.split(choices, &mut found.inside, part, &mut waiting);
    }
    found.number(choices, &parts.of);
    found.sources = parts.sources.filter(|_| !Solver::is_large(within.len(), 0));
}

/// Sets of states that are split until they are end components, or single states.
struct Parts {
    /// The part of every state: where it begins in `states`.
    of: Vec<u32>,
    /// All states looked at, part by part, ascending in each.
    states: Vec<u32>,
    /// The pairs that may lead elsewhere, those of a state from where its pairs begin on: how many are listed, and how many of them
    /// have not been dropped. Pairs that stay where they are need not be looked at again, and are often half of all.
    leaving: Vec<u32>,
    listed: Vec<u32>,
    left: Vec<u32>,
    /// The pairs that lead to each state, where rows are sparse.
    sources: Option<Sources>,
    /// The place of every state in the part at hand, and the place that last led to it.
    place: Vec<u32>,
    led_by: Vec<u32>,
    /// The links inside the part at hand, and its strongly connected components.
    graph: Graph,
    walk: Walk,
    found: Components,
    /// Where each of them begins, and room for its states.
    first: Vec<u32>,
    sorted: Vec<u32>,
    /// Whether a part has lost a pair, by where it begins; and states without a pair that is left and may lead elsewhere.
    lost: Vec<bool>,
    alone: Vec<u32>,
}

impl Parts {
    /// All states of a set in one part; in the sources of an earlier model.
    fn of_all(choices: &Choices, within: &[bool], sources: Option<Sources>) -> Parts {
        let of: Vec<u32> = within.iter().map(|&within| if within { 0 } else { TRANSIENT }).collect();
        let mut leaving = vec![0; choices.model.pairs()];
        let pairs_of = |state: usize| choices.model.pairs_of(state);
        let listed: Vec<u32> =
            (0..of.len()).map(|state| choices.leaving(state, &mut leaving[pairs_of(state)])).collect();
        Parts {
            states: (0..within.len() as u32).filter(|&state| within[state as usize]).collect(),
            leaving,
            left: listed.clone(),
            listed,
            sources: choices.has_sparse_rows().then(|| sources.unwrap_or_default().find(choices.model)),
            place: vec![0; of.len()],
            led_by: vec![TRANSIENT; of.len()],
            graph: Graph::with_room(of.len()),
            walk: Walk::default(),
            found: Components::default(),
            first: Vec::new(),
            sorted: Vec::new(),
            lost: vec![false; of.len()],
            alone: Vec::new(),
            of,
        }
    }

    /// Splits a part into its strongly connected components and drops the pairs that leave theirs; those of several states that
    /// have lost pairs wait to be split again.
    fn split(
        &mut self,
        choices: &Choices,
        inside: &mut [bool],
        part: Range<usize>,
        waiting: &mut Vec<Range<usize>>,
    ) {
        self.draw(choices, inside, part.clone());
        self.walk.strong_components(&self.graph, &mut self.found);
        if self.found.count == 1 && choices.radii.is_none() {
            return;
        }
        self.sort(part.clone());
        self.lost[part.clone()].fill(false);
        let rows = choices.model.kernel().all_rows();
        for place in part {
            let state = self.states[place];
            let here = self.of[state as usize];
            let first = choices.model.pairs_of(state as usize).start;
            for i in first..first + self.listed[state as usize] as usize {
                let pair = self.leaving[i] as usize;
                if inside[pair] && !choices.can_stay(pair, rows, |next| self.of[next] == here) {
                    self.lose(inside, state, pair, true);
                    self.lose_ways_to_lone_states(inside);
                }
            }
        }
        let ranges = self.first.windows(2).map(|ends| ends[0] as usize..ends[1] as usize);
        waiting.extend(ranges.filter(|range| self.lost[range.start] && range.len() > 1));
    }

    /// Drops the pairs that may lead to states which cannot be left any more: whoever leads to whom is known at once, where every
    /// split would only find those who lead there directly. Where half of the pairs stay where they are, 29 splits became 5.
    fn lose_ways_to_lone_states(&mut self, inside: &mut [bool]) {
        let Some(sources) = self.sources.take() else { return self.alone.clear() };
        while let Some(alone) = self.alone.pop() {
            for &(state, pair) in sources.of_state(alone) {
                self.lose(inside, state, pair as usize, state != alone);
            }
        }
        self.sources = Some(sources);
    }

    /// Makes parts of the states that cannot be left any more, after the others, which are the first part: nothing about
    /// them is left to be found. Only where it is known who leads to whom: elsewhere the pairs that lead to them have not been dropped
    /// yet.
    fn set_apart_lone_states(&mut self) -> Range<usize> {
        if self.sources.is_none() {
            return 0..self.states.len();
        }
        let is_lone = |&state: &u32| self.left[state as usize] == 0;
        self.sorted.extend(self.states.iter().filter(|state| is_lone(state)));
        self.states.retain(|state| !is_lone(state));
        let others = 0..self.states.len();
        self.states.append(&mut self.sorted);
        let alone = self.states.iter().enumerate().skip(others.len());
        alone.for_each(|(place, &state)| self.of[state as usize] = place as u32);
        others
    }

    /// Drops a pair of a state if it `leads` away and has not been dropped: both are as good as random, so that no branch depends on
    /// them alone.
    fn lose(&mut self, inside: &mut [bool], state: u32, pair: usize, leads: bool) {
        let is_lost = inside[pair] & leads;
        inside[pair] &= !is_lost;
        // States that are not looked at have no part.
        if let Some(lost) = self.lost.get_mut(self.of[state as usize] as usize) {
            *lost |= is_lost;
        }
        let left = &mut self.left[state as usize];
        *left -= u32::from(is_lost);
        if is_lost & (*left == 0) {
            self.alone.push(state);
        }
    }

    /// Draws the links inside a part, by place: each once, whichever pairs have it, and none from a state to itself. Pairs that have
    /// been dropped are listed no longer.
    fn draw(&mut self, choices: &Choices, inside: &[bool], part: Range<usize>) {
        let Parts { of, states, place, led_by, graph, leaving, listed, .. } = self;
        let (here, states) = (part.start as u32, &states[part]);
        for (at, &state) in (0u32..).zip(states) {
            place[state as usize] = at;
            led_by[state as usize] = TRANSIENT;
        }
        graph.clear();
        let rows = choices.model.kernel().all_rows();
        for (at, &state) in (0u32..).zip(states) {
            led_by[state as usize] = at;
            let (mut unseen, mut kept) = (states.len() - 1, 0);
            let own = &mut leaving[choices.model.pairs_of(state as usize)];
            for i in 0..listed[state as usize] as usize {
                let pair = own[i];
                own[kept] = pair;
                kept += usize::from(inside[pair as usize]);
                if unseen == 0 || !inside[pair as usize] {
                    continue;
                }
                choices.row_successors(pair as usize, rows, |next| {
                    if of[next] == here && std::mem::replace(&mut led_by[next], at) != at {
                        unseen -= 1;
                        graph.to.push(place[next]);
                    }
                });
            }
            listed[state as usize] = kept as u32;
            graph.end_node();
        }
    }

    /// Sorts the states of a part by the components found in it, which become its parts.
    fn sort(&mut self, part: Range<usize>) {
        let Components { of, count } = &self.found;
        self.first.clear();
        self.first.resize(count + 2, part.start as u32);
        of.iter().for_each(|&component| self.first[component as usize + 2] += 1);
        (2..count + 2).for_each(|i| self.first[i] += self.first[i - 1] - part.start as u32);
        self.sorted.clear();
        self.sorted.extend_from_slice(&self.states[part]);
        for (&state, &component) in self.sorted.iter().zip(of) {
            let end = &mut self.first[component as usize + 1];
            self.states[*end as usize] = state;
            *end += 1;
        }
        self.first.pop();
        for component in 0..*count {
            let range = self.first[component] as usize..self.first[component + 1] as usize;
            self.states[range].iter().for_each(|&state| self.of[state as usize] = self.first[component]);
        }
    }
}

#[cfg(test)]
mod tests;
