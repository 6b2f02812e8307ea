//! One episode against an independent implementation, and a policy's step by hand.

use super::*;
use crate::learn::algorithms::table1::{assert_close, entries, number, numbers};
use crate::learn::algorithms::table1_averages::{five_states, pooled, told};

/// The learner of a case, before its episode.
fn learner(entry: &serde_json::Value) -> ChenPolicy {
    let count = |key: &str| entry[key].as_u64().unwrap();
    let model = five_states(&[0], &[number(&entry["budget"])]);
    let task = Task::of(&model, count("T"));
    let scale = number(&entry["radius_scale"]);
    let rows = 5.0 * ln(2.0 * 10.0 * count("T") as f64 / 0.05);
    let constants = Constants {
        horizon: count("H"),
        window: count("N") as usize,
        eta: number(&entry["eta"]),
        price_max: number(&entry["price_max"]),
        epsilon: number(&entry["slack"]),
        theta: number(&entry["theta"]),
        iota: number(&entry["iota"]),
        row_scale: scale * scale * rows,
        floor: 1.0 / count("T") as f64,
    };
    let belief = Belief::new(NAME, &task, &told(&model), SignalSource::Known).unwrap();
    let mut learner = ChenPolicy::new(constants, &task, belief).unwrap();
    let runs = numbers(&entry["policy_run"]);
    learner.policy = Policy::unchecked(runs.iter().flat_map(|run| [1.0 - run, *run]).collect(), 1);
    learner.price = number(&entry["price"]);
    learner.count(&pooled(count("case") as usize, &model));
    learner
}

#[test]
fn an_episode_changes_policy_and_price_as_in_another_implementation() {
    let entries = entries("chen_alg1");
    assert_eq!(entries.len(), 13);
    for entry in &entries {
        let case = entry["case"].to_string();
        let mut learner = learner(entry);
        let walked = numbers(&entry["trajectory"]);
        let pairs: Vec<usize> =
            walked.chunks_exact(2).map(|pair| 2 * pair[0] as usize + pair[1] as usize).collect();
        let worth = learner.worth(&pairs);
        let value = learner.values(&pairs, &learner.priced());
        assert_close(&value, &entry["V"], &format!("V of case {case}"));
        assert_close(&worth.action_values, &entry["Q"], &format!("Q of case {case}"));
        assert_close(&learner.bonus(), &entry["bonus"], &format!("x of case {case}"));
        assert_close(&worth.ahead, &entry["u"], &format!("u of case {case}"));
        let iterated =
            learner.balls.iterate(&learner.bonus(), Some(&learner.policy), learner.constants.floor);
        assert_eq!(iterated.sweeps as u64, entry["evi_iterations"].as_u64().unwrap(), "case {case}");
        learner.improve(&worth, number(&entry["observed_cost"]));
        let runs: Vec<f64> = learner.policy.probabilities().chunks_exact(2).map(|row| row[1]).collect();
        assert_close(&runs, &entry["next_policy_run"], &format!("π of case {case}"));
        assert_close(&[learner.price], &entry["next_price"], &format!("λ of case {case}"));
    }
}

#[test]
fn a_policys_step_keeps_every_action_above_the_floor() {
    let mut shares = [0.5, 0.5];
    mirror_step(&mut shares, &[ln(3.0), 0.0], 1.0, 0.01);
    assert!((shares[0] - 0.75).abs() < 1e-15, "{shares:?}");
    // The last two fall below 0.1 one after the other: 0.06 at once, and 0.11 · 0.9 / 0.94 after it.
    let mut shares = [0.83, 0.11, 0.06];
    mirror_step(&mut shares, &[0.0, 0.0, 0.0], 1.0, 0.108);
    assert!(shares.iter().zip([0.784, 0.108, 0.108]).all(|(x, y)| (x - y).abs() < 1e-15), "{shares:?}");
    let mut one = [1.0];
    mirror_step(&mut one, &[7.0], 1.0, 0.5);
    assert_eq!(one, [1.0]);
}

#[test]
fn constants_are_those_of_the_run_or_of_the_theorem() {
    let task = Task::of(&five_states(&[0], &[0.24]), 1 << 20);
    let sure = Confidence { scale: Some(0.5), ..Confidence::default() };
    let run = Constants::new(NAME, ChenConstants::Run, &Knobs::default(), &sure, &task).unwrap();
    assert_eq!((run.horizon, run.window, run.eta, run.price_max), (300, 20, 1024.0, 1024.0));
    let rows = 5.0 * ln(20.0 * 1_048_576.0 / 0.05);
    assert!((run.iota - 0.5 * 40.0 * rows.sqrt()).abs() < 1e-9 && (run.row_scale - 0.25 * rows).abs() < 1e-9);
    assert_eq!((run.epsilon, run.theta), (0.01, 10.0 / 1024.0));
    let printed = |knobs: &Knobs| Constants::new(NAME, ChenConstants::Printed, knobs, &sure, &task);
    let missing = printed(&Knobs::default()).unwrap_err().to_string();
    assert_eq!(missing, "chen-policy has to know the mixing time: give it by t_mix, or take constants=run");
    let mut knobs =
        Knobs { t_mix: Some(1.0), t_hit: Some(2.0), baseline_cost: Some(0.3), ..Knobs::default() };
    let wrong = printed(&knobs).unwrap_err().to_string();
    assert_eq!(wrong, "baseline_cost of chen-policy is 0.3, expected a number below the budget 0.24");
    knobs.baseline_cost = Some(0.14);
    let found = printed(&knobs).unwrap();
    // log₂ T = 20: N = 80, H = 16 · 2 · 400.
    assert_eq!((found.horizon, found.window), (12_800, 80));
    assert!((found.price_max / found.eta - 400.0).abs() < 1e-6);
    assert!((found.epsilon - 0.05).abs() < 1e-12);
    assert!(found.theta > 0.0 && found.theta < 1e-6);
}

#[test]
fn the_first_episodes_by_hand() {
    // One state, two actions: reward 1 at cost 1, and nothing; windows of 1 step, episodes of 4.
    let mut model = crate::model::CmdpBuilder::new(1, &[0.25]);
    model.pair(0, &[(0, 1.0)], 1.0, &[1.0]).pair(0, &[(0, 1.0)], 0.0, &[0.0]);
    let model = model.build().unwrap();
    let knobs = Knobs {
        h: Some(4),
        n: Some(1),
        eta: Some(2.0),
        price_max: Some(2.0),
        epsilon: Some(0.0),
        theta: Some(1.0),
        iota: Some(0.0),
        ..Knobs::default()
    };
    let config = ChenPolicyConfig { knobs, ..Default::default() };
    let task = Task::of(&model, 100);
    let constants =
        Constants::new(NAME, ChenConstants::Run, &config.knobs, &config.confidence, &task).unwrap();
    let belief = Belief::new(NAME, &task, &told(&model), SignalSource::Known).unwrap();
    let mut learner = ChenPolicy::new(constants, &task, belief).unwrap();
    // First episode 0, 0, 1, 0, with nothing counted before it: p̄ V = 0, so Q = d = (1, 0), and π ∝ (e, 1).
    let worth = learner.worth(&[0, 0, 1, 0]);
    // Windows begin at steps 0 and 2, before the last one: (1 + 0) / 2.
    assert_eq!(
        (learner.values(&[0, 0, 1, 0], &[1.0, 0.0])[0], worth.action_values.as_slice()),
        (0.5, &[1.0, 0.0][..])
    );
    learner.improve(&worth, 2.0 / 3.0);
    let e = exp(1.0);
    assert!((learner.policy.probabilities()[0] - e / (1.0 + e)).abs() < 1e-15);
    assert!((learner.price - (2.0 / 3.0 - 0.25)).abs() < 1e-15);
    // Second episode: d = 1 − λ/2 and 0.
    let worth = learner.worth(&[1, 1, 1, 1]);
    assert!((worth.action_values[0] - (1.0 - learner.price / 2.0)).abs() < 1e-15);
    learner.improve(&worth, 0.0);
    assert!((learner.price - (2.0 / 3.0 - 0.5)).abs() < 1e-15);
}
