//! End components of models with one to five states.

use super::*;
use crate::model::CmdpBuilder;
use crate::plan::fixture::{model, plain};
use crate::plan::response::choices::Radii;

/// 0 may stay, or gamble on the cycle {1, 2} and the trap 3; 4 leads to 0 at once.
fn five_states() -> crate::model::Cmdp {
    let mut model = CmdpBuilder::new(5, &[]);
    model.pair(0, &[(0, 1.0)], 0.0, &[]).pair(0, &[(1, 0.5), (3, 0.5)], 0.0, &[]);
    model.pair(1, &[(2, 1.0)], 0.0, &[]).pair(1, &[(3, 1.0)], 0.0, &[]);
    model.pair(2, &[(1, 1.0)], 0.0, &[]);
    model.pair(3, &[(3, 1.0)], 0.0, &[]);
    model.pair(4, &[(0, 1.0)], 0.0, &[]);
    model.build().unwrap()
}

fn decompose(choices: &Choices) -> EndComponents {
    let mut found = EndComponents::default();
    end_components(choices, &[true; 5], &mut found);
    found
}

#[test]
fn components_and_the_pairs_inside_them_are_found() {
    let model = five_states();
    let found = decompose(&Choices { model: &model, radii: None });
    assert_eq!(found.members, [vec![0], vec![1, 2], vec![3]]);
    assert_eq!(found.of, [0, 1, 1, 2, TRANSIENT]);
    assert_eq!(found.inside, [true, false, true, false, true, true, false]);
}

#[test]
fn a_radius_lets_a_pair_stay_or_leave() {
    let model = five_states();
    let radii = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let found = decompose(&Choices { model: &model, radii: Some(Radii::Box(&radii)) });
    // The trap can now lead anywhere, so that 0, 1, 2 and 3 communicate through it; 4 can also be reached.
    assert_eq!(found.members.len(), 1);
    assert_eq!(found.members[0].len(), 5);
}

/// The components of all states of a model, as it is.
fn of(model: &crate::model::Cmdp) -> EndComponents {
    let mut found = EndComponents::default();
    end_components(&plain(model), &vec![true; model.states()], &mut found);
    found
}

#[test]
fn a_state_that_stays_for_ever_is_a_component() {
    let found = of(&model(1, &[], &[(0, &[(0, 1.0)], 0.0, &[])]));
    assert_eq!((found.members, found.of, found.inside), (vec![vec![0]], vec![0], vec![true]));
}

#[test]
fn a_cycle_is_a_component_whatever_its_period() {
    let found = of(&model(
        3,
        &[],
        &[(0, &[(1, 1.0)], 0.0, &[]), (1, &[(2, 1.0)], 0.0, &[]), (2, &[(0, 1.0)], 0.0, &[])],
    ));
    assert_eq!((found.members, found.inside), (vec![vec![0, 1, 2]], vec![true; 3]));
}

#[test]
fn a_pair_that_leaves_once_in_a_trillion_steps_leaves() {
    let found =
        of(&model(2, &[], &[(0, &[(0, 1.0 - 1e-12), (1, 1e-12)], 0.0, &[]), (1, &[(1, 1.0)], 0.0, &[])]));
    assert_eq!((found.members, found.of), (vec![vec![1]], vec![TRANSIENT, 0]));
    assert_eq!(found.inside, [false, true]);
}

#[test]
fn a_pair_that_drops_out_takes_those_along_that_leaned_on_it() {
    // 0 and 1 lead to each other, but 0 may end in 2 each time: neither can be kept.
    let found = of(&model(
        3,
        &[],
        &[(0, &[(1, 0.5), (2, 0.5)], 0.0, &[]), (1, &[(0, 1.0)], 0.0, &[]), (2, &[(2, 1.0)], 0.0, &[])],
    ));
    assert_eq!((found.members, found.of), (vec![vec![2]], vec![TRANSIENT, TRANSIENT, 0]));
    assert_eq!(found.inside, [false, false, true]);
}

#[test]
fn a_link_back_joins_two_components() {
    // As the rooms of the fixture; without pair 3 they are two.
    assert_eq!(of(&crate::plan::fixture::rooms()).members, [vec![0, 1]]);
    let one_way: &[crate::plan::fixture::Given] =
        &[(0, &[(0, 1.0)], 1.0, &[]), (0, &[(1, 1.0)], 0.0, &[]), (1, &[(1, 1.0)], 2.0, &[])];
    let found = of(&model(2, &[], one_way));
    assert_eq!((found.members, found.inside), (vec![vec![0], vec![1]], vec![true, false, true]));
}

#[test]
fn states_that_are_not_looked_at_have_no_component() {
    let (five, mut found) = (five_states(), EndComponents::default());
    end_components(&plain(&five), &[false, true, true, true, false], &mut found);
    assert_eq!(found.members, [vec![1, 2], vec![3]]);
    assert_eq!(found.of, [TRANSIENT, 0, 0, 1, TRANSIENT]);
    assert_eq!(found.inside, [false, false, true, false, true, true, false]);
}

#[test]
fn a_positive_kernel_is_one_component_in_the_vectors_of_a_larger_model() {
    let mut found = decompose(&plain(&five_states()));
    let half: &[(usize, f64)] = &[(0, 0.5), (1, 0.5)];
    let two = model(2, &[], &[(0, half, 0.0, &[]), (1, half, 0.0, &[]), (1, half, 0.0, &[])]);
    end_components(&plain(&two), &[true; 2], &mut found);
    assert_eq!((found.members, found.of, found.inside), (vec![vec![0, 1]], vec![0, 0], vec![true; 3]));
}

#[test]
fn a_radius_of_a_half_keeps_what_is_left_with_probability_a_half() {
    let model = model(2, &[], &[(0, &[(0, 0.5), (1, 0.5)], 0.0, &[]), (1, &[(1, 1.0)], 0.0, &[])]);
    let members = |radius: f64| {
        let (radii, mut found) = ([radius, 0.0], EndComponents::default());
        end_components(&Choices { model: &model, radii: Some(Radii::Box(&radii)) }, &[true; 2], &mut found);
        found.members
    };
    assert_eq!(members(0.5), [vec![0], vec![1]]);
    assert_eq!(members(0.25), [vec![1]]);
}
