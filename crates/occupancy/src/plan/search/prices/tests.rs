//! Plans of models with one to three states, whose gains, prices and violations are found by hand.

use super::*;
use crate::chain::evaluate;
use crate::model::{Cmdp, CmdpBuilder};
use crate::plan::fixture::{self, Given, assert_all_near, assert_near, gamble, model, stay_or_leave};
use crate::plan::{Infeasible, WeightedPolicy};
use std::ops::ControlFlow;

fn verdict(model: &Cmdp, from: Origin) -> Result<Verdict> {
    PriceSearch::new(OffSupport::Pinned).plan(&Problem::average(model).counted_from(from))
}

#[track_caller]
fn optimal(verdict: Result<Verdict>) -> Plan {
    match verdict.unwrap() {
        Verdict::Optimal(plan) => plan,
        Verdict::Infeasible(nearest) => panic!("no plan: {nearest:?}"),
    }
}

#[track_caller]
fn infeasible(verdict: Result<Verdict>) -> Infeasible {
    match verdict.unwrap() {
        Verdict::Optimal(plan) => panic!("a plan: {plan:?}"),
        Verdict::Infeasible(nearest) => nearest,
    }
}

/// The best plan from the start, by policy iteration; value iteration must agree.
#[track_caller]
fn plan(model: &Cmdp) -> Plan {
    let found = optimal(verdict(model, Origin::Start));
    let other =
        optimal(PriceSearch::by_value_iteration(1e-12, OffSupport::Pinned).plan(&Problem::average(model)));
    assert!(
        (found.value.reward - other.value.reward).abs() <= 1e-10,
        "{} and {}",
        found.value.reward,
        other.value.reward
    );
    assert!(found.gap <= 1e-12 && found.ended == Ended::Proved, "{found:?}");
    found
}

/// One state; each action is (reward, costs).
fn one_state(budgets: &[f64], actions: &[(f64, &[f64])]) -> Cmdp {
    let pairs: Vec<Given> = actions.iter().map(|&(r, costs)| (0, &[(0, 1.0)][..], r, costs)).collect();
    model(1, budgets, &pairs)
}

#[test]
fn a_budget_between_two_actions_is_shared_out() {
    let found = plan(&one_state(&[0.25], &[(1.0, &[1.0]), (0.0, &[0.0])]));
    assert_all_near(&[found.value.reward, found.value.costs[0], found.prices[0]], &[0.25, 0.25, 1.0]);
    assert_all_near(&found.occupancy, &[0.25, 0.75]);
    assert_eq!((found.classes, found.policies.len()), (1, 1));
    assert_all_near(found.policies[0].policy.probabilities(), &[0.25, 0.75]);
}

#[test]
fn prices_are_in_the_units_of_the_model() {
    // A thousandth of cost buys a thousand of reward: a million for one.
    let found = plan(&one_state(&[0.00025], &[(1000.0, &[0.001]), (0.0, &[0.0])]));
    assert!((found.value.reward - 250.0).abs() <= 1e-9 && (found.prices[0] - 1e6).abs() <= 1e-6, "{found:?}");
}

#[test]
fn an_action_below_the_line_between_two_others_is_not_taken() {
    // Half of (5, 2) and half of (0, 0) is (2.5, 1), which beats (1, 1).
    let found = plan(&one_state(&[1.0], &[(1.0, &[1.0]), (5.0, &[2.0]), (0.0, &[0.0])]));
    assert_all_near(&[found.value.reward, found.value.costs[0], found.prices[0]], &[2.5, 1.0, 2.5]);
    assert_all_near(&found.occupancy, &[0.0, 0.5, 0.5]);
}

#[test]
fn a_corner_that_uses_its_budget_up_has_a_price_between_its_slopes() {
    let found = plan(&one_state(&[1.0], &[(0.0, &[0.0]), (3.0, &[1.0]), (4.0, &[2.0])]));
    assert_all_near(&found.occupancy, &[0.0, 1.0, 0.0]);
    assert_near(found.value.reward, 3.0);
    assert!((1.0 - 1e-12..=3.0 + 1e-12).contains(&found.prices[0]), "{:?}", found.prices);
}

#[test]
fn a_budget_that_does_not_bind_has_no_price() {
    // The first is never exceeded; the best action stays below the second.
    let found = plan(&one_state(&[9.0, 0.75], &[(2.0, &[3.0, 0.5]), (1.0, &[9.0, 1.0])]));
    assert_eq!((found.value.reward, found.prices), (2.0, vec![0.0, 0.0]));
    assert_eq!(found.value.costs, [3.0, 0.5]);
}

#[test]
fn rewards_of_zero_have_a_gain_of_zero_and_no_gap() {
    let found = plan(&one_state(&[0.5], &[(0.0, &[1.0]), (0.0, &[0.0])]));
    assert_eq!((found.value.reward, found.gap), (0.0, 0.0));
    assert!(found.value.costs[0] <= 0.5 + 1e-12);
}

#[test]
fn shares_of_time_are_mixed_and_not_probabilities_of_actions() {
    // Half of the steps work: a cycle of one step against a cycle of two, so that 2 of 3 decisions are to work.
    let found = plan(&fixture::work_or_rest(0.5));
    assert_all_near(&found.occupancy, &[0.5, 0.25, 0.25]);
    assert_all_near(found.policies[0].policy.probabilities(), &[2.0 / 3.0, 1.0 / 3.0, 1.0]);
    assert_all_near(&[found.value.reward, found.prices[0]], &[0.5, 1.0]);
}

#[test]
fn two_policies_are_drawn_from_if_no_stationary_one_will_do() {
    let found = plan(&stay_or_leave(0.25));
    assert_all_near(&[found.value.reward, found.value.costs[0], found.prices[0]], &[0.25, 0.25, 1.0]);
    assert_eq!((found.policies.len(), found.classes), (2, 2));
    for drawn in &found.policies {
        let stays = drawn.policy.probabilities()[0] == 1.0;
        assert_near(drawn.weight, if stays { 0.25 } else { 0.75 });
        let expected = if stays { [1.0, 0.0, 1.0] } else { [0.0, 1.0, 1.0] };
        assert_eq!(drawn.policy.probabilities(), expected);
    }
}

#[test]
fn one_decision_on_the_way_mixes_what_comes_after_it() {
    // Ending in 2 with probability x costs 4 x and gains 1 + 2 x; 4 x ≤ 2.2 at x = 0.55, a fifth of the way from the
    // half of pair 0 to the three quarters of pair 1. The price is 2 for 4.
    let found = plan(&gamble(2.2));
    assert_all_near(&[found.value.reward, found.value.costs[0], found.prices[0]], &[2.1, 2.2, 0.5]);
    assert_all_near(found.policies[0].policy.probabilities(), &[0.8, 0.2, 1.0, 1.0]);
    assert_eq!((found.policies.len(), found.classes), (1, 2));
}

#[test]
fn where_the_long_run_is_counted_from_decides_what_can_be_had() {
    let open = gamble(f64::INFINITY);
    let gain = |from: Origin| optimal(verdict(&open, from)).value.reward;
    assert_all_near(&[gain(Origin::Anywhere), gain(Origin::Start)], &[3.0, 2.5]);
    assert_all_near(&[gain(Origin::State(1)), gain(Origin::State(2))], &[1.0, 3.0]);
    let refused = verdict(&open, Origin::State(3));
    assert!(matches!(refused, Err(Error::UnknownState { state: 3, states: 3 })), "{refused:?}");
}

#[test]
fn an_impossible_budget_comes_with_its_least_violation() {
    // The least cost is 2 for a budget of 1, in units of the largest cost, 3.
    let found = infeasible(verdict(&one_state(&[1.0], &[(1.0, &[2.0]), (9.0, &[3.0])]), Origin::Start));
    assert_near(found.violation, 1.0 / 3.0);
    assert_all_near(&found.least_costs, &[2.0]);
    assert_all_near(&found.occupancy, &[1.0, 0.0]);
    assert_all_near(&found.weights, &[1.0 / 3.0]);
    // From the start of the gamble a cost of 4 ends the run with probability a half at least: 2 against 1, in units of 9.
    let found = infeasible(verdict(&gamble(1.0), Origin::Start));
    assert_near(found.violation, 1.0 / 9.0);
    assert_all_near(&found.least_costs, &[2.0]);
}

#[test]
fn two_budgets_that_exclude_each_other_share_the_violation() {
    // Costs (x, 1 − x) against (¼, ¼): a half each, a quarter above both; Σ ½ J(c) = ½ > ¼ proves it.
    let actions: &[(f64, &[f64])] = &[(5.0, &[1.0, 0.0]), (0.0, &[0.0, 1.0])];
    let found = infeasible(verdict(&one_state(&[0.25, 0.25], actions), Origin::Start));
    assert_near(found.violation, 0.25);
    assert_all_near(&found.least_costs, &[0.5, 0.5]);
    assert_all_near(&found.weights, &[0.5, 0.5]);
}

#[test]
fn a_budget_that_is_met_to_the_last_digit_can_be_met() {
    let found = plan(&one_state(&[0.3], &[(1.0, &[0.9]), (0.5, &[0.3])]));
    assert_near(found.value.reward, 0.5);
    // A billionth of the largest cost below the least one still counts as met, three do not.
    let below = |by: f64| verdict(&one_state(&[0.3 - by], &[(1.0, &[0.9]), (0.5, &[0.3])]), Origin::Start);
    assert_near(optimal(below(0.5e-9)).value.reward, 0.5);
    assert!((infeasible(below(2.7e-9)).violation - 3e-9).abs() < 1e-15);
}

#[test]
fn a_second_plan_is_as_good_as_the_first_whatever_came_between() {
    let mut search = PriceSearch::new(OffSupport::Pinned);
    for _ in 0..2 {
        for budget in [0.25, 0.5] {
            let found = optimal(search.plan(&Problem::average(&stay_or_leave(budget))));
            assert_all_near(&[found.value.reward, found.gap], &[budget, 0.0]);
            search.reuse(found);
        }
        let found = optimal(search.plan(&Problem::average(&gamble(2.2))));
        assert_all_near(&[found.value.reward, found.prices[0]], &[2.1, 0.5]);
    }
}

#[test]
fn a_watcher_sees_the_gain_rise_to_the_bound() {
    let mut seen = Vec::new();
    let mut search = PriceSearch::new(OffSupport::Pinned);
    search
        .plan_watched(&Problem::average(&stay_or_leave(0.25)), &mut |progress| {
            seen.push(*progress);
            ControlFlow::Continue(())
        })
        .unwrap();
    // The first policy stays, 1 − ¼ above the budget.
    assert_eq!((seen[0].violation, seen[0].gain), (0.75, None));
    for progress in &seen {
        let gain = progress.gain.unwrap_or(f64::NEG_INFINITY);
        assert!(gain <= 0.25 + 1e-12 && progress.upper >= 0.25 - 1e-12, "{progress:?}");
    }
    assert_near(seen.last().unwrap().gain.unwrap(), 0.25);
}

#[test]
fn a_watcher_that_breaks_off_before_a_plan_is_known_is_told_how_far_off_it_is() {
    let mut search = PriceSearch::new(OffSupport::Pinned);
    let broken =
        search.plan_watched(&Problem::average(&stay_or_leave(0.25)), &mut |_| ControlFlow::Break(()));
    assert!(matches!(broken, Err(Error::Stopped { violation: 0.75 })), "{broken:?}");
}

#[test]
fn a_watcher_that_breaks_off_after_a_plan_is_known_gets_it() {
    let mut search = PriceSearch::new(OffSupport::Pinned);
    let found = search.plan_watched(&Problem::average(&gamble(2.2)), &mut |progress| match progress.gain {
        Some(_) => ControlFlow::Break(()),
        None => ControlFlow::Continue(()),
    });
    let found = optimal(found);
    assert_eq!(found.ended, Ended::Stopped);
    assert!(found.value.costs[0] <= 2.2 + 1e-12 && found.value.reward <= 2.1 + 1e-12, "{found:?}");
    assert!(found.value.reward + found.gap >= 2.1 - 1e-12, "{found:?}");
}

#[test]
fn a_search_that_is_stopped_keeps_its_policy_and_the_bound_of_the_greatest_reward() {
    // The first policy aims at the greatest reward, 1 in every second step; staying would bring 0.6.
    let pairs: &[Given] =
        &[(0, &[(0, 1.0)], 0.6, &[]), (0, &[(1, 1.0)], 0.0, &[]), (1, &[(0, 1.0)], 1.0, &[])];
    let model = model(2, &[], pairs);
    let (mut search, stop) = (PriceSearch::new(OffSupport::Pinned), StopFlag::new());
    search.stop_by(stop.clone());
    stop.ask();
    let found = optimal(search.plan(&Problem::average(&model)));
    assert_eq!((found.value.reward, found.gap, found.ended), (0.5, 0.5, Ended::Stopped));
    search.stop_by(StopFlag::default());
    let found = optimal(search.plan(&Problem::average(&model)));
    assert_eq!((found.value.reward, found.ended), (0.6, Ended::Proved));
    assert!(found.gap <= 1e-14, "{}", found.gap);
}

/// Work for a reward and a cost of 1, or rest, in each of so many states in a ring.
fn ring(states: usize, budget: f64) -> Cmdp {
    let mut ring = CmdpBuilder::new(states, &[budget]);
    for state in 0..states {
        let next = [((state + 1) % states, 1.0)];
        ring.pair(state, &next, 1.0, &[1.0]);
        ring.pair(state, &next, 0.0, &[0.0]);
    }
    ring.build().unwrap()
}

#[test]
fn who_insists_on_the_end_gets_the_policies_as_they_are() {
    let model = ring(1200, 0.25);
    let (mut search, stop) = (PriceSearch::new(OffSupport::Pinned), StopFlag::new());
    search.stop_by(stop.clone());
    let problem = Problem::average(&model);
    let verdict = search.plan_watched(&problem, &mut |progress| {
        if progress.gain.is_some() {
            stop.insist();
        }
        ControlFlow::Continue(())
    });
    let verdict = verdict.unwrap();
    let unproved = search.certify(&problem, &verdict);
    assert!(matches!(unproved, Err(Error::Stopped { .. })), "{unproved:?}");
    let found = optimal(Ok(verdict));
    assert_eq!((found.ended, found.occupancy.len()), (Ended::Stopped, 0));
    let (gain, cost) = (found.value.reward, found.value.costs[0]);
    assert!(cost <= 0.25 + 1e-9 && gain <= 0.25 + 1e-9 && gain + found.gap >= 0.25 - 1e-9, "{found:?}");
    let attained = |one: &WeightedPolicy| {
        one.weight * evaluate(&model, &one.policy, model.start()).unwrap().value.reward
    };
    assert!((found.policies.iter().map(attained).sum::<f64>() - gain).abs() < 1e-9);
    // Another planner is told what is missing, and the next plan of this one is whole.
    let verdict = Verdict::Optimal(found);
    let refused = PriceSearch::new(OffSupport::Pinned).certify(&problem, &verdict).unwrap_err().to_string();
    assert!(refused.contains("an occupancy"), "{refused}");
    search.stop_by(StopFlag::default());
    assert_eq!(optimal(search.plan(&problem)).ended, Ended::Proved);
}

/// What a search tells before it bounds anything: gains and violations.
fn approached(model: &Cmdp, most: usize) -> (Result<Verdict>, Vec<(Option<f64>, f64)>) {
    let mut told = Vec::new();
    let verdict =
        PriceSearch::new(OffSupport::Pinned).plan_watched(&Problem::average(model), &mut |progress| {
            if progress.upper.is_infinite() {
                told.push((progress.gain, progress.violation));
            }
            if told.len() >= most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    (verdict, told)
}

#[test]
fn a_large_model_approaches_its_budgets_from_below() {
    // All work at first: 0.7 above the budget. Prices from 1 / 0.7 / 256 on are doubled until rest pays, above 1: the ninth.
    let (verdict, told) = approached(&ring(1100, 0.3), usize::MAX);
    assert_eq!(told.len(), 9, "{told:?}");
    let works = |(gain, violation): &(Option<f64>, f64)| gain.is_none() && (violation - 0.7).abs() < 1e-9;
    assert!(told.iter().all(works), "{told:?}");
    assert_near(optimal(verdict).value.reward, 0.3);
    // A small model asks for the least violation at once.
    let (verdict, told) = approached(&ring(3, 0.3), usize::MAX);
    assert!(told.len() < 9, "{told:?}");
    assert_near(optimal(verdict).value.reward, 0.3);
}

#[test]
fn an_approach_that_is_broken_off_says_how_close_it_came() {
    let (verdict, told) = approached(&ring(1100, 0.3), 2);
    assert!(
        matches!(verdict, Err(Error::Stopped { violation }) if (violation - 0.7).abs() < 1e-9),
        "{told:?}"
    );
}

#[test]
fn budgets_that_rounding_hides_are_not_decided() {
    // Two states that are left once in 1e12 steps have biases of 2.5e11, whose last bits are worth 2e-4.
    let halves = |budget: f64| {
        let pairs: &[Given] = &[
            (0, &[(0, 1.0 - 1e-12), (1, 1e-12)], 0.0, &[0.0]),
            (1, &[(0, 1e-12), (1, 1.0 - 1e-12)], 0.0, &[1.0]),
        ];
        verdict(&model(2, &[budget], pairs), Origin::Start)
    };
    let Err(Error::Unsettled { least, lower }) = halves(0.499_95) else { panic!("a violation of 5e-5") };
    assert!((least - 5e-5).abs() < 1e-9 && lower <= FEASIBLE && lower > -1e-2, "{least:e} {lower:e}");
    assert!((infeasible(halves(0.4)).violation - 0.1).abs() < 1e-9);
    assert_near(optimal(halves(0.6)).value.costs[0], 0.5);
}

#[test]
fn a_plan_that_earns_the_greatest_reward_has_no_gap_and_is_proved() {
    let model = fixture::rooms();
    let mut search = PriceSearch::new(OffSupport::Pinned);
    let problem = Problem::average(&model).counted_from(Origin::Anywhere);
    let found = optimal(search.plan(&problem));
    assert_eq!((found.value.reward, found.gap, found.ended), (2.0, 0.0, Ended::Proved));
    // The other room leads here.
    assert_eq!(found.policies[0].policy.probabilities(), [0.0, 1.0, 1.0, 0.0]);
    let mut verdict = Verdict::Optimal(found);
    search.certify(&problem, &verdict).unwrap().correct(&mut verdict);
    let proved = optimal(Ok(verdict));
    assert!(proved.gap <= 1e-12, "{proved:?}");
    assert_eq!(optimal(search.plan(&problem)).value.reward, 2.0);
}
