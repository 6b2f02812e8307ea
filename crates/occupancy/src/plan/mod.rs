//! Planning: a model in, the best policy within the budgets out, or the news that there is none.

mod answer;
mod deterministic;
mod doubt;
#[cfg(test)]
mod fixture;
mod followed;
mod frontier;
mod guess;
mod lp;
mod mixture;
mod optimism;
mod problem;
mod response;
mod search;
mod sums;
mod tolerance;

pub use answer::certificate::{Certificate, CountedPolicy};
pub use answer::reach::quickest_way;
pub use deterministic::{Deterministic, MOST_NODES, deterministic};
pub use doubt::{Doubt, doubts};
pub use followed::follow;
pub use frontier::{Frontier, FrontierPoint, frontier, frontier_ends, frontier_watched};
pub use lp::OccupancyLp;
pub use optimism::{Optimism, Optimist};
pub use problem::Problem;
pub use response::choices::Radii;
pub use search::prices::PriceSearch;
pub use sums::boxes::Boxes;
pub use sums::episodes::Layers;
pub use sums::favourable::KernelSet;
#[cfg(feature = "learn")]
pub(crate) use sums::favourable::shift_mass;
pub use sums::layered::EpisodePlanner;
pub use tolerance::SETTLED;

use crate::error::{Error, Result};
use crate::model::{Cmdp, Policy, Value};
use crate::stop::StopFlag;
use response::{Inner, Responder};
use serde::Serialize;
use std::fmt::Debug;
use std::ops::ControlFlow;

/// What a planner found.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The budgets can be met; this is the best way.
    Optimal(Plan),
    /// No policy meets the budgets.
    Infeasible(Infeasible),
}

/// The largest |reward| of a model, or 1 if all are 0.
fn reward_scale(model: &Cmdp) -> f64 {
    let size = model.signals().size(0);
    if size > 0.0 { size } else { 1.0 }
}

/// One of the stationary policies of a plan, and the probability that it is drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WeightedPolicy {
    /// The probability of following this policy, for ever.
    pub weight: f64,
    /// The policy.
    pub policy: Policy,
}

/// The best way to act within the budgets, with its proof.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// One stationary policy where one is enough; otherwise at most m + 1, one of which is drawn once at the start.
    pub policies: Vec<WeightedPolicy>,
    /// μ(s,a): the share of time spent in each pair; empty if somebody insisted on the end of the search before it was known.
    pub occupancy: Vec<f64>,
    /// What it is worth.
    pub value: Value,
    /// λ_i ≥ 0: what one more unit of budget i would add to the gain.
    pub prices: Vec<f64>,
    /// Upper bound from the prices minus the gain, and the error of the gain, in floating-point arithmetic: what the search
    /// ends by. [`Planner::certify`] proves it, and [`Certificate::correct`] puts in its place the gap that
    /// holds in exact arithmetic.
    pub gap: f64,
    /// How many recurrent classes the occupancy has.
    pub classes: usize,
    /// Where the evaluation of policies had to change its method.
    pub evaluations: Evaluations,
    /// How the search for the plan ended.
    pub ended: Ended,
}

/// How the search for a plan ended. The gap is certified whichever way it did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Ended {
    /// The search came to its end: no policy is better by more than the gap.
    #[default]
    Proved,
    /// The watcher broke it off.
    Stopped,
    /// It gave up, because its steps ran out or because they led nowhere new.
    OutOfSteps,
}

impl Plan {
    /// Whether the gap is at most [`SETTLED`] of the largest |reward| of its model, so that the gain is the optimum.
    pub fn is_settled(&self, model: &Cmdp) -> bool {
        self.gap <= SETTLED * reward_scale(model)
    }

    /// The plan, or the news that what it was made for is not settled.
    pub fn settled(self, model: &Cmdp, what: impl FnOnce() -> String) -> Result<Plan> {
        self.settled_within(SETTLED * reward_scale(model), what)
    }

    /// The same, for a sum of so many steps.
    pub fn settled_by(self, steps: f64, model: &Cmdp, what: impl FnOnce() -> String) -> Result<Plan> {
        self.settled_within(SETTLED * steps * reward_scale(model), what)
    }

    /// The same, for a gap that is wide enough.
    fn settled_within(self, gap: f64, what: impl FnOnce() -> String) -> Result<Plan> {
        if self.gap <= gap {
            return Ok(self);
        }
        let why = match self.ended {
            Ended::Proved => "rounding ended the search",
            Ended::Stopped => "the search was stopped",
            Ended::OutOfSteps => "the search ran out of steps",
        };
        Err(Error::NotSettled { what: what(), why, gain: self.value.reward, gap: self.gap })
    }

    /// No plan yet: vectors to write one into.
    fn empty() -> Plan {
        Plan {
            policies: Vec::new(),
            occupancy: Vec::new(),
            value: Value { reward: f64::NAN, ..Value::default() },
            prices: Vec::new(),
            gap: f64::NAN,
            classes: 0,
            evaluations: Evaluations::default(),
            ended: Ended::default(),
        }
    }

    /// The plan as the one that comes closest to budgets that it violates.
    fn into_nearest(self, violation: f64, weights: Vec<f64>) -> Infeasible {
        let Plan { policies, occupancy, value, evaluations, .. } = self;
        let least_costs = value.costs;
        Infeasible { violation, least_costs, policies, occupancy, weights, evaluations }
    }
}

/// Large sparse chains are solved by iteration; this is what happened to those on which it did not converge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Evaluations {
    /// Chains that were solved by elimination instead.
    pub switched: usize,
    /// Policies that neither method could evaluate: they were left out of the search, and the gap tells what that
    /// may have cost.
    pub left_out: usize,
    /// How often value iteration ran out of sweeps, so that policy iteration took over from the values reached. This may be
    /// on small models, too.
    pub out_of_sweeps: usize,
    /// Iterations that the search took for its evaluations, counted for the signal of each policy that took most; none are needed for chains
    /// that are solved in a table.
    pub iterations: usize,
}

/// The policy that comes closest to the budgets, where none meets them.
#[derive(Clone, Debug)]
pub struct Infeasible {
    /// max over i of (J(c_i) − τ_i) / max(1e-12, max|c_i|), at its least. That no policy violates the budgets by less than
    /// 1e-9 is certain, or else the least violation is known to 1e-6. Where it is certain, this number is the least found: with
    /// probabilities or radii near the rounding (1e-16) a smaller one may have been missed.
    pub violation: f64,
    /// J(c_i) of the policy that attains it.
    pub least_costs: Vec<f64>,
    /// That policy, in the form of [`Plan::policies`].
    pub policies: Vec<WeightedPolicy>,
    /// Its occupancy.
    pub occupancy: Vec<f64>,
    /// y_i ≥ 0: every policy has Σ y_i J(c_i) > Σ y_i τ_i, which is why none meets the budgets.
    pub weights: Vec<f64>,
    /// Where the evaluation of policies had to change its method.
    pub evaluations: Evaluations,
}

/// Solves constrained MDPs. `&mut` because a planner keeps what it learnt as a warm start for the next model.
pub trait Planner: Debug + Send {
    /// The best policy within the budgets.
    fn plan(&mut self, problem: &Problem) -> Result<Verdict> {
        self.plan_watched(problem, &mut |_| ControlFlow::Continue(()))
    }

    /// The same, telling `watch` of every step. When it breaks off, the best plan so far is returned with the gap
    /// that is certified for it, or [`crate::Error::Stopped`] if none within the budgets is known yet. A planner that
    /// cannot stop early (the linear program) tells nothing and goes on to the end.
    fn plan_watched(&mut self, problem: &Problem, watch: Watch) -> Result<Verdict>;

    /// Proves what a verdict on a model says, whoever found it: intervals that hold in exact arithmetic, and the vectors by
    /// which anyone can check them. [`crate::Error::Stopped`] if somebody insists on the end before.
    fn certify(&mut self, problem: &Problem, verdict: &Verdict) -> Result<Certificate> {
        if !problem.criterion.is_average() {
            return sums::certificate::certify(problem, verdict, &StopFlag::default());
        }
        let mut responder = Responder::new(Inner::PolicyIteration);
        answer::certificate::certify(&mut responder, Vec::new(), problem, verdict, &StopFlag::default())
    }

    /// The flag that ends the next plans early, within the step at hand: for work that has to end at once, while
    /// `plan_watched` asks its watcher only between steps, which on large models take seconds. What was found is put together
    /// and proved then, until somebody insists. A planner that cannot stop early passes over it.
    fn stop_by(&mut self, stop: StopFlag) {
        drop(stop);
    }

    /// Takes back a plan that nobody needs any more: the default planner writes the next one into its vectors, so that
    /// planning again on models of one shape allocates nothing at all.
    fn reuse(&mut self, plan: Plan) {
        drop(plan);
    }
}

/// Is told of progress; breaks off the work.
pub type Watch<'a> = &'a mut dyn FnMut(&Progress) -> ControlFlow<()>;

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Policies looked at.
    pub steps: usize,
    /// The gain of the best plan within the budgets, if one is known.
    pub gain: Option<f64>,
    /// What no plan exceeds, as far as it is known.
    pub upper: f64,
    /// The least violation known, while no plan is within the budgets.
    pub violation: f64,
    /// Where the evaluation of policies had to change its method.
    pub evaluations: Evaluations,
}

/// What a policy does in states that the plan never visits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OffSupport {
    /// Return to the visited states, in the way that is best at the plan's prices.
    #[default]
    Pinned,
    /// All actions with the same probability.
    Uniform,
    /// Always the first action.
    First,
}

/// The planners by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlannerKind {
    /// Search over prices with policy iteration inside: the default.
    #[default]
    Prices,
    /// Search over prices with relative value iteration inside.
    PricesByValueIteration,
    /// The linear program over occupancy measures.
    Lp,
}

/// A planner and its options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlannerConfig {
    /// Which planner.
    pub kind: PlannerKind,
    /// What policies do in states the plan never visits.
    pub off_support: OffSupport,
}

impl PlannerConfig {
    /// A planner with these options.
    pub fn build(self) -> Box<dyn Planner> {
        match self.kind {
            PlannerKind::Prices => Box::new(PriceSearch::new(self.off_support)),
            PlannerKind::PricesByValueIteration => {
                Box::new(PriceSearch::by_value_iteration(1e-10, self.off_support))
            }
            PlannerKind::Lp => Box::new(OccupancyLp::new(self.off_support)),
        }
    }
}
