//! Numbers of several systems side by side, node by node: what is read of a chain serves all of them.

use crate::threads::{at_once, cut, shares};
use std::ops::Range;

/// One number of each system.
pub(super) type Lanes<const K: usize> = [f64; K];

/// Sums over nodes are made of sums over so many of them, in their order: the same bits whoever adds them up. Blocks of several
/// vectors fit into the nearest cache, so that what a pass has written is added up before it leaves.
pub(super) const BLOCK: usize = 1024;

/// The nodes in ranges of whole blocks, each of which a thread works on. Their number changes no bits.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces {
    ends: Vec<usize>,
}

impl Pieces {
    /// All nodes in one piece.
    pub fn whole(nodes: usize) -> Pieces {
        Pieces { ends: vec![nodes] }
    }

    /// A piece for each thread. Four for each, for whoever comes to them, took 4 % longer on a grid of a million nodes.
    pub fn shared(nodes: usize) -> Pieces {
        let end = |share: Range<usize>| share.end.next_multiple_of(BLOCK).min(nodes);
        Pieces { ends: shares(nodes).into_iter().map(end).collect() }
    }

    /// The nodes of every piece.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.ends.iter().enumerate().map(|(at, &end)| if at == 0 { 0..end } else { self.ends[at - 1]..end })
    }

    pub fn cut<'a, T>(&self, vector: &'a mut [T]) -> Vec<&'a mut [T]> {
        cut(vector, self.ends.iter().copied())
    }

    pub fn slices<'a, T>(&self, vector: &'a [T]) -> Vec<&'a [T]> {
        self.ranges().map(|range| &vector[range]).collect()
    }

    /// Σ x y of every lane.
    pub fn dots<const K: usize>(&self, x: &[Lanes<K>], y: &[Lanes<K>]) -> Lanes<K> {
        let sums = at_once(self.slices(x).into_iter().zip(self.slices(y)).collect(), |(x, y)| {
            x.chunks(BLOCK).zip(y.chunks(BLOCK)).map(|(x, y)| block_dots(x, y)).collect::<Vec<_>>()
        });
        sum_of_blocks(sums)
    }
}

/// The sum over blocks, those of one piece after those of the other.
pub(super) fn sum_of_blocks<const K: usize>(blocks: Vec<Vec<Lanes<K>>>) -> Lanes<K> {
    blocks.into_iter().flatten().fold([0.0; K], add)
}

/// x + y, lane by lane.
pub(super) fn add<const K: usize>(x: Lanes<K>, y: Lanes<K>) -> Lanes<K> {
    std::array::from_fn(|k| x[k] + y[k])
}

/// Σ x y of every lane over a block, in eight partial sums that are added up in a fixed order: the same bits for any number of
/// lanes.
pub(super) fn block_dots<const K: usize>(x: &[Lanes<K>], y: &[Lanes<K>]) -> Lanes<K> {
    let mut sums = [[0.0; K]; 8];
    let (head_x, tail_x) = x.as_chunks::<8>();
    let (head_y, tail_y) = y[..x.len()].as_chunks::<8>();
    for (x, y) in head_x.iter().zip(head_y) {
        for part in 0..8 {
            (0..K).for_each(|k| sums[part][k] += x[part][k] * y[part][k]);
        }
    }
    let mut tail = [0.0; K];
    for (x, y) in tail_x.iter().zip(tail_y) {
        (0..K).for_each(|k| tail[k] += x[k] * y[k]);
    }
    std::array::from_fn(|k| sums.iter().map(|part| part[k]).sum::<f64>() + tail[k])
}

/// Σ p x(j) over entries (j, p), of every lane.
#[inline]
pub(super) fn combine<const K: usize>(
    entries: impl Iterator<Item = (usize, f64)>,
    x: &[Lanes<K>],
) -> Lanes<K> {
    let mut sums = [0.0; K];
    for (j, p) in entries {
        (0..K).for_each(|k| sums[k] += p * x[j][k]);
    }
    sums
}

/// x(j) += p y for entries (j, p), in every lane.
#[inline]
pub(super) fn spread<const K: usize>(
    entries: impl Iterator<Item = (usize, f64)>,
    y: Lanes<K>,
    x: &mut [Lanes<K>],
) {
    for (j, p) in entries {
        (0..K).for_each(|k| x[j][k] += p * y[k]);
    }
}

/// Sets the lanes that do not run to 0.
pub(super) fn clear_lanes<const K: usize>(vector: &mut [Lanes<K>], runs: [bool; K]) {
    for k in (0..K).filter(|&k| !runs[k]) {
        vector.iter_mut().for_each(|x| x[k] = 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_has_the_same_bits_beside_others_and_in_pieces() {
        let number = |i: usize, k: usize| ((i * 7919 + k * 104_729) % 1009) as f64 / 1009.0 - 0.3;
        let of = |i: usize| [number(i, 0), number(i, 1), number(i, 2)];
        let many: Vec<Lanes<3>> = (0..3003).map(of).collect();
        let shifted: Vec<Lanes<3>> = (5..3008).map(of).collect();
        let together = Pieces::whole(3003).dots(&many, &shifted);
        for k in 0..3 {
            let one = |vector: &[Lanes<3>]| vector.iter().map(|x| [x[k]]).collect::<Vec<Lanes<1>>>();
            let pieces = Pieces { ends: vec![1024, 1024, 3003] };
            assert_eq!(pieces.dots(&one(&many), &one(&shifted))[0].to_bits(), together[k].to_bits());
        }
    }

    #[test]
    fn entries_are_combined_and_spread() {
        let entries = || [(0, 0.5), (2, 0.25)].into_iter();
        let mut x = [[1.0, 10.0], [2.0, 20.0], [4.0, 40.0]];
        assert_eq!(combine(entries(), &x), [1.5, 15.0]);
        spread(entries(), [2.0, 4.0], &mut x);
        assert_eq!(x, [[2.0, 12.0], [2.0, 20.0], [4.5, 41.0]]);
        clear_lanes(&mut x, [true, false]);
        assert_eq!(x, [[2.0, 0.0], [2.0, 0.0], [4.5, 0.0]]);
    }
}
