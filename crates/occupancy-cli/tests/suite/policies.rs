//! Policies: shown as tables, without lotteries, evaluated, and followed step by step.

use crate::program::{TWO_ROOMS_TEXT, folder, json, out, path, refused, run, run_on};
use serde_json::json;

const MACHINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/machine.cmdp");

#[test]
fn the_policy_of_a_small_model_is_shown_with_the_states_that_matter_first() {
    let text = out(&["solve", MACHINE]);
    let table: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("state ")).collect();
    let expected = [
        "state   action   probability  share of time",
        "new     fast           58.8%          49.2%",
        "new     slow           41.2%          34.4%",
        "worn    service        71.9%          11.1%",
        "worn    fast           28.1%           4.3%",
        "broken  repair          100%           0.9%",
    ];
    assert_eq!(table, expected);
    let large = out(&["solve", "garnet", "--set", "states=60"]);
    let rows = large.lines().skip_while(|line| !line.starts_with("state ")).count();
    assert!(
        (30..=33).contains(&rows) && large.contains(" more, all of them in --policy FILE.csv\n"),
        "{large}"
    );
    let mixture = out(&["solve", &MACHINE.replace("machine", "offer")]);
    assert!(mixture.contains("policy  state  action  probability  share of time\n"), "{mixture}");
    assert!(mixture.contains("home   leave          100%             0%\n"), "{mixture}");
}

#[test]
fn an_answer_names_states_actions_and_costs() {
    let found = json(&["solve", MACHINE, "--json"]);
    assert_eq!(found["state_names"], json!(["new", "worn", "broken"]));
    assert_eq!(found["action_names"][1], json!(["fast", "slow", "service"]));
    assert_eq!(found["cost_names"], json!(["crew", "scrap"]));
    let folder = folder("policies/columns");
    let (record, corners) = (path(&folder, "run.csv"), path(&folder, "corners.csv"));
    out(&["learn", MACHINE, "uniform", "--rounds", "5", "--csv", &record]);
    let head = std::fs::read_to_string(&record).unwrap().lines().next().unwrap().to_string();
    assert_eq!(
        head,
        "step,reward,cost_crew,cost_scrap,shortfall,excess_crew,excess_scrap,epochs,infeasible,multichain"
    );
    out(&["frontier", MACHINE, "--cost-name", "scrap", "--csv", &corners]);
    assert!(std::fs::read_to_string(&corners).unwrap().starts_with("budget_scrap,gain,price_scrap\n"));
}

#[test]
fn operators_who_refuse_lotteries_get_the_best_policy_without_them() {
    let folder = folder("policies/deterministic");
    let (policy, answer) = (path(&folder, "policy.csv"), path(&folder, "answer.json"));
    let found = json(&["solve", MACHINE, "--deterministic", "--json", "--witness", "--policy", &policy]);
    std::fs::write(&answer, found.to_string()).unwrap();
    let (gain, gap) = (found["gain"].as_f64().unwrap(), found["gap"].as_f64().unwrap());
    let with_lotteries = json(&["solve", MACHINE, "--json"])["gain"].as_f64().unwrap();
    // Slow and serviced, from the six policies by hand.
    assert!((gain - 120.0 / 21.0).abs() < 1e-9, "{gain}");
    assert!((gain + gap - with_lotteries).abs() < 1e-9, "the gap is that to lotteries");
    assert_eq!((&found["gap_deterministic"], &found["verdict"]), (&json!(0.0), &json!("feasible")));
    let table = std::fs::read_to_string(&policy).unwrap();
    assert!(table.lines().skip(1).all(|line| matches!(line.split(',').nth(4), Some("0" | "1"))), "{table}");
    let proof = out(&["verify", MACHINE, &answer]);
    assert!(proof.contains("no policy within the budgets earns more than 7.357"), "{proof}");
    assert!(proof.contains(
        "not proved, but found by a search: no policy without lotteries is better (gap_deterministic)"
    ));
    assert_eq!(json(&["verify", MACHINE, &answer, "--json"])["unproved"], json!(["gap_deterministic"]));
    let text = out(&["solve", MACHINE, "--deterministic"]);
    assert!(
        text.contains("within the budgets; the best policy without lotteries, by a search through "),
        "{text}"
    );
    assert!(text.contains(" below the optimum with lotteries"), "{text}");
}

#[test]
fn budgets_that_only_lotteries_meet_are_told_apart_from_those_that_nothing_meets() {
    let model = "cost c <= 0.5\ncost d <= 0.5\nstate a\n  x reward 1 c 1 -> a\n  y reward 1 d 1 -> a\n";
    let run = |args: &[&str]| run_on(model.as_bytes(), &[&["solve", "-", "--deterministic"], args].concat());
    let text = String::from_utf8(run(&[]).stdout).unwrap();
    assert!(text.contains("infeasible: no policy without lotteries meets the budgets\n"), "{text}");
    assert!(text.contains("with lotteries the budgets are met, at a gain of 1\n"), "{text}");
    let output = run(&["--json", "--witness"]);
    let folder = folder("policies/only-lotteries");
    let (file, answer) = (path(&folder, "m.cmdp"), path(&folder, "answer.json"));
    std::fs::write(&file, model).unwrap();
    std::fs::write(&answer, &output.stdout).unwrap();
    let refused = crate::program::run(&["verify", &file, &answer]);
    assert_eq!(refused.status.code(), Some(1));
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(
        said.contains("that no policy without lotteries meets the budgets rests on the search for one"),
        "{said}"
    );
    let hopeless = json(&["solve", "river-swim", "--cost", "effort<=-1", "--deterministic", "--json"]);
    assert_eq!(
        (&hopeless["verdict"], &hopeless["gain_with_lotteries"]),
        (&json!("infeasible"), &json!(null))
    );
}

#[test]
fn without_lotteries_there_has_to_be_a_start() {
    assert_eq!(
        refused(&["solve", "box", "--deterministic", "--scope", "anywhere"]),
        "--deterministic needs a start: it does not go together with --scope anywhere"
    );
}

#[test]
fn a_policy_is_evaluated_beside_the_optimum() {
    let folder = folder("policies/evaluate");
    let (file, best) = (path(&folder, "rooms.cmdp"), path(&folder, "best.csv"));
    std::fs::write(&file, TWO_ROOMS_TEXT).unwrap();
    out(&["solve", &file, "--policy", &best]);
    let (solved, found) = (json(&["solve", &file, "--json"]), json(&["evaluate", &file, &best, "--json"]));
    let close = |key: &str| (solved[key].as_f64().unwrap() - found[key].as_f64().unwrap()).abs() < 1e-9;
    assert!(close("gain") && found["gap"].as_f64().unwrap() < 1e-9, "{found}");
    let (low, high) = (found["gain_range"][0].as_f64().unwrap(), found["gain_range"][1].as_f64().unwrap());
    assert!(low <= found["gain"].as_f64().unwrap() && high - low < 1e-9);

    let stay = path(&folder, "stay.csv");
    std::fs::write(&stay, "state,action,probability\na,stay,1\nb,back,1\n").unwrap();
    let found = json(&["evaluate", &file, &stay, "--json"]);
    assert_eq!(
        (&found["gain"], &found["costs"], &found["optimum"]["verdict"]),
        (&json!(1.0), &json!([1.0]), &json!("optimal"))
    );
    assert!((found["budgets_missed_by"][0].as_f64().unwrap() - 0.5).abs() < 1e-9);
    let text = out(&["evaluate", &file, &stay]);
    assert!(text.contains("it misses the budget of `risk` by 0.5\n"), "{text}");
    assert!(text.contains("more than any policy within the budgets can"), "{text}");

    let leave = path(&folder, "leave.csv");
    std::fs::write(&leave, "state,action,probability\na,leave,1\nb,back,1\n").unwrap();
    let text = out(&["evaluate", &file, &leave, "--from-state", "b"]);
    assert!(
        text.contains("it earns 0.5 less than the optimum") && text.ends_with("counted from state b\n"),
        "{text}"
    );
    std::fs::write(&stay, "state,action,probability\na,sit,1\nb,back,1\n").unwrap();
    assert_eq!(
        refused(&["evaluate", &file, &stay]),
        format!("{stay}: line 2: state a has no action sit; its actions: stay, leave")
    );
    assert!(
        refused(&["evaluate", "-", "-"])
            .starts_with("the model and the policy cannot both be read from stdin")
    );
}

#[test]
fn a_mixture_is_evaluated_with_its_weights() {
    let offer = MACHINE.replace("machine", "offer");
    let file = path(&folder("policies/mixture"), "policy.csv");
    out(&["solve", &offer, "--policy", &file]);
    let found = json(&["evaluate", &offer, &file, "--json"]);
    assert!((found["gain"].as_f64().unwrap() - 2.0).abs() < 1e-9, "{found}");
    assert!((found["costs"][0].as_f64().unwrap() - 0.5).abs() < 1e-9);
}

#[test]
fn a_policy_is_followed_step_by_step_and_the_same_seed_walks_the_same_way() {
    let folder = folder("policies/simulate");
    let policy = path(&folder, "policy.csv");
    out(&["solve", MACHINE, "--policy", &policy]);
    let walk = |seed: &str| out(&["simulate", MACHINE, &policy, "--steps", "200", "--seed", seed]);
    let text = walk("7");
    assert_eq!(
        (text.lines().next(), text.lines().count()),
        (Some("step,state,action,next,reward,crew,scrap"), 201)
    );
    assert!(text.lines().nth(1).unwrap().starts_with("1,new,"));
    assert_eq!(text, walk("7"));
    assert_ne!(text, walk("8"));
    let steps: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert!(steps.windows(2).all(|two| two[0][3] == two[1][1]), "each step begins where the last one ended");
    let file = path(&folder, "walk.csv");
    let said = out(&["simulate", MACHINE, &policy, "--steps", "20000", "--out", &file]);
    let gain: f64 = said.split("reward ").nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
    assert!((gain - 7.357).abs() < 0.15, "{said}");
    assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 20_001);
    assert!(
        run(&["simulate", MACHINE, &policy, "--steps", "5", "--from-state", "worn"])
            .stdout
            .starts_with(b"step,state,action,next,reward,crew,scrap\n1,worn,")
    );
}
