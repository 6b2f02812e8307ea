//! The constants of Chen et al. (2022), Algorithm 1: those of the theorem, those of the authors' run, and those that are given.
//!
//! ```text
//! N_w = ⌈4 t_mix log₂ T⌉ ,   H = ⌈16 t_mix t_hit (log₂ T)²⌉ ,   K = T/H ,   L = ln(4 S A T³/δ)
//! η = 1 + 2¹⁰ (τ − c⁰) N_w √S L (√(S²AT) + √(HT) + S^1.5 A H L) ,   λ_max = 40 η/(τ − c⁰) ,   ε = min((τ − c⁰)/2, 3 λ_max/K)
//! ι = (2 λ_max N_w/η) √(S ln(2 S A T/δ)) ,   θ = min(1/(4 H ι), √(ln T/(4 K H² ι²)))
//! ```

use crate::arithmetic::elementary::ln;
use crate::error::{LearnerProblem, Result};
use crate::learn::parts::episodic::options::Confidence;
use crate::learn::parts::episodic::units::Units;
use crate::model::Task;
use crate::{options, words};

words! {
    /// Where constants come from.
    pub enum ChenConstants {
        /// The authors' run.
        Run = "run",
        /// The formulas of the theorem.
        Printed = "printed",
    }
}

options! {
    /// Constants that are given, and what the formulas for the others need.
    pub struct Knobs {
        /// How many steps the chains of all policies need to forget where they began; for printed constants.
        t_mix: Option<f64> = None, "a number above 0" => above_zero;
        /// How many steps all policies need from any state to any other at most; for printed constants.
        t_hit: Option<f64> = None, "a number above 0" => above_zero;
        /// The average cost of some policy below the budget; for printed constants.
        baseline_cost: Option<f64> = None, "a number below the budget" => |cost| cost.is_none_or(f64::is_finite);
        /// H: the steps of an episode.
        h: Option<u64> = None, "a count of at least 1" => |h| h.is_none_or(|h| h >= 1);
        /// N: the steps of a window, over which the value of a state is estimated.
        n: Option<u64> = None, "a count of at least 1" => |n| n.is_none_or(|n| n >= 1);
        /// η: the cost counts by price / η.
        eta: Option<f64> = None, "a number above 0" => above_zero;
        /// The greatest price.
        price_max: Option<f64> = None, "a number above 0" => above_zero;
        /// ε: what the price rises by beyond the violation.
        epsilon: Option<f64> = None, "a number from 0 on" => |epsilon| epsilon.is_none_or(|x| x >= 0.0 && x.is_finite());
        /// θ: the rate of the policy's steps.
        theta: Option<f64> = None, "a number above 0" => above_zero;
        /// ι: the size of the bonus, before it is scaled.
        iota: Option<f64> = None, "a number from 0 on" => |iota| iota.is_none_or(|x| x >= 0.0 && x.is_finite());
    }
}

fn above_zero(given: &Option<f64>) -> bool {
    given.is_none_or(|x| x > 0.0 && x.is_finite())
}

/// The constants of a learner in a task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constants {
    /// H.
    pub horizon: u64,
    /// N_w.
    pub window: usize,
    /// η.
    pub eta: f64,
    /// λ_max.
    pub price_max: f64,
    /// ε.
    pub epsilon: f64,
    /// θ.
    pub theta: f64,
    /// ι times the scale.
    pub iota: f64,
    /// scale² S ln(2 S A T/δ), of the radii.
    pub row_scale: f64,
    /// 1/T.
    pub floor: f64,
}

impl Constants {
    /// The constants for a task; S A is the number of its pairs.
    pub fn new(
        learner: &'static str,
        from: ChenConstants,
        knobs: &Knobs,
        confidence: &Confidence,
        task: &Task,
    ) -> Result<Constants> {
        let (s, pairs, t) = (task.states() as f64, task.pairs() as f64, task.rounds().max(2) as f64);
        let rows = s * ln(2.0 * pairs * t / confidence.delta);
        let printed = match from {
            ChenConstants::Run => None,
            ChenConstants::Printed => Some(Printed::new(learner, knobs, task, confidence.delta)?),
        };
        let of = |given: Option<f64>, printed: Option<f64>, run: f64| given.or(printed).unwrap_or(run);
        let horizon = of(knobs.h.map(|h| h as f64), printed.as_ref().map(|p| p.horizon), 300.0).min(t);
        let window = of(knobs.n.map(|n| n as f64), printed.as_ref().map(|p| p.window), 20.0).min(horizon);
        let eta = of(knobs.eta, printed.as_ref().map(|p| p.eta), t.sqrt());
        let price_max = of(knobs.price_max, printed.as_ref().map(|p| 40.0 * eta / p.gap), eta);
        let episodes = (t / horizon).max(1.0);
        let epsilon = printed.as_ref().map(|p| (p.gap / 2.0).min(3.0 * price_max / episodes));
        let iota = of(knobs.iota, None, 2.0 * price_max * window / eta * rows.sqrt());
        let theta = printed.as_ref().map(|_| {
            (1.0 / (4.0 * horizon * iota)).min((ln(t) / (4.0 * episodes)).sqrt() / (horizon * iota))
        });
        let factor = confidence.factor();
        Ok(Constants {
            horizon: horizon as u64,
            window: window as usize,
            eta,
            price_max,
            epsilon: of(knobs.epsilon, epsilon, 0.01),
            theta: of(knobs.theta, theta, 10.0 / t.sqrt()),
            iota: factor * iota,
            row_scale: factor * factor * rows,
            floor: 1.0 / t,
        })
    }
}

/// The constants of the theorem on which others depend.
struct Printed {
    horizon: f64,
    window: f64,
    eta: f64,
    /// τ − c⁰.
    gap: f64,
}

impl Printed {
    fn new(learner: &'static str, knobs: &Knobs, task: &Task, delta: f64) -> Result<Printed> {
        let need =
            |given: Option<f64>, what, how| given.ok_or(LearnerProblem::Unknown { learner, what, how });
        let mixing = need(knobs.t_mix, "the mixing time", "give it by t_mix, or take constants=run")?;
        let hitting = need(knobs.t_hit, "the hitting time", "give it by t_hit, or take constants=run")?;
        let how = "give it by baseline_cost, or take constants=run";
        let safe = need(knobs.baseline_cost, "the cost of a policy within the budget", how)?;
        let units = Units::of(task, 1);
        let gap = units.cost_of_episode(0, task.budgets()[0]) - units.cost_of_episode(0, safe);
        if gap <= 0.0 {
            let expected = format!("a number below the budget {}", task.budgets()[0]);
            let option = "baseline_cost";
            return Err(LearnerProblem::Contradiction { learner, option, value: safe, expected }.into());
        }
        let (s, pairs, t) = (task.states() as f64, task.pairs() as f64, task.rounds().max(2) as f64);
        let (log2, l) = (ln(t) / ln(2.0), ln(4.0 * pairs * t * t * t / delta));
        let window = (4.0 * mixing * log2).ceil();
        let horizon = (16.0 * mixing * hitting * log2 * log2).ceil();
        let spread = (s * pairs * t).sqrt() + (horizon * t).sqrt() + s.sqrt() * pairs * horizon * l;
        let eta = 1.0 + 1024.0 * gap * window * s.sqrt() * l * spread;
        Ok(Printed { horizon, window, eta, gap })
    }
}
