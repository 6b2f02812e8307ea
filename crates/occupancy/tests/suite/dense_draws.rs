//! On models where all states follow all pairs, plans begin with a forecast: they agree with those of the linear
//! program, cold and warm, on chains that forget at once and on chains that hardly ever do.

use occupancy::model::Origin;
use occupancy::model::{Cmdp, CmdpBuilder};
use occupancy::plan::Problem;
use occupancy::plan::{PlannerConfig, PlannerKind, Verdict};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const STATES: usize = 24;

/// Rewards that the costs pull against; every row is to be drawn.
fn model(budgets: &[f64], rng: &mut Xoshiro256PlusPlus) -> Cmdp {
    let mut builder = CmdpBuilder::new(STATES, budgets);
    let row: Vec<(usize, f64)> = (0..STATES).map(|next| (next, 1.0 / STATES as f64)).collect();
    for pair in 0..3 * STATES {
        let cost: Vec<f64> = budgets.iter().map(|_| rng.random()).collect();
        let reward = rng.random::<f64>() + cost.iter().sum::<f64>();
        builder.pair(pair / 3, &row, reward, &cost);
    }
    builder.build().unwrap()
}

/// Rows around one likely successor, the others with about `rest` of its weight together.
fn redraw(model: &mut Cmdp, rest: f64, rng: &mut Xoshiro256PlusPlus) {
    let draw = |pair: usize, row: &mut [f64]| {
        row.fill_with(|| (rest / STATES as f64) * -(1.0 - rng.random::<f64>()).ln() + 1e-300);
        row[(5 * pair + 2) % STATES] += 1.0;
    };
    model.resample(draw).unwrap();
}

/// The gain and the gap, or the least violation.
fn answer(verdict: &Verdict) -> (bool, f64, f64) {
    match verdict {
        Verdict::Optimal(plan) => (true, plan.value.reward, plan.gap),
        Verdict::Infeasible(found) => (false, found.violation, 0.0),
    }
}

fn check(budgets: &[f64], rest: f64, tolerance: f64) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(17);
    let mut model = model(budgets, &mut rng);
    let mut warm = PlannerConfig::default().build();
    for draw in 0..8 {
        redraw(&mut model, rest, &mut rng);
        let plan = |kind| {
            PlannerConfig { kind, ..PlannerConfig::default() }
                .build()
                .plan(&Problem::average(&model).counted_from(Origin::Anywhere))
        };
        let exact = answer(&plan(PlannerKind::Lp).unwrap());
        let cold = answer(&plan(PlannerKind::Prices).unwrap());
        let warm = answer(&warm.plan(&Problem::average(&model).counted_from(Origin::Anywhere)).unwrap());
        for found in [cold, warm] {
            assert_eq!(found.0, exact.0, "{budgets:?}, draw {draw}: {found:?} for {exact:?}");
            assert!(
                (found.1 - exact.1).abs() < tolerance,
                "{budgets:?}, draw {draw}: {found:?} for {exact:?}"
            );
            assert!(found.2 < tolerance, "{budgets:?}, draw {draw}: a gap of {}", found.2);
        }
    }
}

#[test]
fn budgets_that_bind_are_met_as_by_the_linear_program() {
    for budgets in [&[0.3][..], &[0.4, 0.4], &[0.45, 0.45, 0.45]] {
        check(budgets, 20.0, 1e-9);
        check(budgets, 1.0, 1e-9);
        check(budgets, 1e-3, 1e-8);
    }
}

#[test]
fn budgets_out_of_reach_are_told_as_by_the_linear_program() {
    for budgets in [&[0.02][..], &[0.05, 0.3], &[0.1, 0.1, 0.1]] {
        check(budgets, 20.0, 1e-9);
        check(budgets, 1e-3, 1e-8);
    }
}

#[test]
fn budgets_that_do_not_bind_cost_nothing() {
    check(&[0.97], 20.0, 1e-9);
    check(&[0.97, 0.3], 1.0, 1e-9);
}
