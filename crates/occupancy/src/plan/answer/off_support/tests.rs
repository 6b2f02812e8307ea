//! Ways back to the visited states, where the totals on the way are added up by hand.

use super::*;
use crate::model::Cmdp;
use crate::plan::fixture::{Given, model};
use crate::plan::response::choices::Radii;

/// What the rule is asked: which states are visited and wanted, what pairs bring, and the bias of the visited states.
struct Asked<'a> {
    visited: &'a [bool],
    wanted: &'a [bool],
    weighted: &'a [f64],
    gain: f64,
    bias: &'a [f64],
}

impl Asked<'_> {
    fn actions(&self, model: &Cmdp, radii: Option<&[f64]>) -> Vec<u32> {
        let Asked { visited, wanted, weighted, gain, bias } = *self;
        let choices = Choices { model, radii: radii.map(Radii::Box) };
        let actions = |sources: Option<&Sources>| {
            Pinned { choices, sources, visited, wanted, weighted, gain, bias }.actions(&mut Solver::default())
        };
        let found = actions(None);
        if choices.has_sparse_rows() {
            assert_eq!(actions(Some(&Sources::of(model))), found, "where sources are at hand");
        }
        found
    }
}

/// State 0 is visited. From 1 there is a way back (pair 1); from 2 a straight one (pair 2) and one by 1 (pair 3).
fn detour() -> Cmdp {
    let pairs: &[Given] = &[
        (0, &[(0, 1.0)], 0.0, &[]),
        (1, &[(0, 1.0)], 0.0, &[]),
        (2, &[(0, 1.0)], 0.0, &[]),
        (2, &[(1, 1.0)], 0.0, &[]),
    ];
    model(3, &[], pairs)
}

const HOME: [bool; 3] = [true, false, false];
const ALL: [bool; 3] = [true; 3];

#[test]
fn a_way_back_is_as_long_as_its_steps_are_cheap() {
    let weighted = [0.0, -1.0, -5.0, -1.0];
    let asked =
        |gain: f64| Asked { visited: &HOME, wanted: &ALL, weighted: &weighted, gain, bias: &[0.0; 3] };
    // −5 at once or −1 − 1 by state 1.
    assert_eq!(asked(0.0).actions(&detour(), None), [NONE, 1, 3]);
    // Each step also misses the gain: −5 − 4 or −1 − 4 − 1 − 4.
    assert_eq!(asked(4.0).actions(&detour(), None), [NONE, 1, 2]);
    // −5 − 3 and −2 − 2 · 3 are equal: the way of the fewest transitions stays.
    assert_eq!(asked(3.0).actions(&detour(), None), [NONE, 1, 2]);
}

#[test]
fn the_visited_state_of_the_better_bias_is_returned_to() {
    let weighted = [0.0, 0.0, 0.0, -3.0];
    let asked = |bias: f64| {
        let (visited, bias) = ([true, true, false], [0.0, bias, 0.0]);
        let asked = Asked { visited: &visited, wanted: &ALL, weighted: &weighted, gain: 1.0, bias: &bias };
        asked.actions(&detour(), None)
    };
    // To state 0 for 0, to state 1 for a bias less 3.
    assert_eq!((asked(10.0), asked(2.0)), (vec![NONE, NONE, 3], vec![NONE, NONE, 2]));
}

#[test]
fn a_better_bias_is_worth_a_longer_way() {
    // From 3 to state 0 at once for a bias of 0, or by 2 to state 1 for a bias of 10 less 3; each step misses a gain of 1:
    // −1 or 7 − 2.
    let pairs: &[Given] = &[
        (0, &[(0, 1.0)], 0.0, &[]),
        (1, &[(1, 1.0)], 0.0, &[]),
        (2, &[(1, 1.0)], 0.0, &[]),
        (3, &[(0, 1.0)], 0.0, &[]),
        (3, &[(2, 1.0)], 0.0, &[]),
    ];
    let (visited, weighted) = ([true, true, false, false], [0.0, 0.0, -3.0, 0.0, 0.0]);
    let actions = |bias: f64| {
        let bias = [0.0, bias, 0.0, 0.0];
        let asked =
            Asked { visited: &visited, wanted: &[true; 4], weighted: &weighted, gain: 1.0, bias: &bias };
        asked.actions(&model(4, &[], pairs), None)
    };
    assert_eq!((actions(10.0), actions(3.5)), (vec![NONE, NONE, 2, 4], vec![NONE, NONE, 2, 3]));
}

#[test]
fn the_bias_of_states_to_be_found_does_not_count() {
    // What stands in the bias of states 1 and 2 is not a bias at these prices.
    let weighted = [0.0, -1.0, -5.0, -1.0];
    let asked =
        Asked { visited: &HOME, wanted: &ALL, weighted: &weighted, gain: 4.0, bias: &[0.0, 99.0, 77.0] };
    assert_eq!(asked.actions(&detour(), None), [NONE, 1, 2]);
}

#[test]
fn states_that_are_not_wanted_are_left_alone_and_not_gone_through() {
    let weighted = [0.0, -1.0, -5.0, -1.0];
    let wanted = [false, false, true];
    let asked = Asked { visited: &HOME, wanted: &wanted, weighted: &weighted, gain: 0.0, bias: &[0.0; 3] };
    assert_eq!(asked.actions(&detour(), None), [NONE, NONE, 2]);
    let everything = Asked { visited: &ALL, ..asked };
    assert_eq!(everything.actions(&detour(), None), [NONE; 3]);
}

/// From 1: back or into the trap 2 with a half each (pair 1); back with an eighth (pair 2).
fn trap() -> Cmdp {
    let pairs: &[Given] = &[
        (0, &[(0, 1.0)], 0.0, &[]),
        (1, &[(0, 0.5), (2, 0.5)], 0.0, &[]),
        (1, &[(0, 0.125), (1, 0.875)], 0.0, &[]),
        (2, &[(2, 1.0)], 0.0, &[]),
    ];
    model(3, &[], pairs)
}

#[test]
fn a_gamble_with_a_trap_is_not_taken_however_much_it_brings() {
    let weighted = [0.0, 100.0, -1.0, 0.0];
    let asked = Asked { visited: &HOME, wanted: &ALL, weighted: &weighted, gain: 0.0, bias: &[0.0; 3] };
    assert_eq!(asked.actions(&trap(), None), [NONE, 2, NONE]);
}

#[test]
fn a_state_that_may_be_trapped_and_those_before_it_cannot_return_for_sure() {
    // 2 leads to 1, which leads back or into the trap 3.
    let pairs: &[Given] = &[
        (0, &[(0, 1.0)], 0.0, &[]),
        (1, &[(0, 1.0 - 1e-12), (3, 1e-12)], 0.0, &[]),
        (2, &[(1, 1.0)], 0.0, &[]),
        (3, &[(3, 1.0)], 0.0, &[]),
    ];
    let (visited, weighted) = ([true, false, false, false], [-1.0; 4]);
    let asked =
        Asked { visited: &visited, wanted: &[true; 4], weighted: &weighted, gain: 0.0, bias: &[0.0; 4] };
    assert_eq!(asked.actions(&model(4, &[], pairs), None), [NONE; 4]);
}

/// From 1: stand still (pair 1), or go back (pair 2).
fn threshold() -> Cmdp {
    let pairs: &[Given] =
        &[(0, &[(0, 1.0)], 0.0, &[]), (1, &[(1, 1.0)], 0.0, &[]), (1, &[(0, 1.0)], 0.0, &[])];
    model(2, &[], pairs)
}

#[test]
fn nobody_stands_still_for_ever() {
    // Standing still is worth w − g in each step: less than nothing, nothing, or more than any way back; this last one
    // has no best way, and the shortest is taken.
    for still in [0.5, 1.0, 2.0] {
        let (visited, weighted) = ([true, false], [1.0, still, -7.0]);
        let asked =
            Asked { visited: &visited, wanted: &[true; 2], weighted: &weighted, gain: 1.0, bias: &[0.0; 2] };
        assert_eq!(asked.actions(&threshold(), None), [NONE, 2], "{still} for standing still");
    }
}

#[test]
fn a_door_that_hardly_ever_opens_is_a_way_back() {
    // Each try costs 1: a sure way for 10 is better than 1e12 tries, and 1e12 tries are better than nothing.
    let door: &[(usize, f64)] = &[(0, 1e-12), (1, 1.0 - 1e-12)];
    let both: &[Given] = &[(0, &[(0, 1.0)], 0.0, &[]), (1, door, 0.0, &[]), (1, &[(0, 1.0)], 0.0, &[])];
    let (visited, weighted) = ([true, false], [0.0, -1.0, -10.0]);
    let asked =
        Asked { visited: &visited, wanted: &[true; 2], weighted: &weighted, gain: 0.0, bias: &[0.0; 2] };
    assert_eq!(asked.actions(&model(2, &[], both), None), [NONE, 2]);
    assert_eq!(asked.actions(&model(2, &[], &both[..2]), None), [NONE, 1]);
}

#[test]
fn a_radius_opens_a_way_back() {
    // State 1 stays where it is, but for the radius of its pair.
    let pairs: &[Given] = &[(0, &[(0, 1.0)], 0.0, &[]), (1, &[(1, 1.0)], 0.0, &[])];
    let (visited, weighted) = ([true, false], [0.0, -1.0]);
    let asked =
        Asked { visited: &visited, wanted: &[true; 2], weighted: &weighted, gain: 0.0, bias: &[0.0; 2] };
    assert_eq!(asked.actions(&model(2, &[], pairs), Some(&[0.0, 0.25])), [NONE, 1]);
    assert_eq!(asked.actions(&model(2, &[], pairs), Some(&[0.25, 0.0])), [NONE, NONE]);
}

#[test]
fn whoever_may_be_trapped_on_the_way_does_not_return_nor_do_those_who_need_him() {
    // 1 goes back or into the trap 2, and 4 can only go to 1; 3 may do without.
    let pairs: &[Given] = &[
        (0, &[(0, 1.0)], 0.0, &[]),
        (1, &[(0, 0.5), (2, 0.5)], 0.0, &[]),
        (2, &[(2, 1.0)], 0.0, &[]),
        (3, &[(1, 1.0)], 0.0, &[]),
        (3, &[(0, 0.5), (3, 0.5)], 0.0, &[]),
        (4, &[(1, 1.0)], 0.0, &[]),
        (5, &[(3, 0.5), (4, 0.5)], 0.0, &[]),
        (5, &[(3, 1.0)], 0.0, &[]),
    ];
    let model = model(6, &[], pairs);
    let (visited, wanted) =
        ([true, false, false, false, false, false], [false, true, true, true, true, true]);
    let asked =
        Asked { visited: &visited, wanted: &wanted, weighted: &[-1.0; 8], gain: 0.0, bias: &[0.0; 6] };
    assert_eq!(asked.actions(&model, None), [NONE, NONE, NONE, 4, NONE, 7]);
}
