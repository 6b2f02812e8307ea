//! How the tests run experiments of the program.

use super::{folder, path};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Output};

/// A small experiment with five learners, in a folder of its own.
pub fn small(test: &str, rounds: u64, runs: u64) -> (PathBuf, String) {
    let folder = folder(test);
    let text = format!(
        "rounds = {rounds}\nruns = {runs}\nseed = 3\npreset = \"published\"\nwindows = [{}]\n[env]\nname = \"marsrover-4x4\"\n\
         [[learner]]\nname = \"psrl-transitions\"\n[[learner]]\nname = \"psrl-lagrangian\"\n\
         [[learner]]\nname = \"cucrl-optimistic\"\ncoef = [0.01, 0.5]\n[[learner]]\nname = \"cucrl-conservative\"\n",
        rounds / 10
    );
    let file = path(&folder, "small.toml");
    std::fs::write(&file, text).unwrap();
    (folder, file)
}

/// The program at work on an experiment.
pub fn start(file: &str, out: &Path, more: &[&str]) -> Child {
    super::start(&[&["run", file, "--out", out.to_str().unwrap()], more].concat())
}

/// The program's work on an experiment, to its end.
pub fn finish(file: &str, out: &Path, more: &[&str]) -> Output {
    start(file, out, more).wait_with_output().unwrap()
}

/// What a run says on stderr, after its exit code was checked.
pub fn errors(output: &Output, code: i32) -> String {
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{errors}");
    errors
}

/// All files below a folder that promise their bytes: everything but those with times, and their checksums.
pub fn bytes(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    collect(folder, folder, &mut found);
    let timed =
        |name: &str| name == "SHA256SUMS" || name.starts_with("sessions") || name.starts_with("timings");
    found.retain(|name, _| !timed(name));
    found
}

fn collect(root: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            collect(root, &entry, found);
        } else {
            let name = entry.strip_prefix(root).unwrap().to_str().unwrap().to_string();
            found.insert(name, std::fs::read(&entry).unwrap());
        }
    }
}

/// Asserts that two folders hold the same files with the same bytes.
pub fn assert_same(found: &Path, expected: &BTreeMap<String, Vec<u8>>, what: &str) {
    let found = bytes(found);
    let names = |map: &BTreeMap<String, Vec<u8>>| map.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(expected), "{what}");
    for (name, bytes) in expected {
        assert!(&found[name] == bytes, "{what}: {name} differs");
    }
}
