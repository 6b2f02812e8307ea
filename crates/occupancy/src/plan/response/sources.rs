//! The pairs that lead to each state, for searches backwards through sparse rows.

use crate::model::Cmdp;

/// The states and their pairs that may lead to each state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources {
    /// Those of state s are `pairs[first[s]..first[s + 1]]`.
    first: Vec<u32>,
    pairs: Vec<(u32, u32)>,
}

impl Sources {
    /// Those of a model with sparse rows.
    pub fn of(model: &Cmdp) -> Sources {
        Sources::default().find(model)
    }

    /// [`Sources::of`], in the vectors at hand.
    pub fn find(mut self, model: &Cmdp) -> Sources {
        let Sources { first, pairs } = &mut self;
        let rows = model.kernel().all_rows();
        let all = rows.successors(0..model.pairs());
        first.clear();
        first.resize(model.states() + 2, 0);
        all.iter().for_each(|&next| first[next as usize + 2] += 1);
        (2..first.len()).for_each(|i| first[i] += first[i - 1]);
        pairs.resize(all.len(), (0, 0));
        for state in 0..model.states() {
            // One loop over all transitions of a state: where a row ends is as good as random, and would be a branch for each.
            let own = model.pairs_of(state);
            let (ends, mut row) = (rows.ends(own.clone()), 0);
            for (place, &next) in (rows.begin_of(own.start)..).zip(rows.successors(own.clone())) {
                row += usize::from(place == ends[row]);
                let end = &mut first[next as usize + 1];
                pairs[*end as usize] = (state as u32, (own.start + row) as u32);
                *end += 1;
            }
        }
        first.pop();
        self
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
        let all = Sources::of(&model);
        assert_eq!((all.of_state(0), all.of_state(1)), (&[(0, 0), (1, 1)][..], &[(2, 2)][..]));
        assert_eq!((all.of_state(2), all.of_state(3)), (&[(1, 1)][..], &[(2, 2), (3, 3)][..]));
        // Whatever is at hand is written over.
        let again = Sources { first: vec![7; 9], pairs: vec![(7, 7); 9] }.find(&model);
        assert_eq!((again.first, again.pairs), (all.first, all.pairs));
    }
}
