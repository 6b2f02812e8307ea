//! Rows within a radius of three or four probabilities, filled by hand from the best successor down.

use super::*;
use crate::plan::fixture::{self, assert_near};

/// State 0 leads to 0, 1 and 2 with a half, a quarter and a quarter; all others stay where they are.
fn model() -> Cmdp {
    let spread: &[(usize, f64)] = &[(0, 0.5), (1, 0.25), (2, 0.25)];
    let stay = |state: usize| [(state, 1.0)];
    let (one, two, three) = (stay(1), stay(2), stay(3));
    fixture::model(
        4,
        &[],
        &[(0, spread, 0.0, &[]), (1, &one, 0.0, &[]), (2, &two, 0.0, &[]), (3, &three, 0.0, &[])],
    )
}

/// The best row of pair 0 for these values, and what it is worth; states in descending order of value.
fn best(radius: f64, h: &[f64], order: &[u32]) -> (Vec<(u32, f64)>, f64) {
    let (model, radii) = (model(), [radius, 0.0, 0.0, 0.0]);
    let choices = Choices { model: &model, radii: Some(Radii::Box(&radii)) };
    let (mut row, mut scratch) = (vec![(9, 9.0)], vec![0.0; 4]);
    let value = choices.best_row(0, h, &order.to_vec(), &mut row, &mut scratch);
    assert_eq!(scratch, [0.0; 4], "the next row starts from nothing");
    row.sort_by_key(|entry| entry.0);
    (row, value)
}

#[test]
fn mass_goes_to_the_best_successor_up_to_its_upper_end_and_then_to_the_next() {
    // Lower ends (3/8, 1/8, 1/8, 0), 3/8 to give away: 1/8 to state 3, 1/4 to state 2, which are their upper ends.
    let (row, value) = best(0.125, &[0.0, 1.0, 2.0, 4.0], &[3, 2, 1, 0]);
    assert_eq!(row, [(0, 0.375), (1, 0.125), (2, 0.375), (3, 0.125)]);
    assert_eq!(value, 0.125 + 2.0 * 0.375 + 4.0 * 0.125);
}

#[test]
fn the_rest_of_the_mass_may_end_within_a_successors_interval() {
    // Lower ends (1/4, 0, 0), 3/4 to give away: 1/4 to state 3, 1/2 to state 1; state 2 gets nothing.
    let (row, value) = best(0.25, &[0.0, 2.0, 1.0, 8.0], &[3, 1, 2, 0]);
    assert_eq!((row, value), (vec![(0, 0.25), (1, 0.5), (3, 0.25)], 3.0));
}

#[test]
fn a_radius_of_one_gives_all_mass_to_the_best_state() {
    assert_eq!(best(1.0, &[0.0, 0.0, 0.0, 7.0], &[3, 0, 1, 2]), (vec![(3, 1.0)], 7.0));
    assert_eq!(best(5.0, &[0.0, 3.0, 0.0, 0.0], &[1, 0, 2, 3]), (vec![(1, 1.0)], 3.0));
}

#[test]
fn states_that_are_left_out_of_the_order_get_no_more_than_their_lower_end() {
    // The component is {0, 1, 2}: state 3, however good, is not for it. Lower ends (3/8, 1/8, 1/8), 3/8 to give away.
    let (row, value) = best(0.125, &[1.0, 0.0, 2.0, 100.0], &[2, 0, 1]);
    assert_eq!(row, [(0, 0.5), (1, 0.125), (2, 0.375)]);
    assert_eq!(value, 1.25);
}

#[test]
fn a_tiny_radius_moves_a_tiny_share() {
    let (row, value) = best(1e-12, &[0.0, 0.0, 0.0, 1.0], &[3, 0, 1, 2]);
    assert!((row[3].1 - 1e-12).abs() < 1e-16 && (value - 1e-12).abs() < 1e-16, "{row:?}");
    assert_near(row.iter().map(|entry| entry.1).sum(), 1.0);
    // Two lower ends are given up, and what state 3 has no room for goes to state 0.
    let low = 0.25 - 1e-12;
    assert!((row[0].1 - (0.5 + 1e-12)).abs() < 1e-15 && row[1].1 == row[2].1, "{row:?}");
    assert!((row[1].1 - low).abs() < 1e-15, "{row:?}");
}

#[test]
fn without_radii_the_rows_are_those_of_the_model() {
    let (model, mut seen) = (model(), Vec::new());
    let choices = fixture::plain(&model);
    choices.successors(0, |state| seen.push(state));
    assert_eq!(seen, [0, 1, 2]);
    assert!(!choices.is_free(0) && choices.radius(0) == 0.0);
    assert!(!choices.connects_all() && !choices.always_unichain());
    let can_stay =
        |pair: usize, most: usize| choices.can_stay(pair, model.kernel().all_rows(), |s| s <= most);
    assert!(can_stay(0, 2) && !can_stay(0, 1) && can_stay(1, 1) && !can_stay(1, 0));
}

#[test]
fn a_radius_leads_everywhere() {
    let (model, mut seen) = (model(), Vec::new());
    let choices = Choices { model: &model, radii: Some(Radii::Box(&[1e-12, 0.0, 0.0, 0.0])) };
    choices.successors(0, |state| seen.push(state));
    assert_eq!(seen, [0, 1, 2, 3]);
    assert!(choices.is_free(0) && !choices.is_free(1));
    assert!(!choices.connects_all());
    let all = Choices { radii: Some(Radii::Box(&[0.1; 4])), ..choices };
    assert!(all.connects_all() && !all.always_unichain(), "a row that is chosen may still leave states out");
}

#[test]
fn a_positive_kernel_makes_every_policy_one_class() {
    let model = fixture::model(
        2,
        &[],
        &[(0, &[(0, 0.5), (1, 0.5)], 0.0, &[]), (1, &[(0, 1e-12), (1, 1.0 - 1e-12)], 0.0, &[])],
    );
    let choices = fixture::plain(&model);
    assert!(choices.connects_all() && choices.always_unichain());
}

#[test]
fn a_pair_can_stay_if_it_need_not_leave_and_there_is_room_inside() {
    let model = model();
    let stays = |radius: f64, inside: &[usize]| {
        let radii = [radius, 0.0, 0.0, 0.0];
        Choices { model: &model, radii: Some(Radii::Box(&radii)) }.can_stay(
            0,
            model.kernel().all_rows(),
            |state| inside.contains(&state),
        )
    };
    // The quarters outside can be given up, but a half and a quarter of room are not enough for all mass.
    assert!(!stays(0.25, &[0]));
    // A quarter more in state 3, which the row does not name, or in state 1 is.
    assert!(stays(0.25, &[0, 3]) && stays(0.25, &[0, 1]));
    // A half is room enough in state 0 alone; a radius below a quarter has to leave.
    assert!(stays(0.5, &[0]) && !stays(0.2, &[0, 3]));
    // Outside state 0 a half cannot be given up.
    assert!(!stays(0.4, &[1, 2, 3]) && stays(0.5, &[1, 2]));
}

/// The best row of pair 0 within a ball, and what it is worth; states in descending order of value.
fn best_of_ball(radius: f64, h: &[f64], order: &[u32]) -> (Vec<(u32, f64)>, f64) {
    let (model, radii) = (model(), [radius, 0.0, 0.0, 0.0]);
    let choices = Choices { model: &model, radii: Some(Radii::L1(&radii)) };
    let (mut row, mut scratch) = (vec![(9, 9.0)], vec![0.0; 4]);
    let value = choices.best_row(0, h, &order.to_vec(), &mut row, &mut scratch);
    assert_eq!(scratch, [0.0; 4], "the next row starts from nothing");
    row.sort_by_key(|entry| entry.0);
    (row, value)
}

#[test]
fn a_ball_moves_half_of_its_radius_from_the_worst_states_to_the_best() {
    let h = [0.0, 1.0, 2.0, 4.0];
    let (row, value) = best_of_ball(0.5, &h, &[3, 2, 1, 0]);
    assert_eq!((row, value), (vec![(0, 0.25), (1, 0.25), (2, 0.25), (3, 0.25)], 1.75));
    assert_eq!(best_of_ball(2.0, &h, &[3, 2, 1, 0]), (vec![(3, 1.0)], 4.0));
    // The best state has a row of its own already, and half of the mass is all that there is to move.
    assert_eq!(best_of_ball(1.5, &[4.0, 1.0, 2.0, 0.0], &[0, 2, 1, 3]).0, [(0, 1.0)]);
}

#[test]
fn a_ball_leaves_a_component_before_anything_else() {
    // The component is {0, 1}: the quarter that leads to 2 has to come back, and an eighth more moves from 0 to 1.
    let (row, _) = best_of_ball(0.75, &[0.0, 1.0, 9.0, 9.0], &[1, 0]);
    assert_eq!(row, [(0, 0.375), (1, 0.625)]);
    let (model, radii) = (model(), [0.75, 0.0, 0.0, 0.0]);
    let choices = Choices { model: &model, radii: Some(Radii::L1(&radii)) };
    let can_stay =
        |inside: &[usize]| choices.can_stay(0, model.kernel().all_rows(), |state| inside.contains(&state));
    assert!(can_stay(&[0, 1]) && !can_stay(&[2]));
    assert_eq!((choices.greatest_chance(0, 0.25, 3), choices.greatest_chance(0, 0.0, 0)), (0.625, 0.0));
}
