//! Quickest ways on models of one to four states, with their expected times.

use super::*;
use crate::model::CmdpBuilder;

#[test]
fn a_detour_that_is_quicker_on_average_is_taken() {
    let mut model = CmdpBuilder::new(4, &[]);
    // From 0 straight ahead takes 4 steps on average, through 1 it takes 2; 3 never arrives.
    model.pair(0, &[(0, 0.75), (2, 0.25)], 0.0, &[]).pair(0, &[(1, 1.0)], 9.0, &[]);
    model.pair(1, &[(2, 1.0)], 0.0, &[]).pair(2, &[(0, 1.0)], 0.0, &[]);
    model.pair(3, &[(3, 1.0)], 0.0, &[]).pair(3, &[(3, 0.5), (0, 0.5)], 0.0, &[]);
    let model = model.build().unwrap();
    assert_eq!(quickest_way(&model, 2).probabilities(), [0.0, 1.0, 1.0, 1.0, 0.0, 1.0]);
    assert_eq!(quickest_way(&model, 3).probabilities(), [0.5, 0.5, 1.0, 1.0, 0.5, 0.5]);
}

#[test]
fn a_corridor_is_walked_towards_the_target_from_both_sides() {
    // Pair 2 s goes left from s, pair 2 s + 1 right; the target takes both.
    let mut model = CmdpBuilder::new(3, &[]);
    for state in 0..3_usize {
        model.pair(state, &[(state.saturating_sub(1), 1.0)], 0.0, &[]);
        model.pair(state, &[((state + 1).min(2), 1.0)], 0.0, &[]);
    }
    let model = model.build().unwrap();
    assert_eq!(quickest_way(&model, 1).probabilities(), [0.0, 1.0, 0.5, 0.5, 1.0, 0.0]);
    assert_eq!(quickest_way(&model, 0).probabilities(), [0.5, 0.5, 1.0, 0.0, 1.0, 0.0]);
}

#[test]
fn a_single_state_is_there_already() {
    let mut model = CmdpBuilder::new(1, &[]);
    model.pair(0, &[(0, 1.0)], 3.0, &[]).pair(0, &[(0, 1.0)], 4.0, &[]);
    assert_eq!(quickest_way(&model.build().unwrap(), 0).probabilities(), [0.5, 0.5]);
}

#[test]
fn rewards_do_not_count_and_certainty_comes_before_speed() {
    // From 0 to 2: at once with a half, but then never with the other half; or within 8 steps on average for sure.
    let mut model = CmdpBuilder::new(4, &[]);
    model.pair(0, &[(2, 0.5), (3, 0.5)], 0.0, &[]).pair(0, &[(0, 0.875), (2, 0.125)], -9.0, &[]);
    model.pair(1, &[(2, 0.5), (3, 0.5)], 0.0, &[]).pair(1, &[(3, 1.0)], 5.0, &[]);
    model.pair(2, &[(0, 1.0)], 0.0, &[]).pair(3, &[(3, 1.0)], 0.0, &[]);
    // State 1 may never arrive, whatever it does: it takes all of its actions.
    let model = model.build().unwrap();
    assert_eq!(quickest_way(&model, 2).probabilities(), [0.0, 1.0, 0.5, 0.5, 1.0, 1.0]);
}

#[test]
fn equal_times_leave_the_way_of_the_fewest_transitions() {
    // Straight on with a half takes 2 steps on average, as the way by 1 does.
    let mut model = CmdpBuilder::new(3, &[]);
    model.pair(0, &[(1, 1.0)], 0.0, &[]).pair(0, &[(0, 0.5), (2, 0.5)], 0.0, &[]);
    model.pair(1, &[(2, 1.0)], 0.0, &[]).pair(2, &[(0, 1.0)], 0.0, &[]);
    assert_eq!(quickest_way(&model.build().unwrap(), 2).probabilities(), [0.0, 1.0, 1.0, 1.0]);
}

#[test]
fn a_chance_of_a_trillionth_is_no_way_if_there_is_another() {
    let mut model = CmdpBuilder::new(3, &[]);
    model.pair(0, &[(0, 1.0 - 1e-12), (2, 1e-12)], 0.0, &[]).pair(0, &[(1, 1.0)], 0.0, &[]);
    model.pair(1, &[(2, 1.0)], 0.0, &[]).pair(2, &[(2, 1.0)], 0.0, &[]);
    assert_eq!(quickest_way(&model.build().unwrap(), 2).probabilities(), [0.0, 1.0, 1.0, 1.0]);
}
