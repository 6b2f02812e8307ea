//! The node that the systems of a recurrent chain are tied to: one that is visited often.
//!
//! Every node of the recurrent class gives the same gains and biases, but the iteration needs the expected times to get there.
//! In a grid whose start and goal are in other corners than node 0, that corner is hardly ever visited, the times are
//! astronomical, and on 302 500 nodes no preconditioner solved a system that takes 6 iterations with the goal as its reference.
//! A short walk along the chain finds such a node. It need not be the best one, and no claim rests on it.

use crate::seed::Seed;
use rand::RngExt;

/// The walk takes twice as many steps as there are nodes, but no more than this: 0.01 s, and some 10 ways through a grid of ten million
/// nodes.
const MOST_STEPS: usize = 1 << 16;

/// A reference is given up for a node that is visited this many times as often, and by so many times more, which is not by chance.
const RARE: u32 = 2;
const SURELY: u32 = 8;

/// The node to tie systems to: `last`, which served the chain before, or the first of the most visited nodes if that is visited rarely.
/// Node 0 is recurrent.
pub(crate) fn often_visited<I: Iterator<Item = (usize, f64)>>(
    nodes: usize,
    last: usize,
    rows: &impl Fn(usize) -> I,
) -> usize {
    let mut visits = vec![0u32; nodes];
    let (mut rng, mut at) = (Seed(0).rng("reference"), 0);
    for _ in 0..MOST_STEPS.min(2 * nodes) {
        at = step(rows(at), at, rng.random());
        visits[at] += 1;
    }
    let more = |most: usize, node: usize| if visits[node] > visits[most] { node } else { most };
    let most = (0..nodes).fold(0, more);
    let last = if last < nodes { last } else { 0 };
    let often = if visits[most] > RARE * visits[last] + SURELY { most } else { last };
    // From a node that is never left, others are not reached; that has to be said, and not to be hidden at place 0.
    if rows(often).any(|(next, p)| next != often && p > 0.0) { often } else { 0 }
}

/// Where a number from 0 to 1 leads to.
fn step(row: impl Iterator<Item = (usize, f64)>, at: usize, random: f64) -> usize {
    let (mut next, mut left) = (at, random);
    for (node, p) in row {
        next = node;
        left -= p;
        if left < 0.0 {
            break;
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A corridor of 50 nodes to the right with a stop of 10 steps at its end, and back to the node before its beginning: node 0 is a recess
    /// that is visited once in 1000 times.
    fn corridor(node: usize) -> impl Iterator<Item = (usize, f64)> {
        let row = match node {
            0 => vec![(1, 1.0)],
            1 => vec![(0, 0.001), (2, 0.999)],
            49 => vec![(1, 0.1), (49, 0.9)],
            _ => vec![(node + 1, 1.0)],
        };
        row.into_iter()
    }

    #[test]
    fn a_reference_that_is_rarely_visited_is_replaced_and_another_is_kept() {
        let chain = |node: usize| corridor(node.min(49));
        // 950 steps more than there are nodes in the corridor, for a longer walk.
        let found = often_visited(1000, 0, &chain);
        assert_eq!(found, 49);
        assert_eq!(often_visited(1000, 49, &chain), 49);
        assert_eq!(often_visited(1000, 5_000, &chain), 49);
        let even = |node: usize| [((node + 1) % 1000, 1.0)].into_iter();
        assert_eq!(often_visited(1000, 7, &even), 7);
        let trap = |node: usize| [(if node == 40 { 40 } else { node + 1 }, 1.0)].into_iter();
        assert_eq!((often_visited(1000, 7, &trap), often_visited(1000, 40, &trap)), (0, 0));
    }

    #[test]
    fn a_step_leads_where_its_number_says() {
        let row = || [(3, 0.25), (5, 0.5), (8, 0.25)].into_iter();
        assert_eq!([0.0, 0.2499, 0.25, 0.7499, 0.75, 0.9999].map(|u| step(row(), 1, u)), [3, 3, 5, 5, 8, 8]);
        // Rounding may leave a row a little short of 1, and an empty one leads nowhere.
        assert_eq!(step([(3, 0.5), (4, 0.4999)].into_iter(), 1, 0.99999), 4);
        assert_eq!(step(std::iter::empty(), 1, 0.5), 1);
    }
}
