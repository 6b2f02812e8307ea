//! Chains of one to three states, whose laws, gains and biases are a line of algebra.

use super::*;
use crate::error::Error;
use crate::model::{Cmdp, CmdpBuilder};
use crate::plan::fixture::{Given, anywhere, assert_all_near, assert_near, model, policy, rooms};

/// 0 → 1 with probability p, 1 → 0 with probability q: the law is (q, p) / (p + q), and of a signal (a, b) with gain g
/// the bias rises by (g − a) / p from 0 to 1. Rewards (1, 4), costs (3, 0).
fn two_states(p: f64, q: f64) -> Cmdp {
    let pairs: &[Given] =
        &[(0, &[(0, 1.0 - p), (1, p)], 1.0, &[3.0]), (1, &[(0, q), (1, 1.0 - q)], 4.0, &[0.0])];
    model(2, &[f64::INFINITY], pairs)
}

/// Evaluates a policy on a model that is one component.
fn evaluated(model: &Cmdp, weights: &[f64], chosen: &mut Chosen) -> Evaluated {
    let (scope, mut found) = (anywhere(model), Evaluated::default());
    Evaluator::default().evaluate(&scope.region(0), weights, chosen, &mut found).unwrap();
    found
}

/// h(1) − h(0) of every signal.
fn rises(found: &Evaluated) -> Vec<f64> {
    found.biases.iter().map(|bias| bias[1] - bias[0]).collect()
}

#[test]
fn two_states_have_their_closed_form() {
    // p = ¼, q = ½: law (⅔, ⅓), gains 2 and 2, rises (2 − 1) / ¼ and (2 − 3) / ¼.
    let found = evaluated(&two_states(0.25, 0.5), &[1.0, 0.0], &mut policy(&[0, 1]));
    assert_all_near(&found.law, &[2.0 / 3.0, 1.0 / 3.0]);
    assert_all_near(&found.gains, &[2.0, 2.0]);
    assert_all_near(&rises(&found), &[4.0, -4.0]);
    assert_eq!((found.errors.as_slice(), found.sum.is_none()), (&[0.0, 0.0][..], true));
    assert!(found.biases.iter().all(|bias| bias[found.reference as usize] == 0.0));
}

#[test]
fn links_of_a_trillionth_keep_their_digits() {
    // p = 1e-12, q = 3e-12: law (¾, ¼), gains 7/4 and 9/4, rises of ¾ 1e12 and −¾ 1e12.
    let found = evaluated(&two_states(1e-12, 3e-12), &[1.0, 0.0], &mut policy(&[0, 1]));
    assert_all_near(&found.law, &[0.75, 0.25]);
    assert_all_near(&found.gains, &[1.75, 2.25]);
    let rises: Vec<f64> = rises(&found).iter().map(|rise| rise * 1e-12).collect();
    assert_all_near(&rises, &[0.75, -0.75]);
}

#[test]
fn a_cycle_is_averaged_over_its_period() {
    let cycle: &[Given] =
        &[(0, &[(1, 1.0)], 0.0, &[]), (1, &[(2, 1.0)], 0.0, &[]), (2, &[(0, 1.0)], 6.0, &[])];
    let found = evaluated(&model(3, &[], cycle), &[1.0], &mut policy(&[0, 1, 2]));
    assert_all_near(&found.law, &[1.0 / 3.0; 3]);
    assert_all_near(&found.gains, &[2.0]);
    // 2 + h(0) = 0 + h(1) and 2 + h(1) = 0 + h(2).
    let bias = &found.biases[0];
    assert_all_near(&[bias[1] - bias[0], bias[2] - bias[0]], &[2.0, 4.0]);
}

#[test]
fn a_state_that_stays_has_its_own_signals_and_no_bias() {
    let found =
        evaluated(&model(1, &[9.0], &[(0, &[(0, 1.0)], 5.0, &[-2.0])]), &[1.0, 1.0], &mut policy(&[0]));
    assert_eq!((found.gains, found.law, found.biases), (vec![5.0, -2.0], vec![1.0], vec![vec![0.0]; 2]));
}

#[test]
fn a_state_on_the_way_has_no_share_of_time_but_a_bias() {
    // In the rooms, go from 0 to 1 and stay: gain 2, and the step on the way misses it by 2.
    let found = evaluated(&rooms(), &[1.0], &mut policy(&[1, 2]));
    assert_eq!((found.law.as_slice(), found.gains[0], found.reference), (&[0.0, 1.0][..], 2.0, 1));
    assert_eq!(found.biases[0], [-2.0, 0.0]);
}

#[test]
fn of_two_classes_the_better_one_at_the_weights_is_kept() {
    let mut both = policy(&[0, 2]);
    let found = evaluated(&rooms(), &[1.0], &mut both);
    assert_eq!((found.gains[0], both.pair), (2.0, vec![1, 2]));
    // Where less is better, room 0 is kept and room 1 is left.
    let mut both = policy(&[0, 2]);
    let found = evaluated(&rooms(), &[-1.0], &mut both);
    assert_eq!((found.gains[0], both.pair, found.reference), (1.0, vec![0, 3], 0));
    assert_eq!(found.law, [1.0, 0.0]);
}

#[test]
fn states_between_two_classes_are_sent_to_the_better_one() {
    // State 1 leads to both ends, of rewards 1 and 3, which may be left for it: it is sent to the end of 3 by pair 3.
    let pairs: &[Given] = &[
        (0, &[(0, 1.0)], 1.0, &[]),
        (0, &[(1, 1.0)], 0.0, &[]),
        (1, &[(0, 0.5), (2, 0.5)], 0.0, &[]),
        (1, &[(2, 1.0)], 0.0, &[]),
        (2, &[(2, 1.0)], 3.0, &[]),
        (2, &[(1, 1.0)], 0.0, &[]),
    ];
    let mut chosen = policy(&[0, 2, 4]);
    let found = evaluated(&model(3, &[], pairs), &[1.0], &mut chosen);
    assert_eq!((chosen.pair, found.gains[0]), (vec![1, 3, 4], 3.0));
    // 3 + h(1) = 0 + h(2) and 3 + h(0) = 0 + h(1).
    assert_eq!(found.biases[0], [-6.0, -3.0, 0.0]);
}

#[test]
fn a_state_that_leads_to_the_better_class_for_sure_keeps_its_action() {
    // As above, but state 1 takes pair 3, of two that lead to the end of 3; the likelier pair 4 is not asked.
    let pairs: &[Given] = &[
        (0, &[(0, 1.0)], 1.0, &[]),
        (0, &[(1, 1.0)], 0.0, &[]),
        (1, &[(0, 1.0)], 0.0, &[]),
        (1, &[(1, 0.5), (2, 0.5)], 0.0, &[]),
        (1, &[(2, 1.0)], 0.0, &[]),
        (2, &[(2, 1.0)], 3.0, &[]),
        (2, &[(1, 1.0)], 0.0, &[]),
    ];
    let mut chosen = policy(&[0, 3, 5]);
    evaluated(&model(3, &[], pairs), &[1.0], &mut chosen);
    assert_eq!(chosen.pair, [1, 3, 5]);
}

#[test]
fn a_reference_that_is_hardly_visited_is_replaced() {
    for (q, reference) in [(0.01, 0), (1e-4, 1)] {
        let model = two_states(0.5, q);
        let (scope, mut found) = (anywhere(&model), Evaluated::default());
        Evaluator::default()
            .evaluate(&scope.region(0), &[1.0, 0.0], &mut policy(&[0, 1]), &mut found)
            .unwrap();
        assert_eq!(found.reference, reference, "a law of {:?}", found.law);
        assert_near(found.law[0], q / (0.5 + q));
        assert_eq!(found.biases[0][reference as usize], 0.0);
    }
}

/// Every state follows every pair: from 0 to 1 with ¼ (pair 0) or ½ (pair 1), from 1 to 0 with ½ (pair 2) or ¼ (pair 3).
fn dense() -> Cmdp {
    let pairs: &[Given] = &[
        (0, &[(0, 0.75), (1, 0.25)], 1.0, &[]),
        (0, &[(0, 0.5), (1, 0.5)], 1.0, &[]),
        (1, &[(0, 0.5), (1, 0.5)], 4.0, &[]),
        (1, &[(0, 0.25), (1, 0.75)], 4.0, &[]),
    ];
    model(2, &[], pairs)
}

#[test]
fn a_changed_action_is_evaluated_as_if_from_the_beginning() {
    // Laws (q, p) / (p + q): the share of state 1 is ⅓, ½, ½ and ⅔, and the gain is 1 + 3 times it; the rise (g − 1) / p.
    let model = dense();
    let (scope, mut found, mut evaluator) = (anywhere(&model), Evaluated::default(), Evaluator::default());
    let all = [([0, 2], 1.0 / 3.0, 0.25), ([1, 2], 0.5, 0.5), ([0, 3], 0.5, 0.25), ([1, 3], 2.0 / 3.0, 0.5)];
    for (pairs, share, p) in all.into_iter().chain(all.into_iter().rev()) {
        evaluator.evaluate(&scope.region(0), &[1.0], &mut policy(&pairs), &mut found).unwrap();
        assert_all_near(&found.law, &[1.0 - share, share]);
        assert_near(found.gains[0], 1.0 + 3.0 * share);
        assert_all_near(&rises(&found), &[3.0 * share / p]);
        evaluator.attain(&scope.region(0), &[1.0], &mut policy(&pairs), &mut found).unwrap();
        assert_near(found.gains[0], 1.0 + 3.0 * share);
    }
}

#[test]
fn another_model_of_the_same_shape_is_not_taken_for_the_last_one() {
    let (first, mut evaluator, mut found) = (dense(), Evaluator::default(), Evaluated::default());
    evaluator.evaluate(&anywhere(&first).region(0), &[1.0], &mut policy(&[0, 2]), &mut found).unwrap();
    let mut second = first.clone();
    second.rewrite_signal(0, |pair| if pair < 2 { 0.0 } else { 3.0 }).unwrap();
    evaluator.forget();
    evaluator.evaluate(&anywhere(&second).region(0), &[1.0], &mut policy(&[0, 2]), &mut found).unwrap();
    assert_near(found.gains[0], 1.0);
}

#[test]
fn a_recurrent_state_is_found_and_the_law_from_it() {
    let model = rooms();
    let (scope, mut found, mut evaluator) = (anywhere(&model), Evaluated::default(), Evaluator::default());
    let (region, mut law) = (scope.region(0), [0.5, 0.5]);
    for (pairs, reference, expected) in
        [([1, 2], 1, [0.0, 1.0]), ([0, 3], 0, [1.0, 0.0]), ([1, 3], 0, [0.5, 0.5])]
    {
        evaluator.anchor(&region, &policy(&pairs), &mut found);
        assert_eq!(found.reference, reference);
        evaluator.law(&region, &policy(&pairs), &found, &mut law).unwrap();
        assert_eq!(law, expected);
    }
}

#[test]
fn a_state_that_no_number_leads_back_from_is_named() {
    let mut model = CmdpBuilder::new(2, &[]);
    model.pair(0, &[(1, 1.0)], 0.0, &[]).pair(1, &[(0, 1e-320), (1, 1.0)], 0.0, &[]);
    let model = model.state_names(vec!["hut".into(), "pit".into()]).build().unwrap();
    let (scope, mut found) = (anywhere(&model), Evaluated::default());
    let failed = Evaluator::default().evaluate(&scope.region(0), &[1.0], &mut policy(&[0, 1]), &mut found);
    assert!(matches!(&failed, Err(Error::Underflow { state }) if state == "pit"), "{failed:?}");
}

#[test]
fn an_end_that_is_asked_for_is_heard() {
    let (mut evaluator, stop) = (Evaluator::default(), StopFlag::new());
    evaluator.stop_by(stop.clone());
    assert!(evaluator.check_stop().is_ok());
    stop.ask();
    let stopped = evaluator.check_stop();
    assert!(matches!(stopped, Err(Error::Stopped { violation: f64::INFINITY })), "{stopped:?}");
}

#[test]
fn the_most_visited_state_is_the_first_of_several() {
    assert_eq!(most_visited(&[0.2, 0.4, 0.4]), Some(1));
    assert_eq!((most_visited(&[1.0]), most_visited(&[])), (Some(0), None));
}
