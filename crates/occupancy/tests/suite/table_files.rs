//! Tables as models: what is understood, and what an error says about the rest.

use occupancy::model::{Bound, ReadOptions, table, text};

const GOOD: &str = "\
# a worker who must not overheat
# budget heat <= 0.5
# budget \"the noise\" >= -1
# start busy 0.75
# start idle 1/4
state, action, next, probability, reward, heat, the noise

idle,wait,idle,1,0,0,0
busy,\"run, fast\",busy,0.5,4,1,1
idle,go,busy,0.9,1,2,0
# the other outcomes
busy,\"run, fast\",idle,0.5,3,1,1
idle,go,idle,0.1,1,2,0
";

/// The error of the good table after a replacement.
fn spoilt(good: &str, bad: &str) -> String {
    assert!(GOOD.contains(good), "{good}");
    table::parse(&GOOD.replacen(good, bad, 1)).unwrap_err().to_string()
}

#[test]
fn a_table_is_the_model_that_its_text_would_be() {
    let text = "\
cost heat <= 0.5
cost the_noise >= -1
start idle 1/4, busy 3/4
state idle
  wait -> idle
  go reward 1 heat 2 -> busy 0.9, idle 0.1
state busy
  run reward 3 heat 1 the_noise 1 -> busy 0.5 (reward 4), idle 0.5
";
    let wanted = text::parse(text).unwrap();
    for table in
        [GOOD.to_string(), GOOD.replace('\n', "\r\n"), GOOD.replace(',', " , ").replace("run , ", "run,")]
    {
        let model = table::parse(&table).unwrap();
        assert_eq!((model.kernel(), model.signals()), (wanted.kernel(), wanted.signals()));
        assert_eq!((model.budgets(), model.start()), (wanted.budgets(), wanted.start()));
        assert_eq!((model.bound(1), model.names().cost(1)), (Bound::AtLeast(-1.0), "the noise".into()));
        assert_eq!((model.action_name(2), model.names().state(1)), ("run, fast".into(), "busy".into()));
    }
}

#[test]
fn columns_may_stand_in_any_order_and_need_no_budget_and_no_start() {
    let table = "risk,probability,next,reward,action,state\n1,1,b,2,go,a\n0,1,a,0,go,b\n";
    let model = table::parse(table).unwrap();
    assert_eq!((model.budgets(), model.start()), (&[f64::INFINITY][..], &[(0, 1.0)][..]));
    assert_eq!((model.signals().reward(), model.signals().cost(0)), (&[2.0, 0.0][..], &[1.0, 0.0][..]));
}

#[test]
fn what_is_written_is_what_a_spreadsheet_reads() {
    let text = "cost heat >= 0.5\nstate 0\n  -up reward 1 -> 0 0.5, 1 0.5 (heat 2)\nstate 1\n  x -> 0\n";
    let model = text::parse(text).unwrap();
    let wanted = "\
# budget heat >= 0.5
# start 0 1
state,action,next,probability,reward,heat
0,'-up,0,0.5,1,0
0,'-up,1,0.5,1,2
1,x,0,1,0,0
";
    assert_eq!(table::to_string(&model), wanted);
    let read = table::parse(wanted).unwrap();
    assert_eq!((read.names(), read.signals()), (model.names(), model.signals()));
}

#[test]
fn a_wrong_line_is_named_with_what_would_be_right() {
    let probability = "expected a probability from 0 to 1, found";
    let header = "line 6: expected a header with the column next (state, action, next, probability, reward, then costs)";
    for (good, bad, wanted) in [
        ("idle,1,0,0,0", "idle,1.5,0,0,0", format!("line 8: {probability} `1.5`")),
        ("idle,1,0,0,0", "idle,,0,0,0", format!("line 8: {probability} nothing")),
        ("idle,1,0,0,0", "idle,1,0,0", "line 8: expected 7 cells as in the header, found `6`".into()),
        ("idle,wait", ",wait", "line 8: expected the name of a state, found nothing".into()),
        ("wait,idle", "wait,hall", "line 8: state hall has no actions; give an absorbing state an action that stays".into()),
        ("0.9,1,2,0", "0.9,1,hot,0", "line 10: expected heat, a finite number of at most 1e100 in size, found `hot`".into()),
        ("0.9,1,2,0", "0.9,1e101,2,0", "line 10: expected reward, a finite number of at most 1e100 in size, found `1e101`".into()),
        ("0.9", "0.8", "line 10: transition row (state idle, action go) sums to 0.9, expected 1 within 1e-9".into()),
        ("\"run, fast\"", "\"run, fast", "line 9: expected a closing quote, and a comma after it, found `\"run, fast,busy,0.5,4,1,1`".into()),
        (" next,", " then,", format!("{header}, found `state, action, then, probability, reward…`")),
        (" heat,", " reward,", "line 6: column `reward` is given twice".into()),
        (" heat,", ",", "line 6: expected a name of column 6, found nothing".into()),
        ("budget heat <=", "budget heet <=", "line 2: unknown cost `heet`; known: heat, the noise".into()),
        ("heat <= 0.5", "heat = 0.5", "line 2: expected `# budget NAME <= NUMBER` or `# budget NAME >= NUMBER`, found `heat = 0.5`".into()),
        ("\"the noise\" >= -1", "heat<=1", "line 3: the budget of `heat` is given twice".into()),
        ("heat <= 0.5", "heat <= -1e200", "line 2: the budget of cost heat is -1e200, expected a number of at least -1e100, or inf (no constraint)".into()),
        ("start busy", "start bussy", "line 4: unknown state `bussy`; known: idle, busy".into()),
        ("start busy 0.75", "start busy", "line 4: expected a probability (only a single start may leave it out), found nothing".into()),
        ("idle 1/4", "idle 1/2", "line 5: the start distribution sums to 1.25, expected 1 within 1e-9".into()),
        ("start busy 0.75", "start busy much", "line 4: expected `# start NAME PROBABILITY`, found `busy much`".into()),
    ] {
        assert_eq!(spoilt(good, bad), wanted);
    }
    let empty = "the text ends here, expected a header: state, action, next, probability, reward, and costs";
    assert_eq!(table::parse("").unwrap_err().to_string(), format!("line 1: {empty}"));
    assert_eq!(
        table::parse("state,action,next,probability,reward\n").unwrap_err().to_string(),
        "the model has no states"
    );
}

#[test]
fn sums_of_rounded_probabilities_are_normalised_on_demand() {
    let third = f64::from(1.0f32 / 3.0);
    let rows: String = ["a", "b", "c"].map(|next| format!("a,x,{next},{third},0\n")).concat();
    let table = format!("state,action,next,probability,reward\n{rows}b,x,a,1,0\nc,x,a,1,0\n");
    let error = table::parse(&table).unwrap_err().to_string();
    assert!(error.starts_with("line 2: transition row (state a, action x) sums to 1.0000000"), "{error}");
    let model = table::parse_with(&table, ReadOptions { normalise: true }).unwrap();
    assert_eq!(model.kernel().row(0).iter().collect::<Vec<_>>(), [0, 1, 2].map(|next| (next, 1.0 / 3.0)));
}

#[test]
fn a_table_is_known_by_its_header() {
    assert!(table::is_table(GOOD) && table::is_table("state,action,next,probability,reward"));
    assert!(!table::is_table("state idle\n  wait -> idle\n") && !table::is_table(""));
}
