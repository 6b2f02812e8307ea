//! Processes that share a folder, and files that change under them.

use super::*;
use crate::catalogue::Catalogue;
use crate::error::ResultsProblem;
use crate::experiment::{Experiment, NUMBERS};
use occupancy::sim::Baseline;

const MODEL: &str = "cost heat <= 0.25\nstate cool\n  rest -> cool\n  work reward 2 -> cool 0.5, warm 0.5\n\
                     state warm\n  rest heat 1 -> cool\n";

/// A folder of its own with an experiment on a model in a file.
fn folder(test: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("occupancy-store-{test}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("plant.cmdp"), MODEL).unwrap();
    folder
}

fn experiment(folder: &Path, seed: u64, runs: u64) -> Experiment {
    let text = format!(
        "name = \"plant\"\nrounds = 20\nruns = {runs}\nseed = {seed}\n[env]\nfile = \"plant.cmdp\"\n[[learner]]\nname = \"uniform\"\n"
    );
    Experiment::from_text(&text, folder.join("plant.toml"), &Catalogue::standard()).unwrap().remove(0)
}

fn session() -> Session {
    Session::begin("0", "test", 2)
}

/// Does something with the store of an experiment.
fn with_store<T>(folder: &Path, experiment: &Experiment, then: impl FnOnce(&Store) -> T) -> T {
    let model = experiment.build().unwrap().model;
    let baseline = Baseline::of(&model).unwrap();
    then(&Store::new(folder.join("out"), experiment, &model, &baseline))
}

#[test]
fn no_session_is_lost_and_the_most_runs_asked_for_are_known() {
    let folder = folder("sessions");
    std::thread::scope(|scope| {
        for runs in 1..=8 {
            let folder = &folder;
            scope.spawn(move || {
                let session = session();
                with_store(folder, &experiment(folder, 1, runs), |store| {
                    store.prepare(&session).unwrap();
                    store.finish(&session).unwrap();
                });
            });
        }
    });
    let results = Results::open(folder.join("out")).unwrap();
    assert_eq!((results.manifest.sessions.len(), results.manifest.runs), (8, 8));
    assert!(results.manifest.sessions.iter().all(|session| session.ended.is_some()));
    assert_eq!(results.check().unwrap(), Checked::default());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn of_different_settings_started_at_once_one_is_stored_and_agrees_with_its_hash() {
    for round in 0..5 {
        let folder = folder(&format!("settings-{round}"));
        let refused = std::thread::scope(|scope| {
            let one = |seed| {
                let folder = &folder;
                scope.spawn(move || {
                    with_store(folder, &experiment(folder, seed, 2), |store| store.prepare(&session()).err())
                })
            };
            let started: Vec<_> = (0..4).map(one).collect();
            started.into_iter().filter_map(|one| one.join().unwrap()).collect::<Vec<_>>()
        });
        assert_eq!(refused.len(), 3, "{refused:?}");
        let other =
            |error: &Error| matches!(error, Error::Results { problem: ResultsProblem::Other { .. }, .. });
        assert!(refused.iter().all(other), "{refused:?}");
        let results = Results::open(folder.join("out")).unwrap();
        assert_eq!(results.experiment(&Catalogue::standard()).unwrap().hash(), results.manifest.hash);
        assert_eq!((results.check().unwrap(), results.manifest.numbers), (Checked::default(), NUMBERS));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

#[test]
fn a_model_that_is_edited_on_the_way_is_refused() {
    let folder = folder("edited");
    let experiment = experiment(&folder, 1, 2);
    let edit = |text: &str| std::fs::write(folder.join("plant.cmdp"), text).unwrap();
    with_store(&folder, &experiment, |store| {
        edit(&MODEL.replace("reward 2", "reward 3"));
        let refused = [store.prepare(&session()).unwrap_err(), experiment.build().unwrap_err()];
        for error in refused.map(|error| error.to_string()) {
            assert!(error.contains("plant.cmdp: it has changed since the experiment was read"), "{error}");
        }
        assert!(!folder.join("out/files").exists());
        edit(MODEL);
        store.prepare(&session()).unwrap();
        store.write_runs(&[]).unwrap();
        edit(&MODEL.replace("reward 2", "reward 3"));
        assert!(store.write_runs(&[]).is_err());
    });
    let copy = std::fs::read_to_string(folder.join("out/files/plant.cmdp")).unwrap();
    assert_eq!(copy, MODEL);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_damaged_manifest_is_made_again_if_sessions_say_whose_runs_these_are() {
    let folder = folder("manifest");
    let manifest = folder.join("out/manifest.json");
    with_store(&folder, &experiment(&folder, 1, 2), |store| store.prepare(&session()).unwrap());
    let whole = std::fs::read(&manifest).unwrap();
    std::fs::create_dir_all(folder.join("out/trials/uniform")).unwrap();
    std::fs::write(&manifest, &whole[..100]).unwrap();
    let refused = with_store(&folder, &experiment(&folder, 2, 2), |store| store.check().is_err());
    assert!(refused, "runs of another seed");
    with_store(&folder, &experiment(&folder, 1, 2), |store| {
        assert_eq!(store.damage().unwrap().len(), 1);
        store.prepare(&session()).unwrap();
    });
    assert_eq!(std::fs::read(&manifest).unwrap(), whole);
    std::fs::remove_file(&manifest).unwrap();
    std::fs::remove_dir_all(folder.join("out/sessions")).unwrap();
    let refused = with_store(&folder, &experiment(&folder, 1, 2), |store| store.check().is_err());
    assert!(refused, "nobody knows whose runs these are");
    std::fs::remove_dir_all(&folder).unwrap();
}
