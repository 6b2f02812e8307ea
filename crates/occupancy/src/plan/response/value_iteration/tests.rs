//! Sweeps whose residuals are known, on two states.

use super::*;
use crate::error::Error;
use crate::model::{Cmdp, CmdpBuilder};
use crate::plan::fixture::{Given, anywhere, assert_near, model, policy, rooms, work_or_rest};
use crate::stop::StopFlag;

/// What a run ends with: the pairs, the gains, the upper bound, and how often the sweeps ran out.
type Ran = (Vec<u32>, Vec<f64>, f64, usize);

/// Value iteration from h = 0 and these pairs, to a span and for so many sweeps.
fn run(model: &Cmdp, weights: &[f64], pairs: &[u32], span: f64, sweeps: usize) -> Ran {
    let (mut at, mut chosen, mut found) = (PolicyIteration::default(), policy(pairs), Evaluated::default());
    at.weigh(model, weights);
    let stop = Stop { span, sweeps, leaps: false };
    let upper = solve(&mut at, &anywhere(model).region(0), weights, &mut chosen, &mut found, stop).unwrap();
    (chosen.pair, found.gains, upper, at.evaluator.out_of_sweeps)
}

/// Two states that follow each other with this probability in each step; the second brings 1.
fn linked(p: f64) -> Cmdp {
    let pairs: &[Given] = &[(0, &[(0, 1.0 - p), (1, p)], 0.0, &[]), (1, &[(0, p), (1, 1.0 - p)], 1.0, &[])];
    model(2, &[], pairs)
}

#[test]
fn a_wide_span_is_content_with_the_first_sweep() {
    // B = (1, 2) at h = 0 is within a span of 1 · 2. Both rooms are kept by the greedy policy; the better one counts.
    assert_eq!(run(&rooms(), &[1.0], &[1, 3], 1.0, 9), (vec![1, 2], vec![2.0], 2.0, 0));
    // Of costs the first sweep bounds by 0, and the greedy policy goes to and fro for nothing.
    assert_eq!(run(&rooms(), &[-1.0], &[0, 2], 1.0, 9), (vec![1, 3], vec![0.0], 0.0, 0));
}

#[test]
fn a_narrow_span_closes_the_bound() {
    let (pairs, gains, upper, out) = run(&rooms(), &[1.0], &[1, 3], 1e-12, 1000);
    assert_eq!((pairs, gains, out), (vec![1, 2], vec![2.0], 0));
    assert!((2.0..=2.0 + 2e-12).contains(&upper), "{upper}");
}

#[test]
fn half_steps_settle_a_periodic_chain_in_two_sweeps() {
    // With d = h(1) − h(0), B = (d, 1 − d), and half a step leads from any d to ½; whole steps go from 0 to 1 and back.
    assert_eq!(run(&linked(1.0), &[1.0], &[0, 1], 1e-12, 2), (vec![0, 1], vec![0.5], 0.5, 0));
    assert_eq!(run(&linked(1.0), &[1.0], &[0, 1], 1e-12, 1), (vec![0, 1], vec![0.5], 0.5, 1));
}

#[test]
fn policy_iteration_takes_over_when_the_sweeps_run_out() {
    // Chains of two rare links settle after some 1/p sweeps; the gain is a half whatever p is.
    for p in [1e-3, 1e-6, 1e-12] {
        let (_, gains, upper, out) = run(&linked(p), &[1.0], &[0, 1], 1e-12, 10);
        assert_eq!(out, 1);
        assert_near(gains[0], 0.5);
        assert!((0.5 - 1e-15..=0.5 + 1e-3).contains(&upper), "{upper} at {p}");
    }
    let (pairs, gains, upper, out) = run(&rooms(), &[1.0], &[1, 3], 1e-12, 1);
    assert_eq!((pairs, gains, upper, out), (vec![1, 2], vec![2.0], 2.0, 1));
}

#[test]
fn the_bias_at_hand_is_where_it_begins() {
    let (model, weights) = (linked(1e-6), [1.0]);
    let (scope, mut at, mut chosen) = (anywhere(&model), PolicyIteration::default(), policy(&[0, 1]));
    let mut found = Evaluated::default();
    at.weigh(&model, &weights);
    at.evaluator.evaluate(&scope.region(0), &weights, &mut chosen, &mut found).unwrap();
    let stop = Stop { span: 1e-9, sweeps: 1, leaps: false };
    let upper = solve(&mut at, &scope.region(0), &weights, &mut chosen, &mut found, stop).unwrap();
    assert!((upper - 0.5).abs() <= 1e-9 && at.evaluator.out_of_sweeps == 0, "{upper}");
}

#[test]
fn signals_of_zero_are_settled_at_once() {
    assert_eq!(run(&rooms(), &[0.0], &[0, 3], 1e-12, 1), (vec![0, 3], vec![1.0], 0.0, 0));
}

#[test]
fn prices_are_answered() {
    let answered = |price: f64| run(&work_or_rest(0.5), &[1.0, -price], &[0, 2], 1e-12, 1000);
    let (pairs, gains, upper, _) = answered(2.0);
    assert_eq!((pairs, gains), (vec![1, 2], vec![0.0, 0.0]));
    assert_near(upper, 0.0);
    let (pairs, gains, upper, _) = answered(0.25);
    assert_eq!((pairs, gains), (vec![0, 2], vec![1.0, 1.0]));
    assert_near(upper, 0.75);
}

#[test]
fn an_iteration_that_is_asked_to_end_does() {
    let (model, flag) = (linked(0.5), StopFlag::new());
    let (mut at, mut found) = (PolicyIteration::default(), Evaluated::default());
    at.weigh(&model, &[1.0]);
    at.evaluator.stop_by(flag.clone());
    flag.ask();
    let stop = Stop { span: 1.0, sweeps: 9, leaps: false };
    let ended = solve(&mut at, &anywhere(&model).region(0), &[1.0], &mut policy(&[0, 1]), &mut found, stop);
    assert!(matches!(ended, Err(Error::Stopped { .. })), "{ended:?}");
}

/// A ring of so many states, each of which leads on in every second step; the second action of odd states brings 0.1.
fn ring(states: usize) -> Cmdp {
    let mut ring = CmdpBuilder::new(states, &[]);
    for state in 0..states {
        let row = [(state, 0.5), ((state + 1) % states, 0.5)];
        ring.pair(state, &row, 0.0, &[]);
        ring.pair(state, &row, if state % 2 == 1 { 0.1 } else { 0.0 }, &[]);
    }
    ring.build().unwrap()
}

#[test]
fn a_leap_takes_the_place_of_thousands_of_sweeps_on_a_large_ring() {
    let (model, weights) = (ring(1200), [1.0]);
    let scope = anywhere(&model);
    let first: Vec<u32> = (0..1200).map(|state| 2 * state).collect();
    let out_of_sweeps = |leaps: bool| {
        let (mut at, mut chosen, mut found) =
            (PolicyIteration::default(), policy(&first), Evaluated::default());
        at.weigh(&model, &weights);
        at.evaluator.evaluate(&scope.region(0), &weights, &mut chosen, &mut found).unwrap();
        assert!(at.evaluator.is_iterative());
        let stop = Stop { span: 1e-9, sweeps: 5, leaps };
        let upper = solve(&mut at, &scope.region(0), &weights, &mut chosen, &mut found, stop).unwrap();
        assert!((found.gains[0] - 0.05).abs() < 1e-9 && (upper - 0.05).abs() < 1e-9, "{upper}");
        at.evaluator.out_of_sweeps
    };
    assert_eq!((out_of_sweeps(true), out_of_sweeps(false)), (0, 1));
}
