//! What learners do in small cases that can be followed by hand, and cases known from the literature.

use crate::trials::trial;
use occupancy::chain::evaluate;
use occupancy::env::EnvConfig;
use occupancy::learn::LearnerConfig;
use occupancy::model::Origin;
use occupancy::model::{Cmdp, Policy, Task, text};
use occupancy::plan::Problem;
use occupancy::plan::{OffSupport, PlannerConfig, PlannerKind, Verdict};
use occupancy::sim::{Metrics, Trial};
use occupancy_lab::papers::provodin2022::Preset;

fn with(preset: Preset, kind: &str, settings: &[(&str, &str)]) -> Box<dyn LearnerConfig> {
    let mut learner = preset.learner(kind, "none", 20).unwrap();
    settings.iter().for_each(|(key, value)| learner.set(key, value).unwrap());
    learner
}

/// A: stay for 1, or go to B for 0; B: back to A for 4 at cost 1. Going round is best: gain 2, cost 0.5.
fn round_trip() -> Cmdp {
    let model = text::parse(
        "cost toll <= 0.6
         state A
           stay  reward 1          -> A
           go                      -> B
         state B
           back  reward 4  toll 1  -> A",
    );
    model.unwrap()
}

/// The rewards of 20 steps as digits, the steps before which epochs begin, and the prices of the epochs kept.
fn trace(trial: &Trial) -> (String, Vec<u64>) {
    let sums = &trial.record.reward;
    let step = |i: usize| sums[i] - if i > 0 { sums[i - 1] } else { 0.0 };
    let rewards = (0..sums.len()).map(|i| format!("{}", step(i))).collect();
    let begins = |i: usize| i == 0 || trial.record.epochs[i] > trial.record.epochs[i - 1];
    (rewards, (0..sums.len()).filter(|&i| begins(i)).map(|i| i as u64).collect())
}

/// With the successors known, the model is known but for its signals: those not seen yet count as 4 and as free. At first
/// every policy seems to earn 4, and staying is taken; then each pair that was not seen; then going round. An epoch ends when
/// a pair has been visited as often in it as before it: after 1, 1, 1, 1, 1 steps, then when `go` has been taken 2 + 2 times
/// (3 steps), when `back` has 3 + 3 (5 steps); the next would end after 11, of which 7 are left.
#[test]
fn psrl_transitions_by_hand() {
    let learner = with(Preset::Sound, "psrl-transitions", &[("prior", "known:1")]);
    let found = trace(&trial(&round_trip(), &learner, 20, 1, 0));
    assert_eq!(found, ("10404040404040404040".into(), vec![0, 1, 2, 3, 4, 5, 8, 13]));
}

/// The same, and the prices move by 0.1 (cost seen − 0.6) after each epoch: down to 0 after the free ones, up by 0.04 after
/// `back`, down to 0 after `go`, and so on; 1/3 of the steps of epoch 6 cost, 3/5 of those of epoch 7. The last epoch is
/// kept too.
#[test]
fn psrl_lagrangian_by_hand() {
    let settings = [("prior", "known:1"), ("dual", "observed"), ("eta", "0.1")];
    let trial = trial(&round_trip(), with(Preset::Sound, "psrl-lagrangian", &settings), 20, 1, 0);
    assert_eq!(trace(&trial), ("10404040404040404040".into(), vec![0, 1, 2, 3, 4, 5, 8, 13]));
    let prices: Vec<f64> = trial.snapshots.iter().map(|one| one.prices[0]).collect();
    let kept: Vec<u64> = trial.snapshots.iter().map(|one| one.epoch).collect();
    assert_eq!(kept, [1, 2, 3, 5, 6, 8]);
    let by_hand = [0.0, 0.0, 0.0, 0.0, 0.04, 0.04 + 0.1 * (1.0 / 3.0 - 0.6)];
    prices
        .iter()
        .zip(by_hand)
        .for_each(|(price, by_hand)| assert!((price - by_hand).abs() < 1e-12, "{prices:?}"));
}

/// The paper's mixture: only the first policy stays, so that epoch k stays with probability 1/k. Prices by model values stay
/// at 0, because going round costs 0.5 of an allowed 0.6.
#[test]
fn the_action_mixture_by_hand() {
    let settings = [
        ("prior", "known:1"),
        ("dual", "model"),
        ("eta", "0.1"),
        ("execute", "action-mixture"),
        ("mixed", "all"),
    ];
    let trial = trial(&round_trip(), with(Preset::Sound, "psrl-lagrangian", &settings), 20, 1, 0);
    for one in &trial.snapshots {
        let stays = one.policy.probabilities()[0];
        assert!((stays - 1.0 / one.epoch as f64).abs() < 1e-12 && one.prices == [0.0], "{one:?}");
    }
}

/// A pair not seen is thought to stay where it is with reward 0 + 3 and cost 0 − 3, so that each is tried once; then going
/// round has (0 + 4)/2 + 0.1 against 1 + 0.1 for staying, at a cost of 0.5 − 0.1. Epochs end as in the trace above.
#[test]
fn cucrl_optimistic_by_hand() {
    let settings = [
        ("bonus", "scaled"),
        ("coef", "0.1"),
        ("clip", "false"),
        ("unvisited_reward", "0"),
        ("unvisited_cost", "0"),
        ("unvisited_bonus", "3"),
    ];
    let learner = with(Preset::Sound, "cucrl-optimistic", &settings);
    let found = trace(&trial(&round_trip(), &learner, 20, 1, 0));
    assert_eq!(found, ("10404040404040404040".into(), vec![0, 1, 2, 3, 4, 5, 8, 13]));
}

/// Blocks of 2 random steps and 0, 2, 4, 6 planned ones begin at steps 0, 2, 6 and 12. In this run both first random parts go
/// round; `stay` is then unseen, promises 4, and is planned twice. After that going round is planned: it has about 2 against
/// 1, at a cost of at most (0.1/√2 + 1)/2.
#[test]
fn cucrl_conservative_by_hand() {
    let settings = [("h", "2"), ("bonus", "scaled"), ("coef", "0.1")];
    let learner = with(Preset::Sound, "cucrl-conservative", &settings);
    let trial = trial(&round_trip(), &learner, 20, 1, 0);
    let (rewards, epochs) = trace(&trial);
    assert_eq!(epochs, [0, 2, 6, 12]);
    // What is kept of a block is its plan, from the second block on.
    let kept: Vec<(u64, u64)> = trial.snapshots.iter().map(|one| (one.epoch, one.step)).collect();
    assert_eq!(kept, [(1, 0), (2, 4), (3, 8), (4, 14)]);
    assert_eq!((&rewards[..4], &rewards[4..6]), ("0404", "11"));
    assert_eq!((&rewards[8..12], &rewards[14..]), ("0404", "404040"));
}

/// Epochs of two steps: at first all pairs promise 4 and staying is taken; then `go` and, once in B, `back`, which promise 4;
/// then the most favourable transitions within 0.1/√N still make going round the best, at a cost within 0.6.
#[test]
fn cucrl_transitions_by_hand() {
    let settings = [("epochs", "fixed:2"), ("bonus", "scaled"), ("coef", "0.1")];
    let learner = with(Preset::Sound, "cucrl-transitions", &settings);
    let found = trace(&trial(&round_trip(), &learner, 20, 1, 0));
    assert_eq!(found, ("11040404040404040404".into(), (0..10).map(|i| 2 * i).collect()));
}

/// The example that shows why an infeasible sample needs an answer: two states, `leave` succeeds with probability 0.9, reward
/// and cost are 1 in the first state, the budget is 0.5275. Planning anew in every step from a Beta(1, 1) prior, dropping the
/// constraint when a sample is infeasible ends at an average cost of 0.750 over the last 500 of 1500 steps, exploring at
/// 0.528 (20 runs of an independent implementation).
#[test]
fn exploring_cures_infeasible_samples_and_dropping_the_constraint_does_not() {
    let model = text::parse(
        "cost load <= 0.5275
         state on
           stay   reward 1  load 1  -> on
           leave  reward 1  load 1  -> on 0.1, off 0.9
         state off
           back                     -> on",
    );
    let model = model.unwrap();
    let average = |rule: &str| {
        let settings =
            [("prior", "known:1"), ("epochs", "fixed:1"), ("infeasible", rule), ("unvisited_reward", "0")];
        let learner = with(Preset::Sound, "psrl-transitions", &settings);
        let cost = |run| {
            let trial = trial(&model, &learner, 1500, 3, run);
            let metrics = Metrics::new(&trial.record, None, model.budgets());
            metrics.window(1, metrics.last(), 450).unwrap()
        };
        (0..60).map(cost).sum::<f64>() / 60.0
    };
    let (dropped, explored) = (average("drop"), average("explore"));
    // Means of 20 runs have a standard error of 0.045 when dropping (from 200 runs), of 60 runs 0.026: three of both.
    assert!((dropped - 0.750).abs() < 0.156, "{dropped}");
    assert!((explored - 0.528).abs() < 0.01, "{explored}");
}

/// What makes cucrl-conservative settle for the safe way on Box with all 121 states: with perfect estimates (40 000 visits of
/// every reachable pair, bonus 0.5/√N) the unreachable pairs, which promise reward 1 at cost 1 for staying, take the whole
/// budget. On the reachable states the same plan is optimal up to the bonus.
#[test]
fn unreachable_states_of_box_use_up_the_budget() {
    let plan = |states: &str| {
        let options = [("states".to_string(), states.to_string())];
        let model = EnvConfig::from_options("box", &options).unwrap().build().unwrap().model;
        let reachable = evaluate(&model, &Policy::uniform(&model), model.start()).unwrap().visited;
        let mut estimate = Task::of(&model, 1).blank();
        let bonus = 0.5 / 200.0;
        let known = |pair: usize| reachable[model.state_of(pair)];
        estimate
            .rewrite_rows(|pair, row| {
                if known(pair) {
                    row.extend(model.kernel().row(pair).iter())
                } else {
                    row.push((model.state_of(pair), 1.0))
                }
            })
            .unwrap();
        for k in 0..2 {
            let mean = |pair: usize| model.signals().signal(k)[pair] + bonus;
            estimate.rewrite_signal(k, |pair| if known(pair) { mean(pair) } else { 1.0 }).unwrap();
        }
        let planner = PlannerConfig { kind: PlannerKind::Prices, off_support: OffSupport::Uniform };
        let Verdict::Optimal(plan) =
            planner.build().plan(&Problem::average(&estimate).counted_from(Origin::Anywhere)).unwrap()
        else {
            panic!("the budget can be met")
        };
        let outside =
            (0..model.pairs()).filter(|&pair| !known(pair)).map(|pair| plan.occupancy[pair]).sum::<f64>();
        let true_value = evaluate(&model, &plan.policies[0].policy, model.start()).unwrap();
        (outside, true_value.value.reward, true_value.value.costs[0])
    };
    let (outside, gain, cost) = plan("all");
    assert!((outside - 0.2).abs() < 0.01, "{outside}");
    assert!((gain + 0.875).abs() < 1e-9 && cost < 1e-9, "{gain} {cost}");
    let (outside, gain, cost) = plan("reachable");
    assert!(outside == 0.0 && (gain + 0.865).abs() < 0.0025 && (cost - 0.2).abs() < 0.0026, "{gain} {cost}");
}

#[test]
fn a_run_is_a_function_of_its_seed_and_number() {
    let model = EnvConfig::from_options("marsrover-4x4", &[]).unwrap().build().unwrap().model;
    let learner = Preset::Published.learner("psrl-transitions", "marsrover-4x4", 2000).unwrap();
    let last = |seed, run| {
        let trial = trial(&model, &learner, 2000, seed, run);
        (*trial.record.reward.last().unwrap(), *trial.record.epochs.last().unwrap(), trial.record)
    };
    let ours = last(2022, 3);
    assert_eq!(ours, last(2022, 3));
    assert_ne!(ours.0, last(2022, 4).0);
    assert_ne!(ours.0, last(2023, 3).0);
    let elsewhere = std::thread::scope(|scope| scope.spawn(|| last(2022, 3)).join().unwrap());
    assert_eq!(ours, elsewhere);
}

/// The first step leads into one of two traps, for good.
fn traps(left: f64, right: f64) -> Cmdp {
    let model = text::parse(&format!(
        "cost toll <= 1
         state door
           go    reward 1        -> left 0.5, right 0.5
         state left
           stay  reward {left}   -> left
         state right
           stay  reward {right}  -> right"
    ));
    model.unwrap()
}

#[test]
fn psrl_lagrangian_counts_the_classes_that_its_policy_may_end_in() {
    let settings = [("prior", "known:1"), ("dual", "observed"), ("eta", "0.1")];
    let learner = with(Preset::Sound, "psrl-lagrangian", &settings);
    let found = trial(&traps(1.0, 1.0), &learner, 20, 1, 0);
    assert_eq!((found.record.multichain.last(), found.unsettled), (Some(&1), 0));
}

#[test]
fn plans_of_value_iteration_that_runs_out_of_sweeps_are_counted() {
    let settings = [("prior", "known:1"), ("dual", "observed"), ("eta", "0.1")];
    let learner = with(Preset::Sound, "psrl-lagrangian", &settings);
    let found = trial(&traps(0.0, 0.5), &learner, 20, 1, 0);
    // The traps promise the same until one of them has been seen for a step.
    let epochs = found.record.epochs.last().copied();
    assert_eq!((Some(found.unsettled + 2), found.record.multichain.last()), (epochs, Some(&1)));
}
