//! Responses to prices on models of one to three components, with the components they end in.

use super::scope::reach;
use super::*;
use crate::error::Error;
use crate::model::Cmdp;
use crate::plan::fixture::*;

fn responder() -> Responder {
    Responder::new(Inner::PolicyIteration)
}

/// Two states of which the first may be kept for ½ (pair 0) and the second left for ever (pair 3), to a state of 1.
fn exit() -> Cmdp {
    let pairs: &[Given] = &[
        (0, &[(0, 1.0)], 0.5, &[]),
        (0, &[(1, 1.0)], 0.0, &[]),
        (1, &[(0, 1.0)], 0.0, &[]),
        (1, &[(2, 1.0)], 0.0, &[]),
        (2, &[(2, 1.0)], 1.0, &[]),
    ];
    model(3, &[], pairs)
}

#[test]
fn a_scope_is_what_can_be_reached_from_its_start() {
    let model = ruin();
    let all = anywhere(&model);
    assert_eq!((all.start(), all.within.as_slice()), (None, &[true; 4][..]));
    assert!(all.absorption.is_none(), "from anywhere nobody has to arrive");
    let one = from_state(&model, 1, all.into_structure()).unwrap();
    assert_eq!((one.start(), one.within.as_slice()), (Some(&[(1, 1.0)][..]), &[true; 4][..]));
    let (_, longest) = one.absorption.as_ref().unwrap();
    assert_near(*longest, 3.0);
    let last = from_state(&model, 3, one.into_structure()).unwrap();
    assert_eq!(last.within, [false, false, false, true]);
    assert_eq!((last.parts.members.lists(), last.absorption.is_none()), (vec![vec![3]], true));
    let unknown = from_state(&model, 4, last.into_structure()).err();
    assert!(matches!(unknown, Some(Error::UnknownState { state: 4, states: 4 })), "{unknown:?}");
}

#[test]
fn positions_are_counted_in_each_component() {
    let model = exit();
    let scope = anywhere(&model);
    assert_eq!(
        (scope.parts.members.lists(), scope.local.as_slice()),
        (vec![vec![0, 1], vec![2]], &[0, 1, 0][..])
    );
    assert!(!scope.is_large());
    let mut seen = [false; 3];
    reach(&scope.choices, &[(2, 1.0)], &mut seen);
    assert_eq!(seen, [false, false, true]);
}

#[test]
fn the_best_way_into_two_components_is_taken_at_once() {
    // Pair 1 ends in the component of (3, 4) with ¾ and in that of (1, 0) with ¼; pair 0 with a half each.
    let model = gamble(f64::INFINITY);
    let (mut scope, mut responder) = (from_start(&model), responder());
    let column = responder.evaluate_first(&mut scope, &[1.0, 0.0], None).unwrap();
    assert_eq!((column.gains.as_slice(), column.stop.as_slice()), (&[2.5, 3.0][..], &[0.25, 0.75][..]));
    assert_eq!(
        (column.chosen.pair.as_slice(), column.mass.as_slice()),
        (&[1, 2, 3][..], &[0.0, 0.25, 0.75][..])
    );
    // At a price of 1 the components are worth 1 and −1: as much of the first as there is.
    let Response { column, upper, optimal } = responder.respond(&mut scope, &[1.0, -1.0]).unwrap();
    assert_eq!((column.gains, column.stop, upper, optimal), (vec![2.0, 2.0], vec![0.5, 0.5], 0.0, true));
    // At ½ they are worth the same: the decision stays, and the bound is the value of both.
    let Response { column, upper, .. } = responder.respond(&mut scope, &[1.0, -0.5]).unwrap();
    assert_eq!((column.gains, upper), (vec![2.0, 2.0], 1.0));
}

#[test]
fn from_anywhere_the_best_component_is_taken_and_the_first_of_equal_ones() {
    let model = gamble(f64::INFINITY);
    let (mut scope, mut responder) = (anywhere(&model), responder());
    let column = responder.evaluate_first(&mut scope, &[1.0, 0.0], None).unwrap();
    assert_eq!(
        (column.gains, column.stop, column.mass),
        (vec![3.0, 4.0], vec![0.0, 1.0], vec![0.0, 0.0, 1.0])
    );
    let Response { column, upper, optimal } = responder.respond(&mut scope, &[1.0, -0.5]).unwrap();
    assert_eq!((column.gains, column.stop, upper, optimal), (vec![1.0, 0.0], vec![1.0, 0.0], 1.0, true));
}

#[test]
fn a_component_is_left_through_its_exit_for_a_better_one() {
    let model = exit();
    let (mut scope, mut responder) = (from_start(&model), responder());
    let column = responder.evaluate_first(&mut scope, &[1.0], None).unwrap();
    assert_eq!((column.gains.as_slice(), column.stop.as_slice()), (&[1.0][..], &[0.0, 1.0][..]));
    // State 0 would stay for ½; on the way out it goes to state 1.
    assert_eq!((responder.chosen.pair[0], column.chosen.pair.as_slice()), (0, &[1, 3, 4][..]));
    // Less is better: ½ is dearer than 0, which going to and fro costs, and the exit costs 1 for ever.
    // With g = −½ and h = (0, ½), as long as 0 stays, the component is bounded by max w + P h − h = ½.
    let Response { upper, optimal, .. } = responder.respond(&mut scope, &[-1.0]).unwrap();
    assert_eq!((upper, optimal), (0.5, false));
    let Response { column, upper, optimal } = responder.respond(&mut scope, &[-1.0]).unwrap();
    assert_eq!((column.gains[0], column.stop, upper, optimal), (0.0, vec![1.0, 0.0], 0.0, true));
    assert_eq!((column.chosen.pair, column.mass), (vec![1, 2, 4], vec![0.5, 0.5, 0.0]));
}

#[test]
fn a_step_at_a_time_leads_to_the_best_policy_and_its_bound() {
    // As worked out in the tests of policy iteration: the bound is 2 from the first step on.
    let model = rooms();
    let (mut scope, mut responder) = (from_start(&model), responder());
    let column = responder.evaluate_first(&mut scope, &[1.0], Some(&policy(&[0, 3]))).unwrap();
    assert_eq!((column.gains, column.mass), (vec![1.0], vec![1.0, 0.0]));
    for last in [false, true] {
        let Response { column, upper, optimal } = responder.respond(&mut scope, &[1.0]).unwrap();
        assert_eq!((column.gains, upper, optimal), (vec![2.0], 2.0, last));
    }
}

#[test]
fn value_iteration_answers_to_the_end_and_so_does_the_rescue() {
    let model = rooms();
    let by_values = Inner::ValueIteration(Stop { span: 1e-12, sweeps: 1000, leaps: false });
    for (inner, rescue) in [(by_values, false), (Inner::PolicyIteration, true)] {
        let (mut scope, mut responder) = (from_start(&model), Responder::new(inner));
        responder.evaluate_first(&mut scope, &[1.0], Some(&policy(&[0, 3]))).unwrap();
        let Response { column, upper, optimal } = match rescue {
            true => responder.rescue(&mut scope, &[1.0]).unwrap(),
            false => responder.respond(&mut scope, &[1.0]).unwrap(),
        };
        assert_eq!((column.gains, column.chosen.pair, optimal), (vec![2.0], vec![1, 2], true));
        assert!((2.0..=2.0 + 2e-12).contains(&upper), "{upper}");
    }
}

#[test]
fn a_policy_of_another_size_is_not_begun_with() {
    let model = rooms();
    let (mut scope, mut responder) = (from_start(&model), responder());
    let column = responder.evaluate_first(&mut scope, &[1.0], Some(&policy(&[0, 0, 0]))).unwrap();
    assert_eq!((column.gains, column.chosen.pair), (vec![2.0], vec![1, 2]));
    // Nor is what another model has left: pair 3 is none of state 0, which takes what is best at once.
    let other = exit();
    let column = responder.evaluate_first(&mut anywhere(&other), &[1.0], Some(&policy(&[3, 2, 4]))).unwrap();
    assert_eq!((column.gains, column.chosen.pair), (vec![1.0], vec![0, 2, 4]));
}

#[test]
fn a_dense_policy_is_attained_without_its_biases() {
    // 0 → 1 with ¼ and 1 → 0 with ½: the law is (⅔, ⅓).
    let pairs: &[Given] = &[(0, &[(0, 0.75), (1, 0.25)], 3.0, &[]), (1, &[(0, 0.5), (1, 0.5)], 0.0, &[])];
    let model = model(2, &[], pairs);
    let (mut scope, mut responder) = (from_start(&model), responder());
    responder.evaluate_first(&mut scope, &[1.0], None).unwrap();
    let column = responder.attain(&mut scope, &[1.0], &policy(&[0, 1])).unwrap();
    assert_all_near(&column.gains, &[2.0]);
    assert_all_near(&column.mass, &[2.0 / 3.0, 1.0 / 3.0]);
}

#[test]
fn a_mass_that_was_left_out_is_completed() {
    let (two, cycle) = (gamble(f64::INFINITY), exit());
    for (model, weight, mass) in [(&two, 1.0, vec![0.0, 0.25, 0.75]), (&cycle, -1.0, vec![0.5, 0.5, 0.0])] {
        let (mut scope, mut responder) = (from_start(model), responder());
        let mut weights = vec![0.0; model.signals().count()];
        weights[0] = weight;
        responder.evaluate_first(&mut scope, &weights, None).unwrap();
        responder.respond(&mut scope, &weights).unwrap();
        let mut column = responder.respond(&mut scope, &weights).unwrap().column;
        column.mass.clear();
        let mut mixture = [(0.5, column.clone()), (0.5, column)];
        responder.complete_masses(&scope, &mut mixture).unwrap();
        assert!(mixture.iter().all(|(_, column)| column.mass == mass));
    }
}

#[test]
fn errors_of_components_are_weighted_by_how_often_they_are_ended_in_and_failures_are_counted() {
    let model = gamble(f64::INFINITY);
    let (mut scope, mut responder) = (from_start(&model), responder());
    responder.evaluate_first(&mut scope, &[1.0, 0.0], None).unwrap();
    assert_eq!(responder.evaluations(&scope), Evaluations::default());
    responder.evaluate_the_rest(&scope, &[1.0, 0.0], |_| true).unwrap();
    let column = responder.finish_column(&mut scope, &[1.0, 0.0]).unwrap().0;
    assert_eq!(column.errors, [0.0, 0.0]);
    for evaluated in &mut responder.evaluated {
        evaluated.errors = vec![0.5, 0.25];
    }
    // Wherever the long run ends, it is off by as much.
    let column = responder.finish_column(&mut scope, &[1.0, 0.0]).unwrap().0;
    assert_all_near(&column.errors, &[0.5, 0.25]);
    responder.iteration.evaluator.left_out = 2;
    responder.iteration.evaluator.out_of_sweeps = 3;
    let counted = Evaluations { switched: 0, left_out: 2, out_of_sweeps: 3, iterations: 0 };
    assert_eq!(responder.evaluations(&scope), counted);
}

#[test]
fn a_responder_that_is_asked_to_end_answers_no_more() {
    let (model, stop) = (rooms(), StopFlag::new());
    let (mut scope, mut responder) = (from_start(&model), responder());
    responder.evaluate_first(&mut scope, &[1.0], None).unwrap();
    responder.stop_by(stop.clone());
    stop.ask();
    let ended = responder.respond(&mut scope, &[1.0]).err();
    assert!(matches!(ended, Some(Error::Stopped { .. })), "{ended:?}");
}

#[test]
fn where_a_policy_comes_to_rest_its_column_is_known_before_it_is_evaluated() {
    let at_once = |column: &Column| {
        (column.gains.clone(), column.stop.clone(), column.mass.clone(), column.chosen.pair.clone())
    };
    for (model, weights) in
        [(exit(), vec![1.0]), (rooms(), vec![1.0]), (gamble(f64::INFINITY), vec![1.0, -0.25])]
    {
        for from in [anywhere, from_start] {
            let ((mut scope, mut first), (mut other, mut whole)) =
                ((from(&model), responder()), (from(&model), responder()));
            let column = first.first_column(&mut scope, &weights, None).unwrap();
            assert!(first.evaluated.iter().any(|found| found.stays.is_some()));
            let evaluated = whole.evaluate_first(&mut other, &weights, None).unwrap();
            assert_eq!(at_once(&column), at_once(&evaluated));
            // What was put off is found by the response.
            let response = first.respond(&mut scope, &weights).unwrap();
            let expected = whole.respond(&mut other, &weights).unwrap();
            assert_eq!(at_once(&response.column), at_once(&expected.column));
            assert_eq!((response.upper, response.optimal), (expected.upper, expected.optimal));
            let is_known =
                |(states, found): (&[u32], &Evaluated)| found.has_biases(weights.len(), states.len());
            assert!(scope.parts.members.iter().zip(&first.evaluated).all(is_known));
        }
    }
}
