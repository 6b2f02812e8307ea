//! Where states can be reached with certainty: questions about the graph alone, which no rounding touches.

use crate::model::{Cmdp, Policy};

/// The states from which some policy reaches the targets with probability 1, and the pairs that such policies may take.
#[derive(Clone, Debug, PartialEq)]
pub struct Reaching {
    /// Of every state, whether some policy gets from it to a target with probability 1; true for the targets.
    pub state: Vec<bool>,
    /// Of every pair of such a state, whether it leads to such states only.
    pub pair: Vec<bool>,
    /// Of every such state, a pair that brings it one step nearer with some probability; `u32::MAX` for targets and others.
    pub nearer: Vec<u32>,
}

/// Finds them: states from which the targets cannot be reached are left out with all pairs that may lead there, until none is
/// left out any more.
pub fn reaching(model: &Cmdp, is_target: &[bool]) -> Reaching {
    let sources = Sources::of(model);
    let mut found = Reaching {
        state: vec![true; model.states()],
        pair: vec![true; model.pairs()],
        nearer: vec![u32::MAX; model.states()],
    };
    loop {
        let near = found.walk_back(&sources, is_target);
        let lost: Vec<usize> = (0..model.states()).filter(|&s| found.state[s] && !near[s]).collect();
        if lost.is_empty() {
            return found;
        }
        for &state in &lost {
            found.state[state] = false;
            sources.of_state(state).iter().for_each(|&(_, pair)| found.pair[pair as usize] = false);
        }
    }
}

impl Reaching {
    /// Which states reach a target by pairs that are still allowed; notes the pair of each.
    fn walk_back(&mut self, sources: &Sources, is_target: &[bool]) -> Vec<bool> {
        let mut near = is_target.to_vec();
        let mut queue: Vec<usize> = (0..near.len()).filter(|&state| near[state]).collect();
        let mut next = 0;
        while next < queue.len() {
            for &(source, pair) in sources.of_state(queue[next]) {
                let source = source as usize;
                if self.pair[pair as usize] && self.state[source] && !near[source] {
                    near[source] = true;
                    self.nearer[source] = pair;
                    queue.push(source);
                }
            }
            next += 1;
        }
        near
    }
}

/// The pairs that may lead to each state.
struct Sources {
    first: Vec<usize>,
    /// (state, pair).
    pairs: Vec<(u32, u32)>,
}

impl Sources {
    fn of(model: &Cmdp) -> Sources {
        let mut first = vec![0; model.states() + 2];
        let each = |visit: &mut dyn FnMut(usize, usize, usize)| {
            for state in 0..model.states() {
                for pair in model.pairs_of(state) {
                    model.kernel().row(pair).iter().for_each(|(next, _)| visit(state, pair, next));
                }
            }
        };
        each(&mut |_, _, next| first[next + 2] += 1);
        (2..first.len()).for_each(|i| first[i] += first[i - 1]);
        let mut pairs = vec![(0, 0); first[model.states() + 1]];
        each(&mut |state, pair, next| {
            pairs[first[next + 1]] = (state as u32, pair as u32);
            first[next + 1] += 1;
        });
        Sources { first, pairs }
    }

    fn of_state(&self, state: usize) -> &[(u32, u32)] {
        &self.pairs[self.first[state]..self.first[state + 1]]
    }
}

/// The states that a policy visits from the start, in the order of a walk; what follows a target does not count.
pub(crate) fn visited(
    model: &Cmdp,
    policy: &Policy,
    start: &[(usize, f64)],
    is_target: &[bool],
    mut step: impl FnMut(usize, usize),
) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    let mut seen = vec![false; model.states()];
    let mut visit = |state: usize, order: &mut Vec<usize>| {
        if !std::mem::replace(&mut seen[state], true) {
            order.push(state);
        }
    };
    start.iter().filter(|(_, weight)| *weight > 0.0).for_each(|&(state, _)| visit(state, &mut order));
    let mut next = 0;
    while next < order.len() {
        let state = order[next];
        next += 1;
        if is_target[state] {
            continue;
        }
        for pair in model.pairs_of(state).filter(|&pair| policy.probabilities()[pair] > 0.0) {
            for (successor, _) in model.kernel().row(pair).iter() {
                step(state, successor);
                visit(successor, &mut order);
            }
        }
    }
    order
}

/// A state that a policy visits from the start and from which it never comes to a target, if there is one.
pub fn astray(model: &Cmdp, policy: &Policy, start: &[(usize, f64)], is_target: &[bool]) -> Option<usize> {
    let mut edges: Vec<(u32, u32)> = Vec::new();
    let order = visited(model, policy, start, is_target, |from, to| edges.push((to as u32, from as u32)));
    edges.sort_unstable();
    let mut arrives = is_target.to_vec();
    let mut queue: Vec<u32> = order.iter().filter(|&&s| is_target[s]).map(|&s| s as u32).collect();
    while let Some(target) = queue.pop() {
        let first = edges.partition_point(|&(to, _)| to < target);
        for &(_, from) in edges[first..].iter().take_while(|&&(to, _)| to == target) {
            if !std::mem::replace(&mut arrives[from as usize], true) {
                queue.push(from);
            }
        }
    }
    order.into_iter().find(|&state| !arrives[state])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CmdpBuilder;

    /// From 0 one may gamble (to the goal 2 or the pit 3), wait, or walk to 1, which leads to the goal or back.
    fn model() -> Cmdp {
        let mut model = CmdpBuilder::new(4, &[]);
        model.pair(0, &[(2, 0.5), (3, 0.5)], 0.0, &[]).pair(0, &[(0, 1.0)], 0.0, &[]);
        model.pair(0, &[(1, 1.0)], 0.0, &[]).pair(1, &[(0, 0.5), (2, 0.5)], 0.0, &[]);
        model.pair(2, &[(2, 1.0)], 0.0, &[]).pair(3, &[(3, 1.0)], 0.0, &[]);
        model.build().unwrap()
    }

    #[test]
    fn a_gamble_that_may_end_in_a_pit_is_no_way_to_the_goal() {
        let found = reaching(&model(), &[false, false, true, false]);
        assert_eq!(found.state, [true, true, true, false]);
        assert_eq!(found.pair, [false, true, true, true, true, false]);
        assert_eq!(found.nearer, [2, 3, u32::MAX, u32::MAX]);
    }

    #[test]
    fn a_policy_that_waits_for_ever_is_astray() {
        let model = model();
        let goal = [false, false, true, false];
        let of = |pairs: [usize; 4]| Policy::deterministic(&model, pairs).unwrap();
        assert_eq!(astray(&model, &of([1, 3, 4, 5]), &[(0, 1.0)], &goal), Some(0));
        assert_eq!(astray(&model, &of([0, 3, 4, 5]), &[(0, 1.0)], &goal), Some(3));
        assert_eq!(astray(&model, &of([2, 3, 4, 5]), &[(0, 1.0)], &goal), None);
        assert_eq!(astray(&model, &of([1, 3, 4, 5]), &[(2, 1.0)], &goal), None);
    }
}
