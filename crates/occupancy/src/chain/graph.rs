//! Strongly connected components of a directed graph (Tarjan, 1972), without recursion.

use super::unless_stopped;
use crate::error::Result;
use crate::stop::StopFlag;

/// For how many nodes there is room without growing: to grow step by step took 1 % of a plan of 121 states.
const ROOM: usize = 1000;

/// A graph as lists of successors: node `i` has the edges `to[first[i]..first[i + 1]]`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub first: Vec<usize>,
    pub to: Vec<u32>,
}

impl Graph {
    /// No nodes yet, with room for so many and twice as many edges, but no more than a small graph has.
    pub fn with_room(nodes: usize) -> Graph {
        let nodes = nodes.min(ROOM);
        Graph { first: Vec::with_capacity(nodes + 1), to: Vec::with_capacity(2 * nodes) }
    }

    /// Forgets all nodes.
    pub fn clear(&mut self) {
        self.first.clear();
        self.first.push(0);
        self.to.clear();
    }

    /// Ends the list of the current node and begins the next.
    pub fn end_node(&mut self) {
        self.first.push(self.to.len());
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.first.len() - 1
    }

    /// The successors of a node.
    pub fn successors(&self, node: usize) -> &[u32] {
        &self.to[self.first[node]..self.first[node + 1]]
    }
}

/// The number of every node's component. Components are numbered so that edges lead to lower numbers or stay.
#[derive(Clone, Debug, Default)]
pub(crate) struct Components {
    pub of: Vec<u32>,
    pub count: usize,
}

/// Marks a node that has not been entered.
const NEW: u32 = u32::MAX;

/// Finds the strongly connected components.
pub(crate) fn strong_components(graph: &Graph) -> Components {
    let mut found = Components::default();
    Walk::default().strong_components(graph, &mut found);
    found
}

/// The same of a large graph, unless the end is asked for.
pub(crate) fn strong_components_until(graph: &Graph, stop: &StopFlag) -> Result<Components> {
    let mut found = Components::default();
    let mut walk = Walk { stop: stop.clone(), ..Walk::default() };
    walk.strong_components(graph, &mut found);
    unless_stopped(stop).map(|()| found)
}

/// A walk through a graph; its vectors stay from one to the next.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// When every node was entered, and the earliest that is reached from it.
    order: Vec<u32>,
    low: Vec<u32>,
    /// The nodes without a component yet, and those on the way with their next edge.
    path: Vec<u32>,
    calls: Vec<(u32, usize)>,
    /// If it asks for the end, what is found is not complete.
    stop: StopFlag,
}

impl Walk {
    /// [`strong_components`], into the vectors at hand.
    pub fn strong_components(&mut self, graph: &Graph, found: &mut Components) {
        let nodes = graph.nodes();
        found.count = 0;
        for numbers in [&mut found.of, &mut self.order, &mut self.low] {
            numbers.clear();
            numbers.resize(nodes, NEW);
        }
        let Walk { order, low, path, calls, stop } = self;
        path.clear();
        path.reserve(nodes.min(ROOM));
        calls.clear();
        calls.reserve(nodes.min(ROOM));
        let mut entered = 0;
        for root in 0..nodes {
            let mut enter = (order[root] == NEW).then_some(root);
            loop {
                if let Some(node) = enter.take() {
                    if stop.asked_at(entered as usize) {
                        return;
                    }
                    (order[node], low[node]) = (entered, entered);
                    entered += 1;
                    path.push(node as u32);
                    calls.push((node as u32, graph.first[node]));
                }
                let Some((node, edge)) = calls.last_mut() else { break };
                let node = *node as usize;
                let mut lowest = low[node];
                for &successor in &graph.to[*edge..graph.first[node + 1]] {
                    let successor = successor as usize;
                    *edge += 1;
                    if order[successor] == NEW {
                        enter = Some(successor);
                        break;
                    }
                    if found.of[successor] == NEW {
                        lowest = lowest.min(order[successor]);
                    }
                }
                low[node] = lowest;
                if enter.is_some() {
                    continue;
                }
                calls.pop();
                if let Some(&(parent, _)) = calls.last() {
                    low[parent as usize] = low[parent as usize].min(low[node]);
                }
                if low[node] == order[node] {
                    while let Some(member) = path.pop() {
                        found.of[member as usize] = found.count as u32;
                        if member as usize == node {
                            break;
                        }
                    }
                    found.count += 1;
                }
            }
        }
    }
}

impl Components {
    /// Which components have no edge out of them.
    pub fn closed(&self, graph: &Graph) -> Vec<bool> {
        let mut closed = vec![true; self.count];
        for node in 0..graph.nodes() {
            let own = self.of[node];
            if graph.successors(node).iter().any(|&next| self.of[next as usize] != own) {
                closed[own as usize] = false;
            }
        }
        closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[&[u32]]) -> Graph {
        let mut graph = Graph::default();
        graph.clear();
        for list in edges {
            graph.to.extend_from_slice(list);
            graph.end_node();
        }
        graph
    }

    #[test]
    fn components_are_found_and_ordered_towards_the_closed_ones() {
        let graph = graph(&[&[1], &[2, 0], &[3, 4], &[3], &[5], &[4]]);
        let found = strong_components(&graph);
        assert_eq!(found.count, 4);
        assert_eq!(found.of[0], found.of[1]);
        assert_eq!(found.of[4], found.of[5]);
        let leads_down =
            |node: usize| graph.successors(node).iter().all(|&s| found.of[s as usize] <= found.of[node]);
        assert!((0..6).all(leads_down));
        let closed = found.closed(&graph);
        let closed_nodes: Vec<usize> = (0..6).filter(|&n| closed[found.of[n] as usize]).collect();
        assert_eq!(closed_nodes, [3, 4, 5]);
    }

    #[test]
    fn a_long_path_needs_no_stack() {
        let mut path = Graph::default();
        path.clear();
        for node in 1..200_000 {
            path.to.push(node);
            path.end_node();
        }
        path.end_node();
        assert_eq!(strong_components(&path).count, 200_000);
    }
}
