//! The families of delicate models are what they say they are, and can be dumped for other solvers.

use crate::families::{
    CATALOGUE, Leaving, Wild, filter_lock, philosophers, risky_map, round_robin, tied_torus, token_ring,
};
use crate::reached::{reached, reaches_all};
use occupancy::model::{Cmdp, drn};
use std::path::Path;

fn size(model: &Cmdp) -> (usize, usize) {
    (model.states(), model.pairs())
}

fn is_deterministic(model: &Cmdp) -> bool {
    (0..model.pairs()).all(|pair| model.kernel().row(pair).iter().count() == 1)
}

/// The states that no action leaves.
fn never_left(model: &Cmdp) -> usize {
    let stays = |state: usize, pair: usize| model.kernel().row(pair).iter().all(|(next, _)| next == state);
    (0..model.states()).filter(|&state| model.pairs_of(state).all(|pair| stays(state, pair))).count()
}

#[test]
fn philosophers_have_the_states_of_the_protocol() {
    // PRISM's model of the same protocol has as many states.
    assert_eq!(size(&philosophers(3, None)), (956, 3342));
    let timed = philosophers(3, Some(2));
    assert_eq!(size(&timed), (21_648, 56_944));
    assert!(reaches_all(&timed));
}

#[test]
fn a_lock_is_deterministic_and_ends_if_processes_leave() {
    for leaving in [Leaving::Never, Leaving::AtRest, Leaving::Anywhere] {
        assert!(is_deterministic(&filter_lock(3, leaving)));
    }
    let [never, at_rest, crashing] = [Leaving::Never, Leaving::AtRest, Leaving::Anywhere]
        .map(|leaving| never_left(&filter_lock(3, leaving)));
    // All have left, with one of three victims at the second level; crashed ones hold others up in many ways.
    assert_eq!((never, at_rest, crashing), (0, 3, 129));
    // About as many states and pairs as PRISM's `mutual` with three processes, 2368 and 8268.
    assert_eq!(filter_lock(3, Leaving::Anywhere).states(), 2847);
}

#[test]
fn schedulers_and_tori_tie_everywhere() {
    let jobs = round_robin(4, 6);
    assert_eq!(size(&jobs), (1296, 4 * 1296));
    let torus = tied_torus(15);
    for model in [&jobs, &torus] {
        assert!(is_deterministic(model) && reaches_all(model));
    }
    let rewarded = torus.signals().reward().iter().filter(|&&reward| reward == 1.0).count();
    assert_eq!((size(&torus), rewarded), ((225, 900), 900 / 5));
    let passing = token_ring(4, 3);
    assert_eq!(size(&passing), (4 * 256, 4 * 256 + 4 * 192));
}

#[test]
fn maps_are_deterministic_and_lead_to_their_goal() {
    for seed in 0..10 {
        let map = risky_map(40, 30, seed);
        let seen = reached(&map).into_iter().filter(|&seen| seen).count();
        assert!(
            is_deterministic(&map) && (1_030..=1_130).contains(&map.states()),
            "{seed}: {:?}",
            size(&map)
        );
        assert!(seen > 1_000, "{seed}: {seen} of {}", map.states());
    }
}

#[test]
fn wild_models_have_the_features_that_are_chosen() {
    let plain = Wild { states: 1000, ..Wild::plain(1) };
    assert_eq!(never_left(&plain.model()), 0);
    assert!(!is_deterministic(&plain.model()));
    assert!(is_deterministic(&Wild { deterministic: true, ..plain.clone() }.model()));
    assert!(never_left(&Wild { absorbing: 40, ..plain.clone() }.model()) >= 40);
    let hidden = Wild { unreachable: 100, ..plain.clone() };
    assert!(reached(&hidden.model())[..100].iter().all(|&seen| !seen));
    let model = Wild { period: 7, ..plain.clone() }.model();
    for pair in 0..model.pairs() {
        let class = (model.state_of(pair) + 1) % 7;
        assert!(model.kernel().row(pair).iter().all(|(next, _)| next % 7 == class));
    }
    let model = Wild { components: 20, ..plain }.model();
    let leads_back =
        |pair: usize| model.kernel().row(pair).iter().any(|(next, _)| next / 50 < model.state_of(pair) / 50);
    assert!(!(0..model.pairs()).any(leads_back));
}

#[test]
fn every_member_of_the_catalogue_is_built_and_named_once() {
    let mut names: Vec<&str> = CATALOGUE.iter().map(|member| member.name).collect();
    for member in CATALOGUE {
        let model = (member.build)();
        assert!(model.costs() > 0 && model.states() < 30_000, "{}: {:?}", member.name, size(&model));
        assert_eq!(model.start().len(), 1, "{}: DRN has one start", member.name);
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), CATALOGUE.len());
}

/// Writes the catalogue to `target/families/*.drn`, for solvers that read Storm's format.
#[test]
#[ignore = "writes files for other solvers"]
fn dump_the_catalogue() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/families");
    std::fs::create_dir_all(&folder).unwrap();
    for member in CATALOGUE {
        let file = folder.join(format!("{}.drn", member.name));
        std::fs::write(&file, drn::to_string(&(member.build)())).unwrap();
    }
    println!("{} models in {}", CATALOGUE.len(), folder.canonicalize().unwrap().display());
}
