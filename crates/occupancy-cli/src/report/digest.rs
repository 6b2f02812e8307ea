//! Where every learner of an experiment ended, in one word each.
//!
//! ```text
//! over    cost_i > τ_i + δ_i for some i, and its interval is above τ_i
//! near    not over, and reward ≥ r* − ε
//! safe    not over, and reward within ε of the safe policy's, which costs least
//! short   everything else
//! ε = min(0.01, (r* − safe reward) / 4) ,   δ_i = max(ε, |τ_i| / 10)
//! ```
//!
//! Rewards and costs are means over the last window of all runs.

use super::Chapter;
use crate::failure::Result;
use occupancy::run::{LearnerSummary, Levels, Summary, SummaryConfig};

/// The place where a learner ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At the optimum, within the budgets.
    Near,
    /// At the safe policy.
    Safe,
    /// Above a budget.
    Over,
    /// Below the optimum, not at the safe policy.
    Short,
    /// There are no runs.
    Nowhere,
}

impl Place {
    /// The word for programs.
    pub fn name(self) -> &'static str {
        match self {
            Place::Near => "near",
            Place::Safe => "safe",
            Place::Over => "over",
            Place::Short => "short",
            Place::Nowhere => "nowhere",
        }
    }
}

/// What an experiment came to.
pub struct Digest {
    /// The statistics; learners have settled where their means stay within ε.
    pub summary: Summary,
    /// ε.
    pub epsilon: f64,
    /// Where the learners ended, in the order of the experiment.
    pub places: Vec<Place>,
}

impl Digest {
    /// The digest of a chapter.
    pub fn of(chapter: &Chapter) -> Result<Digest> {
        let manifest = &chapter.results.manifest;
        let epsilon = epsilon(&manifest.baseline);
        let config = SummaryConfig { epsilon, ..SummaryConfig::default() };
        let summary = Summary::of(&chapter.results, config)?;
        let place = |learner| place(learner, &manifest.baseline, &manifest.environment.budgets, epsilon);
        let places = summary.learners.iter().map(place).collect();
        Ok(Digest { summary, epsilon, places })
    }

    /// The labels of the learners that ended in a place.
    pub fn labels(&self, place: Place) -> Vec<&str> {
        let learners = self.summary.learners.iter().zip(&self.places);
        learners.filter(|(_, at)| **at == place).map(|(learner, _)| learner.label.as_str()).collect()
    }
}

/// ε.
fn epsilon(levels: &Levels) -> f64 {
    let lost =
        levels.optimal.as_ref().zip(levels.safe.as_ref()).map(|(best, safe)| best.reward - safe.reward);
    lost.filter(|lost| *lost > 0.0).map_or(0.01, |lost| (lost / 4.0).min(0.01))
}

fn place(learner: &LearnerSummary, levels: &Levels, budgets: &[f64], epsilon: f64) -> Place {
    let mean = |name: &str| learner.quantity(name).map(|found| found.mean).filter(|mean| mean.is_finite());
    let Some(reward) = mean("reward") else { return Place::Nowhere };
    let is_over = |i: usize| {
        let (budget, room) = (budgets[i], epsilon.max(budgets[i].abs() / 10.0));
        learner.quantity(&format!("cost_{i}")).is_some_and(|cost| {
            cost.mean > budget + room && cost.interval.is_none_or(|(low, _)| low > budget)
        })
    };
    let within = !(0..budgets.len()).any(is_over);
    let is_near = |level: f64| (reward - level).abs() <= epsilon;
    match (&levels.optimal, &levels.safe) {
        _ if !within => Place::Over,
        (Some(best), _) if reward >= best.reward - epsilon => Place::Near,
        (_, Some(safe)) if is_near(safe.reward) => Place::Safe,
        _ => Place::Short,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use occupancy::run::Level;
    use occupancy::stats::Bootstrap;

    fn levels() -> Levels {
        let level = |reward, cost| Level { reward, costs: vec![cost] };
        Levels {
            optimal: Some(level(-0.865, 0.2)),
            fast: level(-0.833, 0.833),
            safe: Some(level(-0.875, 0.0)),
        }
    }

    fn learner(values: &[(&str, f64)]) -> LearnerSummary {
        let described =
            |(name, x): &(&str, f64)| (name.to_string(), Bootstrap::new(1, 0.95, "").describe(&[*x]));
        let quantities = values.iter().map(described).collect();
        LearnerSummary { label: "x".into(), runs: 1, quantities, settled: None }
    }

    #[test]
    fn each_end_has_its_word() {
        let at = |reward, cost| {
            place(&learner(&[("reward", reward), ("cost_0", cost)]), &levels(), &[0.2], epsilon(&levels()))
        };
        assert_eq!(at(-0.866, 0.2), Place::Near);
        assert_eq!(at(-0.876, 0.0), Place::Safe);
        assert_eq!(at(-0.85, 0.5), Place::Over);
        assert_eq!(at(-0.93, 0.1), Place::Short);
        assert_eq!(place(&learner(&[]), &levels(), &[0.2], 0.01), Place::Nowhere);
    }

    #[test]
    fn near_is_a_quarter_of_what_safety_costs() {
        assert!((epsilon(&levels()) - 0.0025).abs() < 1e-12);
        assert_eq!(epsilon(&Levels { safe: None, ..levels() }), 0.01);
    }
}
