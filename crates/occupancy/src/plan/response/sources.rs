//! The pairs that lead to each state, for searches backwards through sparse rows.

use crate::model::Cmdp;

/// The states and their pairs that may lead to each state.
pub(crate) struct Sources {
    /// Those of state s are `pairs[first[s]..first[s + 1]]`.
    first: Vec<u32>,
    pairs: Vec<(u32, u32)>,
}

impl Sources {
    /// The pairs of some states.
    pub fn of(model: &Cmdp, states: &[bool]) -> Sources {
        let mut first = vec![0u32; model.states() + 2];
        let rows = model.kernel().all_rows();
        for state in (0..model.states()).filter(|&state| states[state]) {
            for pair in model.pairs_of(state) {
                rows.row(pair).visit(|next, _| first[next + 2] += 1);
            }
        }
        (2..first.len()).for_each(|i| first[i] += first[i - 1]);
        let mut pairs = vec![(0, 0); first[model.states() + 1] as usize];
        for state in (0..model.states()).filter(|&state| states[state]) {
            for pair in model.pairs_of(state) {
                rows.row(pair).visit(|next, _| {
                    let end = &mut first[next + 1];
                    pairs[*end as usize] = (state as u32, pair as u32);
                    *end += 1;
                });
            }
        }
        first.pop();
        Sources { first, pairs }
    }

    /// The states and pairs that may lead to a state.
    pub fn of_state(&self, state: u32) -> &[(u32, u32)] {
        &self.pairs[self.first[state as usize] as usize..self.first[state as usize + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::fixture::rooms;

    #[test]
    fn a_state_knows_who_may_lead_to_it() {
        let model = rooms();
        let all = Sources::of(&model, &[true, true]);
        assert_eq!((all.of_state(0), all.of_state(1)), (&[(0, 0), (1, 3)][..], &[(0, 1), (1, 2)][..]));
        let one = Sources::of(&model, &[false, true]);
        assert_eq!((one.of_state(0), one.of_state(1)), (&[(1, 3)][..], &[(1, 2)][..]));
    }
}
