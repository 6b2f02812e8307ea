//! Models built to provoke what a search over prices can trip over: near-ties, loitering, chains too large for a table.
use occupancy::chain::evaluate;
use occupancy::env::from_map_file;
use occupancy::model::Origin;
use occupancy::model::{Cmdp, CmdpBuilder};
use occupancy::plan::Problem;
use occupancy::plan::{Planner, PlannerConfig, Progress, Verdict};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

fn plan(model: &Cmdp, from: Origin) -> Verdict {
    PlannerConfig::default().build().plan(&Problem::average(model).counted_from(from)).unwrap()
}

/// Prices make two policies tie exactly while a third state still has much to gain: the tied switch alone would lead
/// into a class in which that gain is lost.
#[test]
fn a_tied_switch_does_not_undo_a_real_improvement() {
    let mut model = CmdpBuilder::new(3, &[-0.033, -0.172]);
    model.pair(0, &[(0, 0.9999), (1, 0.0001)], 0.722, &[0.675, 0.592]);
    model.pair(0, &[(0, 0.999), (1, 0.001)], 0.656, &[0.130, 0.556]);
    model.pair(0, &[(1, 0.001), (2, 0.999)], 0.881, &[0.054, -0.393]);
    model.pair(1, &[(0, 1.0)], -0.055, &[0.055, -0.045]).pair(1, &[(1, 1.0)], -0.234, &[0.328, -0.296]);
    model.pair(2, &[(2, 1.0)], 0.569, &[0.609, -0.472]);
    model.pair(2, &[(0, 0.0001), (1, 0.9999)], 0.084, &[0.064, 0.801]);
    let model = model.start(2).build().unwrap();
    let Verdict::Infeasible(prices) = plan(&model, Origin::Start) else {
        panic!("no policy meets these budgets")
    };
    let mut lp = occupancy::plan::OccupancyLp::new(Default::default());
    let Verdict::Infeasible(exact) = lp.plan(&Problem::average(&model)).unwrap() else {
        panic!("infeasible")
    };
    assert!(
        (prices.violation - exact.violation).abs() < 1e-9,
        "{} against {}",
        prices.violation,
        exact.violation
    );
}

/// Every action three times, rewards apart by the last bits: no order among them may send the search round in circles.
#[test]
fn near_ties_everywhere_come_to_an_end() {
    let states = 40;
    let mut model = CmdpBuilder::new(states, &[0.3]);
    for state in 0..states {
        for copy in 0..3 {
            let last_bits = 1.0 + f64::from(copy) * f64::EPSILON;
            let (left, right) = ((state + states - 1) % states, (state + 1) % states);
            model.pair(state, &[(left, 0.5), (right, 0.5)], 0.25 * last_bits, &[0.5 / last_bits]);
            model.pair(state, &[(right, 1.0)], 0.25 / last_bits, &[0.5 * last_bits]);
            model.pair(state, &[(state, 1.0)], 0.0, &[0.0]);
        }
    }
    let model = model.build().unwrap();
    let Verdict::Optimal(found) = plan(&model, Origin::Start) else { panic!("staying is free") };
    assert!(
        (found.value.reward - 0.15).abs() < 1e-9 && found.gap < 1e-12,
        "gain {}, gap {:e}",
        found.value.reward,
        found.gap
    );
}

/// 33 × 33 slippery cells, every fifth risky by a fixed pattern: solved by iteration, not in a table.
fn rover(budget: f64) -> Cmdp {
    let side = 33;
    let cell = |i: usize, j: usize| match (i, j) {
        (0, 0) => 'S',
        (32, 32) => 'G',
        _ if (i * i * 31 + j * 17 + i * j * 7).is_multiple_of(5) => 'P',
        _ => '0',
    };
    let row = |i: usize| (0..side).map(|j| cell(i, j)).collect::<String>();
    let map = (0..side).map(row).collect::<Vec<_>>().join("\n");
    static MADE: AtomicUsize = AtomicUsize::new(0);
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    let file = std::env::temp_dir().join(format!("occupancy-rover-{}-{number}.map", std::process::id()));
    std::fs::write(&file, map).unwrap();
    let options = [("slip".to_string(), "0.1".to_string()), ("budget".to_string(), budget.to_string())];
    let env = from_map_file(&file, &options).unwrap();
    std::fs::remove_file(&file).unwrap();
    env.model
}

/// Optimal gains from HiGHS on the same grid (tests/reference/grids.py). At budget 0.003 the best plan spends most of its
/// time loitering where risk is least; below 0.00068 there is no plan.
#[test]
fn large_chains_have_the_optima_of_a_general_solver_loitering_included() {
    for (budget, gain) in
        [(0.05, -0.9860314258824515), (0.003, -0.9940148573010793), (f64::INFINITY, -0.9860002607212739)]
    {
        let model = rover(budget);
        let Verdict::Optimal(found) = plan(&model, Origin::Start) else { panic!("feasible at {budget}") };
        assert!(
            (found.value.reward - gain).abs() < 2e-9,
            "budget {budget}: {} instead of {gain}",
            found.value.reward
        );
        assert!(found.gap < 1e-9, "budget {budget}: gap {:e}", found.gap);
        let policy = &found.policies[0].policy;
        let attained = evaluate(&model, policy, model.start()).unwrap();
        assert!(
            (attained.value.reward - found.value.reward).abs() < 1e-9
                && attained.value.costs[0] <= budget + 1e-9
        );
    }
    let Verdict::Infeasible(nearest) = plan(&rover(0.0), Origin::Start) else { panic!("every way is risky") };
    assert!((nearest.least_costs[0] - 0.00067867784559731).abs() < 1e-9, "{}", nearest.least_costs[0]);
}

/// Two rooms of 20 × 40 cells to wander in, linked by one door that opens with probability 1e-13 from either side. All
/// steps are as likely as those back, so that all cells are visited equally often; it pays more on the right, and in
/// the second room ten times as much.
fn two_rooms() -> Cmdp {
    let (side, door) = (40, 1e-13);
    let last = side * side - 1;
    let mut model = CmdpBuilder::new(side * side, &[]);
    for cell in 0..=last {
        let (row, column) = (cell / side, cell % side);
        let step = |i: usize, j: usize| {
            let inside = i < side && j < side && (i < side / 2) == (row < side / 2);
            if inside { i * side + j } else { cell }
        };
        let (up, left) = (step(row.wrapping_sub(1), column), step(row, column.wrapping_sub(1)));
        let mut near =
            [up, left, step(row + 1, column), step(row, column + 1)].map(|next| (next, 0.25)).to_vec();
        if cell == 0 || cell == last {
            near.iter_mut().find(|(next, _)| *next == cell).unwrap().1 -= door;
            near.push((last - cell, door));
        }
        let pay = column as f64 / 39.0 * if row < side / 2 { 1.0 } else { 10.0 };
        model.pair(cell, &near, pay, &[]);
    }
    model.build().unwrap()
}

#[test]
fn where_iteration_does_not_converge_elimination_takes_over_and_the_plan_says_so() {
    let model = two_rooms();
    let mut told = 0;
    let mut watch = |progress: &Progress| {
        told = progress.evaluations.switched;
        ControlFlow::Continue(())
    };
    let verdict = PlannerConfig::default().build().plan_watched(&Problem::average(&model), &mut watch);
    let Ok(Verdict::Optimal(found)) = verdict else { panic!("nothing is constrained: {verdict:?}") };
    assert!(told > 0 && found.evaluations.switched >= told && found.evaluations.left_out == 0);
    assert!(
        (found.value.reward - 2.75).abs() < 1e-9 && found.gap >= 0.0,
        "gain {}, gap {:e}",
        found.value.reward,
        found.gap
    );
    let evaluated = evaluate(&model, &found.policies[0].policy, model.start()).unwrap();
    assert!(
        evaluated.switched > 0 && (evaluated.value.reward - 2.75).abs() < 1e-9,
        "{}",
        evaluated.value.reward
    );
}

#[test]
fn a_search_that_is_stopped_returns_what_it_has_with_its_gap() {
    let model = rover(0.05);
    let mut told = Vec::new();
    let mut watch = |progress: &Progress| {
        told.push(*progress);
        if progress.gain.is_some() && progress.upper.is_finite() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let mut planner = PlannerConfig::default().build();
    let Verdict::Optimal(early) = planner.plan_watched(&Problem::average(&model), &mut watch).unwrap() else {
        panic!("feasible")
    };
    let Verdict::Optimal(best) = plan(&model, Origin::Start) else { panic!("feasible") };
    assert!(!told.is_empty());
    assert!(
        early.value.reward <= best.value.reward + 1e-9
            && best.value.reward <= early.value.reward + early.gap + 1e-9
    );
    assert!(early.value.costs[0] <= 0.05 + 1e-9);

    let stopped = PlannerConfig::default()
        .build()
        .plan_watched(&Problem::average(&rover(0.003)), &mut |_| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(occupancy::Error::Stopped { .. })), "{stopped:?}");
}

/// Two places that are left once in 1e9 steps, the first one sooner at a small price: values differ by 5e8 at first and by
/// 3e8 at the end, and 100 000 sweeps get nowhere.
#[test]
fn value_iteration_that_runs_out_of_sweeps_says_so_and_is_helped() {
    let mut model = CmdpBuilder::new(2, &[]);
    model.pair(0, &[(0, 1.0 - 1e-9), (1, 1e-9)], 0.0, &[]);
    model.pair(0, &[(0, 1.0 - 2e-9), (1, 2e-9)], -1e-3, &[]);
    model.pair(1, &[(1, 1.0 - 1e-9), (0, 1e-9)], 1.0, &[]);
    let model = model.build().unwrap();
    let mut planner = occupancy::plan::PriceSearch::by_value_iteration(1e-10, Default::default());
    let Verdict::Optimal(found) = planner.plan(&Problem::average(&model)).unwrap() else {
        panic!("no budgets")
    };
    assert!(
        (found.value.reward - 1.999 / 3.0).abs() < 1e-6 && found.evaluations.out_of_sweeps > 0,
        "{found:?}"
    );
    let Verdict::Optimal(found) = plan(&model, Origin::Start) else { panic!("no budgets") };
    assert_eq!(found.evaluations.out_of_sweeps, 0, "policy iteration needs no sweeps");
}
