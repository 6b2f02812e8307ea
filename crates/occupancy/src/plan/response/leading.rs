//! Whether a policy leads to one state from all others, so that it has a single recurrent class, with that state in it.
//!
//! Strongly connected components answer the same and more, in 56 bytes for each state. Of a policy that has just been improved it is
//! nearly always true, and a few sweeps over the states see it in a byte for each: where actions slip, one is enough.

use super::region::{Chosen, Region};

/// Sweeps to and fro after which the answer is that nobody knows.
const SWEEPS: usize = 20;

/// Whether it is certain that the target is reached from every state of the region under a policy.
pub(super) fn leads_to(region: &Region, chosen: &Chosen, target: u32) -> bool {
    if !region.contains(target) {
        return false;
    }
    let mut leads = vec![false; region.states.len()];
    leads[region.local[target as usize] as usize] = true;
    let mut in_doubt = leads.len();
    for sweep in 0..SWEEPS {
        let before = std::mem::replace(&mut in_doubt, 0);
        let mut look = |at: usize| {
            if !leads[at] {
                let mut row = chosen.row(&region.choices, region.states[at] as usize);
                leads[at] = row.any(|(next, _)| leads[region.local[next] as usize]);
                in_doubt += usize::from(!leads[at]);
            }
        };
        if sweep % 2 == 0 {
            (0..region.states.len()).rev().for_each(&mut look);
        } else {
            (0..region.states.len()).for_each(&mut look);
        }
        // A few at a time would take as many sweeps as there are states.
        if in_doubt == 0 || in_doubt > before - before / 4 {
            break;
        }
    }
    in_doubt == 0
}

#[cfg(test)]
mod tests {
    use super::super::choices::Choices;
    use super::super::scope::{Scope, Structure};
    use super::*;
    use crate::model::{CmdpBuilder, Origin};

    /// Whether states 0 to 5 lead to each of them, if in every state the first action is taken, or in state 3 the second one.
    fn found(second: bool) -> [bool; 6] {
        let mut model = CmdpBuilder::new(6, &[]);
        // 0 → 1 ⇄ 2, with a rare step 2 → 3 → 4 → 5 → 3 or 0.
        let rows: [&[(usize, f64)]; 6] = [
            &[(1, 1.0)],
            &[(2, 1.0)],
            &[(1, 0.9), (3, 0.1)],
            &[(4, 1.0)],
            &[(5, 1.0)],
            &[(3, 0.6), (0, 0.4)],
        ];
        for (state, row) in rows.into_iter().enumerate() {
            model.pair(state, row, 0.0, &[]);
        }
        model.pair(3, &[(3, 1.0)], 0.0, &[]);
        let model = model.build().unwrap();
        let choices = Choices { model: &model, radii: None };
        let scope = Scope::new(choices, Origin::Anywhere, Structure::default()).unwrap();
        let mut chosen = Chosen::default();
        chosen.reset(6, false);
        chosen.pair = (0..6).map(|state| model.pairs_of(state).start as u32).collect();
        chosen.pair[3] += u32::from(second);
        let region = scope.region(0);
        std::array::from_fn(|target| leads_to(&region, &chosen, target as u32))
    }

    #[test]
    fn a_state_that_all_others_lead_to_is_known() {
        assert_eq!(found(false), [true; 6]);
        assert_eq!(found(true), [false, false, false, true, false, false]);
    }
}
