//! A linear program of a few rows, solved by the simplex method on a dense tableau.
//!
//! ```text
//! max c·x   subject to   A x = b ,  x ≥ 0          (b ≥ 0; m + 1 rows, some dozens of columns)
//! ```
//!
//! The price search solves one after every new policy. With two or three rows, setting up a sparse solver costs more
//! than solving; and the weights and prices are wanted to the last digit, so they are computed afresh from the final
//! basis instead of being read off the tableau. Entering columns by the greatest reduced cost, by Bland's rule after
//! a while, so that it ends.

/// The solution at a vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Vertex {
    /// c·x.
    pub value: f64,
    /// The basic columns and their values.
    pub basic: Vec<(usize, f64)>,
    /// The dual value of every row.
    pub duals: Vec<f64>,
}

/// Reduced costs and infeasibilities below this count as zero; the data are scaled to about 1.
const TOLERANCE: f64 = 1e-12;

/// Solves the program; `columns[j]` is (c_j, column j of A). `None` if it is infeasible or unbounded.
pub(crate) fn solve(columns: &[(f64, Vec<f64>)], right: &[f64]) -> Option<Vertex> {
    let rows = right.len();
    let mut tableau = Tableau::new(columns, right);
    let infeasibility: Vec<f64> =
        (0..columns.len() + rows).map(|j| if j < columns.len() { 0.0 } else { -1.0 }).collect();
    tableau.optimise(&infeasibility, columns.len() + rows)?;
    let left: f64 = (0..rows).filter(|&i| tableau.basis[i] >= columns.len()).map(|i| tableau.right(i)).sum();
    if left > 1e-11 {
        return None;
    }
    tableau.drive_out(columns.len());
    let objective: Vec<f64> = columns.iter().map(|column| column.0).chain(vec![0.0; rows]).collect();
    tableau.optimise(&objective, columns.len())?;
    Some(polish(columns, right, &tableau.basis))
}

struct Tableau {
    rows: usize,
    /// Columns of A, then one artificial column per row, then b.
    width: usize,
    cells: Vec<f64>,
    basis: Vec<usize>,
}

impl Tableau {
    fn new(columns: &[(f64, Vec<f64>)], right: &[f64]) -> Tableau {
        let (rows, count) = (right.len(), columns.len());
        let width = count + rows + 1;
        let mut cells = vec![0.0; rows * width];
        for i in 0..rows {
            columns.iter().enumerate().for_each(|(j, column)| cells[i * width + j] = column.1[i]);
            cells[i * width + count + i] = 1.0;
            cells[i * width + width - 1] = right[i];
        }
        Tableau { rows, width, cells, basis: (count..count + rows).collect() }
    }

    fn at(&self, i: usize, j: usize) -> f64 {
        self.cells[i * self.width + j]
    }

    fn right(&self, i: usize) -> f64 {
        self.at(i, self.width - 1)
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let scale = 1.0 / self.at(row, column);
        let width = self.width;
        self.cells[row * width..(row + 1) * width].iter_mut().for_each(|x| *x *= scale);
        let pivot_row = self.cells[row * width..(row + 1) * width].to_vec();
        for i in (0..self.rows).filter(|&i| i != row) {
            let factor = self.at(i, column);
            if factor != 0.0 {
                let cells = &mut self.cells[i * width..(i + 1) * width];
                cells.iter_mut().zip(&pivot_row).for_each(|(x, y)| *x -= factor * y);
                cells[column] = 0.0;
            }
        }
        self.basis[row] = column;
    }

    /// Simplex steps until no column below `usable` improves; `None` if the objective is unbounded.
    fn optimise(&mut self, objective: &[f64], usable: usize) -> Option<()> {
        let patience = 20 + 4 * self.width;
        for step in 0.. {
            let reduced = |j: usize| -> f64 {
                objective[j] - (0..self.rows).map(|i| objective[self.basis[i]] * self.at(i, j)).sum::<f64>()
            };
            let mut candidates = (0..usable).map(|j| (reduced(j), j)).filter(|c| c.0 > TOLERANCE);
            let entering = match step < patience {
                true => candidates.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))),
                false => candidates.next(),
            };
            let Some((_, column)) = entering.filter(|_| step < 100 * patience) else { return Some(()) };
            let ratio = |i: usize| self.right(i).max(0.0) / self.at(i, column);
            let leaving = (0..self.rows)
                .filter(|&i| self.at(i, column) > TOLERANCE)
                .min_by(|&a, &b| ratio(a).total_cmp(&ratio(b)).then(self.basis[a].cmp(&self.basis[b])))?;
            self.pivot(leaving, column);
        }
        Some(())
    }

    /// Replaces artificial columns in the basis, all at zero now, by real ones where a row has any.
    fn drive_out(&mut self, count: usize) {
        for i in 0..self.rows {
            if self.basis[i] >= count {
                let best = (0..count).max_by(|&a, &b| self.at(i, a).abs().total_cmp(&self.at(i, b).abs()));
                if let Some(column) = best.filter(|&column| self.at(i, column).abs() > 1e-9) {
                    self.pivot(i, column);
                }
            }
        }
    }
}

/// Weights, duals and value of a basis, from the data.
fn polish(columns: &[(f64, Vec<f64>)], right: &[f64], basis: &[usize]) -> Vertex {
    let rows = right.len();
    let entry = |i: usize, k: usize| match columns.get(basis[k]) {
        Some(column) => column.1[i],
        None => f64::from(basis[k] - columns.len() == i),
    };
    let forward: Vec<f64> = (0..rows * rows).map(|at| entry(at / rows, at % rows)).collect();
    let transposed: Vec<f64> = (0..rows * rows).map(|at| entry(at % rows, at / rows)).collect();
    let gains: Vec<f64> = basis.iter().map(|&j| columns.get(j).map_or(0.0, |column| column.0)).collect();
    let values = linear_solve(forward, right.to_vec());
    let duals = linear_solve(transposed, gains.clone());
    let basic = basis
        .iter()
        .zip(&values)
        .filter(|(j, _)| **j < columns.len())
        .map(|(&j, &x)| (j, x.max(0.0)))
        .collect();
    Vertex { value: values.iter().zip(&gains).map(|(x, c)| x * c).sum(), basic, duals }
}

/// Gaussian elimination with row pivoting.
fn linear_solve(mut a: Vec<f64>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let best = (k..n).max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs())).unwrap_or(k);
        (0..n).for_each(|j| a.swap(k * n + j, best * n + j));
        b.swap(k, best);
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            if factor != 0.0 {
                (k..n).for_each(|j| a[i * n + j] -= factor * a[k * n + j]);
                b[i] -= factor * b[k];
            }
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k * n + j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k * n + k];
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mixture_of_two_points_meets_the_budget() {
        // reward 0 at cost −1, reward 3 at cost +2 (relative to the budget), slack.
        let columns = [(0.0, vec![-1.0, 1.0]), (3.0, vec![2.0, 1.0]), (0.0, vec![1.0, 0.0])];
        let vertex = solve(&columns, &[0.0, 1.0]).unwrap();
        assert!((vertex.value - 1.0).abs() < 1e-15);
        assert!((vertex.duals[0] - 1.0).abs() < 1e-15);
    }

    #[test]
    fn an_infeasible_program_has_no_vertex() {
        let columns = [(0.0, vec![1.0, 1.0]), (3.0, vec![2.0, 1.0]), (0.0, vec![1.0, 0.0])];
        assert_eq!(solve(&columns, &[0.0, 1.0]), None);
    }

    #[test]
    fn an_unbounded_program_has_no_vertex() {
        assert_eq!(solve(&[(1.0, vec![1.0]), (0.0, vec![-1.0])], &[1.0]), None);
    }

    #[test]
    fn beales_cycling_example_ends() {
        let columns = [
            (0.75, vec![0.25, 0.5, 0.0]),
            (-150.0, vec![-60.0, -90.0, 0.0]),
            (0.02, vec![-1.0 / 25.0, -1.0 / 50.0, 1.0]),
            (-6.0, vec![9.0, 3.0, 0.0]),
            (0.0, vec![1.0, 0.0, 0.0]),
            (0.0, vec![0.0, 1.0, 0.0]),
            (0.0, vec![0.0, 0.0, 1.0]),
        ];
        let vertex = solve(&columns, &[0.0, 0.0, 1.0]).unwrap();
        assert!((vertex.value - 0.05).abs() < 1e-14);
    }
}
