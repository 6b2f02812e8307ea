//! What learners of episodes are made of.
//!
//! Such a learner acts in a model of stages ([`crate::model::Cmdp::layered`]): the row h·n + i of its tables belongs to pair i of
//! stage h, if a stage has n pairs, and a policy by stage is a stationary policy there, number by number. Formulas are those of
//! the papers, in which signals lie between 0 and 1 ([`units`]).

pub mod backward;
pub mod config;
pub mod estimates;
pub mod log_policy;
pub mod mirror;
pub mod optimism;
pub mod options;
pub mod planning;
pub mod posterior;
pub mod radii;
pub mod safety;
pub mod units;
