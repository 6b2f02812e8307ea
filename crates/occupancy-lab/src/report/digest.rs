//! Where every learner of an experiment ended, in one word each, and when it settled there.
//!
//! ```text
//! near    reward ≥ r*(τ − |τ|/4) and cost_i ≤ τ_i + |τ_i|/4
//! over    cost_i > τ_i + |τ_i|/4 for some i
//! safe    not near, and every cost nearer to that of the safe policy than to the budget
//! short   everything else
//! ```
//!
//! A quarter of the budget is what a cost may be off, and what a quarter of the budget is worth is what the reward may be
//! off. Rewards and costs are means over the last window of all runs. A learner has settled at the first step from which on
//! the means over the runs stay near, for the length of a window at least.

use super::Chapter;
use crate::Result;
use crate::analyse::{CurvePoint, LearnerSummary, Summary, SummaryConfig, curves};
use crate::store::Levels;
use occupancy::plan::{PlannerConfig, Problem, Verdict};
use serde::Serialize;

/// The share of the budget that a cost may be off.
const SHARE: f64 = 0.25;

/// Where a learner ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// Near the optimum.
    Near,
    /// Nearer the safe policy than the budget.
    Safe,
    /// Above a budget.
    Over,
    /// Below the optimum, not at the safe policy.
    Short,
    /// There are no runs.
    Nowhere,
}

/// What an experiment came to. Lists are in the order of its learners.
pub struct Digest {
    /// The statistics.
    pub summary: Summary,
    /// What is near the optimum.
    pub limits: Limits,
    /// The learners' curves; none where they were not asked for.
    pub curves: Vec<Vec<CurvePoint>>,
    /// Where they ended.
    pub endings: Vec<Ending>,
    /// When they settled there, if near the optimum and curves were asked for.
    pub settled: Vec<Option<u64>>,
}

/// The least reward and the greatest costs that are near the optimum.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// r*(τ − |τ|/4); nothing where no policy meets the budgets.
    pub reward: Option<f64>,
    /// τ_i + |τ_i|/4.
    pub costs: Vec<f64>,
}

impl Digest {
    /// The digest of a chapter.
    pub fn of(chapter: &Chapter) -> Result<Digest> {
        let mut digest = Digest::without_curves(chapter)?;
        let level = digest.summary.config.level;
        let labels = chapter.results.labels();
        let curves = labels.map(|label| curves(&chapter.results, label, level));
        digest.curves = curves.collect::<Result<Vec<_>>>()?;
        let settled = |points: &Vec<CurvePoint>| settles(points, digest.summary.window, &digest.limits);
        digest.settled = digest.curves.iter().map(settled).collect();
        Ok(digest)
    }

    /// The digest of a chapter of which only the ends are shown: curves, with intervals at every point, take most of the
    /// time.
    pub fn without_curves(chapter: &Chapter) -> Result<Digest> {
        let (results, manifest) = (&chapter.results, &chapter.results.manifest);
        let limits = Limits::of(chapter)?;
        let summary = Summary::of(results, SummaryConfig::default())?;
        let end = |learner| ending(learner, &limits, &manifest.baseline, &manifest.environment.budgets);
        let endings: Vec<Ending> = summary.learners.iter().map(end).collect();
        let settled = vec![None; endings.len()];
        Ok(Digest { summary, limits, curves: Vec::new(), endings, settled })
    }

    /// The labels of the learners that ended so.
    pub fn labels(&self, ending: Ending) -> Vec<&str> {
        let learners = self.summary.learners.iter().zip(&self.endings);
        learners.filter(|(_, own)| **own == ending).map(|(learner, _)| learner.label.as_str()).collect()
    }

    /// How many learners have runs.
    pub fn present(&self) -> usize {
        self.endings.iter().filter(|&&ending| ending != Ending::Nowhere).count()
    }
}

impl Limits {
    fn of(chapter: &Chapter) -> Result<Limits> {
        let levels = &chapter.results.manifest.baseline;
        let budgets = &chapter.results.manifest.environment.budgets;
        let less: Vec<f64> = budgets.iter().map(|budget| budget - SHARE * budget.abs()).collect();
        let less = if less.iter().any(|budget| budget.is_nan()) { budgets.clone() } else { less };
        let model = chapter.env.model.clone().with_budgets(&less)?;
        let tighter = match PlannerConfig::default().build().plan(&Problem::average(&model))? {
            // What is not settled sets no limit; that of the optimum itself remains.
            Verdict::Optimal(plan) => plan.is_settled(&model).then_some(plan.value.reward),
            Verdict::Infeasible(_) => levels.safe.as_ref().map(|safe| safe.reward),
        };
        let reward = levels.optimal.as_ref().map(|best| tighter.unwrap_or(best.reward).min(best.reward));
        Ok(Limits { reward, costs: budgets.iter().map(|budget| budget + SHARE * budget.abs()).collect() })
    }

    /// Whether means are near the optimum.
    fn admit(&self, reward: f64, costs: impl Iterator<Item = f64>) -> bool {
        let affordable = costs.zip(&self.costs).all(|(cost, most)| cost <= *most);
        affordable && self.reward.is_some_and(|least| reward >= least)
    }
}

fn ending(learner: &LearnerSummary, limits: &Limits, levels: &Levels, budgets: &[f64]) -> Ending {
    let mean = |name: &str| learner.quantity(name).map_or(f64::NAN, |found| found.mean);
    let reward = mean("reward");
    if reward.is_nan() {
        return Ending::Nowhere;
    }
    let costs: Vec<f64> = (0..budgets.len()).map(|i| mean(&format!("cost_{i}"))).collect();
    let is_over = costs.iter().zip(&limits.costs).any(|(cost, most)| cost > most);
    let is_safe = levels.safe.as_ref().is_some_and(|safe| {
        (0..costs.len()).all(|i| (costs[i] - safe.costs[i]).abs() < (costs[i] - budgets[i]).abs())
    });
    if limits.admit(reward, costs.iter().copied()) {
        Ending::Near
    } else if is_over {
        Ending::Over
    } else if is_safe {
        Ending::Safe
    } else {
        Ending::Short
    }
}

fn settles(points: &[CurvePoint], window: u64, limits: &Limits) -> Option<u64> {
    let column = |name: &str| -> Vec<&CurvePoint> {
        points.iter().filter(|point| point.window == Some(window) && point.quantity == name).collect()
    };
    let reward = column("reward");
    let costs: Vec<_> = (0..limits.costs.len()).map(|i| column(&format!("cost_{i}"))).collect();
    let near = |&at: &usize| {
        let cost = |column: &Vec<&CurvePoint>| column.get(at).map_or(f64::NAN, |point| point.found.mean);
        reward[at].step >= window && limits.admit(reward[at].found.mean, costs.iter().map(cost))
    };
    let first = reward[(0..reward.len()).rev().take_while(near).last()?].step;
    (reward.last()?.step - first >= window).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::stats::Bootstrap;
    use occupancy::sim::Level;

    fn levels() -> Levels {
        let level = |reward, cost| Level { reward, costs: vec![cost], ranges: Vec::new() };
        let (optimal, safe) = (Some(level(-0.865, 0.2)), Some(level(-0.875, 0.0)));
        Levels { optimal, fast: level(-0.833, 0.833), safe }
    }

    fn limits() -> Limits {
        Limits { reward: Some(-0.8675), costs: vec![0.25] }
    }

    fn learner(values: &[(&str, f64)]) -> LearnerSummary {
        let one = |x: f64| Bootstrap::new(1, 0.95, "").describe(&[x]);
        let quantities = values.iter().map(|(name, x)| (name.to_string(), one(*x))).collect();
        LearnerSummary { label: "x".into(), runs: 1, quantities, settled: None }
    }

    #[test]
    fn each_end_has_its_word() {
        let at = |reward, cost| {
            ending(&learner(&[("reward", reward), ("cost_0", cost)]), &limits(), &levels(), &[0.2])
        };
        assert_eq!(at(-0.866, 0.24), Ending::Near);
        assert_eq!(at(-0.876, 0.01), Ending::Safe);
        assert_eq!(at(-0.85, 0.5), Ending::Over);
        assert_eq!(at(-0.876, 0.15), Ending::Short);
        assert_eq!(ending(&learner(&[]), &limits(), &levels(), &[0.2]), Ending::Nowhere);
    }

    #[test]
    fn a_learner_settles_where_its_means_stay_near_for_a_window() {
        let curve = |name: &str, value: &dyn Fn(u64) -> f64| -> Vec<CurvePoint> {
            let found = |step| Bootstrap::new(1, 0.95, "").describe(&[value(step)]);
            let point =
                |step| CurvePoint { quantity: name.into(), window: Some(20), step, found: found(step) };
            (1..=10).map(|i| point(10 * i)).collect()
        };
        let settled = |reward: &dyn Fn(u64) -> f64| {
            settles(&[curve("reward", reward), curve("cost_0", &|_| 0.2)].concat(), 20, &limits())
        };
        assert_eq!(settled(&|step| if step < 50 { -0.9 } else { -0.865 }), Some(50));
        assert_eq!(settled(&|step| if step < 90 { -0.9 } else { -0.865 }), None, "too late");
        assert_eq!(settled(&|_| -0.865), Some(20), "from the first whole window on");
        assert_eq!(settles(&[], 20, &limits()), None);
    }
}
