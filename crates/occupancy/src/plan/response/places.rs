//! Which state stands at which node of a chain.
//!
//! Elimination wants a much visited state at node 0 and states whose action is likely to change among the first nodes;
//! all others keep their order. A few transpositions of the region's own order do that, and undo it for vectors.

/// A permutation made of a few transpositions.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// The position in the region of every node, and the node of every position.
    position: Vec<u32>,
    node: Vec<u32>,
    /// The transpositions that led here.
    swaps: Vec<(u32, u32)>,
}

impl Places {
    /// Every position at the node of its own number.
    pub fn reset(&mut self, count: usize) {
        self.position.clear();
        self.position.extend(0..count as u32);
        self.node.clone_from(&self.position);
        self.swaps.clear();
    }

    /// Puts a position at a node; what stands there goes where the position stood.
    pub fn bring(&mut self, position: usize, node: usize) {
        let from = self.node(position);
        if from != node {
            self.position.swap(from, node);
            self.node.swap(position, self.position[from] as usize);
            self.swaps.push((from as u32, node as u32));
        }
    }

    #[inline]
    pub fn position(&self, node: usize) -> usize {
        self.position[node] as usize
    }

    #[inline]
    pub fn node(&self, position: usize) -> usize {
        self.node[position] as usize
    }

    /// Writes one number per node, given one per position.
    pub fn write_nodes(&self, of_positions: &[f64], of_nodes: &mut [f64]) {
        if 2 * self.swaps.len() < of_positions.len() {
            of_nodes.copy_from_slice(of_positions);
            return self.to_nodes(of_nodes);
        }
        // Of a few nodes most have changed their place.
        of_nodes
            .iter_mut()
            .zip(&self.position)
            .for_each(|(x, &position)| *x = of_positions[position as usize]);
    }

    /// From one number per position to one per node.
    pub fn to_nodes(&self, x: &mut [f64]) {
        self.swaps.iter().for_each(|&(a, b)| x.swap(a as usize, b as usize));
    }

    /// From one number per node to one per position.
    pub fn to_positions(&self, x: &mut [f64]) {
        self.swaps.iter().rev().for_each(|&(a, b)| x.swap(a as usize, b as usize));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_follow_the_places() {
        let mut places = Places::default();
        places.reset(6);
        for (node, position) in [4, 2, 0, 5].into_iter().enumerate() {
            places.bring(position, node);
        }
        assert_eq!((0..4).map(|node| places.position(node)).collect::<Vec<_>>(), [4, 2, 0, 5]);
        assert!((0..6).all(|node| places.node(places.position(node)) == node));
        let mut x = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
        places.to_nodes(&mut x);
        assert!((0..6).all(|node| x[node] == places.position(node) as f64));
        let (mut few, mut many) = ([0.0; 6], [0.0; 6]);
        places.write_nodes(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], &mut many);
        assert_eq!(many, x);
        places.to_positions(&mut x);
        assert_eq!(x, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        places.reset(6);
        places.bring(4, 1);
        places.write_nodes(&x, &mut few);
        assert_eq!(few, [0.0, 4.0, 2.0, 3.0, 1.0, 5.0]);
    }
}
