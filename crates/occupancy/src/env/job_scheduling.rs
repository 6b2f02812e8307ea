//! Job scheduling: send jobs away when it is cheap, so many within an episode.
//!
//! State s = 0 … 9 is the number of waiting jobs, 9 at first. Sending completes two of them with probability 0.8, one with
//! 0.1 and none with 0.1, as far as there are any; its price depends on the step:
//!
//! ```text
//! r = 1 idle ,   1 − 0.9 for sending in steps 3 to 6 of 10 ,   1 − 0.2 in the others        sent = (s − s′) / 2
//! E Σ sent ≥ 3.5 over an episode
//! ```
//!
//! The model of the experiments of Ghosh, Zhou and Shroff, *Towards achieving sub-linear regret and hard constraint violation
//! in model-free RL* (2024). It is one of stages, because rewards differ by stage. In episodes of other lengths, the dear
//! steps are the same, the third to the sixth.

use super::Env;
use crate::error::Result;
use crate::model::{Bound, Cmdp, CmdpBuilder, Outcome};
use crate::options;
use crate::options::Budgets;

/// How many jobs there are at first.
const JOBS: usize = 9;
/// How many jobs are completed by sending, and how likely it is.
const COMPLETED: [(usize, f64); 3] = [(2, 0.8), (1, 0.1), (0, 0.1)];
/// The stages at which sending is dear, from 0 on.
const DEAR: std::ops::Range<usize> = 2..6;

options! {
    /// Options of job scheduling.
    #[derive(serde::Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct JobSchedulingOptions {
        /// The steps of an episode.
        horizon: usize = 10, "a count from 1 to 1000" => |horizon| (1..=1_000).contains(horizon);
        /// The least that `sent` may be over an episode.
        budget: Budgets = Budgets::default(), "a number, or -inf for no constraint" => |budget: &Budgets| {
            budget.0.iter().all(|&least| least < f64::INFINITY)
        };
    }
}

/// The models of the steps.
pub(super) fn build(options: &JobSchedulingOptions) -> Result<Env> {
    let least = options.budget.or(&[3.5])?[0];
    let stage = |stage: usize| model(if DEAR.contains(&stage) { 0.9 } else { 0.2 }, least);
    let stages: Vec<Cmdp> = (0..options.horizon).map(stage).collect::<Result<_>>()?;
    Env::of_stages("job-scheduling", &stages)
}

/// The model of a step at which sending has this price.
fn model(price: f64, least: f64) -> Result<Cmdp> {
    let mut model = CmdpBuilder::new(JOBS + 1, &[f64::INFINITY]);
    for jobs in 0..=JOBS {
        model.pair(jobs, &[(jobs, 1.0)], 1.0, &[0.0]).action("idle");
        let outcome = |(completed, probability)| {
            let next = jobs.saturating_sub(completed);
            Outcome { next, probability, reward: 1.0 - price, costs: vec![(jobs - next) as f64 / 2.0] }
        };
        model.outcomes(jobs, &COMPLETED.map(outcome)).action("send");
    }
    model.start(JOBS).cost_names(vec!["sent".to_string()]).build()?.with_bounds(&[Bound::AtLeast(least)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::testing::{pair, row};

    #[test]
    fn sending_is_dear_in_the_third_to_the_sixth_step() {
        let env = build(&JobSchedulingOptions::default()).unwrap();
        assert_eq!(env.model.states(), 100);
        let reward = |stage: usize| env.model.signals().reward()[pair(&env, &format!("5@{stage}"), "send")];
        let dear: Vec<usize> = (0..10).filter(|&stage| reward(stage) < 0.5).collect();
        assert_eq!(dear, [2, 3, 4, 5]);
        assert_eq!((reward(1), env.model.bound(0)), (0.8, Bound::AtLeast(0.35)));
    }

    #[test]
    fn no_more_jobs_are_sent_than_there_are() {
        let env = build(&JobSchedulingOptions::default()).unwrap();
        assert_eq!(row(&env, "0@0", "send"), [("0@1".to_string(), 1.0)]);
        let one: Vec<f64> = row(&env, "1@0", "send").into_iter().map(|(_, p)| p).collect();
        assert!((one[0] - 0.9).abs() < 1e-15 && (one[1] - 0.1).abs() < 1e-15);
        // The cost is held negated: 0.5 of a job sent with 0.9.
        assert!((env.model.signals().cost(0)[pair(&env, "1@0", "send")] + 0.45).abs() < 1e-15);
        assert!((env.model.signals().cost(0)[pair(&env, "9@9", "send")] + 0.85).abs() < 1e-15);
    }
}
