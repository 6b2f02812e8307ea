//! What the program says when something is probably not what was meant, and how it helps itself to be used.

use crate::program::{folder, json, out, path, refused, run};

#[test]
fn a_question_that_is_probably_not_what_was_meant_is_answered_with_a_warning() {
    let folder = folder("messages/doubts");
    let file = path(&folder, "m.cmdp");
    for (model, warning) in [
        (
            "state road\n  walk reward -1 -> home\nstate home\n  rest -> home\n",
            "the long run ends in state home, which is never left and earns nothing",
        ),
        (
            "state a\n  x reward 1 -> a\nstate goal\n  x reward 10 -> goal\n",
            "the greatest reward, 10 in state goal, cannot be reached",
        ),
        (
            "state begin\n  go reward 5 -> a\nstate a\n  x reward 6 -> a\n",
            "the start, state begin, is left with the first step for ever",
        ),
    ] {
        std::fs::write(&file, model).unwrap();
        let output = run(&["solve", &file]);
        assert_eq!(output.status.code(), Some(0));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.starts_with(&format!("warning: {warning}")) && said.lines().count() == 1, "{said}");
        let found: serde_json::Value =
            serde_json::from_slice(&run(&["solve", &file, "--json"]).stdout).unwrap();
        assert!(found["warnings"][0].as_str().unwrap().starts_with(warning), "{found}");
    }
    let map = path(&folder, "m.map");
    std::fs::write(&map, "S0WG\n").unwrap();
    let said = String::from_utf8(run(&["solve", &map]).stderr).unwrap();
    assert!(said.starts_with("warning: the greatest reward, 0 in state r0c3, cannot be reached"), "{said}");
    assert_eq!(json(&["solve", "marsrover-4x4", "--json"])["warnings"], serde_json::json!([]));
}

#[test]
fn only_options_that_are_near_are_suggested() {
    assert_eq!(refused(&["solve", "box", "--dscount", "0.9"]).matches("--json").count(), 0);
    let line = refused(&["solve", "box", "--gamma", "0.9"]);
    assert_eq!(line, "unexpected argument '--gamma' found (see --help)");
    assert!(refused(&["solve", "box", "--bugdet", "1"]).contains("'--budget'"));
    assert!(refused(&["evalute", "box"]).contains("'evaluate'"));
}

#[test]
fn names_in_an_experiment_file_that_nobody_has_get_a_suggestion() {
    let folder = folder("messages/toml");
    let file = path(&folder, "e.toml");
    let good = "rounds = 10\nruns = 1\n[env]\nname = \"box\"\n[[learner]]\nname = \"uniform\"\n";
    for (from, to, wanted) in [
        ("\"box\"", "\"bxo\"", "line 4: unknown environment bxo; known: "),
        ("\"uniform\"", "\"unifrom\"", "line 6: unknown learner unifrom; known: "),
        ("rounds", "ronds", "line 1: unknown key ronds; known: "),
    ] {
        std::fs::write(&file, good.replacen(from, to, 1)).unwrap();
        let line = refused(&["run", &file, "--out", folder.to_str().unwrap()]);
        let meant = from.trim_matches('"');
        assert!(line.contains(wanted) && line.ends_with(&format!("; did you mean {meant}?")), "{line}");
    }
}

#[test]
fn a_wrong_budget_has_its_own_line() {
    let folder = folder("messages/budget");
    let (file, model) = (path(&folder, "e.toml"), path(&folder, "m.cmdp"));
    std::fs::write(&model, "cost c <= 1\nstate a\n  x -> a\n").unwrap();
    let learner = "[[learner]]\nname = \"uniform\"\n";
    for env in ["file = \"m.cmdp\"", "name = \"box\""] {
        std::fs::write(
            &file,
            format!("rounds = 10\nruns = 1\n[env]\n{env}\n\nbudget = [1.0, 2.0]\n{learner}"),
        )
        .unwrap();
        let line = refused(&["run", &file, "--out", folder.to_str().unwrap()]);
        assert!(line.contains(": line 6: 2 budgets are given, but the model has 1 costs"), "{line}");
    }
}

#[test]
fn the_system_is_quoted_in_words_and_without_its_numbers() {
    let folder = folder("messages/system");
    let missing = path(&folder, "missing");
    for args in [
        &["verify", "box", &missing][..],
        &["run", &missing],
        &["stats", &missing],
        &["report", &missing],
        &["evaluate", "box", &missing],
        &["learn", "box", "psrl-transitions", "--set", &format!("prior=file:{missing}"), "--rounds", "5"],
    ] {
        let said = String::from_utf8(run(args).stderr).unwrap();
        assert!(said.contains("missing") && !said.contains("os error"), "{args:?}: {said}");
    }
}

#[test]
fn a_folder_of_experiments_is_listed() {
    let folder = folder("messages/stats");
    let parent = folder.to_str().unwrap();
    let file = path(&folder, "e.toml");
    for name in ["one", "two"] {
        let text = format!(
            "name = \"{name}\"\nrounds = 10\nruns = 2\n[env]\nname = \"queue\"\n[[learner]]\nname = \"uniform\"\n"
        );
        std::fs::write(&file, text).unwrap();
        out(&["run", &file, "--out", parent]);
    }
    let text = out(&["stats", parent]);
    assert!(
        text.starts_with(&format!("{parent} holds 2 experiments:\n\nexperiment  learners  runs  rounds\n")),
        "{text}"
    );
    assert!(text.contains("one                1     2      10\n"), "{text}");
    assert!(
        text.ends_with(&format!("name one of them: occupancy stats {}\n", path(&folder, "one"))),
        "{text}"
    );
    assert_eq!(json(&["stats", parent, "--json"])["inside"][1]["folder"], "two");
}

#[test]
fn a_picture_is_what_its_ending_says() {
    let folder = folder("messages/png");
    let (policy, frontier, svg) = (path(&folder, "p.png"), path(&folder, "f.PNG"), path(&folder, "p.svg"));
    out(&["solve", "marsrover-4x4", "--svg", &policy]);
    out(&["frontier", "marsrover-4x4", "--svg", &frontier]);
    out(&["solve", "marsrover-4x4", "--svg", &svg]);
    for png in [policy, frontier] {
        let bytes = std::fs::read(&png).unwrap();
        assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 5000, "{png}: {} bytes", bytes.len());
    }
    assert!(std::fs::read_to_string(svg).unwrap().starts_with("<svg"));
}

#[test]
fn shells_and_man_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = out(&["completions", shell]);
        assert!(
            script.contains("occupancy") && script.contains("deterministic") && script.contains("simulate"),
            "{shell}"
        );
    }
    let page = out(&["man"]);
    assert!(page.contains(".TH occupancy 1") && page.contains("evaluate"), "{page}");
    let page = out(&["man", "solve"]);
    assert!(page.contains(".TH occupancy-solve 1") && page.contains("deterministic"), "{page}");
    assert!(refused(&["man", "slove"]).ends_with("; did you mean solve?"));
}
