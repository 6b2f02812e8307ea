//! Runs on many machines: slices of equal work, a script for Slurm, and what is missing in the end.

#![cfg(unix)] // the script is given to a shell

use crate::program::experiment::{assert_same, bytes, errors, small};
use crate::program::{folder, json, out, path, refused, run};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// The trials of an experiment that one machine runs.
fn alone(folder: &Path, file: &str) -> std::collections::BTreeMap<String, Vec<u8>> {
    let place = path(folder, "alone");
    out(&["run", file, "--out", &place]);
    bytes(&folder.join("alone/small"))
}

#[test]
fn slices_run_anywhere_and_twice_have_the_bytes_of_one_machine() {
    let (folder, file) = small("slices", 300, 5);
    let expected = alone(&folder, &file);
    let text = out(&["slices", &file, "--count", "3"]);
    let slices = path(&folder, "slices.txt");
    std::fs::write(&slices, &text).unwrap();
    let ends: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split(' ').nth(1).unwrap())
        .collect();
    assert_eq!(ends, ["0..2", "2..3", "3..5"]);
    let part = |number: u32| path(&folder, &format!("parts/{number}"));
    for number in [3, 1, 1] {
        out(&["run", "--slices", &slices, "--slice", &number.to_string(), "--out", &part(number)]);
    }
    let small_of = |number: u32| format!("{}/small", part(number));
    let target = path(&folder, "united");
    let merged = run(&["merge", &small_of(1), &small_of(3), "--out", &target]);
    let said = errors(&merged, 0);
    assert!(said.contains("5 runs are missing: psrl-transitions 2..3; "), "{said}");
    let whole = run(&["merge", &small_of(1), &small_of(3), "--out", &target, "--whole"]);
    assert!(errors(&whole, 1).contains("5 runs are missing"));
    out(&["run", "--slices", &slices, "--slice", "2", "--out", &part(2)]);
    let merged = run(&["merge", &small_of(1), &small_of(2), &small_of(3), "--out", &target, "--whole"]);
    assert_eq!(errors(&merged, 0), "");
    out(&["stats", &target]);
    assert_same(Path::new(&target), &expected, "united from slices");
    assert!(refused(&["run", "--slices", &slices, "--slice", "4"]).contains("slices 1 to 3, but no slice 4"));
}

#[test]
fn a_file_or_a_version_that_differs_is_refused_by_name() {
    let (folder, file) = small("slices-differ", 300, 4);
    let slices = path(&folder, "slices.txt");
    let text = out(&["slices", &file, "--seconds", "1000"]);
    std::fs::write(&slices, text.replace("# occupancy 0.", "# occupancy 99.")).unwrap();
    let said = refused(&["run", "--slices", &slices, "--slice", "1"]);
    assert!(
        said.contains("was written by occupancy 99.") && said.contains("bring the same program"),
        "{said}"
    );
    std::fs::write(&slices, &text).unwrap();
    let changed = std::fs::read_to_string(&file).unwrap().replace("rounds = 300", "rounds = 301");
    std::fs::write(&file, changed).unwrap();
    let said = refused(&["run", "--slices", &slices, "--slice", "1"]);
    assert!(said.contains(&format!("{file} is not what it was when")), "{said}");
    std::fs::write(&slices, "1 0..2\n").unwrap();
    assert!(refused(&["run", "--slices", &slices, "--slice", "1"]).contains("line 1: 1 0..2 is no part"));
}

#[test]
fn json_has_the_estimated_seconds() {
    let (_, file) = small("slices-json", 300, 6);
    let said = json(&["slices", &file, "--count", "2", "--json"]);
    let slices = said["slices"].as_array().unwrap();
    assert_eq!((slices.len(), &said["experiments"][0]), (2, &"small".into()));
    assert_eq!(slices[1]["parts"][0]["runs"], serde_json::json!([3, 6]));
    assert!(slices.iter().all(|slice| slice["seconds"].as_f64().unwrap() > 0.0));
}

/// Runs the tasks of a submitted script one after another, the first of them twice: as after a requeue.
const SBATCH: &str = r#"#!/bin/sh
script=$(mktemp)
cat > "$script"
for option in "$@"; do
    case "$option" in
        --array=1-*)
            SLURM_CPUS_PER_TASK=1
            export SLURM_CPUS_PER_TASK
            for task in 1 $(seq 1 "${option#--array=1-}"); do
                SLURM_ARRAY_TASK_ID=$task sh "$script" >&2 || exit 1
            done
            echo "17;cluster"
            exit 0 ;;
        --dependency=*) test "$option" = "--dependency=afterany:17" || exit 3 ;;
    esac
done
sh "$script" >&2
"#;

#[test]
fn the_script_for_slurm_runs_every_slice_and_unites_them() {
    let (folder, file) = small("slurm", 300, 5);
    let expected = alone(&folder, &file);
    let place = path(&folder, "on slurm");
    let said =
        out(&["slurm", &file, "--out", &place, "--array", "3", "--partition", "short", "--time", "10:00"]);
    assert!(said.starts_with("3 slices of about 0 s CPU each\n"), "{said}");
    let script = std::fs::read_to_string(folder.join("on slurm/submit.sh")).unwrap();
    assert!(script.contains("--array=1-3") && script.contains("--partition=short --time=10:00"), "{script}");
    assert!(script.lines().count() < 40 && script.contains("--requeue"));
    let tools = folder.join("tools");
    std::fs::create_dir_all(&tools).unwrap();
    std::fs::write(tools.join("sbatch"), SBATCH).unwrap();
    std::fs::set_permissions(tools.join("sbatch"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let paths = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    for _ in 0..2 {
        let done =
            Command::new("sh").arg(folder.join("on slurm/submit.sh")).env("PATH", &paths).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        assert_same(&folder.join("on slurm/small"), &expected, "by the script");
    }
    assert!(refused(&["slurm", &file, "--out", &place, "--partition", "a;b"]).contains("letters, digits"));
}

#[test]
fn what_is_wrong_with_a_file_is_said_before_anything_is_written() {
    let folder = folder("slurm-wrong");
    let place = path(&folder, "out");
    let said = refused(&["slurm", "nothing.toml", "--out", &place]);
    assert!(said.contains("nothing.toml") && !folder.join("out").exists(), "{said}");
}

#[test]
fn packed_runs_are_read_continued_and_merged_like_others() {
    let (folder, file) = small("pack", 300, 6);
    let expected = alone(&folder, &file);
    let place = path(&folder, "packed");
    let results = path(&folder, "packed/small");
    out(&["run", &file, "--out", &place, "--runs", "0..4"]);
    assert!(out(&["pack", &results]).starts_with("20 runs packed into 1 file"));
    assert!(!folder.join("packed/small/trials/psrl-transitions").exists());
    let before = json(&["stats", &results, "--json"]);
    let reference = path(&folder, "four");
    out(&["run", &file, "--out", &reference, "--runs", "0..4"]);
    let same = json(&["stats", &format!("{reference}/small"), "--json"]);
    assert_eq!(before["learners"][0]["quantities"]["reward"], same["learners"][0]["quantities"]["reward"]);
    // It goes on with what is missing, and what is packed is not done again.
    out(&["run", &file, "--out", &place]);
    assert!(out(&["pack", &results]).starts_with("10 runs packed into 1 file"));
    for table in ["summary.csv", "curves.csv", "comparisons.csv"] {
        out(&["stats", &results]);
        assert!(
            std::fs::read(folder.join("packed/small").join(table)).unwrap() == expected[table],
            "{table}"
        );
    }
    // Unpacked by merge, they have the bytes that they had.
    let target = path(&folder, "unpacked");
    let merged = run(&["merge", &results, "--out", &target, "--whole"]);
    assert_eq!(errors(&merged, 0), "");
    out(&["stats", &target]);
    assert_same(Path::new(&target), &expected, "merged from packed runs");
    out(&["report", &path(&folder, "packed")]);
}

#[test]
fn a_damaged_pack_is_named_and_its_runs_are_done_again() {
    let (folder, file) = small("pack-damaged", 300, 3);
    let expected = alone(&folder, &file);
    let place = path(&folder, "packed");
    out(&["run", &file, "--out", &place]);
    out(&["pack", &path(&folder, "packed/small")]);
    let pack = folder.join("packed/small/packed/0000.csv.gz");
    let mut bytes = std::fs::read(&pack).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    std::fs::write(&pack, bytes).unwrap();
    let said = errors(&run(&["stats", &path(&folder, "packed/small")]), 1);
    assert!(said.contains("packed/0000.csv.gz"), "{said}");
    let said = errors(&run(&["run", &file, "--out", &place]), 0);
    assert!(said.contains("0000.csv.gz is damaged") && said.contains("made again"), "{said}");
    let target = path(&folder, "unpacked");
    out(&["merge", &path(&folder, "packed/small"), "--out", &target]);
    out(&["stats", &target]);
    assert_same(Path::new(&target), &expected, "after damage");
}
