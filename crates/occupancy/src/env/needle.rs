//! A needle in a haystack: a chain of places in which only one long sequence of actions pays.
//!
//! At every place one of two actions leads on and the other one back to the beginning. Which one leads on alternates, `up`
//! at the first place; the last place pays 1 and leads back as well:
//!
//! ```text
//! i → i + 1 by `up` at even places i, by `down` at odd ones; otherwise i → 0 ,      r = 1 for leading on from the last place
//! climb = 1 for every `up`        J(climb) ≤ 0.25
//! ```
//!
//! A lap of n steps has ⌈n/2⌉ steps up, and waiting (`down` at the first place) is free. So the optimum of n = 10 spends half
//! of the time on laps: 0.05. Uniform actions pay once in 2ⁿ − 1 tries or so: a learner without a plan for what it has not
//! seen will not find it.

use super::Env;
use crate::error::Result;
use crate::model::CmdpBuilder;
use crate::options;
use crate::options::Budgets;

options! {
    /// Options of the needle.
    #[derive(serde::Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct NeedleOptions {
        /// How many places there are, and how long the sequence is.
        length: usize = 10, "a count from 1 to 100000" => |length| (1..=100_000).contains(length);
        /// Budget of the cost `climb`.
        budget: Budgets = Budgets::default(), "a number, or inf for no constraint" => Budgets::in_range;
    }
}

/// The model of the chain, from its first place.
pub(super) fn build(options: &NeedleOptions) -> Result<Env> {
    let mut model = CmdpBuilder::new(options.length, &options.budget.or(&[0.25])?);
    for place in 0..options.length {
        let is_last = place + 1 == options.length;
        for (action, cost) in [("up", 1.0), ("down", 0.0)] {
            let leads_on = (action == "up") == (place % 2 == 0);
            let next = if leads_on && !is_last { place + 1 } else { 0 };
            let reward = if leads_on && is_last { 1.0 } else { 0.0 };
            model.pair(place, &[(next, 1.0)], reward, &[cost]).action(action);
        }
    }
    let model = model.cost_names(vec!["climb".to_string()]).build()?;
    Ok(Env { name: "needle".to_string(), model, picture: None, episodes: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::testing::follow;

    #[test]
    fn only_the_whole_sequence_pays() {
        let env = build(&NeedleOptions { length: 4, ..Default::default() }).unwrap();
        assert_eq!(follow(&env, "up down up down"), (0.25, vec![0.5]));
        assert_eq!(follow(&env, "up down up up"), (0.0, vec![0.75]));
        assert_eq!(follow(&env, "down"), (0.0, vec![0.0]));
        assert_eq!(env.model.signals().reward().iter().sum::<f64>(), 1.0);
    }
}
