//! Steps of the iteration on two and three states, with the values of actions written out.

use super::*;
use crate::plan::fixture::{
    Given, anywhere, assert_all_near, assert_near, model, policy, rooms, work_or_rest,
};
use crate::plan::response::choices::{Choices, Radii};
use crate::stop::StopFlag;

/// A policy on a model that is one component, evaluated at these weights.
fn begun(model: &Cmdp, weights: &[f64], pairs: &[u32]) -> (PolicyIteration, Chosen, Evaluated) {
    let (mut iteration, mut chosen, mut found) =
        (PolicyIteration::default(), policy(pairs), Evaluated::default());
    iteration.weigh(model, weights);
    iteration.evaluator.evaluate(&anywhere(model).region(0), weights, &mut chosen, &mut found).unwrap();
    (iteration, chosen, found)
}

#[test]
fn signals_are_weighted_pair_by_pair() {
    let pairs: &[Given] = &[(0, &[(0, 1.0)], 1.0, &[2.0, 5.0]), (0, &[(0, 1.0)], -3.0, &[4.0, 7.0])];
    let mut iteration = PolicyIteration::default();
    iteration.weigh(&model(1, &[0.0, 0.0], pairs), &[2.0, -0.5, 0.0]);
    assert_eq!(iteration.weighted, [1.0, -8.0]);
}

#[test]
fn a_step_takes_the_better_room_and_bounds_all_policies() {
    // Stay in room 0 and come back from room 1: g = 1, h = (0, −1). Staying in room 1 is worth 2 − 1 instead of 0, and
    // max w + P h − h is 1 in room 0 and 1 + 1 in room 1.
    let model = rooms();
    let (scope, (mut iteration, mut chosen, mut found)) = (anywhere(&model), begun(&model, &[1.0], &[0, 3]));
    let step = iteration.step(&scope.region(0), &[1.0], &mut chosen, &mut found).unwrap();
    assert_eq!(step, Step { optimal: false, upper: 2.0 });
    // Room 1 is a class of its own now, and room 0 is sent there.
    assert_eq!((chosen.pair.as_slice(), found.gains[0]), (&[1, 2][..], 2.0));
    let step = iteration.step(&scope.region(0), &[1.0], &mut chosen, &mut found).unwrap();
    assert_eq!(step, Step { optimal: true, upper: 2.0 });
    assert_eq!((chosen.pair.as_slice(), found.gains[0]), (&[1, 2][..], 2.0));
    assert_eq!(iteration.bias, [-2.0, 0.0]);
}

#[test]
fn at_the_same_gain_a_better_way_there_is_taken() {
    // Two ways from 0 to 1, where 2 is earned for ever: for nothing, h(0) = −2, or for 1, h(0) = −1. The first bound is
    // 1 − (−2), the second 1 − (−1).
    let pairs: &[Given] = &[
        (0, &[(1, 1.0)], 0.0, &[]),
        (0, &[(1, 1.0)], 1.0, &[]),
        (1, &[(1, 1.0)], 2.0, &[]),
        (1, &[(0, 1.0)], 0.0, &[]),
    ];
    let model = model(2, &[], pairs);
    let (scope, (mut iteration, mut chosen, mut found)) = (anywhere(&model), begun(&model, &[1.0], &[0, 2]));
    let step = iteration.step(&scope.region(0), &[1.0], &mut chosen, &mut found).unwrap();
    assert_eq!((step, chosen.pair.as_slice()), (Step { optimal: false, upper: 3.0 }, &[1, 2][..]));
    let step = iteration.step(&scope.region(0), &[1.0], &mut chosen, &mut found).unwrap();
    assert_eq!((step, found.gains[0]), (Step { optimal: true, upper: 2.0 }, 2.0));
    assert_eq!(iteration.bias, [-1.0, 0.0]);
}

#[test]
fn equal_actions_stay_as_they_are() {
    // At a price of 1 work is worth as much as rest: nothing.
    for pairs in [[0, 2], [1, 2]] {
        let model = work_or_rest(0.5);
        let weights = [1.0, -1.0];
        let (scope, (mut iteration, mut chosen, mut found)) =
            (anywhere(&model), begun(&model, &weights, &pairs));
        let step = iteration.step(&scope.region(0), &weights, &mut chosen, &mut found).unwrap();
        assert_eq!(step, Step { optimal: true, upper: 0.0 });
        assert_eq!(chosen.pair, pairs);
    }
}

#[test]
fn prices_turn_work_into_rest_and_back() {
    let model = work_or_rest(0.5);
    let (scope, (mut iteration, mut chosen, mut found)) =
        (anywhere(&model), begun(&model, &[1.0, 0.0], &[0, 2]));
    let mut solved = |price: f64| {
        let weights = [1.0, -price];
        iteration.weigh(&model, &weights);
        let upper = iteration.solve(&scope.region(0), &weights, &mut chosen, &mut found).unwrap();
        (chosen.pair.clone(), found.gains.clone(), upper)
    };
    assert_eq!(solved(2.0), (vec![1, 2], vec![0.0, 0.0], 0.0));
    assert_eq!(solved(0.5), (vec![0, 2], vec![1.0, 1.0], 0.5));
}

#[test]
fn the_iteration_comes_to_the_end_of_a_corridor() {
    // The first policy stays at the wrong end, for ¼.
    let pairs: &[Given] = &[
        (0, &[(0, 1.0)], 0.25, &[]),
        (0, &[(1, 1.0)], 0.0, &[]),
        (1, &[(0, 1.0)], 0.0, &[]),
        (1, &[(2, 1.0)], 0.0, &[]),
        (2, &[(1, 1.0)], 0.0, &[]),
        (2, &[(2, 0.5), (1, 0.5)], 3.0, &[]),
    ];
    let model = model(3, &[], pairs);
    let (scope, (mut iteration, mut chosen, mut found)) =
        (anywhere(&model), begun(&model, &[1.0], &[0, 2, 4]));
    let upper = iteration.solve(&scope.region(0), &[1.0], &mut chosen, &mut found).unwrap();
    // A cycle of two visits to the last state and one to the middle: 6 in 3 steps.
    assert_all_near(&[found.gains[0], upper], &[2.0, 2.0]);
    assert_eq!(chosen.pair, [1, 3, 5]);
    assert_all_near(&found.law, &[0.0, 1.0 / 3.0, 2.0 / 3.0]);
}

#[test]
fn rows_that_may_be_chosen_are_improved_as_well() {
    // 0 stays, or moves on by a quarter at most; 1 comes back, or stays by a half at most. The best chain has the law
    // (⅔, ⅓), and 1 is what state 1 brings.
    let pairs: &[Given] = &[(0, &[(0, 1.0)], 0.0, &[]), (1, &[(0, 1.0)], 1.0, &[])];
    let model = model(2, &[], pairs);
    let choices = Choices { model: &model, radii: Some(Radii::Box(&[0.25, 0.5])) };
    let region = Region {
        choices,
        states: &[0, 1],
        local: &[0, 1],
        inside: &[true; 2],
        sources: None,
        unichain: false,
    };
    let (mut iteration, mut chosen, mut found) =
        (PolicyIteration::default(), Chosen::default(), Evaluated::default());
    chosen.reset(2, true);
    iteration.weigh(&model, &[1.0]);
    iteration.complete(&region, &mut chosen);
    iteration.evaluator.evaluate(&region, &[1.0], &mut chosen, &mut found).unwrap();
    let upper = iteration.solve(&region, &[1.0], &mut chosen, &mut found).unwrap();
    assert_all_near(&[found.gains[0], upper], &[1.0 / 3.0, 1.0 / 3.0]);
    assert_eq!(chosen.rows, [vec![(1, 0.25), (0, 0.75)], vec![(1, 0.5), (0, 0.5)]]);
}

#[test]
fn a_first_policy_aims_at_the_greatest_signal() {
    let model = rooms();
    let scope = anywhere(&model);
    let completed = |weight: f64, pairs: &[u32]| {
        let (mut iteration, mut chosen) = (PolicyIteration::default(), policy(pairs));
        iteration.weigh(&model, &[weight]);
        iteration.complete(&scope.region(0), &mut chosen);
        chosen.pair
    };
    assert_eq!(completed(1.0, &[NONE, NONE]), [1, 2]);
    // Where all that is greatest is nothing, pair 1 is the first that brings it; room 1 comes back to it.
    assert_eq!(completed(-1.0, &[NONE, NONE]), [1, 3]);
    // One state alone takes what is best at once; a pair of another state is none.
    assert_eq!(completed(1.0, &[NONE, 3]), [0, 3]);
    assert_eq!(completed(1.0, &[3, 2]), [0, 2]);
    // Of equal signals the first is taken.
    assert_eq!(completed(0.0, &[NONE, 3]), [0, 3]);
}

#[test]
fn a_greater_signal_behind_a_rare_link_is_not_aimed_at() {
    for (link, expected) in [(1e-12, [0, 3, 4]), (0.5, [1, 2, 5])] {
        let pairs: &[Given] = &[
            (0, &[(2, 1.0)], 0.0, &[]),
            (0, &[(0, 1.0 - link), (1, link)], 0.0, &[]),
            (1, &[(1, 1.0)], 5.0, &[]),
            (1, &[(0, 1.0)], 0.0, &[]),
            (2, &[(2, 1.0)], 3.0, &[]),
            (2, &[(0, 1.0)], 0.0, &[]),
        ];
        let model = model(3, &[], pairs);
        let (mut iteration, mut chosen) = (PolicyIteration::default(), policy(&[NONE; 3]));
        iteration.weigh(&model, &[1.0]);
        iteration.complete(&anywhere(&model).region(0), &mut chosen);
        assert_eq!(chosen.pair, expected, "a link of {link}");
    }
}

#[test]
fn greed_takes_the_best_action_and_tells_the_residuals() {
    let model = rooms();
    let (scope, mut iteration, mut chosen) = (anywhere(&model), PolicyIteration::default(), policy(&[1, 3]));
    iteration.weigh(&model, &[1.0]);
    iteration.bias.copy_from_slice(&[0.0, 1.0]);
    let mut residuals = [0.0; 2];
    iteration.greedy(&scope.region(0), &mut chosen, &mut residuals);
    // In room 0 staying (1 + 0) and going (0 + 1) are equal, and going was chosen; in room 1 it is 2 + 1 against 0.
    assert_eq!((chosen.pair, residuals), (vec![1, 2], [1.0, 2.0]));
}

#[test]
fn of_two_equal_actions_that_are_better_the_first_is_taken() {
    let stay: &[(usize, f64)] = &[(0, 1.0)];
    let model = model(1, &[], &[(0, stay, 0.0, &[]), (0, stay, 3.0, &[]), (0, stay, 3.0, &[])]);
    let (mut iteration, mut chosen, mut residuals) = (PolicyIteration::default(), policy(&[0]), [0.0]);
    iteration.weigh(&model, &[1.0]);
    iteration.greedy(&anywhere(&model).region(0), &mut chosen, &mut residuals);
    assert_eq!((chosen.pair, residuals), (vec![1], [3.0]));
}

#[test]
fn a_pair_that_leaves_the_region_is_never_better() {
    // State 0 stays for 1 or leaves for ever for 9, once.
    let pairs: &[Given] =
        &[(0, &[(0, 1.0)], 1.0, &[]), (0, &[(1, 1.0)], 9.0, &[]), (1, &[(1, 1.0)], 9.0, &[])];
    let model = model(2, &[], pairs);
    let (scope, (mut iteration, mut chosen, mut found)) = (anywhere(&model), begun(&model, &[1.0], &[0, 2]));
    iteration.bias[1] = 99.0;
    let step = iteration.step(&scope.region(0), &[1.0], &mut chosen, &mut found).unwrap();
    assert_eq!((step, chosen.pair), (Step { optimal: true, upper: 1.0 }, vec![0, 2]));
    assert_eq!(iteration.sizes(&scope.region(0)), (1.0, 0.0));
}

#[test]
fn a_bias_is_weighted_and_one_without_weight_is_left_out() {
    let model = rooms();
    let (scope, mut iteration) = (anywhere(&model), PolicyIteration::default());
    iteration.weigh(&model, &[1.0]);
    let mut found = Evaluated { biases: vec![vec![0.0, 7.0], vec![0.0, 2.0]], ..Evaluated::default() };
    iteration.set_bias(&scope.region(0), &[1.0, -3.0], &found);
    assert_eq!(iteration.bias, [0.0, 1.0]);
    // The bias of signal 0 less signal 1 is known to be 5.5 instead of 7 − 2; two more of signal 1 are subtracted.
    found.sum = Some((vec![1.0, -1.0], vec![0.0, 5.5]));
    iteration.set_bias(&scope.region(0), &[1.0, -3.0], &found);
    assert_eq!(iteration.bias, [0.0, 1.5]);
    let lost = Evaluated { biases: vec![vec![0.0, 7.0], vec![0.0, f64::INFINITY]], ..Evaluated::default() };
    iteration.set_bias(&scope.region(0), &[2.0, 0.0], &lost);
    assert_eq!(iteration.bias, [0.0, 14.0]);
}

#[test]
fn biases_are_added_up_from_a_mean_of_zero() {
    let model = rooms();
    let (scope, mut iteration) = (anywhere(&model), PolicyIteration::default());
    iteration.weigh(&model, &[1.0]);
    iteration.bias.copy_from_slice(&[1.0, 5.0]);
    let total = |law: &[f64], reference: u32| {
        let found = Evaluated { law: law.to_vec(), reference, ..Evaluated::default() };
        iteration.total_bias(&scope.region(0), &found)
    };
    // 6 less twice the mean: 4 under the law (¼, ¾), 5 or 1 in the reference.
    assert_eq!((total(&[0.25, 0.75], 0), total(&[], 1), total(&[], 0)), (-2.0, -4.0, 4.0));
    assert_eq!(iteration.sizes(&scope.region(0)), (2.0, 5.0));
}

#[test]
fn lost_numbers_certify_nothing() {
    assert_eq!((residual(3.0, 1.0), residual(f64::NAN, 0.0)), (2.0, f64::INFINITY));
    assert_eq!(
        (residual(1.0, f64::INFINITY), residual(f64::NEG_INFINITY, 0.0)),
        (f64::INFINITY, f64::INFINITY)
    );
    // Biases up to a billion times the signals are trusted, larger ones by the last bits they have.
    assert_eq!((doubt(2.0, 2e9), doubt(2.0, 4e9)), (0.0, 4.0 * f64::EPSILON * 4e9));
    let found = Evaluated { errors: vec![0.5, 0.25], ..Evaluated::default() };
    assert_near(weighted_error(&[2.0, -4.0], &found), 2.0);
}

#[test]
fn an_iteration_that_is_asked_to_end_does() {
    let (model, stop) = (rooms(), StopFlag::new());
    let (mut iteration, mut chosen, mut found) = begun(&model, &[1.0], &[0, 3]);
    iteration.evaluator.stop_by(stop.clone());
    stop.ask();
    let ended = iteration.solve(&anywhere(&model).region(0), &[1.0], &mut chosen, &mut found);
    assert!(matches!(ended, Err(Error::Stopped { .. })) && chosen.pair == [0, 3], "{ended:?}");
}
