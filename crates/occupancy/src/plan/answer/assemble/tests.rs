//! Mixtures of policies whose shares of time are known, and the plans that they become.

use super::*;
use crate::model::CmdpBuilder;
use crate::plan::fixture::{
    Given, anywhere, assert_all_near, assert_near, from_start, gamble, model, policy, rooms, stay_or_leave,
    work_or_rest,
};

/// A policy with its weight, its pairs and its shares of time.
type Part<'a> = (f64, &'a [u32], &'a [f64]);

/// The plan of a mixture; the prices are 0 and the bias is flat.
fn assembled_into(scope: &Scope, parts: &[Part], off_support: OffSupport, into: Plan) -> Plan {
    let model = scope.choices.model;
    let column = |&(weight, pairs, mass): &Part| {
        let gain = |k: usize| {
            pairs.iter().zip(mass).map(|(&pair, mass)| model.signals().signal(k)[pair as usize] * mass).sum()
        };
        let (gains, errors) =
            ((0..model.signals().count()).map(gain).collect(), vec![0.0; 1 + model.costs()]);
        (weight, Column { chosen: policy(pairs), mass: mass.to_vec(), gains, errors, ..Column::default() })
    };
    let columns: Vec<(f64, Column)> = parts.iter().map(column).collect();
    let (weighted, bias) = (model.signals().signal(0), vec![0.0; model.states()]);
    let mixture =
        Mixture { columns: &columns, weighted, bias: &bias, guesses: &[], way: Way::default(), off_support };
    let (plan, biases) = assemble(scope, &mixture, into).unwrap();
    assert!(biases.is_empty(), "biases are kept of large models alone");
    plan
}

fn assembled(scope: &Scope, parts: &[Part], off_support: OffSupport) -> Plan {
    assembled_into(scope, parts, off_support, Plan::empty())
}

/// The only policy of a plan.
#[track_caller]
fn single(plan: &Plan) -> &[f64] {
    assert_eq!(plan.policies.len(), 1);
    assert_eq!(plan.policies[0].weight, 1.0);
    plan.policies[0].policy.probabilities()
}

const WORK_AND_REST: [Part; 2] = [(0.5, &[0, 2], &[1.0, 0.0]), (0.5, &[1, 2], &[0.5, 0.5])];

#[test]
fn a_mixture_in_one_class_is_one_policy_in_proportion_to_the_occupancy() {
    // Half of the time at work, a quarter in each step of the rest: 2 of 3 visits to state 0 work.
    let model = work_or_rest(0.5);
    for scope in [from_start(&model), anywhere(&model)] {
        let plan = assembled(&scope, &WORK_AND_REST, OffSupport::Pinned);
        assert_all_near(&plan.occupancy, &[0.5, 0.25, 0.25]);
        assert_all_near(&[plan.value.reward, plan.value.costs[0]], &[0.5, 0.5]);
        assert_all_near(single(&plan), &[2.0 / 3.0, 1.0 / 3.0, 1.0]);
        assert_eq!((plan.classes, plan.prices.len(), plan.ended), (1, 0, Ended::Proved));
        assert!(plan.gap.is_nan(), "the gap is for the search to tell");
    }
}

#[test]
fn a_mixture_that_no_stationary_policy_attains_is_drawn_from() {
    let model = stay_or_leave(0.25);
    let parts: [Part; 2] = [(0.25, &[0, 2], &[1.0, 0.0]), (0.75, &[1, 2], &[0.0, 1.0])];
    let plan = assembled(&from_start(&model), &parts, OffSupport::Pinned);
    assert_all_near(&plan.occupancy, &[0.25, 0.0, 0.75]);
    assert_all_near(&[plan.value.reward, plan.value.costs[0]], &[0.25, 0.25]);
    assert_eq!((plan.classes, plan.policies.len()), (2, 2));
    let drawn = |k: usize| (plan.policies[k].weight, plan.policies[k].policy.probabilities());
    assert_eq!((drawn(0), drawn(1)), ((0.25, &[1.0, 0.0, 1.0][..]), (0.75, &[0.0, 1.0, 1.0][..])));
    // Not tied to a start, the occupancy is all there is to attain.
    let plan = assembled(&anywhere(&model), &parts, OffSupport::Pinned);
    assert_eq!((single(&plan), plan.classes), (&[1.0, 0.0, 1.0][..], 2));
}

#[test]
fn decisions_on_the_way_are_mixed_in_proportion_to_their_visits() {
    // State 0 is visited once: 4 of 5 times by pair 0, which ends in (½, ½), once by pair 1, which ends in (¼, ¾).
    let model = gamble(f64::INFINITY);
    let parts: [Part; 2] = [(0.8, &[0, 2, 3], &[0.0, 0.5, 0.5]), (0.2, &[1, 2, 3], &[0.0, 0.25, 0.75])];
    let plan = assembled(&from_start(&model), &parts, OffSupport::Pinned);
    assert_all_near(&plan.occupancy, &[0.0, 0.0, 0.45, 0.55]);
    assert_all_near(&[plan.value.reward, plan.value.costs[0]], &[2.1, 2.2]);
    assert_all_near(single(&plan), &[0.8, 0.2, 1.0, 1.0]);
    assert_eq!(plan.classes, 2);
}

#[test]
fn visits_on_the_way_are_counted_and_not_weights() {
    // Pair 0 tries a door of ¼ (four visits on average) to state 1, pair 1 goes to state 2 at once. To end in each with a
    // half, 4 of 5 visits have to try the door: ¼ · 4/5 = 1/5 against 1/5.
    let pairs: &[Given] = &[
        (0, &[(0, 0.75), (1, 0.25)], 0.0, &[]),
        (0, &[(2, 1.0)], 0.0, &[]),
        (1, &[(1, 1.0)], 2.0, &[]),
        (2, &[(2, 1.0)], 6.0, &[]),
    ];
    let model = model(3, &[], pairs);
    let parts: [Part; 2] = [(0.5, &[0, 2, 3], &[0.0, 1.0, 0.0]), (0.5, &[1, 2, 3], &[0.0, 0.0, 1.0])];
    let plan = assembled(&from_start(&model), &parts, OffSupport::Pinned);
    assert_all_near(single(&plan), &[0.8, 0.2, 1.0, 1.0]);
    assert_near(plan.value.reward, 4.0);
}

/// State 0 stays for 1. State 1, which nothing leads to, comes back slowly (pair 1) or at once (pair 2); state 2 never
/// does (pairs 3 and 4).
fn islands() -> Cmdp {
    let pairs: &[Given] = &[
        (0, &[(0, 1.0)], 1.0, &[]),
        (1, &[(0, 0.25), (1, 0.75)], 9.0, &[]),
        (1, &[(0, 1.0)], 0.0, &[]),
        (2, &[(2, 1.0)], 0.0, &[]),
        (2, &[(2, 1.0)], 0.0, &[]),
    ];
    model(3, &[], pairs)
}

#[test]
fn states_that_the_start_never_reaches_act_by_the_rule() {
    let model = islands();
    let parts: [Part; 1] = [(1.0, &[0, 1, 3], &[1.0, 0.0, 0.0])];
    let acts = |rule: OffSupport| single(&assembled(&from_start(&model), &parts, rule)).to_vec();
    // Return in the least expected time; what cannot return takes all actions.
    assert_eq!(acts(OffSupport::Pinned), [1.0, 0.0, 1.0, 0.5, 0.5]);
    assert_eq!(acts(OffSupport::Uniform), [1.0, 0.5, 0.5, 0.5, 0.5]);
    assert_eq!(acts(OffSupport::First), [1.0, 1.0, 0.0, 1.0, 0.0]);
}

/// State 0 stays for 1 or may go to 1; from there it is one step back for a reward (pair 2), or two by 2 for nothing.
fn hill(straight: f64) -> Cmdp {
    let pairs: &[Given] = &[
        (0, &[(0, 1.0)], 1.0, &[]),
        (0, &[(1, 1.0)], 0.0, &[]),
        (1, &[(0, 1.0)], straight, &[]),
        (1, &[(2, 1.0)], 0.0, &[]),
        (2, &[(0, 1.0)], 0.0, &[]),
    ];
    model(3, &[], pairs)
}

#[test]
fn states_that_could_be_reached_return_as_is_best_at_the_prices() {
    // Less the gain of 1 in each step: −6 at once or −2 by state 2.
    let model = hill(-5.0);
    let parts: [Part; 1] = [(1.0, &[0, 2, 4], &[1.0, 0.0, 0.0])];
    let acts = |rule: OffSupport| single(&assembled(&from_start(&model), &parts, rule)).to_vec();
    assert_eq!(acts(OffSupport::Pinned), [1.0, 0.0, 0.0, 1.0, 1.0]);
    assert_eq!(acts(OffSupport::Uniform), [1.0, 0.0, 0.5, 0.5, 1.0]);
    assert_eq!(acts(OffSupport::First), [1.0, 0.0, 1.0, 0.0, 1.0]);
    // −1.5 at once or −2 by state 2.
    let model = hill(-0.5);
    let plan = assembled(&from_start(&model), &parts, OffSupport::Pinned);
    assert_eq!(single(&plan), [1.0, 0.0, 1.0, 0.0, 1.0]);
}

#[test]
fn a_start_on_the_way_is_a_visited_state() {
    // From 1 the policy goes by 2 to 0 and stays: these are visits, whatever the rule for other states says.
    let mut builder = CmdpBuilder::new(3, &[]);
    builder.pair(0, &[(0, 1.0)], 1.0, &[]).pair(0, &[(1, 1.0)], 0.0, &[]);
    builder.pair(1, &[(0, 1.0)], -5.0, &[]).pair(1, &[(2, 1.0)], 0.0, &[]).pair(2, &[(0, 1.0)], 0.0, &[]);
    let model = builder.start(1).build().unwrap();
    let plan = assembled(&from_start(&model), &[(1.0, &[0, 3, 4], &[1.0, 0.0, 0.0])], OffSupport::First);
    assert_eq!(single(&plan), [1.0, 0.0, 0.0, 1.0, 1.0]);
}

#[test]
fn a_large_policy_that_is_drawn_returns_at_once_from_where_it_hardly_ever_is() {
    // Stay in 0 for 1 or in 1 for nothing. By chance once in 1e40 steps 0 leads to 2, which is left once in 1e25 steps (pair 4) or at
    // once (pair 5). A long way round makes the model large.
    let states = 1100;
    let mut builder = CmdpBuilder::new(states, &[f64::INFINITY]);
    let mut pair = |state: usize, row: &[(usize, f64)], both: f64| {
        builder.pair(state, row, both, &[both]);
    };
    pair(0, &[(0, 1.0), (2, 1e-40)], 1.0);
    pair(0, &[(1, 0.5), (3, 0.5)], 0.0);
    pair(1, &[(1, 1.0)], 0.0);
    pair(1, &[(0, 1.0)], 0.0);
    pair(2, &[(2, 1.0), (0, 1e-25)], 0.0);
    pair(2, &[(0, 1.0)], 0.0);
    (3..states).for_each(|state| pair(state, &[((state + 1) % states, 1.0)], 0.0));
    let model = builder.build().unwrap();
    let rest = 6..(states + 3) as u32;
    let pairs = |first: [u32; 3]| first.into_iter().chain(rest.clone()).collect::<Vec<u32>>();
    let mass = |first: [f64; 3]| first.into_iter().chain(vec![0.0; states - 3]).collect::<Vec<f64>>();
    let (stay, leave) = (pairs([0, 3, 4]), pairs([1, 2, 4]));
    let (in_0, in_1) = (mass([1.0, 0.0, 1e-15]), mass([0.0, 1.0, 0.0]));
    let scope = from_start(&model);
    assert!(scope.is_large());
    let plan = assembled(&scope, &[(0.25, &stay, &in_0), (0.75, &leave, &in_1)], OffSupport::Pinned);
    assert_eq!(plan.policies.len(), 2);
    let acts = |drawn: usize| plan.policies[drawn].policy.probabilities();
    assert_eq!(acts(0)[..6], [1.0, 0.0, 0.0, 1.0, 0.0, 1.0]);
    assert_eq!(acts(1)[..4], [0.0, 1.0, 1.0, 0.0]);
    assert_near(plan.value.reward, 0.25);
}

#[test]
fn two_rooms_that_are_kept_are_two_classes() {
    let model = rooms();
    let parts: [Part; 2] = [(0.25, &[0, 3], &[1.0, 0.0]), (0.75, &[1, 2], &[0.0, 1.0])];
    let plan = assembled(&anywhere(&model), &parts, OffSupport::Pinned);
    assert_eq!((plan.value.reward, plan.classes, single(&plan)), (1.75, 2, &[1.0, 0.0, 1.0, 0.0][..]));
    // From room 0 it takes a draw; who keeps it would return from room 1, although that is where others are.
    let plan = assembled(&from_start(&model), &parts, OffSupport::Pinned);
    assert_eq!((plan.value.reward, plan.classes, plan.policies.len()), (1.75, 2, 2));
    assert_eq!(plan.policies[0].policy.probabilities(), [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(plan.policies[1].policy.probabilities(), [0.0, 1.0, 1.0, 0.0]);
    // A share of going to and fro joins them.
    let joined: [Part; 3] =
        [(0.25, &[0, 3], &[1.0, 0.0]), (0.5, &[1, 2], &[0.0, 1.0]), (0.25, &[1, 3], &[0.5, 0.5])];
    let plan = assembled(&from_start(&model), &joined, OffSupport::Pinned);
    assert_eq!((plan.value.reward, plan.classes), (1.25, 1));
    assert_all_near(single(&plan), &[2.0 / 3.0, 1.0 / 3.0, 0.8, 0.2]);
}

#[test]
fn the_vectors_of_another_plan_leave_nothing_behind() {
    let (two, one) = (stay_or_leave(0.25), work_or_rest(0.5));
    let drawn: [Part; 2] = [(0.25, &[0, 2], &[1.0, 0.0]), (0.75, &[1, 2], &[0.0, 1.0])];
    let mut kept = assembled(&from_start(&two), &drawn, OffSupport::Pinned);
    kept.prices = vec![7.0, 8.0];
    kept.occupancy.push(9.0);
    let plan = assembled_into(&from_start(&one), &WORK_AND_REST, OffSupport::Pinned, kept);
    assert_all_near(&plan.occupancy, &[0.5, 0.25, 0.25]);
    assert_all_near(single(&plan), &[2.0 / 3.0, 1.0 / 3.0, 1.0]);
    assert_eq!((plan.value.costs.len(), plan.prices.len()), (1, 0));
}

#[test]
fn a_policy_that_leads_elsewhere_is_not_called_attaining() {
    let (model, bias) = (stay_or_leave(0.5), [0.0; 2]);
    let scope = from_start(&model);
    let attained = |occupancy: &[f64], stated: &[f64]| {
        let weighted = model.signals().signal(0);
        let draft = Draft {
            scope: &scope,
            occupancy,
            weighted,
            bias: &bias,
            way: Way::default(),
            off_support: OffSupport::First,
            hurries: false,
        };
        let found = draft
            .attaining(&[0.0, 1.0, 0.0], &[(0, 1.0)], stated, Wanted::Averages { guesses: &[] })
            .unwrap();
        found.map(|(policy, evaluation)| (policy.into_probabilities(), evaluation.value.reward))
    };
    assert_eq!(attained(&[1.0, 0.0, 0.0], &[1.0, 1.0]), Some((vec![1.0, 0.0, 1.0], 1.0)));
    assert_eq!(attained(&[0.0, 0.0, 1.0], &[0.0, 0.0]), Some((vec![0.0, 1.0, 1.0], 0.0)));
    assert_eq!(attained(&[0.5, 0.0, 0.5], &[0.5, 0.5]), None);
    // A billionth of the largest signal is close enough, two are not.
    assert!(attained(&[1.0, 0.0, 0.0], &[1.0 - 0.9e-9, 1.0]).is_some());
    assert!(attained(&[1.0, 0.0, 0.0], &[1.0, 1.0 + 2e-9]).is_none());
}
