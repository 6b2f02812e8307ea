//! Wrong arguments, as a new user gives them: one clear line with what is wrong and what would be right; exit code 2;
//! nothing lost.

// Helpers of tests fail like tests.
use crate::program::{TWO_ROOMS_TEXT, folder, path, refused, run};
use std::path::Path;

#[test]
fn names_that_nobody_has_get_a_suggestion_where_one_is_near() {
    for (given, meant) in [("bx", "box"), ("Box", "box"), ("rivrswim", "river-swim"), ("garnt", "garnet")] {
        let line = refused(&["solve", given]);
        assert!(
            line.starts_with(&format!("unknown source {given}, did you mean {meant}? (environments: ")),
            "{line}"
        );
    }
    assert!(refused(&["solve", "zebra"]).starts_with("unknown source zebra (environments: marsrover-4x4"));
    assert!(refused(&["solve", ""]).starts_with("unknown source '' (environments: "));
    assert!(refused(&["solve", "a\nb"]).starts_with("unknown source a\\nb (environments: "));
    assert_eq!(
        refused(&["frontier", "box", "--cost-name", "cornr"]),
        "unknown cost cornr; known: corner; did you mean corner?"
    );
}

#[test]
fn arguments_that_nobody_knows_are_refused_in_one_line() {
    let similar = "a similar";
    assert_eq!(
        refused(&["fronteir", "box"]),
        format!("unrecognized subcommand 'fronteir'; {similar} subcommand exists: 'frontier' (see --help)")
    );
    assert_eq!(
        refused(&["solve", "box", "--bugdet", "1"]),
        format!("unexpected argument '--bugdet' found; {similar} argument exists: '--budget' (see --help)")
    );
    assert_eq!(
        refused(&["solve"]),
        "the following required arguments were not provided: <SOURCE> (see --help)"
    );
    assert_eq!(
        refused(&["solve", "box", "--planner", "simplex"]),
        "invalid value 'simplex' for '--planner <PLANNER>' [possible values: prices, prices-vi, lp]"
    );
    assert_eq!(refused(&["envs", "extra"]), "unexpected argument 'extra' found (see --help)");
    assert!(refused(&["solve", "box", "box"]).starts_with("unexpected argument 'box' found"));
    assert!(refused(&[""]).starts_with("unrecognized subcommand ''"));
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let line = refused(&[OsStr::new("solve"), OsStr::from_bytes(b"\xff.drn")]);
    assert_eq!(line, "invalid UTF-8 was detected in one or more arguments (see --help)");
}

#[test]
fn wrong_budgets_are_refused_with_what_would_be_right() {
    for budget in ["nan", "much", "", "1 2", "0,,1"] {
        let line = refused(&["solve", "box", "--budget", budget]);
        assert!(
            line.ends_with(
                "for '--budget <X>...': expected a number or inf; the model comes before --budget"
            ),
            "{line}"
        );
    }
    for budget in ["-inf", "-nan"] {
        let wanted =
            format!("{budget} cannot be used: expected a number, or inf for a cost without a constraint");
        assert_eq!(refused(&["solve", "box", "--budget", budget]), wanted);
    }
    assert_eq!(
        refused(&["solve", "box", "--budget", "1", "2"]),
        "--budget gives 2 budgets, but box has 1 cost: corner"
    );
    for cost in ["corner", "corner=nan", "corner=-inf", "corner>=inf", "=1"] {
        let line = refused(&["solve", "box", "--cost", cost]);
        assert!(
            line.ends_with("expected NAME=BUDGET, 'NAME<=BUDGET' or 'NAME>=X', with a number or inf"),
            "{line}"
        );
    }
    let twice = "budgets are given twice: by --budget and by --set budget";
    assert_eq!(refused(&["solve", "box", "--set", "budget=1", "--budget", "2"]), twice);
    assert!(
        refused(&["solve", "box", "--cost", "corner=1", "--budget", "1"]).contains("cannot be used with")
    );
    assert_eq!(
        refused(&["solve", "box", "--set", "budget=nan"]),
        "budget is NaN, expected a number, or inf for no constraint"
    );
}

#[test]
fn wrong_options_of_environments_are_refused_with_what_would_be_right() {
    let slip = "expected a number from 0 to 1";
    for value in ["2", "-0.1", "NaN"] {
        assert_eq!(refused(&["solve", "box", "--slip", value]), format!("slip is {value}, {slip}"));
    }
    for value in ["x", ""] {
        let line = refused(&["solve", "box", "--slip", value]);
        assert_eq!(line, format!("invalid value '{value}' for '--slip <E>': {slip}"));
    }
    for (env, setting, wanted) in [
        ("box", "slip=", "slip is empty, expected a number from 0 to 1"),
        ("box", "slp=1", "--set slp does not apply to box: its options are slip, budget, states"),
        ("garnet", "states=0", "states is 0, expected a count from 1 to 100000"),
        (
            "garnet",
            "states=99999999999999999999",
            "states is 99999999999999999999, expected a count from 1 to 100000",
        ),
        ("garnet", "branching=21", "branching is 21, expected a count from 1 to the number of states"),
        ("garnet", "costs=-1", "costs is -1, expected a count from 0 to 100"),
        ("garnet", "costs=17", "more than 16 costs of a garnet without given budgets are not supported"),
        ("queue", "service=", "service is empty, expected numbers from 0 to 1, at least one"),
        ("queue", "flow=0.5,2", "flow is 0.5,2, expected numbers from 0 to 1, at least one"),
        ("queue", "budget=1", "1 budgets are given, but the model has 2 costs"),
        ("river-swim", "states=1", "states is 1, expected a count from 2 to 100000"),
    ] {
        assert_eq!(refused(&["solve", env, "--set", setting]), wanted);
    }
    for setting in ["slip", "=1"] {
        assert!(refused(&["solve", "box", "--set", setting]).ends_with("expected KEY=VALUE"));
    }
    assert_eq!(
        refused(&["solve", "box", "--slip", "0.1", "--set", "slip=0.2"]),
        "option slip is given twice"
    );
}

#[test]
fn a_state_that_is_none_is_refused_with_those_there_are() {
    let there = "no such state; they are r1c1+r1c2 to r4c4+r3c2, or 0 to 59 by index";
    for (given, shown) in [("99", "99"), ("60", "60"), ("-1", "-1"), ("r9c9", "r9c9"), ("", "''")] {
        assert_eq!(
            refused(&["solve", "box", "--from-state", given]),
            format!("--from-state {shown}: {there}")
        );
    }
    assert!(
        refused(&["solve", "box", "--scope", "start", "--from-state", "1"]).contains("cannot be used with")
    );
}

#[test]
fn options_that_do_not_fit_the_source_are_refused() {
    let folder = folder("bad/fit");
    let (map, model) = (path(&folder, "m.map"), path(&folder, "m.cmdp"));
    std::fs::write(&map, "S0G").unwrap();
    std::fs::write(&model, TWO_ROOMS_TEXT).unwrap();
    assert_eq!(
        refused(&["solve", &map, "--states", "all"]),
        "option states applies only to a map with a box (X)"
    );
    assert_eq!(refused(&["solve", &map, "--set", "file=x"]), "option file is given twice");
    assert!(refused(&["solve", &model, "--slip", "0.1"]).ends_with("a model file has no options"));
    assert!(refused(&["solve", &model, "--reward", "r"]).contains("--reward does not apply to"));
    assert!(refused(&["solve", &model, "--svg", &path(&folder, "x.svg")]).contains("--svg draws gridworlds"));
    assert!(refused(&["frontier", "garnet", "--set", "costs=0"]).contains("garnet has no costs"));
    assert!(refused(&["export", "box"]).contains("--drn <FILE>|--cmdp <FILE>"));
}

/// Everything in a folder, by name.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let read = |entry: std::fs::DirEntry| {
        (entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path()).unwrap_or_default())
    };
    let mut all: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| read(entry.unwrap())).collect();
    all.sort();
    all
}

#[test]
fn a_run_that_cannot_write_everything_writes_nothing() {
    let folder = folder("bad/targets");
    let (table, model) = (path(&folder, "precious.csv"), path(&folder, "m.map"));
    let (lost, inside) = (path(&folder, "none/x.svg"), path(&folder, "none"));
    std::fs::write(&table, "precious").unwrap();
    std::fs::write(&model, "S0G").unwrap();
    let before = contents(&folder);
    let no_folder = format!("cannot write {lost}: there is no folder {inside}");
    assert_eq!(refused(&["solve", "box", "--policy", &table, "--svg", &lost]), no_folder);
    assert_eq!(refused(&["frontier", "box", "--csv", &table, "--svg", &lost]), no_folder);
    assert_eq!(refused(&["export", "box", "--drn", &lost]), no_folder);
    let named = format!("cannot write {}: it is a folder", folder.display());
    assert_eq!(refused(&["solve", "box", "--policy", &table, "--svg", folder.to_str().unwrap()]), named);
    let twice = format!("cannot write {table}: it is named twice");
    assert_eq!(refused(&["solve", "box", "--policy", &table, "--svg", &table]), twice);
    let own = format!("cannot write {model}: the model is read from it");
    assert_eq!(refused(&["solve", &model, "--svg", &model]), own);
    assert!(refused(&["solve", "box", "--policy", &table, "--slip", "2"]).starts_with("slip is 2"));
    assert!(
        refused(&["solve", "box", "--policy", &table, "--svg", ""])
            .starts_with("a value is required for '--svg")
    );
    assert_eq!(contents(&folder), before, "nothing is lost and nothing is left behind");
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_is_full_is_an_error() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_occupancy"))
        .arg("envs")
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: cannot write to the output: "));
}

#[test]
fn help_and_version_are_no_errors_and_no_arguments_show_the_help() {
    for args in [&["--help"][..], &["--version"], &["solve", "--help"], &["help", "solve"]] {
        let output = run(args);
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{args:?}");
        assert!(!output.stdout.is_empty());
    }
    let bare = run::<&str>(&[]);
    assert_eq!(bare.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&bare.stderr).contains("Usage: occupancy <COMMAND>"));
}
