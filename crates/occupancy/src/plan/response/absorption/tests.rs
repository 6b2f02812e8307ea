//! Which component to end in, where hitting probabilities and expected numbers of decisions are known.

use super::*;
use crate::error::Error;
use crate::plan::fixture::{
    Given, anywhere, assert_all_near, assert_near, gamble, model, ruin, stay_or_leave,
};

/// The nodes of all states of a model.
fn nodes(model: &crate::model::Cmdp) -> Absorption {
    let scope = anywhere(model);
    Absorption::new(&scope.choices, &scope.parts, &scope.within)
}

/// The gains of one signal, by component.
fn gains(all: &[f64]) -> Vec<Vec<f64>> {
    all.iter().map(|&gain| vec![gain]).collect()
}

/// State 0 may be kept, or left for 1 and 2 with probability a half each, which are kept for ever.
fn fork() -> crate::model::Cmdp {
    let pairs: &[Given] = &[
        (0, &[(0, 1.0)], 0.0, &[]),
        (0, &[(1, 0.5), (2, 0.5)], 0.0, &[]),
        (1, &[(1, 1.0)], 0.0, &[]),
        (2, &[(2, 1.0)], 0.0, &[]),
    ];
    model(3, &[], pairs)
}

/// State 0 leads to state 1, which is kept for ever, with this probability in each step.
fn door(open: f64) -> crate::model::Cmdp {
    let pairs: &[Given] = &[(0, &[(0, 1.0 - open), (1, open)], 0.0, &[]), (1, &[(1, 1.0)], 0.0, &[])];
    model(2, &[], pairs)
}

#[test]
fn components_come_first_and_the_other_states_follow() {
    let found = nodes(&ruin());
    assert_eq!((found.nodes(), found.node_of.as_slice()), (5, &[1, 3, 4, 2][..]));
    // At first components stop, and other states take the first pair there is.
    use Decision::{Leave, Stop};
    assert_eq!(found.decisions[1..], [Stop, Stop, Leave(1), Leave(2)]);
}

#[test]
fn a_gambler_is_ruined_with_the_probabilities_of_the_textbook() {
    let (model, start) = (ruin(), [(1, 1.0)]);
    let (mut found, choices) = (nodes(&model), anywhere(&model).choices);
    assert_near(found.solve(&choices, &gains(&[0.0, 1.0]), &[1.0]).unwrap(), 0.0);
    assert_all_near(&found.value[1..], &[0.0, 1.0, 1.0 / 3.0, 2.0 / 3.0]);
    assert_all_near(&found.stopping(&choices, &start).unwrap(), &[2.0 / 3.0, 1.0 / 3.0]);
    // Half of the time with one coin, a quarter with two, a quarter with three: 1/6 + 1/6 + 1/4.
    let start = [(1, 0.5), (2, 0.25), (3, 0.25)];
    assert_all_near(&found.stopping(&choices, &start).unwrap(), &[5.0 / 12.0, 7.0 / 12.0]);
}

#[test]
fn a_gambler_makes_as_many_decisions_as_he_plays_and_one_to_stop() {
    let model = ruin();
    let (mut found, choices) = (nodes(&model), anywhere(&model).choices);
    assert_all_near(&found.most_decisions(&choices).unwrap(), &[0.0, 1.0, 1.0, 3.0, 3.0]);
    assert_near(found.longest(&choices).unwrap(), 3.0);
    // What he pays before the end, 5 in each game: no decision to stop brings anything.
    assert_all_near(&found.most_on_the_way(&choices, |_| 5.0).unwrap(), &[0.0, 0.0, 0.0, 10.0, 10.0]);
}

#[test]
fn a_component_is_left_for_what_is_better_on_average_and_kept_otherwise() {
    let model = fork();
    let choices = anywhere(&model).choices;
    let solved = |own: f64| {
        let mut found = nodes(&model);
        let values = found.values(&choices, &[own, 0.0, 2.0]).unwrap();
        (found.decisions[1], values[1], found.stopping(&choices, &[(0, 1.0)]).unwrap())
    };
    assert_eq!(solved(0.75), (Decision::Leave(1), 1.0, vec![0.0, 0.5, 0.5]));
    assert_eq!(solved(1.25), (Decision::Stop, 1.25, vec![1.0, 0.0, 0.0]));
    // A tie changes nothing.
    assert_eq!(solved(1.0), (Decision::Stop, 1.0, vec![1.0, 0.0, 0.0]));
}

#[test]
fn decisions_of_an_earlier_question_are_changed_back() {
    let model = fork();
    let (mut found, choices) = (nodes(&model), anywhere(&model).choices);
    assert_eq!(found.values(&choices, &[0.0, 0.0, 2.0]).unwrap()[1], 1.0);
    assert_eq!(found.values(&choices, &[3.0, 0.0, 2.0]).unwrap()[1], 3.0);
    assert_eq!(found.decisions[1], Decision::Stop);
    // All values below zero: the least loss is taken.
    assert_eq!(found.values(&choices, &[-3.0, -1.0, -4.0]).unwrap()[1..], [-2.5, -1.0, -4.0]);
}

#[test]
fn counting_decisions_leaves_the_best_ones_alone() {
    let model = fork();
    let (mut found, choices) = (nodes(&model), anywhere(&model).choices);
    found.values(&choices, &[5.0, 0.0, 2.0]).unwrap();
    // Leaving and stopping then are two decisions, although stopping at once is better.
    assert_eq!(found.most_decisions(&choices).unwrap(), [0.0, 2.0, 1.0, 1.0]);
    assert_eq!(found.decisions[1], Decision::Stop);
}

#[test]
fn the_weights_choose_between_signals() {
    // Pair 0 ends in the two components of gains (1, 0) and (3, 4) with a half each, pair 1 with ¼ and ¾.
    let model = gamble(f64::INFINITY);
    let (mut found, choices) = (nodes(&model), anywhere(&model).choices);
    let both = [vec![1.0, 0.0], vec![3.0, 4.0]];
    found.solve(&choices, &both, &[1.0, 0.0]).unwrap();
    assert_eq!((found.decisions[3], found.value[3]), (Decision::Leave(1), 2.5));
    assert_eq!(found.stopping(&choices, &[(0, 1.0)]).unwrap(), [0.25, 0.75]);
    found.solve(&choices, &both, &[1.0, -1.0]).unwrap();
    assert_eq!((found.decisions[3], found.value[3]), (Decision::Leave(0), 0.0));
    assert_eq!(found.stopping(&choices, &[(0, 1.0)]).unwrap(), [0.5, 0.5]);
}

#[test]
fn a_door_that_opens_once_in_a_trillion_steps_is_passed_by_one_decision() {
    for open in [0.25, 1e-12] {
        let model = door(open);
        let (mut found, choices) = (nodes(&model), anywhere(&model).choices);
        assert_all_near(&found.values(&choices, &[7.0]).unwrap(), &[0.0, 7.0, 7.0]);
        assert_near(found.longest(&choices).unwrap(), 2.0);
        assert_all_near(&found.stopping(&choices, &[(0, 1.0)]).unwrap(), &[1.0]);
        // A unit in each step until it opens: 1 / open, with all of its digits.
        let waited = found.most_on_the_way(&choices, |_| 1.0).unwrap()[2];
        assert!((waited * open - 1.0).abs() < 1e-12, "{waited}");
    }
}

#[test]
fn a_component_is_left_through_a_door_that_hardly_ever_opens() {
    let pairs: &[Given] = &[
        (0, &[(0, 1.0)], 0.0, &[]),
        (0, &[(0, 1.0 - 1e-12), (1, 1e-12)], 0.0, &[]),
        (1, &[(1, 1.0)], 0.0, &[]),
    ];
    let model = model(2, &[], pairs);
    let (mut found, choices) = (nodes(&model), anywhere(&model).choices);
    assert_all_near(&found.values(&choices, &[1.0, 2.0]).unwrap(), &[0.0, 2.0, 2.0]);
    assert_eq!(found.decisions[1], Decision::Leave(1));
    assert_all_near(&found.stopping(&choices, &[(0, 1.0)]).unwrap(), &[0.0, 1.0]);
}

#[test]
fn a_way_that_brings_less_than_nothing_is_not_taken() {
    // What leaving brings is below zero, so that stopping in 0 at once is the greatest total.
    let model = stay_or_leave(f64::INFINITY);
    let (mut found, choices) = (nodes(&model), anywhere(&model).choices);
    assert_eq!(found.most_on_the_way(&choices, |_| -1.0).unwrap(), [0.0, 0.0, 0.0]);
    assert_eq!(found.most_on_the_way(&choices, |_| 1.0).unwrap(), [0.0, 1.0, 0.0]);
}

#[test]
fn states_outside_the_scope_have_no_node() {
    let (model, mut parts) = (ruin(), crate::plan::response::components::EndComponents::default());
    let (choices, within) = (anywhere(&model).choices, [false, false, false, true]);
    crate::plan::response::components::end_components(&choices, &within, &mut parts);
    let found = Absorption::new(&choices, &parts, &within);
    assert_eq!((found.nodes(), found.node_of.as_slice()), (2, &[0, 0, 0, 1][..]));
}

#[test]
fn a_state_whose_way_out_underflows_is_named() {
    // Leaving takes 1e320 steps, which no number holds.
    let model = door(1e-320);
    let (mut found, choices) = (nodes(&model), anywhere(&model).choices);
    let failed = found.values(&choices, &[1.0]);
    assert!(matches!(&failed, Err(Error::Underflow { state }) if state == "0"), "{failed:?}");
}
