//! DRN files: what is understood, and what an error says about the rest.

use occupancy::Error;
use occupancy::model::drn::{self, DrnSignals};
use occupancy::model::{Cmdp, CmdpBuilder, Outcome};

const GOOD: &str = "\
// Exported by storm
// Original model type: MDP
@type: MDP
@value_type: double
@parameters

@placeholders
$half : 1/2
@reward_models
work heat noise 
@nr_states
3
@nr_choices
4
@model
state 0 [0.5, 0, 0] init \"a label, not init\"
//[x=0 & y=1]
\taction go [1, 2, 0]
\t\t0 : 1e-1
\t\t1 : 0.9
\taction go [0, $half, 1]
\t\t2 : 1
state 1 deadlock
\taction __NOLABEL__
\t\t0 : 1/3
\t\t2 : 2/3
state 2 [0, 0, 3]
\taction 0 [0, 0, 0]
\t\t2 : $half
\t\t1 : 0.25
\t\t2 : 0.25
";

fn signals(reward: Option<&str>, costs: &[(&str, f64)]) -> DrnSignals {
    let costs = costs.iter().map(|&(name, budget)| (name.to_string(), budget)).collect();
    DrnSignals { reward: reward.map(str::to_string), costs }
}

fn worker(text: &str) -> Result<Cmdp, Error> {
    drn::parse(text, &signals(Some("work"), &[("noise", 0.5), ("heat", 1.0)]))
}

/// The error of the good text after a replacement.
fn spoilt(good: &str, bad: &str) -> String {
    assert!(GOOD.contains(good), "{good}");
    worker(&GOOD.replacen(good, bad, 1)).unwrap_err().to_string()
}

#[test]
fn what_storm_writes_is_read() {
    for text in [GOOD.to_string(), GOOD.replace('\n', "\r\n"), GOOD.replace("@nr_choices\n4\n", "")] {
        let model = worker(&text).unwrap();
        assert_eq!((model.states(), model.pairs(), model.costs()), (3, 4, 2));
        assert_eq!(model.signals().reward(), [1.5, 0.5, 0.0, 0.0]);
        assert_eq!(model.signals().cost(0), [0.0, 1.0, 0.0, 3.0]);
        assert_eq!(model.signals().cost(1), [2.0, 0.5, 0.0, 0.0]);
        assert_eq!(model.budgets(), [0.5, 1.0]);
        assert_eq!((model.names().cost(0), model.names().cost(1)), ("noise".into(), "heat".into()));
        let names: Vec<String> = (0..4).map(|pair| model.action_name(pair)).collect();
        assert_eq!(names, ["go", "go", "0", "0"]);
        assert_eq!(model.start(), [(0, 1.0)]);
    }
}

#[test]
fn successors_given_twice_are_added_up() {
    let model = worker(GOOD).unwrap();
    assert_eq!(model.kernel().row(3).iter().collect::<Vec<_>>(), [(1, 0.25), (2, 0.75)]);
}

#[test]
fn a_markov_chain_has_one_action_in_each_state() {
    let chain = "@type: DTMC\n@reward_models\nr\n@nr_states\n2\n@model\nstate 0 [2] init\n0 : 0.5\n1 : 0.5\nstate 1\n0 : 1\n";
    let model = drn::parse(chain, &DrnSignals::default()).unwrap();
    assert_eq!((model.states(), model.pairs()), (2, 2));
    assert_eq!(model.signals().reward(), [2.0, 0.0]);
    let twice = chain.replace("state 1\n0 : 1\n", "state 1\naction a\n0 : 1\naction b\n0 : 1\n");
    let error = drn::parse(&twice, &DrnSignals::default()).unwrap_err().to_string();
    assert_eq!(error, "line 13: expected one action for each state of a DTMC, found `b`");
}

#[test]
fn the_reward_is_found_where_there_is_no_doubt() {
    let with = |names: &str, costs: &[(&str, f64)]| {
        let text = format!(
            "@type: MDP\n@reward_models\n{names}\n@nr_states\n1\n@model\nstate 0 init\naction a\n0 : 1\n"
        );
        drn::parse(&text, &signals(None, costs)).map(|model| model.costs()).map_err(|error| error.to_string())
    };
    assert_eq!(with("work", &[]), Ok(0));
    assert_eq!(with("work heat", &[("heat", 1.0)]), Ok(1));
    assert_eq!(with("heat noise r", &[("heat", 1.0)]), Ok(1));
    assert_eq!(with("heat reward noise", &[]), Ok(0));
    let doubt = Err("line 3: name the reward model to use; known: work, heat, noise".to_string());
    assert_eq!(with("work heat noise", &[("heat", 1.0)]), doubt);
    let none = Err("line 3: name the reward model to use; known: none".to_string());
    assert_eq!(with("", &[]), none);
}

#[test]
fn a_reward_model_without_a_name_is_the_reward() {
    let text = "@type: MDP\n@reward_models\n \n@nr_states\n1\n@model\nstate 0 [0.5] init\n\taction 0 [1]\n\t\t0 : 1\n";
    for reward in [None, Some("reward")] {
        assert_eq!(drn::parse(text, &signals(reward, &[])).unwrap().signals().reward(), [1.5]);
    }
    let error = |text: &str, costs| drn::parse(text, &signals(None, costs)).unwrap_err().to_string();
    let without = text.replace(" [0.5]", "").replace(" [1]", "");
    assert_eq!(error(&without, &[]), "line 3: name the reward model to use; known: none");
    assert_eq!(error(text, &[("reward", 1.0)]), "line 3: name the reward model to use; known: none");
    assert_eq!(error(&text.replace("[1]", "[1, 2]"), &[]), "line 8: expected 1 rewards (reward), found `2`");
}

#[test]
fn an_unknown_reward_model_is_answered_with_the_known_ones() {
    let error = drn::parse(GOOD, &signals(Some("gold"), &[])).unwrap_err().to_string();
    assert_eq!(error, "line 10: unknown reward model `gold`; known: work, heat, noise");
    let error = drn::parse(GOOD, &signals(Some("work"), &[("gold", 1.0)])).unwrap_err().to_string();
    assert_eq!(error, "line 10: unknown reward model `gold`; known: work, heat, noise");
    let error = drn::parse(GOOD, &signals(None, &[("heat", 1.0), ("heat", 2.0)])).unwrap_err().to_string();
    assert_eq!(error, "line 10: cost `heat` is given twice");
}

#[test]
fn other_kinds_of_models_are_refused() {
    for kind in ["CTMC", "Markov Automaton", "MA", "POMDP", ""] {
        let error = spoilt("@type: MDP", &format!("@type: {kind}"));
        assert!(error.starts_with("line 3: expected the type MDP or DTMC"), "{error}");
    }
    assert!(
        spoilt("double", "double-interval").starts_with("line 4: expected the value type double or rational")
    );
    assert!(spoilt("@parameters\n", "@parameters\np q").starts_with("line 6: expected no parameters"));
    assert!(spoilt("state 1", "state 1 {0}").contains("observations or exit rates are not supported"));
    assert!(spoilt("state 1", "state 1 !4").contains("observations or exit rates are not supported"));
    assert!(spoilt("@type: MDP", "@type: MDP\n@version: 3").starts_with("line 4: expected version 1 or 2"));
}

#[test]
fn a_truncated_file_names_the_line_it_ends_on() {
    let cut = |at: &str| worker(GOOD.split_once(at).unwrap().0).unwrap_err().to_string();
    assert_eq!(cut("@model"), "line 14: the text ends here, expected @model");
    assert_eq!(cut("state 1"), "line 22: the text ends here, expected state 1 (@nr_states is 3)");
    assert_eq!(cut("\taction 0"), "line 27: @nr_choices says 4, but the text has 3");
    assert_eq!(worker("").unwrap_err().to_string(), "line 1: the text ends here, expected @model");
}

#[test]
fn counts_that_are_not_kept_are_refused() {
    assert!(
        spoilt("@nr_states\n3", "@nr_states\n2")
            .contains("expected a successor below 2 (@nr_states), found `2`")
    );
    assert!(spoilt("@nr_states\n3", "@nr_states\n4").contains("expected state 3 (@nr_states is 4)"));
    assert!(spoilt("@nr_choices\n4", "@nr_choices\n5").contains("@nr_choices says 5, but the text has 4"));
    let none = "@type: MDP\n@reward_models\nr\n@nr_states\n0\n@model\n";
    let error = drn::parse(none, &DrnSignals::default()).unwrap_err().to_string();
    assert!(error.contains("expected a state with the label init"), "{error}");
    let extra = drn::parse(&format!("{none}state 0 init"), &DrnSignals::default()).unwrap_err().to_string();
    assert_eq!(extra, "line 7: expected no more states (@nr_states is 0), found `state 0`");
}

#[test]
fn a_huge_count_allocates_nothing() {
    for count in ["99999999999", "18446744073709551615"] {
        let error = spoilt("@nr_states\n3", &format!("@nr_states\n{count}"));
        assert!(error.contains(&format!("expected state 3 (@nr_states is {count})")), "{error}");
    }
    assert!(
        spoilt("@nr_states\n3", "@nr_states\n999999999999999999999").contains("how many states there are")
    );
}

#[test]
fn sections_are_known_complete_and_given_once() {
    assert!(spoilt("@nr_states\n3\n", "").contains("expected @nr_states, found `@model`"));
    assert!(spoilt("@type: MDP\n", "").contains("expected @type, found `@model`"));
    assert!(
        spoilt("@type: MDP", "@type: MDP\n@type: MDP").contains("line 4: section `@type` is given twice")
    );
    assert!(
        spoilt("@type: MDP", "@type: MDP\n@seed: 4")
            .contains("line 4: unknown section `@seed`; known: @type,")
    );
    assert!(spoilt("work heat", "work work").contains("line 10: reward model `work` is given twice"));
}

#[test]
fn numbers_are_checked_where_they_stand() {
    let wanted = "line 19: expected a probability from 0 to 1, found";
    for bad in ["nan", "-0.1", "1.5", "0.x", "[0.1, 0.2]", "$none", "1/0", ""] {
        let error = spoilt("0 : 1e-1", &format!("0 : {bad}"));
        assert!(error.starts_with(wanted), "{error}");
    }
    for bad in ["nan", "inf", "1e999", "x"] {
        let error = spoilt("[1, 2, 0]", &format!("[1, {bad}, 0]"));
        assert!(error.starts_with("line 18: expected a reward that is a finite number"), "{error}");
    }
    assert!(spoilt("[1, 2, 0]", "[1, 2]").contains("expected 3 rewards (work, heat, noise), found `2`"));
    assert!(spoilt("[1, 2, 0]", "[1, 2, 0").contains("expected `]` after the rewards"));
    assert!(spoilt("[1, 2, 0]", "[1, 2, 0] x").contains("expected the end of the line after an action"));
}

#[test]
fn states_and_actions_are_in_order() {
    assert!(spoilt("state 1", "state 2").contains("expected state 1 (states are in order), found `2`"));
    assert!(spoilt("state 0 [0.5, 0, 0] init", "//").contains("expected state 0 before the first action"));
    assert!(spoilt("\taction __NOLABEL__\n", "").contains("expected an action before its successors"));
    assert!(spoilt("action __NOLABEL__", "action").contains("expected the action's name"));
    assert!(
        spoilt("action __NOLABEL__", "choose")
            .contains("expected `state`, `action` or `successor : probability`")
    );
}

#[test]
fn a_row_that_is_no_distribution_names_state_and_action() {
    let error = spoilt("1 : 0.9", "1 : 0.8");
    assert!(error.starts_with("line 18: transition row (state 0, action go) sums to 0.9"), "{error}");
    let empty =
        GOOD.replace("@nr_choices\n4\n", "").replace("\taction __NOLABEL__\n\t\t0 : 1/3\n\t\t2 : 2/3\n", "");
    let error = worker(&empty).unwrap_err().to_string();
    assert!(error.starts_with("state 1 has no actions"), "{error}");
}

#[test]
fn the_start_is_exactly_one_state() {
    let error = spoilt("] init", "]");
    assert_eq!(error, "line 31: the text ends here, expected a state with the label init");
    let error = spoilt("deadlock", "deadlock \"init\"");
    assert!(
        error.starts_with("line 23: states 0 and 1 are both marked init; mark one added state instead"),
        "{error}"
    );
    assert!(spoilt("deadlock", "\"dead").contains("expected a closing quote"));
}

#[test]
fn bytes_that_are_no_text_are_found() {
    let path = std::env::temp_dir().join(format!("occupancy-drn-{}.drn", std::process::id()));
    std::fs::write(&path, b"@type: MDP\n@par\xff").unwrap();
    let error = drn::read(&path, &DrnSignals::default()).unwrap_err().to_string();
    std::fs::remove_file(&path).unwrap();
    assert!(error.ends_with("line 2: byte 15 is not UTF-8 text"), "{error}");
    let error = drn::read("no/such.drn", &DrnSignals::default()).unwrap_err().to_string();
    assert!(error.starts_with("no/such.drn: "), "{error}");
}

#[test]
fn a_start_distribution_is_written_as_an_added_state() {
    let mut model = CmdpBuilder::new(2, &[0.5]);
    model.pair(0, &[(1, 1.0)], 1.0, &[1.0]).pair(1, &[(0, 1.0)], 0.0, &[0.0]);
    let text = drn::to_string(&model.start_distribution(&[(0, 0.25), (1, 0.75)]).build().unwrap());
    let read = drn::parse(&text, &signals(None, &[("c0", 0.5)])).unwrap();
    assert_eq!((read.states(), read.pairs(), read.start()), (3, 3, &[(2, 1.0)][..]));
    assert_eq!(read.kernel().row(2).iter().collect::<Vec<_>>(), [(0, 0.25), (1, 0.75)]);
    assert_eq!((read.signals().reward()[2], read.signals().cost(0)[2]), (0.0, 0.0));
}

#[test]
fn names_that_drn_cannot_hold_are_changed() {
    let mut model = CmdpBuilder::new(1, &[0.5, f64::INFINITY, 1.0]);
    model.pair(0, &[(0, 1.0)], 1.0, &[1.0, 2.0, 3.0]).action("go [far] away");
    model.cost_names(vec!["r".into(), "of heat".into(), "of_heat".into()]);
    let text = drn::to_string(&model.build().unwrap());
    let costs = [("r_2", 0.5), ("of_heat", 1.0), ("of_heat_2", 1.0)];
    let read = drn::parse(&text, &signals(Some("r"), &costs)).unwrap();
    assert_eq!(read.action_name(0), "go__far__away");
    assert_eq!((read.signals().cost(0), read.signals().cost(2)), (&[1.0][..], &[3.0][..]));
}

#[test]
fn signals_of_outcomes_are_written_as_their_mean() {
    let mut model = CmdpBuilder::new(2, &[]);
    let outcome = |next, reward| Outcome { next, probability: 0.5, reward, costs: vec![] };
    model.outcomes(0, &[outcome(0, 1.0), outcome(1, 4.0)]).pair(1, &[(0, 1.0)], 0.0, &[]);
    let read = drn::parse(&drn::to_string(&model.build().unwrap()), &DrnSignals::default()).unwrap();
    assert_eq!(read.signals().reward(), [2.5, 0.0]);
}
