//! Maximal end components: the sets of states that a policy can stay in for ever and roam as it likes.
//!
//! Every long run ends in one, and inside one the optimal gain does not depend on the state; so a multichain model
//! falls into communicating ones. Found by taking strongly connected components and dropping the pairs that leave
//! theirs, until nothing changes (de Alfaro, 1997). A pair that is dropped matters to its own component alone, so that only
//! the components that have lost pairs are looked at again.

use super::choices::Choices;
use super::sources::Sources;
use crate::chain::graph::{Components, Graph, Walk};
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
    }

    /// Numbers the components by their first state; states without a pair that stays are transient.
    fn number(&mut self, choices: &Choices, part: &[u32]) {
        let (mut number_of, mut count) = (vec![TRANSIENT; part.len()], 0);
        self.of.clear();
        self.of.extend(part.iter().enumerate().map(|(state, &part)| {
            if !self.inside[choices.model.pairs_of(state)].contains(&true) {
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
    let mut parts = Parts::of_all(choices, within);
    for &state in &parts.states {
        found.inside[model.pairs_of(state as usize)].fill(true);
    }
    let Parts { states, left, alone, .. } = &mut parts;
    alone.extend(states.iter().filter(|&&state| left[state as usize] == 0));
    parts.lose_ways_to_lone_states(&mut found.inside);
    let mut waiting: Vec<Range<usize>> = std::iter::once(0..parts.states.len()).collect();
    while let Some(part) = waiting.pop() {
        parts.split(choices, &mut found.inside, part, &mut waiting);
    }
    found.number(choices, &parts.of);
}

/// Sets of states that are split until they are end components, or single states.
struct Parts {
    /// The part of every state: where it begins in `states`.
    of: Vec<u32>,
    /// All states looked at, part by part, ascending in each.
    states: Vec<u32>,
    /// How many pairs each state has left that may lead elsewhere, and the pairs that lead to each; the latter of sparse rows alone.
    left: Vec<u32>,
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
    /// All states of a set in one part.
    fn of_all(choices: &Choices, within: &[bool]) -> Parts {
        let of: Vec<u32> = within.iter().map(|&within| if within { 0 } else { TRANSIENT }).collect();
        Parts {
            states: (0..within.len() as u32).filter(|&state| within[state as usize]).collect(),
            left: (0..of.len()).map(|state| choices.leaving(state)).collect(),
            sources: choices.has_sparse_rows().then(|| Sources::of(choices.model, within)),
            place: vec![0; of.len()],
            led_by: vec![TRANSIENT; of.len()],
            graph: Graph::default(),
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
            for pair in choices.model.pairs_of(state as usize) {
                if inside[pair] && !choices.row_can_stay(pair, rows.row(pair), |next| self.of[next] == here) {
                    self.lose(inside, state, pair);
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
                if inside[pair as usize] && state != alone {
                    self.lose(inside, state, pair as usize);
                }
            }
        }
        self.sources = Some(sources);
    }

    /// Drops a pair of a state.
    fn lose(&mut self, inside: &mut [bool], state: u32, pair: usize) {
        inside[pair] = false;
        self.lost[self.of[state as usize] as usize] = true;
        self.left[state as usize] -= 1;
        if self.left[state as usize] == 0 {
            self.alone.push(state);
        }
    }

    /// Draws the links inside a part, by place: each once, whichever pairs have it, and none from a state to itself.
    fn draw(&mut self, choices: &Choices, inside: &[bool], part: Range<usize>) {
        let Parts { of, states, place, led_by, graph, .. } = self;
        let (here, states) = (part.start as u32, &states[part]);
        for (at, &state) in (0u32..).zip(states) {
            place[state as usize] = at;
            led_by[state as usize] = TRANSIENT;
        }
        graph.clear();
        let rows = choices.model.kernel().all_rows();
        for (at, &state) in (0u32..).zip(states) {
            led_by[state as usize] = at;
            let mut unseen = states.len() - 1;
            for pair in choices.model.pairs_of(state as usize).filter(|&pair| inside[pair]) {
                if unseen == 0 {
                    break;
                }
                choices.row_successors(pair, rows.row(pair), |next| {
                    if of[next] == here && std::mem::replace(&mut led_by[next], at) != at {
                        unseen -= 1;
                        graph.to.push(place[next]);
                    }
                });
            }
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
