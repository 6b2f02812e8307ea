//! RiverSwim with effort: swimming right, against the current, leads to the great reward but costs 1 a step.
//!
//! ```text
//! left                         s − 1 (state 0 stays)          r = 0.005 in state 0, otherwise 0   effort = 0
//! right, leftmost              s + 1 with 0.6, s with 0.4                                         effort = 1
//! right, between               s + 1 with 0.35, s with 0.6, s − 1 with 0.05                       effort = 1
//! right, rightmost             s with 0.6, s − 1 with 0.4     r = 1                               effort = 1
//! ```
//!
//! The river is that of Strehl and Littman, *An analysis of model-based interval estimation for Markov decision
//! processes* (2008), with the probabilities and the rewards of 0.005 and 1 that are common in later work. The cost
//! and its budget of 0.5 are this project's.

use super::Env;
use crate::error::Result;
use crate::model::CmdpBuilder;
use crate::options;
use crate::options::Budgets;

options! {
    /// Options of RiverSwim.
    #[derive(serde::Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct RiverSwimOptions {
        /// How many places there are along the river.
        states: usize = 6, "a count from 2 to 100000" => |states| (2..=100_000).contains(states);
        /// Budget of the cost `effort`.
        budget: Budgets = Budgets::default(), "a number, or inf for no constraint" => Budgets::in_range;
    }
}

/// The model of the river; the swimmer starts in the leftmost state.
pub(super) fn build(options: &RiverSwimOptions) -> Result<Env> {
    let last = options.states - 1;
    let mut model = CmdpBuilder::new(options.states, &options.budget.or(&[0.5])?);
    for state in 0..options.states {
        let (small, great) = (if state == 0 { 0.005 } else { 0.0 }, if state == last { 1.0 } else { 0.0 });
        model.pair(state, &[(state.saturating_sub(1), 1.0)], small, &[0.0]).action("left");
        model.pair(state, &against_the_current(state, last), great, &[1.0]).action("right");
    }
    let model = model.cost_names(vec!["effort".to_string()]).build()?;
    Ok(Env { name: "river-swim".to_string(), model, picture: None, episodes: None })
}

fn against_the_current(state: usize, last: usize) -> Vec<(usize, f64)> {
    match state {
        0 => vec![(0, 0.4), (1, 0.6)],
        _ if state == last => vec![(state - 1, 0.4), (state, 0.6)],
        _ => vec![(state - 1, 0.05), (state, 0.6), (state + 1, 0.35)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::testing::row;

    fn named(row: &[(&str, f64)]) -> Vec<(String, f64)> {
        row.iter().map(|&(state, p)| (state.to_string(), p)).collect()
    }

    #[test]
    fn the_river_has_its_usual_current() {
        let env = build(&RiverSwimOptions::default()).unwrap();
        assert_eq!((env.model.states(), env.model.pairs(), env.model.budgets()), (6, 12, &[0.5][..]));
        assert_eq!(env.model.names().cost(0), "effort");
        assert_eq!(row(&env, "0", "right"), named(&[("0", 0.4), ("1", 0.6)]));
        assert_eq!(row(&env, "5", "right"), named(&[("4", 0.4), ("5", 0.6)]));
        let between = row(&env, "3", "right");
        assert!(between.iter().zip([0.05, 0.6, 0.35]).all(|((_, p), q)| (p - q).abs() < 1e-15));
        assert_eq!(row(&env, "0", "left"), named(&[("0", 1.0)]));
        assert_eq!(row(&env, "3", "left"), named(&[("2", 1.0)]));
    }

    #[test]
    fn only_the_ends_reward_and_only_right_costs() {
        let env = build(&RiverSwimOptions { states: 3, ..Default::default() }).unwrap();
        assert_eq!(env.model.signals().reward(), [0.005, 0.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(env.model.signals().cost(0), [0.0, 1.0, 0.0, 1.0, 0.0, 1.0]);
    }

    #[test]
    fn two_states_are_enough() {
        let env = build(&RiverSwimOptions { states: 2, ..Default::default() }).unwrap();
        assert_eq!(row(&env, "1", "right"), named(&[("0", 0.4), ("1", 0.6)]));
    }
}
