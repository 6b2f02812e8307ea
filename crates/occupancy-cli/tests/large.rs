//! Models that take long or print much: what is stopped early is still a whole answer.

// Helpers of tests fail like tests.
#![allow(clippy::unwrap_used)]

mod program;

use program::{folder, json, large_map, out, path, refused, run};
use serde_json::Value;
use std::path::Path;
use std::process::Output;

/// Many states that all lead back to the first one, where resting pays.
fn star(folder: &Path, states: usize) -> String {
    let mut text = format!(
        "@type: MDP\n@parameters\n\n@reward_models\npay\n@nr_states\n{states}\n@nr_choices\n{}\n@model\n\
         state 0 [0] init\n\taction go [0]\n\t\t1 : 1\n\taction rest [1]\n\t\t0 : 1\n",
        states + 1
    );
    for state in 1..states {
        text += &format!("state {state} [0]\n\taction back [0]\n\t\t0 : 1\n");
    }
    let file = path(folder, "star.drn");
    std::fs::write(&file, text).unwrap();
    file
}

/// Asserts that a run ended with a whole answer, or with the news that there was no time for any; it may have been
/// stopped in the meantime by `stopped`, or have been faster.
fn assert_whole(output: &Output, stopped: &str, word: &str) {
    let errors = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(1) {
        assert!(errors.starts_with("error: ") && errors.contains(word), "{errors}");
        assert!(errors.contains("before a plan within the budgets was known"), "{errors}");
        assert_eq!((errors.lines().count(), output.stdout.len()), (1, 0), "{errors}");
        return;
    }
    assert_eq!((output.status.code(), errors.as_ref()), (Some(0), ""));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let verdict = if found["stopped"].is_null() { "optimal" } else { "feasible" };
    assert!(found["stopped"].is_null() || found["stopped"] == stopped, "{}", found["stopped"]);
    assert_eq!(found["verdict"], verdict);
    assert!(found["gain"].is_f64() && found["gap"].is_f64(), "gain {}, gap {}", found["gain"], found["gap"]);
    // Nothing is relative to a plan that is no better than the worst reward.
    assert!(found["gap_relative"].is_f64() || found["gain"] == -1.0, "{}", found["gap_relative"]);
    let occupancy: f64 = found["occupancy"].as_array().unwrap().iter().filter_map(Value::as_f64).sum();
    assert!((occupancy - 1.0).abs() < 1e-6, "{occupancy}");
}

#[test]
fn any_number_of_threads_finds_the_same_answer_to_the_last_bit() {
    // From 20 000 states on, work is shared out.
    let file = large_map(&folder("threads"), 150);
    let answer = |threads: &str| {
        let args = ["solve", &file, "--slip", "0.1", "--budget", "0.1", "--json", "--full", "--witness"];
        let mut found = json(&[&args[..], &["--threads", threads]].concat());
        found.as_object_mut().unwrap().remove("seconds").unwrap();
        found.to_string()
    };
    let alone = answer("1");
    assert!(alone.contains("\"verdict\":\"optimal\""), "{}", &alone[..1000]);
    assert!(["2", "3", "16"].into_iter().all(|threads| answer(threads) == alone));
    assert!(refused(&["solve", &file, "--threads", "0"]).contains("--threads"));
}

#[test]
fn a_time_limit_ends_with_the_best_plan_so_far() {
    let folder = folder("time-limit");
    let file = large_map(&folder, 40);
    for budget in ["inf", "0.1"] {
        let args = ["solve", &file, "--slip", "0.1", "--budget", budget, "--time-limit", "0.01", "--json"];
        assert_whole(&run(&args), "time-limit", "--time-limit 0.01");
    }
}

#[test]
fn a_plan_that_was_stopped_is_told_in_words() {
    let folder = folder("time-limit-words");
    let output = run(&["solve", &large_map(&folder, 40), "--slip", "0.1", "--time-limit", "0.001"]);
    let text = String::from_utf8(output.stdout).unwrap();
    match output.status.code() {
        Some(1) => assert!(text.is_empty()),
        _ if text.contains("stopped early") => {
            assert!(text.contains("the time limit of 0.001 s ran out; a larger --time-limit"), "{text}")
        }
        _ => assert!(text.contains("optimal"), "{text}"),
    }
}

#[test]
fn a_generous_time_limit_changes_nothing() {
    let found = json(&["solve", "marsrover-4x4", "--time-limit", "3600", "--json"]);
    assert_eq!((&found["stopped"], found["verdict"].as_str()), (&Value::Null, Some("optimal")));
    assert!(found["gap_relative"].as_f64().unwrap() < 1e-9);
    assert!(!out(&["solve", "marsrover-4x4", "--time-limit", "3600"]).contains("stopped"));
}

#[test]
fn a_time_limit_that_means_nothing_is_refused_by_name() {
    for wrong in ["0", "-1", "soon"] {
        let output = run(&["solve", "box", "--time-limit", wrong]);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("--time-limit"));
    }
    let error = refused(&["solve", "box", "--planner", "lp", "--time-limit", "1"]);
    assert!(error.contains("--time-limit") && error.contains("lp"), "{error}");
}

#[test]
fn nothing_is_said_of_progress_where_nobody_sees_it() {
    let folder = folder("progress");
    let output = run(&["solve", &large_map(&folder, 40), "--slip", "0.1", "--time-limit", "1"]);
    assert!(output.stderr.is_empty() || output.status.code() == Some(1));
}

#[test]
fn large_models_print_no_tables_unless_asked() {
    let folder = folder("full");
    let (file, csv) = (star(&folder, 10_001), path(&folder, "star.csv"));
    let ask = ["solve", &file, "--reward", "pay", "--json"];
    let short = out(&[&ask[..], &["--policy", &csv]].concat());
    assert!(short.len() < 1000, "{short}");
    let found: Value = serde_json::from_str(&short).unwrap();
    assert_eq!((&found["full"], &found["gain"]), (&Value::from(false), &Value::from(1.0)));
    assert!(found["policies"].is_null() && found["occupancy"].is_null());
    assert!(short.contains("\"policies\":null,\"occupancy\":null"));
    assert_eq!(std::fs::read_to_string(&csv).unwrap().lines().count(), 10_003, "--policy writes everything");
    let found = json(&[&ask[..], &["--full"]].concat());
    assert_eq!(found["full"], true);
    assert_eq!(found["policies"][0]["rows"].as_array().unwrap().len(), 10_001);
    assert_eq!(found["occupancy"].as_array().unwrap().len(), 10_002);
    let text = out(&["solve", &file, "--reward", "pay"]);
    assert!(text.lines().count() < 12, "{text}");
}

#[test]
fn a_grid_beyond_every_drawing_is_refused_before_it_is_solved() {
    let folder = folder("huge");
    let (file, svg) = (large_map(&folder, 330), path(&folder, "huge.svg"));
    let error = refused(&["solve", &file, "--svg", &svg]);
    assert!(error.contains("at most 100000 cells") && error.contains("--policy"), "{error}");
    assert!(!Path::new(&svg).exists());
}

#[cfg(unix)]
mod signals {
    use super::*;
    use program::signals::{interrupted, send};
    use program::start;
    use std::os::unix::process::ExitStatusExt;
    use std::time::Duration;

    #[test]
    fn an_interrupt_ends_with_the_best_plan_so_far() {
        let folder = folder("interrupt");
        let file = large_map(&folder, 50);
        for signal in ["INT", "TERM"] {
            let (output, _) = interrupted(&["solve", &file, "--slip", "0.1", "--json"], signal);
            // A signal that comes when the plan is made and being written ends the program at once.
            if !matches!(output.status.code(), Some(130 | 143)) {
                assert_whole(&output, "interrupt", "interrupted");
            }
        }
    }

    #[test]
    fn a_second_interrupt_ends_the_program_at_once() {
        let folder = folder("second-interrupt");
        let file = large_map(&folder, 50);
        let child = start(&["solve", &file, "--slip", "0.1", "--json"]);
        std::thread::sleep(Duration::from_millis(300));
        for _ in 0..3 {
            send("INT", &child);
            std::thread::sleep(Duration::from_millis(20));
        }
        let output = child.wait_with_output().unwrap();
        match (output.status.code(), output.status.signal()) {
            // Ended at once, or hit before it listened.
            (Some(130), _) | (None, Some(_)) => {}
            // Or it was faster than the second signal.
            _ => assert_whole(&output, "interrupt", "interrupted"),
        }
    }
}
