//! Runs that fail, panic, or are stopped.

use super::*;
use crate::catalogue::Catalogue;
use crate::store::Results;
use std::path::PathBuf;
use std::time::Duration;

/// An experiment of two learners in a folder of its own, and what is done with it.
fn with_experiment(test: &str, check: impl FnOnce(&Runner, &Store)) {
    let folder = std::env::temp_dir().join(format!("occupancy-runner-{test}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let file: PathBuf = folder.join("two.toml");
    let text = "rounds = 300\nruns = 6\n[env]\nname = \"river-swim\"\n[[learner]]\nname = \"uniform\"\n\
                [[learner]]\nname = \"psrl-transitions\"\n";
    std::fs::write(&file, text).unwrap();
    let experiment = Experiment::read(&file, &Catalogue::standard()).unwrap().remove(0);
    let model = experiment.build().unwrap().model;
    let baseline = Baseline::of(&model).unwrap();
    let store = Store::new(folder.join("out"), &experiment, &model, &baseline);
    let runner = Runner {
        experiment: &experiment,
        model: &model,
        horizon: None,
        baseline: &baseline,
        runs: 0..6,
        jobs: 2,
    };
    check(&runner, &store);
    std::fs::remove_dir_all(&folder).unwrap();
}

fn session() -> Session {
    Session::begin("0", "test", 2)
}

fn go_on(_: &[LearnerProgress]) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn a_run_that_fails_or_panics_does_not_stop_the_others() {
    with_experiment("fails", |runner, store| {
        let agenda = runner.agenda(store).unwrap();
        assert_eq!((agenda.len(), agenda.of(1)), (12, 6));
        let trial = |config: &TrialConfig, watch: TrialWatch| match (config.learner.name(), config.run) {
            ("uniform", 1) => Err(occupancy::Error::NoStates),
            // Not a panic that is reported: tests should be quiet.
            ("psrl-transitions", 4) => std::panic::resume_unwind(Box::new("4 is a bad run")),
            _ => TimedTrial::run(config, watch),
        };
        let outcome = runner.run_with(&agenda, store, &session(), &mut go_on, &trial).unwrap();
        assert_eq!((outcome.done, outcome.stopped, outcome.broken.is_some()), (10, false, false));
        let failed: Vec<(&str, u64)> = outcome.failed.iter().map(|f| (f.label.as_str(), f.run)).collect();
        assert_eq!(failed, [("uniform", 1), ("psrl-transitions", 4)]);
        assert_eq!(outcome.failed[0].reason, "the model has no states");
        assert_eq!(outcome.failed[1].reason, "a fault in occupancy, please report it: 4 is a bad run");
        let rest = runner.agenda(store).unwrap();
        assert_eq!((rest.len(), rest.kept.as_slice()), (2, &[5, 5][..]));
        assert_eq!(runner.run(&rest, store, &session(), &mut go_on).unwrap().done, 2);
        let results = Results::open(store.folder()).unwrap();
        assert_eq!(results.runs("uniform").unwrap(), [0, 1, 2, 3, 4, 5]);
        assert_eq!(results.manifest.sessions.len(), 2);
        assert_eq!(results.experiment(&Catalogue::standard()).unwrap().hash(), results.manifest.hash);
        assert!(!results.snapshots("psrl-transitions", runner.model).unwrap().is_empty());
    });
}

#[test]
fn a_session_that_is_stopped_keeps_what_is_done() {
    with_experiment("stopped", |runner, store| {
        let agenda = runner.agenda(store).unwrap();
        let mut watch = |learners: &[LearnerProgress]| match learners[0].ended {
            0..2 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        };
        // Every run takes a while, so that the watcher comes in between.
        let trial = |config: &TrialConfig, watch: TrialWatch| {
            std::thread::sleep(Duration::from_millis(60));
            TimedTrial::run(config, watch)
        };
        let outcome = runner.run_with(&agenda, store, &session(), &mut watch, &trial).unwrap();
        assert!(outcome.stopped && (2..12).contains(&outcome.done), "{outcome:?}");
        assert_eq!(runner.agenda(store).unwrap().len(), 12 - outcome.done);
    });
}

#[test]
fn a_folder_taken_away_stops_everything() {
    with_experiment("taken", |runner, store| {
        let agenda = runner.agenda(store).unwrap();
        let trial = |config: &TrialConfig, watch: TrialWatch| {
            let _ = std::fs::remove_file(store.folder().join("manifest.json"));
            TimedTrial::run(config, watch)
        };
        let outcome = runner.run_with(&agenda, store, &session(), &mut go_on, &trial).unwrap();
        assert!(outcome.broken.is_some() && !outcome.stopped && outcome.done < 12, "{outcome:?}");
    });
}
