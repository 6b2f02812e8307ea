//! Elimination on a table that is mostly zeros: what is zero adds nothing, and is passed over.
//!
//! The same sums in the same order as in [`crate::arithmetic::dense`], so that the bits are the same. Before a block of
//! nodes is removed its rows are looked through once for groups of four columns in which one of them has an entry; loops
//! run over these groups alone, and for the stationary law over the rows that lead into the block. In gridworlds, whose states
//! are numbered row by row, an elimination leaves entries near the diagonal alone.

use crate::arithmetic::dense::Shape;
use multiversion::multiversion;
use std::ops::Range;

/// How many nodes are removed at once, and how many columns are looked at together.
const GROUP: usize = 4;

/// Where a reduced table has entries.
#[derive(Clone, Debug, Default)]
pub(super) struct Skeleton {
    /// Groups of columns before a block in which it has entries, and rows above it that lead into it, block by block.
    groups: Vec<u32>,
    rows: Vec<u32>,
    /// Those of each block, by a quarter of its first node; the block of the first nodes has none.
    blocks: Vec<Block>,
}

/// Where the groups and the rows of a block are.
#[derive(Clone, Debug, Default)]
struct Block {
    groups: Range<usize>,
    rows: Range<usize>,
}

impl Skeleton {
    /// Forgets all blocks, and makes room for those of so many nodes.
    pub fn reset(&mut self, nodes: usize) {
        self.groups.clear();
        self.rows.clear();
        self.blocks.clear();
        self.blocks.resize(nodes.div_ceil(GROUP), Block::default());
    }

    /// Removes the nodes of a block that begins at a multiple of four, from each other and from the rows above; the error is a
    /// node that cannot be left in floating-point arithmetic.
    pub fn remove(
        &mut self,
        above: &mut [f64],
        block: &mut [f64],
        shape: Shape,
        begin: usize,
        exits: &mut [f64],
    ) -> Result<(), usize> {
        let (from, above_from) = (self.groups.len(), self.rows.len());
        find_groups(block, shape, begin, &mut self.groups);
        let groups = &self.groups[from..];
        reduce(block, shape, begin, groups, exits)?;
        fold(above, block, shape, begin, groups, &mut self.rows);
        let (groups, rows) = (from..self.groups.len(), above_from..self.rows.len());
        self.blocks[begin / GROUP] = Block { groups, rows };
        Ok(())
    }

    /// x_k(n) = rate_k(n) − gain_k time(n) + Σ_{j<n} P(n,j) x_k(j) for all nodes after the first, and all k.
    pub fn unfold(&self, table: &[f64], shape: Shape, gains: &[f64], x: &mut [Vec<f64>]) {
        unfold(table, shape, (&self.groups, &self.blocks), gains, x);
    }

    /// x(n) = Σ_{i<n} x(i) P(i,n) / exit(n) for all nodes after the first, into an `x` that is 0 there.
    pub fn spread(&self, table: &[f64], shape: Shape, exits: &[f64], x: &mut [f64]) {
        let Shape { rates, stride } = shape;
        for n in 1..x.len() {
            let begin = n / GROUP * GROUP;
            let into = |row: usize| table[row * stride + rates + n];
            let block = &self.blocks[begin / GROUP];
            let above = self.rows[block.rows.clone()].iter().map(|&row| row as usize);
            let sum = above.chain(begin..n).fold(x[n], |sum, row| sum + x[row] * into(row));
            x[n] = sum / exits[n];
        }
    }
}

/// Adds the groups of columns before a block in which one of its rows has an entry.
#[multiversion(targets("x86_64+avx2"))]
fn find_groups(block: &[f64], shape: Shape, begin: usize, groups: &mut Vec<u32>) {
    let width = shape.rates + begin;
    for group in 0..width / GROUP {
        let is_zero = |row: &[f64]| {
            let four = &row[GROUP * group..][..GROUP];
            (four[0] == 0.0) & (four[1] == 0.0) & (four[2] == 0.0) & (four[3] == 0.0)
        };
        if !block.chunks_exact(shape.stride).all(is_zero) {
            groups.push(group as u32);
        }
    }
}

/// Four columns of a row.
#[inline(always)]
fn four(row: &[f64], group: u32) -> [f64; GROUP] {
    let at = GROUP * group as usize;
    [row[at], row[at + 1], row[at + 2], row[at + 3]]
}

/// Σ of some columns of a row times those of `x`, in the lanes and the order of [`crate::arithmetic::dense::dot`].
#[inline(always)]
fn dot(row: &[f64], rates: usize, count: usize, groups: &[u32], x: impl Fn(usize) -> f64) -> f64 {
    let mut sums = [0.0; 8];
    let head = count / 8 * 8;
    let first = (rates / GROUP) as u32;
    for &group in groups.iter().filter(|&&group| group >= first) {
        let begin = GROUP * (group - first) as usize;
        if begin < head {
            let entries = four(row, group);
            for lane in 0..GROUP {
                sums[begin % 8 + lane] += entries[lane] * x(begin + lane);
            }
        }
    }
    let tail: f64 = (head..count).map(|j| row[rates + j] * x(j)).sum();
    sums.iter().sum::<f64>() + tail
}

/// Removes the nodes of a block from each other, last to first, as [`crate::arithmetic::dense::reduce_block`] does.
#[multiversion(targets("x86_64+avx2"))]
fn reduce(
    block: &mut [f64],
    shape: Shape,
    begin: usize,
    groups: &[u32],
    exits: &mut [f64],
) -> Result<(), usize> {
    let Shape { rates, stride } = shape;
    let own = rates + begin;
    for i in (0..exits.len()).rev() {
        let (earlier, row_n) = block.split_at_mut(i * stride);
        let exit = dot(row_n, rates, begin + i, groups, |_| 1.0);
        let inverse = 1.0 / exit;
        if !(exit >= f64::MIN_POSITIVE && inverse.is_finite()) {
            return Err(begin + i);
        }
        exits[i] = exit;
        for &group in groups {
            row_n[GROUP * group as usize..][..GROUP].iter_mut().for_each(|x| *x *= inverse);
        }
        row_n[own..own + i].iter_mut().for_each(|x| *x *= inverse);
        for row in earlier.chunks_exact_mut(stride) {
            let share = row[own + i];
            if share != 0.0 {
                add(row, share, row_n, groups, own..own + i);
            }
        }
    }
    Ok(())
}

/// Adds a share of another row: the groups, and the columns of the block itself.
#[inline(always)]
fn add(row: &mut [f64], share: f64, other: &[f64], groups: &[u32], own: Range<usize>) {
    for &group in groups {
        let y = four(other, group);
        let x = &mut row[GROUP * group as usize..][..GROUP];
        (0..GROUP).for_each(|lane| x[lane] += share * y[lane]);
    }
    row[own.clone()].iter_mut().zip(&other[own]).for_each(|(x, y)| *x += share * y);
}

/// Folds the removed rows of a block into the rows above, and tells which of these have led into it.
#[multiversion(targets("x86_64+avx2"))]
fn fold(above: &mut [f64], block: &[f64], shape: Shape, begin: usize, groups: &[u32], rows: &mut Vec<u32>) {
    let Shape { rates, stride } = shape;
    let (own, count) = (rates + begin, block.len() / stride);
    for (number, row) in above.chunks_exact_mut(stride).enumerate() {
        if row[own..own + count].iter().all(|&share| share == 0.0) {
            continue;
        }
        rows.push(number as u32);
        if count < GROUP {
            for (k, removed) in block.chunks_exact(stride).enumerate().rev() {
                let share = row[own + k];
                if share != 0.0 {
                    add(row, share, removed, groups, own..own + k);
                }
            }
            continue;
        }
        let (r0, r1) = (&block[..stride], &block[stride..2 * stride]);
        let (r2, r3) = (&block[2 * stride..3 * stride], &block[3 * stride..4 * stride]);
        let s3 = row[own + 3];
        let s2 = row[own + 2] + s3 * r3[own + 2];
        let s1 = (row[own + 1] + s3 * r3[own + 1]) + s2 * r2[own + 1];
        let s0 = ((row[own] + s3 * r3[own]) + s2 * r2[own]) + s1 * r1[own];
        (row[own], row[own + 1], row[own + 2]) = (s0, s1, s2);
        for &group in groups {
            let (a0, a1, a2, a3) = (four(r0, group), four(r1, group), four(r2, group), four(r3, group));
            let x = &mut row[GROUP * group as usize..][..GROUP];
            for lane in 0..GROUP {
                x[lane] = (((x[lane] + s3 * a3[lane]) + s2 * a2[lane]) + s1 * a1[lane]) + s0 * a0[lane];
            }
        }
    }
}

/// [`Skeleton::unfold`].
#[multiversion(targets("x86_64+avx2"))]
fn unfold(
    table: &[f64],
    shape: Shape,
    (groups, blocks): (&[u32], &[Block]),
    gains: &[f64],
    x: &mut [Vec<f64>],
) {
    for (n, row) in table.chunks_exact(shape.stride).enumerate().skip(1) {
        let groups = &groups[blocks[n / GROUP].groups.clone()];
        for (k, x) in x.iter_mut().enumerate() {
            let onward = dot(row, shape.rates, n, groups, |j| x[j]);
            x[n] = row[1 + k] - gains[k] * row[0] + onward;
        }
    }
}
