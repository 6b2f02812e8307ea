//! A model and a plan made by hand for the tests: the 4 by 4 rover with its optimal mixture.

use crate::constraint;
use crate::source::Source;
use occupancy::env::{Cell, Picture};
use occupancy::model::{Cmdp, CmdpBuilder, Policy, Value};
use occupancy::plan::{Ended, Evaluations, Infeasible, Plan, WeightedPolicy};

const ROVER: [&str; 6] = ["WWWWWW", "W..G.W", "W.P.PW", "W.PPPW", "W..S.W", "WWWWWW"];

/// The 4 by 4 gridworld without slip: cost 1 on arriving at a risky cell, budget 0.2.
pub fn rover() -> Source {
    let width = ROVER[0].len();
    let cells: Vec<Cell> = ROVER.concat().chars().map(cell).collect();
    let agent: Vec<usize> = (0..cells.len()).filter(|&i| cells[i] != Cell::Wall).collect();
    let state_at = |at: usize| agent.iter().position(|&i| i == at).unwrap();
    let start = agent.iter().position(|&i| cells[i] == Cell::Start).unwrap();
    let mut model = CmdpBuilder::new(agent.len(), &[0.2]);
    for (state, &at) in agent.iter().enumerate() {
        for (step, name) in [(at - width, "up"), (at + width, "down"), (at - 1, "left"), (at + 1, "right")] {
            let step = if cells[step] == Cell::Wall { at } else { step };
            let (next, reward) = if cells[at] == Cell::Goal { (start, 0.0) } else { (state_at(step), -1.0) };
            let risky = cells[at] != Cell::Goal && cells[step] == Cell::Risky;
            model.pair(state, &[(next, 1.0)], reward, &[f64::from(u8::from(risky))]).action(name);
        }
    }
    let names = agent.iter().map(|i| format!("({}, {})", i / width, i % width)).collect();
    let model = model.start(start).state_names(names).cost_names(vec!["risky".into()]).build().unwrap();
    let picture = Picture { height: ROVER.len(), width, cells, agent, pushed: None };
    let costs = constraint::labels(&model);
    Source {
        name: "marsrover-4x4".into(),
        model,
        picture: Some(picture),
        costs,
        options: Vec::new(),
        reward: None,
        normalise: false,
        episodes: None,
    }
}

fn cell(mark: char) -> Cell {
    match mark {
        'W' => Cell::Wall,
        'S' => Cell::Start,
        'G' => Cell::Goal,
        'P' => Cell::Risky,
        _ => Cell::Free,
    }
}

/// The optimum of [`rover`]: up through the risky cell four times out of five, else the long way round on the left.
///
/// States by number: 0 1 2=G 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14=S 15. Fast: S 10 6 G (4 steps); safe: S 13 12 8 4 0 1 G.
pub fn rover_plan(model: &Cmdp) -> Plan {
    // A cycle has 4 or 8 steps; the share of time on fast cycles is 0.8, so a visit to S is fast with 8/9.
    let (fast, safe) = (0.8 / 4.0, 0.2 / 8.0);
    let visits = [(14, 0, fast), (10, 0, fast), (6, 0, fast), (2, 0, fast + safe)];
    let detour =
        [(14, 2, safe), (13, 2, safe), (12, 0, safe), (8, 0, safe), (4, 0, safe), (0, 3, safe), (1, 3, safe)];
    let mut occupancy = vec![0.0; model.pairs()];
    visits.iter().chain(&detour).for_each(|&(state, action, share)| occupancy[4 * state + action] += share);
    Plan {
        policies: vec![WeightedPolicy { weight: 1.0, policy: policy(model, &occupancy) }],
        occupancy,
        value: Value { reward: -0.775, costs: vec![0.2], errors: vec![0.0; 2] },
        prices: vec![0.5],
        gap: 2e-16,
        classes: 1,
        evaluations: Evaluations::default(),
        ended: Ended::Proved,
    }
}

/// The policy of an occupancy; up wherever it never goes.
pub fn policy(model: &Cmdp, occupancy: &[f64]) -> Policy {
    let mut probabilities = vec![0.0; model.pairs()];
    for state in 0..model.states() {
        let pairs = model.pairs_of(state);
        let total: f64 = occupancy[pairs.clone()].iter().sum();
        for pair in pairs.clone() {
            let unseen = if pair == pairs.start { 1.0 } else { 0.0 };
            probabilities[pair] = if total > 0.0 { occupancy[pair] / total } else { unseen };
        }
    }
    Policy::new(model, probabilities).unwrap()
}

/// As if the budget of [`rover`] were −0.1: the safe way comes closest.
pub fn rover_infeasible(model: &Cmdp) -> Infeasible {
    let Plan { policies, occupancy, evaluations, .. } = rover_plan(model);
    Infeasible {
        violation: 0.1,
        least_costs: vec![0.0],
        policies,
        occupancy,
        weights: vec![1.0],
        evaluations,
    }
}
