//! The program as its users meet it: what it prints, what it writes, and how it refuses.

use crate::program::{TWO_ROOMS, assert_tells, folder, json, out, path, refused, run, start};
use serde_json::Value;

fn assert_close(found: &Value, expected: f64) {
    let found = found.as_f64().unwrap();
    assert!((found - expected).abs() < 1e-7, "found {found}, expected {expected}");
}

#[test]
fn solve_tells_gain_costs_and_prices_and_draws_the_grid() {
    let text = out(&["solve", "marsrover-4x4"]);
    let parts = [
        "16 states, 64 pairs, 1 cost",
        "gain -0.775",
        "binds",
        "adds 0.5 to the gain",
        "┌───────┬",
        "⇑89 ←11",
    ];
    assert_tells(&text, &parts);
}

#[test]
fn solve_draws_a_panel_for_each_position_of_the_box() {
    let text = out(&["solve", "box"]);
    assert!(text.contains("gain -0.865") && text.contains("% of the time") && text.contains('▣'), "{text}");
}

#[test]
fn solve_in_json_has_everything_a_program_needs() {
    let found = json(&["solve", "marsrover-4x4", "--json"]);
    assert_close(&found["gain"], -0.775);
    assert_close(&found["costs"][0], 0.2);
    assert_close(&found["prices"][0], 0.5);
    assert_eq!((found["states"].as_u64(), found["pairs"].as_u64()), (Some(16), Some(64)));
    assert_eq!((found["verdict"].as_str(), found["planner"].as_str()), (Some("optimal"), Some("prices")));
    let occupancy: f64 = found["occupancy"].as_array().unwrap().iter().filter_map(Value::as_f64).sum();
    assert!((occupancy - 1.0).abs() < 1e-9);
    let rows = found["policies"][0]["rows"].as_array().unwrap();
    for row in rows {
        let sum: f64 = row.as_array().unwrap().iter().filter_map(Value::as_f64).sum();
        assert!((sum - 1.0).abs() < 1e-9);
    }
    assert_eq!(rows.len(), 16);
}

#[test]
fn all_planners_and_scopes_give_the_same_gain_on_the_rover() {
    for planner in ["prices", "prices-vi", "lp"] {
        for scope in ["start", "anywhere"] {
            let found = json(&["solve", "marsrover-4x4", "--planner", planner, "--scope", scope, "--json"]);
            assert_close(&found["gain"], -0.775);
        }
    }
    let found = json(&["solve", "marsrover-4x4", "--from-state", "3", "--json"]);
    assert_eq!(found["scope"], "state");
    assert_close(&found["gain"], -0.775);
}

#[test]
fn options_of_the_environment_reach_it() {
    let found = json(&["solve", "marsrover-4x4", "--slip", "0.1", "--bump-cost", "false", "--json"]);
    assert_close(&found["gain"], -0.8047064161);
    let found = json(&["solve", "box", "--states", "all", "--set", "slip=0.1", "--json"]);
    assert_eq!(found["states"], 121);
    assert_close(&found["gain"], -0.8759771375);
}

#[test]
fn budgets_are_given_in_order_or_by_name() {
    assert_close(&json(&["solve", "marsrover-4x4", "--budget", "0", "--json"])["gain"], -0.875);
    let free = json(&["solve", "marsrover-4x4", "--budget", "inf", "--json"]);
    assert_close(&free["gain"], -0.75);
    assert!(free["budgets"][0].is_null());
    assert_close(&json(&["solve", "queue", "--json"])["gain"], 4.473738334576);
}

#[test]
fn a_budget_that_cannot_be_met_is_an_answer_not_an_error() {
    let text = out(&["solve", "marsrover-4x4", "--slip", "0.1", "--budget", "0"]);
    assert!(text.contains("infeasible: no policy meets the budgets"), "{text}");
    assert!(text.contains("the smallest budget that would do"), "{text}");
    let found = json(&["solve", "marsrover-4x4", "--slip", "0.1", "--budget", "0", "--json"]);
    assert_eq!(found["verdict"], "infeasible");
    assert_close(&found["least_costs"][0], 0.0013547562);
    // The violation is in units of the greatest cost of a pair: a risky neighbour is entered with 1 − 0.1 + 0.1 · 3/4.
    assert_close(&found["violation"], 0.0013547562 / 0.975);
    assert!(found["gain"].is_null());
}

#[test]
fn a_drn_file_is_solved_with_costs_of_both_directions() {
    let folder = folder("drn");
    let file = path(&folder, "rooms.drn");
    std::fs::write(&file, TWO_ROOMS).unwrap();
    let most = json(&["solve", &file, "--reward", "pay", "--cost", "risk=0.25", "--json"]);
    assert_close(&most["gain"], 0.25);
    let least = json(&["solve", &file, "--reward", "pay", "--cost", "risk>=0.5", "--json"]);
    assert_close(&least["gain"], 1.0);
    assert_close(&least["costs"][0], 1.0);
    assert_eq!((&least["budgets"][0], &least["directions"][0]), (&Value::from(0.5), &Value::from(">=")));
    let none = json(&["solve", &file, "--reward", "pay", "--cost", "risk>=1.5", "--json"]);
    assert_eq!(none["verdict"], "infeasible");
    assert!(out(&["solve", &file, "--reward", "pay", "--cost", "risk>=1.5"]).contains("--cost 'risk>=1'"));
}

#[test]
fn at_least_works_on_environments_too() {
    let found = json(&["solve", "marsrover-4x4", "--cost", "risk>=0.1", "--json"]);
    assert_close(&found["gain"], -0.75);
    assert!(found["costs"][0].as_f64().unwrap() >= 0.1 - 1e-9);
}

#[test]
fn a_policy_is_written_as_a_table_and_a_picture() {
    let folder = folder("policy");
    let (csv, svg) = (path(&folder, "p.csv"), path(&folder, "p.svg"));
    out(&["solve", "marsrover-4x4", "--policy", &csv, "--svg", &svg]);
    let table = std::fs::read_to_string(&csv).unwrap();
    assert!(table.starts_with("policy,weight,state,action,probability,occupancy\n0,1,"), "{table}");
    assert_eq!(table.lines().count(), 65);
    let picture = std::fs::read_to_string(&svg).unwrap();
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
    assert_eq!(left.len(), 2, "no temporary files stay behind");
    let error = refused(&["solve", "queue", "--svg", &svg]);
    assert!(error.contains("queue") && error.contains("--policy"), "{error}");
}

#[test]
fn a_frontier_is_told_written_and_drawn() {
    let folder = folder("frontier");
    let (csv, svg) = (path(&folder, "f.csv"), path(&folder, "f.svg"));
    let text = out(&["frontier", "marsrover-4x4", "--csv", &csv, "--svg", &svg]);
    assert!(
        text.contains("2 break points") && text.contains("at the model's budget 0.2 the gain is -0.775"),
        "{text}"
    );
    assert_eq!(std::fs::read_to_string(&csv).unwrap().lines().count(), 3);
    assert!(std::fs::read_to_string(&svg).unwrap().contains("budget 0.2: gain -0.775"));
    let found = json(&["frontier", "marsrover-4x4", "--json"]);
    assert_close(&found["points"][0]["price"], 0.5);
    assert_close(&found["points"][1]["budget"], 0.25);
    let error = refused(&["frontier", "box", "--points", "1"]);
    assert!(error.ends_with("expected a count from 2 on: both ends are always found"), "{error}");
    assert!(refused(&["frontier", "queue"]).contains("--cost-name"));
    assert!(out(&["frontier", "queue", "--cost-name", "service"]).contains("`service`"));
}

#[test]
fn the_list_of_environments_can_be_read_by_both() {
    assert!(out(&["envs"]).contains("marsrover-4x4       16     64"));
    let names: Vec<Value> =
        json(&["envs", "--json"]).as_array().unwrap().iter().map(|e| e["name"].clone()).collect();
    assert!(names.contains(&Value::from("box")) && names.contains(&Value::from("queue")));
}

#[test]
fn an_exported_model_has_the_same_optimum() {
    let folder = folder("export");
    let (cmdp, drn) = (path(&folder, "rover.cmdp"), path(&folder, "rover.drn"));
    out(&["export", "marsrover-4x4", "--slip", "0.1", "--cmdp", &cmdp]);
    assert_close(&json(&["solve", &cmdp, "--json"])["gain"], -0.8048553699);
    out(&["export", "marsrover-4x4", "--slip", "0.1", "--drn", &drn]);
    let text = std::fs::read_to_string(&drn).unwrap();
    let models = text.lines().skip_while(|line| *line != "@reward_models").nth(1).unwrap();
    let names: Vec<&str> = models.split_whitespace().collect();
    let cost = format!("{}=0.2", names[1]);
    assert_close(
        &json(&["solve", &drn, "--reward", names[0], "--cost", &cost, "--json"])["gain"],
        -0.8048553699,
    );
    assert!(out(&["export", "box", "--drn", "-"]).contains("@nr_states\n60\n"));
}

#[test]
fn a_binary_model_gives_the_same_answer_to_the_last_bit_and_is_refused_if_it_is_damaged() {
    let folder = folder("binary");
    let (text, binary) = (path(&folder, "rover.cmdp"), path(&folder, "rover.occ"));
    out(&["export", "marsrover-4x4", "--slip", "0.1", "--cmdp", &text]);
    out(&["export", &text, "--binary", &binary]);
    let answer = |file: &str| {
        let mut answer = json(&["solve", file, "--json"]);
        let object = answer.as_object_mut().unwrap();
        ["seconds", "source"].iter().for_each(|key| drop(object.remove(*key)));
        answer
    };
    assert_eq!(answer(&binary), answer(&text));
    let mut bytes = std::fs::read(&binary).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&binary, &bytes).unwrap();
    let said = refused(&["solve", &binary]);
    assert!(said.contains("rover.occ") && said.contains("its checksum"), "{said}");
    let said = refused(&["solve", &binary, "--normalise"]);
    assert!(said.contains("normalise"), "{said}");
}

#[test]
fn export_does_not_replace_a_file_unless_forced() {
    let folder = folder("force");
    let file = path(&folder, "model.cmdp");
    std::fs::write(&file, "precious").unwrap();
    assert!(refused(&["export", "box", "--cmdp", &file]).contains("--force"));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "precious");
    out(&["export", "box", "--cmdp", &file, "--force"]);
    assert_ne!(std::fs::read_to_string(&file).unwrap(), "precious");
}

#[test]
fn a_map_file_is_a_gridworld() {
    let folder = folder("map");
    let file = path(&folder, "small.map");
    std::fs::write(&file, "W W W W W\nW S 0 G W\nW W W W W\n").unwrap();
    let found = json(&["solve", &file, "--json"]);
    assert_eq!(found["states"], 3);
    assert_close(&found["gain"], -2.0 / 3.0);
    assert!(out(&["solve", &file]).contains("⇒"));
}

#[test]
fn unknown_sources_are_refused_with_what_there_is() {
    let error = refused(&["solve", "marsrover-4x5"]);
    assert!(error.contains("did you mean marsrover-4x4?"), "{error}");
    assert!(error.contains("queue") && error.contains(".drn"), "{error}");
    assert!(refused(&["solve", "missing.drn"]).contains("missing.drn"));
    assert!(refused(&["solve", env!("CARGO_TARGET_TMPDIR")]).contains("folder"));
}

#[test]
fn options_that_do_not_apply_are_refused_by_name() {
    let error = refused(&["solve", "queue", "--slip", "0.1"]);
    assert!(error.contains("--slip") && error.contains("queue"), "{error}");
    let error = refused(&["solve", "box", "--reward", "pay"]);
    assert!(error.contains("--reward") && error.contains("box"), "{error}");
    let folder = folder("apply");
    let file = path(&folder, "rooms.drn");
    std::fs::write(&file, TWO_ROOMS).unwrap();
    assert!(refused(&["solve", &file, "--states", "all"]).contains("--states"));
    assert!(refused(&["solve", &file, "--reward", "nothing"]).contains("nothing"));
}

#[test]
fn wrong_budgets_and_costs_are_refused() {
    assert!(refused(&["solve", "box", "--budget", "1", "2"]).contains("2 budgets"));
    assert!(refused(&["solve", "box", "--cost", "nothing=1"]).contains("unknown cost nothing"));
    assert!(refused(&["solve", "box", "--from-state", "9999"]).contains("no such state"));
    assert!(refused(&["solve", "marsrover-4x4", "--slip", "2"]).contains("slip"));
    assert_eq!(run(&["solve", "box", "--budget", "much"]).status.code(), Some(2));
    assert_eq!(run(&["solve"]).status.code(), Some(2));
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    for args in [&["envs"][..], &["solve", "marsrover-8x8", "--json"]] {
        let mut child = start(args);
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()), "{args:?}");
    }
}

#[test]
fn every_help_has_examples() {
    for command in ["solve", "frontier", "learn", "envs", "learners", "export"] {
        assert!(out(&[command, "--help"]).contains(&format!("occupancy {command} ")), "{command}");
    }
}

/// A corner for each of 60 ways to spend a budget, the later the less it brings.
#[test]
fn of_a_long_frontier_some_points_are_shown_or_found() {
    let folder = folder("long-frontier");
    let (file, csv) = (path(&folder, "long.cmdp"), path(&folder, "long.csv"));
    let way = |i: usize| format!("  way{i} reward {} cost {i} -> here\n", i * (200 - i));
    std::fs::write(&file, format!("cost cost <= 30.5\nstate here\n{}", (0..60).map(way).collect::<String>()))
        .unwrap();
    let text = out(&["frontier", &file]);
    let shown = text.lines().filter(|line| line.contains('≤')).count();
    assert!(text.contains("60 break points") && (38..=40).contains(&shown), "{text}");
    assert!(text.contains(&format!("\n{shown} of them are shown; --all, --csv and --json ")), "{text}");
    assert_eq!(out(&["frontier", &file, "--all"]).lines().filter(|line| line.contains('≤')).count(), 60);
    let few = json(&["frontier", &file, "--points", "5", "--csv", &csv, "--json"]);
    let (points, missing) = (few["points"].as_array().unwrap(), few["missing"].as_f64().unwrap());
    assert_eq!((points.len(), few["unsearched"].as_array().unwrap().len()), (5, 4), "{few}");
    assert_eq!(std::fs::read_to_string(&csv).unwrap().lines().count(), 6);
    // The gain at every whole budget is known; none is further above the line than is said.
    for two in points.windows(2) {
        let at = |i: usize| (two[i]["budget"].as_f64().unwrap(), two[i]["gain"].as_f64().unwrap());
        let ((left, low), (right, high)) = (at(0), at(1));
        for budget in (left.ceil() as usize)..(right as usize) {
            let line = low + (high - low) / (right - left) * (budget as f64 - left);
            assert!((budget * (200 - budget)) as f64 <= line + missing + 1e-6, "{budget}: {missing}");
        }
    }
}
