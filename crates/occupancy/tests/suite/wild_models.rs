//! Random models with everything that planners stumble over (periods, loops, end components, states never left or never
//! reached, ties), on both sides of every switch of method: plans end, are settled, and are proved.

use crate::families::Wild;
use crate::random::config;
use occupancy::model::Origin;
use occupancy::model::{Cmdp, CmdpBuilder};
use occupancy::plan::Problem;
use occupancy::plan::{Ended, OffSupport, Plan, PlannerConfig, PlannerKind, SETTLED, Verdict};
use proptest::prelude::*;

/// Features that are drawn independently, for a model of so many states.
fn wild(states: impl Strategy<Value = usize>, costs: usize) -> impl Strategy<Value = Wild> {
    let features = (
        prop_oneof![Just(1usize), 2usize..7],
        prop_oneof![Just(0.0), Just(0.1), Just(0.5)],
        prop_oneof![Just(1usize), 2usize..6, 20usize..40],
        prop_oneof![Just(0usize), 1usize..5, 20usize..40],
        prop_oneof![Just(0usize), 1usize..50],
    );
    (any::<u64>(), states, any::<bool>(), any::<bool>(), features).prop_map(
        move |(seed, states, deterministic, ties, (period, loops, components, absorbing, unreachable))| {
            // A block has at least as many states as the period, whatever the size of the model.
            let unreachable = unreachable.min(states / 4);
            let components = components.min((states - unreachable) / period).max(1);
            let absorbing = absorbing.min(states / 8);
            let features = Wild {
                deterministic,
                ties,
                period,
                loops,
                components,
                absorbing,
                unreachable,
                ..Wild::plain(seed)
            };
            Wild { states, costs, ..features }
        },
    )
}

fn verdict(model: &Cmdp, kind: PlannerKind, from: Origin) -> occupancy::Result<Verdict> {
    PlannerConfig { kind, off_support: OffSupport::Pinned }
        .build()
        .plan(&Problem::average(model).counted_from(from))
}

/// The widest proof, as a share of the largest reward. Between several blocks of random ways a proof can be wide although the
/// search knows the gain: the widest seen is 3.3e-3.
fn widest_proof(recipe: &Wild) -> f64 {
    if recipe.components > 1 && !recipe.deterministic { 1e-2 } else { SETTLED }
}

/// The plan is settled, and proved to a share of the largest reward; infeasible budgets are proved to be.
fn assert_proved(model: &Cmdp, from: Origin, widest: f64) -> Result<Verdict, TestCaseError> {
    let mut planner = PlannerConfig::default().build();
    let mut verdict = planner.plan(&Problem::average(model).counted_from(from)).unwrap();
    let size = model.signals().size(0).max(1e-300);
    if let Verdict::Optimal(plan) = &verdict {
        prop_assert!(plan.gap <= SETTLED * size, "gap {:e} of {size:e}, {:?}", plan.gap, plan.ended);
        prop_assert_eq!(plan.ended, Ended::Proved);
        prop_assert!(
            plan.value.reward.is_finite()
                && plan.value.costs.iter().chain(&plan.value.errors).all(|x| x.is_finite())
        );
    }
    let certificate = planner.certify(&Problem::average(model).counted_from(from), &verdict).unwrap();
    certificate.correct(&mut verdict);
    match &verdict {
        Verdict::Optimal(plan) => {
            prop_assert!(plan.gap <= widest * size, "proved to {:e} of {size:e}", plan.gap)
        }
        Verdict::Infeasible(found) => {
            let excess = certificate.proof.excess;
            prop_assert!(excess.is_some_and(|excess| excess > 0.0), "{excess:?} at {:e}", found.violation);
        }
    }
    Ok(verdict)
}

/// Two verdicts on a model are the same to a tolerance.
fn assert_same(model: &Cmdp, one: &Verdict, other: &Verdict) -> Result<(), TestCaseError> {
    match (one, other) {
        (Verdict::Optimal(one), Verdict::Optimal(other)) => {
            let apart = (one.value.reward - other.value.reward).abs();
            prop_assert!(
                apart <= 1e-6 * model.signals().size(0).max(1e-300),
                "{} and {}",
                one.value.reward,
                other.value.reward
            );
        }
        (Verdict::Infeasible(one), Verdict::Infeasible(other)) => {
            prop_assert!((one.violation - other.violation).abs() <= 1e-6);
        }
        // At the edge of what can be met either is right.
        (Verdict::Infeasible(edge), _) | (_, Verdict::Infeasible(edge)) => {
            prop_assert!(edge.violation <= 1e-6, "infeasible by {:e} to one only", edge.violation);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn small_wild_models_are_proved_and_planners_agree(recipe in wild(8usize..60, 1), anywhere in any::<bool>()) {
        let (model, from) = (recipe.model(), if anywhere { Origin::Anywhere } else { Origin::Start });
        let found = assert_proved(&model, from, widest_proof(&recipe))?;
        assert_same(&model, &found, &verdict(&model, PlannerKind::PricesByValueIteration, from).unwrap())?;
        // A linear program may be beyond its solver's precision, and says so.
        if let Ok(other) = verdict(&model, PlannerKind::Lp, from) {
            assert_same(&model, &found, &other)?;
        }
    }
}

proptest! {
    #![proptest_config(config(8))]

    /// One block is solved in a table up to 1000 states, by iteration above.
    #[test]
    fn wild_models_around_a_thousand_states_are_proved(recipe in wild(995usize..1006, 1)) {
        assert_proved(&recipe.model(), Origin::Start, widest_proof(&recipe))?;
    }

    #[test]
    fn large_wild_models_are_proved(recipe in wild(1006usize..5000, 1)) {
        assert_proved(&recipe.model(), Origin::Start, widest_proof(&recipe))?;
    }
}

/// Between three blocks some policies wander for 1e12 to 1e15 decisions, while two planners agree on the gain to ten digits: the
/// gap does not grow with the length of ways that nobody takes. What is proved is wider where h is large.
#[test]
fn long_ways_between_blocks_leave_no_gap() {
    for seed in [6_230_476_598_640_733_764, 2_687_160_012_082_527_057, 6_358_511_285_319_763_651] {
        let recipe =
            Wild { states: 2858, costs: 1, loops: 0.1, components: 3, absorbing: 4, ..Wild::plain(seed) };
        let model = recipe.model();
        let mut planner = PlannerConfig::default().build();
        let mut verdict = planner.plan(&Problem::average(&model)).unwrap();
        let searched = optimal(&verdict).gap;
        planner.certify(&Problem::average(&model), &verdict).unwrap().correct(&mut verdict);
        let plan = optimal(&verdict);
        assert!(
            searched <= 1e-9 && plan.gap <= 1e-2,
            "{seed}: found to {searched:e}, proved to {:e}",
            plan.gap
        );
    }
}

fn optimal(verdict: &Verdict) -> &Plan {
    match verdict {
        Verdict::Optimal(plan) => plan,
        Verdict::Infeasible(found) => panic!("infeasible by {:e}", found.violation),
    }
}

/// States in a ring, each with `actions` ways to spread over the next `width`.
fn ring(states: usize, width: usize, actions: usize) -> Cmdp {
    let mut model = CmdpBuilder::new(states, &[0.3]);
    for state in 0..states {
        for action in 0..actions {
            let row: Vec<(usize, f64)> = (1..=width)
                .map(|step| ((state + step * (action + 1)) % states, 1.0 / width as f64))
                .collect();
            let level = ((state * 37 + action * 11) % 101) as f64 / 101.0;
            model.pair(state, &row, level, &[level * level]);
        }
    }
    model.build().unwrap()
}

/// Above 1000 states a chain is dense from a sixteenth of all entries on; a model is, from a half on.
#[test]
fn rows_on_both_sides_of_dense_are_planned_alike() {
    for (states, width) in [(1001, 61), (1001, 63), (101, 50), (101, 51), (101, 101)] {
        let model = ring(states, width, 2);
        let found = assert_proved(&model, Origin::Start, SETTLED).unwrap();
        let other = verdict(&model, PlannerKind::PricesByValueIteration, Origin::Start).unwrap();
        assert_same(&model, &found, &other).unwrap();
    }
}

/// A model has no NaN in it: what a planner would spread is refused where it enters.
#[test]
fn no_model_has_a_number_that_is_none() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let build = |p: f64, reward: f64, cost: f64| {
            let mut model = CmdpBuilder::new(2, &[0.5]);
            model.pair(0, &[(0, p), (1, 0.5)], reward, &[cost]);
            model.pair(1, &[(0, 1.0)], 0.0, &[0.0]);
            model.build()
        };
        assert!(build(0.5, 1.0, 1.0).is_ok());
        assert!(
            build(bad, 1.0, 1.0).is_err() && build(0.5, bad, 1.0).is_err() && build(0.5, 1.0, bad).is_err()
        );
        let model = build(0.5, 1.0, 1.0).unwrap();
        assert!(model.clone().with_budgets(&[f64::NAN]).is_err());
        assert!(model.with_signals(vec![bad; 2], vec![vec![0.0; 2]], &[0.5]).is_err());
    }
}

/// Probabilities that underflow on the way leave no NaN behind: a plan, or an error that says so.
#[test]
fn a_plan_at_the_edge_of_the_numbers_is_a_number_or_an_error() {
    for tiny in [1e-300, 1e-160, 1e-30, f64::MIN_POSITIVE] {
        for states in [6, 1100] {
            let mut model = CmdpBuilder::new(states, &[0.5]);
            for state in 0..states {
                let next = (state + 1) % states;
                model.pair(state, &[(next, tiny), (state, 1.0 - tiny)], 1.0, &[1.0]);
                model.pair(state, &[(state.saturating_sub(1), 0.5), (0, 0.5)], 0.0, &[0.0]);
            }
            match verdict(&model.build().unwrap(), PlannerKind::Prices, Origin::Start) {
                Ok(Verdict::Optimal(plan)) => {
                    let numbers = plan.value.costs.iter().chain(&plan.prices).chain(&plan.occupancy);
                    assert!(
                        numbers.chain([&plan.value.reward, &plan.gap]).all(|x| x.is_finite()),
                        "{tiny:e}"
                    );
                    // Every mixture of the two actions has gain and cost alike.
                    assert!(
                        (plan.value.reward - 0.5).abs() <= plan.gap + 1e-12,
                        "{tiny:e}: {} {:e}",
                        plan.value.reward,
                        plan.gap
                    );
                }
                Ok(Verdict::Infeasible(found)) => panic!("{tiny:e}: violation {}", found.violation),
                Err(error) => assert!(!error.to_string().contains("NaN"), "{tiny:e}: {error}"),
            }
        }
    }
}
