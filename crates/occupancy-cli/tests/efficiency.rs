//! What a long experiment may cost. These take long or need a quiet computer, so they run on demand:
//!
//! ```text
//! cargo test --release -p occupancy-cli --test efficiency -- --ignored --nocapture --test-threads 1
//! ```

#![cfg(target_os = "linux")] // memory is read from /proc
#![allow(clippy::unwrap_used)] // helpers of tests fail like tests

mod program;

use program::experiment::{errors, finish, start};
use program::{folder, path};
use std::time::{Duration, Instant};

fn experiment(test: &str, text: &str) -> (std::path::PathBuf, String) {
    let folder = folder(test);
    let file = path(&folder, "long.toml");
    std::fs::write(&file, text).unwrap();
    (folder, file)
}

/// The most memory that a process has had, in megabytes.
fn peak(process: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kilobytes| kilobytes / 1024.0)
}

#[test]
#[ignore = "some seconds: on demand, with --ignored"]
fn a_hundred_million_rounds_need_no_more_memory_than_a_few() {
    let mut peaks = Vec::new();
    for rounds in ["100_000", "100_000_000"] {
        let text = format!(
            "rounds = {rounds}\nruns = 2\npreset = \"published\"\n[env]\nname = \"marsrover-4x4\"\n\
             [[learner]]\nname = \"cucrl-optimistic\"\n[[learner]]\nname = \"cucrl-conservative\"\nh = 1000\n"
        );
        let (folder, file) = experiment(&format!("memory-{rounds}"), &text);
        let mut child = start(&file, &folder.join("out"), &["--jobs", "2"]);
        let mut most = 0.0;
        while child.try_wait().unwrap().is_none() {
            most = peak(child.id()).map_or(most, |found| found.max(most));
            std::thread::sleep(Duration::from_millis(2));
        }
        assert!(child.wait().unwrap().success());
        println!("{rounds} rounds: {most:.1} MB");
        peaks.push(most);
    }
    assert!(peaks[1] < 200.0, "{peaks:?}");
}

#[test]
#[ignore = "needs two cores with nothing else to do: on demand, with --ignored"]
fn two_threads_are_nearly_twice_as_fast() {
    let text = "rounds = 2_000_000\nruns = 60\npreset = \"published\"\n[env]\nname = \"marsrover-4x4\"\n\
                [[learner]]\nname = \"psrl-transitions\"\n[[learner]]\nname = \"cucrl-optimistic\"\n";
    let (folder, file) = experiment("speed", text);
    let seconds = |jobs: &str| {
        let out = folder.join(jobs);
        let began = Instant::now();
        errors(&finish(&file, &out, &["--jobs", jobs]), 0);
        std::fs::remove_dir_all(&out).unwrap();
        began.elapsed().as_secs_f64()
    };
    let best = |times: [f64; 3]| times.into_iter().fold(f64::INFINITY, f64::min);
    let (one, two) = (best([(); 3].map(|()| seconds("1"))), best([(); 3].map(|()| seconds("2"))));
    println!("1 thread {one:.2} s, 2 threads {two:.2} s: {:.2} times as fast", one / two);
    assert!(one / two >= 1.8);
}
