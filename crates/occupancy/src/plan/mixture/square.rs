//! A few equations in as many unknowns, for several right-hand sides and for the transposed matrix.
//!
//! Gaussian elimination of the rows, each divided by its largest entry first: pivots are chosen relative to the size of
//! their rows, so that a row of entries around 1e-12 keeps its digits. Two equations are solved by Cramer's rule, which
//! keeps them where one row is of zeros and ones, as that of a master's weights is: nothing is subtracted then but the
//! entries of the other row.

use crate::arithmetic::extremes::greatest_size;

/// The factors of a matrix.
#[derive(Clone, Debug, Default)]
pub(crate) struct Square {
    rows: usize,
    /// The lower factor below the diagonal (its own is 1), the upper one from it on; of two rows the entries and their
    /// determinant.
    factors: Vec<f64>,
    /// The row that stands at each place, and the largest entry of each row.
    order: Vec<usize>,
    sizes: Vec<f64>,
    scratch: Vec<f64>,
}

impl Square {
    /// Factors the matrix whose columns are written one by one; `None` if it is singular.
    pub fn factor(&mut self, rows: usize, write: impl Fn(usize, &mut [f64])) -> Option<()> {
        self.rows = rows;
        self.factors.resize(rows * rows + 1, 0.0);
        self.scratch.resize(rows, 0.0);
        for k in 0..rows {
            write(k, &mut self.scratch);
            (0..rows).for_each(|i| self.factors[i * rows + k] = self.scratch[i]);
        }
        let a = &mut self.factors;
        if rows == 2 {
            a[4] = a[0] * a[3] - a[1] * a[2];
            return Some(()).filter(|()| a[4] != 0.0 && a[4].is_finite());
        }
        self.sizes.resize(rows, 0.0);
        self.order.clear();
        self.order.extend(0..rows);
        match rows {
            3 => self.factor_of::<3>(),
            4 => self.factor_of::<4>(),
            _ => self.factor_of::<0>(),
        }
    }

    /// The factors of N rows, for whose number it is compiled, with two thirds of the instructions; of any number if N is 0.
    fn factor_of<const N: usize>(&mut self) -> Option<()> {
        let n = if N > 0 { N } else { self.rows };
        scale(n, &mut self.factors, &mut self.sizes)?;
        eliminate(n, &mut self.factors, &mut self.order)
    }

    /// Replaces b by the solution x of A x = b.
    pub fn solve(&mut self, b: &mut [f64]) {
        let a = &self.factors;
        match self.rows {
            2 => {
                (b[0], b[1]) = ((b[0] * a[3] - b[1] * a[1]) / a[4], (b[1] * a[0] - b[0] * a[2]) / a[4]);
            }
            3 => self.solve_of::<3>(b),
            4 => self.solve_of::<4>(b),
            _ => self.solve_of::<0>(b),
        }
    }

    /// [`Square::solve`] for N rows, or for any number of them if N is 0.
    fn solve_of<const N: usize>(&mut self, b: &mut [f64]) {
        let n = if N > 0 { N } else { self.rows };
        let (order, sizes, scaled) = (&self.order[..n], &self.sizes[..n], &mut self.scratch[..n]);
        scaled.iter_mut().zip(order).for_each(|(x, &row)| *x = b[row] / sizes[row]);
        substitute(n, &self.factors, scaled);
        b[..n].copy_from_slice(scaled);
    }

    /// Replaces b by the solution y of Aᵀ y = b.
    pub fn solve_transposed(&mut self, b: &mut [f64]) {
        let a = &self.factors;
        match self.rows {
            2 => {
                (b[0], b[1]) = ((b[0] * a[3] - b[1] * a[2]) / a[4], (b[1] * a[0] - b[0] * a[1]) / a[4]);
            }
            3 => self.solve_transposed_of::<3>(b),
            4 => self.solve_transposed_of::<4>(b),
            _ => self.solve_transposed_of::<0>(b),
        }
    }

    /// [`Square::solve_transposed`] for N rows, or for any number of them if N is 0.
    fn solve_transposed_of<const N: usize>(&mut self, b: &mut [f64]) {
        let n = if N > 0 { N } else { self.rows };
        let (order, sizes, found) = (&self.order[..n], &self.sizes[..n], &mut self.scratch[..n]);
        found.copy_from_slice(&b[..n]);
        substitute_transposed(n, &self.factors, found);
        order.iter().zip(found).for_each(|(&row, y)| b[row] = *y / sizes[row]);
    }
}

/// Divides every row by its largest entry; `None` if that is 0 or lost.
#[inline(always)]
fn scale(n: usize, a: &mut [f64], sizes: &mut [f64]) -> Option<()> {
    let (a, sizes) = (&mut a[..n * n], &mut sizes[..n]);
    for (row, size) in a.chunks_exact_mut(n).zip(sizes) {
        *size = greatest_size(row.iter().copied());
        if !(*size > 0.0 && size.is_finite()) {
            return None;
        }
        row.iter_mut().for_each(|x| *x /= *size);
    }
    Some(())
}

/// Factors a matrix row by row, the largest entry of a column first; `None` if it is singular.
#[inline(always)]
fn eliminate(n: usize, a: &mut [f64], order: &mut [usize]) -> Option<()> {
    // Compiled for each of the first columns, so that their loops are unrolled: a quarter of the instructions of four rows less.
    let mut remove_if = |k: usize| if k < n { remove(n, k, a, order) } else { Some(()) };
    remove_if(0)?;
    remove_if(1)?;
    remove_if(2)?;
    remove_if(3)?;
    (4..n).try_for_each(remove_if)
}

/// Brings the row with the largest entry in column `k` there, and removes the column from the rows below.
#[inline(always)]
fn remove(n: usize, k: usize, a: &mut [f64], order: &mut [usize]) -> Option<()> {
    let (a, order) = (&mut a[..n * n], &mut order[..n]);
    let mut best = k;
    for i in k + 1..n {
        best = if a[i * n + k].abs() >= a[best * n + k].abs() { i } else { best };
    }
    if best != k {
        (0..n).for_each(|j| a.swap(k * n + j, best * n + j));
        order.swap(k, best);
    }
    let (upper, lower) = a.split_at_mut((k + 1) * n);
    let pivots = &upper[k * n..][..n];
    if pivots[k] == 0.0 {
        return None;
    }
    for row in lower.chunks_exact_mut(n) {
        let factor = row[k] / pivots[k];
        row[k] = factor;
        row[k + 1..].iter_mut().zip(&pivots[k + 1..]).for_each(|(x, y)| *x -= factor * y);
    }
    Some(())
}

/// Solves with the lower factor, then with the upper one. Loops run over all columns and pass over some, so that they are unrolled.
#[inline(always)]
fn substitute(n: usize, a: &[f64], b: &mut [f64]) {
    let (a, b) = (&a[..n * n], &mut b[..n]);
    for k in 0..n {
        b[k] -= (0..n).filter(|&j| j < k).map(|j| a[k * n + j] * b[j]).sum::<f64>();
    }
    for k in (0..n).rev() {
        b[k] = (b[k] - (0..n).filter(|&j| j > k).map(|j| a[k * n + j] * b[j]).sum::<f64>()) / a[k * n + k];
    }
}

/// Solves with the upper factor transposed, then with the lower one.
#[inline(always)]
fn substitute_transposed(n: usize, a: &[f64], b: &mut [f64]) {
    let (a, b) = (&a[..n * n], &mut b[..n]);
    for k in 0..n {
        b[k] = (b[k] - (0..n).filter(|&j| j < k).map(|j| a[j * n + k] * b[j]).sum::<f64>()) / a[k * n + k];
    }
    for k in (0..n).rev() {
        b[k] -= (0..n).filter(|&j| j > k).map(|j| a[j * n + k] * b[j]).sum::<f64>();
    }
}

#[cfg(test)]
mod tests;
