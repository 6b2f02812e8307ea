//! A pool of policies that are written down by their gains alone.

use super::*;
use crate::plan::fixture;
use crate::plan::response::Inner;

/// Rewards of 4 and −8; costs of 2 and −4, of 3 and 1, and of 0: the budgets of the first and the last can bind, that of
/// the second (3) cannot, because no policy exceeds it.
fn model() -> Cmdp {
    let pairs: &[fixture::Given] =
        &[(0, &[(0, 1.0)], 4.0, &[2.0, 3.0, 0.0]), (0, &[(0, 1.0)], -8.0, &[-4.0, 1.0, 0.0])];
    fixture::model(1, &[1.0, 3.0, -2e-12], pairs)
}

fn pool(model: &Cmdp) -> Pool {
    let mut pool = Pool::default();
    pool.reset(model);
    pool
}

fn column(gains: &[f64]) -> Column {
    Column { gains: gains.to_vec(), ..Column::default() }
}

#[test]
fn only_budgets_that_can_bind_become_constraints() {
    let Terms { constraints, reward_scale, weights } = pool(&model()).terms;
    let all: Vec<_> = constraints.iter().map(|c| (c.signal, c.budget, c.scale)).collect();
    assert_eq!(all, [(1, 1.0, 4.0), (3, -2e-12, 1e-12)]);
    assert_eq!((reward_scale, weights), (8.0, vec![0.0; 4]));
}

#[test]
fn rewards_of_zero_have_the_unit_one_and_budgets_without_end_never_bind() {
    let free = fixture::model(1, &[f64::INFINITY], &[(0, &[(0, 1.0)], 0.0, &[5.0])]);
    let Terms { constraints, reward_scale, .. } = pool(&free).terms;
    assert_eq!((constraints.len(), reward_scale), (0, 1.0));
}

#[test]
fn weights_are_per_unit_of_the_signals() {
    let mut terms = pool(&model()).terms;
    terms.weigh(1.0, [2.0, 3e-12].into_iter());
    assert_eq!(terms.weights, [1.0 / 8.0, -2.0 / 4.0, 0.0, -3.0]);
    // A price that is not named is 0, and the last weights are forgotten.
    terms.weigh(0.0, [8.0].into_iter());
    assert_eq!(terms.weights, [0.0, -2.0, 0.0, 0.0]);
}

#[test]
fn a_violation_is_counted_in_units_of_the_largest_cost() {
    let pool = pool(&model());
    let column = column(&[0.0, 3.0, 0.0, 0.0]);
    assert_eq!((pool.violation(&column, 0), pool.violation(&column, 1)), (0.5, 2.0));
}

#[test]
fn a_mixture_within_a_budget_is_found_and_handed_out_once() {
    // The actions are the points (1/2, 1/4) and (−1, −5/4) in units: 5/6 and 1/6 use the budget up and gain 1/4,
    // which is 2 of 8. The price is 3/2 for 3/2, one to one: the weight is 1/8 − cost / 4.
    let costly = model().with_budgets(&[1.0, 3.0, 0.0]).unwrap();
    let mut pool = pool(&costly);
    pool.add(column(&[4.0, 2.0, 3.0, 0.0]));
    pool.add(column(&[-8.0, -4.0, 1.0, 0.0]));
    pool.add(column(&[-8.0, 2.0, 1.0, 0.0]));
    pool.least_violation(0.0).unwrap();
    pool.best(0.0).unwrap();
    fixture::assert_near(pool.master.mixed.value, 0.25);
    pool.weigh(1.0);
    fixture::assert_all_near(&pool.terms.weights, &[0.125, -0.25, 0.0, 0.0]);
    let mut mixture = Vec::new();
    pool.mixture(&mut mixture);
    mixture.sort_by(|a, b| b.0.total_cmp(&a.0));
    let weights: Vec<f64> = mixture.iter().map(|(weight, _)| *weight).collect();
    fixture::assert_all_near(&weights, &[5.0 / 6.0, 1.0 / 6.0]);
    assert_eq!((mixture[0].1.gains[0], mixture[1].1.gains[0]), (4.0, -8.0));
    // What the mixture took has left the pool.
    assert_eq!(pool.columns.iter().filter(|column| !column.gains.is_empty()).count(), 1);
    pool.clear(&mut Responder::new(Inner::PolicyIteration));
    assert!(pool.columns.is_empty());
}

#[test]
fn a_policy_is_known_if_all_of_its_gains_are_equal_up_to_rounding() {
    let (model, mut responder) = (model(), Responder::new(Inner::PolicyIteration));
    let mut pool = pool(&model);
    let mut keep = |gains: &[f64]| pool.add_if_new(model.signals(), column(gains), &mut responder);
    assert!(keep(&[4.0, 2.0, 3.0, 0.0]));
    assert!(!keep(&[4.0, 2.0, 3.0, 0.0]));
    // 4 ε of the largest reward (8) is 7.1e-15, of the largest first cost (4) 3.6e-15.
    assert!(!keep(&[4.0 + 6e-15, 2.0 - 3e-15, 3.0, 0.0]));
    assert!(keep(&[4.0, 2.0 - 6e-15, 3.0, 0.0]));
    assert!(keep(&[4.0 + 1e-14, 2.0, 3.0, 0.0]));
    assert_eq!(pool.columns.len(), 3);
}

#[test]
fn a_pool_that_is_reset_has_nothing_of_the_last_model() {
    let mut pool = pool(&model());
    pool.add(column(&[4.0, 2.0, 3.0, 0.0]));
    pool.best_prices.push(1.0);
    let other = fixture::model(1, &[0.5], &[(0, &[(0, 1.0)], 2.0, &[1.0])]);
    pool.reset(&other);
    assert!(pool.columns.is_empty() && pool.best_prices.is_empty());
    pool.add(column(&[2.0, 1.0]));
    pool.least_violation(0.0).unwrap();
    assert_eq!((pool.master.mixed.value, pool.terms.reward_scale), (0.5, 2.0));
}
