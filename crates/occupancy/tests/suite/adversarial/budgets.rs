//! Budgets that are met just so, or missed by a billionth, and prices among which rounding decides.

use super::{PLANNERS, has_gain, optimistic, plan};
use occupancy::model::{Origin, text};
use occupancy::plan::{PlannerConfig, Problem, Progress, Verdict};
use std::ops::ControlFlow;

#[test]
fn a_budget_missed_by_a_billionth_does_not_hide_the_action_that_keeps_both() {
    has_gain(
        "cost a <= 1.999999998\n cost b <= 0.5\n state s\n both a 2 b 2 -> s\n one a 1.000000000000001 b 0.5 -> s",
        0.0,
    );
    has_gain(
        "cost a <= 0.9999999990000011\n cost b <= 1.1102230246251565e-15\n state s
         rest -> s\n work reward 1 a 1.000000000000001 b 1 -> s",
        0.0,
    );
}

#[test]
fn two_budgets_missed_by_a_billionth_do_not_hide_a_free_action() {
    has_gain(
        "cost a <= 0.000999999999\n cost b <= 999.999999\n state s\n dear a 0.001 b 1000 -> s\n free -> s",
        0.0,
    );
}

#[test]
fn a_budget_of_less_than_nothing_is_met_by_a_mixture() {
    has_gain(
        "cost a <= 0\n cost b <= -2e-9\n cost c <= 0
         state one\n go -> two
         state two\n dear reward 1 a 1/3 b 1/3 c 1 -> two\n save a -1 b -1 -> two\n back reward 1 a -1 -> one",
        0.5,
    );
}

#[test]
fn two_budgets_missed_by_a_billionth_do_not_hide_a_free_state() {
    let model = "cost a <= 1.999999998\n cost b <= 0\n
        state one\n stay a 2 b 1 -> one
        state two\n back b 2 -> one
        state free\n stay -> free";
    let model = text::parse(model).unwrap();
    PLANNERS.into_iter().for_each(|kind| assert_eq!(plan(&model, kind, Origin::Anywhere).value.reward, 0.0));
    assert!(matches!(optimistic(&model, &[0.0; 3]), Verdict::Optimal(_)));
}

#[test]
fn three_budgets_missed_by_a_trillionth_do_not_hide_the_cheap_action() {
    has_gain(
        "cost a <= 1.999999999998\n cost b <= 1.999999999998\n cost c <= 0.499999999998\n state s
         dear a 2 b 2 c 0.5 -> s\n middle a 1 c 2 -> s\n cheap a 0.001 c 0.001 -> s",
        0.0,
    );
}

#[test]
fn two_equal_budgets_that_one_state_just_meets_are_kept() {
    let model = "cost a <= -1e9\n cost b <= -1e9
        state one\n save a -1e9 b -1e9 -> one
        state two\n work reward 0.5 b 1 -> two\n idle reward 0.5 -> two";
    let model = text::parse(model).unwrap();
    optimistic(&model, &[0.0; 3]);
    for kind in PLANNERS {
        let costs = plan(&model, kind, Origin::Anywhere).value.costs;
        assert!(costs.iter().all(|&cost| cost <= -1e9 + 2.0), "{kind:?} finds {costs:?}");
    }
}

#[test]
fn a_link_of_1e_12_does_not_break_budgets_of_nothing() {
    let model = "cost a <= 0\n cost b <= 0
        state one\n slow -> one 0.999999999999, two 1e-12\n work reward 0.5 a 2 b 2 -> one\n save b -1 -> one
        state two\n go -> three
        state three\n back b 1 -> two\n home reward 0.5 a 0.5 -> one 0.5, two 0.5";
    let model = text::parse(model).unwrap();
    optimistic(&model, &[0.0; 6]);
    for kind in PLANNERS {
        let plan = plan(&model, kind, Origin::Anywhere);
        assert!(plan.value.costs.iter().all(|&cost| cost <= 4e-9), "{kind:?} finds {:?}", plan.value.costs);
    }
}

#[test]
fn budgets_of_nothing_beside_great_savings_leave_a_plan() {
    let model = "cost a <= 0\n cost b <= 0
        state one\n go reward 1 -> two\n stay -> one
        state two\n save a -1e9 -> one\n work reward 1 a 1 b 1 -> two";
    has_gain(model, 0.5);
    let model = text::parse(model).unwrap();
    PLANNERS.into_iter().for_each(|kind| assert!(!plan(&model, kind, Origin::Start).policies.is_empty()));
}

#[test]
fn prices_that_are_equally_good_up_to_rounding_do_not_take_turns_for_ever() {
    let model = "cost a <= 1000\n cost b <= 2e-9\n cost c <= 0\n start five
        state zero\n rest -> five\n work reward 2 a 2 b 2 c 2 -> five
        state one\n work reward 2 a 2 b 2 c 2 -> five
            some reward 2 a 1.000000000000001 b 2 -> zero 0.333, one 0.666, five 0.001
            dear reward 1 a 1000 -> four 0.999, five 0.001\n stay reward 1 a 1000 -> one
        state three\n stay reward 1 a 1000 -> one 0.001, three 0.999
        state four\n dear reward 1 a 1000 -> one 0.001, three 0.999\n work reward 2 a 2 b 2 c 2 -> five
        state five\n go reward 2 a 1.000000000000001 b 2 -> one\n dear reward 1 a 1000 -> four 0.999, five 0.001
            pay reward 1 a 1000 -> one\n rest -> five";
    let model = text::parse(model).unwrap();
    let (mut steps, four) = (0, Origin::State(3));
    let mut watch = |_: &Progress| {
        steps += 1;
        ControlFlow::Continue(())
    };
    let verdict = PlannerConfig::default()
        .build()
        .plan_watched(&Problem::average(&model).counted_from(four), &mut watch);
    let Ok(Verdict::Optimal(plan)) = verdict else { panic!("staying in one costs a thousand: {verdict:?}") };
    assert!(
        (plan.value.reward - 1.000000001).abs() < 1e-9 && plan.gap < 1e-9,
        "{} ± {:e}",
        plan.value.reward,
        plan.gap
    );
    assert!(steps < 1000, "{steps} steps");
}
