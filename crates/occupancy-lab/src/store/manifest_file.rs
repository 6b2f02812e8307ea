//! Reading `manifest.json`: what it says is believed only where it can be, whoever wrote it.
//!
//! Labels become names of folders, rounds and windows the size of tables, and levels are computed with: all of them are held to
//! what an experiment may ask for. The hash is made again from the settings, and the settings are compared with the rest.

use super::layout::{self, Found, MANIFEST, TRIALS};
use super::manifest::{Levels, Shape};
use super::seal::{self, Seal};
use super::{Manifest, Sessions};
use crate::error::{Damage, Error, Result, ResultsProblem};
use crate::experiment::{MOST_ROUNDS, MOST_RUNS, TAME, is_tame_path, settings_hash};
use occupancy::sim::MOST_POINTS;
use occupancy::sim::{Grid, Level};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Signals are not larger than this, and so no average of them.
const LARGEST: f64 = 1e100;

/// The manifest of a folder, with what the sessions add to it.
pub(super) fn read_with_sessions(folder: &Path) -> Result<Manifest> {
    let mut manifest = read(folder)?;
    let noted = Sessions::read(folder, &manifest.hash)?;
    manifest.runs = manifest.runs.max(noted.runs);
    manifest.sessions.extend(noted.sessions);
    Ok(manifest)
}

/// The manifest of a folder.
pub(super) fn read(folder: &Path) -> Result<Manifest> {
    let bytes = match layout::read(&folder.join(MANIFEST))? {
        Found::Nothing => {
            let holds_runs = !layout::names(folder, TRIALS)?.is_empty();
            let problem = if holds_runs { ResultsProblem::Unmarked } else { ResultsProblem::NoManifest };
            return Err(Error::Results { folder: folder.to_path_buf(), problem });
        }
        found => found.bytes(),
    };
    let manifest = bytes.and_then(|bytes| parse(&bytes));
    manifest.map_err(|damage| layout::damaged(folder, Path::new(MANIFEST), damage))
}

fn parse(bytes: &[u8]) -> std::result::Result<Manifest, Damage> {
    let found = seal::check(bytes);
    if found == Seal::Broken {
        return Err(Damage::Checksum);
    }
    let wrong = |message: String| Damage::Content { message };
    let mut manifest: Manifest =
        serde_json::from_slice(bytes).map_err(|error| wrong(format!("it cannot be read: {error}")))?;
    manifest.sealed = found == Seal::Whole;
    // The first programs, which knew no checksums, noted their sessions here.
    if !manifest.sealed && manifest.sessions.is_empty() {
        return Err(wrong("its checksum is missing".to_string()));
    }
    match check(&manifest) {
        Ok(()) => Ok(manifest),
        Err(message) => Err(wrong(message)),
    }
}

/// What cannot be in a manifest, with the key and the value.
type Checked = std::result::Result<(), String>;

fn check(manifest: &Manifest) -> Checked {
    let Manifest { name, rounds, runs, windows, .. } = manifest;
    tame("name", name)?;
    within("rounds", *rounds, 1, MOST_ROUNDS)?;
    within("runs", *runs, 1, MOST_RUNS)?;
    windows.iter().try_for_each(|&window| within("windows", window, 1, *rounds))?;
    let (_, points) = Grid::density(*rounds, windows);
    within("windows", points, 0, MOST_POINTS).map_err(|_| "windows ask for too many steps".to_string())?;
    check_environment(&manifest.environment)?;
    check_levels(&manifest.baseline, manifest.environment.costs.len())?;
    check_learners(manifest)?;
    check_files(manifest)?;
    check_settings(manifest)
}

fn tame(key: &str, name: &str) -> Checked {
    if is_tame_path(name) { Ok(()) } else { Err(format!("{key} is {}, expected {TAME}", shown(name))) }
}

/// A word of a stranger, short and without control characters.
fn shown(word: &str) -> String {
    let short: String = word.chars().take(60).collect();
    let dots = if short.len() < word.len() { "…" } else { "" };
    format!("`{}{dots}`", short.escape_debug())
}

fn within(key: &str, value: u64, least: u64, most: u64) -> Checked {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(format!("{key} is {value}, expected a number from {least} to {most}"))
}

fn check_environment(environment: &Shape) -> Checked {
    let (costs, budgets) = (environment.costs.len(), &environment.budgets);
    if budgets.len() != costs {
        return Err(format!("environment.budgets has {} numbers for {costs} costs", budgets.len()));
    }
    if environment.states == 0 || environment.pairs < environment.states {
        let (states, pairs) = (environment.states, environment.pairs);
        return Err(format!(
            "environment has {states} states and {pairs} pairs, expected a pair for each state"
        ));
    }
    // An infinite budget is no constraint.
    let wrong = budgets
        .iter()
        .find(|&&budget| budget.is_nan() || budget < -LARGEST || budget > LARGEST && budget.is_finite());
    wrong.map_or(Ok(()), |budget| Err(unlike("environment.budgets", *budget)))
}

fn unlike(key: &str, value: f64) -> String {
    format!("{key} has {value:e}, expected a finite number of at most 1e100 in size")
}

fn check_levels(levels: &Levels, costs: usize) -> Checked {
    let check = |key: &str, level: &Level| {
        let key = format!("baseline.{key}");
        if level.costs.len() != costs {
            return Err(format!("{key} has {} costs, expected {costs}", level.costs.len()));
        }
        let ranges = level.ranges.iter().flat_map(|(low, high)| [low, high]);
        let mut numbers = level.costs.iter().chain([&level.reward]).chain(ranges);
        let wrong = numbers.find(|x| x.is_nan() || x.abs() > LARGEST);
        wrong.map_or(Ok(()), |number| Err(unlike(&key, *number)))
    };
    let some = |key: &str, level: &Option<Level>| level.as_ref().map_or(Ok(()), |level| check(key, level));
    some("optimal", &levels.optimal).and(check("fast", &levels.fast)).and(some("safe", &levels.safe))
}

fn check_learners(manifest: &Manifest) -> Checked {
    let mut labels = BTreeSet::new();
    for entry in &manifest.learners {
        tame("learners.label", &entry.label)?;
        // Some systems do not tell A from a.
        if !labels.insert(entry.label.to_ascii_lowercase()) {
            return Err(format!("two learners are called {}", entry.label));
        }
    }
    if labels.is_empty() { Err("learners is empty".to_string()) } else { Ok(()) }
}

fn check_files(manifest: &Manifest) -> Checked {
    let plain = |name: &str| {
        let odd = |c: char| c.is_control() || "/\\:".contains(c);
        !name.is_empty() && name.len() <= 255 && !matches!(name, "." | "..") && !name.contains(odd)
    };
    match manifest.files.iter().find(|file| !plain(&file.name)) {
        Some(file) => Err(format!("files has {}, expected the name of a file", shown(&file.name))),
        None => Ok(()),
    }
}

/// The settings are those of the hash, and the rest of the manifest is theirs.
fn check_settings(manifest: &Manifest) -> Checked {
    if settings_hash(&manifest.settings) != manifest.hash {
        return Err("its hash is not that of its settings".to_string());
    }
    let settings: BTreeMap<&str, &str> =
        manifest.settings.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let windows: Vec<String> = manifest.windows.iter().map(u64::to_string).collect();
    let numbers = [
        ("numbers", manifest.numbers.to_string()),
        ("rounds", manifest.rounds.to_string()),
        ("seed", manifest.seed.to_string()),
        ("windows", windows.join(",")),
    ];
    let numbers = numbers.map(|(key, value)| (key.to_string(), value));
    let learners =
        manifest.learners.iter().map(|entry| (format!("learner.{}.name", entry.label), entry.kind.clone()));
    for (key, value) in numbers.into_iter().chain(learners) {
        if settings.get(key.as_str()) != Some(&value.as_str()) {
            return Err(format!("{} is {}, which its settings do not say", shown(&key), shown(&value)));
        }
    }
    Ok(())
}
