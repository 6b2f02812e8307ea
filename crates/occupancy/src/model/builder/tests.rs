//! What the builder makes of pairs in any order, and what it refuses.

use super::*;

/// Two states with two actions each; the second of state 0 has signals by successor.
fn add(model: &mut CmdpBuilder, state: usize, second: bool) {
    let outcome = |next: usize| Outcome { next, probability: 0.5, reward: 1.0, costs: vec![next as f64] };
    match (state, second) {
        (0, false) => model.pair(0, &[(1, 0.5), (0, 0.25), (1, 0.25)], 2.0, &[3.0]).action("stay"),
        (0, true) => model.outcomes(0, &[outcome(1), outcome(0)]),
        (_, false) => model.pair(1, &[(0, 1.0)], 4.0, &[5.0]),
        (_, true) => model.pair(1, &[(1, 1.0)], 6.0, &[7.0]).action("stay"),
    };
}

fn built(order: [(usize, bool); 4]) -> Cmdp {
    let mut model = CmdpBuilder::new(2, &[1.0]);
    order.into_iter().for_each(|(state, second)| add(&mut model, state, second));
    model.build().unwrap()
}

#[test]
fn pairs_out_of_order_make_the_same_model() {
    let sorted = built([(0, false), (0, true), (1, false), (1, true)]);
    for order in [
        [(1, false), (1, true), (0, false), (0, true)],
        [(1, false), (0, false), (1, true), (0, true)],
        [(0, false), (1, false), (0, true), (1, true)],
    ] {
        let model = built(order);
        assert_eq!(model.first_pair, sorted.first_pair);
        assert_eq!((&model.kernel, &model.signals), (&sorted.kernel, &sorted.signals));
        assert_eq!(model.names, sorted.names);
    }
    let names: Vec<String> = (0..4).map(|pair| sorted.action_name(pair)).collect();
    assert_eq!(names, ["stay", "1", "0", "stay"]);
}

#[test]
fn only_signals_that_depend_on_the_successor_are_kept_by_transition() {
    let model = built([(0, false), (0, true), (1, false), (1, true)]);
    let signals = model.signals();
    assert_eq!((signals.reward(), signals.cost(0)), (&[2.0, 1.0, 4.0, 6.0][..], &[3.0, 0.5, 5.0, 7.0][..]));
    let costs = |pair| [0, 1].map(|next| signals.realised(1, pair, next));
    assert_eq!(costs(0), [Some(3.0), Some(3.0)]);
    assert_eq!(costs(1), [Some(0.0), Some(1.0)]);
    assert_eq!(costs(2), [Some(5.0), None]);
    assert_eq!([0, 1].map(|next| signals.realised(0, 2, next)), [Some(4.0), None]);
}

#[test]
fn outcomes_with_equal_signals_keep_them_to_the_last_digit() {
    let mut model = CmdpBuilder::new(3, &[]);
    for state in 0..3 {
        let outcome = |next: usize| Outcome { next, probability: 1.0 / 3.0, reward: 0.1, costs: vec![] };
        model.outcomes(state, &[0, 1, 2].map(outcome));
    }
    let model = model.build().unwrap();
    assert_eq!(model.signals().reward(), [0.1; 3]);
    assert!(!model.signals().depends_on_successor());
}

#[test]
fn the_first_fault_in_the_order_of_states_is_reported() {
    let mut model = CmdpBuilder::new(2, &[1.0]);
    model.pair(1, &[(7, 1.0)], 0.0, &[0.0]).action("far");
    model.pair(0, &[(0, 1.0)], 0.0, &[0.0]);
    model.pair(0, &[(0, 0.5)], 0.0, &[0.0]).action("half");
    model.pair(0, &[(0, 1.0)], 0.0, &[]);
    let error = model.state_names(vec!["a".into(), "b".into()]).build().unwrap_err().to_string();
    assert_eq!(error, "transition row (state a, action half) sums to 0.5, expected 1 within 1e-9");
    let mut model = CmdpBuilder::new(1, &[1.0]);
    model.pair(0, &[(0, 1.0)], 0.0, &[]).pair(1 << 40, &[(0, 2.0)], 0.0, &[0.0]);
    let error = model.build().unwrap_err().to_string();
    assert_eq!(error, "an action is given for state 1099511627776, but the model has 1 states");
}

#[test]
fn each_fault_names_its_pair() {
    let refused = |successors: &[(usize, f64)], costs: &[f64]| {
        let mut model = CmdpBuilder::new(1, &[1.0]);
        model.pair(0, &[(0, 1.0)], 0.0, &[0.0]).pair(0, successors, 0.0, costs);
        model.build().unwrap_err().to_string()
    };
    let row = "transition row (state 0, action 1)";
    assert_eq!(refused(&[(0, 1.0)], &[]), "(state 0, action 1) has 0 costs, expected 1");
    assert_eq!(refused(&[(3, 1.0)], &[0.0]), format!("{row} leads to state 3, but the model has 1 states"));
    let negative = format!("{row} gives state 0 the probability -1, expected a number from 0 to 1");
    assert_eq!(refused(&[(0, -1.0)], &[0.0]), negative);
    assert_eq!(refused(&[], &[0.0]), format!("{row} sums to 0, expected 1 within 1e-9"));
    let infinite = "cost c0 of (state 0, action 1) is inf, expected a finite number of at most 1e100 in size";
    assert_eq!(refused(&[(0, 1.0)], &[f64::INFINITY]), infinite);
}

#[test]
fn a_claim_of_many_states_is_refused_before_room_is_made_for_them() {
    let error = CmdpBuilder::new(4_000_000_000, &[]).pair(0, &[(0, 1.0)], 0.0, &[]).build().unwrap_err();
    assert_eq!(error.to_string(), "state 1 has no actions; give an absorbing state an action that stays");
    let mut gap = CmdpBuilder::new(3, &[]);
    gap.pair(2, &[(0, 1.0)], 0.0, &[]).pair(0, &[(0, 1.0)], 0.0, &[]);
    assert!(matches!(gap.build().unwrap_err(), Error::NoActions { state } if state == "1"));
    let none = CmdpBuilder::new(1, &[]).build().unwrap_err();
    assert!(matches!(none, Error::NoActions { state } if state == "0"));
}

#[test]
fn an_outcome_of_hardly_any_probability_still_has_signals_in_range() {
    let outcome = |probability, reward| Outcome { next: 0, probability, reward, costs: vec![] };
    let rare = |reward| {
        let mut model = CmdpBuilder::new(2, &[]);
        let stay = Outcome { next: 1, ..outcome(1.0, 0.0) };
        model.outcomes(0, &[stay, outcome(1e-250, reward)]).pair(1, &[(0, 1.0)], 0.0, &[]);
        model.build()
    };
    assert!(rare(1e100).is_ok());
    let error = rare(1e300).unwrap_err().to_string();
    let wanted = "reward of (state 0, action 0) is 1e300, expected a finite number of at most 1e100 in size";
    assert_eq!(error, wanted);
}

#[test]
fn a_budget_that_no_cost_can_be_compared_with_is_refused() {
    let with = |budget: f64| CmdpBuilder::new(1, &[budget]).pair(0, &[(0, 1.0)], 0.0, &[0.0]).build();
    assert!([-1e100, 0.0, f64::MAX, f64::INFINITY].into_iter().all(|budget| with(budget).is_ok()));
    for (budget, told) in [(f64::NAN, "NaN"), (f64::NEG_INFINITY, "-inf"), (-1e300, "-1e300")] {
        let expected = "expected a number of at least -1e100, or inf (no constraint)";
        let error = with(budget).unwrap_err().to_string();
        assert_eq!(error, format!("the budget of cost c0 is {told}, {expected}"));
    }
}

#[test]
fn a_start_that_is_no_distribution_is_refused_with_what_would_be_right() {
    let start = |start: &[(usize, f64)]| {
        let mut model = CmdpBuilder::new(1, &[]);
        model.pair(0, &[(0, 1.0)], 0.0, &[]).start_distribution(start).build().unwrap_err().to_string()
    };
    assert_eq!(start(&[]), "the start distribution sums to 0, expected 1 within 1e-9");
    let wrong = "the start distribution gives state 0 the probability -1, expected a number from 0 to 1";
    assert_eq!(start(&[(0, -1.0), (0, 2.0)]), wrong);
    assert_eq!(start(&[(1, 1.0)]), "the start distribution names state 1, but the model has 1 states");
    assert!(start(&[(0, f64::NAN)]).contains("NaN"));
}
