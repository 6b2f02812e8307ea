//! `occupancy evaluate`: what a given policy attains, beside the optimum.

use crate::args::{self, Evaluate};
use crate::failure::{Result, wrong};
use crate::source::Source;
use crate::{json, output, policy_file, show, solve, source};
use occupancy::model::{Criterion, Value};
use occupancy::plan::{Certificate, Ended, Evaluations, Plan, Problem, Verdict, WeightedPolicy, follow};

/// What a policy attains, and what is possible.
pub struct Attained<'a> {
    /// The model.
    pub source: &'a Source,
    /// The policy's file.
    pub policy: String,
    /// The policy as a plan, at the prices of the optimum.
    pub plan: Plan,
    /// Where its numbers lie, proved.
    pub certificate: Certificate,
    /// The optimum, or that no policy meets the budgets.
    pub optimum: Verdict,
    /// What is made of rewards and costs over time.
    pub criterion: Criterion,
    /// Where that is counted from.
    pub from: occupancy::model::Origin,
    /// What the question is probably not meant to be.
    pub warnings: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Evaluate) -> Result<()> {
    policy_file::check_inputs(&args.source.source, &args.policy)?;
    let source = source::open_for(&args.source, &args.plan.criterion)?;
    let problem = source::problem(&args.plan, &source)?;
    let policies = policy_file::read(&args.policy, &source.model, source::stages(&problem.criterion))?;
    if !problem.criterion.is_average() && policies.len() > 1 {
        return wrong("a sum is attained by one policy: the table has several");
    }
    let from = problem.origin;
    let config = source::planner(args.plan.planner, args::OffSupport::default());
    let mut optimum = config.build().plan(&problem)?;
    let proof = config.build().certify(&problem, &optimum)?;
    proof.correct(&mut optimum);
    let prices = match &optimum {
        Verdict::Optimal(plan) => plan.prices.clone(),
        Verdict::Infeasible(_) => vec![0.0; source.model.costs()],
    };
    let plan = attained(&problem, policies, prices)?;
    let mut verdict = Verdict::Optimal(plan);
    let certificate = config.build().certify(&problem, &verdict)?;
    certificate.correct(&mut verdict);
    let Verdict::Optimal(plan) = verdict else { return Ok(()) };
    let warnings = solve::warnings(&problem, &optimum)?;
    let policy = args.policy.display().to_string();
    let criterion = problem.criterion.clone();
    let found = Attained { source: &source, policy, plan, certificate, optimum, criterion, from, warnings };
    solve::warn(&found.warnings);
    let text =
        if args.json { json::line(&json::evaluate::value(&found)) } else { show::evaluate::describe(&found) };
    output::print(&text)
}

/// What policies attain together, each followed with its weight.
fn attained(problem: &Problem, policies: Vec<WeightedPolicy>, prices: Vec<f64>) -> Result<Plan> {
    let model = problem.model;
    let mut occupancy = vec![0.0; model.pairs() * problem.criterion.stages()];
    let (costs, errors) = (vec![0.0; model.costs()], vec![0.0; model.costs() + 1]);
    let mut value = Value { reward: 0.0, costs, errors };
    let mut classes = 0;
    for one in &policies {
        let found = follow(problem, &one.policy)?;
        value.reward += one.weight * found.value.reward;
        value.costs.iter_mut().zip(&found.value.costs).for_each(|(sum, cost)| *sum += one.weight * cost);
        value.errors.iter_mut().zip(&found.value.errors).for_each(|(sum, error)| *sum += one.weight * error);
        occupancy.iter_mut().zip(&found.occupancy).for_each(|(sum, share)| *sum += one.weight * share);
        classes += found.classes;
    }
    let (gap, evaluations, ended) = (f64::INFINITY, Evaluations::default(), Ended::Proved);
    Ok(Plan { policies, occupancy, value, prices, gap, classes, evaluations, ended })
}
