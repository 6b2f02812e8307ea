//! Media streaming: keep a buffer from running empty, with a limited number of fast steps.
//!
//! State s = 0 … n − 1 is the filling of the buffer. A step at speed μ (fast 0.9, slow 0.1) receives a packet with
//! probability μ and plays one with probability 0.8 or keeps it with 0.2:
//!
//! ```text
//! s + 1 (at most n − 1) with 0.2 μ      s − 1 (at least 0) with 0.8 (1 − μ)      otherwise s
//! r = 1 unless s = 0        fast = 1 for a fast step        E Σ fast ≤ 5 over an episode of 10 steps from s = 0
//! ```
//!
//! The model of the experiments of Bura, HasanzadeZonuzy, Kalathil, Shakkottai and Chamberland, *DOPE: doubly optimistic and
//! pessimistic exploration for safe reinforcement learning* (2022), as their published code has it.

use super::Env;
use crate::error::Result;
use crate::model::CmdpBuilder;
use crate::options;
use crate::options::Budgets;

/// The probability that a packet which has arrived, or one of the buffer, is played.
const PLAYED: f64 = 0.8;

options! {
    /// Options of media streaming.
    #[derive(serde::Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct MediaOptions {
        /// How many fillings of the buffer there are.
        states: usize = 10, "a count from 2 to 10000" => |states| (2..=10_000).contains(states);
        /// The steps of an episode.
        horizon: usize = 10, "a count from 1 to 100000" => |horizon| (1..=100_000).contains(horizon);
        /// Budget of the cost `fast` over an episode.
        budget: Budgets = Budgets::default(), "a number, or inf for no constraint" => Budgets::in_range;
    }
}

/// The model of the buffer, which is empty at first.
pub(super) fn build(options: &MediaOptions) -> Result<Env> {
    let last = options.states - 1;
    let mut model = CmdpBuilder::new(options.states, &options.budget.or(&[5.0])?);
    for state in 0..options.states {
        let reward = if state == 0 { 0.0 } else { 1.0 };
        for (action, speed, cost) in [("fast", 0.9, 1.0), ("slow", 0.1, 0.0)] {
            let (up, down) = ((1.0 - PLAYED) * speed, PLAYED * (1.0 - speed));
            let stay = PLAYED * speed + (1.0 - PLAYED) * (1.0 - speed);
            let row = [(state.saturating_sub(1), down), (state, stay), ((state + 1).min(last), up)];
            model.pair(state, &row, reward, &[cost]).action(action);
        }
    }
    let model = model.cost_names(vec!["fast".to_string()]).build()?;
    Env::of_episodes("media", model, options.horizon)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_buffer_is_reflected_at_both_ends() {
        let env = build(&MediaOptions::default()).unwrap();
        let model = env.episodes.unwrap().model;
        let row = |pair: usize| model.kernel().row(pair).iter().collect::<Vec<_>>();
        let close = |pair: usize, expected: &[(usize, f64)]| {
            row(pair).iter().zip(expected).all(|(x, y)| x.0 == y.0 && (x.1 - y.1).abs() < 1e-15)
        };
        assert!(close(0, &[(0, 0.82), (1, 0.18)]) && close(1, &[(0, 0.98), (1, 0.02)]));
        assert!(close(6, &[(2, 0.08), (3, 0.74), (4, 0.18)]), "{:?}", row(6));
        assert!(close(19, &[(8, 0.72), (9, 0.28)]));
        assert_eq!((model.states(), model.budgets(), env.model.budgets()), (10, &[5.0][..], &[0.5][..]));
        assert_eq!(
            (model.signals().reward()[..3].to_vec(), model.signals().cost(0)[0]),
            (vec![0.0, 0.0, 1.0], 1.0)
        );
    }
}
