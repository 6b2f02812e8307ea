//! Which states of a model can be reached from its start.

use occupancy::model::Cmdp;

/// For each state whether some policy reaches it.
pub fn reached(model: &Cmdp) -> Vec<bool> {
    let mut seen = vec![false; model.states()];
    let mut waiting: Vec<usize> = model.start().iter().map(|&(state, _)| state).collect();
    waiting.iter().for_each(|&state| seen[state] = true);
    while let Some(state) = waiting.pop() {
        for (next, _) in model.pairs_of(state).flat_map(|pair| model.kernel().row(pair).iter()) {
            if !std::mem::replace(&mut seen[next], true) {
                waiting.push(next);
            }
        }
    }
    seen
}

/// Whether all states can be reached.
pub fn reaches_all(model: &Cmdp) -> bool {
    reached(model).into_iter().all(|seen| seen)
}
