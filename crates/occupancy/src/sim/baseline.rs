//! The levels that learners are compared with: what the true model allows.

use crate::error::Result;
use crate::model::{Cmdp, Policy};
use crate::plan::Problem;
use crate::plan::{
    FrontierPoint, Plan, Planner, PlannerConfig, Verdict, Watch, WeightedPolicy, frontier_ends,
};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Gains and costs of the best policies of a model.
#[derive(Clone, Debug)]
pub struct Baseline {
    /// The best within the budgets; `None` where no policy meets them.
    pub optimal: Option<Level>,
    /// The best without budgets: with one cost, that of the least cost among them.
    pub fast: Level,
    /// The least cost, and the best gain at that cost; with several costs there is no such policy.
    pub safe: Option<Level>,
    /// The policies of the optimal plan, or of the closest one, and their weights.
    pub policies: Vec<(f64, Policy)>,
}

/// Long-run averages of a policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// J(r).
    pub reward: f64,
    /// J(c_i).
    pub costs: Vec<f64>,
    /// What J(r), and then each J(c_i), is proved to lie between; empty in results that are older than these proofs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ranges: Vec<(f64, f64)>,
}

impl Baseline {
    /// The levels of a model, from its start. One that no plan settles is an error: regret would be measured from
    /// somewhere else.
    pub fn of(model: &Cmdp) -> Result<Baseline> {
        Baseline::watched(model, &mut |_| ControlFlow::Continue(()))
    }

    /// The same, telling `watch` of every step of every plan; an error when it breaks off, as levels are of no use by halves.
    pub fn watched(model: &Cmdp, watch: Watch) -> Result<Baseline> {
        Baseline::by(PlannerConfig::default().build().as_mut(), model, watch)
    }

    fn by(planner: &mut dyn Planner, model: &Cmdp, watch: Watch) -> Result<Baseline> {
        let (optimal, policies) = match planner.plan_watched(&Problem::average(model), watch)? {
            Verdict::Optimal(plan) => {
                let (level, policies) = proved(planner, model, plan, "the optimum within the budgets")?;
                (Some(level), policies)
            }
            Verdict::Infeasible(found) => (None, found.policies),
        };
        let free = model.clone().with_budgets(&vec![f64::INFINITY; model.costs()])?;
        let (fast, safe) = match model.costs() {
            1 => ends(planner, &free, watch)?,
            _ => (None, None),
        };
        let fast = match fast {
            Some(fast) => fast,
            None => match planner.plan_watched(&Problem::average(&free), watch)? {
                Verdict::Optimal(plan) => proved(planner, &free, plan, "the optimum without budgets")?.0,
                Verdict::Infeasible(found) => {
                    Level { reward: f64::NAN, costs: found.least_costs, ranges: Vec::new() }
                }
            },
        };
        let policies = policies.into_iter().map(|one| (one.weight, one.policy)).collect();
        Ok(Baseline { optimal, fast, safe, policies })
    }

    /// r*, where there is one.
    pub fn optimum(&self) -> Option<f64> {
        self.optimal.as_ref().map(|level| level.reward)
    }
}

/// The level of a plan and its policies. Both the search and the proof of what it found have to settle it; the numbers are
/// those of the search.
fn proved(
    planner: &mut dyn Planner,
    model: &Cmdp,
    plan: Plan,
    what: &str,
) -> Result<(Level, Vec<WeightedPolicy>)> {
    let plan = plan.settled(model, || what.to_string())?;
    let (reward, costs) = (plan.value.reward, plan.value.costs.clone());
    let mut verdict = Verdict::Optimal(plan);
    let certificate = planner.certify(&Problem::average(model), &verdict)?;
    certificate.correct(&mut verdict);
    let policies = match verdict {
        Verdict::Optimal(plan) => plan.settled(model, || what.to_string())?.policies,
        Verdict::Infeasible(found) => found.policies,
    };
    let ranges = std::iter::once(&certificate.proof.gain).chain(&certificate.proof.costs);
    Ok((Level { reward, costs, ranges: ranges.map(|range| range.ends()).collect() }, policies))
}

/// The best gain at its least cost, and the least cost with its best gain, of a model with one cost.
fn ends(planner: &mut dyn Planner, free: &Cmdp, watch: Watch) -> Result<(Option<Level>, Option<Level>)> {
    let level = |corner: FrontierPoint| {
        let ranges = std::iter::once(&corner.gain_range).chain(&corner.cost_ranges);
        let ranges = ranges.map(|range| range.ends()).collect();
        Level { reward: corner.gain, costs: vec![corner.budget], ranges }
    };
    let ends = frontier_ends(planner, &Problem::average(free), 0, watch)?;
    let (safe, fast) = ends.unzip();
    Ok((fast.map(level), safe.map(level)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::EnvConfig;
    use crate::plan::{Certificate, Ended};

    /// The default planner, but nothing that it finds is certain.
    #[derive(Debug)]
    struct Unsure(Box<dyn Planner>);

    impl Planner for Unsure {
        fn plan_watched(&mut self, problem: &Problem, watch: Watch) -> Result<Verdict> {
            let verdict = self.0.plan_watched(problem, watch)?;
            let Verdict::Optimal(plan) = verdict else { panic!("budgets can be met") };
            Ok(Verdict::Optimal(Plan { gap: 0.06, ended: Ended::OutOfSteps, ..plan }))
        }
    }

    #[test]
    fn a_level_that_no_plan_settles_is_an_error() {
        let model = EnvConfig::from_options("marsrover-4x4", &[]).unwrap().build().unwrap().model;
        let mut unsure = Unsure(PlannerConfig::default().build());
        let error =
            Baseline::by(&mut unsure, &model, &mut |_| ControlFlow::Continue(())).unwrap_err().to_string();
        let expected =
            "the optimum within the budgets is not settled: the search ran out of steps at a gain of -0.77";
        assert!(error.starts_with(expected) && error.contains("with a gap of 0.06"), "{error}");
    }

    /// The default planner, sure of itself, but what it finds is not proved.
    #[derive(Debug)]
    struct Unproved(Box<dyn Planner>);

    impl Planner for Unproved {
        fn plan_watched(&mut self, problem: &Problem, watch: Watch) -> Result<Verdict> {
            self.0.plan_watched(problem, watch)
        }

        fn certify(&mut self, problem: &Problem, verdict: &Verdict) -> Result<Certificate> {
            let mut certificate = self.0.certify(problem, verdict)?;
            certificate.proof.optimum += 0.05;
            Ok(certificate)
        }
    }

    #[test]
    fn a_level_that_no_proof_settles_is_an_error() {
        let model = EnvConfig::from_options("marsrover-4x4", &[]).unwrap().build().unwrap().model;
        let mut planner = Unproved(PlannerConfig::default().build());
        let error =
            Baseline::by(&mut planner, &model, &mut |_| ControlFlow::Continue(())).unwrap_err().to_string();
        assert!(error.starts_with("the optimum within the budgets is not settled: "), "{error}");
        assert!(error.contains("with a gap of 0.0499"), "{error}");
    }

    #[test]
    fn levels_are_stopped_by_the_watch_wherever_it_breaks_off() {
        let model = EnvConfig::from_options("box", &[]).unwrap().build().unwrap().model;
        let stopped_after = |most: usize| {
            let mut steps = 0;
            Baseline::watched(&model, &mut |_| {
                steps += 1;
                if steps > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        };
        let mut steps = 0;
        Baseline::watched(&model, &mut |_| {
            steps += 1;
            ControlFlow::Continue(())
        })
        .unwrap();
        assert!(
            stopped_after(0).is_err() && stopped_after(steps / 2).is_err() && stopped_after(steps).is_ok()
        );
    }

    #[test]
    fn the_papers_levels() {
        for (name, optimal, fast, safe) in [
            ("marsrover-4x4", -0.775, (-0.75, 0.25), -0.875),
            ("marsrover-8x8", -0.938_095_238_1, (-12.0 / 13.0, 3.0 / 13.0), -20.0 / 21.0),
            ("box", -0.865, (-5.0 / 6.0, 5.0 / 6.0), -0.875),
        ] {
            let env = EnvConfig::from_options(name, &[]).unwrap().build().unwrap();
            let baseline = Baseline::of(&env.model).unwrap();
            assert!((baseline.optimum().unwrap() - optimal).abs() < 1e-9, "{name}");
            assert!((baseline.fast.reward - fast.0).abs() < 1e-9, "{name}");
            assert!((baseline.fast.costs[0] - fast.1).abs() < 1e-9, "{name}");
            let found = baseline.safe.unwrap();
            assert!((found.reward - safe).abs() < 1e-9 && found.costs[0].abs() < 1e-9, "{name}");
            let levels = [(baseline.fast.clone(), fast), (found, (safe, 0.0))];
            for (Level { ranges, .. }, exact) in levels {
                // A fraction is stored as the nearest number.
                let holds = |(low, high): (f64, f64), x: f64| low <= x.next_up() && x.next_down() <= high;
                assert!(holds(ranges[0], exact.0) && holds(ranges[1], exact.1), "{name}: {ranges:?}");
                assert!(ranges.iter().all(|(low, high)| high - low < 1e-13), "{name}: {ranges:?}");
            }
            assert_eq!(baseline.optimal.unwrap().ranges.len(), 2);
        }
    }
}
