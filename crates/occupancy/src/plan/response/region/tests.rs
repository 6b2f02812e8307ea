//! Ways through corridors of two to four states, by hand.

use super::*;
use crate::model::Cmdp;
use crate::plan::fixture::{Given, anywhere, model, policy, rooms};
use crate::plan::response::choices::Radii;

/// Four states in a row; pair 2 s goes left from s, pair 2 s + 1 right, and at the ends they stay.
fn corridor() -> Cmdp {
    let at = |s: usize| [(s, 1.0)];
    let (a, b, c, d) = (at(0), at(1), at(2), at(3));
    let pairs: &[Given] = &[
        (0, &a, 0.0, &[]),
        (0, &b, 0.0, &[]),
        (1, &a, 0.0, &[]),
        (1, &c, 0.0, &[]),
        (2, &b, 0.0, &[]),
        (2, &d, 0.0, &[]),
        (3, &c, 0.0, &[]),
        (3, &d, 0.0, &[]),
    ];
    model(4, &[], pairs)
}

/// Sends all states of a model that is one component to `goal`; returns the pairs and which states arrive.
fn routed(model: &Cmdp, goal: usize) -> (Vec<u32>, Vec<bool>) {
    let scope = anywhere(model);
    let mut chosen = policy(&vec![NONE; model.states()]);
    let mut reached: Vec<bool> = (0..model.states()).map(|state| state == goal).collect();
    scope.region(0).route(&mut reached, &mut chosen);
    (chosen.pair, reached)
}

#[test]
fn a_corridor_is_walked_towards_its_goal_from_both_sides() {
    assert_eq!(routed(&corridor(), 3), (vec![1, 3, 5, NONE], vec![true; 4]));
    assert_eq!(routed(&corridor(), 1), (vec![1, NONE, 4, 6], vec![true; 4]));
}

#[test]
fn of_several_goals_the_nearest_is_taken_and_goals_keep_their_pairs() {
    let model = corridor();
    let scope = anywhere(&model);
    let (mut chosen, mut reached) = (policy(&[0, 3, 4, 7]), vec![true, false, false, true]);
    scope.region(0).route(&mut reached, &mut chosen);
    assert_eq!((chosen.pair, reached), (vec![0, 2, 5, 7], vec![true; 4]));
}

#[test]
fn the_likeliest_action_is_taken_and_the_first_of_equal_ones() {
    let pairs: &[Given] = &[
        (0, &[(0, 0.75), (1, 0.25)], 0.0, &[]),
        (0, &[(0, 0.25), (1, 0.75)], 0.0, &[]),
        (0, &[(0, 0.25), (1, 0.75)], 0.0, &[]),
        (1, &[(0, 1.0)], 0.0, &[]),
    ];
    assert_eq!(routed(&model(2, &[], pairs), 1).0, [1, NONE]);
}

#[test]
fn the_fewest_transitions_count_and_not_the_time_they_take() {
    // From 0 the goal 2 follows in one step with probability 1/8, or in two steps for sure.
    let pairs: &[Given] = &[
        (0, &[(1, 1.0)], 0.0, &[]),
        (0, &[(0, 0.875), (2, 0.125)], 0.0, &[]),
        (1, &[(2, 1.0)], 0.0, &[]),
        (2, &[(0, 1.0)], 0.0, &[]),
    ];
    assert_eq!(routed(&model(3, &[], pairs), 2).0, [1, 2, NONE]);
}

#[test]
fn a_pair_that_leaves_the_region_is_no_way() {
    // Pair 1 leads from 0 to the goal 1 or out of the region to 2; pair 2 is slow but stays.
    let pairs: &[Given] = &[
        (0, &[(0, 1.0)], 0.0, &[]),
        (0, &[(1, 0.5), (2, 0.5)], 0.0, &[]),
        (0, &[(0, 0.875), (1, 0.125)], 0.0, &[]),
        (1, &[(0, 1.0)], 0.0, &[]),
        (2, &[(2, 1.0)], 0.0, &[]),
    ];
    let model = model(3, &[], pairs);
    let scope = anywhere(&model);
    let region = scope.region(0);
    assert_eq!((region.states, region.unichain), (&[0, 1][..], false));
    assert_eq!(region.pairs(0).collect::<Vec<_>>(), [0, 2]);
    let mut chosen = policy(&[0, 3, 4]);
    region.route(&mut [false, true], &mut chosen);
    assert_eq!(chosen.pair, [2, 3, 4]);
}

/// Two states that stay where they are for sure, but may move by the radius of pair 0 or of pair 1 (both of state 0).
fn routed_freely(radii: [f64; 3]) -> Chosen {
    let still: &[Given] =
        &[(0, &[(0, 1.0)], 0.0, &[]), (0, &[(0, 1.0)], 0.0, &[]), (1, &[(0, 1.0)], 0.0, &[])];
    let model = model(2, &[], still);
    let choices = Choices { model: &model, radii: Some(Radii::Box(&radii)) };
    let region = Region {
        choices,
        states: &[0, 1],
        local: &[0, 1],
        inside: &[true; 3],
        sources: None,
        unichain: false,
    };
    let (mut chosen, mut reached) = (Chosen::default(), [false, true]);
    chosen.reset(2, true);
    region.route(&mut reached, &mut chosen);
    chosen
}

#[test]
fn where_rows_are_free_the_one_that_leads_on_is_chosen() {
    let chosen = routed_freely([0.0, 0.25, 0.0]);
    assert_eq!((chosen.pair[0], chosen.rows[0].as_slice()), (1, &[(1, 0.25), (0, 0.75)][..]));
    // The first pair that is not rare will do, and a rare one gives way to the next.
    assert_eq!(routed_freely([0.125, 0.25, 0.0]).pair[0], 0);
    assert_eq!(routed_freely([1e-12, 0.25, 0.0]).pair[0], 1);
    assert_eq!(routed_freely([1e-11, 1e-12, 0.0]).pair[0], 0);
    assert_eq!(routed_freely([0.0, 0.0, 0.0]).pair, [NONE; 2], "there is no way");
}

/// Two states that lead to each other with these probabilities.
fn linked(there: f64, back: f64) -> Cmdp {
    model(
        2,
        &[],
        &[(0, &[(0, 1.0 - there), (1, there)], 0.0, &[]), (1, &[(0, back), (1, 1.0 - back)], 0.0, &[])],
    )
}

#[test]
fn a_link_below_a_billionth_is_rare() {
    for (there, rare) in [(0.5, false), (1e-9, false), (0.9e-9, true), (1e-300, true)] {
        let model = linked(there, 0.5);
        let scope = anywhere(&model);
        let region = scope.region(0);
        assert_eq!(region.has_rare_links(), rare, "{there}");
        assert_eq!((region.is_likely_reached(0), region.is_likely_reached(1)), (true, !rare), "{there}");
    }
}

#[test]
fn rows_that_may_be_chosen_have_no_rare_links() {
    let model = linked(1e-12, 0.5);
    let inside = [true; 2];
    let has = |radii: &[f64]| {
        let choices = Choices { model: &model, radii: Some(Radii::Box(radii)) };
        Region { choices, states: &[0, 1], local: &[0, 1], inside: &inside, sources: None, unichain: false }
            .has_rare_links()
    };
    assert!(has(&[0.0, 0.1]) && !has(&[0.1, 0.0]));
}

#[test]
fn several_rare_ways_together_are_likely_enough() {
    // Each of two goals follows with 0.6e-9; what counts is the chance of either.
    let model = model(
        3,
        &[],
        &[
            (0, &[(0, 1.0 - 1.2e-9), (1, 0.6e-9), (2, 0.6e-9)], 0.0, &[]),
            (1, &[(2, 1.0)], 0.0, &[]),
            (2, &[(0, 0.5), (1, 0.5)], 0.0, &[]),
        ],
    );
    let scope = anywhere(&model);
    assert!(scope.region(0).has_rare_links() && scope.region(0).is_likely_reached(2));
}

#[test]
fn a_policy_reads_its_rows_from_the_model_or_from_its_own() {
    let model = rooms();
    let radii = [0.5, 0.0, 0.0, 0.0];
    let choices = Choices { model: &model, radii: Some(Radii::Box(&radii)) };
    let mut chosen = Chosen::default();
    chosen.reset(2, true);
    assert_eq!(chosen.pair, [NONE; 2]);
    chosen.pair.copy_from_slice(&[0, 3]);
    chosen.rows[0] = vec![(1, 0.5), (0, 0.5)];
    assert_eq!(chosen.row(&choices, 0).collect::<Vec<_>>(), [(1, 0.5), (0, 0.5)]);
    assert_eq!(chosen.row(&choices, 1).collect::<Vec<_>>(), [(0, 1.0)]);
    let mut seen = Vec::new();
    (0..2).for_each(|state| chosen.successors(&choices, state, |next, p| seen.push((next, p))));
    assert_eq!(seen, [(1, 0.5), (0, 0.5), (0, 1.0)]);
    assert_eq!([0, 1].map(|state| chosen.dot(&choices, state, &[2.0, 6.0])), [4.0, 2.0]);
}

#[test]
fn a_policy_is_taken_over_in_some_states_alone() {
    let other = Chosen { pair: vec![5, 6], rows: vec![vec![(0, 1.0)], vec![(1, 1.0)]] };
    let mut chosen = Chosen::default();
    chosen.copy(&other, &[1]);
    assert_eq!(chosen, Chosen { pair: vec![NONE, 6], rows: vec![Vec::new(), vec![(1, 1.0)]] });
    chosen.clone_from(&other);
    assert_eq!(chosen, other);
    chosen.reset(1, false);
    assert_eq!(chosen, policy(&[NONE]));
}
