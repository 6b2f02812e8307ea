//! `.cmdp` files: what is understood, and what an error says about the rest.

use occupancy::model::{Bound, CmdpBuilder, ReadOptions, text};

const GOOD: &str = "\
# a worker who must not overheat
cost heat <= 0.5
cost noise <= inf     # no budget
start idle 1/4, busy 3/4

state idle
  wait                              -> idle
  go     reward 1  heat 2           -> busy 0.9,idle 0.1
state busy
  run    reward 3  heat 1  noise 1  -> busy 0.5(reward 4), idle 0.5 # done
";

/// The error of the good text after a replacement.
fn spoilt(good: &str, bad: &str) -> String {
    assert!(GOOD.contains(good), "{good}");
    text::parse(&GOOD.replacen(good, bad, 1)).unwrap_err().to_string()
}

#[test]
fn a_model_written_by_hand_is_read() {
    for text in [GOOD.to_string(), GOOD.replace('\n', "\r\n"), GOOD.replace("  ", "\t")] {
        let model = text::parse(&text).unwrap();
        assert_eq!((model.states(), model.pairs(), model.costs()), (2, 3, 2));
        assert_eq!(model.signals().reward(), [0.0, 1.0, 3.5]);
        assert_eq!(
            (model.signals().cost(0), model.signals().cost(1)),
            (&[0.0, 2.0, 1.0][..], &[0.0, 0.0, 1.0][..])
        );
        assert_eq!(
            (model.signals().realised(0, 2, 1), model.signals().realised(0, 2, 0)),
            (Some(4.0), Some(3.0))
        );
        assert_eq!(model.signals().realised(1, 2, 1), Some(1.0));
        assert_eq!(model.kernel().row(1).iter().collect::<Vec<_>>(), [(0, 0.1), (1, 0.9)]);
        assert_eq!(model.start(), [(0, 0.25), (1, 0.75)]);
        assert_eq!(model.budgets(), [0.5, f64::INFINITY]);
        assert_eq!((model.names().state(1), model.names().cost(0)), ("busy".into(), "heat".into()));
        assert_eq!(model.action_name(2), "run");
    }
}

#[test]
fn the_first_state_is_the_start_unless_said_otherwise() {
    assert_eq!(text::parse("state a\n x -> b\nstate b\n x -> a").unwrap().start(), [(0, 1.0)]);
    assert_eq!(text::parse("state a\n x -> b\nstate b\n x -> a\nstart b").unwrap().start(), [(1, 1.0)]);
}

#[test]
fn a_line_with_an_arrow_is_an_action_whatever_its_name() {
    let model = text::parse("state a\n state -> a\n start -> a\n cost -> a\n a->b -> a").unwrap();
    let names: Vec<String> = (0..4).map(|pair| model.action_name(pair)).collect();
    assert_eq!(names, ["state", "start", "cost", "a->b"]);
}

#[test]
fn what_is_written_is_what_people_write() {
    let wanted = "\
cost heat <= 0.5
cost noise <= inf
start idle 0.25, busy 0.75

state idle
  wait -> idle
  go reward 1 heat 2 -> idle 0.1, busy 0.9

state busy
  run reward 3 heat 1 noise 1 -> idle 0.5, busy 0.5 (reward 4)
";
    assert_eq!(text::to_string(&text::parse(GOOD).unwrap()), wanted);
}

#[test]
fn things_without_names_stay_without_names() {
    let mut model = CmdpBuilder::new(2, &[0.5]);
    model.pair(0, &[(0, 0.5), (1, 0.5)], 1.0, &[1.0]).pair(1, &[(0, 1.0)], 0.0, &[0.0]);
    let model = model.build().unwrap();
    let read = text::parse(&text::to_string(&model)).unwrap();
    assert_eq!(read.names(), model.names());
    assert!(!read.names().has_states());
}

#[test]
fn names_that_the_format_cannot_hold_are_changed() {
    let mut model = CmdpBuilder::new(3, &[0.5, 0.5]);
    for state in 0..3 {
        model.pair(state, &[(0, 1.0)], 1.0, &[1.0, 2.0]).action("->");
        model.pair(state, &[(0, 1.0)], 0.0, &[0.0, 0.0]).action("a, b");
        model.pair(state, &[(0, 1.0)], 0.0, &[0.0, 0.0]).action("a, b");
    }
    model.state_names(vec!["(0, 1)".into(), "(0,_1)".into(), "".into()]);
    model.cost_names(vec!["reward".into(), "#".into()]);
    let read = text::parse(&text::to_string(&model.build().unwrap())).unwrap();
    let states: Vec<String> = (0..3).map(|state| read.names().state(state)).collect();
    assert_eq!(states, ["_0__1_", "_0__1__2", "_"]);
    let actions: Vec<String> = (0..3).map(|pair| read.action_name(pair)).collect();
    assert_eq!(actions, ["->_2", "a__b", "a__b_2"]);
    assert_eq!((read.names().cost(0), read.names().cost(1)), ("reward_2".into(), "_".into()));
}

#[test]
fn a_lower_bound_is_the_upper_bound_of_the_negated_cost() {
    let model = text::parse(&GOOD.replacen("heat <= 0.5", "heat >= 0.5", 1)).unwrap();
    assert_eq!((model.budgets(), model.bound(0)), (&[-0.5, f64::INFINITY][..], Bound::AtLeast(0.5)));
    assert_eq!(model.signals().cost(0), [0.0, -2.0, -1.0]);
    assert!(text::to_string(&model).starts_with("cost heat >= 0.5\ncost noise <= inf\n"));
    assert!(text::to_string(&model).contains("go reward 1 heat 2 ->"));
    let free = text::parse(&GOOD.replacen("heat <= 0.5", "heat >= -inf", 1)).unwrap();
    assert_eq!(free.budgets(), [f64::INFINITY; 2]);
    let error = spoilt("heat <= 0.5", "heat >= inf");
    assert_eq!(error, "line 2: expected the least value, a number or -inf, found `inf`");
    assert_eq!(spoilt("heat <= 0.5", "heat = 0.5"), "line 2: expected `<=` or `>=` and a budget, found `=`");
}

#[test]
fn a_budget_that_nothing_can_be_compared_with_has_its_line() {
    let error = spoilt("noise <= inf", "noise <= -1e200");
    let expected = "expected a number of at least -1e100, or inf (no constraint)";
    assert_eq!(error, format!("line 3: the budget of cost noise is -1e200, {expected}"));
}

#[test]
fn rows_that_are_off_by_rounding_are_taken_if_they_are_to_be_normalised() {
    let thirds = "state a\n  x -> a 0.333, b 0.333, c 0.333\nstate b\n  x -> a\nstate c\n  x -> a\n";
    let error = text::parse(thirds).unwrap_err().to_string();
    assert!(error.starts_with("line 2: transition row (state a, action x) sums to 0.999"), "{error}");
    let normalised = ReadOptions { normalise: true };
    let model = text::parse_with(thirds, normalised).unwrap();
    assert_eq!(model.kernel().row(0).iter().collect::<Vec<_>>(), [0, 1, 2].map(|next| (next, 1.0 / 3.0)));
    let start = text::parse_with(&format!("start a 0.33, b 0.66\n{thirds}"), normalised).unwrap();
    assert_eq!(start.start(), [(0, 0.33 / 0.99), (1, 0.66 / 0.99)]);
    let lost = text::parse_with(&thirds.replace("c 0.333", "c 0.2"), normalised).unwrap_err().to_string();
    assert!(lost.ends_with("expected 1 within 0.05"), "{lost}");
    let above = text::parse_with("state a\n x -> a 1.0000001", normalised).unwrap();
    assert_eq!(above.kernel().row(0).iter().collect::<Vec<_>>(), [(0, 1.0)]);
}

#[test]
fn budgets_are_numbers_or_inf() {
    for bad in ["nan", "-inf", "half"] {
        let error = spoilt("heat <= 0.5", &format!("heat <= {bad}"));
        assert_eq!(error, format!("line 2: expected the budget, a number or inf, found `{bad}`"));
    }
    assert!(spoilt("heat <= 0.5", "heat <=").ends_with("a number or inf, found the end of the line"));
    assert!(
        spoilt("heat <= 0.5", "heat <= 0.5 0.6").contains("expected the end of the line after the budget")
    );
}

#[test]
fn unknown_names_are_answered_with_the_known_ones() {
    assert_eq!(spoilt("heat 2", "heta 2"), "line 8: unknown signal `heta`; known: reward, heat, noise");
    assert_eq!(spoilt("-> busy", "-> bussy"), "line 8: unknown state `bussy`; known: idle, busy");
    assert_eq!(spoilt("start idle", "start here"), "line 4: unknown state `here`; known: idle, busy");
    assert_eq!(spoilt("(reward 4", "(rew 4"), "line 10: unknown signal `rew`; known: reward, heat, noise");
}

#[test]
fn things_given_twice_are_refused() {
    assert_eq!(spoilt("state busy", "state idle"), "line 9: state `idle` is given twice");
    assert_eq!(spoilt("  go ", "  wait "), "line 8: action `wait` is given twice");
    assert_eq!(spoilt("cost noise", "cost heat"), "line 3: signal `heat` is given twice");
    assert_eq!(spoilt("cost noise", "cost reward"), "line 3: signal `reward` is given twice");
    assert_eq!(spoilt("heat 2", "heat 2 heat 3"), "line 8: signal `heat` is given twice");
    assert_eq!(spoilt("\nstate idle", "start idle\nstate idle"), "line 5: the line `start` is given twice");
}

#[test]
fn values_that_are_missing_or_no_numbers_are_named() {
    let value = "line 8: expected the value of heat, a finite number, found";
    for (bad, found) in
        [("heat", "`->`"), ("heat nan", "`nan`"), ("heat inf", "`inf`"), ("heat 1e999", "`1e999`")]
    {
        assert_eq!(spoilt("heat 2", bad), format!("{value} {found}"));
    }
    for bad in ["nan", "-0.1", "1.5", "x"] {
        let error = spoilt("busy 0.9", &format!("busy {bad}"));
        assert_eq!(error, format!("line 8: expected a probability from 0 to 1, found `{bad}`"));
    }
    let error = spoilt("busy 0.9", "busy");
    assert_eq!(
        error,
        "line 8: expected a probability after busy (only a single state may leave it out), found nothing"
    );
}

#[test]
fn a_line_without_an_arrow_or_a_state_says_so() {
    let wanted = "expected `cost`, `start`, `state`, or an action with ` -> ` before its successors, found";
    assert_eq!(
        spoilt("wait                              -> idle", "wait idle"),
        format!("line 7: {wanted} `wait idle`")
    );
    assert_eq!(
        spoilt("wait                              -> idle", "wait->idle"),
        format!("line 7: {wanted} `wait->idle`")
    );
    assert!(spoilt("\nstate idle", "").starts_with("line 4: unknown state `idle`"));
    let error = text::parse("x -> a\nstate a").unwrap_err().to_string();
    assert_eq!(error, "line 1: expected a `state` line before the first action, found `x -> a`");
    assert!(spoilt("state busy", "state").contains("expected the state's name, found the end of the line"));
    assert!(spoilt("-> busy 0.9", "-> , busy 0.9").contains("expected the name of a state, found `,`"));
    assert!(spoilt("(reward 4)", "(reward 4").contains("line 10: expected a signal's name, found `,`"));
    assert!(
        spoilt("0.1\n", "0.1 ->\n")
            .contains("in parentheses or the end of the line after a successor, found `->`")
    );
}

#[test]
fn what_is_wrong_with_the_model_names_state_and_action() {
    let error = spoilt("idle 0.1", "idle 0.2");
    assert!(error.starts_with("line 8: transition row (state idle, action go) sums to 1.1"), "{error}");
    assert!(spoilt("busy 3/4", "busy 1/4").starts_with("line 4: the start distribution sums to 0.5"));
    let error = text::parse("state a\nstate b\n x -> a").unwrap_err().to_string();
    assert!(error.starts_with("state a has no actions"), "{error}");
    assert_eq!(text::parse("# nothing").unwrap_err().to_string(), "the model has no states");
}

#[test]
fn errors_name_the_file() {
    let path = std::env::temp_dir().join(format!("occupancy-text-{}.cmdp", std::process::id()));
    std::fs::write(&path, "\u{feff}state a\n x -> b\n").unwrap();
    let error = text::read(&path).unwrap_err().to_string();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(error, format!("{}: line 2: unknown state `b`; known: a", path.display()));
}
