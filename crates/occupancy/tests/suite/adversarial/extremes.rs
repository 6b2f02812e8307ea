//! Signals and links of extreme sizes, and input that does not fit: an answer, or a refusal in words.

use super::{PLANNERS, plan};
use occupancy::Error;
use occupancy::chain::evaluate;
use occupancy::model::{Origin, Policy, text};
use occupancy::plan::{PlannerConfig, PlannerKind, Problem, Verdict, frontier};

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
