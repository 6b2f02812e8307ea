//! The exact value gaps of the policies that a learner follows: the literature's weak and strong regret.
//!
//! ```text
//! signed   Σ_t (r* − J(π_t))          strong   Σ_t [r* − J(π_t)]₊          and for a cost  Σ_t (J(c; π_t) − τ) , Σ_t [J(c; π_t) − τ]₊
//! ```
//!
//! π_t is the policy followed in round t, and J what it comes to by itself: in the long run from the state in which its epoch
//! begins, or over an episode from the start, divided by its length. Summed over whole episodes, these are Σ (V* − V^π).

use super::{Observer, Planned, Record, Walked};
use crate::chain::evaluate;
use crate::learn::Epoch;
use crate::model::{Cmdp, Policy};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Sums of gaps at every recorded step, of the reward and then of every cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueGaps {
    /// Gains make up for losses.
    pub signed: Vec<Vec<f64>>,
    /// Losses alone.
    pub strong: Vec<Vec<f64>>,
}

impl ValueGaps {
    /// The sums of a signal at the end: signed and strong.
    pub fn last(&self, signal: usize) -> Option<(f64, f64)> {
        Some((*self.signed.get(signal)?.last()?, *self.strong.get(signal)?.last()?))
    }
}

/// Evaluates every policy that is followed, from beside the trial.
pub struct ValueObserver<'a> {
    model: &'a Cmdp,
    /// The length of an episode, if the model is one of stages.
    horizon: Option<usize>,
    optimum: Option<f64>,
    /// What a round under the present policy adds: r* − J(r), J(c_i) − τ_i.
    rates: Vec<f64>,
    /// The policy that these rates are of, and the state they are counted from: learners often go on with what they have.
    known: Option<(Arc<Policy>, usize)>,
    began: u64,
    signed: Vec<f64>,
    strong: Vec<f64>,
    /// What is recorded.
    pub gaps: ValueGaps,
}

impl<'a> ValueObserver<'a> {
    /// For trials in a model with this optimum, if there is one.
    pub fn new(model: &'a Cmdp, horizon: Option<usize>, optimum: Option<f64>) -> ValueObserver<'a> {
        let signals = model.signals().count();
        let gaps = ValueGaps { signed: vec![Vec::new(); signals], strong: vec![Vec::new(); signals] };
        let (rates, signed, strong) = (vec![0.0; signals], vec![0.0; signals], vec![0.0; signals]);
        ValueObserver { model, horizon, optimum, rates, known: None, began: 0, signed, strong, gaps }
    }

    /// What the rates of a policy add up to over some rounds.
    fn sums(&self, rounds: u64) -> (Vec<f64>, Vec<f64>) {
        let add = |(sum, rate): (&f64, f64)| sum + rate * rounds as f64;
        let positive = self.rates.iter().map(|rate| rate.max(0.0));
        let signed = self.signed.iter().zip(self.rates.iter().copied()).map(add).collect();
        (signed, self.strong.iter().zip(positive).map(add).collect())
    }

    fn evaluate(&mut self, epoch: &Epoch, state: usize) {
        let policy = &epoch.policy;
        let from = if self.horizon.is_some() { 0 } else { state };
        if self.known.as_ref().is_some_and(|(known, at)| known == policy && *at == from) {
            return;
        }
        let found = match self.horizon {
            Some(horizon) => Some(episode(self.model, policy, horizon)),
            None => evaluate(self.model, policy, &[(state, 1.0)])
                .ok()
                .map(|found| std::iter::once(found.value.reward).chain(found.value.costs).collect()),
        };
        // A chain that the arithmetic does not resolve has no value: nothing is claimed of the sums from there on.
        let values: Vec<f64> = found.unwrap_or_else(|| vec![f64::NAN; self.rates.len()]);
        self.rates[0] = self.optimum.map_or(0.0, |optimum| optimum - values[0]);
        for (i, budget) in self.model.budgets().iter().enumerate() {
            self.rates[i + 1] = if budget.is_finite() { values[i + 1] - budget } else { 0.0 };
        }
        self.known = Some((Arc::clone(policy), from));
    }
}

/// J(x) of every signal in a model of stages, by one pass from the first stage to the last: states that the policy never
/// reaches and actions that it never takes cost nothing.
fn episode(model: &Cmdp, policy: &Policy, horizon: usize) -> Vec<f64> {
    let (states, signals) = (model.states(), model.signals());
    let (mut law, mut sums) = (vec![0.0; states], vec![0.0; signals.count()]);
    model.start().iter().for_each(|&(state, weight)| law[state] += weight);
    for state in 0..states {
        let is_last = state >= states - states / horizon;
        if law[state] == 0.0 {
            continue;
        }
        for pair in model.pairs_of(state) {
            let mass = law[state] * policy.probabilities()[pair];
            if mass > 0.0 {
                sums.iter_mut().enumerate().for_each(|(k, sum)| *sum += mass * signals.signal(k)[pair]);
                if !is_last {
                    model.kernel().row(pair).iter().for_each(|(next, p)| law[next] += mass * p);
                }
            }
        }
    }
    sums.iter().map(|sum| sum / horizon as f64).collect()
}

impl Observer for ValueObserver<'_> {
    fn planned(&mut self, planned: &Planned) {
        self.evaluate(planned.epoch, planned.state);
    }

    fn walked(&mut self, walked: &Walked) {
        (self.signed, self.strong) = self.sums(walked.steps);
        self.began += walked.steps;
    }

    fn recorded(&mut self, record: &Record) -> ControlFlow<()> {
        let (signed, strong) = self.sums(record.steps() - self.began);
        self.gaps.signed.iter_mut().zip(signed).for_each(|(column, sum)| column.push(sum));
        self.gaps.strong.iter_mut().zip(strong).for_each(|(column, sum)| column.push(sum));
        ControlFlow::Continue(())
    }
}
