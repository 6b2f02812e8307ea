//! Constrained Markov decision processes on finite models: the most reward in the long run, with every cost within
//! its budget.
//!
//! ```text
//! max over policies π   J(r)      subject to   J(c_i) ≤ τ_i ,  i = 1..m
//! J(x) = lim 1/T Σ_t E[x(S_t, A_t)]          (long-run average)
//! ```
//!
//! In five sentences:
//!
//! 1. A **model** ([`model::Cmdp`]) is plain data: transitions, reward, costs, budgets and a start, all checked when
//!    it is built.
//! 2. A **problem** ([`plan::Problem`]) is a model, a criterion and where it is counted from; a **planner** ([`plan::Planner`])
//!    turns it into a [`plan::Verdict`]: a plan that brings its own proof, or the news that no policy meets the budgets, with
//!    the policy that comes closest.
//! 3. A **learner** ([`learn::Learner`]) turns what was counted into the next *epoch*: a policy and the moment to ask again.
//! 4. An **environment** ([`env::EnvConfig`]) is a name and options that build a model.
//! 5. One **trial** loop ([`sim::TrialConfig`]) joins a learner and a model, and records sums from which averages, regret
//!    and violation follow exactly; observers see what happens.
//!
//! Experiments, their folders of results and reports are the crate `occupancy-lab`.
//!
//! ```
//! use occupancy::model::text;
//! use occupancy::plan::{PlannerConfig, Problem, Verdict};
//!
//! fn main() -> occupancy::Result<()> {
//!     let model = text::parse("
//!         cost heat <= 0.25
//!         state cool
//!           rest                    -> cool
//!           work  reward 2          -> cool 0.5, warm 0.5
//!         state warm
//!           rest            heat 1  -> cool
//!           work  reward 3  heat 1  -> warm
//!     ")?;
//!     match PlannerConfig::default().build().plan(&Problem::average(&model))? {
//!         Verdict::Optimal(plan) => assert!((plan.value.reward - 1.0).abs() <= plan.gap + 1e-12),
//!         Verdict::Infeasible(found) => println!("no policy comes closer than {:?}", found.least_costs),
//!     }
//!     Ok(())
//! }
//! ```
//!
//! Layers, each knowing only those to its right: [`sim`] → [`learn`] → [`plan`] → [`verify`] → [`chain`] → [`model`], beside them
//! [`mod@env`]; [`arithmetic`], [`cell`], [`error`], [`memory`], [`mod@options`], [`seed`], [`stop`] and [`threads`] are leaves.
//!
//! Features, all on by default: `learn` (learners and the trial loop) and `fingerprint` (the hash of a model). Without them
//! nothing is pulled in for tables or hashing.

#![warn(clippy::disallowed_methods)]

pub mod arithmetic;
pub mod cell;
pub mod chain;
pub mod env;
pub mod error;
#[cfg(feature = "learn")]
pub mod learn;
pub mod memory;
pub mod model;
pub mod options;
pub mod plan;
pub mod seed;
#[cfg(feature = "learn")]
pub mod sim;
pub mod stop;
pub mod threads;
pub mod verify;

pub use error::{Error, Result};
