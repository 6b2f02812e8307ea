//! Discounted sums and episodes, on posterior draws and gridworlds; and optimism over episodes.

use crate::case::{Case, Draw, time, warm_up};
use crate::empirical::gridworld;
use crate::posterior::Posterior;
use occupancy::model::{Cmdp, Criterion};
use occupancy::plan::{
    EpisodePlanner, KernelSet, Layers, OffSupport, Planner, PriceSearch, Problem, Verdict,
};
use serde_json::json;

/// Posterior draws of so many states, or a gridworld, by a criterion; the model's budgets a step are those of its sum.
pub fn by_criterion(name: &str, states: usize, criterion: &Criterion, draws: usize, keep: bool) -> Case {
    let mut posterior = Posterior::new(states, 1, 7);
    let mut case = Case::new(name.to_string(), keep);
    case.criterion = match criterion {
        Criterion::Discounted { factor } => json!({ "discount": factor }),
        Criterion::Episodes { horizon } => json!({ "horizon": horizon }),
        _ => json!(null),
    };
    let mut planner = PriceSearch::new(OffSupport::Pinned);
    for round in 0..draws {
        let model = if name == "grid" { grid(states) } else { posterior.draw().clone() };
        let model = with_budget_of_a_sum(model, criterion);
        let problem = Problem::new(&model, criterion.clone());
        let afresh = || PriceSearch::new(OffSupport::Pinned).plan(&problem).expect("solved");
        if round == 0 {
            warm_up(afresh);
        }
        let cold = time(afresh);
        let warm = time(|| planner.plan(&problem).expect("solved"));
        case.add(&model, None, Draw { cold, warm });
    }
    case
}

/// The extended program: optimism over boxes of a radius of 0.1 around posterior draws.
pub fn optimism(states: usize, horizon: usize, draws: usize, keep: bool) -> Case {
    let mut posterior = Posterior::new(states, 1, 7);
    let mut case = Case::new("optimism".to_string(), keep);
    case.criterion = json!({ "horizon": horizon });
    let mut planner = EpisodePlanner::new(OffSupport::Pinned);
    for round in 0..draws {
        let model = with_budget_of_a_sum(posterior.draw().clone(), &Criterion::Episodes { horizon });
        let by_pair = vec![0.02; model.pairs()];
        let radii = vec![0.02; model.pairs() * model.states()];
        let plan = |planner: &mut EpisodePlanner| -> Verdict {
            planner.plan(Layers::same(&model, horizon), Some(KernelSet::Box(&radii))).expect("solved")
        };
        let afresh = || plan(&mut EpisodePlanner::new(OffSupport::Pinned));
        if round == 0 {
            warm_up(afresh);
        }
        let cold = time(afresh);
        let warm = time(|| plan(&mut planner));
        case.add(&model, Some(&by_pair), Draw { cold, warm });
    }
    case
}

/// A gridworld of 16 or 64 cells.
fn grid(states: usize) -> Cmdp {
    gridworld(if states == 16 { "marsrover-4x4" } else { "marsrover-8x8" })
}

fn with_budget_of_a_sum(model: Cmdp, criterion: &Criterion) -> Cmdp {
    let length = criterion.mass().unwrap_or(1.0);
    let budgets: Vec<f64> = model.budgets().iter().map(|budget| budget * length).collect();
    model.with_budgets(&budgets).expect("budgets")
}
