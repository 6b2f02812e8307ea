//! Mixtures of two to three points, whose weights and prices solve two or three equations.

use super::*;

fn points(all: &[(f64, &[f64])]) -> Points {
    let mut points = Points::default();
    points.reset(all[0].1.len(), all.len());
    all.iter().for_each(|(reward, violations)| points.push(*reward, violations.iter().copied()));
    points
}

#[test]
fn a_mixture_of_two_points_meets_the_budget() {
    let (one, two) = (points(&[(3.0, &[2.0])]), points(&[(3.0, &[2.0]), (0.0, &[-1.0])]));
    let mut master = Master::default();
    master.least_violation(&one, 0.0).unwrap();
    assert_eq!(master.mixed.value, 2.0);
    master.least_violation(&two, 0.0).unwrap();
    assert!(master.mixed.value <= 0.0);
    master.best(&two, 0.0).unwrap();
    let best = &master.mixed;
    assert!((best.value - 1.0).abs() < 1e-15 && (best.prices[0] - 1.0).abs() < 1e-15);
}

#[test]
fn a_violation_of_a_trillionth_is_seen() {
    let points = points(&[(1.0, &[1e-12, -1.0]), (0.0, &[-1e-12, 1.0])]);
    let mut master = Master::default();
    master.least_violation(&points, 0.0).unwrap();
    assert!(master.mixed.value <= 0.0);
    master.best(&points, 0.0).unwrap();
    assert!((master.mixed.value - 0.5).abs() < 1e-12, "{:?}", master.mixed);
}

#[test]
fn without_budgets_the_best_point_is_taken() {
    let mut master = Master::default();
    master.best(&points(&[(1.0, &[]), (3.0, &[]), (2.0, &[])]), 0.0).unwrap();
    assert_eq!((master.mixed.value, master.mixed.weights), (3.0, vec![(1, 1.0)]));
}

#[test]
fn three_budgets_that_cannot_be_met_share_the_violation() {
    let points = points(&[(0.0, &[1.0, 0.0, 0.0]), (0.0, &[0.0, 1.0, 0.0]), (0.0, &[0.0, 0.0, 1.0])]);
    let mut master = Master::default();
    master.least_violation(&points, 0.0).unwrap();
    assert!((master.mixed.value - 1.0 / 3.0).abs() < 1e-15);
    assert!(master.mixed.prices.iter().all(|price| (price - 1.0 / 3.0).abs() < 1e-15));
}

fn sorted(weights: &[(usize, f64)]) -> Vec<(usize, f64)> {
    let mut weights = weights.to_vec();
    weights.sort_by_key(|&(point, _)| point);
    weights
}

#[test]
fn a_point_within_the_budget_costs_nothing() {
    let mut master = Master::default();
    let points = points(&[(3.0, &[-1.0])]);
    master.least_violation(&points, 0.0).unwrap();
    master.best(&points, 0.0).unwrap();
    assert_eq!(master.mixed, Mixed { value: 3.0, weights: vec![(0, 1.0)], prices: vec![0.0] });
}

#[test]
fn a_budget_that_is_widened_is_used_up() {
    // 2 w − (1 − w) = ½ at w = ½; a unit of budget moves a third of the weight, which is worth 3 · ⅓.
    let mut master = Master::default();
    let points = points(&[(3.0, &[2.0]), (0.0, &[-1.0])]);
    master.least_violation(&points, 0.5).unwrap();
    master.best(&points, 0.5).unwrap();
    let Mixed { value, weights, prices } = &master.mixed;
    assert!((value - 1.5).abs() < 1e-15 && (prices[0] - 1.0).abs() < 1e-15);
    assert!(sorted(weights).iter().all(|(_, weight)| (weight - 0.5).abs() < 1e-15) && weights.len() == 2);
}

#[test]
fn two_budgets_bind_at_once_and_have_their_prices() {
    // 2 a − b − c = 0 and −a + 2 b − c = 0 with a + b + c = 1: a third each, worth 8/3. The prices leave no point above
    // the value z = 8/3: 2 y₁ − y₂ + z = 4, −y₁ + 2 y₂ + z = 4 and −y₁ − y₂ + z = 0 at y₁ = y₂ = 4/3.
    let points = points(&[(4.0, &[2.0, -1.0]), (4.0, &[-1.0, 2.0]), (0.0, &[-1.0, -1.0])]);
    let mut master = Master::default();
    master.least_violation(&points, 0.0).unwrap();
    master.best(&points, 0.0).unwrap();
    let Mixed { value, weights, prices } = &master.mixed;
    assert!((value - 8.0 / 3.0).abs() < 1e-15);
    assert!(prices.iter().all(|price| (price - 4.0 / 3.0).abs() < 1e-15), "{prices:?}");
    assert_eq!(sorted(weights).iter().map(|w| w.0).collect::<Vec<_>>(), [0, 1, 2]);
    assert!(weights.iter().all(|(_, weight)| (weight - 1.0 / 3.0).abs() < 1e-15), "{weights:?}");
}

#[test]
fn the_least_violation_of_two_opposed_points_is_between_them() {
    // w + 3 (1 − w) = 3 w + (1 − w) at w = ½, and both are 2 there: half of the weight of each budget proves it.
    let points = points(&[(0.0, &[1.0, 3.0]), (0.0, &[3.0, 1.0])]);
    for floor in [0.0, 1.0, 2.0] {
        let mut master = Master::default();
        master.least_violation(&points, floor).unwrap();
        assert!((master.mixed.value - 2.0).abs() < 1e-15, "{:?} from {floor}", master.mixed);
        assert!(master.mixed.prices.iter().all(|price| (price - 0.5).abs() < 1e-15));
    }
}

#[test]
fn a_mixture_within_the_budgets_is_violated_by_none_of_them() {
    let points = points(&[(0.0, &[5.0]), (0.0, &[-2.0]), (0.0, &[-7.0])]);
    let mut master = Master::default();
    master.least_violation(&points, 0.0).unwrap();
    let violation: f64 = master.mixed.weights.iter().map(|&(k, w)| w * [5.0, -2.0, -7.0][k]).sum();
    assert!(violation <= 0.0 && (violation - master.mixed.value).abs() < 1e-15, "{:?}", master.mixed);
}

#[test]
fn a_point_that_is_added_later_takes_over_from_the_basis_at_hand() {
    let mut all = points(&[(3.0, &[2.0]), (0.0, &[-1.0])]);
    let mut master = Master::default();
    master.least_violation(&all, 0.0).unwrap();
    master.best(&all, 0.0).unwrap();
    all.push(2.0, [0.0].into_iter());
    master.best(&all, 0.0).unwrap();
    let Mixed { value, weights, prices } = &master.mixed;
    assert_eq!((*value, weights.as_slice()), (2.0, &[(2, 1.0)][..]));
    // At any price from ½ to 2 neither of the other points is above 2: 3 − 2 y ≤ 2 and 0 + y ≤ 2.
    assert!((0.5..=2.0).contains(&prices[0]), "{prices:?}");
}

#[test]
fn points_at_the_same_place_share_a_weight_of_one() {
    let points = points(&[(1.0, &[1.0]), (1.0, &[1.0]), (0.0, &[-1.0]), (0.0, &[-1.0])]);
    let mut master = Master::default();
    master.least_violation(&points, 0.0).unwrap();
    master.best(&points, 0.0).unwrap();
    let Mixed { value, weights, prices } = &master.mixed;
    assert!((value - 0.5).abs() < 1e-15 && (prices[0] - 0.5).abs() < 1e-15);
    assert!((weights.iter().map(|w| w.1).sum::<f64>() - 1.0).abs() < 1e-15);
}
