//! A model from its rules: states are found from the start by breadth, so all of them can be reached.

use occupancy::model::{Cmdp, CmdpBuilder};
use std::collections::HashMap;
use std::hash::Hash;

/// One action of a state: where it leads with which probability, and what it brings.
pub struct Action<S> {
    pub outcomes: Vec<(S, f64)>,
    pub reward: f64,
    pub costs: Vec<f64>,
}

/// The model of all states that `actions` leads to from `start`, numbered in the order in which they are found.
pub fn explored<S: Clone + Eq + Hash>(
    start: S,
    budgets: &[f64],
    actions: impl Fn(&S) -> Vec<Action<S>>,
) -> Cmdp {
    let mut found = vec![start.clone()];
    let mut number = HashMap::from([(start, 0)]);
    let mut pairs = Vec::new();
    let mut state = 0;
    while state < found.len() {
        for action in actions(&found[state]) {
            let mut row = Vec::with_capacity(action.outcomes.len());
            for (next, probability) in action.outcomes {
                let fresh = found.len();
                let index = *number.entry(next.clone()).or_insert(fresh);
                if index == fresh {
                    found.push(next);
                }
                row.push((index, probability));
            }
            pairs.push((state, row, action.reward, action.costs));
        }
        state += 1;
    }
    let mut model = CmdpBuilder::new(found.len(), budgets);
    for (state, row, reward, costs) in &pairs {
        model.pair(*state, row, *reward, costs);
    }
    model.build().expect("rules make a consistent model")
}
