//! What a table of a policy has said, and which state a name is.

use crate::model::Cmdp;
use std::collections::HashMap;

/// The probability of each pair at each stage, and the line that gives it. Where lines come in the order of the pairs, as programs write
/// them, they are a list; a map of them takes four times the room.
#[derive(Default)]
pub(super) struct Given {
    ascending: Vec<(Place, f64, usize)>,
    others: HashMap<Place, (f64, usize)>,
}

/// A stage and a pair.
pub(super) type Place = (u32, u32);

impl Given {
    pub fn get(&self, place: Place) -> Option<(f64, usize)> {
        let found = self.ascending.binary_search_by_key(&place, |&(place, ..)| place);
        let listed = found.ok().map(|at| (self.ascending[at].1, self.ascending[at].2));
        listed.or_else(|| self.others.get(&place).copied())
    }

    /// Adds what a line gives; the line that gave it before, if one did.
    pub fn add(&mut self, place: Place, probability: f64, line: usize) -> Option<usize> {
        if self.others.is_empty() && self.ascending.last().is_none_or(|&(last, ..)| last < place) {
            self.ascending.push((place, probability, line));
            return None;
        }
        let before = self.get(place).map(|(_, line)| line);
        self.others.insert(place, (probability, line));
        before
    }
}

/// The states of a model by their names.
pub(super) struct States<'m> {
    model: &'m Cmdp,
    /// The state that was found last, and its name.
    last: Option<(usize, String)>,
    /// All of them, once a name has come that is neither that of the last one nor of the next: a map of ten million takes a gigabyte.
    all: HashMap<String, usize>,
}

impl States<'_> {
    pub fn of(model: &Cmdp) -> States<'_> {
        States { model, last: None, all: HashMap::new() }
    }

    pub fn find(&mut self, name: &str) -> Option<usize> {
        let next = match &self.last {
            Some((state, known)) if known == name => return Some(*state),
            last => last.as_ref().map_or(0, |(state, _)| state + 1),
        };
        let (states, names) = (self.model.states(), self.model.names());
        // Of several states with one name the last is meant, which only a map of all knows.
        let is_next = names.states_differ() && next < states && names.state(next) == name;
        if !is_next && self.all.is_empty() {
            self.all = (0..states).map(|state| (names.state(state), state)).collect();
        }
        let state = if is_next { next } else { *self.all.get(name)? };
        self.last = Some((state, name.to_string()));
        Some(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CmdpBuilder;

    #[test]
    fn a_place_is_known_with_its_line_in_whatever_order_places_come() {
        let mut given = Given::default();
        let lines = [(0, 0), (0, 2), (1, 0), (0, 1), (1, 1)];
        for (line, &place) in lines.iter().enumerate() {
            assert_eq!(given.add(place, 0.5, line), None);
        }
        assert_eq!((given.ascending.len(), given.get((0, 1)), given.get((2, 0))), (3, Some((0.5, 3)), None));
        assert_eq!((given.add((0, 2), 1.0, 9), given.add((1, 1), 1.0, 9)), (Some(1), Some(4)));
    }

    #[test]
    fn states_are_found_in_their_order_without_a_map_and_in_any_other_with_one() {
        let mut model = CmdpBuilder::new(4, &[]);
        for state in 0..4 {
            model.pair(state, &[(0, 1.0)], 0.0, &[]);
        }
        let numbered = model.build().unwrap();
        let mut states = States::of(&numbered);
        assert_eq!(["0", "0", "1", "2"].map(|name| states.find(name)), [0, 0, 1, 2].map(Some));
        assert!(states.all.is_empty());
        assert_eq!(["0", "1", "7", "3"].map(|name| states.find(name)), [Some(0), Some(1), None, Some(3)]);
    }

    #[test]
    fn of_states_with_one_name_the_last_is_meant() {
        let mut model = CmdpBuilder::new(3, &[]);
        for state in 0..3 {
            model.pair(state, &[(0, 1.0)], 0.0, &[]);
        }
        let named = model.state_names(["a", "b", "a"].map(String::from).to_vec()).build().unwrap();
        let mut states = States::of(&named);
        assert_eq!(["a", "b", "a"].map(|name| states.find(name)), [2, 1, 2].map(Some));
    }
}
