//! Chains that each way solves, and those that only one does.

use super::*;

const PLACES: usize = 1200;

/// A walk along all places with a door of 1e-13 in the middle.
fn step(i: usize) -> impl Iterator<Item = (usize, f64)> {
    let right = if i + 1 == PLACES / 2 { 1e-13 } else { 0.5 };
    let left = if i == PLACES / 2 { 1e-13 } else { 0.5 };
    let stay = 1.0 - left - right;
    [(i.saturating_sub(1), left), (i, stay), ((i + 1).min(PLACES - 1), right)].into_iter()
}

fn is_behind_the_door(i: usize) -> f64 {
    f64::from(u8::from(i >= PLACES / 2))
}

/// The share of time behind the door.
fn walk(solver: &mut Solver) -> Result<f64, Unsolved> {
    solver.solve((PLACES, 1), false, step, |i, _| is_behind_the_door(i))?;
    let mut gains = [0.0];
    solver.gains(&mut gains)?;
    Ok(gains[0])
}

#[test]
fn a_sum_of_signals_has_its_digits_where_their_biases_cancel_out() {
    // Alike on both sides of the door.
    let local = |i: usize| (i.min(PLACES - 1 - i) * 37 % 101) as f64 / 101.0;
    let signal = |i: usize, k: usize| is_behind_the_door(i) + if k == 0 { local(i) } else { 0.0 };
    let (mut solver, mut gains, mut biases) = (Solver::default(), [0.0; 2], vec![Vec::new(); 2]);
    solver.solve((PLACES, 2), false, step, signal).unwrap();
    solver.biases(false, &mut gains, &mut biases).unwrap();
    let gain = gains[0] - gains[1];
    let residual = |h: &[f64]| {
        let onward = |i: usize| step(i).map(|(next, p)| p * h[next]).sum::<f64>();
        (0..PLACES).map(|i| (local(i) - gain + onward(i) - h[i]).abs()).fold(0.0, f64::max)
    };
    let difference: Vec<f64> = biases[0].iter().zip(&biases[1]).map(|(x, y)| x - y).collect();
    let found = solver.bias_of_sum(&[1.0, -1.0], &gains).unwrap();
    let (lost, kept) = (residual(&difference), residual(&found));
    assert!(lost > 1e-6 && kept < 1e-9, "{lost:e} and {kept:e}");
}

#[test]
fn a_chain_that_iteration_does_not_solve_is_eliminated() {
    let mut solver = Solver::default();
    let gain = walk(&mut solver).unwrap();
    assert!((gain - 0.5).abs() < 1e-12 && solver.switched == 1, "{gain}");
    assert_eq!(walk(&mut solver), Ok(gain));
    assert_eq!(solver.switched, 2);
}

#[test]
fn a_chain_that_no_method_solves_has_no_gain() {
    let mut solver = Solver { too_large: true, ..Solver::default() };
    let Err(failed) = walk(&mut solver) else { panic!("neither method solves it") };
    assert!(matches!(failed, Unsolved::NotConverged { nodes: 1200, residual } if residual > 1e-9));
    let error = Unsolved::NotConverged { nodes: 9000, residual: 0.25 }.error(|_| String::new());
    assert_eq!(
        error.to_string(),
        "the long run of a policy on 9000 states is not resolved: iteration ended with a relative residual of \
         0.25, above 1e-9, and elimination would take too much memory; the chain falls nearly apart"
    );
}
