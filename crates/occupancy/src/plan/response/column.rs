//! A policy and what it attains: a column of the linear program that the price search never writes down.

use super::region::{Chosen, NONE};
use crate::model::Cmdp;

/// A deterministic policy and what it attains in its scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column {
    /// J of every signal.
    pub gains: Vec<f64>,
    /// How far each of them may be off.
    pub errors: Vec<f64>,
    pub chosen: Chosen,
    /// The policy while it is packed: the pair of every state, counted from the first of the state.
    pub packed: Vec<u8>,
    /// The probability of ending in every component.
    pub stop: Vec<f64>,
    /// The share of time spent in every state; empty until [`crate::plan::response::Responder::complete_masses`] if it is costly.
    pub mass: Vec<f64>,
}

impl Column {
    /// Nothing yet, with room for a policy on a model with one component.
    pub fn with_room(model: &Cmdp) -> Column {
        let mut column = Column::default();
        column.gains.reserve(model.signals().count());
        column.errors.reserve(model.signals().count());
        column.chosen.pair.reserve(model.states());
        column.stop.reserve(1);
        column.mass.reserve(model.states());
        column
    }

    /// Keeps the policy in a byte for every state, a quarter of the room, if no state has more actions than that can tell and no
    /// rows are chosen. A search keeps some 30 policies, of which few are asked for again.
    pub fn pack(&mut self, model: &Cmdp) {
        let within = |(state, &pair): (usize, &u32)| match pair {
            NONE => Some(NO_ACTION),
            pair => {
                u8::try_from(pair as usize - model.pairs_of(state).start).ok().filter(|&a| a != NO_ACTION)
            }
        };
        if self.chosen.rows.is_empty()
            && let Some(packed) = self.chosen.pair.iter().enumerate().map(within).collect()
        {
            self.packed = packed;
            self.chosen = Chosen::default();
        }
    }

    /// The policy as it was before it was packed.
    pub fn unpack(&mut self, model: &Cmdp) {
        let packed = std::mem::take(&mut self.packed);
        if packed.is_empty() {
            return;
        }
        let pair = |(state, action): (usize, u8)| match action {
            NO_ACTION => NONE,
            action => model.pairs_of(state).start as u32 + u32::from(action),
        };
        self.chosen.pair.clear();
        self.chosen.pair.extend(packed.into_iter().enumerate().map(pair));
    }
}

/// Stands for [`NONE`] in packed policies.
const NO_ACTION: u8 = u8::MAX;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CmdpBuilder;

    fn model(actions: usize) -> Cmdp {
        let mut model = CmdpBuilder::new(2, &[]);
        for state in 0..2 {
            for _ in 0..actions {
                model.pair(state, &[(state, 1.0)], 0.0, &[]);
            }
        }
        model.build().unwrap()
    }

    fn packed_and_back(model: &Cmdp, pair: Vec<u32>) -> (usize, Vec<u32>) {
        let chosen = Chosen { pair, rows: Vec::new() };
        let mut column = Column { chosen, ..Column::default() };
        column.pack(model);
        let room = column.packed.len();
        column.unpack(model);
        (room, column.chosen.pair)
    }

    #[test]
    fn a_packed_policy_comes_back() {
        assert_eq!(packed_and_back(&model(3), vec![2, 4]), (2, vec![2, 4]));
        assert_eq!(packed_and_back(&model(3), vec![NONE, 3]), (2, vec![NONE, 3]));
        // The 255th action does not fit into a byte beside the sign for none.
        assert_eq!(packed_and_back(&model(300), vec![254, 300]), (2, vec![254, 300]));
        assert_eq!(packed_and_back(&model(300), vec![255, 300]), (0, vec![255, 300]));
    }
}
