//! The pairs that lead to each state, for searches backwards through sparse rows.

use crate::model::Cmdp;

/// The states and their pairs that may lead to each state.
pub(crate) struct Sources {
    /// Those of state s are `pairs[first[s]..first[s + 1]]`.
    first: Vec<u32>,
    pairs: Vec<(u32, u32)>,
}

impl Sources {
    /// The pairs of some states, of a model with sparse rows.
    pub fn of(model: &Cmdp, states: &[bool]) -> Sources {
        let mut first = vec![0u32; model.states() + 2];
        let rows = model.kernel().all_rows();
        for state in (0..model.states()).filter(|&state| states[state]) {
            let successors = rows.successors(model.pairs_of(state)).iter();
            successors.for_each(|&next| first[next as usize + 2] += 1);
        }
        (2..first.len()).for_each(|i| first[i] += first[i - 1]);
        let mut pairs = vec![(0, 0); first[model.states() + 1] as usize];
        for state in (0..model.states()).filter(|&state| states[state]) {
            for pair in model.pairs_of(state) {
                for &next in rows.successors(pair..pair + 1) {
                    let end = &mut first[next as usize + 1];
                    pairs[*end as usize] = (state as u32, pair as u32);
                    *end += 1;
                }
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
    use crate::plan::fixture::ruin;

    #[test]
    fn a_state_knows_who_may_lead_to_it() {
        let model = ruin();
        let all = Sources::of(&model, &[true; 4]);
        assert_eq!((all.of_state(0), all.of_state(1)), (&[(0, 0), (1, 1)][..], &[(2, 2)][..]));
        assert_eq!((all.of_state(2), all.of_state(3)), (&[(1, 1)][..], &[(2, 2), (3, 3)][..]));
        let one = Sources::of(&model, &[false, false, true, false]);
        assert_eq!((one.of_state(1), one.of_state(3)), (&[(2, 2)][..], &[(2, 2)][..]));
        assert!(one.of_state(0).is_empty() && one.of_state(2).is_empty());
    }
}
