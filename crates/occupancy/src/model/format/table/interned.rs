//! Names, each kept once and known by its place.

use crate::model::CmdpBuilder;
use crate::model::listed::Listed;
use crate::model::names::printable;
use std::hash::{BuildHasher, RandomState};

/// Names in the order of their first use. A table of their places finds them again: 12 bytes a name besides its letters, where a map of
/// strings takes a hundred.
#[derive(Default)]
pub(super) struct Interned {
    names: Listed,
    /// Places by hash, a power of two of them, at least a quarter empty.
    slots: Vec<u32>,
    hash: RandomState,
}

/// A slot without a name.
const EMPTY: u32 = u32::MAX;

impl Interned {
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The name in a place.
    pub fn name(&self, place: u32) -> &str {
        self.names.get(place as usize).unwrap_or_default()
    }

    /// The place of a name, if it has one.
    pub fn find(&self, name: &str) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        Some(self.slots[self.slot(name)]).filter(|&place| place != EMPTY)
    }

    /// The place of a name, the next one for a new name.
    pub fn place(&mut self, name: &str) -> u32 {
        if 4 * (self.len() + 1) > 3 * self.slots.len() {
            self.grow();
        }
        let slot = self.slot(name);
        if self.slots[slot] == EMPTY {
            self.slots[slot] = self.len() as u32;
            self.names.push(name);
        }
        self.slots[slot]
    }

    /// The slot of a name, or the empty one where it would be.
    fn slot(&self, name: &str) -> usize {
        let last = self.slots.len() - 1;
        let mut slot = self.hash.hash_one(name) as usize & last;
        while self.slots[slot] != EMPTY && self.name(self.slots[slot]) != name {
            slot = (slot + 1) & last;
        }
        slot
    }

    fn grow(&mut self) {
        self.slots = vec![EMPTY; (2 * self.slots.len()).max(16)];
        for place in 0..self.len() as u32 {
            let slot = self.slot(self.name(place));
            self.slots[slot] = place;
        }
    }

    /// Names the states of a model, of which state `i` has the name in place `order[i]`, unless they are only indices.
    pub fn name_states(&self, order: &[u32], model: &mut CmdpBuilder) {
        let mut names = order.iter().map(|&place| self.name(place));
        if names.clone().enumerate().any(|(index, name)| *name != index.to_string()) {
            let listed = names.by_ref().map(|name| printable(name.to_string())).collect();
            model.listed_state_names(listed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_place_and_is_found_again_among_many() {
        let mut names = Interned::default();
        assert_eq!(names.find("0"), None);
        let places: Vec<u32> = (0..1000).map(|i| names.place(&format!("{}", i % 700))).collect();
        assert_eq!(places[..700], (0..700).collect::<Vec<u32>>());
        assert_eq!((places[700], places[999], names.len()), (0, 299, 700));
        assert_eq!((names.find("699"), names.find("700"), names.name(42)), (Some(699), None, "42"));
    }
}
