//! Bad input, as a new user gives it: one clear line with the file, the place, the number and what would be right; exit
//! code 2; nothing lost.

// Helpers of tests fail like tests.
#![allow(clippy::unwrap_used)]

mod program;

use program::TWO_ROOMS;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run<S: AsRef<OsStr>>(args: &[S]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_occupancy")).args(args).output().unwrap()
}

/// What a run is refused with, without `error: `.
fn refused<S: AsRef<OsStr>>(args: &[S]) -> String {
    let output = run(args);
    let words: Vec<&OsStr> = args.iter().map(AsRef::as_ref).collect();
    assert_eq!(output.status.code(), Some(2), "{words:?}");
    assert!(output.stdout.is_empty(), "{words:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    let line = text.strip_prefix("error: ").and_then(|text| text.strip_suffix('\n'));
    let line = line.unwrap_or_else(|| panic!("{words:?}: {text}"));
    assert!(!line.chars().any(char::is_control), "{words:?}: {line:?}");
    line.to_string()
}

/// An empty folder of its own for each test.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bad").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_string()
}

/// Writes a file, solves it, and returns what it is refused with, without the file's name.
fn refused_file(folder: &Path, name: &str, text: impl AsRef<[u8]>, args: &[&str]) -> String {
    let file = path(folder, name);
    std::fs::write(&file, text).unwrap();
    let line = refused(&[&["solve", &file], args].concat());
    let named = line.strip_prefix(&format!("{file}: "));
    named.unwrap_or_else(|| panic!("{file} is not named in: {line}")).to_string()
}

const CMDP: &str = "cost risk <= 0.5
start a
state a
  stay reward 1 risk 1 -> a
  leave -> b
state b
  back -> a
";

#[test]
fn a_damaged_drn_file_is_refused_with_the_place() {
    let folder = folder("drn");
    let probability = "expected a probability from 0 to 1, found";
    let row = "transition row (state 0, action leave)";
    let most = "expected a finite number of at most 1e100 in size";
    for (from, to, wanted) in [
        ("1 : 1\n", "1 : 0.97\n", format!("{row} sums to 0.97, expected 1 within 1e-9")),
        ("1 : 1\n", "1 : nan\n", format!("line 15: {probability} `nan`")),
        ("1 : 1\n", "1 : -0.5\n", format!("line 15: {probability} `-0.5`")),
        ("1 : 1\n", "1 : 1e999\n", format!("line 15: {probability} `1e999`")),
        ("1 : 1\n", "9 : 1\n", "line 15: expected a successor below 2 (@nr_states), found `9`".into()),
        ("[1, 1]", "[1e200, 1]", format!("reward of (state 0, action stay) is 1e200, {most}")),
        ("[1, 1]", "[1]", "line 12: expected 2 rewards (pay, risk), found `1`".into()),
        (
            "\n2\n",
            "\n4000000000\n",
            "line 18: the text ends here, expected state 2 (@nr_states is 4000000000)".into(),
        ),
        ("\n3\n", "\n4\n", "line 18: @nr_choices says 4, but the text has 3".into()),
        (" init", "", "line 18: the text ends here, expected a state with the label init".into()),
        (
            "MDP",
            "CTMC",
            "line 1: expected the type MDP or DTMC (discrete time, fully observed), found `CTMC`".into(),
        ),
    ] {
        assert!(TWO_ROOMS.contains(from), "{from}");
        let args = ["--reward", "pay", "--cost", "risk=0.5"];
        assert_eq!(refused_file(&folder, "m.drn", TWO_ROOMS.replacen(from, to, 1), &args), wanted);
    }
    let section = refused_file(&folder, "m.drn", TWO_ROOMS.replace("@parameters", "@colour"), &[]);
    assert!(section.starts_with("line 2: unknown section `@colour`; known: @type,"), "{section}");
}

#[test]
fn every_beginning_of_a_drn_file_is_refused_in_one_line() {
    let folder = folder("truncated");
    for length in (0..TWO_ROOMS.len() - 2).step_by(7) {
        let line = refused_file(&folder, "m.drn", &TWO_ROOMS[..length], &["--reward", "pay"]);
        let says = ["expected", "known", "@nr_choices says 3"];
        assert!(says.iter().any(|part| line.contains(part)), "{length}: {line}");
    }
}

#[test]
fn a_reward_that_has_to_be_chosen_is_asked_for_with_its_option() {
    let folder = folder("choose");
    let line = refused_file(&folder, "m.drn", TWO_ROOMS, &[]);
    assert_eq!(line, "line 5: name the reward model to use; known: pay, risk; say which with --reward NAME");
    let line = refused_file(&folder, "m.drn", TWO_ROOMS, &["--reward", "fun"]);
    assert_eq!(line, "line 5: unknown reward model `fun`; known: pay, risk");
    let line = refused_file(
        &folder,
        "m.drn",
        TWO_ROOMS,
        &["--reward", "pay", "--cost", "risk=1", "--cost", "risk=2"],
    );
    assert_eq!(line, "line 5: cost `risk` is given twice");
}

#[test]
fn a_damaged_text_model_is_refused_with_the_place() {
    let folder = folder("cmdp");
    let row = "transition row (state a, action leave)";
    for (from, to, wanted) in [
        ("-> b", "-> c", "line 5: unknown state `c`; known: a, b".to_string()),
        ("0.5", "nan", "line 1: expected the budget, a number or inf, found `nan`".into()),
        ("0.5", "-inf", "line 1: expected the budget, a number or inf, found `-inf`".into()),
        ("risk 1", "risk 1e999", "line 4: expected the value of risk, a finite number, found `1e999`".into()),
        ("-> b", "-> b 0.5", format!("{row} sums to 0.5, expected 1 within 1e-9")),
        ("-> b", "-> b 1.5, a -0.5", "line 5: expected a probability from 0 to 1, found `1.5`".into()),
        ("start a", "start a 0.5", "the start distribution sums to 0.5, expected 1 within 1e-9".into()),
    ] {
        assert!(CMDP.contains(from), "{from}");
        assert_eq!(refused_file(&folder, "m.cmdp", CMDP.replacen(from, to, 1), &[]), wanted);
    }
    let key = refused_file(&folder, "m.cmdp", CMDP.replace("cost", "costs"), &[]);
    assert!(key.starts_with("line 1: expected `cost`, `start`, `state`"), "{key}");
}

#[test]
fn empty_files_are_refused_with_what_is_missing() {
    let folder = folder("empty");
    assert_eq!(refused_file(&folder, "m.drn", "", &[]), "line 1: the text ends here, expected @model");
    assert_eq!(refused_file(&folder, "m.cmdp", "", &[]), "the model has no states");
    let map = "line 1: the text ends here, expected a row of cells";
    assert_eq!(refused_file(&folder, "m.map", "", &[]), map);
    assert_eq!(refused_file(&folder, "m.map", "\n  \n", &[]), map);
}

#[test]
fn bytes_that_are_no_text_are_refused_with_their_position() {
    let folder = folder("bytes");
    for (name, wanted) in
        [("m.drn", "line 2: byte 3"), ("m.cmdp", "line 2: byte 3"), ("m.map", "line 2: byte 3")]
    {
        assert_eq!(refused_file(&folder, name, b"S0\n\xffG", &[]), format!("{wanted} is not UTF-8 text"));
    }
}

#[test]
fn a_wrong_map_is_refused_with_line_and_column() {
    let folder = folder("map");
    let missing = |what, mark| {
        format!("line 1: the map ends here without a {what}; mark at least one cell with {mark}")
    };
    for (map, wanted) in [
        ("S0G\nS0\n", "line 2: the row has 2 cells, expected 3 as in the first row".to_string()),
        ("S00\n", missing("goal", 'G')),
        ("00G\n", missing("start", 'S')),
        ("SXXG\n", "line 1: column 3 has a second box; the first is in line 1, column 2".into()),
    ] {
        assert_eq!(refused_file(&folder, "m.map", map, &[]), wanted);
    }
    let strange = refused_file(&folder, "m.map", "S0\nG#\n", &[]);
    assert!(strange.starts_with("line 2: column 2 has the character '#'; known: W wall"), "{strange}");
}

#[test]
fn what_is_no_readable_file_is_refused_by_name() {
    let folder = folder("files");
    let (missing, named) = (path(&folder, "missing.drn"), path(&folder, "folder.drn"));
    assert_eq!(refused(&["solve", &missing]), format!("{missing}: no such file"));
    std::fs::create_dir(&named).unwrap();
    assert_eq!(refused(&["solve", &named]), format!("{named} is a folder, expected a model or a map"));
    let nameless = path(&folder, "model");
    std::fs::write(&nameless, TWO_ROOMS).unwrap();
    assert!(
        refused(&["solve", &nameless])
            .starts_with(&format!("{nameless}: the file's name does not say what it is"))
    );
}

#[cfg(unix)]
#[test]
fn what_only_looks_like_a_file_is_refused_by_name() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder("links");
    let (circle, endless, secret) =
        (path(&folder, "circle.drn"), path(&folder, "endless.cmdp"), path(&folder, "secret.drn"));
    symlink(&circle, &circle).unwrap();
    assert!(refused(&["solve", &circle]).starts_with(&format!("{circle}: ")));
    symlink("/dev/zero", &endless).unwrap();
    assert_eq!(refused(&["solve", &endless]), format!("{endless} is no ordinary file"));
    std::fs::write(&secret, TWO_ROOMS).unwrap();
    std::fs::set_permissions(&secret, PermissionsExt::from_mode(0o000)).unwrap();
    // Whoever may read everything cannot be refused.
    if std::fs::read(&secret).is_err() {
        assert!(refused(&["solve", &secret, "--reward", "pay"]).contains("secret.drn: "));
    }
}

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
        refused(&["slove", "box"]),
        format!("unrecognized subcommand 'slove'; {similar} subcommand exists: 'solve' (see --help)")
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
    let folder = folder("fit");
    let (map, model) = (path(&folder, "m.map"), path(&folder, "m.cmdp"));
    std::fs::write(&map, "S0G").unwrap();
    std::fs::write(&model, CMDP).unwrap();
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
    let folder = folder("targets");
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
    let output = Command::new(env!("CARGO_BIN_EXE_occupancy")).arg("envs").stdout(full).output().unwrap();
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
