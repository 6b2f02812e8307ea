//! Marsrover: the agent walks to the goal, and cells on the way may be risky. A state is the agent's cell.
//!
//! ```text
//! outside the goal   s′ = the neighbour of s, or s at a wall     r = −1   c = 1 if s′ is risky
//! in the goal        s′ = a start, uniformly                     r = 0    c = 0
//! ```
//!
//! The chosen move slips as in [`Move::realised`]; signals are those of the realised successor. This is the
//! gridworld of Provodin et al., *An empirical evaluation of posterior sampling for constrained reinforcement
//! learning* (2022). There, every appearance in a risky cell costs 1, bumps into a wall included; the published
//! code charges nothing for a bump, which `bump_cost = false` repeats.

use super::{Cell, Env, Map, Move, Picture};
use crate::error::Result;
use crate::memory::{self, refuse_more};
use crate::model::CmdpBuilder;
use crate::options;
use crate::options::Budgets;

options! {
    /// Options of the gridworlds without a box.
    #[derive(serde::Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct GridOptions {
        /// Probability that a uniformly drawn move replaces the chosen one.
        slip: f64 = 0.0, "a number from 0 to 1" => |slip| (0.0..=1.0).contains(slip);
        /// Budget of the cost `risk`.
        budget: Budgets = Budgets::default(), "a number, or inf for no constraint" => Budgets::in_range;
        /// Whether bumping into a wall in a risky cell costs 1.
        bump_cost: bool = true, "true or false" => |_| true;
    }
}

/// What the model takes at least: bytes for a cell, and for each place that its four moves may lead to.
const A_CELL: u64 = 120;
const A_MOVE: u64 = 48;

/// The model of a map without a box; `own_budget` holds where the options give none.
pub(super) fn build(name: &str, map: &Map, options: &GridOptions, own_budget: f64) -> Result<Env> {
    let agent = map.open_cells();
    let moves = if options.slip > 0.0 { 4 } else { 1 };
    let needed = agent.len() as u64 * (A_CELL + moves * A_MOVE);
    refuse_more(needed, memory::free())?;
    let mut state_of = vec![usize::MAX; map.cells().len()];
    agent.iter().enumerate().for_each(|(state, &cell)| state_of[cell] = state);
    let starts = map.starts();
    let start: Vec<(usize, f64)> =
        starts.iter().map(|&cell| (state_of[cell], 1.0 / starts.len() as f64)).collect();

    let mut model = CmdpBuilder::new(agent.len(), &options.budget.or(&[own_budget])?);
    let (mut near, mut costs) = (Vec::new(), Vec::new());
    for (state, &cell) in agent.iter().enumerate() {
        for chosen in Move::ALL {
            if map.cells()[cell] == Cell::Goal {
                model.pair(state, &start, 0.0, &[0.0]);
            } else {
                outcomes(map, options, &state_of, cell, chosen, &mut near, &mut costs);
                let signal = |k: usize, outcome: usize| if k == 0 { -1.0 } else { costs[outcome] };
                model.transitions(state, &near, 1, signal);
            }
            model.action(chosen.name());
        }
    }
    let cells = agent.iter().map(|&cell| cell as u32).collect();
    model.cell_names(map.width(), vec![cells]).cost_names(vec!["risk".to_string()]);
    let model = model.start_distribution(&start).build()?;
    Ok(Env { name: name.to_string(), model, picture: Some(Picture::new(map, agent, None)), episodes: None })
}

/// What a move chosen outside the goal may bring: the states it may lead to with their probabilities, and the cost of each. The two
/// lists are used again: those of 40 million moves of their own took a third of the time of a large map.
fn outcomes(
    map: &Map,
    options: &GridOptions,
    state_of: &[usize],
    cell: usize,
    chosen: Move,
    near: &mut Vec<(usize, f64)>,
    costs: &mut Vec<f64>,
) {
    near.clear();
    costs.clear();
    for (real, probability) in chosen.realised(options.slip) {
        let moved = map.neighbour(cell, real);
        let risky = map.cells()[moved.unwrap_or(cell)] == Cell::Risky;
        let charged = risky && (moved.is_some() || options.bump_cost);
        near.push((state_of[moved.unwrap_or(cell)], probability));
        costs.push(f64::from(u8::from(charged)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::EnvConfig;
    use crate::env::testing::{follow, row, state};

    fn marsrover(size: &str, options: GridOptions) -> Env {
        match size {
            "4x4" => EnvConfig::Marsrover4x4(options).build().unwrap(),
            _ => EnvConfig::Marsrover8x8(options).build().unwrap(),
        }
    }

    #[test]
    fn states_are_the_open_cells() {
        let small = marsrover("4x4", GridOptions::default());
        assert_eq!((small.model.states(), small.model.pairs()), (16, 64));
        assert_eq!(small.model.budgets(), [0.2]);
        assert_eq!(small.model.start(), [(state(&small, "r4c3"), 1.0)]);
        assert_eq!(small.model.names().cost(0), "risk");
        let large = marsrover("8x8", GridOptions { budget: Budgets(vec![0.3]), ..Default::default() });
        assert_eq!((large.model.states(), large.model.pairs()), (64, 256));
        assert_eq!(large.model.budgets(), [0.3]);
        assert_eq!(large.model.start(), [(state(&large, "r8c6"), 1.0)]);
    }

    #[test]
    fn without_slip_every_row_is_certain() {
        for size in ["4x4", "8x8"] {
            let env = marsrover(size, GridOptions::default());
            assert!((0..env.model.pairs()).all(|pair| env.model.kernel().row(pair).iter().count() == 1));
            assert!(!env.model.signals().depends_on_successor());
        }
    }

    #[test]
    fn a_wall_leaves_the_agent_where_it_is() {
        let env = marsrover("4x4", GridOptions::default());
        assert_eq!(row(&env, "r1c1", "up"), [("r1c1".to_string(), 1.0)]);
        assert_eq!(row(&env, "r1c1", "left"), [("r1c1".to_string(), 1.0)]);
        assert_eq!(row(&env, "r1c1", "down"), [("r2c1".to_string(), 1.0)]);
        assert_eq!(row(&env, "r1c1", "right"), [("r1c2".to_string(), 1.0)]);
    }

    #[test]
    fn the_goal_leads_to_the_start_whatever_the_move_and_the_slip() {
        let env = marsrover("4x4", GridOptions { slip: 0.5, ..Default::default() });
        let goal = state(&env, "r1c3");
        for pair in env.model.pairs_of(goal) {
            let next: Vec<_> = env.model.kernel().row(pair).iter().collect();
            assert_eq!(next, [(state(&env, "r4c3"), 1.0)]);
            assert_eq!((env.model.signals().reward()[pair], env.model.signals().cost(0)[pair]), (0.0, 0.0));
        }
        let all = 0..env.model.pairs();
        let outside = all.filter(|&pair| env.model.state_of(pair) != goal);
        assert!(outside.into_iter().all(|pair| (env.model.signals().reward()[pair] + 1.0).abs() < 1e-15));
    }

    #[test]
    fn slip_spreads_over_the_four_moves_and_signals_are_realised() {
        let env = marsrover("4x4", GridOptions { slip: 0.1, ..Default::default() });
        let at = |name: &str| state(&env, name);
        let pair = env.model.pairs_of(at("r4c3")).start;
        let next: Vec<(usize, f64)> = env.model.kernel().row(pair).iter().collect();
        let expected = [(at("r3c3"), 0.925), (at("r4c2"), 0.025), (at("r4c3"), 0.025), (at("r4c4"), 0.025)];
        for ((s, p), (t, q)) in next.into_iter().zip(expected) {
            assert_eq!(s, t);
            assert!((p - q).abs() < 1e-15);
        }
        let signals = env.model.signals();
        assert!((signals.cost(0)[pair] - 0.925).abs() < 1e-15);
        assert_eq!(signals.realised(1, pair, at("r3c3")), Some(1.0));
        assert_eq!(signals.realised(1, pair, at("r4c2")), Some(0.0));
        assert_eq!(signals.realised(0, pair, at("r4c2")), Some(-1.0));
    }

    #[test]
    fn bump_cost_changes_exactly_the_bumps_in_risky_cells() {
        for (size, differing) in [("4x4", 2), ("8x8", 6)] {
            let with = marsrover(size, GridOptions::default());
            let without = marsrover(size, GridOptions { bump_cost: false, ..Default::default() });
            let costs = with.model.signals().cost(0).iter().zip(without.model.signals().cost(0));
            let changed: Vec<_> = costs.filter(|(a, b)| a != b).collect();
            assert_eq!(changed.len(), differing);
            assert!(changed.iter().all(|&(&a, &b)| (a, b) == (1.0, 0.0)));
        }
    }

    #[test]
    fn the_fast_and_the_safe_cycle_have_their_known_averages() {
        let env = marsrover("4x4", GridOptions::default());
        assert_eq!(follow(&env, "up up up up"), (-0.75, vec![0.25]));
        assert_eq!(follow(&env, "left left up up up right right up"), (-0.875, vec![0.0]));
        let env = marsrover("8x8", GridOptions::default());
        let fast = follow(&env, "up up up up up up up left left left left left up");
        assert_eq!(fast, (-12.0 / 13.0, vec![6.0 / 13.0]));
    }

    #[test]
    fn several_starts_and_goals_share_one_model() {
        let map = Map::parse("SPG\nSWG").unwrap();
        let env = build("two", &map, &GridOptions::default(), f64::INFINITY).unwrap();
        assert_eq!(env.model.start(), [(0, 0.5), (3, 0.5)]);
        assert_eq!(row(&env, "r0c2", "up"), [("r0c0".to_string(), 0.5), ("r1c0".to_string(), 0.5)]);
        assert_eq!(row(&env, "r1c2", "left"), row(&env, "r0c2", "up"));
        assert_eq!(env.model.budgets(), [f64::INFINITY]);
        let picture = env.picture.unwrap();
        assert_eq!((picture.height, picture.width, picture.agent), (2, 3, vec![0, 1, 2, 3, 5]));
    }
}
