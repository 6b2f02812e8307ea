//! Branch and bound against all deterministic policies, one by one.

use super::*;
use crate::model::{Cmdp, CmdpBuilder, Criterion, text};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::ControlFlow;

fn search(model: &Cmdp) -> Deterministic {
    let go_on = &mut |_: &Progress| ControlFlow::Continue(());
    deterministic(&Problem::average(model), PlannerConfig::default(), &StopFlag::default(), go_on).unwrap()
}

/// The best gain within the budgets over all deterministic policies.
fn brute_force(model: &Cmdp) -> Option<f64> {
    let mut choice: Vec<usize> = (0..model.states()).map(|state| model.pairs_of(state).start).collect();
    let mut best: Option<f64> = None;
    loop {
        let policy = Policy::deterministic(model, choice.iter().copied()).unwrap();
        let value = follow(&Problem::average(model), &policy).unwrap().value;
        if violation(model, &value) == 0.0 {
            best = Some(best.unwrap_or(f64::NEG_INFINITY).max(value.reward));
        }
        let Some(state) = (0..model.states()).find(|&state| choice[state] + 1 < model.pairs_of(state).end)
        else {
            return best;
        };
        choice[state] += 1;
        (0..state).for_each(|before| choice[before] = model.pairs_of(before).start);
    }
}

/// Two or three actions a state: every successor possible, or a few, or one alone, so that there are several classes.
fn random(seed: u64) -> Cmdp {
    let rng = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
    let states = rng.random_range(2..6);
    let costs = rng.random_range(1..3);
    let budgets: Vec<f64> = (0..costs).map(|_| rng.random_range(0.1..0.7)).collect();
    let most = [states, 2, 1][(seed % 3) as usize];
    let mut model = CmdpBuilder::new(states, &budgets);
    for state in 0..states {
        for _ in 0..rng.random_range(1..4) {
            let next: Vec<usize> = (0..most).map(|_| rng.random_range(0..states)).collect();
            let row: Vec<(usize, f64)> = next.iter().map(|&next| (next, 1.0 / most as f64)).collect();
            let costs: Vec<f64> = (0..costs).map(|_| level(rng)).collect();
            model.pair(state, &row, level(rng), &costs);
        }
    }
    model.start_distribution(&[(0, 0.5), (states - 1, 0.5)]).build().unwrap()
}

/// Quarters, so that ties are common.
fn level(rng: &mut impl Rng) -> f64 {
    f64::from(rng.random_range(0..5)) / 4.0
}

#[test]
fn the_best_of_all_deterministic_policies_is_found_or_the_news_that_none_meets_the_budgets() {
    let (mut met, mut missed, mut apart, mut several) = (0, 0, 0, 0);
    for seed in 0..240 {
        let model = random(seed);
        let (found, best) = (search(&model), brute_force(&model));
        assert!(found.is_exact && found.gap == 0.0, "seed {seed}");
        match (&found.verdict, best) {
            (Verdict::Optimal(plan), Some(best)) => {
                assert!(
                    (plan.value.reward - best).abs() < 1e-8,
                    "seed {seed}: {} and {best}",
                    plan.value.reward
                );
                assert!(plan.policies[0].policy.probabilities().iter().all(|&p| p == 0.0 || p == 1.0));
                let with_lotteries = found.with_lotteries.unwrap();
                assert!(
                    (plan.value.reward + plan.gap - with_lotteries).abs() < 1e-9,
                    "the gap is that to lotteries"
                );
                met += 1;
                apart += usize::from(with_lotteries > best + 1e-6);
                several += usize::from(plan.classes > 1);
            }
            (Verdict::Infeasible(_), None) => missed += 1,
            (verdict, best) => panic!("seed {seed}: {verdict:?} and {best:?}"),
        }
    }
    assert!(met > 60 && missed > 20 && apart > 20 && several > 5, "{met} {missed} {apart} {several}");
}

#[test]
fn lotteries_may_be_the_only_way_to_meet_a_budget() {
    let text = "cost c <= 0.5\ncost d <= 0.5\nstate a\n  x reward 1 c 1 -> a\n  y reward 1 d 1 -> a";
    let found = search(&text::parse(text).unwrap());
    let Verdict::Infeasible(closest) = &found.verdict else { panic!("{:?}", found.verdict) };
    assert_eq!((closest.violation, found.is_exact, found.nodes), (0.5, true, 3));
    assert!((found.with_lotteries.unwrap() - 1.0).abs() < 1e-9);
}

#[test]
fn a_search_that_is_broken_off_says_how_much_it_may_have_missed() {
    let model = (0..).map(random).find(|model| search(model).nodes > 3).unwrap();
    let (whole, stop) = (search(&model), &mut |_: &Progress| ControlFlow::Break(()));
    let problem = Problem::average(&model);
    let found = deterministic(&problem, PlannerConfig::default(), &StopFlag::default(), stop).unwrap();
    assert!(!found.is_exact && found.nodes == 1 && found.gap > 0.0, "{found:?}");
    let (Verdict::Optimal(best), Verdict::Optimal(first)) = (&whole.verdict, &found.verdict) else {
        panic!("{whole:?} {found:?}")
    };
    assert!(first.value.reward + found.gap >= best.value.reward - 1e-9);
}

#[test]
fn a_long_run_and_a_start_are_needed() {
    let model = random(0);
    let average = Problem::average(&model).counted_from(Origin::Anywhere);
    for problem in [average, Problem::new(&model, Criterion::Episodes { horizon: 3 })] {
        let go_on = &mut |_: &Progress| ControlFlow::Continue(());
        let error =
            deterministic(&problem, PlannerConfig::default(), &StopFlag::default(), go_on).unwrap_err();
        assert_eq!(
            error.to_string(),
            "option deterministic applies only to a long-run average from the start or from a state"
        );
    }
}
