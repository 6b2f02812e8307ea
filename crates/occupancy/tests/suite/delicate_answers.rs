//! Answers about families of delicate models: all are proved, frontiers end where plans do, and a stop is heard.

use crate::families::{CATALOGUE, Leaving, filter_lock, philosophers, risky_map};
use occupancy::Error;
use occupancy::model::Cmdp;
use occupancy::model::Origin;
use occupancy::plan::Problem;
use occupancy::plan::{Ended, PlannerConfig, PlannerKind, Verdict, frontier};
use occupancy::stop::StopFlag;

/// Members up to this size are certified: the others take seconds each.
const LARGEST: usize = 6000;

fn without_budgets(model: &Cmdp) -> Cmdp {
    model.clone().with_budgets(&vec![f64::INFINITY; model.costs()]).unwrap()
}

#[test]
fn every_answer_is_proved() {
    for member in CATALOGUE {
        let model = (member.build)();
        for (from, model) in [(Origin::Start, model.clone()), (Origin::Anywhere, without_budgets(&model))] {
            if model.states() > LARGEST {
                continue;
            }
            let mut planner = PlannerConfig::default().build();
            let mut verdict = planner.plan(&Problem::average(&model).counted_from(from)).unwrap();
            let certificate =
                planner.certify(&Problem::average(&model).counted_from(from), &verdict).unwrap();
            certificate.correct(&mut verdict);
            match &verdict {
                Verdict::Optimal(plan) => {
                    assert_eq!(plan.ended, Ended::Proved, "{}", member.name);
                    // Where policies can wander for thousands of decisions, digits of the bound are lost.
                    assert!(plan.gap <= 1e-7, "{}: gap {:e}", member.name, plan.gap);
                    let ranges = std::iter::once(&certificate.proof.gain).chain(&certificate.proof.costs);
                    let widest = ranges.map(|range| range.high - range.low).fold(0.0, f64::max);
                    assert!(widest <= 1e-10, "{}: a range of {widest:e}", member.name);
                }
                Verdict::Infeasible(_) => {
                    assert!(certificate.proof.excess.is_some_and(|excess| excess > 0.0), "{}", member.name);
                }
            }
        }
    }
}

#[test]
fn the_frontier_of_a_large_deterministic_map_ends_where_the_plan_without_budget_does() {
    for seed in 1..=4 {
        let model = risky_map(40, 30, seed);
        let mut planner = PlannerConfig::default().build();
        let Verdict::Optimal(free) = planner.plan(&Problem::average(&without_budgets(&model))).unwrap()
        else {
            panic!("no budget, and yet not met")
        };
        let found = frontier(planner.as_mut(), &Problem::average(&model), 0).unwrap();
        let last = found.points.last().unwrap();
        assert!(
            (last.gain - free.value.reward).abs() <= 1e-9,
            "seed {seed}: {} instead of {}",
            last.gain,
            free.value.reward
        );
        assert!(last.budget <= free.value.costs[0] + 1e-9);
        let Verdict::Optimal(within) = planner.plan(&Problem::average(&model)).unwrap() else { continue };
        assert!(within.value.reward <= last.gain + 1e-9);
    }
}

#[test]
fn a_flag_ends_a_plan_and_not_the_next_one() {
    let model = philosophers(3, None);
    let (flag, mut planner) = (StopFlag::new(), PlannerConfig::default().build());
    flag.ask();
    planner.stop_by(flag);
    match planner.plan(&Problem::average(&model)) {
        Err(Error::Stopped { .. }) => {}
        Ok(Verdict::Optimal(plan)) => assert_eq!(plan.ended, Ended::Stopped),
        other => panic!("{other:?}"),
    }
    planner.stop_by(StopFlag::default());
    let Ok(Verdict::Optimal(plan)) = planner.plan(&Problem::average(&model)) else {
        panic!("it is not stopped")
    };
    assert_eq!(plan.ended, Ended::Proved);
}

/// The like of PRISM's `mutual` with three processes: 2847 states, everything deterministic, states that are never left. A
/// process that stays in its critical section earns 1 for ever, while others are told to rest.
#[test]
fn mutual_exclusion_of_three_processes_has_a_gain_of_1_and_no_gap() {
    for leaving in [Leaving::Never, Leaving::AtRest, Leaving::Anywhere] {
        let model = filter_lock(3, leaving);
        for kind in [PlannerKind::Prices, PlannerKind::PricesByValueIteration] {
            let mut planner = PlannerConfig { kind, ..PlannerConfig::default() }.build();
            let problem = Problem::average(&model);
            let mut verdict = planner.plan(&problem).unwrap();
            planner.certify(&problem, &verdict).unwrap().correct(&mut verdict);
            let Verdict::Optimal(plan) = verdict else { panic!("waiting is never needed") };
            assert!(
                (plan.value.reward - 1.0).abs() < 1e-12 && plan.gap < 1e-12,
                "{} {:e}",
                plan.value.reward,
                plan.gap
            );
            assert_eq!(plan.ended, Ended::Proved);
        }
    }
}
