//! Learners as their users meet them: tables, JSON and CSV that agree, presets, and what is refused.

use crate::program::{assert_tells, folder, json, large_map, out, path, refused, run};
use serde_json::{Value, json};

const ROVER: [&str; 3] = ["learn", "marsrover-4x4", "psrl-transitions"];

/// What a short run of the small rover prints in JSON.
fn rover(more: &[&str]) -> Value {
    json(&[&ROVER, &["--rounds", "300", "--json"], more].concat())
}

/// An object without what differs from machine to machine.
fn without_times(mut found: Value) -> Value {
    for key in ["seconds", "planning_seconds", "steps_per_second"] {
        assert!(found.as_object_mut().unwrap().remove(key).unwrap().as_f64().unwrap() >= 0.0, "{key}");
    }
    found
}

fn number(found: &Value) -> f64 {
    found.as_f64().unwrap_or_else(|| panic!("{found} is no number"))
}

#[test]
fn a_run_is_told_beside_the_levels_of_the_true_model_and_drawn() {
    let text = out(&[&ROVER[..], &["--rounds", "300"]].concat());
    let parts = [
        "marsrover-4x4: 16 states, 64 pairs, 1 cost\n  slip=0.1, bump_cost=true\n",
        "psrl-transitions: preset sound, 300 rounds, seed 2022, run 0\n",
        "last 30 rounds",
        "optimal         -0.804855",
        "fast",
        "safe",
        "≤ 0.2",
        "signed",
        "violation of risk",
        " epochs, ",
        " infeasible plan",
        " multichain plan",
        "% planning, ",
        "┌───────┬",
    ];
    assert_tells(&text, &parts);
}

#[test]
fn a_run_in_json_has_what_was_run_and_what_came_out() {
    let found = rover(&["--run", "3", "--seed", "7"]);
    for key in ["average_reward", "window_reward", "seconds", "planning_seconds", "steps_per_second"] {
        assert!(found[key].is_f64(), "{key}: {}", found[key]);
    }
    for key in ["epochs", "infeasible_plans", "multichain_plans"] {
        assert!(found[key].is_u64(), "{key}: {}", found[key]);
    }
    for key in ["average_costs", "window_costs", "budgets", "violation", "cost_names"] {
        assert_eq!(found[key].as_array().unwrap().len(), 1, "{key}");
    }
    for sum in [&found["regret"], &found["violation"][0]] {
        let (signed, total) = (number(&sum["signed"]), number(&sum["total"]));
        assert!(total == signed.max(0.0) && number(&sum["stepwise"]) >= total, "{sum}");
    }
    let asked = [("learner", json!("psrl-transitions")), ("preset", json!("sound")), ("seed", json!(7))];
    for (key, value) in
        asked.into_iter().chain([("run", json!(3)), ("rounds", json!(300)), ("window", json!(30))])
    {
        assert_eq!(found[key], value, "{key}");
    }
    assert_eq!(found["environment"], json!({"slip": "0.1", "budget": null, "bump_cost": "true"}));
    assert_eq!(found["settings"]["prior"], "add:0.1");
    assert!((number(&found["levels"]["optimal"]["gain"]) + 0.8048553699).abs() < 1e-9);
    assert!((number(&found["levels"]["optimal"]["costs"][0]) - 0.2).abs() < 1e-9);
    assert!(number(&found["levels"]["safe"]["gain"]) < number(&found["levels"]["fast"]["gain"]));
    assert_eq!(found["last_policy"]["rows"].as_array().unwrap().len(), 16);
}

#[test]
fn a_seed_and_a_run_repeat_every_digit_and_others_do_not() {
    let first = without_times(rover(&[]));
    assert_eq!(first, without_times(rover(&[])));
    for other in [["--run", "1"], ["--seed", "2023"]] {
        let other = rover(&other);
        assert_ne!(first["average_reward"], other["average_reward"]);
        assert_eq!(first["levels"], other["levels"]);
    }
}

#[test]
fn the_record_agrees_with_the_averages_and_reads_back_exactly() {
    let file = path(&folder("record"), "run.csv");
    let asked = ["learn", "queue", "psrl-transitions", "--rounds", "500", "--window", "70", "--json"];
    let found = json(&[&asked[..], &["--csv", &file]].concat());
    let text = std::fs::read_to_string(&file).unwrap();
    let mut lines = text.lines();
    let header = "step,reward,cost_service,cost_flow,shortfall,excess_service,excess_flow,epochs,infeasible,multichain";
    assert_eq!(lines.next(), Some(header));
    let cells: Vec<Vec<f64>> =
        lines.map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    let written: Vec<String> =
        cells.iter().map(|row| row.iter().map(f64::to_string).collect::<Vec<_>>().join(",")).collect();
    assert_eq!(written, text.lines().skip(1).collect::<Vec<_>>(), "numbers are as short as they can be");
    let last = cells.last().unwrap();
    let before = cells.iter().find(|row| row[0] == 430.0).unwrap();
    assert_eq!(last[0], 500.0);
    assert!(cells.windows(2).all(|rows| rows[0][0] < rows[1][0]));
    let (costs, window) = (&found["average_costs"], &found["window_costs"]);
    assert_eq!(
        [last[1], last[2], last[3]].map(|sum| sum / 500.0),
        [number(&found["average_reward"]), number(&costs[0]), number(&costs[1])]
    );
    assert_eq!(
        [1, 2, 3].map(|column| (last[column] - before[column]) / 70.0),
        [number(&found["window_reward"]), number(&window[0]), number(&window[1])]
    );
    assert_eq!(last[4], number(&found["regret"]["stepwise"]));
    assert_eq!([last[5], last[6]], [0, 1].map(|i| number(&found["violation"][i]["stepwise"])));
    let counts = ["epochs", "infeasible_plans", "multichain_plans"].map(|key| number(&found[key]));
    assert_eq!([last[7], last[8], last[9]], counts);
}

#[test]
fn a_preset_sets_the_environment_and_what_is_given_wins() {
    let environment = |args: &[&str]| {
        let found = json(&[&["learn"], args, &["uniform", "--rounds", "10", "--json"]].concat());
        (found["environment"].clone(), found["states"].clone())
    };
    let (found, states) = environment(&["box", "--preset", "published"]);
    assert_eq!((found["slip"].as_str(), found["states"].as_str()), (Some("0"), Some("all")));
    assert_eq!(states, 121);
    let (found, states) = environment(&["box", "--preset", "paper", "--slip", "0.3"]);
    assert_eq!((found["slip"].as_str(), found["states"].as_str()), (Some("0.3"), Some("reachable")));
    assert_eq!(states, 60);
    let (found, _) = environment(&["marsrover-4x4", "--preset", "published", "--set", "bump_cost=true"]);
    assert_eq!((found["slip"].as_str(), found["bump_cost"].as_str()), (Some("0"), Some("true")));
    let (found, _) = environment(&["river-swim", "--preset", "published"]);
    assert_eq!(found["states"], "6");
}

#[test]
fn settings_are_the_learners_or_else_the_environments() {
    let args = ["learn", "river-swim", "psrl-lagrangian", "--rounds", "50", "--json"];
    let found =
        json(&[&args[..], &["--set", "states=8", "--set", "execute=sampled", "--set", "gap=0.01"]].concat());
    assert_eq!((&found["states"], &found["environment"]["states"]), (&json!(8), &json!("8")));
    assert_eq!(found["settings"]["execute"], "sampled");
    assert_eq!((&found["settings"]["gap"], &found["settings"]["eta"]), (&json!("0.01"), &Value::Null));
}

#[test]
fn rounds_and_windows_are_the_papers_in_its_environments() {
    for (source, rounds, window) in
        [("marsrover-4x4", 9000, 1000), ("marsrover-8x8", 200_000, 5000), ("queue", 10_000, 1000)]
    {
        let found = json(&["learn", source, "uniform", "--json"]);
        assert_eq!((&found["rounds"], &found["window"]), (&json!(rounds), &json!(window)), "{source}");
    }
}

#[test]
fn where_no_policy_meets_the_budgets_there_is_no_regret() {
    let found = rover(&["--budget", "0"]);
    assert!(found["regret"].is_null() && found["levels"]["optimal"].is_null());
    assert!(number(&found["violation"][0]["total"]) > 0.0);
    let text = out(&[&ROVER[..], &["--rounds", "300", "--budget", "0"]].concat());
    assert!(text.contains("no policy meets the budgets of the true model, so that regret is not defined"));
}

#[test]
fn a_cost_without_a_budget_is_not_violated() {
    let found = rover(&["--budget", "inf"]);
    assert_eq!((&found["budgets"], &found["violation"]), (&json!([null]), &json!([null])));
    assert!(
        out(&[&ROVER[..], &["--rounds", "50", "--budget", "inf"]].concat()).contains("`risk` has no budget")
    );
}

#[test]
fn costs_that_must_not_fall_below_a_value_keep_their_sign() {
    let file = path(&folder("at-least"), "run.csv");
    let found = rover(&["--cost", "risk>=0.1", "--csv", &file]);
    assert_eq!((&found["budgets"], &found["directions"]), (&json!([0.1]), &json!([">="])));
    let steps = 300.0 * number(&found["average_costs"][0]);
    assert!(steps > 0.0 && (steps - steps.round()).abs() < 1e-9, "each step has cost 0 or 1, not their mean");
    let violation = number(&found["violation"][0]["signed"]);
    assert!((violation - (30.0 - steps)).abs() < 1e-9, "{violation}");
    let text = std::fs::read_to_string(&file).unwrap();
    let sum = text.lines().last().unwrap().split(',').nth(2).unwrap();
    assert_eq!(sum.parse::<f64>().unwrap(), steps.round());
}

#[test]
fn models_and_maps_are_learnt_too() {
    let folder = folder("learnt");
    let (map, model) = (path(&folder, "small.map"), path(&folder, "small.cmdp"));
    std::fs::write(&map, "S0G").unwrap();
    std::fs::write(&model, "state a\n  stay reward 1 -> a\n  leave -> b\nstate b\n  back -> a\n").unwrap();
    let found = json(&["learn", &map, "psrl-transitions", "--slip", "0.2", "--rounds", "50", "--json"]);
    assert_eq!((&found["states"], &found["environment"]["slip"]), (&json!(3), &json!("0.2")));
    assert!(out(&["learn", &map, "psrl-transitions", "--rounds", "50"]).contains("⇒"));
    let found = json(&["learn", &model, "oracle", "--rounds", "50", "--json"]);
    assert_eq!((&found["average_reward"], &found["average_costs"]), (&json!(1.0), &json!([])));
    assert_eq!((&found["environment"], &found["settings"]), (&json!({}), &json!({})));
}

#[test]
fn learners_that_nobody_knows_are_refused_with_those_there_are() {
    let error = refused(&["learn", "box", "psrl-transition"]);
    assert!(error.starts_with("unknown learner psrl-transition; known: psrl-transitions, "), "{error}");
    assert!(error.ends_with("; did you mean psrl-transitions?"), "{error}");
    assert!(refused(&["learn", "box", ""]).starts_with("unknown learner ''; known: "));
    assert!(refused(&["learn", "box"]).contains("<LEARNER>"));
    assert!(refused(&["learn", "boxx", "uniform"]).contains("did you mean box?"));
}

#[test]
fn settings_that_nobody_has_are_refused_with_those_there_are() {
    let of_box = "the options of box are slip, budget, states";
    assert_eq!(
        refused(&["learn", "box", "psrl-transitions", "--set", "coef=1"]),
        format!(
            "unknown option coef; the options of psrl-transitions are prior, epochs, from, off_support, \
             infeasible, planner, unvisited_reward, unvisited_cost; {of_box}"
        )
    );
    assert_eq!(
        refused(&["learn", "box", "uniform", "--set", "slp=1"]),
        format!("unknown option slp; uniform has no options; {of_box}; did you mean slip?")
    );
    let twice = ["learn", "box", "psrl-lagrangian", "--set", "eta=1", "--set", "eta=2"];
    assert_eq!(refused(&twice), "option eta is given twice");
    assert!(
        refused(&["learn", "queue", "uniform", "--slip", "0.1"]).contains("--slip does not apply to queue")
    );
}

#[test]
fn values_out_of_range_are_refused_with_what_would_be_right() {
    for (setting, wanted) in [
        ("coef=-1", "coef is -1, expected a number from 0 to 1e6"),
        ("coef=much", "coef is much, expected a number from 0 to 1e6"),
        ("clip=", "clip is empty, expected true or false"),
        ("delta=0", "delta is 0, expected a number from 1e-100 to 1"),
        ("unvisited_bonus=-3", "unvisited_bonus is -3, expected a number from 0 to 1e6, or once"),
        ("slip=2", "slip is 2, expected a number from 0 to 1"),
    ] {
        let args = ["learn", "box", "cucrl-optimistic", "--set", setting];
        assert_eq!(refused(&args), wanted);
    }
    for rounds in ["0", "-1", "1e5", "many", "1000000000000001"] {
        let error = refused(&["learn", "box", "uniform", "--rounds", rounds]);
        assert!(error.ends_with("'--rounds <T>': expected a count from 1 to 1000000000000000"), "{error}");
    }
    let error = refused(&["learn", "box", "uniform", "--rounds", "10", "--window", "11"]);
    assert_eq!(error, "--window 11 is more than the 10 rounds there are");
    assert!(refused(&["learn", "box", "uniform", "--seed", "-1"]).contains("a whole number from 0"));
    assert!(refused(&["learn", "box", "uniform", "--preset", "own"]).contains("published, paper, sound"));
}

#[test]
fn a_value_that_the_preset_does_not_have_is_asked_for() {
    for (learner, ending) in [
        ("cucrl-optimistic", "--set coef=0.05"),
        ("cucrl-conservative", "--set h=20"),
        ("psrl-lagrangian", "--set eta=0.01"),
    ] {
        let error = refused(&["learn", "queue", learner, "--preset", "published"]);
        assert!(error.starts_with(&format!("{learner} needs a value of ")), "{error}");
        assert!(error.ends_with(ending), "{error}");
    }
    let given = ["learn", "queue", "cucrl-optimistic", "--preset", "paper", "--set", "coef=0.05"];
    out(&[&given[..], &["--rounds", "50"]].concat());
}

#[test]
fn what_cannot_be_done_is_refused_before_the_run() {
    let lost = path(&folder("lost"), "none/run.csv");
    let error = refused(&["learn", "box", "uniform", "--rounds", "1000000000000", "--csv", &lost]);
    assert!(error.contains("there is no folder"), "{error}");
    let large = ["learn", "river-swim", "psrl-transitions", "--set", "states=20000"];
    let error = refused(&large);
    assert!(
        error.contains("too large for prior=add:0.1") && error.contains("prior=sparse:1 needs far fewer"),
        "{error}"
    );
    let missing = ["learn", "queue", "psrl-transitions", "--set", "prior=file:none.csv"];
    assert!(refused(&missing).starts_with("none.csv: "));
}

#[test]
fn the_list_of_learners_can_be_read_by_both() {
    let list = out(&["learners"]);
    let text = out(&["learners", "psrl-lagrangian", "cucrl-conservative", "cucrl-transitions", "optcmdp"]);
    for text in [&list, &text] {
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
    assert!(refused(&["learners", "optcmpd"]).ends_with("; did you mean optcmdp?"));
    for part in ["psrl-lagrangian\n", "0.01/0.01/0.5", "20/200/1000", "21/59/126", "power:0.333…", "1e-8"] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    let found = json(&["learners", "--json"]);
    let names: Vec<&str> = found.as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
    assert!(names.len() > 20 && names.iter().all(|name| list.contains(&format!("  {name} "))), "{list}");
    for learner in found.as_array().unwrap() {
        assert!(learner["description"].is_string());
        for option in learner["options"].as_array().unwrap() {
            assert!(option["description"].is_string() && option["takes"].is_string(), "{option}");
            assert_eq!(option["values"]["sound"].as_object().unwrap().len(), 3, "{option}");
        }
    }
    let optimistic = found.as_array().unwrap().iter().find(|one| one["name"] == "cucrl-optimistic").unwrap();
    let options = optimistic["options"].as_array().unwrap();
    let coef = options.iter().find(|option| option["name"] == "coef").unwrap();
    assert_eq!(
        coef["values"]["paper"],
        json!({"marsrover-4x4": "0.01", "marsrover-8x8": "0.01", "box": "0.5"})
    );
}

/// Asserts that a run was stopped on its way, and that table and averages are about the rounds that it has.
fn assert_stopped(found: &Value, table: &str, stopped: &str, rounds: u64) {
    assert_eq!((&found["stopped"], &found["rounds"]), (&json!(stopped), &json!(rounds)));
    let done = found["rounds_done"].as_u64().unwrap();
    assert!(0 < done && done < rounds, "{done}");
    let last: Vec<f64> = table.lines().last().unwrap().split(',').map(|cell| cell.parse().unwrap()).collect();
    assert_eq!((last[0], last[1] / last[0]), (done as f64, number(&found["average_reward"])));
    assert!(found["last_policy"]["gain"].is_f64(), "{}", found["last_policy"]);
}

#[test]
fn a_run_that_reaches_its_time_limit_keeps_its_record_so_far() {
    let file = path(&folder("learn-limit"), "run.csv");
    let rounds = ["learn", "marsrover-8x8", "uniform", "--rounds", "1000000000000", "--time-limit", "0.3"];
    let found = json(&[&rounds[..], &["--json", "--csv", &file]].concat());
    assert_stopped(&found, &std::fs::read_to_string(&file).unwrap(), "time-limit", 1_000_000_000_000);
    let told = out(&rounds);
    assert!(told.contains("\n--time-limit 0.3 ran out after "), "{told}");
    assert!(told.contains(" of 1000000000000 rounds, which all of this is about\n"), "{told}");
    assert!(told.contains("all rounds") && told.contains("violation of risk"), "{told}");
    let output = run(&["learn", "marsrover-8x8", "uniform", "--time-limit", "0.000001"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() != Some(2) && errors.lines().count() <= 1, "{errors}");
}

#[test]
fn a_long_run_is_foreseen_and_a_prior_of_all_states_is_told() {
    let map = large_map(&folder("learn-long"), 16);
    let args = ["learn", &map, "psrl-transitions", "--slip", "0.1", "--rounds", "1000000000"];
    let output = run(&[&args[..], &["--set", "epochs=fixed:10", "--time-limit", "2", "--json"]].concat());
    let errors = String::from_utf8(output.stderr).unwrap();
    let hint = "psrl-transitions: prior=add:0.1 gives every pair a row of all 256 states; prior=sparse:1 plans in a \
                fraction of the time\n";
    assert!(errors.starts_with(hint), "{errors}");
    // On a computer that is busy the limit may come before the first plans are timed.
    let foreseen = "psrl-transitions: at most 100000000 plans of about ";
    assert!(errors.lines().count() == 1 || errors.contains(foreseen), "{errors}");
}

#[test]
fn a_sparse_posterior_learns_without_being_told_anything() {
    let map = large_map(&folder("learn-sparse"), 16);
    let args = ["learn", &map, "psrl-transitions", "--slip", "0.1", "--rounds", "100", "--json"];
    let found = json(&[&args[..], &["--set", "prior=sparse:1"]].concat());
    assert_eq!((&found["settings"]["prior"], &found["rounds_done"]), (&json!("sparse:1"), &json!(100)));
    let error = refused(&["learn", "queue", "psrl-transitions", "--set", "prior=sparse:11"]);
    assert!(error.starts_with("prior is sparse:11, expected add:α, floor:x or known:α with"), "{error}");
    assert!(error.ends_with("sparse:α with one from 1e-6 to 10, or file:PATH"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_run_with_its_record_so_far() {
    use crate::program::signals::interrupted;
    use std::time::Duration;
    let file = path(&folder("learn-signal"), "run.csv");
    let args = ["learn", "marsrover-8x8", "uniform", "--rounds", "1000000000000", "--json", "--csv", &file];
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let (output, after) = interrupted(&args, signal);
        assert!(after < Duration::from_secs(10), "a run ends soon after a signal");
        let errors = String::from_utf8(output.stderr).unwrap();
        if output.status.code() == Some(0) {
            let found = serde_json::from_slice(&output.stdout).unwrap();
            assert_stopped(&found, &std::fs::read_to_string(&file).unwrap(), "interrupt", 1_000_000_000_000);
            continue;
        }
        // The signal came before the first round.
        assert_eq!((output.status.code(), output.stdout.len()), (Some(code), 0), "{errors}");
        assert_eq!(errors, "error: interrupted before the first of 1000000000000 rounds\n");
    }
}
