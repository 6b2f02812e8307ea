//! Optimistic plans: radii near rounding, costs of a million, constraints that are nearly the same.

use super::{optimistic, plan};
use occupancy::model::{Origin, text};
use occupancy::plan::{PlannerKind, Verdict};

/// The optimist without radii certifies at least what the plain planner attains.
fn is_not_below_the_plain_plan(model: &str) {
    let model = text::parse(model).unwrap();
    let plain = plan(&model, PlannerKind::Prices, Origin::Anywhere);
    let Verdict::Optimal(found) = optimistic(&model, &vec![0.0; model.pairs()]) else { panic!("no budgets") };
    let rounding = 1e-9 * model.signals().size(0);
    assert!(
        found.value.reward + found.gap >= plain.value.reward - rounding,
        "{} with gap {:e}",
        found.value.reward,
        found.gap
    );
    assert!(
        found.value.reward >= plain.value.reward - rounding,
        "{} below {}",
        found.value.reward,
        plain.value.reward
    );
}

#[test]
fn an_optimistic_occupancy_is_never_empty() {
    let model = "cost a <= 0.9999999980000011\n cost b <= 0\n
        state one\n go -> two
        state two\n stay reward 1 a 1.000000000000001 b 1 -> two\n dear reward 1 a 2 -> two";
    optimistic(&text::parse(model).unwrap(), &[1.0, 0.0, 0.0]);
}

#[test]
fn nearly_equal_constraints_leave_an_optimistic_plan() {
    let model = "cost a <= 999999.999\n cost b <= 999999.999
        state one\n stay reward 1 a 1 b 1 -> one
        state two\n go reward 1 a 1 -> one
        state three\n go a -1 b -1 -> four
        state four\n stay reward 1e6 a 1e6 b 1e6 -> four";
    optimistic(&text::parse(model).unwrap(), &[1.0, 1.0, 0.0, 1.0]);
    let model = "cost a <= 1.999999999\n cost b <= 1.999999999
        state one\n go reward 1 a 1 b 1 -> one 0.666, two 0.333, three 0.001
        state two\n stay reward 1 a 1 b 1 -> three\n back reward 2 a 1 b 1 -> one
        state three\n stay reward 1 a 1 b 0.001 -> three\n dear reward 1e3 a 1e3 b 1e3 -> two";
    let third = 1.0 / 3.0;
    optimistic(&text::parse(model).unwrap(), &[third, 0.0, third, 0.0, third]);
}

#[test]
fn radii_of_1e_16_leave_the_plain_optimum_attainable() {
    let model = "state sink\n stay -> sink\n
        state one\n down -> sink
        state two\n down reward 1 -> sink
        state rich\n stay reward 1 -> rich\n down reward 1 -> sink";
    let model = text::parse(model).unwrap();
    let Verdict::Optimal(plan) = optimistic(&model, &[1e-16; 5]) else { panic!("nothing is constrained") };
    assert!(plan.value.reward + plan.gap >= 1.0 - 1e-9, "{} with gap {:e}", plan.value.reward, plan.gap);
}

#[test]
fn a_cost_of_a_million_does_not_hide_a_budget_of_one() {
    let model = "cost a <= 1\n cost b <= 1
        state one\n to-two b 1 -> two\n to-three a 0.5 b 0.5 -> three
        state two\n go reward 1 a 1e6 b 1e6 -> three
        state three\n back a -1 b -1 -> one";
    optimistic(&text::parse(model).unwrap(), &[0.0, 0.0, 0.5, 0.0]);
}

#[test]
fn a_cost_of_a_million_beside_a_tiny_radius_keeps_its_budget() {
    let model = "cost a <= 0.5\n cost b <= 0
        state one\n stay -> one\n go -> three
        state two\n go reward 1 -> four
        state three\n go reward 2 a 1e6 b 1e-6 -> one
        state four\n go b 1 -> three";
    optimistic(&text::parse(model).unwrap(), &[0.0, 1e-9, 0.0, 0.0, 0.0]);
}

#[test]
fn great_costs_below_nothing_keep_their_budgets() {
    let model = "cost a <= -500999999.75\n cost b <= -501000000
        state one\n save a -1e9 b -1e9 -> three
        state two\n go reward 0.5 b 1 -> one
        state three\n go reward 0.5 a 0.5 -> one";
    optimistic(&text::parse(model).unwrap(), &[1.0, 0.0, 1.0]);
}

#[test]
fn an_optimistic_plan_has_costs_that_are_numbers() {
    let model =
        "cost a <= -0.9090909090909918\n cost b <= 89909.09090900827\n cost c <= 9.090909090909917e-13
        state one\n stay -> one\n work reward 1 a -1 c 1 -> two
        state two\n go reward -1 b 1e6 -> three
        state three\n go a -1 c 1e-12 -> one 0.5, three 0.5";
    optimistic(&text::parse(model).unwrap(), &[1.0, 0.0, 0.5, 0.5]);
}

#[test]
fn points_that_are_nearly_the_same_leave_a_mixture_within_the_budgets() {
    let model = "cost a <= -1.0000000000000002e-6\n cost b <= -1.0000000000000002e-6\n cost c <= -1.0000000000000002e-6
        state one\n go a 1 b -1 -> three\n stay reward 1 a 1000 b 1000 c 1000 -> one
        state two\n stay a -0.25 b 0.3333333333333333 c -1 -> two
        state three\n back -> one";
    optimistic(&text::parse(model).unwrap(), &[1.0, 0.0, 0.0, 1.0]);
    let model = "cost a <= -1e-9\n cost b <= -1e-9
        state one\n stay -> one
        state two\n go -> three
        state three\n go -> one\n pay a 1 -> one\n stay reward 1000 a 1000 b 1000 -> three
        state four\n go reward 1 -> two";
    let third = 1.0 / 3.0;
    optimistic(&text::parse(model).unwrap(), &[0.1, third, 0.0, third, 0.1, third]);
    let model = "cost a <= 0\n cost b <= 0
        state one\n go a 1 b 1 -> two
        state two\n go reward 1000000 a 1000000 b 1000000 -> one
        state three\n work reward 1 a 1 -> two\n rest a 1e-6 b 1e-6 -> two";
    optimistic(&text::parse(model).unwrap(), &[0.5, 0.0, 1e-6, 1.0]);
}

#[test]
fn a_bias_without_bound_of_a_cost_without_budget_certifies_nothing() {
    is_not_below_the_plain_plan(
        "cost a <= inf\n cost b <= inf\n cost c <= inf
         state 0\n 0 reward 1 -> 3\n 1 reward 1 -> 3\n 2 reward 1 -> 1\n 3 reward 0.3 -> 2
         state 1\n 0 reward -1 b -1e100 c -1e100 -> 1 0.999999999999, 2 1e-12\n 1 reward 0.5 -> 1 0.2, 3 0.8
         2 reward 1 -> 3
         state 2\n 0 reward 0.3 a -1e9 -> 0 1e-300, 2 1\n 1 reward 0.3 -> 2\n 2 reward 0.3 -> 3\n 3 b 0.5 -> 0
         state 3\n 0 reward 0.001 -> 0\n 1 reward 0.001 -> 2 1, 3 1e-100\n 2 -> 0\n 3 -> 0",
    );
}

#[test]
fn rows_that_cannot_be_chosen_lead_round_doors_of_1e_300() {
    is_not_below_the_plain_plan(
        "cost a <= inf\n cost b <= inf
         state 0\n 0 -> 0\n 1 -> 0\n 2 reward 1000 a 1000 b 0.5 -> 2\n 3 reward 1e100 a 0.001 b 1e100 -> 4
         state 1\n 0 reward 1e100 a 0.001 b 1e100 -> 3\n 1 reward 1e-6 a -1 b 0.5 -> 0 1e-300, 3 1
         2 reward 1e-6 a -1 b 0.5 -> 0 0.5, 3 0.5
         state 2\n 0 a 0.5 b 0.5 -> 0 1e-300, 2 1\n 1 a 0.5 b 0.5 -> 0 0.75, 3 0.25
         2 a 0.5 b 0.5 -> 0 1e-16, 2 0.9999999999999999\n 3 reward 1e100 b 1e6 -> 1 0.5, 3 0.4995, 5 0.0005
         state 3\n 0 reward 1e-6 a 0.001 -> 2 0.5, 3 0.5\n 1 reward 1e-6 a 0.001 -> 0
         2 reward 1e-6 a 0.001 -> 2 0.999999999, 3 1e-9\n 3 reward 1e-6 a 0.001 -> 0 0.5, 4 0.5
         state 4\n 0 reward 1e-6 a 0.001 -> 0
         state 5\n 0 reward 1e-6 a 0.001 -> 0",
    );
}
