//! A policy: π(a∣s), one probability per pair, or π_h(a∣s) with such a table for every stage h of an episode.

use super::Cmdp;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// The probability of every pair's action in its state, at every stage if they differ. As data it is the list of these
/// probabilities, or one list for each stage; what was read from outside is checked when it is evaluated in a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Tables", into = "Tables")]
pub struct Policy {
    /// Of all pairs at the first stage, then at the second, …
    probabilities: Vec<f64>,
    stages: usize,
}

/// A policy as data.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Tables {
    Stationary(Vec<f64>),
    Staged(Vec<Vec<f64>>),
}

impl From<Policy> for Tables {
    fn from(policy: Policy) -> Tables {
        if policy.stages == 1 {
            return Tables::Stationary(policy.probabilities);
        }
        Tables::Staged((0..policy.stages).map(|stage| policy.table(stage).to_vec()).collect())
    }
}

impl From<Tables> for Policy {
    fn from(tables: Tables) -> Policy {
        match tables {
            Tables::Stationary(probabilities) => Policy { probabilities, stages: 1 },
            Tables::Staged(tables) => Policy { stages: tables.len(), probabilities: tables.concat() },
        }
    }
}

impl Policy {
    /// From one probability per pair; each state's must sum to 1 within 1e-9 and are divided by their sum.
    pub fn new(model: &Cmdp, probabilities: Vec<f64>) -> Result<Policy> {
        Policy::staged(model, probabilities, 1)
    }

    /// The same for every stage of an episode, one table after the other.
    pub fn staged(model: &Cmdp, probabilities: Vec<f64>, stages: usize) -> Result<Policy> {
        let mut policy = Policy { probabilities, stages };
        policy.check(model)?;
        for table in policy.probabilities.chunks_exact_mut(model.pairs()) {
            for state in 0..model.states() {
                let row = &mut table[model.pairs_of(state)];
                let sum: f64 = row.iter().sum();
                row.iter_mut().for_each(|p| *p /= sum);
            }
        }
        Ok(policy)
    }

    /// Checks that the policy has a distribution for every state of a model, to within 1e-9, at every stage.
    pub fn check(&self, model: &Cmdp) -> Result<()> {
        let (found, expected) = (self.probabilities.len(), model.pairs() * self.stages.max(1));
        if found != expected {
            return Err(Error::TableLength { what: "a policy", found, expected });
        }
        for table in self.probabilities.chunks_exact(model.pairs()) {
            for state in 0..model.states() {
                let row = &table[model.pairs_of(state)];
                let sum: f64 = row.iter().sum();
                let in_range = row.iter().all(|p| (0.0..=1.0 + 1e-9).contains(p));
                if !in_range || sum.is_nan() || (sum - 1.0).abs() > 1e-9 {
                    return Err(Error::PolicyRow { state: model.names().state(state), sum });
                }
            }
        }
        Ok(())
    }

    /// The policy that always takes the given pair of each state; one pair for every state, in any order.
    pub fn deterministic(model: &Cmdp, pair_of_state: impl IntoIterator<Item = usize>) -> Result<Policy> {
        let mut probabilities = vec![0.0; model.pairs()];
        for pair in pair_of_state {
            let pairs = model.pairs();
            *probabilities.get_mut(pair).ok_or(Error::UnknownPair { pair, pairs })? += 1.0;
        }
        Policy::new(model, probabilities)
    }

    /// The policy that takes every action of a state with the same probability.
    pub fn uniform(model: &Cmdp) -> Policy {
        let mut probabilities = vec![0.0; model.pairs()];
        for state in 0..model.states() {
            let pairs = model.pairs_of(state);
            let share = 1.0 / pairs.len() as f64;
            probabilities[pairs].fill(share);
        }
        Policy { probabilities, stages: 1 }
    }

    /// From one number per pair and stage as it is, for [`crate::verify::prove`], which checks them and divides by exact
    /// sums.
    pub fn unchecked(probabilities: Vec<f64>, stages: usize) -> Policy {
        Policy { probabilities, stages }
    }

    /// From rows that are distributions already.
    pub(crate) fn from_rows(probabilities: Vec<f64>) -> Policy {
        Policy { probabilities, stages: 1 }
    }

    /// The probabilities, to be changed into distributions again.
    #[cfg(feature = "learn")]
    pub(crate) fn rows_mut(&mut self) -> &mut [f64] {
        &mut self.probabilities
    }

    /// The probabilities, by themselves.
    pub fn into_probabilities(self) -> Vec<f64> {
        self.probabilities
    }

    /// π(a∣s) of every pair; at all stages, one after the other, if there are several.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// How many tables there are: 1 if the policy is stationary.
    pub fn stages(&self) -> usize {
        self.stages
    }

    /// π_h(a∣s) of every pair. A stationary policy has the same at every stage, and so has any other after its last one.
    pub fn table(&self, stage: usize) -> &[f64] {
        let pairs = self.probabilities.len() / self.stages.max(1);
        let stage = stage.min(self.stages.saturating_sub(1));
        &self.probabilities[stage * pairs..(stage + 1) * pairs]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::evaluate;
    use crate::model::CmdpBuilder;

    fn two_states() -> Cmdp {
        let mut model = CmdpBuilder::new(2, &[]);
        model.pair(0, &[(0, 1.0)], 0.0, &[]).pair(0, &[(1, 1.0)], 0.0, &[]).pair(1, &[(0, 1.0)], 0.0, &[]);
        model.build().unwrap()
    }

    #[test]
    fn a_deterministic_policy_takes_one_pair_in_every_state() {
        let model = two_states();
        let policy = Policy::deterministic(&model, [2, 1]).unwrap();
        assert_eq!(policy.probabilities(), [0.0, 1.0, 1.0]);
        let refused =
            |pairs: &[usize]| Policy::deterministic(&model, pairs.iter().copied()).unwrap_err().to_string();
        assert_eq!(refused(&[0, 3]), "the policy takes pair 3, but the model has 3 pairs");
        let sums = "the policy's probabilities in state";
        assert_eq!(refused(&[0]), format!("{sums} 1 sum to 0, expected 1 within 1e-9"));
        assert_eq!(refused(&[0, 0, 2]), format!("{sums} 0 sum to 2, expected 1 within 1e-9"));
    }

    #[test]
    fn probabilities_that_are_none_are_refused() {
        let model = two_states();
        for wrong in [[0.5, 0.4, 1.0], [1.5, -0.5, 1.0], [f64::NAN, 1.0, 1.0]] {
            assert!(matches!(Policy::new(&model, wrong.to_vec()), Err(Error::PolicyRow { .. })), "{wrong:?}");
        }
        let error = Policy::new(&model, vec![1.0]).unwrap_err();
        assert_eq!(error.to_string(), "a policy has 1 entries, expected 3");
    }

    #[test]
    fn a_policy_that_was_read_back_is_checked_when_it_is_evaluated() {
        let model = two_states();
        let policy = Policy::uniform(&model);
        let text = serde_json::to_string(&policy).unwrap();
        assert_eq!(text, "[0.5,0.5,1.0]");
        assert_eq!(serde_json::from_str::<Policy>(&text).unwrap(), policy);
        let wrong: Policy = serde_json::from_str("[0.5,0.25,1.0]").unwrap();
        let refused = evaluate(&model, &wrong, model.start()).unwrap_err();
        assert!(matches!(refused, Error::PolicyRow { sum: 0.75, .. }), "{refused}");
    }
}
