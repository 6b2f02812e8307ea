//! Ctrl-C and time limits are heard wherever the program is busy, and what is known by then is told.

// Helpers of tests fail like tests.
#![allow(clippy::unwrap_used)]

mod program;

use program::{folder, large_map, refused, run};
use serde_json::Value;
use std::process::Output;
use std::time::Instant;

/// A second by itself; the rest is for a computer that is busy with other tests.
const SOON: f64 = 5.0;

/// Asserts that a frontier is whole, or says what is missing, or that its ends were not known yet.
fn assert_told(output: &Output, stopped: &str, word: &str) {
    let errors = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(1) {
        assert_eq!(errors, format!("error: {word} before both ends of the frontier were known\n"));
        return;
    }
    assert_eq!((output.status.code(), errors.as_ref()), (Some(0), ""));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let unsearched = found["unsearched"].as_array().unwrap();
    assert!(found["stopped"] == stopped || (found["stopped"].is_null() && unsearched.is_empty()), "{found}");
    assert!(found["points"].as_array().unwrap().len() > 1 && found["gap"].is_f64(), "{found}");
    let gains: Vec<f64> =
        found["points"].as_array().unwrap().iter().map(|p| p["gain"].as_f64().unwrap()).collect();
    assert!(gains.windows(2).all(|two| two[0] < two[1]), "{gains:?}");
}

#[test]
fn a_frontier_ends_at_its_time_limit_with_the_corners_it_knows() {
    let folder = folder("stop-frontier");
    let file = large_map(&folder, 40);
    for limit in ["0.01", "0.3", "1"] {
        let began = Instant::now();
        let output = run(&["frontier", &file, "--slip", "0.1", "--time-limit", limit, "--json"]);
        assert_told(&output, "time-limit", &format!("--time-limit {limit} ran out"));
        assert!(began.elapsed().as_secs_f64() < 1.0 + SOON, "{:?}", began.elapsed());
    }
}

/// The plan of the least cost loiters: to put it together alone takes 12 s, and nobody asked for it.
#[test]
fn a_plan_that_is_thrown_away_is_not_put_together() {
    let folder = folder("stop-loitering");
    let file = large_map(&folder, 316);
    let began = Instant::now();
    let output = run(&["frontier", &file, "--slip", "0.1", "--time-limit", "1", "--json"]);
    assert_told(&output, "time-limit", "--time-limit 1 ran out");
    assert!(began.elapsed().as_secs_f64() < 1.0 + SOON, "{:?}", began.elapsed());
}

#[test]
fn a_frontier_that_is_not_whole_is_not_written() {
    let folder = folder("stop-frontier-files");
    let (file, csv) = (large_map(&folder, 40), folder.join("frontier.csv"));
    let csv = csv.to_str().unwrap();
    let output = run(&["frontier", &file, "--slip", "0.1", "--time-limit", "0.3", "--json", "--csv", csv]);
    let whole = serde_json::from_slice::<Value>(&output.stdout)
        .is_ok_and(|found| found["unsearched"].as_array().unwrap().is_empty());
    assert_eq!(output.status.code(), Some(if whole { 0 } else { 1 }));
    assert_eq!(std::path::Path::new(csv).exists(), whole);
}

#[test]
fn a_limit_that_cannot_be_heard_is_refused() {
    let error = refused(&["frontier", "box", "--planner", "lp", "--time-limit", "1"]);
    assert!(error.contains("--time-limit") && error.contains("lp"), "{error}");
}

/// 160 000 states, whose first step takes a second by itself.
#[test]
fn a_plan_is_stopped_in_the_middle_of_a_step() {
    let folder = folder("stop-deaf");
    let file = large_map(&folder, 400);
    let output = run(&["solve", &file, "--slip", "0.1", "--time-limit", "0.001", "--json"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => assert!(errors.is_empty(), "{errors}"),
        code => {
            assert_eq!(code, Some(1), "{errors}");
            assert!(
                errors.starts_with("error: --time-limit 0.001 ran out ") && errors.lines().count() == 1,
                "{errors}"
            );
        }
    }
    let seconds = |output: &Output| {
        let found: Option<Value> = serde_json::from_slice(&output.stdout).ok();
        found.and_then(|found| found["seconds"].as_f64())
    };
    assert!(seconds(&output).is_none_or(|seconds| seconds < SOON), "{:?}", seconds(&output));
}

#[cfg(unix)]
mod signals {
    use super::*;
    use program::signals::interrupted;

    #[test]
    fn an_interrupt_ends_a_frontier_with_the_corners_it_knows() {
        let folder = folder("stop-interrupt");
        let file = large_map(&folder, 60);
        let (output, time) = interrupted(&["frontier", &file, "--slip", "0.1", "--json"], "INT");
        // A signal that comes when the answer is being written ends the program at once.
        if output.status.code() != Some(130) {
            assert_told(&output, "interrupt", "interrupted");
        }
        assert!(time.as_secs_f64() < SOON, "{time:?}");
    }

    #[test]
    fn an_interrupt_is_heard_while_levels_are_planned() {
        let folder = folder("stop-levels");
        large_map(&folder, 150);
        let text = "rounds = 1000000000\nruns = 1\npreset = \"published\"\n[env]\nfile = \"large.map\"\nslip = 0.1\n\
                    [[learner]]\nname = \"uniform\"\n";
        let file = folder.join("levels.toml");
        std::fs::write(&file, text).unwrap();
        let out = folder.join("out");
        let args = ["run", file.to_str().unwrap(), "--out", out.to_str().unwrap()];
        for signal in ["INT", "TERM"] {
            let (output, time) = interrupted(&args, signal);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{errors}");
            let told =
                "error: stopped while the levels of levels were planned; the same command plans them\n";
            assert_eq!(errors, told);
            assert!(time.as_secs_f64() < SOON, "{time:?}");
        }
        assert!(!out.exists(), "nothing is stored");
    }
}
