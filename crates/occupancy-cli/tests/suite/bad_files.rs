//! Damaged files, as a new user gives them: one clear line with the file, the place, the number and what would be right;
//! exit code 2.

// Helpers of tests fail like tests.
use crate::program::{TWO_ROOMS, TWO_ROOMS_TEXT, folder, path, refused};
use std::path::Path;

/// Writes a file, solves it, and returns what it is refused with, without the file's name.
fn refused_file(folder: &Path, name: &str, text: impl AsRef<[u8]>, args: &[&str]) -> String {
    let file = path(folder, name);
    std::fs::write(&file, text).unwrap();
    let line = refused(&[&["solve", &file], args].concat());
    let named = line.strip_prefix(&format!("{file}: "));
    named.unwrap_or_else(|| panic!("{file} is not named in: {line}")).to_string()
}

#[test]
fn a_damaged_drn_file_is_refused_with_the_place() {
    let folder = folder("bad/drn");
    let probability = "expected a probability from 0 to 1, found";
    let row = "transition row (state 0, action leave)";
    let most = "expected a finite number of at most 1e100 in size";
    let help = "--normalise divides rows that are off by rounding by their sums";
    for (from, to, wanted) in [
        ("1 : 1\n", "1 : 0.97\n", format!("line 14: {row} sums to 0.97, expected 1 within 1e-9; {help}")),
        ("1 : 1\n", "1 : 0.7\n", format!("line 14: {row} sums to 0.7, expected 1 within 1e-9")),
        ("1 : 1\n", "1 : nan\n", format!("line 15: {probability} `nan`")),
        ("1 : 1\n", "1 : -0.5\n", format!("line 15: {probability} `-0.5`")),
        ("1 : 1\n", "1 : 1e999\n", format!("line 15: {probability} `1e999`")),
        ("1 : 1\n", "9 : 1\n", "line 15: expected a successor below 2 (@nr_states), found `9`".into()),
        ("[1, 1]", "[1e200, 1]", format!("line 12: reward of (state 0, action stay) is 1e200, {most}")),
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
    let folder = folder("bad/truncated");
    for length in (0..TWO_ROOMS.len() - 2).step_by(7) {
        let line = refused_file(&folder, "m.drn", &TWO_ROOMS[..length], &["--reward", "pay"]);
        let says = ["expected", "known", "@nr_choices says 3"];
        assert!(says.iter().any(|part| line.contains(part)), "{length}: {line}");
    }
}

#[test]
fn a_reward_that_has_to_be_chosen_is_asked_for_with_its_option() {
    let folder = folder("bad/choose");
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
    let folder = folder("bad/cmdp");
    let row = "transition row (state a, action leave)";
    for (from, to, wanted) in [
        ("-> b", "-> c", "line 5: unknown state `c`; known: a, b".to_string()),
        ("0.5", "nan", "line 1: expected the budget, a number or inf, found `nan`".into()),
        ("0.5", "-inf", "line 1: expected the budget, a number or inf, found `-inf`".into()),
        ("risk 1", "risk 1e999", "line 4: expected the value of risk, a finite number, found `1e999`".into()),
        ("-> b", "-> b 0.5", format!("line 5: {row} sums to 0.5, expected 1 within 1e-9")),
        ("-> b", "-> b 1.5, a -0.5", "line 5: expected a probability from 0 to 1, found `1.5`".into()),
        (
            "start a",
            "start a 0.5",
            "line 2: the start distribution sums to 0.5, expected 1 within 1e-9".into(),
        ),
    ] {
        assert!(TWO_ROOMS_TEXT.contains(from), "{from}");
        assert_eq!(refused_file(&folder, "m.cmdp", TWO_ROOMS_TEXT.replacen(from, to, 1), &[]), wanted);
    }
    let key = refused_file(&folder, "m.cmdp", TWO_ROOMS_TEXT.replace("cost", "costs"), &[]);
    assert!(key.starts_with("line 1: expected `cost`, `start`, `state`"), "{key}");
}

#[test]
fn empty_files_are_refused_with_what_is_missing() {
    let folder = folder("bad/empty");
    assert_eq!(refused_file(&folder, "m.drn", "", &[]), "line 1: the text ends here, expected @model");
    assert_eq!(refused_file(&folder, "m.cmdp", "", &[]), "the model has no states");
    let map = "line 1: the text ends here, expected a row of cells";
    assert_eq!(refused_file(&folder, "m.map", "", &[]), map);
    assert_eq!(refused_file(&folder, "m.map", "\n  \n", &[]), map);
}

#[test]
fn bytes_that_are_no_text_are_refused_with_their_position() {
    let folder = folder("bad/bytes");
    for (name, bytes) in [("m.drn", b"//\n\xffG"), ("m.cmdp", b"S0\n\xffG"), ("m.map", b"S0\n\xffG")] {
        assert_eq!(refused_file(&folder, name, bytes, &[]), "line 2: byte 3 is not UTF-8 text");
    }
}

#[test]
fn a_wrong_map_is_refused_with_line_and_column() {
    let folder = folder("bad/map");
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
    let folder = folder("bad/files");
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
    let folder = folder("bad/links");
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
