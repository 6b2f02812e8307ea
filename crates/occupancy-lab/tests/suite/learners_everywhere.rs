//! Learners on models of every shape: any number of costs, ragged actions, several classes, budgets that cannot be met.
//! No option makes them fail, no epoch is empty, and the number of epochs keeps UCRL2's bound.

use crate::random::{config, recipe};
use crate::trials::trial;
use occupancy::learn::{LearnerConfig, Registry};
use occupancy::model::Cmdp;
use occupancy::sim::check_learner;
use occupancy_lab::papers::provodin2022::Preset;
use proptest::prelude::*;

const ROUNDS: u64 = 200;

fn learner(kind: &str, preset: Preset, settings: &[(&str, &str)]) -> Box<dyn LearnerConfig> {
    let mut learner = preset.learner(kind, "none", ROUNDS).unwrap();
    let keys: Vec<&str> = learner.infos().iter().map(|info| info.name).collect();
    let needed = [("coef", "0.1"), ("h", "7"), ("eta", "0.3")];
    for (key, value) in needed.iter().chain(settings).filter(|(key, _)| keys.contains(key)) {
        learner.set(key, value).unwrap();
    }
    learner
}

/// The learners of long-run averages.
fn of_averages() -> Vec<&'static str> {
    let registry = Registry::standard();
    registry.all().filter(|known| !known.is_episodic()).map(LearnerConfig::name).collect()
}

/// A run of which the record is in order.
fn check(model: &Cmdp, learner: impl AsRef<dyn LearnerConfig>) {
    let trial = trial(model, learner, ROUNDS, 1, 0);
    let record = &trial.record;
    assert_eq!(record.step.last(), Some(&ROUNDS));
    // Every step is recorded here, so that an empty epoch would show as two epochs in one step.
    assert!(record.epochs.windows(2).all(|two| two[1] - two[0] <= 1), "{:?}", record.epochs);
    let visits: u64 = (0..model.pairs()).map(|pair| trial.counts.visits(pair)).sum();
    assert_eq!(visits, ROUNDS);
    let (least, most) = model.signals().bounds(0);
    let average = record.reward.last().unwrap() / ROUNDS as f64;
    let rounding = 1e-9 * least.abs().max(most.abs());
    assert!(average >= least - rounding && average <= most + rounding);
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn every_learner_runs_under_every_preset(recipe in recipe()) {
        let model = recipe.model();
        for kind in of_averages() {
            Preset::ALL.into_iter().for_each(|preset| check(&model, learner(kind, preset, &[])));
        }
    }

    /// What a learner has to know is said; one that takes a single cost refuses more.
    #[test]
    fn every_learner_of_episodes_runs(recipe in recipe()) {
        let model = recipe.model();
        let layered = model.layered(4).unwrap();
        let cost = layered.budgets().first().map_or(0.0, |budget| 4.0 * budget - 1.0).to_string();
        let told = [("rho", "3"), ("gap", "0.5"), ("baseline", "uniform"), ("baseline_cost", cost.as_str())];
        for known in Registry::standard().all().filter(|known| known.is_episodic()) {
            for preset in [Preset::Sound, Preset::Theory] {
                let learner = learner(known.name(), preset, &told);
                match check_learner(&layered, learner.as_ref(), ROUNDS) {
                    Ok(()) => check(&layered, learner),
                    Err(error) => {
                        let refused = error.to_string();
                        prop_assert!(refused.contains("takes one cost with a budget"), "{refused}");
                        prop_assert!(model.costs() != 1 || !model.budgets()[0].is_finite());
                    }
                }
            }
        }
    }

    #[test]
    fn every_answer_to_an_infeasible_plan_is_a_policy(recipe in recipe()) {
        let model = recipe.model();
        let least: Vec<f64> = (0..model.costs()).map(|i| model.signals().bounds(i + 1).0 - 1.0).collect();
        let model = model.with_budgets(&least).unwrap();
        for kind in of_averages() {
            for rule in ["explore", "least-cost", "drop", "uniform"] {
                check(&model, learner(kind, Preset::Sound, &[("infeasible", rule), ("prior", "known:0.5")]));
            }
        }
    }

    #[test]
    fn every_epoch_rule_and_execution_works(recipe in recipe()) {
        let model = recipe.model();
        for epochs in ["doubling", "tsde", "v1.2", "fixed:3", "power:0.5", "blocks"] {
            check(&model, learner("cucrl-transitions", Preset::Sound, &[("epochs", epochs)]));
        }
        for execute in ["current", "action-mixture", "occupancy-mixture", "sampled"] {
            for dual in ["observed", "model", "ascent"] {
                let settings = [("execute", execute), ("dual", dual), ("mixed", "5")];
                check(&model, learner("psrl-lagrangian", Preset::Sound, &settings));
            }
        }
    }

    /// At most S A log₂(8 T / (S A)) epochs for T ≥ S A, under the doubling rule.
    #[test]
    fn doubling_epochs_keep_their_bound(recipe in recipe()) {
        let model = recipe.model();
        let trial = trial(&model, learner("psrl-transitions", Preset::Sound, &[]), ROUNDS, 1, 0);
        let pairs = model.pairs() as f64;
        let bound = pairs * (8.0 * ROUNDS as f64 / pairs).log2();
        prop_assert!(*trial.record.epochs.last().unwrap() as f64 <= bound);
    }
}
