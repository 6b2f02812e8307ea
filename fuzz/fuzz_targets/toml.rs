//! Any bytes as an experiment file: an error of one line, or experiments that are what their text says and no more than
//! are supported. What is read is not built.

#![no_main]

use libfuzzer_sys::fuzz_target;
use occupancy_lab::catalogue::Catalogue;
use occupancy_lab::experiment::Experiment;
use std::collections::BTreeSet;

/// There is nothing beside this file that a text could name.
const FILE: &str = "/nowhere/fuzz.toml";

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    // Absolute paths are opened: devices have no end.
    if text.contains("/dev") || text.contains("/proc") {
        return;
    }
    let found = match Experiment::from_text(text, FILE, &Catalogue::standard()) {
        Ok(found) => found,
        Err(error) => {
            let error = error.to_string();
            assert!(!error.contains(char::is_control), "an error of several lines: {error:?}");
            return assert!(error.starts_with(FILE) || error.contains("/nowhere/"), "no file: {error}");
        }
    };
    assert!(!found.is_empty());
    let names: BTreeSet<&str> = found.iter().map(|experiment| experiment.name.as_str()).collect();
    assert_eq!(names.len(), found.len(), "experiments that share a folder");
    let again = Experiment::from_text(text, FILE, &Catalogue::standard()).expect("it was read before");
    assert!(found == again && found[0].hash() == again[0].hash());
    found.iter().for_each(check);
});

/// What holds of every experiment.
fn check(experiment: &Experiment) {
    assert!(experiment.rounds > 0 && experiment.runs > 0 && !experiment.learners.is_empty());
    assert!(experiment.windows.iter().all(|window| (1..=experiment.rounds).contains(window)));
    let labels = experiment.learners.iter().map(|learner| learner.label.to_ascii_lowercase());
    assert_eq!(
        labels.collect::<BTreeSet<String>>().len(),
        experiment.learners.len(),
        "learners that share a folder"
    );
    let settings = experiment.settings();
    assert!(settings.iter().all(|(key, value)| !format!("{key}{value}").contains('\n')), "{settings:?}");
}
