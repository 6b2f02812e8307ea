//! Optimism over sets of kernels equals the extended linear program, believes only in kernels of the set, and never
//! loses by a wider set.
use crate::random::{Recipe, Shape, recipe};
use microlp::{ComparisonOp, OptimizationDirection, SolveOptions, Variable};
use occupancy::chain::evaluate;
use occupancy::model::Origin;
use occupancy::model::{Cmdp, CmdpBuilder, Policy};
use occupancy::plan::{OffSupport, Optimist, PlannerConfig, Problem, Verdict};
use proptest::prelude::*;
use rand::RngExt;

/// max Σ q r over q(s,a,s′) ≥ 0 with lo·μ ≤ q ≤ hi·μ, μ = Σ_{s′} q, balanced, Σ q = 1; `None` if infeasible.
fn extended_program(model: &Cmdp, radii: &[f64]) -> Option<f64> {
    let states = model.states();
    let mut problem = microlp::Problem::new(OptimizationDirection::Maximize);
    let mut flow: Vec<Vec<(Variable, f64)>> = vec![Vec::new(); states];
    let mut costs: Vec<Vec<(Variable, f64)>> = vec![Vec::new(); model.costs()];
    let mut all = Vec::new();
    for state in 0..states {
        for pair in model.pairs_of(state) {
            let mut centre = vec![0.0; states];
            model.kernel().row(pair).iter().for_each(|(next, p)| centre[next] = p);
            let reward = model.signals().reward()[pair];
            let q: Vec<Variable> =
                (0..states).map(|_| problem.add_var(reward, (0.0, f64::INFINITY))).collect();
            for (next, &p) in centre.iter().enumerate() {
                let (low, high) = ((p - radii[pair]).max(0.0), (p + radii[pair]).min(1.0));
                let share = |bound: f64| -> Vec<(Variable, f64)> {
                    q.iter().enumerate().map(|(s, &q)| (q, f64::from(s == next) - bound)).collect()
                };
                problem.add_constraint(share(low), ComparisonOp::Ge, 0.0);
                problem.add_constraint(share(high), ComparisonOp::Le, 0.0);
                if next != state {
                    flow[state].push((q[next], 1.0));
                    flow[next].push((q[next], -1.0));
                }
            }
            for (i, row) in costs.iter_mut().enumerate() {
                row.extend(q.iter().map(|&q| (q, model.signals().cost(i)[pair])));
            }
            all.extend(q);
        }
    }
    flow.into_iter().for_each(|row| problem.add_constraint(row, ComparisonOp::Eq, 0.0));
    for (row, &budget) in costs.into_iter().zip(model.budgets()) {
        problem.add_constraint(row, ComparisonOp::Le, budget);
    }
    problem.add_constraint(all.iter().map(|&q| (q, 1.0)).collect::<Vec<_>>(), ComparisonOp::Eq, 1.0);
    let mut options = SolveOptions::default();
    options.tolerances.feasibility = 1e-10;
    match problem.solve_with(options) {
        Ok(outcome) => Some(outcome.into_solution().unwrap().objective()),
        Err(microlp::Error::Infeasible) => None,
        Err(error) => panic!("{error}"),
    }
}

fn radii(recipe: &Recipe, model: &Cmdp) -> Vec<f64> {
    let rng = &mut recipe.rng();
    let sizes = [0.0, 0.01, 0.1, 0.5, 1.0];
    let (all_zero, one_size) = (rng.random_range(0..8) == 0, rng.random_range(0..2) == 0);
    let size = sizes[rng.random_range(1..5)];
    let mut radius = || if one_size { size } else { sizes[rng.random_range(0..5)] };
    (0..model.pairs()).map(|_| if all_zero { 0.0 } else { radius() }).collect()
}

fn plan(model: &Cmdp, radii: &[f64]) -> occupancy::plan::Optimism {
    Optimist::new(OffSupport::Pinned).plan(model, radii).unwrap()
}

/// The gain and the bound that is certified for it.
fn gain(verdict: &Verdict) -> Option<(f64, f64)> {
    match verdict {
        Verdict::Optimal(plan) => Some((plan.value.reward, plan.value.reward + plan.gap)),
        Verdict::Infeasible(_) => None,
    }
}

proptest! {
    #![proptest_config(crate::random::config(1000))]

    #[test]
    fn optimism_equals_the_extended_program(recipe in recipe()) {
        // The program's solver works to absolute tolerances, too coarse for weak links and odd scales.
        let shape = if recipe.shape == Shape::Weak { Shape::Sparse } else { recipe.shape };
        let recipe = Recipe { scale: 1.0, shape, ..recipe };
        let model = recipe.model();
        let radii = radii(&recipe, &model);
        let optimism = plan(&model, &radii);
        match (&optimism.verdict, extended_program(&model, &radii)) {
            (Verdict::Optimal(plan), Some(value)) => {
                prop_assert!((plan.value.reward - value).abs() < 1e-6, "{} against {value}", plan.value.reward);
                prop_assert!(plan.gap < 1e-9, "gap {:e}", plan.gap);
            }
            (Verdict::Infeasible(found), value) => {
                prop_assert!(value.is_none() || found.violation < 1e-6, "infeasible by {} against {value:?}", found.violation);
            }
            (Verdict::Optimal(plan), None) => prop_assert!(false, "gain {} against infeasible", plan.value.reward),
        }
    }

    #[test]
    fn the_kernel_believed_in_is_in_the_set_and_attains_the_gain(recipe in recipe()) {
        let model = recipe.model();
        let radii = radii(&recipe, &model);
        let optimism = plan(&model, &radii);
        let Verdict::Optimal(plan) = &optimism.verdict else { return Ok(()) };
        let mut builder = CmdpBuilder::new(model.states(), model.budgets());
        let mut rows = optimism.rows.iter().peekable();
        for state in 0..model.states() {
            for pair in model.pairs_of(state) {
                let mut row: Vec<(usize, f64)> = model.kernel().row(pair).iter().collect();
                if let Some((_, believed)) = rows.next_if(|(at, _)| *at == pair) {
                    let total: f64 = believed.iter().map(|(_, p)| p).sum();
                    prop_assert!((total - 1.0).abs() < 1e-12);
                    let mut distance = vec![0.0; model.states()];
                    row.iter().for_each(|&(next, p)| distance[next] -= p);
                    believed.iter().for_each(|&(next, p)| distance[next] += p);
                    prop_assert!(distance.iter().all(|d| d.abs() <= radii[pair] + 1e-12), "{distance:?} at {}", radii[pair]);
                    row = believed.clone();
                }
                let costs: Vec<f64> = (0..model.costs()).map(|i| model.signals().cost(i)[pair]).collect();
                builder.pair(state, &row, model.signals().reward()[pair], &costs);
            }
        }
        let believed = builder.build().unwrap();
        let start: Vec<(usize, f64)> =
            (0..model.states()).map(|s| (s, plan.occupancy[model.pairs_of(s)].iter().sum())).collect();
        let policy: &Policy = &plan.policies[0].policy;
        let found = evaluate(&believed, policy, &start).unwrap();
        prop_assert!((found.value.reward - plan.value.reward).abs() <= 1e-8 * model.signals().size(0).max(1e-300));
        for (i, cost) in found.value.costs.iter().enumerate() {
            prop_assert!((cost - plan.value.costs[i]).abs() <= 1e-8 * model.signals().size(i + 1).max(1e-300));
        }
    }

    #[test]
    fn a_wider_set_never_hurts_and_a_point_is_the_plain_plan(recipe in recipe()) {
        let model = recipe.model();
        let narrow = radii(&recipe, &model);
        let wide: Vec<f64> = narrow.iter().map(|b| 1.5 * b).collect();
        let plain = PlannerConfig::default().build().plan(&Problem::average(&model).counted_from(Origin::Anywhere)).unwrap();
        let point = plan(&model, &vec![0.0; model.pairs()]);
        let slack = 1e-7 * recipe.scale;
        let values = [gain(&plain), gain(&point.verdict), gain(&plan(&model, &narrow).verdict), gain(&plan(&model, &wide).verdict)];
        for pair in values.windows(2) {
            let grows = pair[0].is_none_or(|low| pair[1].is_some_and(|high| low.0 <= high.1 + slack));
            prop_assert!(grows, "{values:?}");
        }
        if let (Some(a), Some(b)) = (values[0], values[1]) {
            prop_assert!(a.0 <= b.1 + slack && b.0 <= a.1 + slack);
        }
        prop_assert_eq!(values[0].is_some(), values[1].is_some());
    }

    #[test]
    fn a_warm_optimist_answers_as_a_cold_one(first in recipe(), second in recipe()) {
        let mut optimist = Optimist::new(OffSupport::Uniform);
        for recipe in [&first, &second, &first] {
            let model = recipe.model();
            for factor in [1.0, 0.3, 2.0] {
                let radii: Vec<f64> = radii(recipe, &model).iter().map(|b| factor * b).collect();
                let (warm, cold) = (gain(&optimist.plan(&model, &radii).unwrap().verdict), gain(&plan(&model, &radii).verdict));
                match (warm, cold) {
                    (Some(warm), Some(cold)) => {
                        let slack = 1e-7 * recipe.scale;
                        prop_assert!(warm.0 <= cold.1 + slack && cold.0 <= warm.1 + slack);
                    }
                    _ => prop_assert_eq!(warm.is_some(), cold.is_some()),
                }
            }
        }
    }
}
