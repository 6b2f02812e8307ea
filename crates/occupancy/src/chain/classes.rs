//! Counts the recurrent classes that a policy may end in, by the graph of its chain alone.

use super::graph::{Graph, strong_components};
use crate::model::{Cmdp, Policy};

/// How many recurrent classes `policy` may enter from a state.
pub fn entered_classes(model: &Cmdp, policy: &Policy, state: usize) -> usize {
    // In a dense draw everything follows everything, and looking at all of it would take as long as drawing it.
    if model.kernel().is_positive() {
        return 1;
    }
    let (mut node_of, mut states) = (vec![None; model.states()], vec![state]);
    node_of[state] = Some(0u32);
    let mut graph = Graph::default();
    graph.clear();
    let mut node = 0;
    while let Some(&state) = states.get(node) {
        for pair in model.pairs_of(state).filter(|&pair| policy.probabilities()[pair] > 0.0) {
            for (next, _) in model.kernel().row(pair).iter() {
                let to = *node_of[next].get_or_insert_with(|| {
                    states.push(next);
                    states.len() as u32 - 1
                });
                graph.to.push(to);
            }
        }
        graph.end_node();
        node += 1;
    }
    strong_components(&graph).closed(&graph).into_iter().filter(|&closed| closed).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::evaluate;
    use crate::model::CmdpBuilder;

    #[test]
    fn as_many_classes_are_counted_as_an_evaluation_finds() {
        // State 0 leads to either of two traps, or by itself to the first of them.
        let mut model = CmdpBuilder::new(4, &[]);
        model.pair(0, &[(1, 0.5), (2, 0.5)], 0.0, &[]).pair(0, &[(1, 1.0)], 0.0, &[]);
        model.pair(1, &[(3, 1.0)], 0.0, &[]).pair(2, &[(2, 1.0)], 0.0, &[]).pair(3, &[(1, 1.0)], 0.0, &[]);
        let model = model.build().unwrap();
        for (rows, expected) in [([1.0, 0.0], 2), ([0.0, 1.0], 1), ([0.5, 0.5], 2)] {
            let policy = Policy::new(&model, [&rows[..], &[1.0; 3]].concat()).unwrap();
            assert_eq!(entered_classes(&model, &policy, 0), expected);
            assert_eq!(evaluate(&model, &policy, &[(0, 1.0)]).unwrap().classes, expected);
            assert_eq!(entered_classes(&model, &policy, 3), 1);
        }
    }
}
