//! What memory, threads and terminals cannot take is refused or shortened in one line, before any work is done.

use crate::program::experiment::{errors, small};
use crate::program::{TWO_ROOMS_TEXT, folder, json, out, path, refused};
use std::fs;
use std::process::{Command, Output};

#[test]
fn an_experiment_whose_tables_have_no_room_is_refused_before_it_begins() {
    let folder = folder("limits-tables");
    let file = path(&folder, "large.toml");
    let text = "rounds = 10\nruns = 1\npreset = \"published\"\n[env]\nname = \"garnet\"\nstates = 16900\n\
                budget = 1\n[[learner]]\nname = \"psrl-transitions\"\n";
    fs::write(&file, text).unwrap();
    let error = refused(&["run", &file, "--out", folder.to_str().unwrap()]);
    let expected = "the model is too large for prior=floor:1 of psrl-transitions: 67600 pairs × 16900 states are more \
                    than 250000000 probabilities; prior=sparse:1 needs far fewer";
    assert_eq!(error, format!("{file}: {expected}"));
    assert!(!folder.join("large").exists());
}

#[test]
fn a_model_larger_than_memory_is_refused_with_the_size_it_needs() {
    let folder = folder("limits-file");
    // What is read piece by piece needs room for its model alone.
    for (name, least) in [("large.drn", "2.0 TB"), ("large.cmdp", "12 TB")] {
        let file = path(&folder, name);
        // Nothing of it is on the disk; where such a file cannot be made, it cannot be read either.
        if fs::File::create(&file).unwrap().set_len(4_000_000_000_000).is_err() {
            continue;
        }
        let error = refused(&["solve", &file]);
        let expected = format!("{file}: at least {least} of memory are needed to read it, and ");
        assert!(error.starts_with(&expected), "{error}");
        fs::remove_file(&file).unwrap();
    }
}

/// Runs the program where no thread but the first can be started: the others would need a stack of 2⁴⁷ bytes.
fn without_threads(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_occupancy"));
    command.env("RUST_MIN_STACK", (1u64 << 47).to_string()).args(args).output().unwrap()
}

#[test]
fn a_thread_that_cannot_be_started_is_an_error_or_done_without() {
    let (folder, file) = small("limits-threads", 100, 2);
    let results = path(&folder, "out");
    let error = errors(&without_threads(&["run", &file, "--out", &results, "--jobs", "2"]), 2);
    assert!(error.contains("error: thread 1 of 2 cannot be started: "), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    out(&["run", &file, "--out", &results]);
    let results = path(&folder, "out/small");
    errors(&without_threads(&["stats", &results]), 0);
    errors(&without_threads(&["report", &results]), 0);
    let learn = ["learn", "queue", "uniform", "--rounds", "10"];
    assert!(errors(&without_threads(&learn), 1).contains("no thread can be started"));
}

#[test]
fn control_characters_of_names_reach_neither_terminal_nor_table_nor_picture() {
    let folder = folder("limits-names");
    let text =
        TWO_ROOMS_TEXT.replace("leave", "=le\u{1b}[2Jave").replace("state a", "start a\u{9b}\nstate a");
    let text = text.replace("start a\nstart", "start").replace("state a\n", "state a\u{9b}\n");
    let text = text.replace("-> a\n", "-> a\u{9b}\n").replace("risk", "ri\u{1b}]0;sk");
    let file = path(&folder, "odd\u{1b}[31m.cmdp");
    fs::write(&file, text).unwrap();
    let [policy, svg] = ["policy.csv", "frontier.svg"].map(|name| path(&folder, name));
    let printable = |text: &str| !text.chars().any(|c| c.is_control() && c != '\n');
    let said = out(&["solve", &file, "--policy", &policy]);
    assert!(printable(&said) && said.contains("ri\\u{1b}]0;sk"), "{said}");
    let said = out(&["frontier", &file, "--svg", &svg]);
    assert!(printable(&said), "{said}");
    assert!(printable(&out(&["solve", &file, "--json"])));
    assert_eq!(json(&["solve", &file, "--json"])["cost_names"][0], "ri\\u{1b}]0;sk");
    let [policy, svg] = [policy, svg].map(|file| fs::read_to_string(file).unwrap());
    assert!(printable(&policy) && policy.contains(",a\\u{9b},'=le\\u{1b}[2Jave,"), "{policy}");
    assert!(printable(&svg) && svg.contains("ri\\u{1b}]0;sk"), "{svg}");
}

#[test]
fn a_long_name_does_not_fill_the_screen() {
    let folder = folder("limits-long");
    let long = "x".repeat(10_000);
    let file = path(&folder, "long.cmdp");
    fs::write(&file, TWO_ROOMS_TEXT.replace("risk", &long)).unwrap();
    for args in [
        vec!["solve", &file, "--from-state", &long],
        vec!["solve", &file, "--cost", "y=1"],
        vec!["solve", &long],
        vec!["learn", "queue", &long],
        vec!["run", &long],
    ] {
        let error = refused(&args);
        assert!(
            error.chars().count() < 1010 && error.contains("xx…xx"),
            "{} characters: {error}",
            error.len()
        );
    }
}

#[test]
fn what_goes_to_stdout_by_name_is_beside_what_is_printed() {
    let folder = folder("limits-stdout");
    let file = path(&folder, "rooms.cmdp");
    fs::write(&file, TWO_ROOMS_TEXT).unwrap();
    let both = out(&["solve", &file, "--policy", "/dev/stdout"]);
    assert!(
        both.starts_with("policy,weight,state,") && both.contains("\noptimal within the budgets\n"),
        "{both}"
    );
}
