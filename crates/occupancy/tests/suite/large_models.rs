//! Large models are built quickly, the families of the benchmarks are what they say, and plans that loiter are certified.

use crate::reached::reaches_all;
use occupancy::env::{self, Env};
use occupancy::model::Origin;
use occupancy::model::{Cmdp, Policy, Value};
use occupancy::plan::Problem;
use occupancy::plan::{Plan, PlannerConfig, Verdict};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

fn from_map(side: usize, slip: f64) -> Env {
    let file = format!("occupancy-large-{side}-{}.txt", std::process::id());
    let path = std::env::temp_dir().join(file);
    std::fs::write(&path, crate::large::map(side, 1)).unwrap();
    let env = env::from_map_file(&path, &[("slip".to_string(), slip.to_string())]);
    std::fs::remove_file(&path).unwrap();
    env.unwrap()
}

#[test]
fn a_map_of_forty_thousand_cells_is_quick() {
    let clock = Instant::now();
    let env = from_map(200, 0.1);
    // Takes a tenth of a second; the bound only catches work that grows with the square.
    assert!(clock.elapsed() < Duration::from_secs(10));
    assert_eq!((env.model.states(), env.model.pairs()), (40_000, 160_000));
    assert_eq!(env.model.names().state(200 * 199 + 7), "r199c7");
    assert_eq!(env.model.action_name(4 * 777 + 2), "left");
    assert!(env.model.signals().depends_on_successor());
}

#[test]
fn the_grid_is_the_model_of_its_map() {
    let (built, read) = (crate::large::grid(20, 0.1, 0.3, 1), from_map(20, 0.1).model);
    assert_eq!((built.states(), built.pairs(), built.budgets()), (400, 1600, &[0.3][..]));
    assert_eq!((built.start(), built.signals().reward()), (read.start(), read.signals().reward()));
    for pair in 0..built.pairs() {
        let [one, other] = [&built, &read].map(|model| model.kernel().row(pair).iter().collect::<Vec<_>>());
        assert_eq!(one.len(), other.len());
        assert!(one.iter().zip(&other).all(|((s, p), (t, q))| s == t && (p - q).abs() < 1e-15));
        assert!((built.signals().cost(0)[pair] - read.signals().cost(0)[pair]).abs() < 1e-15);
    }
    let risky = crate::large::map(200, 1).matches('P').count();
    assert!((7_600..8_400).contains(&risky), "{risky} of 40000");
}

#[test]
fn the_tandem_serves_blocks_and_loses() {
    let model = crate::large::tandem_queue(2, 0.5);
    assert_eq!((model.states(), model.pairs()), (9, 36));
    let row = |state: usize, action: usize| {
        model.kernel().row(model.pairs_of(state).start + action).iter().map(|(s, _)| s).collect::<Vec<_>>()
    };
    // State 3 q₁ + q₂; actions: admit slow, admit fast, reject slow, reject fast.
    assert_eq!(row(0, 0), [0, 3]);
    assert_eq!(row(0, 2), [0]);
    assert_eq!(row(4, 0), [2, 3, 4, 7]);
    assert_eq!(row(5, 3), [4, 5]);
    assert_eq!(row(8, 0), [7, 8]);
    assert!(model.signals().reward().iter().all(|reward| reward.abs() <= 1.0));
    assert_eq!(model.signals().cost(0)[..4], [0.0, 1.0, 0.0, 1.0]);
    assert!(reaches_all(&model));
}

#[test]
fn jumps_have_four_successors_and_lead_everywhere() {
    let model = crate::large::jumps(500, 0.4, 3);
    assert_eq!((model.states(), model.pairs(), model.budgets()), (500, 2000, &[0.4][..]));
    assert!((0..2000).all(|pair| (2..=4).contains(&model.kernel().row(pair).iter().count())));
    assert!(model.signals().reward().iter().chain(model.signals().cost(0)).all(|x| (0.0..=1.0).contains(x)));
    assert!(reaches_all(&model));
    let again = crate::large::jumps(500, 0.4, 3);
    assert_eq!((model.kernel(), model.signals()), (again.kernel(), again.signals()));
}

/// The best plan spends most of its time where there is no risk, and hardly ever slips away. The biases of reward and
/// cost are huge then, and cancel out at the right price; added up, they left a gap of 1.4e-5.
#[test]
fn a_plan_that_loiters_is_certified() {
    // HiGHS' value of the same program, by tests/reference/grids.py.
    const GAIN: f64 = -0.9963374524575385;
    let model = crate::large::grid(70, 0.1, 0.003, 1);
    let Ok(Verdict::Optimal(plan)) = PlannerConfig::default().build().plan(&Problem::average(&model)) else {
        panic!("the budget can be met")
    };
    assert!((plan.value.reward - GAIN).abs() < 1e-9, "{} instead of {GAIN}", plan.value.reward);
    assert!(plan.gap < 1e-10 && plan.evaluations.switched > 0, "{:e}, {:?}", plan.gap, plan.evaluations);
}

/// Classes that are worth the same at the price of the budget, and are left once in 10²⁰ steps, ended a search at a gap of 7e-5, another at
/// 6e-4, and a proof at 1.2e-6.
#[test]
fn classes_that_are_worth_the_same_are_settled() {
    // The sides and seeds of grids with HiGHS' values, by tests/reference/grids.py.
    let grids = [(34, 3, -0.9936291563221866), (41, 4, -0.995343761487738), (50, 5, -0.993441622056459)];
    for (side, seed, gain) in grids {
        let model = crate::large::grid(side, 0.1, 0.003, seed);
        let (problem, mut planner) = (Problem::average(&model), PlannerConfig::default().build());
        let mut verdict = planner.plan(&problem).unwrap();
        planner.certify(&problem, &verdict).unwrap().correct(&mut verdict);
        let Verdict::Optimal(plan) = verdict else { panic!("the budget can be met") };
        assert!((plan.value.reward - gain).abs() < 1e-9, "{} instead of {gain}", plan.value.reward);
        assert!(plan.gap < 1e-8, "{side} × {side}: a proof of {:e}", plan.gap);
    }
}

/// What a policy attains from anywhere, signal by signal: by elimination without subtraction, which keeps all digits but the
/// last. States are removed one by one, and who led there leads on to where it led.
fn eliminated(model: &Cmdp, policy: &Policy) -> Vec<f64> {
    let states = model.states();
    let mut rows: Vec<BTreeMap<usize, f64>> = vec![BTreeMap::new(); states];
    for (state, row) in rows.iter_mut().enumerate() {
        for pair in model.pairs_of(state) {
            for (next, p) in model.kernel().row(pair).iter() {
                *row.entry(next).or_default() += p * policy.probabilities()[pair];
            }
        }
    }
    let mut into: Vec<Vec<(usize, f64)>> = vec![Vec::new(); states];
    for removed in (1..states).rev() {
        let on: Vec<(usize, f64)> = rows[removed].range(..removed).map(|(next, p)| (*next, *p)).collect();
        let leave: f64 = on.iter().map(|(_, p)| p).sum();
        for (state, row) in rows[..removed].iter_mut().enumerate() {
            let Some(p) = row.remove(&removed) else { continue };
            into[removed].push((state, p / leave));
            on.iter().for_each(|(next, q)| *row.entry(*next).or_default() += p / leave * q);
        }
    }
    let mut law = vec![1.0; states];
    for state in 1..states {
        law[state] = into[state].iter().map(|(from, p)| law[*from] * p).sum();
    }
    let total: f64 = law.iter().sum();
    let average = |signal: &[f64]| -> f64 {
        let of = |state: usize| -> f64 {
            model.pairs_of(state).map(|pair| policy.probabilities()[pair] * signal[pair]).sum()
        };
        (0..states).map(|state| law[state] / total * of(state)).sum()
    };
    (0..model.signals().count()).map(|k| average(model.signals().signal(k))).collect()
}

/// The numbers of a plan whose chains are solved by iteration are as near to those of its policy as it says.
fn assert_errors_hold(model: &Cmdp, from: Origin) {
    let Ok(Verdict::Optimal(plan)) =
        PlannerConfig::default().build().plan(&Problem::average(model).counted_from(from))
    else {
        panic!("the budget can be met")
    };
    let Plan { policies, value: Value { reward: gain, costs, errors }, gap, .. } = &plan;
    let [one] = &policies[..] else { panic!("one stationary policy is enough") };
    let exact = eliminated(model, &one.policy);
    // Elimination itself is certain to some units in the last place.
    let rounding = 1e-14;
    for (k, (stated, exact)) in std::iter::once(gain).chain(costs).zip(&exact).enumerate() {
        let off = (stated - exact).abs();
        assert!(off <= errors[k] + rounding, "signal {k} is off by {off:e}, stated are {:e}", errors[k]);
        assert!(errors[k] <= 1e-10, "signal {k} is known to {:e}", errors[k]);
    }
    assert!(*gap >= errors[0] && *gap < 1e-9, "{gap:e}");
}

#[test]
fn a_plan_by_iteration_says_how_far_its_numbers_may_be_off() {
    assert_errors_hold(&crate::large::grid(60, 0.1, 0.1, 1), Origin::Start);
    assert_errors_hold(&crate::large::grid(40, 0.1, 0.15, 2), Origin::Anywhere);
}
