//! Optimism over an episode against the linear program that it stands for, written down and solved by the general simplex.
//!
//! ```text
//! max Σ r q ,   Σ c q ≤ τ ,   q_h(s,a,s′) ≥ 0 ,   Σ_{a,s′} q_h(s,a,s′) = start(s)  or  Σ_{s″,a} q_{h−1}(s″,a,s)
//! |q(s,a,s′) − P(s′∣s,a) Σ q(s,a,·)| ≤ e(s,a,s′)          box   e = b(s,a,s′) Σ q(s,a,·)          L1   Σ_{s′} e ≤ b(s,a) Σ q(s,a,·)
//! ```

use crate::random::config;
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome, Variable};
use occupancy::model::{Cmdp, CmdpBuilder};
use occupancy::plan::{EpisodePlanner, KernelSet, Layers, OffSupport, Verdict};
use proptest::prelude::*;

const STATES: usize = 3;
const ACTIONS: usize = 2;

/// A model of three states and two actions with one cost; every seventh weight is 0 or so.
fn model(weights: &[u8], budget: f64) -> Cmdp {
    let mut model = CmdpBuilder::new(STATES, &[budget]);
    for (pair, given) in weights.chunks_exact(STATES + 2).enumerate() {
        let weight =
            |s: usize| f64::from(given[s].saturating_sub(36)) + if s == pair % STATES { 1.0 } else { 0.0 };
        let sum: f64 = (0..STATES).map(weight).sum();
        let row: Vec<(usize, f64)> =
            (0..STATES).map(|s| (s, weight(s) / sum)).filter(|x| x.1 > 0.0).collect();
        let signal = |k: usize| f64::from(given[STATES + k]) / 256.0;
        model.pair(pair / ACTIONS, &row, signal(0), &[signal(1)]);
    }
    model.start_distribution(&[(0, 0.5), (2, 0.5)]).build().unwrap()
}

/// Σ of some variables with factors, for one (h,s,a).
type Sum = Vec<(Variable, f64)>;

/// The optimum of the program, or `None` if nothing meets the budget.
fn program(model: &Cmdp, horizon: usize, set: KernelSet) -> Option<f64> {
    let mut program = Problem::new(OptimizationDirection::Maximize);
    let mut arriving: Vec<Sum> = vec![Vec::new(); STATES];
    let mut cost = Sum::new();
    for stage in 0..horizon {
        let mut next: Vec<Sum> = vec![Vec::new(); STATES];
        for (state, arriving) in arriving.iter_mut().enumerate() {
            let mut leaving = Sum::new();
            for pair in model.pairs_of(state) {
                let reward = model.signals().reward()[pair];
                let q: Vec<Variable> =
                    (0..STATES).map(|_| program.add_var(reward, (0.0, f64::INFINITY))).collect();
                keep_near(&mut program, model, set, pair, &q);
                cost.extend(q.iter().map(|&q| (q, model.signals().cost(0)[pair])));
                leaving.extend(q.iter().map(|&q| (q, 1.0)));
                q.iter().enumerate().for_each(|(s, &q)| next[s].push((q, -1.0)));
            }
            let start = model.start().iter().find(|(s, _)| *s == state).map_or(0.0, |(_, p)| *p);
            leaving.extend(std::mem::take(arriving));
            program.add_constraint(leaving, ComparisonOp::Eq, if stage == 0 { start } else { 0.0 });
        }
        arriving = next;
    }
    program.add_constraint(cost, ComparisonOp::Le, model.budgets()[0]);
    match program.solve() {
        Ok(SolveOutcome::Solution(solution)) => Some(solution.objective()),
        _ => None,
    }
}

/// Keeps q(s,a,·) within the set.
fn keep_near(program: &mut Problem, model: &Cmdp, set: KernelSet, pair: usize, q: &[Variable]) {
    let mut row = [0.0; STATES];
    model.kernel().row(pair).iter().for_each(|(s, p)| row[s] = p);
    let mut spread = Sum::new();
    for (s, &own) in q.iter().enumerate() {
        let apart = program.add_var(0.0, (0.0, f64::INFINITY));
        spread.push((apart, 1.0));
        for sign in [1.0, -1.0] {
            let mut sum: Sum =
                q.iter().map(|&other| (other, sign * (f64::from(other == own) - row[s]))).collect();
            sum.push((apart, -1.0));
            program.add_constraint(sum, ComparisonOp::Le, 0.0);
        }
        if let KernelSet::Box(radii) = set {
            let mut sum: Sum = q.iter().map(|&q| (q, -radii[pair * STATES + s])).collect();
            sum.push((apart, 1.0));
            program.add_constraint(sum, ComparisonOp::Le, 0.0);
        }
    }
    if let KernelSet::L1(radii) = set {
        spread.extend(q.iter().map(|&q| (q, -radii[pair])));
        program.add_constraint(spread, ComparisonOp::Le, 0.0);
    }
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn optimism_attains_the_optimum_of_the_extended_program(
        weights in prop::collection::vec(any::<u8>(), STATES * ACTIONS * (STATES + 2)),
        radii in prop::collection::vec(0.0..1.2f64, STATES * ACTIONS * STATES),
        budget in 0.2..1.5f64, horizon in 1usize..4,
    ) {
        let model = model(&weights, budget);
        for set in [KernelSet::L1(&radii[..STATES * ACTIONS]), KernelSet::Box(&radii)] {
            let verdict = EpisodePlanner::new(OffSupport::Pinned).plan(Layers::same(&model, horizon), Some(set));
            match (verdict.unwrap(), program(&model, horizon, set)) {
                (Verdict::Optimal(plan), Some(optimum)) => {
                    prop_assert!((plan.value.reward - optimum).abs() < 1e-7, "{} {optimum}", plan.value.reward);
                    prop_assert!(plan.value.costs[0] <= budget + 1e-8);
                }
                (Verdict::Infeasible(_), None) => {}
                (verdict, optimum) => prop_assert!(false, "{verdict:?} beside {optimum:?}"),
            }
        }
    }
}
