//! Witnesses: the vectors that prove an answer, and what follows from them.

use super::harmonic::{Harmonic, Refuted, Rows, Side};
use super::sums::{PolicyValues, PricedValue, SignalValue, SumQuestion, Values};
use crate::arithmetic::Interval;
use crate::model::{Cmdp, Criterion, Origin, Policy};
use serde::{Deserialize, Serialize};

/// The vectors that prove an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Witness {
    /// No policy within the budgets earns more, and these policies earn and cost what is said.
    Optimal {
        /// Bounds the optimum.
        upper: PricedWitness,
        /// Bounds what each policy of the answer attains.
        policies: Vec<PolicyWitness>,
    },
    /// No policy is within the budgets.
    Infeasible {
        /// y ≥ 0, one for each cost.
        weights: Vec<f64>,
        /// Subharmonic for Σ y_i c_i over all pairs.
        #[serde(flatten)]
        proof: Harmonic,
        /// Bounds what the closest policies attain.
        #[serde(default)]
        policies: Vec<PolicyWitness>,
    },
    /// No policy within the budgets has a greater sum, and these policies have what is said.
    OptimalSum {
        /// Bounds the optimum.
        upper: PricedValue,
        /// What each policy of the answer is worth.
        policies: Vec<PolicyValues>,
    },
    /// No policy's sums are within the budgets.
    InfeasibleSum {
        /// y ≥ 0, one for each cost.
        weights: Vec<f64>,
        /// What no policy's Σ y_i c_i stays below.
        value: Values,
        /// What the closest policies are worth.
        policies: Vec<PolicyValues>,
    },
}

/// A superharmonic pair for r − λ·c over all pairs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PricedWitness {
    /// λ ≥ 0, one for each cost.
    pub prices: Vec<f64>,
    /// g and h.
    #[serde(flatten)]
    pub proof: Harmonic,
}

/// Bounds what a policy attains: the reward first, then the costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyWitness {
    /// The state that the policy is counted from, if the answer is not tied to a start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<usize>,
    /// One for each signal.
    pub signals: Vec<SignalWitness>,
}

/// Bounds a signal under a policy: the reward from below, a cost from above.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SignalWitness {
    /// g and h: subharmonic for the reward, superharmonic for a cost.
    #[serde(flatten)]
    pub proof: Harmonic,
    /// The same from the other side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opposite: Option<Harmonic>,
}

/// What a witness proves.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// J(r) of the answer's policies, drawn with their weights.
    pub gain: Interval,
    /// J(c_i) of the answer's policies.
    pub costs: Vec<Interval>,
    /// What no policy within the budgets exceeds; −∞ if there is none.
    pub optimum: f64,
    /// By how much every policy exceeds the weighted budgets at least: positive if none is within them.
    pub excess: Option<f64>,
}

/// Proves what a witness says about policies, each with its weight.
pub fn prove(
    model: &Cmdp,
    criterion: &Criterion,
    origin: Origin,
    policies: &[(f64, &Policy)],
    witness: &Witness,
) -> Result<Proof, Refuted> {
    let of_averages = matches!(witness, Witness::Optimal { .. } | Witness::Infeasible { .. });
    if of_averages != criterion.is_average() {
        return Err(Refuted::Question {
            why: format!("the witness is not about the criterion {}", criterion.name()),
        });
    }
    let stages = criterion.stages();
    let (ranges, optimum, excess) = match witness {
        Witness::Optimal { upper, policies: attained } => {
            (ranges(model, origin, policies, attained)?, upper.bound(model, origin)?, None)
        }
        Witness::Infeasible { weights, proof, policies: attained } => {
            let excess = excess(model, origin, weights, proof)?;
            (ranges(model, origin, policies, attained)?, without_policies(excess), Some(excess))
        }
        Witness::OptimalSum { upper, policies: attained } => {
            let question = SumQuestion::new(model, criterion, origin)?;
            let budgets = priced_budgets(model, "prices", &upper.prices)?;
            let bound = question.bound_above(&upper.value, |pair| priced(model, 1.0, &upper.prices, pair))?;
            let optimum = (budgets + Interval::exact(bound)).high;
            (sum_ranges(&question, model, stages, policies, attained)?, optimum, None)
        }
        Witness::InfeasibleSum { weights, value, policies: attained } => {
            let question = SumQuestion::new(model, criterion, origin)?;
            let budgets = priced_budgets(model, "weights", weights)?;
            // Σ y c is at least v if −Σ y c is at most −v.
            let bound = question.bound_above(&value.negated(), |pair| priced(model, 0.0, weights, pair))?;
            let excess = (Interval::exact(-bound) - budgets).low;
            (
                sum_ranges(&question, model, stages, policies, attained)?,
                without_policies(excess),
                Some(excess),
            )
        }
    };
    let (gain, costs) = (ranges[0], ranges[1..].to_vec());
    Ok(Proof { gain, costs, optimum, excess })
}

/// What no policy within the budgets exceeds, if every policy exceeds the budgets by so much.
fn without_policies(excess: f64) -> f64 {
    if excess > 0.0 { f64::NEG_INFINITY } else { f64::INFINITY }
}

/// `reward`·r − λ·c of a pair.
pub(crate) fn priced(model: &Cmdp, reward: f64, prices: &[f64], pair: usize) -> Interval {
    let signals = model.signals();
    let costs = prices.iter().enumerate().filter(|(_, price)| **price > 0.0);
    let costs: Interval = costs.map(|(i, &price)| Interval::exact(signals.cost(i)[pair]).times(price)).sum();
    Interval::exact(if reward == 0.0 { 0.0 } else { signals.reward()[pair] }) - costs
}

/// What the policies of a sum attain together, for every signal.
fn sum_ranges(
    question: &SumQuestion,
    model: &Cmdp,
    stages: usize,
    policies: &[(f64, &Policy)],
    attained: &[PolicyValues],
) -> Result<Vec<Interval>, Refuted> {
    let ([(_, policy)], [values]) = (policies, attained) else {
        let (found, expected) = (attained.len().max(policies.len()), 1);
        return Err(Refuted::Length { what: "the list of policies", found, expected });
    };
    check_distributions(model, policy, stages)?;
    let (found, expected) = (values.signals.len(), model.signals().count());
    if found != expected {
        return Err(Refuted::Length { what: "the list of signals", found, expected });
    }
    let range = |(k, signal): (usize, &SignalValue)| {
        question.range(policy, k, &signal.value, values.steps.as_deref())
    };
    values.signals.iter().enumerate().map(range).collect()
}

impl PricedWitness {
    /// λ·τ + g, if the pair is superharmonic for r − λ·c over all pairs: what no policy within the budgets exceeds.
    pub fn bound(&self, model: &Cmdp, origin: Origin) -> Result<f64, Refuted> {
        priced_budgets(model, "prices", &self.prices)?;
        self.proof.check(model, Rows::All, Side::Above, |pair| priced(model, 1.0, &self.prices, pair))?;
        self.value(model, origin)
    }

    /// λ·τ + g, whether it bounds anything or not.
    pub fn value(&self, model: &Cmdp, origin: Origin) -> Result<f64, Refuted> {
        let budgets = priced_budgets(model, "prices", &self.prices)?;
        Ok((budgets + Interval::exact(self.proof.bound(model, origin, Side::Above)?)).high)
    }
}

/// g − Σ y_i τ_i, if the pair is subharmonic for Σ y_i c_i over all pairs.
fn excess(model: &Cmdp, origin: Origin, weights: &[f64], proof: &Harmonic) -> Result<f64, Refuted> {
    let budgets = priced_budgets(model, "weights", weights)?;
    let weighted = |pair: usize| -> Interval {
        let costs = weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0);
        costs.map(|(i, &weight)| Interval::exact(model.signals().cost(i)[pair]).times(weight)).sum()
    };
    proof.check(model, Rows::All, Side::Below, weighted)?;
    Ok((Interval::exact(proof.bound(model, origin, Side::Below)?) - budgets).low)
}

/// Σ λ_i τ_i for prices that are not negative, and 0 for costs without a budget.
fn priced_budgets(model: &Cmdp, what: &'static str, prices: &[f64]) -> Result<Interval, Refuted> {
    if prices.len() != model.costs() {
        return Err(Refuted::Length { what, found: prices.len(), expected: model.costs() });
    }
    let usable = |(price, budget): (&f64, &f64)| {
        *price == 0.0 || *price > 0.0 && price.is_finite() && budget.is_finite()
    };
    if let Some(i) = (0..prices.len()).find(|&i| !usable((&prices[i], &model.budgets()[i]))) {
        return Err(Refuted::Number { what, value: prices[i] });
    }
    let priced = prices.iter().zip(model.budgets()).filter(|(price, _)| **price > 0.0);
    Ok(priced.map(|(&price, &budget)| Interval::exact(budget).times(price)).sum())
}

/// What the policies attain together, for every signal: each counted with its weight, divided by their exact sum.
fn ranges(
    model: &Cmdp,
    origin: Origin,
    policies: &[(f64, &Policy)],
    attained: &[PolicyWitness],
) -> Result<Vec<Interval>, Refuted> {
    if attained.len() != policies.len() {
        return Err(Refuted::Length {
            what: "the list of policies",
            found: attained.len(),
            expected: policies.len(),
        });
    }
    let mut sums = vec![Interval::ZERO; model.signals().count()];
    for ((weight, policy), witness) in policies.iter().zip(attained) {
        check_distributions(model, policy, 1)?;
        if !(*weight > 0.0 && weight.is_finite()) {
            return Err(Refuted::Number { what: "a policy's weight", value: *weight });
        }
        let origin = match (origin, witness.from) {
            (Origin::Anywhere, Some(state)) => Origin::State(state),
            (Origin::Anywhere, None) => {
                return Err(Refuted::Number { what: "the state of a policy", value: f64::NAN });
            }
            (origin, _) => origin,
        };
        let (found, expected) = (witness.signals.len(), sums.len());
        if found != expected {
            return Err(Refuted::Length { what: "the list of signals", found, expected });
        }
        for (k, (sum, signal)) in sums.iter_mut().zip(&witness.signals).enumerate() {
            let range = signal.range(model, origin, policy, k)?;
            *sum = *sum + if policies.len() == 1 { range } else { range.times(*weight) };
        }
    }
    if policies.len() > 1 {
        let whole: Interval = policies.iter().map(|(weight, _)| Interval::exact(*weight)).sum();
        sums.iter_mut().for_each(|sum| *sum = sum.over(whole));
    }
    Ok(sums)
}

/// Every row of a policy must have a weight for each pair at every stage, none negative and one positive.
fn check_distributions(model: &Cmdp, policy: &Policy, stages: usize) -> Result<(), Refuted> {
    let (found, expected) = (policy.probabilities().len(), model.pairs() * stages);
    if found != expected || policy.stages() != stages {
        return Err(Refuted::Length { what: "a policy", found, expected });
    }
    for table in policy.probabilities().chunks_exact(model.pairs()) {
        for state in 0..model.states() {
            let row = &table[model.pairs_of(state)];
            let sum: f64 = row.iter().sum();
            if row.iter().any(|p| p.is_nan() || *p < 0.0) || sum.is_infinite() || sum <= 0.0 {
                return Err(Refuted::Number { what: "the sum of a policy's row", value: sum });
            }
        }
    }
    Ok(())
}

impl SignalWitness {
    /// What the signal `k` averages to under a policy.
    pub fn range(
        &self,
        model: &Cmdp,
        origin: Origin,
        policy: &Policy,
        k: usize,
    ) -> Result<Interval, Refuted> {
        let (side, other) = if k == 0 { (Side::Below, Side::Above) } else { (Side::Above, Side::Below) };
        let mut range = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
        for (proof, side) in
            std::iter::once((&self.proof, side)).chain(self.opposite.as_ref().map(|proof| (proof, other)))
        {
            let signal = |pair: usize| Interval::exact(model.signals().signal(k)[pair]);
            proof.check(model, Rows::Of(policy), side, signal)?;
            let bound = proof.bound(model, origin, side)?;
            match side {
                Side::Above => range.high = bound,
                Side::Below => range.low = bound,
            }
        }
        Ok(range)
    }
}
