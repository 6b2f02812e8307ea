//! The order in which sweeps visit the nodes of a chain.

/// Nodes with at least this many sources are hubs. What is eliminated before its hubs is cheap; a hub that is eliminated early
/// links all its sources with all its successors.
const HUB: u32 = 16;

/// A numbering of nodes: the place of every node, and the node at every place. The reference has place 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    pub place: Vec<u32>,
    pub node: Vec<u32>,
}

impl Order {
    /// Numbers the nodes so that the likeliest successor of each comes before it, as far as these do not go round:
    /// first those whose likeliest steps lead to the reference, then, cycle by cycle, the others. (By distance alone, any
    /// rare slip towards it would turn a part of the order against the flow.)
    pub fn by_flow<I: Iterator<Item = (usize, f64)>>(
        &mut self,
        nodes: usize,
        reference: usize,
        rows: &impl Fn(usize) -> I,
    ) {
        let likeliest = |node: usize| {
            let others = rows(node).filter(|&(next, _)| next != node);
            others.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(node, |(next, _)| next) as u32
        };
        let main: Vec<u32> = (0..nodes).map(likeliest).collect();
        let mut first = vec![0u32; nodes + 2];
        main.iter().for_each(|&next| first[next as usize + 2] += 1);
        (2..nodes + 2).for_each(|node| first[node] += first[node - 1]);
        let mut sources = vec![0u32; nodes];
        for (node, &next) in main.iter().enumerate() {
            let end = &mut first[next as usize + 1];
            sources[*end as usize] = node as u32;
            *end += 1;
        }
        const NEW: u32 = u32::MAX;
        const SEEN: u32 = u32::MAX - 1;
        self.place.clear();
        self.place.resize(nodes, NEW);
        self.node.clear();
        for root in std::iter::once(reference).chain(0..nodes) {
            // Down the likeliest steps to a node that is numbered already or comes round again.
            let mut root = root as u32;
            while self.place[root as usize] == NEW && root as usize != reference {
                self.place[root as usize] = SEEN;
                root = main[root as usize];
            }
            if self.place[root as usize] < SEEN {
                continue;
            }
            let mut at = self.node.len();
            self.place[root as usize] = at as u32;
            self.node.push(root);
            while at < self.node.len() {
                let target = self.node[at] as usize;
                for &source in &sources[first[target] as usize..first[target + 1] as usize] {
                    if self.place[source as usize] >= SEEN {
                        self.place[source as usize] = self.node.len() as u32;
                        self.node.push(source);
                    }
                }
                at += 1;
            }
        }
    }

    /// Moves hubs behind all other nodes but the reference, the greater the later; nodes of one size class (a power of 2) stay in order.
    /// `false` if there are none.
    pub fn move_hubs_last<I: Iterator<Item = (usize, f64)>>(&mut self, rows: &impl Fn(usize) -> I) -> bool {
        let mut sources = vec![0u32; self.node.len()];
        for node in 0..self.node.len() {
            rows(node).filter(|&(next, _)| next != node).for_each(|(next, _)| sources[next] += 1);
        }
        let size_class =
            |node: &u32| (sources[*node as usize] / HUB).checked_ilog2().map_or(0, |class| class + 1);
        let Some(others) = self.node.get_mut(1..) else { return false };
        if others.iter().all(|node| size_class(node) == 0) {
            return false;
        }
        others.sort_by_key(size_class);
        for (place, &node) in self.node.iter().enumerate() {
            self.place[node as usize] = place as u32;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeliest_successors_come_first_and_hubs_last() {
        // Nodes 1 to 40 lead to node 41, which leads on to node 0; node 0 leads to all of them.
        let rows = |node: usize| -> Vec<(usize, f64)> {
            match node {
                0 => (1..=40).map(|next| (next, 1.0 / 40.0)).collect(),
                41 => vec![(0, 1.0)],
                _ => vec![(41, 0.9), (0, 0.1)],
            }
        };
        let rows = |node: usize| rows(node).into_iter();
        let mut order = Order::default();
        order.by_flow(42, 0, &rows);
        assert_eq!((order.node[0], order.node[1], order.place[41]), (0, 41, 1));
        assert!(order.move_hubs_last(&rows));
        assert_eq!((order.node[0], order.node[41], order.place[41]), (0, 41, 41));
        assert!(
            order.node.iter().enumerate().all(|(place, &node)| order.place[node as usize] == place as u32)
        );
    }
}
