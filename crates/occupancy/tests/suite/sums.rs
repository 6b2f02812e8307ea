//! Discounted sums, episodes and sums until absorption: the values of another solver, and what has to hold of any model.

use crate::random::{Shape, config, recipe};
use occupancy::chain::{evaluate, evaluate_sum};
use occupancy::error::{Error, SumProblem};
use occupancy::model::{Cmdp, CmdpBuilder, Criterion, Origin, Policy, text};
use occupancy::plan::{
    EpisodePlanner, KernelSet, Layers, OffSupport, Plan, Planner, PriceSearch, Problem, Verdict, frontier,
};
use occupancy::verify::prove;
use proptest::prelude::*;
use serde_json::Value;
use std::path::Path;

fn stored(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sums").join(file);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap_or(f64::INFINITY)).collect()
}

fn criterion(value: &Value) -> Criterion {
    let (name, value) = value.as_object().unwrap().iter().next().unwrap();
    match name.as_str() {
        "discount" => Criterion::Discounted { factor: value.as_f64().unwrap() },
        "horizon" => Criterion::Episodes { horizon: value.as_u64().unwrap() as usize },
        _ => Criterion::Until { states: numbers(value).into_iter().map(|x| x as usize).collect() },
    }
}

/// The plan of a problem with its proof, which must hold without the planner.
fn proved(problem: &Problem) -> occupancy::error::Result<Verdict> {
    let mut planner = PriceSearch::new(OffSupport::Pinned);
    let mut verdict = planner.plan(problem)?;
    let certificate = planner.certify(problem, &verdict)?;
    certificate.correct(&mut verdict);
    let policies = match &verdict {
        Verdict::Optimal(plan) => &plan.policies,
        Verdict::Infeasible(found) => &found.policies,
    };
    let weighted: Vec<(f64, &Policy)> = policies.iter().map(|one| (one.weight, &one.policy)).collect();
    let proof = prove(problem.model, &problem.criterion, problem.origin, &weighted, &certificate.witness);
    assert_eq!(proof.as_ref(), Ok(&certificate.proof));
    Ok(verdict)
}

fn optimal(problem: &Problem) -> Plan {
    match proved(problem).unwrap() {
        Verdict::Optimal(plan) => plan,
        Verdict::Infeasible(found) => panic!("infeasible by {}", found.violation),
    }
}

/// What the policy of a plan attains, found by another way than the plan.
fn attained(model: &Cmdp, criterion: &Criterion, plan: &Plan) -> Vec<f64> {
    let value = evaluate_sum(model, criterion, &plan.policies[0].policy, model.start()).unwrap().value;
    std::iter::once(value.reward).chain(value.costs).collect()
}

#[test]
fn sums_have_the_values_that_another_solver_found() {
    let mut wrong = Vec::new();
    for case in stored("cases.json") {
        let model = text::parse(case["model"].as_str().unwrap()).unwrap();
        for question in case["questions"].as_array().unwrap() {
            let model = model.clone().with_budgets(&numbers(&question["budgets"])).unwrap();
            let criterion = criterion(&question["criterion"]);
            let problem = Problem::new(&model, criterion.clone());
            let mut say = |what: String| wrong.push(format!("{} {criterion:?}: {what}", case["name"]));
            match (proved(&problem), question["verdict"].as_str().unwrap()) {
                (Ok(Verdict::Optimal(plan)), "optimal") => {
                    let (found, expected) = (plan.value.reward, question["gain"].as_f64().unwrap());
                    let close = |x: f64, y: f64| (x - y).abs() <= 1e-8 * (1.0 + y.abs());
                    if !close(found, expected) || plan.gap > 1e-8 * (1.0 + found.abs()) {
                        say(format!("{found} with a gap of {:e} instead of {expected}", plan.gap));
                    }
                    for (i, (cost, budget)) in plan.value.costs.iter().zip(model.budgets()).enumerate() {
                        if *cost > budget + 1e-8 * (1.0 + budget.abs()) {
                            say(format!("cost {i} is {cost}, above {budget}"));
                        }
                    }
                    let stated = std::iter::once(found).chain(plan.value.costs.iter().copied());
                    if !attained(&model, &criterion, &plan).into_iter().zip(stated).all(|(x, y)| close(x, y))
                    {
                        say("its policy attains something else".into());
                    }
                }
                (Ok(Verdict::Infeasible(_)), "infeasible") => {}
                (Err(Error::Sum(SumProblem::Unbounded { .. })), "unbounded") => {}
                (Err(Error::Sum(SumProblem::NotAttained { .. })), "perhaps not attained") => {}
                (found, expected) => say(format!("{found:?} instead of {expected}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn optimism_over_an_episode_is_the_extended_program() {
    for case in stored("optimism.json") {
        let model = text::parse(case["model"].as_str().unwrap()).unwrap();
        let model = model.with_budgets(&numbers(&case["budgets"])).unwrap();
        let (horizon, radii) = (case["horizon"].as_u64().unwrap() as usize, numbers(&case["radii"]));
        let set = if case["set"] == "l1" { KernelSet::L1(&radii) } else { KernelSet::Box(&radii) };
        let verdict =
            EpisodePlanner::new(OffSupport::Pinned).plan(Layers::same(&model, horizon), Some(set)).unwrap();
        match (verdict, case["gain"].as_f64()) {
            (Verdict::Optimal(plan), Some(gain)) => {
                assert!(
                    (plan.value.reward - gain).abs() < 1e-7 && plan.gap < 1e-9,
                    "{}: {plan:?}",
                    case["name"]
                );
            }
            (Verdict::Infeasible(_), None) => {}
            (verdict, expected) => panic!("{}: {verdict:?} instead of {expected:?}", case["name"]),
        }
    }
}

/// An episode as a model of averages: state (h, s), and from the last stage back to the start.
fn unrolled(model: &Cmdp, horizon: usize) -> Cmdp {
    let states = model.states();
    let per_step = |budget: &f64| budget / horizon as f64;
    let mut layered =
        CmdpBuilder::new(states * horizon, &model.budgets().iter().map(per_step).collect::<Vec<f64>>());
    for stage in 0..horizon {
        for state in 0..states {
            for pair in model.pairs_of(state) {
                let next: Vec<(usize, f64)> = if stage + 1 < horizon {
                    model.kernel().row(pair).iter().map(|(s, p)| ((stage + 1) * states + s, p)).collect()
                } else {
                    model.start().to_vec()
                };
                let costs: Vec<f64> = (0..model.costs()).map(|i| model.signals().cost(i)[pair]).collect();
                layered.pair(stage * states + state, &next, model.signals().reward()[pair], &costs);
            }
        }
    }
    layered.start_distribution(model.start()).build().unwrap()
}

/// A budget that can be met but binds: between the least cost and that of the best policy.
fn with_binding_budget(model: &Cmdp, criterion: &Criterion) -> Cmdp {
    let free = model.clone().with_budgets(&vec![f64::INFINITY; model.costs()]).unwrap();
    let best = optimal(&Problem::new(&free, criterion.clone()));
    let cheapest =
        free.with_signals(free.signals().cost(0).iter().map(|c| -c).collect(), Vec::new(), &[]).unwrap();
    let least = -optimal(&Problem::new(&cheapest, criterion.clone())).value.reward;
    let mut budgets = vec![f64::INFINITY; model.costs()];
    budgets[0] = least + 0.4 * (best.value.costs[0] - least) + 1e-6 * free.signals().size(1);
    free.with_budgets(&budgets).unwrap()
}

/// Models whose long run is soon reached.
fn quick() -> impl Strategy<Value = Cmdp> {
    let settles = |recipe: &crate::random::Recipe| recipe.shape != Shape::Weak;
    recipe().prop_filter("without weak links", settles).prop_map(|recipe| recipe.model())
}

fn small() -> impl Strategy<Value = Cmdp> {
    recipe().prop_filter("with a cost", |recipe| recipe.costs > 0).prop_map(|recipe| recipe.model())
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn an_episode_is_its_unrolled_model_of_averages(model in small(), horizon in 1usize..5) {
        let criterion = Criterion::Episodes { horizon };
        let model = with_binding_budget(&model, &criterion);
        let plan = optimal(&Problem::new(&model, criterion));
        let unrolled = unrolled(&model, horizon);
        let average = optimal(&Problem::average(&unrolled));
        let scale = horizon as f64 * model.signals().size(0);
        prop_assert!((plan.value.reward - horizon as f64 * average.value.reward).abs() <= 1e-8 * scale);
    }

    #[test]
    fn without_radii_optimism_is_plain(model in small(), horizon in 1usize..5) {
        let criterion = Criterion::Episodes { horizon };
        let model = with_binding_budget(&model, &criterion);
        let plain = optimal(&Problem::new(&model, criterion));
        let zeros = vec![0.0; model.pairs() * model.states()];
        for set in [KernelSet::Box(&zeros), KernelSet::L1(&zeros[..model.pairs()])] {
            let mut planner = EpisodePlanner::new(OffSupport::Pinned);
            let Verdict::Optimal(plan) = planner.plan(Layers::same(&model, horizon), Some(set)).unwrap() else {
                panic!("feasible without a set")
            };
            prop_assert!((plan.value.reward - plain.value.reward).abs() <= 1e-8 * model.signals().size(0));
        }
    }

    #[test]
    fn a_discount_near_one_approaches_the_average(model in quick()) {
        let model = model.clone().with_budgets(&vec![f64::INFINITY; model.costs()]).unwrap();
        let average = optimal(&Problem::average(&model)).value.reward;
        let scaled = |factor: f64| {
            (1.0 - factor) * optimal(&Problem::new(&model, Criterion::Discounted { factor })).value.reward
        };
        let off = [1e-3, 1e-5].map(|leak| (scaled(1.0 - leak) - average).abs());
        // The distance is of the order of 1 − γ, times how long the model takes to settle.
        prop_assert!(off[1] <= 0.05 * off[0] + 1e-6 * model.signals().size(0), "{off:?}");
    }
}

#[test]
fn an_episode_of_one_step_is_a_knapsack() {
    let actions = [(1.0, 0.0), (2.0, 0.5), (2.2, 0.9), (4.0, 2.0), (1.5, 1.0)];
    let mut model = CmdpBuilder::new(1, &[0.8]);
    for (reward, cost) in actions {
        model.pair(0, &[(0, 1.0)], reward, &[cost]);
    }
    let model = model.build().unwrap();
    let plan = optimal(&Problem::new(&model, Criterion::Episodes { horizon: 1 }));
    // The hull goes from (0.5, 2) to (2, 4): 0.8 is a fifth of the way.
    assert!((plan.value.reward - (2.0 + 0.3 * 2.0 / 1.5)).abs() < 1e-12, "{}", plan.value.reward);
    assert!((plan.prices[0] - 2.0 / 1.5).abs() < 1e-12);
    assert_eq!(plan.policies[0].policy.stages(), 1);
}

#[test]
fn occupancies_sum_to_the_length_of_the_sum() {
    let case = &stored("cases.json")[0];
    let model = text::parse(case["model"].as_str().unwrap()).unwrap();
    for (criterion, mass) in
        [(Criterion::Discounted { factor: 0.9 }, 10.0), (Criterion::Episodes { horizon: 7 }, 7.0)]
    {
        let plan = optimal(&Problem::new(&model, criterion));
        assert!((plan.occupancy.iter().sum::<f64>() - mass).abs() < 1e-12);
    }
}

#[test]
fn a_sum_counts_from_the_state_that_is_asked_for() {
    let model = text::parse("start A\nstate A\n  go reward 1 -> B\nstate B\n  go reward 10 -> B").unwrap();
    for (origin, expected) in [(Origin::Start, 11.0), (Origin::State(1), 20.0)] {
        let problem = Problem::new(&model, Criterion::Episodes { horizon: 2 }).counted_from(origin);
        assert_eq!(optimal(&problem).value.reward, expected);
    }
    let anywhere = Problem::new(&model, Criterion::Episodes { horizon: 2 }).counted_from(Origin::Anywhere);
    assert!(proved(&anywhere).unwrap_err().to_string().starts_with("a sum that is not tied to a start"));
}

#[test]
fn what_never_ends_is_refused_by_name() {
    let until = |states: Vec<usize>| Criterion::Until { states };
    let pit =
        text::parse("state A\n  jump -> B 1/2, C 1/2\nstate B\n  stay -> B\nstate C\n  stay -> C").unwrap();
    let refused = proved(&Problem::new(&pit, until(vec![1]))).unwrap_err().to_string();
    assert_eq!(refused, "no policy is certain to come from state A to a state that ends the sum");
    let mill = "cost time <= 5\nstate A\n  mill reward 1 -> A\n  leave -> B\nstate B\n  stay -> B";
    let free = text::parse(mill).unwrap();
    let refused = proved(&Problem::new(&free, until(vec![1]))).unwrap_err().to_string();
    assert!(refused.starts_with("the sum is not bounded: the loop through A"), "{refused}");
    let bounded = text::parse(&mill.replace("reward 1", "reward 1 time 1")).unwrap();
    let plan = optimal(&Problem::new(&bounded, until(vec![1])));
    assert!((plan.value.reward - 5.0).abs() < 1e-9 && plan.gap < 1e-9, "{plan:?}");
    // The way in costs one unit of the five, so that it is best paid ever more rarely.
    let door = "cost time <= 5\nstate A\n  in time 1 reward -1 -> M\n  leave -> B\n\
                state M\n  mill reward 1 time 1 -> M\n  leave -> B\nstate B\n  stay -> B";
    let refused = proved(&Problem::new(&text::parse(door).unwrap(), until(vec![2]))).unwrap_err().to_string();
    assert!(
        refused.starts_with("no policy attains the supremum 5") && refused.contains("loop through M"),
        "{refused}"
    );
}

#[test]
fn models_may_differ_by_stage() {
    let stage =
        |reward: f64| text::parse(&format!("state A\n  a reward {reward} -> A\n  b reward 1 -> A")).unwrap();
    let models = [stage(5.0), stage(0.0), stage(3.0)];
    let verdict = EpisodePlanner::new(OffSupport::Pinned).plan(Layers::each(&models).unwrap(), None).unwrap();
    let Verdict::Optimal(plan) = verdict else { panic!("feasible") };
    assert_eq!(plan.value.reward, 9.0);
    let tables: Vec<&[f64]> = (0..3).map(|stage| plan.policies[0].policy.table(stage)).collect();
    assert_eq!(tables, [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]);
}

#[test]
fn the_frontier_of_a_sum_has_the_value_at_every_budget() {
    let model = text::parse(stored("cases.json")[4]["model"].as_str().unwrap()).unwrap();
    for criterion in [Criterion::Discounted { factor: 0.9 }, Criterion::Episodes { horizon: 6 }] {
        let mut planner = PriceSearch::new(OffSupport::Pinned);
        let found = frontier(&mut planner, &Problem::new(&model, criterion.clone()), 0).unwrap();
        assert!(found.points.len() > 2, "{criterion:?}: {}", found.points.len());
        for two in found.points.windows(2) {
            let mut budgets = model.budgets().to_vec();
            budgets[0] = 0.5 * (two[0].budget + two[1].budget);
            let here = model.clone().with_budgets(&budgets).unwrap();
            let plan = optimal(&Problem::new(&here, criterion.clone()));
            let line = 0.5 * (two[0].gain + two[1].gain);
            assert!((plan.value.reward - line).abs() < 1e-8, "{criterion:?} at {}", budgets[0]);
        }
    }
}

#[test]
fn a_discounted_plan_on_a_restarting_chain_is_its_average() {
    // With probability 1 − γ the chain restarts: its average is (1 − γ) times the discounted sum.
    let case = &stored("cases.json")[7];
    let model = text::parse(case["model"].as_str().unwrap()).unwrap();
    let (factor, criterion) = (0.9, Criterion::Discounted { factor: 0.9 });
    let model = with_binding_budget(&model, &criterion);
    let plan = optimal(&Problem::new(&model, criterion));
    let per_step: Vec<f64> = model.budgets().iter().map(|budget| budget * (1.0 - factor)).collect();
    let mut restarting = CmdpBuilder::new(model.states(), &per_step);
    for state in 0..model.states() {
        for pair in model.pairs_of(state) {
            let onward = model.kernel().row(pair).iter().map(|(next, p)| (next, factor * p));
            let back = model.start().iter().map(|&(next, p)| (next, (1.0 - factor) * p));
            let mut row: Vec<(usize, f64)> = Vec::new();
            for (next, p) in onward.chain(back) {
                match row.iter_mut().find(|(known, _)| *known == next) {
                    Some((_, sum)) => *sum += p,
                    None => row.push((next, p)),
                }
            }
            let costs: Vec<f64> = (0..model.costs()).map(|i| model.signals().cost(i)[pair]).collect();
            restarting.pair(state, &row, model.signals().reward()[pair], &costs);
        }
    }
    let restarting = restarting.start_distribution(model.start()).build().unwrap();
    let average = optimal(&Problem::average(&restarting));
    assert!((average.value.reward - (1.0 - factor) * plan.value.reward).abs() < 1e-10);
    let found = evaluate(&restarting, &plan.policies[0].policy, model.start()).unwrap();
    assert!((found.value.reward - average.value.reward).abs() < 1e-10);
}

#[test]
fn a_loop_that_is_entered_for_nothing_is_attained() {
    // The mill pays one for each unit of time and stands off the way, but going there costs nothing.
    let door = "cost time <= 5\nstate A\n  in -> M\n  leave -> B\n\
                state M\n  mill reward 1 time 1 -> M\n  leave -> B\nstate B\n  stay -> B";
    let model = text::parse(door).unwrap();
    let plan = optimal(&Problem::new(&model, Criterion::Until { states: vec![2] }));
    assert!((plan.value.reward - 5.0).abs() < 1e-8 && plan.gap < 1e-8, "{plan:?}");
}

/// A model in which every state may follow every pair.
fn dense(states: usize, seed: u64, budget: f64) -> Cmdp {
    let mut draws = (1u64..).map(|i| (i * 2654435761 + seed * 40503).wrapping_mul(i ^ 0x9e37_79b9) % 997 + 1);
    let mut draw = || draws.next().unwrap() as f64;
    let mut model = CmdpBuilder::new(states, &[budget]);
    for pair in 0..3 * states {
        let weights: Vec<f64> = (0..states).map(|_| draw().powi(3)).collect();
        let total: f64 = weights.iter().sum();
        let row: Vec<(usize, f64)> = weights.iter().map(|weight| weight / total).enumerate().collect();
        model.pair(pair / 3, &row, draw() / 997.0, &[draw() / 997.0]);
    }
    model.start_distribution(&[(0, 0.25), (states - 1, 0.75)]).build().unwrap()
}

#[test]
fn dense_models_have_the_same_discounted_sums_by_averages_and_by_themselves() {
    for (states, factor) in [(2, 0.1), (7, 0.9), (30, 0.999)] {
        let criterion = Criterion::Discounted { factor };
        let model = with_binding_budget(&dense(states, states as u64, 0.0), &criterion);
        let problem = Problem::new(&model, criterion);
        let scale = 1.0 / (1.0 - factor);
        for problem in [problem.clone(), problem.counted_from(Origin::State(1))] {
            // The other planner answers sums by themselves.
            let other = PriceSearch::by_value_iteration(1e-10, OffSupport::Pinned).plan(&problem).unwrap();
            match (proved(&problem).unwrap(), other) {
                (Verdict::Optimal(plan), Verdict::Optimal(other)) => {
                    assert!((plan.value.reward - other.value.reward).abs() <= 1e-11 * scale);
                    assert!((plan.value.costs[0] - other.value.costs[0]).abs() <= 1e-9 * scale);
                    assert!((plan.prices[0] - other.prices[0]).abs() <= 1e-6, "{plan:?} {other:?}");
                    assert!((plan.occupancy.iter().sum::<f64>() - scale).abs() <= 1e-11 * scale);
                    assert!(plan.gap <= 1e-10 * scale, "{}", plan.gap);
                }
                (Verdict::Infeasible(found), Verdict::Infeasible(other)) => {
                    assert!((found.violation - other.violation).abs() <= 1e-10);
                    assert!((found.weights[0] / other.weights[0] - 1.0).abs() <= 1e-9);
                }
                (one, other) => panic!("{one:?} and {other:?}"),
            }
        }
    }
    let hopeless = dense(5, 1, 0.0);
    let problem = Problem::new(&hopeless, Criterion::Discounted { factor: 0.5 });
    assert!(matches!(proved(&problem).unwrap(), Verdict::Infeasible(found) if found.violation > 1e-3));
}

#[test]
fn a_large_discounted_grid_is_proved_to_nine_digits() {
    // 1600 states, above which prices are answered by sweeps; one way of many is the least risky.
    let side = 40;
    let cell = |row: usize, column: usize| match (row, column) {
        (20, 20) => 'S',
        (8, 31) => 'G',
        _ if (row * 7 + column * 13) % 11 < 3 => 'P',
        _ => '0',
    };
    let rows: Vec<String> =
        (0..side).map(|row| (0..side).map(|column| cell(row, column)).collect()).collect();
    let map = occupancy::env::Map::parse(&rows.join("\n")).unwrap();
    let env = occupancy::env::from_map("grid", &map, &[("slip".into(), "0.1".into())]).unwrap();
    let criterion = Criterion::Discounted { factor: 0.99 };
    let free = env.model.with_budgets(&[f64::INFINITY]).unwrap();
    let most = optimal(&Problem::new(&free, criterion.clone())).value.costs[0];
    for share in [0.9, 0.5] {
        let model = free.clone().with_budgets(&[share * most]).unwrap();
        let plan = optimal(&Problem::new(&model, criterion.clone()));
        assert!(plan.gap <= 1e-9 * plan.value.reward.abs(), "{share}: {}", plan.gap);
        assert!((plan.value.costs[0] - share * most).abs() <= 1e-9, "{share}: {:?}", plan.value.costs);
        assert!(plan.prices[0] > 0.0);
    }
}
