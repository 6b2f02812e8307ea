//! On random models of every shape the planners agree, their policies attain what they state, and the identities of
//! constrained planning hold.
use crate::attained::attained;
use crate::random::{Shape, recipe};
use occupancy::model::Origin;
use occupancy::model::{Cmdp, CmdpBuilder};
use occupancy::plan::Problem;
use occupancy::plan::{OffSupport, Plan, PlannerConfig, PlannerKind, Verdict};
use proptest::prelude::*;

const AGREE: f64 = 1e-7;

fn plan(model: &Cmdp, kind: PlannerKind, from: Origin, off_support: OffSupport) -> Verdict {
    PlannerConfig { kind, off_support }.build().plan(&Problem::average(model).counted_from(from)).unwrap()
}

fn prices(model: &Cmdp, from: Origin) -> Verdict {
    plan(model, PlannerKind::Prices, from, OffSupport::Pinned)
}

fn check_plan(model: &Cmdp, from: Origin, plan: &Plan) -> Result<(), TestCaseError> {
    let size = |k: usize| model.signals().size(k).max(1e-300);
    let found = attained(model, from, &plan.policies, &plan.occupancy);
    let stated = std::iter::once(plan.value.reward).chain(plan.value.costs.iter().copied());
    for (k, (x, y)) in found.iter().zip(stated).enumerate() {
        prop_assert!((x - y).abs() <= 1e-8 * size(k), "signal {k} is stated as {y}, attained {x}");
    }
    for (i, cost) in plan.value.costs.iter().enumerate() {
        prop_assert!(
            *cost <= model.budgets()[i] + 2e-9 * size(i + 1),
            "cost {i}: {cost} > {}",
            model.budgets()[i]
        );
        prop_assert!(plan.prices[i] >= 0.0);
    }
    prop_assert!(plan.policies.len() <= 1 + model.costs());
    let weight: f64 = plan.policies.iter().map(|drawn| drawn.weight).sum();
    prop_assert!((weight - 1.0).abs() < 1e-12);
    // The occupancy is balanced and sums to one.
    let mut flow = vec![0.0; model.states()];
    for state in 0..model.states() {
        for pair in model.pairs_of(state) {
            flow[state] += plan.occupancy[pair];
            model.kernel().row(pair).iter().for_each(|(next, p)| flow[next] -= plan.occupancy[pair] * p);
        }
    }
    prop_assert!(flow.iter().all(|x| x.abs() < 1e-9), "unbalanced by {flow:?}");
    prop_assert!((plan.occupancy.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    Ok(())
}

/// Both optimal with the same gain, or both infeasible with the same violation.
fn check_same(model: &Cmdp, a: &Verdict, b: &Verdict) -> Result<(), TestCaseError> {
    let size = model.signals().size(0).max(1e-300);
    match (a, b) {
        (Verdict::Optimal(a), Verdict::Optimal(b)) => {
            // Neither beats what the other certifies (gaps are below 1e-9 except where links are weak).
            let certified = a.value.reward <= b.value.reward + b.gap + AGREE * size
                && b.value.reward <= a.value.reward + a.gap + AGREE * size;
            prop_assert!(
                certified,
                "gains {} and {}, gaps {:e} and {:e}",
                a.value.reward,
                b.value.reward,
                a.gap,
                b.gap
            );
        }
        (Verdict::Infeasible(a), Verdict::Infeasible(b)) => {
            let close = (a.violation - b.violation).abs() <= AGREE * a.violation.max(1.0);
            prop_assert!(close, "violations {} and {}", a.violation, b.violation);
        }
        // At the edge of feasibility a general solver's tolerance may decide otherwise.
        (Verdict::Optimal(_), Verdict::Infeasible(edge))
        | (Verdict::Infeasible(edge), Verdict::Optimal(_)) => {
            prop_assert!(edge.violation <= AGREE, "one is optimal, one infeasible by {}", edge.violation);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(crate::random::config(2000))]

    #[test]
    fn all_planners_agree_and_attain_what_they_state(recipe in recipe()) {
        let model = recipe.model();
        for from in [Origin::Start, Origin::Anywhere] {
            let first = prices(&model, from);
            if let Verdict::Optimal(plan) = &first {
                check_plan(&model, from, plan)?;
                let size = model.signals().size(0).max(1e-300);
                let gap = if recipe.shape == Shape::Weak { 1e-2 } else { 1e-9 };
                prop_assert!(plan.gap <= gap * size, "gap {:e}", plan.gap);
            }
            for kind in [PlannerKind::PricesByValueIteration, PlannerKind::Lp] {
                // The solver of the linear program works to absolute tolerances of 1e-10, too coarse for weak links.
                if kind == PlannerKind::Lp && recipe.shape == Shape::Weak {
                    continue;
                }
                let other = plan(&model, kind, from, OffSupport::Uniform);
                check_same(&model, &first, &other)?;
                if let Verdict::Optimal(plan) = &other {
                    check_plan(&model, from, plan)?;
                }
            }
        }
    }

    #[test]
    fn a_nearest_policy_attains_its_violation(recipe in recipe()) {
        let model = recipe.model();
        for from in [Origin::Start, Origin::Anywhere, Origin::State(recipe.states - 1)] {
            if let Verdict::Infeasible(nearest) = prices(&model, from) {
                let found = attained(&model, from, &nearest.policies, &nearest.occupancy);
                let violation = |i: usize| (found[i + 1] - model.budgets()[i]) / model.signals().size(i + 1).max(1e-12);
                let most = (0..model.costs()).map(violation).fold(f64::NEG_INFINITY, f64::max);
                prop_assert!((most - nearest.violation).abs() <= 1e-8 * most.max(1.0));
                prop_assert!(nearest.violation > 1e-9);
            }
        }
    }

    #[test]
    fn a_tighter_budget_never_helps(recipe in recipe()) {
        let model = recipe.model();
        let tighter: Vec<f64> = model.budgets().iter().map(|b| b - 0.1 * recipe.scale).collect();
        if let Verdict::Optimal(tight) = prices(&model.clone().with_budgets(&tighter).unwrap(), Origin::Start) {
            let Verdict::Optimal(loose) = prices(&model, Origin::Start) else {
                return Err(TestCaseError::fail("feasible only when tighter"));
            };
            prop_assert!(tight.value.reward <= loose.value.reward + 1e-9 * recipe.scale);
            // The price is a supergradient: the loss is at least what the price says.
            let lost: f64 = loose.prices.iter().map(|price| price * 0.1 * recipe.scale).sum();
            prop_assert!(tight.value.reward <= loose.value.reward - lost + 1e-8 * recipe.scale * (1.0 + lost / recipe.scale));
        }
    }

    #[test]
    fn renaming_states_changes_nothing(recipe in recipe()) {
        let model = recipe.model();
        let renamed = reversed(&model);
        for from in [Origin::Start, Origin::Anywhere] {
            check_same(&model, &prices(&model, from), &prices(&renamed, from))?;
        }
    }

    #[test]
    fn scaling_the_reward_scales_the_gain(recipe in recipe(), factor in 0.001f64..1000.0) {
        let model = recipe.model();
        let reward = model.signals().reward().iter().map(|r| r * factor).collect();
        let costs = (0..model.costs()).map(|i| model.signals().cost(i).to_vec()).collect();
        let scaled = model.with_signals(reward, costs, model.budgets()).unwrap();
        if let (Verdict::Optimal(a), Verdict::Optimal(b)) = (prices(&model, Origin::Start), prices(&scaled, Origin::Start)) {
            prop_assert!((a.value.reward * factor - b.value.reward).abs() <= 1e-9 * factor * model.signals().size(0).max(1e-300));
        }
    }

    #[test]
    fn a_warm_planner_answers_as_a_cold_one(first in recipe(), second in recipe()) {
        let (first, second) = (first.model(), second.model());
        let mut planner = PlannerConfig::default().build();
        for model in [&first, &second, &first] {
            for from in [Origin::Anywhere, Origin::Start] {
                let warm = planner.plan(&Problem::average(model).counted_from(from)).unwrap();
                check_same(model, &warm, &prices(model, from))?;
                if let Verdict::Optimal(plan) = &warm {
                    check_plan(model, from, plan)?;
                }
            }
        }
    }
}

/// The same model with its states in reverse order.
fn reversed(model: &Cmdp) -> Cmdp {
    let last = model.states() - 1;
    let mut builder = CmdpBuilder::new(model.states(), model.budgets());
    for state in 0..model.states() {
        for pair in model.pairs_of(state) {
            let row: Vec<(usize, f64)> =
                model.kernel().row(pair).iter().map(|(next, p)| (last - next, p)).collect();
            let costs: Vec<f64> = (0..model.costs()).map(|i| model.signals().cost(i)[pair]).collect();
            builder.pair(last - state, &row, model.signals().reward()[pair], &costs);
        }
    }
    let start: Vec<(usize, f64)> = model.start().iter().map(|&(state, p)| (last - state, p)).collect();
    builder.start_distribution(&start).build().unwrap()
}
