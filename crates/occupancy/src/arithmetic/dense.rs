//! Loops over dense rows, compiled for AVX2 as well where the processor is one of x86; the same bits either way.
//!
//! Sums run in eight lanes, whatever the machine has, and the lanes are added up in a fixed order. (Compiled for AVX-512,
//! plans of 64 to 400 states took 3 % less to 2 % more time.)

use multiversion::multiversion;

/// Σ x y.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    dot_here(x, y)
}

/// [`dot`], to be compiled into loops that know the machine already.
#[inline(always)]
fn dot_here(x: &[f64], y: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (head_x, tail_x) = x.as_chunks::<8>();
    let (head_y, tail_y) = y[..x.len()].as_chunks::<8>();
    for (x, y) in head_x.iter().zip(head_y) {
        for lane in 0..8 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    let tail: f64 = tail_x.iter().zip(tail_y).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f64>() + tail
}

/// Σ x, in the manner of [`dot_here`].
#[inline(always)]
pub(crate) fn sum(x: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (head, tail) = x.as_chunks::<8>();
    for x in head {
        for lane in 0..8 {
            sums[lane] += x[lane];
        }
    }
    sums.iter().sum::<f64>() + tail.iter().sum::<f64>()
}

/// How many products are found before the lanes of their sums are added up.
const GROUP: usize = 16;

/// Σ_{s′} P(s′∣pair) x_k(s′) for several x, and for the pairs given or else all: the numbers of one x together in
/// `out`, with the bits of [`dot`].
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn products(all: &[f64], pairs: Option<&[u32]>, x: &[Vec<f64>], out: &mut [f64]) {
    let (states, count) = (x[0].len(), out.len() / x.len());
    let row = |i: usize| &all[pairs.map_or(i, |pairs| pairs[i] as usize) * states..][..states];
    let by_lanes = states / 8 * 8;
    let mut lanes = [[0.0; 8]; GROUP];
    for first in (0..count / 4 * 4).step_by(GROUP) {
        let fours = GROUP.min(count - first) / 4;
        for (k, x) in x.iter().enumerate() {
            let x = &x[..states];
            for (i, lanes) in lanes.as_chunks_mut().0[..fours].iter_mut().enumerate() {
                let i = first + 4 * i;
                let rows = match pairs {
                    Some(_) => [row(i), row(i + 1), row(i + 2), row(i + 3)],
                    None => four_rows(&all[i * states..][..4 * states]),
                };
                *lanes = four_sums(rows, x);
            }
            let out = &mut out[k * count + first..][..4 * fours];
            out.iter_mut().zip(&lanes).for_each(|(out, lanes)| *out = lanes.iter().sum());
            if by_lanes < states {
                for (out, i) in out.iter_mut().zip(first..) {
                    *out += row(i)[by_lanes..].iter().zip(&x[by_lanes..]).map(|(p, x)| p * x).sum::<f64>();
                }
            }
        }
    }
    for i in count / 4 * 4..count {
        x.iter().enumerate().for_each(|(k, x)| out[k * count + i] = dot_here(row(i), x));
    }
}

/// Four rows that follow each other.
#[inline(always)]
fn four_rows(all: &[f64]) -> [&[f64]; 4] {
    let (ab, cd) = all.split_at(all.len() / 2);
    let ((a, b), (c, d)) = (ab.split_at(ab.len() / 2), cd.split_at(cd.len() / 2));
    [a, b, c, d]
}

/// The lanes of Σ x y for four x, as far as they are full.
#[inline(always)]
fn four_sums(x: [&[f64]; 4], y: &[f64]) -> [[f64; 8]; 4] {
    let (y, _) = y.as_chunks::<8>();
    let [a, b, c, d] = x.map(|x| &x.as_chunks::<8>().0[..y.len()]);
    let mut sums = [[0.0; 8]; 4];
    for (i, y) in y.iter().enumerate() {
        (0..8).for_each(|lane| sums[0][lane] += a[i][lane] * y[lane]);
        (0..8).for_each(|lane| sums[1][lane] += b[i][lane] * y[lane]);
        (0..8).for_each(|lane| sums[2][lane] += c[i][lane] * y[lane]);
        (0..8).for_each(|lane| sums[3][lane] += d[i][lane] * y[lane]);
    }
    sums
}

/// Σ_s mass(s) P(s′∣pair of s) for every s′, into `out`; four rows at a time.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn push(all: &[f64], pairs: &[u32], mass: &[f64], out: &mut [f64]) {
    let states = out.len();
    let row = |s: usize| &all[pairs[s] as usize * states..][..states];
    out.fill(0.0);
    let whole = states / 4 * 4;
    for s in (0..whole).step_by(4) {
        let (a, b, c, d) = (row(s), row(s + 1), row(s + 2), row(s + 3));
        for i in 0..states {
            out[i] += (mass[s] * a[i] + mass[s + 1] * b[i]) + (mass[s + 2] * c[i] + mass[s + 3] * d[i]);
        }
    }
    for (s, &mass) in mass.iter().enumerate().skip(whole) {
        out.iter_mut().zip(row(s)).for_each(|(out, p)| *out += mass * p);
    }
}

/// Adds Σ_s w(s) column(s) to `out`, state by state; a column has a number for each entry of `out`. Every sum is made in the order
/// of the states, as that of a single row is, so that it has the same bits: what runs side by side is the sums.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn add_columns(columns: &[f64], weights: &[f64], out: &mut [f64]) {
    let mut done = add_to_groups::<16>(columns, weights, out, 0);
    done = add_to_groups::<4>(columns, weights, out, done);
    add_to_groups::<1>(columns, weights, out, done);
}

/// [`add_columns`] from the entry `first` on, for as many groups of N entries as there are; where they end.
#[inline(always)]
fn add_to_groups<const N: usize>(columns: &[f64], weights: &[f64], out: &mut [f64], first: usize) -> usize {
    let count = out.len();
    let groups = out[first..].as_chunks_mut::<N>().0;
    for (i, sums) in groups.iter_mut().enumerate() {
        // A copy stays in registers for all states.
        let mut own = *sums;
        for (column, weight) in columns.chunks_exact(count).zip(weights) {
            let column = &column[first + i * N..][..N];
            for lane in 0..N {
                own[lane] += column[lane] * weight;
            }
        }
        *sums = own;
    }
    first + N * groups.len()
}

/// Adds Σ_s w(s) min(room(s), left) to `out` for states in an order, taking from `left` what each has room for; columns as in
/// [`add_columns`].
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn fill_columns(rooms: &[f64], order: &[u32], weights: &[f64], left: &mut [f64], out: &mut [f64]) {
    let count = out.len();
    let left = &mut left[..count];
    for &state in order {
        let (room, weight) = (&rooms[state as usize * count..][..count], weights[state as usize]);
        for i in 0..count {
            let extra = if room[i] < left[i] { room[i] } else { left[i] };
            left[i] -= extra;
            out[i] += extra * weight;
        }
    }
}

/// The rows of a chain's table: the time and the other rates, zeros, then from column `rates` on one probability per
/// node.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub rates: usize,
    pub stride: usize,
}

/// Removes the nodes of a block of rows from each other, last to first; `first` is the first of them. Writes the
/// probability of leaving each downwards. The error is a node that cannot be left in floating-point arithmetic.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn reduce_block(
    block: &mut [f64],
    shape: Shape,
    first: usize,
    exits: &mut [f64],
) -> Result<(), usize> {
    let Shape { rates, stride } = shape;
    for i in (0..exits.len()).rev() {
        let (earlier, row_n) = block.split_at_mut(i * stride);
        let row_n = &mut row_n[..rates + first + i];
        let exit = sum(&row_n[rates..]);
        let inverse = 1.0 / exit;
        if !(exit >= f64::MIN_POSITIVE && inverse.is_finite()) {
            return Err(first + i);
        }
        exits[i] = exit;
        row_n.iter_mut().for_each(|x| *x *= inverse);
        for row in earlier.chunks_exact_mut(stride) {
            let share = row[rates + first + i];
            row[..row_n.len()].iter_mut().zip(row_n.iter()).for_each(|(x, y)| *x += share * y);
        }
    }
    Ok(())
}

/// Folds four removed rows, last to first, into the rows of `above`, in one pass over each; the first of the removed
/// nodes has its probability in column `first`, a multiple of four.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn fold_four(above: &mut [f64], block: &[f64], stride: usize, first: usize) {
    let (r0, rest) = block.split_at(stride);
    let (r1, rest) = rest.split_at(stride);
    let (r2, r3) = rest.split_at(stride);
    let (a0, _) = r0[..first].as_chunks::<4>();
    let (a1, _) = r1[..first].as_chunks::<4>();
    let (a2, _) = r2[..first].as_chunks::<4>();
    let (a3, _) = r3[..first].as_chunks::<4>();
    for row in above.chunks_exact_mut(stride) {
        let (x, shares) = row.split_at_mut(first);
        let s3 = shares[3];
        let s2 = shares[2] + s3 * r3[first + 2];
        let s1 = (shares[1] + s3 * r3[first + 1]) + s2 * r2[first + 1];
        let s0 = ((shares[0] + s3 * r3[first]) + s2 * r2[first]) + s1 * r1[first];
        (shares[0], shares[1], shares[2]) = (s0, s1, s2);
        if s0 != 0.0 || s1 != 0.0 || s2 != 0.0 || s3 != 0.0 {
            let (x, _) = x.as_chunks_mut::<4>();
            for i in 0..x.len() {
                let (x, a0, a1, a2, a3) = (&mut x[i], &a0[i], &a1[i], &a2[i], &a3[i]);
                for lane in 0..4 {
                    x[lane] = (((x[lane] + s3 * a3[lane]) + s2 * a2[lane]) + s1 * a1[lane]) + s0 * a0[lane];
                }
            }
        }
    }
}

/// x_k(n) = rate_k(n) − gain_k time(n) + Σ_{j<n} P(n,j) x_k(j) for all nodes after the first, and all k.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn unfold(table: &[f64], shape: Shape, gains: &[f64], x: &mut [Vec<f64>]) {
    for (n, row) in table.chunks_exact(shape.stride).enumerate().skip(1) {
        let below = &row[shape.rates..shape.rates + n];
        for (k, x) in x.iter_mut().enumerate() {
            x[n] = row[1 + k] - gains[k] * row[0] + dot_here(below, x);
        }
    }
}

/// x(n) = Σ_{i<n} x(i) P(i,n) / exit(n) for all nodes after the first.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn spread(table: &[f64], shape: Shape, exits: &[f64], x: &mut [f64]) {
    for (i, row) in table.chunks_exact(shape.stride).enumerate() {
        if i > 0 {
            x[i] /= exits[i];
        }
        let mass = x[i];
        if mass != 0.0 {
            let row = &row[shape.rates..];
            x[i + 1..].iter_mut().zip(&row[i + 1..]).for_each(|(w, p)| *w += mass * p);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between 0 and 1 in which no sum is exact.
    fn numbers(count: usize) -> Vec<f64> {
        (0..count).map(|i| ((i * 37 + 11) % 101) as f64 / 101.0).collect()
    }

    #[test]
    fn products_have_the_bits_of_single_ones() {
        for states in [1, 3, 4, 8, 13, 22] {
            let all = numbers(6 * states * states);
            let x = vec![numbers(states), numbers(2 * states)[states..].to_vec()];
            let row = |pair: usize| &all[pair * states..(pair + 1) * states];
            for pairs in [None, Some((0..states as u32).map(|s| (s * 5) % 6).collect::<Vec<_>>())] {
                let count = pairs.as_ref().map_or(6 * states, Vec::len);
                let mut out = vec![0.0; 2 * count];
                products(&all, pairs.as_deref(), &x, &mut out);
                for i in 0..count {
                    let pair = pairs.as_ref().map_or(i, |pairs| pairs[i] as usize);
                    assert!((0..2).all(|k| out[k * count + i] == dot(row(pair), &x[k])), "{states} states");
                }
            }
        }
    }

    #[test]
    fn sums_over_columns_have_the_bits_of_sums_over_rows() {
        let (states, rows) = (7, 37);
        let (columns, weights, left) = (numbers(states * rows), numbers(states), numbers(3 * rows));
        let order: Vec<u32> = [3, 0, 6, 1, 5, 2, 4].to_vec();
        let (mut sums, mut filled, mut rest) = (vec![0.25; rows], vec![0.5; rows], left.clone());
        add_columns(&columns, &weights, &mut sums);
        fill_columns(&columns, &order, &weights, &mut rest, &mut filled);
        for row in 0..rows {
            let x = |s: usize| columns[s * rows + row];
            let sum = (0..states).fold(0.25, |sum, s| sum + x(s) * weights[s]);
            let (mut left, mut fill) = (left[row], 0.5);
            for s in order.iter().map(|&s| s as usize) {
                let extra = x(s).min(left);
                left -= extra;
                fill += extra * weights[s];
            }
            assert_eq!((sums[row], filled[row], rest[row]), (sum, fill, left));
        }
    }

    #[test]
    fn mass_is_pushed_along_the_rows() {
        for states in [1, 3, 4, 9] {
            let (all, mass) = (numbers(2 * states * states), numbers(states));
            let pairs: Vec<u32> = (0..states as u32).map(|s| 2 * s + s % 2).collect();
            let mut out = vec![0.0; states];
            push(&all, &pairs, &mass, &mut out);
            for (next, found) in out.iter().enumerate() {
                let plain: f64 = (0..states).map(|s| mass[s] * all[pairs[s] as usize * states + next]).sum();
                assert!((found - plain).abs() < 1e-14 * (1.0 + plain), "{states} states");
            }
        }
    }
}
