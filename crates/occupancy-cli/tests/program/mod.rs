//! How the tests run the program.

// Each test file uses what it needs.
#![allow(dead_code)]

pub mod experiment;
#[cfg(unix)]
pub mod signals;

use serde_json::Value;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// Two rooms: staying in the first pays 1 and risks 1 a step, leaving it and coming back neither.
pub const TWO_ROOMS: &str = "@type: MDP
@parameters

@reward_models
pay risk
@nr_states
2
@nr_choices
3
@model
state 0 [0, 0] init
\taction stay [1, 1]
\t\t0 : 1
\taction leave [0, 0]
\t\t1 : 1
state 1 [0, 0]
\taction back [0, 0]
\t\t0 : 1
";

/// The same rooms as a text of this program, with a budget.
pub const TWO_ROOMS_TEXT: &str = "cost risk <= 0.5
start a
state a
  stay reward 1 risk 1 -> a
  leave -> b
state b
  back -> a
";

/// The program at work.
pub fn start<S: AsRef<OsStr>>(args: &[S]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_occupancy"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Runs the program to its end.
pub fn run<S: AsRef<OsStr>>(args: &[S]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_occupancy")).args(args).output().unwrap()
}

/// Runs the program to its end on an input.
pub fn run_on(input: &[u8], args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_occupancy"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = command.spawn().unwrap();
    // Whoever refuses the arguments does not read the input.
    let _ = program.stdin.take().unwrap().write_all(input);
    program.wait_with_output().unwrap()
}

/// The output of a run that must succeed.
pub fn out(args: &[&str]) -> String {
    let output = run(args);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {errors}");
    assert!(errors.is_empty(), "{args:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// What a run is refused with: the one line on stderr, without `error: `.
pub fn refused<S: AsRef<OsStr>>(args: &[S]) -> String {
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

/// Asserts that a text for people has these parts, and fits into a narrow terminal without colours.
pub fn assert_tells(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(!text.contains('\x1b'), "no colours without a terminal");
}

/// What a run that must succeed prints, read as JSON.
pub fn json(args: &[&str]) -> Value {
    serde_json::from_str(&out(args)).unwrap()
}

/// An empty folder of its own for each test.
pub fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The path of a file in a folder, as an argument.
pub fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_string()
}

/// A gridworld of side × side cells with scattered risky ones, from one corner to the opposite one.
pub fn large_map(folder: &Path, side: usize) -> String {
    let cell = |row: usize, column: usize| match (row, column) {
        (row, 0) if row == side - 1 => 'S',
        (0, column) if column == side - 1 => 'G',
        (row, column) if (7 * row + 13 * column) % 5 == 0 => 'P',
        _ => '0',
    };
    let row = |row: usize| format!("W{}W\n", (0..side).map(|column| cell(row, column)).collect::<String>());
    let wall = "W".repeat(side + 2);
    let file = path(folder, "large.map");
    std::fs::write(&file, format!("{wall}\n{}{wall}\n", (0..side).map(row).collect::<String>())).unwrap();
    file
}
