//! Which policy is executed, given those planned: the last one, a mixture, or one drawn from the past.
//!
//! Averaging action probabilities is not averaging occupancies: a policy that takes a short lap with probability 0.8
//! spends less than 0.8 of its time on short laps. Only the average of occupancies has the average reward and costs.

use crate::chain::evaluate;
use crate::error::Result;
use crate::model::{Cmdp, Policy};
use crate::options::{Form, OptionValue};
use crate::seed::Rng;
use crate::words;
use rand::RngExt;

words! {
    /// Which policy psrl-lagrangian executes.
    pub enum Execution {
        /// The one just planned.
        Current = "current",
        /// The average of action probabilities over epochs: the paper's text.
        ActionMixture = "action-mixture",
        /// The policy of the average occupancy over epochs.
        OccupancyMixture = "occupancy-mixture",
        /// One of the policies planned so far, drawn for each epoch.
        Sampled = "sampled",
    }
}

/// Which past epochs a mixture has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mixed {
    /// All of them.
    All,
    /// The later half.
    Half,
    /// The last few.
    Last(usize),
}

impl OptionValue for Mixed {
    const FORM: Form = Form::CountOrWord;

    fn parse(text: &str) -> Option<Mixed> {
        match text {
            "all" => Some(Mixed::All),
            "half" => Some(Mixed::Half),
            last => last.parse().ok().filter(|&last| last > 0).map(Mixed::Last),
        }
    }

    fn show(&self) -> String {
        match self {
            Mixed::All => "all".into(),
            Mixed::Half => "half".into(),
            Mixed::Last(count) => count.to_string(),
        }
    }
}

/// Remembers what a mixture needs of the past.
pub struct Executor {
    rule: Execution,
    mixed: Mixed,
    /// What is averaged or drawn from: action probabilities or occupancies, an entry for each epoch.
    past: Vec<Vec<f64>>,
}

impl Executor {
    /// Nothing executed yet.
    pub fn new(rule: Execution, mixed: Mixed) -> Executor {
        Executor { rule, mixed, past: Vec::new() }
    }

    /// The policy to execute after `planned` was planned in `model`, for a learner in `state`.
    pub fn execute(&mut self, planned: Policy, model: &Cmdp, state: usize, rng: &mut Rng) -> Result<Policy> {
        if self.rule == Execution::Current {
            return Ok(planned);
        }
        self.past.push(match self.rule {
            Execution::OccupancyMixture => evaluate(model, &planned, &[(state, 1.0)])?.occupancy,
            _ => planned.into_probabilities(),
        });
        let kept = match self.mixed {
            Mixed::All => self.past.len(),
            Mixed::Half => self.past.len().div_ceil(2),
            Mixed::Last(count) => count.min(self.past.len()),
        };
        let kept = &self.past[self.past.len() - kept..];
        if self.rule == Execution::Sampled {
            return Ok(Policy::from_rows(kept[rng.random_range(0..kept.len())].clone()));
        }
        let mut sum = vec![0.0; model.pairs()];
        for shares in kept {
            sum.iter_mut().zip(shares).for_each(|(sum, share)| *sum += share);
        }
        Ok(policy_of(model, sum))
    }
}

/// π(a∣s) = μ(s,a) / Σ_a μ(s,a); uniform in states without mass.
pub fn policy_of(model: &Cmdp, mut mass: Vec<f64>) -> Policy {
    for state in 0..model.states() {
        let row = &mut mass[model.pairs_of(state)];
        let (sum, share) = (row.iter().sum::<f64>(), 1.0 / row.len() as f64);
        row.iter_mut().for_each(|p| *p = if sum > 0.0 { *p / sum } else { share });
    }
    Policy::from_rows(mass)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CmdpBuilder;
    use crate::seed::Seed;

    /// From the start a short lap of 4 steps with cost 1, or a long one of 8 steps without.
    fn laps() -> Cmdp {
        let mut model = CmdpBuilder::new(11, &[0.2]);
        model.pair(0, &[(1, 1.0)], -1.0, &[1.0]).pair(0, &[(4, 1.0)], -1.0, &[0.0]);
        for state in 1..11 {
            let last = state == 3 || state == 10;
            let reward = if last { 0.0 } else { -1.0 };
            model.pair(state, &[(if last { 0 } else { state + 1 }, 1.0)], reward, &[0.0]);
        }
        model.build().unwrap()
    }

    fn mix(rule: Execution) -> (f64, f64, f64) {
        let model = laps();
        let mut executor = Executor::new(rule, Mixed::All);
        let mut rng = Seed(0).rng("mix");
        let policy = |first: usize| Policy::deterministic(&model, (2..12).chain([first])).unwrap();
        let mut executed = Policy::uniform(&model);
        for first in [0, 0, 0, 1, 0] {
            executed = executor.execute(policy(first), &model, 0, &mut rng).unwrap();
        }
        let found = evaluate(&model, &executed, model.start()).unwrap();
        (executed.probabilities()[0], found.value.reward, found.value.costs[0])
    }

    /// The mixture identity: four short laps to one long lap are not four fifths of the time.
    #[test]
    fn mixing_actions_is_not_mixing_time() {
        let (first, gain, cost) = mix(Execution::ActionMixture);
        assert!((first - 0.8).abs() < 1e-12 && (gain + 19.0 / 24.0).abs() < 1e-12, "{first} {gain}");
        assert!((cost - 1.0 / 6.0).abs() < 1e-12, "{cost}");
        let (first, gain, cost) = mix(Execution::OccupancyMixture);
        assert!((first - 8.0 / 9.0).abs() < 1e-12, "{first}");
        assert!((gain + 0.775).abs() < 1e-12 && (cost - 0.2).abs() < 1e-12, "{gain} {cost}");
    }

    #[test]
    fn windows_forget_the_oldest() {
        let model = laps();
        let mut rng = Seed(0).rng("mix");
        let policy = |first: usize| Policy::deterministic(&model, (2..12).chain([first])).unwrap();
        for (mixed, expected) in [(Mixed::Last(1), 1.0), (Mixed::Half, 0.5), (Mixed::All, 1.0 / 3.0)] {
            let mut executor = Executor::new(Execution::ActionMixture, mixed);
            let mut last = Policy::uniform(&model);
            for first in [1, 1, 0] {
                last = executor.execute(policy(first), &model, 0, &mut rng).unwrap();
            }
            assert!((last.probabilities()[0] - expected).abs() < 1e-12, "{mixed:?}");
        }
    }
}
