//! Equations solved by hand: one to three unknowns, all orders of magnitude, and matrices without an inverse.

use super::*;

#[test]
fn both_ways_are_solved_with_rows_of_all_sizes() {
    let a = [[0.0, 2.0, 1.0], [1e-12, -2e-12, 0.0], [4e9, 0.0, 1e9]];
    let mut square = Square::default();
    factored(&mut square, a).unwrap();
    let (mut x, mut y) = ([1.0, 1e-12, 2e9], [1.0, 2.0, 3.0]);
    square.solve(&mut x);
    square.solve_transposed(&mut y);
    for (i, right) in [1.0, 1e-12, 2e9].into_iter().enumerate() {
        let left: f64 = (0..3).map(|k| a[i][k] * x[k]).sum();
        assert!((left - right).abs() <= 1e-14 * right, "{left} for {right}");
        let left: f64 = (0..3).map(|k| a[k][i] * y[k]).sum();
        assert!((left - (1.0 + i as f64)).abs() <= 1e-14, "{left} in column {i}");
    }
}

#[test]
fn a_singular_matrix_is_told() {
    let mut square = Square::default();
    assert!(factored(&mut square, [[0.0, 0.0], [0.0, 1.0]]).is_none());
    assert!(factored(&mut square, [[1.0, 1.0], [2.0, 2.0]]).is_none());
}

/// Factors a matrix given by its rows.
fn factored<const N: usize>(square: &mut Square, rows: [[f64; N]; N]) -> Option<()> {
    square.factor(N, |k, column| (0..N).for_each(|i| column[i] = rows[i][k]))
}

#[test]
fn one_equation_is_a_division() {
    let mut square = Square::default();
    factored(&mut square, [[-4.0]]).unwrap();
    let (mut x, mut y) = ([8.0], [2.0]);
    square.solve(&mut x);
    square.solve_transposed(&mut y);
    assert_eq!((x, y), ([-2.0], [-0.5]));
}

#[test]
fn two_equations_are_not_those_of_the_transposed_matrix() {
    let mut square = Square::default();
    factored(&mut square, [[2.0, 1.0], [0.0, 4.0]]).unwrap();
    // 2 x + y = 4, 4 y = 8.     2 x = 4, x + 4 y = 10.
    let (mut x, mut y) = ([4.0, 8.0], [4.0, 10.0]);
    square.solve(&mut x);
    square.solve_transposed(&mut y);
    assert_eq!((x, y), ([1.0, 2.0], [2.0, 2.0]));
}

#[test]
fn two_equations_keep_the_digits_of_a_row_near_zero() {
    // The weights of two points that miss a budget by 3e-12 and meet it by 1e-12: a quarter and three quarters.
    let mut square = Square::default();
    factored(&mut square, [[3e-12, -1e-12], [1.0, 1.0]]).unwrap();
    let mut weights = [0.0, 1.0];
    square.solve(&mut weights);
    assert!((weights[0] - 0.25).abs() < 1e-15 && (weights[1] - 0.75).abs() < 1e-15, "{weights:?}");
}

#[test]
fn rows_change_places_where_the_diagonal_is_zero() {
    let mut square = Square::default();
    factored(&mut square, [[0.0, 0.0, 2.0], [3.0, 0.0, 0.0], [0.0, 5.0, 0.0]]).unwrap();
    // 2 z = 6, 3 x = 3, 5 y = 10.     3 y = 6, 5 z = 15, 2 x = 2.
    let (mut x, mut y) = ([6.0, 3.0, 10.0], [6.0, 15.0, 2.0]);
    square.solve(&mut x);
    square.solve_transposed(&mut y);
    for k in 0..3 {
        assert!(
            (x[k] - (k + 1) as f64).abs() < 1e-15 && (y[k] - (k + 1) as f64).abs() < 1e-15,
            "{x:?} {y:?}"
        );
    }
}

#[test]
fn four_and_five_equations_are_solved_in_both_ways() {
    fn check<const N: usize>() {
        // The largest entries stand off the diagonal, in rows of all sizes.
        let entry = |i: usize, k: usize| {
            ((i * 5 + k * 3 + i * k) % 7) as f64 + if k == (i + 2) % N { 9.0 } else { 0.0 }
        };
        let scales = [1e-8, 1e4, 1.0, 1e8, 1e-4];
        let rows: [[f64; N]; N] = std::array::from_fn(|i| std::array::from_fn(|k| scales[i] * entry(i, k)));
        let right: [f64; N] = std::array::from_fn(|i| scales[i] * (i as f64 - 1.5));
        let transposed: [f64; N] = std::array::from_fn(|k| 1.0 + k as f64);
        let mut square = Square::default();
        factored(&mut square, rows).unwrap();
        let (mut x, mut y) = (right, transposed);
        square.solve(&mut x);
        square.solve_transposed(&mut y);
        for (i, (right, of_column)) in right.into_iter().zip(transposed).enumerate() {
            let left: f64 = (0..N).map(|k| rows[i][k] * x[k]).sum();
            assert!((left - right).abs() <= 1e-13 * right.abs(), "{left} for {right}");
            let left: f64 = (0..N).map(|k| rows[k][i] * y[k]).sum();
            assert!((left - of_column).abs() <= 1e-13 * of_column, "{left} for {of_column}");
        }
    }
    check::<4>();
    check::<5>();
}

#[test]
fn three_rows_without_an_inverse_are_told() {
    let mut square = Square::default();
    let (one, two) = ([1.0, 2.0, 4.0], [2.0, 0.0, 1.0]);
    assert!(factored(&mut square, [one, two, [0.0; 3]]).is_none());
    assert!(factored(&mut square, [one, two, one]).is_none());
    assert!(factored(&mut square, [one, two, [f64::INFINITY, 0.0, 0.0]]).is_none());
    assert!(factored(&mut square, [one, two, [f64::NAN, 0.0, 0.0]]).is_none());
    assert!(factored(&mut square, [[f64::NAN, 1.0], [1.0, 1.0]]).is_none());
}

#[test]
fn a_matrix_takes_the_place_of_a_larger_one() {
    let mut square = Square::default();
    factored(&mut square, [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]).unwrap();
    factored(&mut square, [[5.0]]).unwrap();
    let mut x = [10.0];
    square.solve(&mut x);
    assert_eq!(x, [2.0]);
    factored(&mut square, [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 4.0]]).unwrap();
    let mut x = [1.0, 2.0, 4.0];
    square.solve(&mut x);
    assert_eq!(x, [1.0; 3]);
}
