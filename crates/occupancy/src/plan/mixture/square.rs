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
    /// Factors the matrix with these entries by row and column; `None` if it is singular.
    pub fn factor(&mut self, rows: usize, entry: impl Fn(usize, usize) -> f64) -> Option<()> {
        let (n, a) = (rows, &mut self.factors);
        self.rows = n;
        a.clear();
        if n == 2 {
            a.extend([entry(0, 0), entry(0, 1), entry(1, 0), entry(1, 1)]);
            a.push(a[0] * a[3] - a[1] * a[2]);
            return Some(()).filter(|()| a[4] != 0.0 && a[4].is_finite());
        }
        self.sizes.clear();
        for i in 0..n {
            a.extend((0..n).map(|k| entry(i, k)));
            let size = greatest_size(a[i * n..].iter().copied());
            if !(size > 0.0 && size.is_finite()) {
                return None;
            }
            a[i * n..].iter_mut().for_each(|x| *x /= size);
            self.sizes.push(size);
        }
        self.order.clear();
        self.order.extend(0..n);
        of_size(n, |n| eliminate(n, a, &mut self.order))
    }

    /// Replaces b by the solution x of A x = b.
    pub fn solve(&mut self, b: &mut [f64]) {
        let (n, a) = (self.rows, &self.factors);
        if n == 2 {
            (b[0], b[1]) = ((b[0] * a[3] - b[1] * a[1]) / a[4], (b[1] * a[0] - b[0] * a[2]) / a[4]);
            return;
        }
        self.scratch.clear();
        self.scratch.extend(self.order.iter().map(|&row| b[row] / self.sizes[row]));
        b.copy_from_slice(&self.scratch);
        of_size(n, |n| substitute(n, a, b));
    }

    /// Replaces b by the solution y of Aᵀ y = b.
    pub fn solve_transposed(&mut self, b: &mut [f64]) {
        let (n, a) = (self.rows, &self.factors);
        if n == 2 {
            (b[0], b[1]) = ((b[0] * a[3] - b[1] * a[2]) / a[4], (b[1] * a[0] - b[0] * a[1]) / a[4]);
            return;
        }
        of_size(n, |n| substitute_transposed(n, a, b));
        self.scratch.clear();
        self.scratch.extend_from_slice(b);
        for (&row, y) in self.order.iter().zip(&self.scratch) {
            b[row] = y / self.sizes[row];
        }
    }
}

/// Calls a loop over so many rows; for two and three budgets compiled for their number, which takes half as many instructions.
#[inline(always)]
fn of_size<T>(rows: usize, run: impl FnOnce(usize) -> T) -> T {
    match rows {
        3 => run(3),
        4 => run(4),
        n => run(n),
    }
}

/// Factors a matrix row by row, the largest entry of a column first; `None` if it is singular.
#[inline(always)]
fn eliminate(n: usize, a: &mut [f64], order: &mut [usize]) -> Option<()> {
    let a = &mut a[..n * n];
    for k in 0..n {
        let best = (k..n).max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs()))?;
        if best != k {
            (0..n).for_each(|j| a.swap(k * n + j, best * n + j));
            order.swap(k, best);
        }
        if a[k * n + k] == 0.0 {
            return None;
        }
        let (upper, lower) = a.split_at_mut((k + 1) * n);
        let pivots = &upper[k * n + k..];
        for row in lower.chunks_exact_mut(n) {
            let factor = row[k] / pivots[0];
            row[k] = factor;
            row[k + 1..].iter_mut().zip(&pivots[1..]).for_each(|(x, y)| *x -= factor * y);
        }
    }
    Some(())
}

/// Solves with the lower factor, then with the upper one.
#[inline(always)]
fn substitute(n: usize, a: &[f64], b: &mut [f64]) {
    let (a, b) = (&a[..n * n], &mut b[..n]);
    for k in 0..n {
        b[k] -= (0..k).map(|j| a[k * n + j] * b[j]).sum::<f64>();
    }
    for k in (0..n).rev() {
        b[k] = (b[k] - (k + 1..n).map(|j| a[k * n + j] * b[j]).sum::<f64>()) / a[k * n + k];
    }
}

/// Solves with the upper factor transposed, then with the lower one.
#[inline(always)]
fn substitute_transposed(n: usize, a: &[f64], b: &mut [f64]) {
    let (a, b) = (&a[..n * n], &mut b[..n]);
    for k in 0..n {
        b[k] = (b[k] - (0..k).map(|j| a[j * n + k] * b[j]).sum::<f64>()) / a[k * n + k];
    }
    for k in (0..n).rev() {
        b[k] -= (k + 1..n).map(|j| a[j * n + k] * b[j]).sum::<f64>();
    }
}

#[cfg(test)]
mod tests;
