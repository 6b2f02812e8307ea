//! An order of elimination by minimum degree (Tinney and Walker, 1967), on quotient graphs (George and Liu, 1989).
//!
//! Next comes a node with the fewest neighbours. Eliminating it would link all of these with each other; instead of the links,
//! the set is kept as an *element*, and elements that lie within a new one are forgotten. What a node has in several elements is
//! counted once for each of them outside the new one, which bounds its degree (Amestoy, Davis and Duff, 1996).

use super::Refused;
use crate::chain::graph::Graph;
use crate::stop::StopFlag;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Nobody, of nodes and of elements.
const NONE: u32 = u32::MAX;

/// The quotient graph of what is left. An element has the number of the node that it came from.
struct Quotient {
    neighbours: Vec<Vec<u32>>,
    elements: Vec<Vec<u32>>,
    members: Vec<Vec<u32>>,
    degree: Vec<u32>,
    is_left: Vec<bool>,
    /// The element that was last seen to have a node.
    seen: Vec<u32>,
    /// How many members of an element lie outside of another, and of which.
    outside: Vec<(u32, u32)>,
}

/// The nodes of a graph in the order of their elimination, unless the elements take more than `most` entries.
pub(super) fn minimum_degree(graph: &Graph, most: usize, stop: &StopFlag) -> Result<Vec<u32>, Refused> {
    let nodes = graph.nodes();
    let neighbours: Vec<Vec<u32>> = (0..nodes).map(|node| graph.successors(node).to_vec()).collect();
    let mut left = Quotient {
        degree: neighbours.iter().map(|list| list.len() as u32).collect(),
        neighbours,
        elements: vec![Vec::new(); nodes],
        members: vec![Vec::new(); nodes],
        is_left: vec![true; nodes],
        seen: vec![NONE; nodes],
        outside: vec![(0, NONE); nodes],
    };
    let mut waiting: BinaryHeap<Reverse<(u32, u32)>> =
        left.degree.iter().zip(0..).map(|(&degree, node)| Reverse((degree, node))).collect();
    let (mut order, mut entries) = (Vec::with_capacity(nodes), 0);
    while let Some(Reverse((degree, node))) = waiting.pop() {
        if !left.is_left[node as usize] || degree != left.degree[node as usize] {
            continue;
        }
        if stop.asked() {
            return Err(Refused::Stopped);
        }
        let element = left.eliminate(node);
        order.push(node);
        entries += element.len();
        if entries > most {
            return Err(Refused::TooLarge);
        }
        if order.len() + element.len() == nodes {
            // All that are left are linked with each other: any order is as good.
            order.extend(element);
            break;
        }
        left.update(node, &element, nodes - order.len());
        waiting.extend(element.iter().map(|&near| Reverse((left.degree[near as usize], near))));
        left.members[node as usize] = element;
    }
    Ok(order)
}

impl Quotient {
    /// Takes a node out; returns those that are linked by that, its element.
    fn eliminate(&mut self, node: u32) -> Vec<u32> {
        self.is_left[node as usize] = false;
        self.seen[node as usize] = node;
        let mut element = std::mem::take(&mut self.neighbours[node as usize]);
        for within in std::mem::take(&mut self.elements[node as usize]) {
            element.append(&mut self.members[within as usize]);
        }
        element.retain(|&near| std::mem::replace(&mut self.seen[near as usize], node) != node);
        element
    }

    /// Counts the neighbours of the members of a new element, of `left` nodes in all.
    fn update(&mut self, node: u32, element: &[u32], left: usize) {
        let Quotient { neighbours, elements, members, degree, seen, outside, .. } = self;
        for &near in element {
            // Elements within this one have lost their members to it.
            elements[near as usize].retain(|&other| !members[other as usize].is_empty());
            for &other in &elements[near as usize] {
                let (count, of) = &mut outside[other as usize];
                if *of != node {
                    (*count, *of) = (members[other as usize].len() as u32, node);
                }
                *count -= 1;
            }
        }
        for &near in element {
            let own = near as usize;
            neighbours[own].retain(|&next| seen[next as usize] != node);
            elements[own].retain(|&other| outside[other as usize].0 > 0);
            let others: u32 = elements[own].iter().map(|&other| outside[other as usize].0).sum();
            let bound = neighbours[own].len() as u32 + others + element.len() as u32 - 1;
            degree[own] = bound.min(left as u32 - 1);
            elements[own].push(node);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(edges: &[&[u32]]) -> Vec<u32> {
        let mut graph = Graph::default();
        graph.clear();
        for list in edges {
            graph.to.extend_from_slice(list);
            graph.end_node();
        }
        minimum_degree(&graph, usize::MAX, &StopFlag::default()).unwrap()
    }

    #[test]
    fn the_middle_of_a_star_comes_last_but_one() {
        // When one end is left besides the middle, they are alike.
        let found = order(&[&[1, 2, 3, 4], &[0], &[0], &[0], &[0]]);
        assert_eq!(found[..3], [1, 2, 3]);
    }

    #[test]
    fn a_path_is_eliminated_from_its_ends() {
        assert_eq!(order(&[&[1], &[0, 2], &[1, 3], &[2, 4], &[3]]), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_ring_of_rings_loses_its_outer_nodes_first() {
        // A square 0 1 2 3 with a triangle on each side: the tips 4 to 7 have two neighbours, the corners four.
        let found = order(&[
            &[1, 3, 4, 7],
            &[0, 2, 4, 5],
            &[1, 3, 5, 6],
            &[0, 2, 6, 7],
            &[0, 1],
            &[1, 2],
            &[2, 3],
            &[3, 0],
        ]);
        // Without two of them, the corner between these has two neighbours, too.
        assert_eq!(found[..3], [4, 5, 1]);
        let mut all = found;
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn elements_that_grow_too_large_are_refused() {
        let all: Vec<u32> = (0..50).collect();
        let mut graph = Graph::default();
        graph.clear();
        for node in 0..50 {
            graph.to.extend(all.iter().filter(|&&other| other != node));
            graph.end_node();
        }
        let refused = minimum_degree(&graph, 40, &StopFlag::default());
        assert_eq!(refused, Err(Refused::TooLarge));
    }
}
