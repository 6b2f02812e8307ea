//! The layers of the three crates: which module knows which, down to sub-folders. This table is the architecture; to change it
//! is a decision, to be explained in `docs/design.md`.

mod arrows;

use arrows::ARROWS;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The crates: the name of their sources in this table, the name by which others know them, and their folder.
const CRATES: [(&str, &str, &str); 3] = [
    ("core", "occupancy", "../occupancy/src"),
    ("lab", "occupancy_lab", "../occupancy-lab/src"),
    ("cli", "occupancy_cli", "src"),
];

/// All sources below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let all = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    all.filter(|path| path.extension().is_some_and(|end| end == "rs")).collect()
}

/// The modules that a file is in: `["core", "plan", "search", "prices"]`.
fn modules_of(own: &str, source: &Path, file: &Path) -> Vec<String> {
    let place = file.strip_prefix(source).unwrap().with_extension("");
    let names = place.iter().map(|part| part.to_str().unwrap().to_string());
    let names = names.filter(|name| !["mod", "lib", "main"].contains(&name.as_str()));
    std::iter::once(own.to_string()).chain(names).collect()
}

/// The words of a path such as `model::{Cmdp, text::read}`, from its first word on, a list for every branch.
fn branches(code: &str) -> Vec<Vec<String>> {
    let end = code.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(code.len());
    let (word, rest) = code.split_at(end);
    if let Some(inside) = rest.strip_prefix("::{").filter(|_| !word.is_empty()) {
        let below = listed(inside).into_iter().flat_map(branches_of);
        return below.map(|words| [vec![word.to_string()], words].concat()).collect();
    }
    match rest.strip_prefix("::") {
        Some(more) if !word.is_empty() => {
            branches(more).into_iter().map(|words| [vec![word.to_string()], words].concat()).collect()
        }
        _ => vec![vec![word.to_string()]],
    }
}

fn branches_of(text: &str) -> Vec<Vec<String>> {
    branches(text.trim_start())
}

/// The parts of a list up to its closing brace, which may hold lists themselves.
fn listed(code: &str) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0, 0, Vec::new());
    for (at, c) in code.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                parts.push(&code[from..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&code[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts
}

/// The full paths that a file names: after `crate::`, after another crate's name, and after `super::`.
fn named(code: &str, modules: &[String]) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    let mut add = |base: Vec<String>, rest: &str| {
        paths.extend(branches_of(rest).into_iter().map(|words| [base.clone(), words].concat()));
    };
    let begins = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
    for (own, public, _) in CRATES {
        let roots = [(public, own), ("crate", modules[0].as_str())];
        for (word, base) in roots {
            let start = format!("{word}::");
            for (at, _) in code.match_indices(&start).filter(|&(at, _)| begins(at)) {
                let rest = code[at + start.len()..].strip_prefix('{');
                match rest {
                    Some(inside) => listed(inside).iter().for_each(|part| add(vec![base.to_string()], part)),
                    None => add(vec![base.to_string()], &code[at + start.len()..]),
                }
            }
        }
    }
    for (at, _) in code.match_indices("super::").filter(|&(at, _)| begins(at)) {
        let climbs = code[at..].split("super::").take_while(|between| between.is_empty()).count();
        let rest = &code[at + climbs * "super::".len()..];
        let up = modules.len().saturating_sub(climbs).max(1);
        add(modules[..up].to_vec(), rest);
    }
    paths
}

/// The line of the table that a path belongs to: the longest that it begins with.
fn unit(path: &[String]) -> Option<&'static str> {
    let belongs = |name: &&str| {
        let words: Vec<&str> = name.split("::").collect();
        path.len() >= words.len() && path.iter().zip(&words).all(|(a, b)| a == b)
    };
    ARROWS.iter().map(|(name, _)| *name).filter(belongs).max_by_key(|name| name.len())
}

/// Whether one is the other or lies inside it, so that they know each other anyway.
fn related(one: &str, other: &str) -> bool {
    one == other || one.starts_with(&format!("{other}::")) || other.starts_with(&format!("{one}::"))
}

/// Whether a file is compiled for tests alone.
fn is_for_tests(file: &Path) -> bool {
    ["tests.rs", "fixture.rs", "testing.rs"].iter().any(|name| file.ends_with(name))
}

/// The code of a file without comments and tests.
fn code(file: &Path) -> String {
    let text = std::fs::read_to_string(file).unwrap();
    let tests = text.find("#[cfg(test)]\nmod tests").unwrap_or(text.len());
    text[..tests].lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

#[test]
fn modules_know_only_the_layers_below_them() {
    let (mut found, mut homeless) = (BTreeSet::new(), BTreeSet::new());
    for (own, _, folder) in CRATES {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for file in sources(&source).into_iter().filter(|file| !is_for_tests(file)) {
            let modules = modules_of(own, &source, &file);
            let is_root = modules.len() < 2 && own != "cli";
            if is_root {
                continue;
            }
            let Some(from) = unit(&modules) else {
                homeless.insert(modules.join("::"));
                continue;
            };
            for path in named(&code(&file), &modules) {
                if let Some(to) = unit(&path).filter(|to| !related(from, to)) {
                    found.insert(format!("{from} -> {to}"));
                }
            }
        }
    }
    assert!(homeless.is_empty(), "modules that are not in the table: {homeless:?}");
    let arrows = |(module, below): &(&str, &[&str])| {
        below.iter().map(|other| format!("{module} -> {other}")).collect::<Vec<_>>()
    };
    let allowed: BTreeSet<String> = ARROWS.iter().flat_map(arrows).collect();
    let against: Vec<&String> = found.difference(&allowed).collect();
    assert!(against.is_empty(), "arrows that are not in the table: {against:#?}");
    let unused: Vec<&String> = allowed.difference(&found).collect();
    assert!(
        unused.is_empty(),
        "arrows that nothing uses any more, to be taken out of the table: {unused:#?}"
    );
}

#[test]
fn no_arrow_leads_upward() {
    // The table is in an order in which everything is known only after it was named; a folder stands beside its module.
    let place = |name: &str| ARROWS.iter().position(|(known, _)| *known == name).unwrap();
    for (module, below) in ARROWS {
        for other in *below {
            assert!(
                place(other) < place(module),
                "{module} knows {other}, which stands below it in the table"
            );
        }
    }
}
