//! Under the preset `sound` every learner reaches the optimum: over 20 fixed seeds, the exact gain and cost on the true model
//! of the last planned policy are on average within 0.01 and 0.02 of it after 50 000 rounds.

use crate::trials::trial;
use occupancy::chain::evaluate;
use occupancy::env::EnvConfig;
use occupancy::model::{Cmdp, text};
use occupancy::sim::Baseline;
use occupancy_lab::papers::provodin2022::Preset;

const LEARNERS: [&str; 5] =
    ["psrl-transitions", "psrl-lagrangian", "cucrl-optimistic", "cucrl-conservative", "cucrl-transitions"];

fn check(name: &str, model: &Cmdp, kind: &str) {
    const RUNS: u64 = 20;
    let baseline = Baseline::of(model).unwrap();
    let optimal = baseline.optimal.unwrap();
    let learner = Preset::Sound.learner(kind, name, 50_000).unwrap();
    let (mut gain, mut cost) = (0.0, 0.0);
    for run in 0..RUNS {
        let policy = trial(model, &learner, 50_000, 1, run).policy;
        let found = evaluate(model, &policy, model.start()).unwrap();
        gain += found.value.reward / RUNS as f64;
        cost += found.value.costs[0] / RUNS as f64;
    }
    let what = format!("{} on {name}: {gain}, {cost} against {optimal:?}", kind);
    assert!((gain - optimal.reward).abs() < 0.01 && (cost - optimal.costs[0]).abs() < 0.02, "{what}");
}

#[test]
fn every_learner_reaches_the_optimum_of_two_states() {
    let model = text::parse(
        "cost heat <= 0.35
         state cool
           rest                      -> cool 0.9, warm 0.1
           work  reward 0.6          -> cool 0.5, warm 0.5
         state warm
           rest              heat 1  -> cool 0.8, warm 0.2
           work  reward 1    heat 1  -> cool 0.4, warm 0.6",
    );
    let model = model.unwrap();
    LEARNERS.into_iter().for_each(|kind| check("two states", &model, kind));
}

#[test]
fn every_learner_reaches_the_optimum_of_marsrover_4x4() {
    let options = Preset::Sound.environment("marsrover-4x4");
    let model = EnvConfig::from_options("marsrover-4x4", &options).unwrap().build().unwrap().model;
    LEARNERS.into_iter().for_each(|kind| check("marsrover-4x4", &model, kind));
}
