//! Names of states, actions and costs; an unnamed thing is called by its index.
//!
//! A model of a million states has few distinct names of actions, and its states are often the cells of a grid:
//! actions keep each distinct name once, and cells are named when somebody asks.

use super::listed::Listed;
use crate::error::{Error, Result, visible};
use std::collections::HashMap;

/// Names, each list optional.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    pub(super) states: Option<StateNames>,
    pub(super) actions: Option<ActionNames>,
    pub(super) costs: Option<Vec<String>>,
    /// The costs that the model holds negated, by index: c ≥ x is −c ≤ −x.
    pub(super) negated: Vec<usize>,
    /// Labels and the states that have them, ascending.
    pub(super) labels: Vec<(String, Vec<u32>)>,
}

impl Names {
    /// Names of costs alone.
    pub(super) fn of_costs(costs: Vec<String>) -> Names {
        Names { costs: Some(costs.into_iter().map(printable).collect()), ..Names::default() }
    }

    /// The name of a state, or its index.
    pub fn state(&self, state: usize) -> String {
        let named = self.states.as_ref().and_then(|names| names.get(state));
        named.unwrap_or_else(|| state.to_string())
    }

    /// The name of a pair's action, or its index among the actions of its state.
    pub(super) fn action(&self, pair: usize, index: usize) -> String {
        let named = self.actions.as_ref().and_then(|names| names.get(pair));
        named.map_or_else(|| index.to_string(), str::to_string)
    }

    /// The name of a cost, or `c0`, `c1`, ….
    pub fn cost(&self, cost: usize) -> String {
        match &self.costs {
            Some(names) if cost < names.len() => names[cost].clone(),
            _ => format!("c{cost}"),
        }
    }

    /// Whether the model holds −c for the cost c of this name, because c has to be at least as large as its budget.
    pub fn is_negated(&self, cost: usize) -> bool {
        self.negated.contains(&cost)
    }

    /// The name of what the model holds: `-c` for a cost c that is negated, otherwise the cost's name.
    pub fn held_cost(&self, cost: usize) -> String {
        let sign = if self.is_negated(cost) { "-" } else { "" };
        sign.to_string() + &self.cost(cost)
    }

    /// What signal k is called in words: `reward`, `cost heat`.
    pub(super) fn signal(&self, k: usize) -> String {
        if k == 0 { "reward".to_string() } else { format!("cost {}", self.cost(k - 1)) }
    }

    /// The states with a label; none if nobody has it.
    pub fn labelled(&self, label: &str) -> &[u32] {
        self.labels.iter().find(|(known, _)| known == label).map_or(&[], |(_, states)| states)
    }

    /// The labels that some state has.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.labels.iter().map(|(label, _)| label.as_str())
    }

    /// Gives a state a label.
    pub(super) fn add_label(&mut self, label: &str, state: usize) {
        let place = self.labels.iter().position(|(known, _)| known == label).unwrap_or_else(|| {
            self.labels.push((label.to_string(), Vec::new()));
            self.labels.len() - 1
        });
        let states = &mut self.labels[place].1;
        if let Err(at) = states.binary_search(&(state as u32)) {
            states.insert(at, state as u32);
        }
    }

    /// Whether states are named.
    pub fn has_states(&self) -> bool {
        self.states.is_some()
    }

    /// Whether no two states are known to have the same name: indices and cells differ.
    pub(super) fn states_differ(&self) -> bool {
        !matches!(self.states, Some(StateNames::List(_)))
    }

    pub(super) fn check(&self, states: usize, costs: usize) -> Result<()> {
        let lists = [
            ("states", self.states.as_ref().map(StateNames::len), states),
            ("costs", self.costs.as_ref().map(Vec::len), costs),
        ];
        for (what, found, expected) in lists {
            if let Some(found) = found.filter(|&found| found != expected) {
                return Err(Error::NameCount { what, found, expected });
            }
        }
        Ok(())
    }
}

/// One name for each state.
#[derive(Clone, Debug)]
pub(super) enum StateNames {
    List(Listed),
    /// A cell of a grid `width` cells wide is called `r1c2` after its row and column; a state that is several cells,
    /// one of each list, joins their names with `+`.
    Cells {
        width: usize,
        lists: Vec<Vec<u32>>,
    },
}

impl StateNames {
    fn len(&self) -> usize {
        match self {
            StateNames::List(names) => names.len(),
            StateNames::Cells { lists, .. } => lists.iter().map(Vec::len).min().unwrap_or(0),
        }
    }

    fn get(&self, state: usize) -> Option<String> {
        match self {
            StateNames::List(names) => names.get(state).map(String::from),
            StateNames::Cells { width, lists } => {
                let name = |cells: &Vec<u32>| cells.get(state).map(|&cell| cell_name(*width, cell as usize));
                let names: Option<Vec<String>> = lists.iter().map(name).collect();
                names.map(|names| names.join("+"))
            }
        }
    }
}

/// Names are the same however they are kept.
impl PartialEq for StateNames {
    fn eq(&self, other: &StateNames) -> bool {
        self.len() == other.len() && (0..self.len()).all(|state| self.get(state) == other.get(state))
    }
}

/// A name without characters that would move a terminal's cursor or end a line.
pub(super) fn printable(name: String) -> String {
    if name.chars().any(char::is_control) { visible(&name) } else { name }
}

/// The name of a cell: `r1c2` is row 1, column 2, both from 0.
pub(crate) fn cell_name(width: usize, cell: usize) -> String {
    format!("r{}c{}", cell / width, cell % width)
}

/// One name for each pair, each distinct name kept once.
#[derive(Clone, Debug, Default)]
pub(super) struct ActionNames {
    pub distinct: Vec<String>,
    pub of: Vec<u32>,
}

impl ActionNames {
    fn get(&self, pair: usize) -> Option<&str> {
        let place = *self.of.get(pair)?;
        self.distinct.get(place as usize).map(String::as_str)
    }
}

impl PartialEq for ActionNames {
    fn eq(&self, other: &ActionNames) -> bool {
        self.of.len() == other.of.len() && (0..self.of.len()).all(|pair| self.get(pair) == other.get(pair))
    }
}

/// Stands for the name of an action that has none.
const UNNAMED: u32 = u32::MAX;

/// Collects the names of actions, of which some or all may be missing.
#[derive(Default)]
pub(super) struct ActionNaming {
    places: HashMap<String, u32>,
    /// One for each pair up to the last that is named.
    of: Vec<u32>,
}

impl ActionNaming {
    /// Names a pair; a later name replaces an earlier one.
    pub fn name(&mut self, pair: usize, name: String) {
        let place = self.place(name);
        self.of.resize(self.of.len().max(pair + 1), UNNAMED);
        self.of[pair] = place;
    }

    fn place(&mut self, name: String) -> u32 {
        let free = self.places.len() as u32;
        *self.places.entry(name).or_insert(free)
    }

    /// The names of all pairs, or nothing where none has one: in another order, name `i` is that of pair `order[i]`. A
    /// pair without a name among pairs with names is called by its `index` among the actions of its state.
    pub fn finish(
        mut self,
        pairs: usize,
        order: Option<&[u32]>,
        index: impl Fn(usize) -> usize,
    ) -> Option<ActionNames> {
        if self.of.is_empty() {
            return None;
        }
        self.of.resize(pairs, UNNAMED);
        let mut of = match order {
            None => std::mem::take(&mut self.of),
            Some(order) => order.iter().map(|&pair| self.of[pair as usize]).collect(),
        };
        for (pair, place) in of.iter_mut().enumerate().filter(|(_, place)| **place == UNNAMED) {
            *place = self.place(index(pair).to_string());
        }
        let mut distinct = vec![String::new(); self.places.len()];
        self.places.into_iter().for_each(|(name, place)| distinct[place as usize] = name);
        of.shrink_to_fit();
        Some(ActionNames { distinct, of })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_by_row_and_column() {
        let one = StateNames::Cells { width: 3, lists: vec![vec![0, 5]] };
        assert_eq!([one.get(0), one.get(1), one.get(2)], [Some("r0c0".into()), Some("r1c2".into()), None]);
        assert_eq!(one, StateNames::List(["r0c0", "r1c2"].into_iter().collect()));
        let two = StateNames::Cells { width: 3, lists: vec![vec![0, 5], vec![1, 3]] };
        assert_eq!(two.get(1), Some("r1c2+r1c0".into()));
        assert_ne!(one, two);
    }

    #[test]
    fn lists_of_the_wrong_length_are_refused() {
        let states = Some(StateNames::Cells { width: 1, lists: vec![vec![0, 1]] });
        let names = Names { states, ..Names::default() };
        let error = names.check(3, 0).unwrap_err().to_string();
        assert_eq!(error, "2 names of states are given, expected 3");
    }

    #[test]
    fn a_distinct_name_is_kept_once_whatever_the_order() {
        let named = |names: [&str; 3], order: Option<&[u32]>| {
            let mut naming = ActionNaming::default();
            names.into_iter().enumerate().for_each(|(pair, name)| naming.name(pair, name.to_string()));
            naming.finish(4, order, |pair| pair).unwrap()
        };
        let sorted = named(["up", "down", "up"], None);
        assert_eq!(sorted.distinct.len(), 3);
        assert_eq!(sorted.get(3), Some("3"));
        assert_eq!(sorted, named(["down", "up", "up"], Some(&[1, 0, 2, 3])));
        assert!(ActionNaming::default().finish(4, None, |pair| pair).is_none());
    }
}
