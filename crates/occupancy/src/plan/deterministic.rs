//! The best stationary policy without lotteries within the budgets: one action in every state.
//!
//! Branch and bound over sub-models with fewer actions. What lotteries attain in a sub-model bounds what policies without them
//! attain there; if its plan takes one action in every state that it visits, that plan is the best of the sub-model. Otherwise a
//! state where it does not is the place to branch: one half keeps the action that is taken most, the other forbids it.
//!
//! The tree has at most 2 N − 1 nodes for N deterministic policies. After [`MOST_NODES`] the best policy found is the answer,
//! with its distance to the best bound that is left.

mod node;

use super::followed::{follow, violation};
use super::tolerance::FEASIBLE;
use super::{Ended, Plan, PlannerConfig, Problem, Progress, Verdict, Watch, WeightedPolicy, reward_scale};
use crate::chain::Evaluation;
use crate::error::{Error, Result};
use crate::model::{Origin, Policy};
use crate::stop::StopFlag;
use node::Node;
use std::collections::BinaryHeap;

/// So many sub-models are planned at most: all of a model with 5000 deterministic policies, and on 20 states with 4 actions
/// and one budget a few hundred in the mean.
pub const MOST_NODES: usize = 10_000;

/// The best policy without lotteries that was found.
#[derive(Clone, Debug)]
pub struct Deterministic {
    /// Its plan, whose gap is the distance to the optimum with lotteries; or, if none was found within the budgets, the
    /// policy that came closest to them, or the proved news that lotteries do not help either.
    pub verdict: Verdict,
    /// How far the best policy without lotteries may be above it: 0 if the search came to its end.
    pub gap: f64,
    /// Whether the search came to its end, so that no policy without lotteries is better, or within the budgets.
    pub is_exact: bool,
    /// What lotteries attain within the budgets; `None` if no policy meets them.
    pub with_lotteries: Option<f64>,
    /// How many sub-models were planned.
    pub nodes: usize,
}

/// Searches for the best policy without lotteries. `watch` is told of every sub-model and may break off the search; the flag
/// ends the plan at hand, too.
pub fn deterministic(
    problem: &Problem,
    config: PlannerConfig,
    stop: &StopFlag,
    watch: Watch,
) -> Result<Deterministic> {
    if problem.origin == Origin::Anywhere || !problem.criterion.is_average() {
        let applies_to = "a long-run average from the start or from a state";
        return Err(Error::OptionNotHere { option: "deterministic", applies_to });
    }
    let plan = |problem: &Problem| {
        let mut planner = config.build();
        planner.stop_by(stop.clone());
        planner.plan(problem)
    };
    let root = match plan(problem)? {
        Verdict::Optimal(plan) => plan,
        verdict @ Verdict::Infeasible(_) => {
            return Ok(Deterministic { verdict, gap: 0.0, is_exact: true, with_lotteries: None, nodes: 1 });
        }
    };
    let mut search = Search { problem, best: None, closest: None, left_open: f64::NEG_INFINITY };
    let mut open = BinaryHeap::new();
    let everything: Vec<usize> = (0..problem.model.pairs()).collect();
    open.extend(search.look_at(everything, f64::INFINITY, &root)?);
    let mut nodes = 1;
    while let Some(node) = open.pop() {
        let told = watch(&search.progress(nodes, node.bound));
        let is_stopped = told.is_break() || stop.asked() || nodes >= MOST_NODES;
        if is_stopped || node.bound <= search.enough() {
            // The heap's first bound is the greatest.
            search.left_open = search.left_open.max(if is_stopped { node.bound } else { f64::NEG_INFINITY });
            break;
        }
        for pairs in node.halves(problem.model) {
            let model = problem.model.restricted(&pairs)?;
            nodes += 1;
            match plan(&Problem { model: &model, ..problem.clone() }) {
                Ok(Verdict::Optimal(found)) => open.extend(search.look_at(pairs, node.bound, &found)?),
                Ok(Verdict::Infeasible(_)) => {}
                Err(Error::Stopped { .. }) => search.left_open = search.left_open.max(node.bound),
                Err(error) => return Err(error),
            }
        }
    }
    search.finish(&root, nodes)
}

/// A policy and what it attains.
struct Candidate {
    policy: Policy,
    attained: Evaluation,
}

struct Search<'a> {
    problem: &'a Problem<'a>,
    /// The best within the budgets.
    best: Option<Candidate>,
    /// The closest to the budgets, and its violation, while there is none.
    closest: Option<(f64, Candidate)>,
    /// What policies may attain that were not looked at.
    left_open: f64,
}

impl Search<'_> {
    /// Notes the policies near the plan of a sub-model; returns the node if something is left to be found below it.
    fn look_at(&mut self, pairs: Vec<usize>, above: f64, plan: &Plan) -> Result<Option<Node>> {
        let bound = above.min(plan.value.reward + plan.gap);
        let node = Node::new(self.problem, pairs, bound, plan)?;
        for choice in node.roundings(self.problem.model) {
            self.note(Policy::deterministic(self.problem.model, choice)?)?;
        }
        if node.branch.is_some() {
            return Ok(Some(node).filter(|node| node.bound > self.enough()));
        }
        // Its one rounding is the plan itself, up to the gap of the plan.
        if bound > self.enough() {
            self.left_open = self.left_open.max(bound);
        }
        Ok(None)
    }

    fn note(&mut self, policy: Policy) -> Result<()> {
        let model = self.problem.model;
        let attained = follow(self.problem, &policy)?;
        let over = violation(model, &attained.value);
        let candidate = Candidate { policy, attained };
        if over > 0.0 {
            if self.closest.as_ref().is_none_or(|(least, _)| over < *least) {
                self.closest = Some((over, candidate));
            }
        } else if self.best.as_ref().is_none_or(|best| candidate.gain() > best.gain()) {
            self.best = Some(candidate);
        }
        Ok(())
    }

    /// A bound that is not above this is not worth a look.
    fn enough(&self) -> f64 {
        let best = self.best.as_ref().map_or(f64::NEG_INFINITY, Candidate::gain);
        best + FEASIBLE * reward_scale(self.problem.model)
    }

    fn progress(&self, steps: usize, upper: f64) -> Progress {
        let gain = self.best.as_ref().map(Candidate::gain);
        let violation = self.closest.as_ref().map_or(f64::INFINITY, |(least, _)| *least);
        Progress { steps, gain, upper, violation, evaluations: Default::default() }
    }

    fn finish(self, root: &Plan, nodes: usize) -> Result<Deterministic> {
        let is_exact = self.left_open <= self.enough();
        let with_lotteries = Some(root.value.reward);
        let (verdict, gap) = match (self.best, self.closest) {
            (Some(best), _) => {
                let gap = if is_exact { 0.0 } else { self.left_open - best.gain() };
                (Verdict::Optimal(best.into_plan(root)), gap)
            }
            (None, Some((violation, closest))) => {
                let gap = if is_exact { 0.0 } else { f64::INFINITY };
                let nearest = closest.into_plan(root).into_nearest(violation, Vec::new());
                (Verdict::Infeasible(nearest), gap)
            }
            (None, None) => return Err(Error::Stopped { violation: f64::INFINITY }),
        };
        Ok(Deterministic { verdict, gap, is_exact, with_lotteries, nodes })
    }
}

impl Candidate {
    fn gain(&self) -> f64 {
        self.attained.value.reward
    }

    /// The policy as a plan at the prices of the plan with lotteries, by which the distance to it is proved.
    fn into_plan(self, root: &Plan) -> Plan {
        let Evaluation { value, occupancy, classes, .. } = self.attained;
        let gap = root.value.reward + root.gap - value.reward;
        Plan {
            policies: vec![WeightedPolicy { weight: 1.0, policy: self.policy }],
            occupancy,
            value,
            prices: root.prices.clone(),
            gap,
            classes,
            evaluations: root.evaluations,
            ended: Ended::Proved,
        }
    }
}

#[cfg(test)]
mod tests;
