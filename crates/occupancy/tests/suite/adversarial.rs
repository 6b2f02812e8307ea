//! Small models that a fuzzer found to be answered wrongly, or not at all. Each has an answer that can be seen by eye.

use occupancy::Error;
use occupancy::chain::evaluate;
use occupancy::model::Origin;
use occupancy::model::{Cmdp, Policy, text};
use occupancy::plan::Problem;
use occupancy::plan::{OffSupport, Optimist, Plan, PlannerConfig, PlannerKind, Progress, Verdict, frontier};
use std::ops::ControlFlow;

const PLANNERS: [PlannerKind; 2] = [PlannerKind::Prices, PlannerKind::PricesByValueIteration];

fn plan(model: &Cmdp, kind: PlannerKind, from: Origin) -> Plan {
    let mut planner = PlannerConfig { kind, ..PlannerConfig::default() }.build();
    match planner.plan(&Problem::average(model).counted_from(from)).unwrap() {
        Verdict::Optimal(plan) => plan,
        Verdict::Infeasible(found) => panic!("{kind:?} finds it infeasible by {}", found.violation),
    }
}

/// All planners find this gain, from the start and from anywhere, and certify it.
fn has_gain(model: &str, gain: f64) {
    let model = text::parse(model).unwrap();
    let size = model.signals().size(0).max(1e-300);
    for (kind, from) in
        PLANNERS.into_iter().flat_map(|kind| [(kind, Origin::Start), (kind, Origin::Anywhere)])
    {
        let plan = plan(&model, kind, from);
        assert!(
            (plan.value.reward - gain).abs() <= 1e-7 * size,
            "{kind:?} from {from:?} finds {}",
            plan.value.reward
        );
        assert!(plan.value.reward + plan.gap >= gain - 1e-9 * size, "{kind:?} certifies less than {gain}");
        assert!((plan.occupancy.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}

/// The optimist's answer, with an occupancy that is one, within the budgets where it says so.
fn optimistic(model: &Cmdp, radii: &[f64]) -> Verdict {
    let verdict = Optimist::new(OffSupport::Pinned).plan(model, radii).unwrap().verdict;
    let occupancy = match &verdict {
        Verdict::Optimal(plan) => {
            for (i, (cost, budget)) in plan.value.costs.iter().zip(model.budgets()).enumerate() {
                let slack = 2e-9 * model.signals().size(i + 1);
                assert!(*cost <= budget + slack, "cost {i} is {cost}, its budget {budget}");
            }
            &plan.occupancy
        }
        Verdict::Infeasible(found) => &found.occupancy,
    };
    let sum: f64 = occupancy.iter().sum();
    assert!((sum - 1.0).abs() < 1e-9, "the occupancy sums to {sum}");
    verdict
}

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
fn an_optimistic_occupancy_is_never_empty() {
    let model = "cost a <= 0.9999999980000011\n cost b <= 0\n
        state one\n go -> two
        state two\n stay reward 1 a 1.000000000000001 b 1 -> two\n dear reward 1 a 2 -> two";
    optimistic(&text::parse(model).unwrap(), &[1.0, 0.0, 0.0]);
}

#[test]
fn a_small_gain_beside_great_losses_is_found() {
    let model =
        "state a\n stay reward 1e3 -> a\n pay reward -1 -> c\n dive reward -1e9 -> b 1e-12, c 0.999999999999
                 state b\n stay -> b\n rise reward 1e6 -> a
                 state c\n back -> a";
    let model = text::parse(model).unwrap();
    for kind in PLANNERS {
        let plan = plan(&model, kind, Origin::Start);
        assert!(
            plan.value.reward >= 1e3 - 1e-9,
            "{kind:?} finds {} with gap {:e}",
            plan.value.reward,
            plan.gap
        );
    }
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
fn a_frontier_between_signals_of_extreme_sizes_is_found_or_refused_in_words() {
    let model = "cost a <= inf\n state s\n rest -> s\n work reward -1e100 a -1e-300 -> s";
    let great = "cost a <= inf
        state one\n go reward 1e100 a -1e100 -> one 1.1102230246251565e-16, two 0.9999999999999999
        state two\n back reward -1e100 a -1e100 -> one\n rest -> one";
    for text in [model, great] {
        let model = text::parse(text).unwrap();
        let mut planner = PlannerConfig::default().build();
        let found = frontier(planner.as_mut(), &Problem::average(&model), 0);
        assert!(!matches!(&found, Err(Error::Signal { .. })), "{}", found.unwrap_err());
    }
}

#[test]
fn a_link_of_1e_300_is_planned_or_refused_in_words() {
    let model = "state a\n stay -> a\n go reward -1e100 -> a 1e-300, b 1
                 state b\n stay reward -1e100 -> a 1e-300, b 1";
    let model = text::parse(model).unwrap();
    for kind in PLANNERS {
        let answer =
            PlannerConfig { kind, ..PlannerConfig::default() }.build().plan(&Problem::average(&model));
        assert!(matches!(answer, Ok(Verdict::Optimal(_)) | Err(Error::Underflow { .. })));
    }
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
fn budgets_of_nothing_beside_great_savings_leave_a_plan() {
    let model = "cost a <= 0\n cost b <= 0
        state one\n go reward 1 -> two\n stay -> one
        state two\n save a -1e9 -> one\n work reward 1 a 1 b 1 -> two";
    has_gain(model, 0.5);
    let model = text::parse(model).unwrap();
    PLANNERS.into_iter().for_each(|kind| assert!(!plan(&model, kind, Origin::Start).policies.is_empty()));
}

#[test]
fn a_policy_or_a_start_that_does_not_fit_is_not_evaluated() {
    let small = text::parse("state s\n stay reward 1 -> s").unwrap();
    let large = text::parse("state s\n stay -> s\n go -> t\n state t\n back -> s").unwrap();
    let (fits, foreign) = (Policy::uniform(&large), Policy::uniform(&small));
    assert!(evaluate(&large, &fits, &[(0, 1.0)]).is_ok());
    for (policy, start) in [
        (&foreign, vec![(0, 1.0)]),
        (&fits, vec![(2, 1.0)]),
        (&fits, vec![]),
        (&fits, vec![(0, 0.5)]),
        (&fits, vec![(0, f64::NAN)]),
    ] {
        let answer = std::panic::catch_unwind(|| evaluate(&large, policy, &start).is_err());
        assert!(matches!(answer, Ok(true)), "start {start:?}: {answer:?}");
    }
}

#[test]
fn a_door_that_hardly_ever_opens_is_worth_waiting_at() {
    for door in ["1e-100", "1e-20", "1.1102230246251565e-16"] {
        let model = format!("state a\n wait -> a 1, b {door}\n pay reward -1 -> a\n state b\n stay -> b");
        let model = text::parse(&model).unwrap();
        for kind in PLANNERS {
            let answer =
                PlannerConfig { kind, ..PlannerConfig::default() }.build().plan(&Problem::average(&model));
            // It may also say that the long run is not resolved in double precision.
            if let Ok(Verdict::Optimal(plan)) = answer {
                assert!(
                    plan.value.reward + plan.gap >= -1e-9,
                    "{kind:?} finds {} with gap {:e}",
                    plan.value.reward,
                    plan.gap
                );
            }
        }
    }
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
fn a_way_round_to_a_door_of_1e_100_is_not_ruled_out() {
    let model = "state a\n go -> c\n stay reward 1 -> a
        state b\n stay reward 2 -> b
        state c\n back -> a 1, b 1e-100";
    let model = text::parse(model).unwrap();
    for kind in PLANNERS {
        let plan = plan(&model, kind, Origin::Start);
        assert!(
            plan.value.reward + plan.gap >= 2.0 - 1e-9,
            "{kind:?} finds {} with gap {:e}",
            plan.value.reward,
            plan.gap
        );
    }
}

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

#[test]
fn an_end_that_takes_more_steps_than_a_number_holds_is_not_ruled_out() {
    let model = "start near
        state near\n try -> rich 1.110223e-316, poor 1.1102230246251565e-16, back 0.9999999999999999
        state rich\n stay reward 1000000 -> rich
        state poor\n leave reward -1000000000 -> near 0.5, poor 0.5\n stay -> poor
        state back\n go -> near";
    let model = text::parse(model).unwrap();
    for kind in [PlannerKind::Prices, PlannerKind::PricesByValueIteration] {
        let plan = plan(&model, kind, Origin::Start);
        assert!(
            plan.value.reward + plan.gap >= 1e6,
            "{kind:?}: {} with gap {:e}",
            plan.value.reward,
            plan.gap
        );
    }
}
