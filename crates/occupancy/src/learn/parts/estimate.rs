//! The model that a learner believes in, and planning in it.
//!
//! ```text
//! r̄ = R / N ,   c̄_i = C_i / N ,   p̄ = N(s,a,·) / N        where N = N(s,a) > 0
//! ```
//!
//! Where a pair was never visited, the paper's estimates are 0 / 1 and its row is no distribution; what stands there is
//! an option. So is what to do when no policy meets the budgets in the estimated model.

use super::dirichlet::draw_dense;
use crate::error::{Error, Result};
use crate::learn::settings::{Level, OnInfeasible, PlanFrom, Settings, UnvisitedKernel};
use crate::learn::{Counts, Now, PlanReport};
use crate::model::{Cmdp, Policy, Task};
use crate::plan::{From, Plan, Planner, PlannerConfig, Verdict, WeightedPolicy, quickest_way};
use crate::seed::Rng;
use rand::RngExt;

/// Budgets that no policy meets are widened to what can be met, and by this share of the cost's size.
const WIDENED: f64 = 1e-7;

/// An estimated model and its planner.
pub(in crate::learn) struct Estimate {
    /// The model; its rows and signals are what was last written.
    pub model: Cmdp,
    task: Task,
    planner: Box<dyn Planner>,
    from: PlanFrom,
    infeasible: OnInfeasible,
    unvisited_kernel: UnvisitedKernel,
    /// What is assumed of each signal where nothing was seen.
    unvisited: Vec<f64>,
}

impl Estimate {
    /// Nothing estimated yet.
    pub fn new(task: &Task, settings: &Settings) -> Estimate {
        let unvisited =
            |k: usize| match (if k == 0 { settings.unvisited_reward } else { settings.unvisited_cost }, k) {
                (Level::Value(value), _) => value,
                (Level::Best, 0) => task.bounds(0).1,
                (Level::Best, k) => task.bounds(k).0,
            };
        let planner = PlannerConfig { kind: settings.planner, off_support: settings.off_support };
        Estimate {
            model: task.blank(),
            task: task.clone(),
            planner: planner.build(),
            from: settings.from,
            infeasible: settings.infeasible,
            unvisited_kernel: settings.unvisited_kernel,
            unvisited: (0..=task.costs()).map(unvisited).collect(),
        }
    }

    /// The signals become their means, changed by `bonus(signal, pair)`.
    pub fn means(&mut self, counts: &Counts, mut bonus: impl FnMut(usize, usize, f64) -> f64) -> Result<()> {
        for k in 0..=self.task.costs() {
            let unvisited = self.unvisited[k];
            self.model.rewrite_signal(k, |pair| bonus(k, pair, counts.mean(k, pair).unwrap_or(unvisited)))?;
        }
        Ok(())
    }

    /// The rows become the shares of the successors seen.
    pub fn empirical(&mut self, counts: &Counts, rng: &mut Rng) -> Result<()> {
        let states = self.task.states();
        let (rule, mut fresh) = (self.unvisited_kernel, vec![0.0; states]);
        let mut state = 0;
        let task = &self.task;
        self.model.rewrite_rows(|pair, row| {
            while !task.pairs_of(state).contains(&pair) {
                state += 1;
            }
            if counts.visits(pair) > 0 {
                return row.extend(counts.transitions(pair).map(|(next, n)| (next, n as f64)));
            }
            match rule {
                UnvisitedKernel::SelfLoop => row.push((state, 1.0)),
                UnvisitedKernel::Uniform => row.extend((0..states).map(|next| (next, 1.0))),
                UnvisitedKernel::Fresh => {
                    draw_dense(&mut fresh, 1.0, std::iter::empty(), rng);
                    row.extend(fresh.iter().copied().enumerate().filter(|&(_, p)| p > 0.0));
                }
            }
        })
    }

    /// Plans in the model as it stands.
    pub fn plan(&mut self, now: &Now, rng: &mut Rng) -> Result<(Policy, PlanReport)> {
        let verdict = self.planner.plan(&self.model, self.place(now));
        self.settle(verdict, now, rng)
    }

    fn place(&self, now: &Now) -> From {
        match self.from {
            PlanFrom::Anywhere => From::Anywhere,
            PlanFrom::Here => From::State(now.state),
        }
    }

    /// The policy to follow after a verdict. A model in which rounding hides whether the budgets can be met is treated
    /// like one in which they cannot.
    pub fn settle(
        &mut self,
        verdict: Result<Verdict>,
        now: &Now,
        rng: &mut Rng,
    ) -> Result<(Policy, PlanReport)> {
        let closest = match verdict {
            Ok(Verdict::Optimal(plan)) => return Ok(of_plan(plan, &self.model, rng)),
            Ok(Verdict::Infeasible(found)) => Some(found),
            Err(Error::Unsettled { .. } | Error::Underflow { .. } | Error::Master { .. }) => None,
            Err(error) => return Err(error),
        };
        let mut settled = true;
        let policy = match (self.infeasible, closest) {
            (OnInfeasible::Uniform, _) | (OnInfeasible::LeastCost, None) => Policy::uniform(&self.model),
            (OnInfeasible::Explore, _) => self.explore(now.counts),
            (OnInfeasible::Drop, _) => {
                let budgets = vec![f64::INFINITY; self.task.costs()];
                self.replan(budgets, now, rng, &mut settled)?
            }
            (OnInfeasible::LeastCost, Some(found)) => {
                let widened = |(i, &cost): (usize, &f64)| {
                    let size = self.model.signals().size(i + 1).max(1.0);
                    self.task.budgets()[i].max(cost + WIDENED * size)
                };
                let budgets = found.least_costs.iter().enumerate().map(widened).collect();
                match self.replan(budgets, now, rng, &mut settled) {
                    Ok(policy) => policy,
                    Err(_) => draw(found.policies, rng),
                }
            }
        };
        let prices = vec![0.0; self.task.costs()];
        Ok((policy, PlanReport { feasible: false, classes: 1, prices, settled }))
    }

    /// The quickest way to the state visited least.
    pub fn explore(&self, counts: &Counts) -> Policy {
        let least = (0..self.task.states()).min_by_key(|&state| counts.state_visits(state));
        quickest_way(&self.model, least.unwrap_or(0))
    }

    /// The best policy within other budgets; notes whether it is known to be that.
    fn replan(&mut self, budgets: Vec<f64>, now: &Now, rng: &mut Rng, settled: &mut bool) -> Result<Policy> {
        let model = self.model.clone().with_budgets(&budgets)?;
        match self.planner.plan(&model, self.place(now))? {
            Verdict::Optimal(plan) => {
                let (policy, report) = of_plan(plan, &model, rng);
                *settled = report.settled;
                Ok(policy)
            }
            Verdict::Infeasible(found) => Ok(draw(found.policies, rng)),
        }
    }
}

fn of_plan(plan: Plan, model: &Cmdp, rng: &mut Rng) -> (Policy, PlanReport) {
    let settled = plan.is_settled(model);
    let report = PlanReport { feasible: true, classes: plan.classes, prices: plan.prices, settled };
    (draw(plan.policies, rng), report)
}

/// One of the policies of a plan, by their weights; nothing is drawn where there is one.
pub(in crate::learn) fn draw(mut policies: Vec<WeightedPolicy>, rng: &mut Rng) -> Policy {
    let mut left = if policies.len() > 1 { rng.random::<f64>() } else { 0.0 };
    let chosen = policies.iter().position(|one| {
        left -= one.weight;
        left < 0.0
    });
    policies.swap_remove(chosen.unwrap_or(policies.len() - 1)).policy
}
