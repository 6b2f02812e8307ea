//! Sweeps that carry an improvement on to other states before the new policy is evaluated.
//!
//! An evaluation of a large model costs as much as ten of them, and policies that differ in one state from the best one along a
//! long way would otherwise be improved one step of the way at a time.

use super::policy_iteration::PolicyIteration;
use super::region::{Chosen, Region};

/// Sweeps of a look ahead. Two bring a grid of 100 000 states from 29 evaluations to 18; four and eight bring no fewer.
const LOOK_AHEAD: usize = 2;

impl PolicyIteration {
    /// Improves a policy further by sweeps over the states, in which the bias of a state is set anew at once, so that what changes
    /// is seen by the next states. The bias is none of a policy afterwards. A state where ways end keeps its own.
    pub(super) fn look_ahead(
        &mut self,
        region: &Region,
        chosen: &mut Chosen,
        gain: f64,
        (tolerance, end): (f64, Option<u32>),
    ) {
        let model = region.choices.model;
        for sweep in 0..LOOK_AHEAD {
            let mut changed = false;
            let mut visit = |state: u32| {
                if Some(state) == end {
                    return;
                }
                let state = state as usize;
                let current = chosen.pair[state] as usize;
                let value = |pair: usize| self.weighted[pair] + model.kernel().row(pair).dot(&self.bias);
                let mut best = (value(current), current);
                let least = best.0 + tolerance;
                for pair in region.pairs(state).filter(|&pair| pair != current) {
                    let value = value(pair);
                    if value > best.0 && value > least {
                        best = (value, pair);
                    }
                }
                changed |= best.1 != current;
                chosen.pair[state] = best.1 as u32;
                self.bias[state] = best.0 - gain;
            };
            if sweep % 2 == 0 {
                region.states.iter().rev().for_each(|&state| visit(state));
            } else {
                region.states.iter().for_each(|&state| visit(state));
            }
            if !changed {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::choices::Choices;
    use super::super::scope::{Scope, Structure};
    use super::*;
    use crate::model::{CmdpBuilder, Origin};

    #[test]
    fn an_improvement_is_carried_along_the_way() {
        // A ring of ten states: action 0 stays for nothing, action 1 goes on; only state 9 pays, for going on to state 0.
        let mut model = CmdpBuilder::new(10, &[]);
        for state in 0..10 {
            model.pair(state, &[(state, 1.0)], 0.0, &[]);
            let pays = if state == 9 { 1.0 } else { 0.0 };
            model.pair(state, &[((state + 1) % 10, 1.0)], pays, &[]);
        }
        let model = model.build().unwrap();
        let choices = Choices { model: &model, radii: None };
        let scope = Scope::new(choices, Origin::Anywhere, Structure::default()).unwrap();
        let region = scope.region(0);
        let mut iteration = PolicyIteration::default();
        iteration.weigh(&model, &[1.0]);
        let mut chosen = Chosen::default();
        chosen.reset(10, false);
        chosen.pair = (0..10).map(|state| 2 * state).collect();
        // All stay, with a gain and a bias of 0: a step of the iteration would change state 9 alone.
        iteration.look_ahead(&region, &mut chosen, 0.0, (1e-12, None));
        let all_go: Vec<u32> = (0..10).map(|state| 2 * state + 1).collect();
        assert_eq!(chosen.pair, all_go);
    }
}
