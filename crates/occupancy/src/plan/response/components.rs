//! Maximal end components: the sets of states that a policy can stay in for ever and roam as it likes.
//!
//! Every long run ends in one, and inside one the optimal gain does not depend on the state; so a multichain model
//! falls into communicating ones. Found by taking strongly connected components and dropping the pairs that leave
//! theirs, until nothing changes (de Alfaro, 1997).

use super::choices::Choices;
use crate::chain::graph::{Graph, strong_components};

/// No component: the state is left for good under every policy.
pub(crate) const TRANSIENT: u32 = u32::MAX;

/// The maximal end components among the states looked at.
#[derive(Clone, Debug, Default)]
pub(crate) struct EndComponents {
    /// The component of every state, or [`TRANSIENT`].
    pub of: Vec<u32>,
    /// The states of every component, ascending.
    pub members: Vec<Vec<u32>>,
    /// Whether a pair can be taken without leaving its component.
    pub inside: Vec<bool>,
}

impl EndComponents {
    /// One component of all states, with all pairs inside; in the vectors at hand.
    fn make_whole(&mut self, states: usize, pairs: usize) {
        self.of.clear();
        self.of.resize(states, 0);
        self.members.resize_with(1, Vec::new);
        self.members[0].clear();
        self.members[0].extend(0..states as u32);
        self.inside.clear();
        self.inside.resize(pairs, true);
    }
}

/// Decomposes the states marked in `within`, which must be closed under all transitions.
pub(crate) fn end_components(choices: &Choices, within: &[bool], found: &mut EndComponents) {
    let model = choices.model;
    let states = model.states();
    if choices.connects_all() {
        return found.make_whole(states, model.pairs());
    }
    let mut inside = vec![false; model.pairs()];
    let mut part: Vec<u32> = vec![TRANSIENT; states];
    for state in (0..states).filter(|&state| within[state]) {
        part[state] = 0;
        inside[model.pairs_of(state)].fill(true);
    }
    let mut graph = Graph::default();
    // Each link once, whichever pairs have it.
    let mut last: Vec<u32> = vec![TRANSIENT; states];
    loop {
        graph.clear();
        last.fill(TRANSIENT);
        for state in 0..states {
            let mut unseen = states;
            for pair in model.pairs_of(state).filter(|&pair| inside[pair]) {
                if unseen == 0 {
                    break;
                }
                choices.successors(pair, |next| {
                    if std::mem::replace(&mut last[next], state as u32) != state as u32 {
                        unseen -= 1;
                        if part[next] == part[state] {
                            graph.to.push(next as u32);
                        }
                    }
                });
            }
            graph.end_node();
        }
        part = strong_components(&graph).of;
        let mut dropped = false;
        for state in 0..states {
            for pair in model.pairs_of(state) {
                if inside[pair] && !choices.can_stay(pair, |next| part[next] == part[state]) {
                    inside[pair] = false;
                    dropped = true;
                }
            }
        }
        if !dropped {
            break;
        }
    }
    *found = number(choices, part, inside);
}

/// Numbers the components by their first state; states without a pair that stays are transient.
fn number(choices: &Choices, part: Vec<u32>, inside: Vec<bool>) -> EndComponents {
    let model = choices.model;
    let mut found = EndComponents { of: vec![TRANSIENT; part.len()], members: Vec::new(), inside };
    let mut number_of = vec![TRANSIENT; part.len()];
    for state in 0..part.len() {
        if model.pairs_of(state).any(|pair| found.inside[pair]) {
            let number = &mut number_of[part[state] as usize];
            if *number == TRANSIENT {
                *number = found.members.len() as u32;
                found.members.push(Vec::new());
            }
            found.of[state] = *number;
            found.members[*number as usize].push(state as u32);
        }
    }
    found
}

#[cfg(test)]
mod tests;
