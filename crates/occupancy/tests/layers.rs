//! The layers of the library: which top-level module knows which. This table is the architecture; to change it is a
//! decision, to be explained in `docs/design.md`.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const ARROWS: &[(&str, &[&str])] = &[
    ("cell", &[]),
    ("elementary", &[]),
    ("error", &[]),
    ("memory", &[]),
    ("seed", &[]),
    ("stop", &[]),
    ("interval", &[]),
    ("verify", &["interval", "model"]),
    ("stats", &["seed"]),
    ("options", &["error"]),
    ("model", &["error", "memory", "stop"]),
    ("plan", &["error", "interval", "model", "stop", "verify"]),
    ("env", &["error", "model", "options", "plan", "seed"]),
    ("learn", &["cell", "elementary", "error", "model", "options", "plan", "seed"]),
    ("run", &["cell", "elementary", "env", "error", "learn", "model", "options", "plan", "seed", "stats"]),
];

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The modules that a file names after `crate::`, or after as many `super::` as lead out of its own module.
fn named(code: &str, depth: usize) -> BTreeSet<String> {
    let up = "super::".repeat(depth);
    let starts = code.match_indices("crate::").map(|(at, word)| at + word.len());
    let climbs = code.match_indices(&up).map(|(at, word)| at + word.len());
    let word = |at: usize| code[at..].split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
    let known = |name: &str| ARROWS.iter().any(|(module, _)| *module == name);
    let climbed = climbs.map(word).filter(|name| known(name));
    starts.map(word).chain(climbed).map(String::from).collect()
}

#[test]
fn modules_know_only_the_layers_below_them() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeSet::new();
    for path in files(&source).into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs")) {
        let place = path.strip_prefix(&source).unwrap().with_extension("");
        let mut modules: Vec<&str> = place.iter().map(|part| part.to_str().unwrap()).collect();
        modules.retain(|&name| name != "mod" && name != "lib");
        let Some(&own) = modules.first() else { continue };
        let text = std::fs::read_to_string(&path).unwrap();
        let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let others = named(&code.join("\n"), modules.len()).into_iter().filter(|other| other != own);
        found.extend(others.map(|other| format!("{own} -> {other}")));
    }
    let arrows = |(module, below): &(&str, &[&str])| {
        below.iter().map(|other| format!("{module} -> {other}")).collect::<Vec<_>>()
    };
    let allowed: BTreeSet<String> = ARROWS.iter().flat_map(arrows).collect();
    let against: Vec<&String> = found.difference(&allowed).collect();
    assert!(against.is_empty(), "arrows that are not in the table: {against:?}");
    let unused: Vec<&String> = allowed.difference(&found).collect();
    assert!(unused.is_empty(), "arrows that nothing uses any more, to be taken out of the table: {unused:?}");
}
