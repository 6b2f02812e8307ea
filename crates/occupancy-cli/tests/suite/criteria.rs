//! Discounted sums, episodes and sums until absorption on the command line: answers, proofs, tables, policies and runs.

use crate::program::{folder, json, out, path, refused, run};
use serde_json::Value;

const MACHINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/machine.cmdp");

const CRITERIA: [&[&str]; 3] = [
    &["--discount", "0.9", "--cost", "crew=1", "--cost", "scrap=4"],
    &["--horizon", "6", "--cost", "crew=1", "--cost", "scrap=2"],
    &["--until", "broken", "--cost", "crew=50", "--cost", "scrap=20"],
];

fn solved(criterion: &[&str], more: &[&str]) -> Value {
    let args: Vec<&str> = ["solve", MACHINE, "--json"].iter().chain(criterion).chain(more).copied().collect();
    json(&args)
}

fn assert_close(value: &Value, expected: f64) {
    assert!((value.as_f64().unwrap() - expected).abs() < 1e-8, "{value} instead of {expected}");
}

fn sum(value: &Value) -> f64 {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).sum()
}

#[test]
fn an_answer_says_its_criterion_and_is_in_its_units() {
    let [discounted, episodes, until] = CRITERIA.map(|criterion| solved(criterion, &[]));
    assert_eq!((&discounted["criterion"], &discounted["discount"]), (&"discounted".into(), &0.9.into()));
    assert_eq!((&episodes["criterion"], &episodes["horizon"]), (&"episodes".into(), &6.into()));
    assert_eq!((&until["criterion"], &until["until"][0]), (&"until".into(), &"broken".into()));
    assert!((sum(&discounted["occupancy"]) - 10.0).abs() < 1e-9);
    assert!((sum(&episodes["occupancy"]) - 6.0).abs() < 1e-9);
    assert_eq!(episodes["policies"][0]["stages"].as_array().unwrap().len(), 6);
    assert_eq!(discounted["policies"][0]["rows"].as_array().unwrap().len(), 3);
    for answer in [discounted, episodes, until] {
        assert_eq!(answer["verdict"], "optimal");
        let (gain, gap) = (answer["gain"].as_f64().unwrap(), answer["gap"].as_f64().unwrap());
        assert!(gap < 1e-9 * gain.abs(), "{gap} of {gain}");
    }
}

#[test]
fn answers_verify_and_damaged_ones_do_not() {
    let folder = folder("criteria/verify");
    for criterion in CRITERIA {
        let mut answer = solved(criterion, &["--witness"]);
        let file = path(&folder, "answer.json");
        std::fs::write(&file, answer.to_string()).unwrap();
        assert!(out(&["verify", MACHINE, &file]).contains("proved, without a planner"));
        let claimed = answer["gain"].as_f64().unwrap();
        answer["gain"] = (claimed + 1.0).into();
        std::fs::write(&file, answer.to_string()).unwrap();
        assert_eq!(run(&["verify", MACHINE, &file]).status.code(), Some(1), "{criterion:?}");
    }
}

#[test]
fn budgets_out_of_reach_are_an_answer_with_a_proof() {
    let folder = folder("criteria/infeasible");
    let criterion = ["--horizon", "6", "--cost", "crew=1", "--cost", "scrap=0.1"];
    let answer = solved(&criterion, &["--witness"]);
    assert_eq!(answer["verdict"], "infeasible");
    let file = path(&folder, "answer.json");
    std::fs::write(&file, answer.to_string()).unwrap();
    assert!(out(&["verify", MACHINE, &file]).contains("no policy meets the budgets"));
}

#[test]
fn a_policy_is_evaluated_to_what_it_was_solved_for() {
    let folder = folder("criteria/evaluate");
    let file = path(&folder, "policy.csv");
    for criterion in CRITERIA {
        let answer = solved(criterion, &["--policy", &file]);
        let head = std::fs::read_to_string(&file).unwrap().lines().next().unwrap().to_string();
        assert_eq!(head.contains("stage"), criterion[0] == "--horizon", "{head}");
        let args: Vec<&str> =
            ["evaluate", MACHINE, &file, "--json"].iter().chain(criterion).copied().collect();
        let found = json(&args);
        assert_eq!(found["criterion"], answer["criterion"]);
        let (solved, evaluated) = (answer["gain"].as_f64().unwrap(), found["gain"].as_f64().unwrap());
        assert!((solved - evaluated).abs() < 1e-9 * solved.abs(), "{solved} {evaluated}");
    }
}

#[test]
fn a_frontier_has_the_value_of_the_models_own_budget() {
    for criterion in CRITERIA {
        let answer = solved(criterion, &[]);
        let args: Vec<&str> = ["frontier", MACHINE, "--json", "--cost-name", "scrap"]
            .iter()
            .chain(criterion)
            .copied()
            .collect();
        let frontier = json(&args);
        let (here, solved) = (frontier["gain"].as_f64().unwrap(), answer["gain"].as_f64().unwrap());
        assert!((here - solved).abs() < 1e-7 * solved.abs(), "{criterion:?}: {here} {solved}");
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    assert!(refused(&["solve", MACHINE, "--discount", "1.5"]).contains("a number between 0 and 1"));
    assert!(refused(&["solve", MACHINE, "--horizon", "3", "--scope", "anywhere"]).contains("--from-state"));
    assert!(refused(&["solve", MACHINE, "--horizon", "3", "--planner", "lp"]).contains("`prices` alone"));
    assert!(refused(&["solve", MACHINE, "--until", "nowhere"]).contains("no such state"));
    assert!(
        refused(&["solve", MACHINE, "--until", "new", "--discount", "0.9"]).contains("cannot be used with")
    );
}

#[test]
fn episodes_are_drawn_stage_by_stage() {
    let folder = folder("criteria/svg");
    let file = path(&folder, "rover.svg");
    out(&["solve", "marsrover-4x4", "--horizon", "5", "--cost", "risk=1", "--svg", &file]);
    let picture = std::fs::read_to_string(&file).unwrap();
    assert!(picture.contains("step 1") && picture.contains("step 5"));
}

#[test]
fn the_oracle_of_episodes_has_no_value_regret() {
    let args = ["learn", "marsrover-4x4", "oracle", "--horizon", "8", "--episodes", "50", "--json"];
    let found = json(&args);
    assert_eq!((&found["rounds"], &found["horizon"]), (&400.into(), &8.into()));
    for gaps in [&found["value_regret"], &found["value_violation"][0]] {
        for kind in ["signed", "strong"] {
            assert!(gaps[kind].as_f64().unwrap().abs() < 1e-9, "{gaps}");
        }
    }
    let args = ["learn", "marsrover-4x4", "uniform", "--horizon", "8", "--episodes", "50", "--json"];
    let uniform = json(&args);
    let (signed, strong) = (&uniform["value_regret"]["signed"], &uniform["value_regret"]["strong"]);
    assert!(signed.as_f64().unwrap() > 1.0 && signed == strong, "{signed} {strong}");
}

#[test]
fn runs_of_episodes_record_their_value_gaps() {
    let folder = folder("criteria/run");
    let (file, results) = (path(&folder, "episodes.toml"), path(&folder, "results"));
    let text = "episodes = 20\nruns = 2\ncriterion = \"episodes\"\n[env]\nname = \"marsrover-4x4\"\nhorizon = 6\n\
                [[learner]]\nname = \"oracle\"\n[[learner]]\nname = \"uniform\"\n";
    std::fs::write(&file, text).unwrap();
    run(&["run", &file, "--out", &results]);
    let trial = std::fs::read_to_string(format!("{results}/episodes/trials/uniform/000.csv")).unwrap();
    let head = trial.lines().next().unwrap();
    assert!(head.ends_with("value_regret,value_violation_0,strong_regret,strong_violation_0"), "{head}");
    let last: Vec<f64> = trial.lines().last().unwrap().split(',').map(|x| x.parse().unwrap()).collect();
    assert_eq!(last[0], 120.0);
    assert!(last[last.len() - 4] > 1.0, "{last:?}");
    out(&["stats", &format!("{results}/episodes")]);
}

#[test]
fn an_environment_of_episodes_is_asked_about_its_own_unless_told_otherwise() {
    let media = json(&["solve", "media", "--json"]);
    assert_eq!((&media["criterion"], &media["horizon"]), (&"episodes".into(), &10.into()));
    assert_close(&media["gain"], 3.2532957884414446);
    assert_eq!(json(&["solve", "media", "--horizon", "4", "--json"])["horizon"], 4);
    assert_eq!(json(&["solve", "media", "--discount", "0.9", "--json"])["criterion"], "discounted");
    let jobs = json(&["learn", "job-scheduling", "oracle", "--episodes", "20", "--json"]);
    assert_eq!((&jobs["rounds"], &jobs["horizon"]), (&200.into(), &10.into()));
    assert!(jobs["value_regret"]["strong"].as_f64().unwrap() < 1e-9);
    assert_eq!(
        refused(&["learn", "queue", "uniform", "--episodes", "5"]),
        "--episodes needs --horizon: queue has no episodes of its own"
    );
    assert!(
        refused(&["solve", "media", "--set", "horizon=3", "--horizon", "4"])
            .contains("horizon is given twice")
    );
}

#[test]
fn stages_of_a_garnet_differ_in_every_command() {
    let options = ["--set", "states=4", "--set", "actions=3", "--set", "costs=2", "--set", "seed=7"];
    let solved = json(&[&["solve", "garnet", "--horizon", "5", "--json"][..], &options].concat());
    assert_close(&solved["gain"], 3.712699830133696);
    let learnt = json(
        &[&["learn", "garnet", "oracle", "--horizon", "5", "--episodes", "9", "--json"][..], &options]
            .concat(),
    );
    assert_close(&learnt["levels"]["optimal"]["gain"], 3.712699830133696 / 5.0);
}

#[test]
fn runs_of_averages_record_their_value_gaps_if_they_are_asked_to() {
    let folder = folder("criteria/values");
    let trial = |name: &str, values: &str| {
        let (file, results) = (path(&folder, &format!("{name}.toml")), path(&folder, "results"));
        let text = format!(
            "rounds = 500\nruns = 2\n{values}\n[env]\nname = \"marsrover-4x4\"\nslip = 0.1\n\
             [[learner]]\nname = \"oracle\"\n[[learner]]\nname = \"uniform\"\n"
        );
        std::fs::write(&file, text).unwrap();
        run(&["run", &file, "--out", &results]);
        std::fs::read_to_string(format!("{results}/{name}/trials/uniform/001.csv")).unwrap()
    };
    let (plain, told) = (trial("plain", ""), trial("told", "values = true"));
    assert_eq!(plain, trial("unsaid", "values = false"));
    for (plain, told) in plain.lines().zip(told.lines()) {
        assert!(told.starts_with(&format!("{plain},")), "the other columns stay as they are: {told}");
    }
    let head = told.lines().next().unwrap();
    assert!(head.ends_with("value_regret,value_violation_0,strong_regret,strong_violation_0"), "{head}");
    let last: Vec<f64> = told.lines().last().unwrap().split(',').map(|x| x.parse().unwrap()).collect();
    let [regret, violation, strong, _] = last[last.len() - 4..] else { panic!("{last:?}") };
    assert!(regret > 1.0 && regret == strong && violation.is_finite(), "{last:?}");
    let oracle = std::fs::read_to_string(path(&folder, "results/told/trials/oracle/000.csv")).unwrap();
    let last: Vec<f64> = oracle.lines().last().unwrap().split(',').map(|x| x.parse().unwrap()).collect();
    assert!(last[last.len() - 4..].iter().all(|gap| gap.abs() < 1e-8), "{last:?}");
}
