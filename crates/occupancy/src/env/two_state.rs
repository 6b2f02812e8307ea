//! Two states in which it matters what a learner does when its budgets cannot be met in the model it has drawn.
//!
//! ```text
//! here    stay    r = 1   cost 0.75    → here              there   stay   r = 0   cost 0.525   → there 0.995, here 0.005
//!         go      r = 0   cost 0.75    → there 0.9, here          back   r = 0   cost 0.525   → here
//! J(cost) ≤ 0.5275
//! ```
//!
//! The least cost that any policy has is 0.52624, close to the budget, and nearly all models that are drawn before `go` and
//! `there` have been seen have a larger one: `there` seems to be left too soon. A learner that then plans without the budget
//! stays, sees nothing new, draws such a model again, and has an average cost of 0.750. One that walks to the state visited least
//! learns what it lacks, and comes down to the budget. The optimum is 0.0056173.
//!
//! After the example by which Provodin, Kaptein and Pechenizkiy, *Efficient exploration in average-reward constrained
//! reinforcement learning: achieving near-optimal regret with posterior sampling* (2024) explain why their learner explores. Its
//! budget and what both ways lead to are known, the model itself is reconstructed from them.

use super::Env;
use crate::error::Result;
use crate::model::CmdpBuilder;
use crate::options;
use crate::options::Budgets;

options! {
    /// Options of the two states.
    #[derive(serde::Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct TwoStateOptions {
        /// Budget of the cost `cost`.
        budget: Budgets = Budgets::default(), "a number, or inf for no constraint" => Budgets::in_range;
    }
}

/// The model, from `here`.
pub(super) fn build(options: &TwoStateOptions) -> Result<Env> {
    let mut model = CmdpBuilder::new(2, &options.budget.or(&[0.5275])?);
    model.pair(0, &[(0, 1.0)], 1.0, &[0.75]).action("stay");
    model.pair(0, &[(0, 0.1), (1, 0.9)], 0.0, &[0.75]).action("go");
    model.pair(1, &[(0, 0.005), (1, 0.995)], 0.0, &[0.525]).action("stay");
    model.pair(1, &[(0, 1.0)], 0.0, &[0.525]).action("back");
    let names = ["here", "there"].map(String::from).to_vec();
    let model = model.state_names(names).cost_names(vec!["cost".to_string()]).build()?;
    Ok(Env { name: "two-state".to_string(), model, picture: None, episodes: None })
}
