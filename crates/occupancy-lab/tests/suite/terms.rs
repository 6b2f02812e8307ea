//! The terms of the paper's Appendix A: they sum to regret and violation, are what can be found by hand, and are had
//! without changing anything else.

use occupancy::env::EnvConfig;
use occupancy::learn::{LearnerConfig, Registry};
use occupancy::model::{Cmdp, text};
use occupancy::seed::Seed;
use occupancy::sim::{Baseline, Grid, Metrics, TrialConfig, check_learner};
use occupancy_lab::papers::provodin2022::Preset;
use occupancy_lab::terms::TermRow;
use occupancy_lab::timed::TimedTrial;
use std::ops::ControlFlow;

/// The same run without terms and with them.
fn both(model: &Cmdp, learner: impl AsRef<dyn LearnerConfig>, rounds: u64) -> (TimedTrial, TimedTrial) {
    let (baseline, grid) = (Baseline::of(model).unwrap(), Grid::new(rounds, &[1]));
    let config = TrialConfig {
        model,
        baseline: &baseline,
        learner: learner.as_ref(),
        rounds,
        grid: &grid,
        seed: Seed(1),
        run: 0,
    };
    let watch = &mut |_| ControlFlow::Continue(());
    (TimedTrial::run(&config, watch).unwrap(), TimedTrial::run_with_terms(&config, &mut [], watch).unwrap())
}

fn parts(row: &TermRow) -> [f64; 4] {
    [row.posterior_cmdp, row.relaxation, row.posterior_mdp, row.remainder]
}

/// Every row against the recorded sums, in the paper's small environment and in a queue with two budgets.
#[test]
fn the_terms_and_the_remainder_sum_to_regret_and_violation() {
    for (environment, preset, eta) in [
        ("marsrover-4x4", Preset::Published, None),
        ("marsrover-4x4", Preset::Paper, None),
        ("marsrover-4x4", Preset::Sound, None),
        ("queue", Preset::Sound, None),
        ("queue", Preset::Paper, Some("0.1")),
    ] {
        let options = preset.environment(environment);
        let model = EnvConfig::from_options(environment, &options).unwrap().build().unwrap().model;
        let mut learner = preset.learner("psrl-lagrangian", environment, 3000).unwrap();
        eta.iter().for_each(|eta| learner.set("eta", eta).unwrap());
        let (_, trial) = both(&model, &learner, 3000);
        let optimum = Baseline::of(&model).unwrap().optimum();
        let metrics = Metrics::new(&trial.trial.record, optimum, model.budgets());
        let names: Vec<&str> = trial.terms.iter().map(|terms| terms.quantity.as_str()).collect();
        assert_eq!(names, ["regret", "violation_0", "violation_1"][..=model.costs()], "{environment}");
        for (signal, terms) in trial.terms.iter().enumerate() {
            assert_eq!(terms.rows.last().unwrap().step, 3000);
            for row in &terms.rows {
                let point = metrics.point(row.step).unwrap();
                let recorded = match signal {
                    0 => metrics.regret(point).unwrap().signed,
                    i => metrics.violation(i - 1, point).signed,
                };
                let case = format!("{environment} {} {row:?}", preset.name());
                assert!((row.sum - recorded).abs() < 1e-8, "{case}: {recorded}");
                assert!((row.sum - parts(row).iter().sum::<f64>()).abs() < 1e-8, "{case}");
                assert_eq!((row.epoch, row.unsettled), (trial.trial.record.epochs[point], 0), "{case}");
            }
        }
    }
}

/// The successors are known, so that a drawn model differs from the true one only in signals not seen yet, which count as 4
/// and as free. The optimum goes round for 2. Epoch 1 stays: promised 4 by every policy, worth 1, paid 1. Epoch 2 goes:
/// promised 4, worth 2, paid 0. Epoch 3 comes back: promised and worth 2, paid 4. From then on all is known.
#[test]
fn the_terms_of_a_small_model_are_those_found_by_hand() {
    let model = text::parse(
        "cost toll <= 0.6
         state A
           stay  reward 1          -> A
           go                      -> B
         state B
           back  reward 4  toll 1  -> A",
    );
    let mut learner = Preset::Sound.learner("psrl-lagrangian", "none", 20).unwrap();
    for (key, value) in [("prior", "known:1"), ("dual", "observed"), ("eta", "0.1")] {
        learner.set(key, value).unwrap();
    }
    let (_, trial) = both(&model.unwrap(), &learner, 20);
    let rows = &trial.terms[0].rows;
    let expected = [[-2.0, 0.0, 3.0, 0.0], [-4.0, 0.0, 5.0, 2.0], [-4.0, 0.0, 5.0, 0.0]];
    for (row, expected) in rows.iter().zip(expected) {
        assert!(parts(row).iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-9), "{row:?}");
    }
    let last = rows.last().unwrap();
    assert!((last.posterior_cmdp + 4.0).abs() < 1e-9 && (last.posterior_mdp - 5.0).abs() < 1e-9, "{last:?}");
}

#[test]
fn looking_changes_nothing_and_only_learners_that_show_their_draws_have_terms() {
    let model = EnvConfig::from_options("marsrover-4x4", &[]).unwrap().build().unwrap().model;
    for known in Registry::standard().all().filter(|known| !known.is_episodic()) {
        let learner = Preset::Published.learner(known.name(), "marsrover-4x4", 500).unwrap();
        // Some have to be told something.
        if check_learner(&model, learner.as_ref(), 500).is_err() {
            continue;
        }
        let (without, with) = both(&model, &learner, 500);
        assert_eq!(
            (&without.trial.record, &without.trial.snapshots),
            (&with.trial.record, &with.trial.snapshots)
        );
        assert!(without.terms.is_empty());
        assert_eq!(with.terms.is_empty(), known.name() != "psrl-lagrangian", "{}", known.name());
    }
}

/// Every action costs 1, and nothing is allowed: there is no optimum to lose against, and what comes closest to the budget
/// is what a drawn model promises.
#[test]
fn models_that_no_policy_can_satisfy_are_counted() {
    let model = text::parse("cost toll <= 0\nstate A\n  stay  reward 1  toll 1  -> A").unwrap();
    let learner = Preset::Sound.learner("psrl-lagrangian", "none", 100).unwrap();
    let (_, trial) = both(&model, &learner, 100);
    let [violation] = &trial.terms[..] else { panic!("{:?}", trial.terms) };
    assert_eq!(violation.quantity, "violation_0");
    // Nothing was seen before the first epoch, whose costs count as 0, or as the least known: 1.
    let last = violation.rows.last().unwrap();
    assert!(last.infeasible >= last.epoch - 1 && last.epoch > 1, "{last:?}");
    assert_eq!(parts(last).iter().sum::<f64>(), 100.0);
    assert!(last.relaxation.abs() < 1e-9 && last.remainder.abs() < 1e-9, "{last:?}");
}
