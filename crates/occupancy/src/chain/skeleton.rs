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

    /// Writes zeros where a table of so many nodes has entries after all blocks have been removed: on 121 nodes of a gridworld,
    /// a fifth of all places.
    pub fn clear(&self, table: &mut [f64], shape: Shape, nodes: usize) {
        let Shape { rates, stride } = shape;
        for (block, Block { groups, rows }) in self.blocks.iter().enumerate() {
            let begin = GROUP * block;
            // Columns of nodes after the last one are zero anyway.
            let (end, own) = ((begin + GROUP).min(nodes), (rates + begin) / GROUP);
            for row in table[begin * stride..end * stride].chunks_exact_mut(stride) {
                let row4 = fours_mut(row);
                self.groups[groups.clone()].iter().for_each(|&group| row4[group as usize] = [0.0; GROUP]);
                let first = if block == 0 { 0 } else { own };
                row4[first..=own].iter_mut().for_each(|four| *four = [0.0; GROUP]);
            }
            for &row in &self.rows[rows.clone()] {
                fours_mut(&mut table[row as usize * stride..][..stride])[own] = [0.0; GROUP];
            }
        }
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

/// A row in groups of columns. A row is a whole number of them, so that one look at the bounds is enough for four columns.
#[inline(always)]
fn fours(row: &[f64]) -> &[[f64; GROUP]] {
    row.as_chunks().0
}

/// [`fours`], to be written.
#[inline(always)]
fn fours_mut(row: &mut [f64]) -> &mut [[f64; GROUP]] {
    row.as_chunks_mut().0
}

/// Whether four numbers are zero, without a branch for each.
#[inline(always)]
fn is_zero(four: [f64; GROUP]) -> bool {
    (four[0] == 0.0) & (four[1] == 0.0) & (four[2] == 0.0) & (four[3] == 0.0)
}

/// Adds the groups of columns before a block in which one of its rows has an entry.
#[multiversion(targets("x86_64+avx2"))]
fn find_groups(block: &[f64], shape: Shape, begin: usize, groups: &mut Vec<u32>) {
    for group in 0..(shape.rates + begin) / GROUP {
        if !block.chunks_exact(shape.stride).all(|row| is_zero(fours(row)[group])) {
            groups.push(group as u32);
        }
    }
}

/// Σ of some columns of a row times those of `x`, in the lanes and the order of [`crate::arithmetic::dense::dot`].
#[inline(always)]
fn dot(row: &[f64], rates: usize, count: usize, groups: &[u32], x: &[f64]) -> f64 {
    let (mut even, mut odd) = ([0.0; GROUP], [0.0; GROUP]);
    let (head, first) = (count / 8 * 8, rates / GROUP);
    let (row4, x4) = (fours(row), fours(x));
    for group in groups.iter().map(|&group| group as usize).filter(|&group| group >= first) {
        let at = group - first;
        if GROUP * at < head {
            let (p, x) = (row4[group], x4[at]);
            // Sums in registers: the lanes of one array, chosen by an index, would go through memory.
            let sums = if at % 2 == 0 { &mut even } else { &mut odd };
            (0..GROUP).for_each(|lane| sums[lane] += p[lane] * x[lane]);
        }
    }
    let tail: f64 = row[rates + head..rates + count].iter().zip(&x[head..count]).map(|(p, x)| p * x).sum();
    even.iter().chain(&odd).sum::<f64>() + tail
}

/// [`dot`] with ones.
#[inline(always)]
fn sum(row: &[f64], rates: usize, count: usize, groups: &[u32]) -> f64 {
    let (mut even, mut odd) = ([0.0; GROUP], [0.0; GROUP]);
    let (head, first) = (count / 8 * 8, rates / GROUP);
    let row4 = fours(row);
    for group in groups.iter().map(|&group| group as usize).filter(|&group| group >= first) {
        if GROUP * (group - first) < head {
            let sums = if (group - first) % 2 == 0 { &mut even } else { &mut odd };
            (0..GROUP).for_each(|lane| sums[lane] += row4[group][lane]);
        }
    }
    let tail: f64 = row[rates + head..rates + count].iter().sum();
    even.iter().chain(&odd).sum::<f64>() + tail
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
        let exit = sum(row_n, rates, begin + i, groups);
        let inverse = 1.0 / exit;
        if !(exit >= f64::MIN_POSITIVE && inverse.is_finite()) {
            return Err(begin + i);
        }
        exits[i] = exit;
        let row4 = fours_mut(row_n);
        groups.iter().for_each(|&group| row4[group as usize].iter_mut().for_each(|x| *x *= inverse));
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
    let (row4, other4) = (fours_mut(row), fours(other));
    for &group in groups {
        let (x, y) = (&mut row4[group as usize], other4[group as usize]);
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
        // All four at once: most rows lead elsewhere, and this is all that is done with them. Columns of nodes after the last one
        // are zero.
        if is_zero(fours(row)[own / GROUP]) {
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
        let (r0, r1, r2, r3, row4) = (fours(r0), fours(r1), fours(r2), fours(r3), fours_mut(row));
        for group in groups.iter().map(|&group| group as usize) {
            let (a0, a1, a2, a3, x) = (r0[group], r1[group], r2[group], r3[group], &mut row4[group]);
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
            let onward = dot(row, shape.rates, n, groups, x);
            x[n] = row[1 + k] - gains[k] * row[0] + onward;
        }
    }
}
