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
    assert_eq!(found.members.lists(), [vec![0], vec![1, 2], vec![3]]);
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
    assert_eq!((found.members.lists(), found.of, found.inside), (vec![vec![0]], vec![0], vec![true]));
}

#[test]
fn a_cycle_is_a_component_whatever_its_period() {
    let found = of(&model(
        3,
        &[],
        &[(0, &[(1, 1.0)], 0.0, &[]), (1, &[(2, 1.0)], 0.0, &[]), (2, &[(0, 1.0)], 0.0, &[])],
    ));
    assert_eq!((found.members.lists(), found.inside), (vec![vec![0, 1, 2]], vec![true; 3]));
}

#[test]
fn a_pair_that_leaves_once_in_a_trillion_steps_leaves() {
    let found =
        of(&model(2, &[], &[(0, &[(0, 1.0 - 1e-12), (1, 1e-12)], 0.0, &[]), (1, &[(1, 1.0)], 0.0, &[])]));
    assert_eq!((found.members.lists(), found.of), (vec![vec![1]], vec![TRANSIENT, 0]));
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
    assert_eq!((found.members.lists(), found.of), (vec![vec![2]], vec![TRANSIENT, TRANSIENT, 0]));
    assert_eq!(found.inside, [false, false, true]);
}

#[test]
fn a_link_back_joins_two_components() {
    // As the rooms of the fixture; without pair 3 they are two.
    assert_eq!(of(&crate::plan::fixture::rooms()).members.lists(), [vec![0, 1]]);
    let one_way: &[crate::plan::fixture::Given] =
        &[(0, &[(0, 1.0)], 1.0, &[]), (0, &[(1, 1.0)], 0.0, &[]), (1, &[(1, 1.0)], 2.0, &[])];
    let found = of(&model(2, &[], one_way));
    assert_eq!((found.members.lists(), found.inside), (vec![vec![0], vec![1]], vec![true, false, true]));
}

#[test]
fn states_that_are_not_looked_at_have_no_component() {
    let (five, mut found) = (five_states(), EndComponents::default());
    end_components(&plain(&five), &[false, true, true, true, false], &mut found);
    assert_eq!(found.members.lists(), [vec![1, 2], vec![3]]);
    assert_eq!(found.of, [TRANSIENT, 0, 0, 1, TRANSIENT]);
    assert_eq!(found.inside, [false, false, true, false, true, true, false]);
}

#[test]
fn a_positive_kernel_is_one_component_in_the_vectors_of_a_larger_model() {
    let mut found = decompose(&plain(&five_states()));
    let half: &[(usize, f64)] = &[(0, 0.5), (1, 0.5)];
    let two = model(2, &[], &[(0, half, 0.0, &[]), (1, half, 0.0, &[]), (1, half, 0.0, &[])]);
    end_components(&plain(&two), &[true; 2], &mut found);
    assert_eq!(
        (found.members.lists(), found.of, found.inside),
        (vec![vec![0, 1]], vec![0, 0], vec![true; 3])
    );
}

#[test]
fn a_radius_of_a_half_keeps_what_is_left_with_probability_a_half() {
    let model = model(2, &[], &[(0, &[(0, 0.5), (1, 0.5)], 0.0, &[]), (1, &[(1, 1.0)], 0.0, &[])]);
    let members = |radius: f64| {
        let (radii, mut found) = ([radius, 0.0], EndComponents::default());
        end_components(&Choices { model: &model, radii: Some(Radii::Box(&radii)) }, &[true; 2], &mut found);
        found.members.lists()
    };
    assert_eq!(members(0.5), [vec![0], vec![1]]);
    assert_eq!(members(0.25), [vec![1]]);
}

/// The part of every state and the pairs that stay, by the definition: in passes over all states, with what can be reached from
/// each, until no pair is dropped. Parts are called by their first state.
fn by_passes(model: &crate::model::Cmdp) -> (Vec<u32>, Vec<bool>) {
    let states = model.states();
    let mut inside = vec![true; model.pairs()];
    loop {
        let mut reaches = vec![vec![false; states]; states];
        for (state, reached) in reaches.iter_mut().enumerate() {
            let mut waiting = vec![state];
            while let Some(from) = waiting.pop() {
                if !std::mem::replace(&mut reached[from], true) {
                    let pairs = model.pairs_of(from).filter(|&pair| inside[pair]);
                    waiting
                        .extend(pairs.flat_map(|pair| model.kernel().row(pair).iter()).map(|(next, _)| next));
                }
            }
        }
        let both = |a: usize, b: usize| reaches[a][b] && reaches[b][a];
        let leaves = |pair: &usize| {
            let mut row = model.kernel().row(*pair).iter();
            inside[*pair] && row.any(|(next, _)| !both(model.state_of(*pair), next))
        };
        let dropped: Vec<usize> = (0..model.pairs()).filter(leaves).collect();
        if dropped.is_empty() {
            let stays = |state: usize| model.pairs_of(state).any(|pair| inside[pair]);
            let first = |state: usize| (0..states).find(|&s| both(s, state)).unwrap_or(state) as u32;
            let of = (0..states).map(|s| if stays(s) { first(s) } else { TRANSIENT }).collect();
            return (of, inside);
        }
        dropped.into_iter().for_each(|pair| inside[pair] = false);
    }
}

#[test]
fn looking_again_at_what_lost_pairs_finds_what_passes_over_all_states_find() {
    let mut seed = 1u64;
    let mut below = |n: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n
    };
    let mut several = 0;
    for _ in 0..300 {
        let mut builder = CmdpBuilder::new(9, &[]);
        for state in 0..9 {
            for _ in 0..=below(2) {
                let (near, far) = ((state + below(3)) % 9, below(9));
                let alone = near == far || below(3) == 0;
                let row: &[(usize, f64)] = if alone { &[(near, 1.0)] } else { &[(near, 0.5), (far, 0.5)] };
                builder.pair(state, row, 0.0, &[]);
            }
        }
        let model = builder.build().unwrap();
        let found = of(&model);
        let (expected, inside) = by_passes(&model);
        let first = |&part: &u32| if part == TRANSIENT { part } else { found.members[part as usize][0] };
        assert_eq!(found.of.iter().map(first).collect::<Vec<u32>>(), expected, "{model:?}");
        assert_eq!(found.inside, inside, "{model:?}");
        several += usize::from(found.members.len() > 2);
    }
    assert!(several > 50, "{several} of the models have several components");
}

#[test]
fn a_row_of_states_falls_apart_from_its_end() {
    // Each of ten states may stay, or risk to go on or back; the last one stays, so that whoever leads there is lost, and so on.
    let mut builder = CmdpBuilder::new(10, &[]);
    for state in 0..9usize {
        builder.pair(state, &[(state, 1.0)], 0.0, &[]);
        builder.pair(state, &[(state.saturating_sub(1), 0.5), (state + 1, 0.5)], 0.0, &[]);
    }
    builder.pair(9, &[(9, 1.0)], 0.0, &[]);
    let found = of(&builder.build().unwrap());
    assert_eq!(found.of, (0..10).collect::<Vec<u32>>());
    assert_eq!(found.inside, (0..19).map(|pair| pair % 2 == 0).collect::<Vec<_>>());
}
