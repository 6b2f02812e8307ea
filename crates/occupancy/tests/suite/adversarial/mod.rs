//! Small models that a fuzzer found to be answered wrongly, or not at all. Each has an answer that can be seen by eye.

mod budgets;
mod extremes;
mod optimism;

use occupancy::model::{Cmdp, Origin, text};
use occupancy::plan::{OffSupport, Optimist, Plan, PlannerConfig, PlannerKind, Problem, Verdict};

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
