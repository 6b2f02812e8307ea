//! Rows and signals of a model that is being built, in the very arrays that the model will own.
//!
//! Every row is checked, sorted, merged and divided by its sum when it arrives. For a million states with four actions
//! of four successors each, vectors for each row took 1.4 GB and 5 s or more; one arena takes 0.3 GB and 1 s.

use super::cmdp::in_range;
use super::support::Support;
use super::{Kernel, Signals};
use std::sync::Arc;

/// How far a distribution's sum may be from 1 before it is refused; within it, it is divided by its sum.
pub(crate) const SUM_TOLERANCE: f64 = 1e-9;
/// How far it may be if rows are to be normalised: 0.33 three times is off by 0.01, six probabilities of two digits each
/// by 0.03 at most. A row that lacks more has probably lost a successor.
pub const ROUNDED_SUMS: f64 = 0.05;

/// What can be wrong with a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fault {
    /// It has another number of costs than there are budgets.
    Costs { found: usize, expected: usize },
    /// It has another number of probabilities than there are states.
    Length { found: usize, expected: usize },
    /// It leads to this state, which does not exist.
    Successor(usize),
    /// It gives this state a number that is no probability.
    Probability(usize, f64),
    /// This signal has an outcome of this value, which cannot be computed with.
    Signal(usize, f64),
    /// It sums to this.
    Sum(f64),
    /// There are more transitions than an index holds.
    TooMany,
}

/// Rows P(·∣s,a) with their signals, in the order of their arrival.
pub(super) struct Rows {
    states: usize,
    /// How far the sum of a row may be from 1.
    pub tolerance: f64,
    support: Support,
    probability: Vec<f64>,
    /// Per signal: one value for each row.
    means: Vec<Vec<f64>>,
    /// Per signal: one value for each transition, once a row has come whose values differ.
    realised: Vec<Option<Vec<f64>>>,
    /// The outcomes of the row that is being added: successor, probability, place among those given.
    outcomes: Vec<(u32, f64, usize)>,
    /// A signal of that row: one value for each of its transitions.
    values: Vec<f64>,
}

impl Rows {
    /// No rows yet.
    pub fn new(states: usize, signals: usize) -> Rows {
        Rows {
            states,
            tolerance: SUM_TOLERANCE,
            support: Support::new(),
            probability: Vec::new(),
            means: vec![Vec::new(); signals],
            realised: vec![None; signals],
            outcomes: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Adds a row; `signal(k, outcome)` is the signal k of an outcome, `costs` how many costs it has. A row with a fault
    /// is left out.
    pub fn push(
        &mut self,
        successors: impl Iterator<Item = (usize, f64)>,
        costs: usize,
        signal: impl Fn(usize, usize) -> f64,
    ) -> Result<(), Fault> {
        let expected = self.means.len() - 1;
        if costs != expected {
            return Err(Fault::Costs { found: costs, expected });
        }
        let sum = self.collect(successors)?;
        if self.support.transitions() + self.outcomes.len() > Support::MOST {
            return Err(Fault::TooMany);
        }
        // Of every outcome: one of hardly any probability does not show in the mean.
        for k in 0..=expected {
            let mut values = self.outcomes.iter().map(|&(_, _, outcome)| signal(k, outcome));
            if let Some(value) = values.find(|&value| !in_range(value)) {
                return Err(Fault::Signal(k, value));
            }
        }
        let start = self.probability.len();
        for same in self.outcomes.chunk_by(|a, b| a.0 == b.0) {
            self.support.push(same[0].0);
            self.probability.push(same.iter().map(|&(_, p, _)| p).sum::<f64>() / sum);
        }
        for k in 0..self.means.len() {
            self.push_signal(k, start, |outcome| signal(k, outcome));
        }
        self.support.end_pair();
        Ok(())
    }

    /// Adds a row with one probability for each state and signals that do not depend on the successor: with the same bits as
    /// [`Rows::push`], without its sorting and merging. 1024 rows of 256 states took 5.5 ms by that, and take 0.9 ms here.
    pub fn push_dense(&mut self, row: &[f64], reward: f64, costs: &[f64]) -> Result<(), Fault> {
        let expected = self.means.len() - 1;
        if costs.len() != expected {
            return Err(Fault::Costs { found: costs.len(), expected });
        }
        if row.len() != self.states {
            return Err(Fault::Length { found: row.len(), expected: self.states });
        }
        let mut sum = 0.0;
        for (successor, &p) in row.iter().enumerate() {
            if !(0.0..=1.0 + self.tolerance).contains(&p) {
                return Err(Fault::Probability(successor, p));
            }
            sum += p;
        }
        if (sum - 1.0).abs() > self.tolerance {
            return Err(Fault::Sum(sum));
        }
        let signals = || std::iter::once(reward).chain(costs.iter().copied());
        if let Some((k, value)) = signals().enumerate().find(|&(_, value)| !in_range(value)) {
            return Err(Fault::Signal(k, value));
        }
        if self.support.transitions() + row.len() > Support::MOST {
            return Err(Fault::TooMany);
        }
        for (successor, &p) in row.iter().enumerate().filter(|&(_, &p)| p > 0.0) {
            self.support.push(successor as u32);
            self.probability.push(p / sum);
        }
        self.support.end_pair();
        for (k, value) in signals().enumerate() {
            self.means[k].push(value);
            if let Some(realised) = &mut self.realised[k] {
                realised.resize(self.probability.len(), value);
            }
        }
        Ok(())
    }

    /// Checks the outcomes of a row and sorts those that can happen by successor; returns the sum of all.
    fn collect(&mut self, successors: impl Iterator<Item = (usize, f64)>) -> Result<f64, Fault> {
        self.outcomes.clear();
        let mut sum = 0.0;
        for (outcome, (successor, p)) in successors.enumerate() {
            if successor >= self.states {
                return Err(Fault::Successor(successor));
            }
            if !(0.0..=1.0 + self.tolerance).contains(&p) {
                return Err(Fault::Probability(successor, p));
            }
            sum += p;
            if p > 0.0 {
                self.outcomes.push((successor as u32, p, outcome));
            }
        }
        if (sum - 1.0).abs() > self.tolerance {
            return Err(Fault::Sum(sum));
        }
        self.outcomes.sort_by_key(|&(successor, _, _)| successor);
        Ok(sum)
    }

    /// Adds a signal of the row whose transitions begin at `start`.
    fn push_signal(&mut self, k: usize, start: usize, value: impl Fn(usize) -> f64) {
        self.values.clear();
        let same_successor = self.outcomes.chunk_by(|a, b| a.0 == b.0);
        self.values.extend(same_successor.map(|same| average(same, &value)));
        let values = &self.values;
        let constant = values.windows(2).all(|pair| pair[0] == pair[1]);
        if !constant && self.realised[k].is_none() {
            self.realised[k] = Some(spread(&self.support, &self.means[k]));
        }
        if let Some(realised) = &mut self.realised[k] {
            realised.extend_from_slice(values);
        }
        let expected = || self.probability[start..].iter().zip(values).map(|(p, x)| p * x).sum();
        self.means[k].push(if constant { values[0] } else { expected() });
    }

    /// The rows in another order: row `i` becomes what row `order[i]` was.
    pub fn reordered(&self, order: &[u32]) -> Rows {
        let pick = |of_rows: &Vec<f64>| order.iter().map(|&row| of_rows[row as usize]).collect();
        let gather = |of_transitions: &Vec<f64>| -> Vec<f64> {
            let values = order.iter().map(|&row| &of_transitions[self.support.entries(row as usize)]);
            values.flatten().copied().collect()
        };
        let mut support = Support::new();
        for &row in order {
            let entries = self.support.entries(row as usize);
            self.support.successors(entries).iter().for_each(|&successor| support.push(successor));
            support.end_pair();
        }
        Rows {
            support,
            probability: gather(&self.probability),
            means: self.means.iter().map(pick).collect(),
            realised: self.realised.iter().map(|values| values.as_ref().map(gather)).collect(),
            ..Rows::new(self.states, 0)
        }
    }

    /// There are so many states, and successor `i` becomes state `numbers[i]`: with the bits of rows that came so.
    pub fn finish_states(&mut self, states: usize, numbers: Option<&[u32]>) {
        self.states = states;
        let Some(numbers) = numbers else { return };
        let mut moved: Vec<(u32, usize)> = Vec::new();
        for row in 0..self.support.pairs() {
            let entries = self.support.entries(row);
            moved.clear();
            moved.extend(
                self.support.successors(entries.clone()).iter().map(|&next| numbers[next as usize]).zip(0..),
            );
            if moved.is_sorted() {
                self.support.renumber(entries, &moved);
                continue;
            }
            moved.sort_unstable();
            self.support.renumber(entries.clone(), &moved);
            permute(&mut self.probability[entries.clone()], &moved, &mut self.values);
            for k in 0..self.means.len() {
                let Some(realised) = &mut self.realised[k] else { continue };
                permute(&mut realised[entries.clone()], &moved, &mut self.values);
                let values = &realised[entries.clone()];
                // The mean of values that differ is a sum in the order of the successors.
                if values.windows(2).any(|two| two[0] != two[1]) {
                    let products = self.probability[entries.clone()].iter().zip(values).map(|(p, x)| p * x);
                    self.means[k][row] = products.sum();
                }
            }
        }
    }

    /// The rows as a kernel and its signals.
    pub fn finish(mut self) -> (Kernel, Signals) {
        self.support.shrink_to_fit();
        self.probability.shrink_to_fit();
        self.means.iter_mut().for_each(Vec::shrink_to_fit);
        self.realised.iter_mut().flatten().for_each(Vec::shrink_to_fit);
        let support = Arc::new(self.support);
        let signals = Signals::of_transitions(self.means, self.realised, (&support, self.states));
        (Kernel::from_sparse(self.states, support, self.probability), signals)
    }
}

/// The mean of a signal over outcomes with the same successor.
fn average(same: &[(u32, f64, usize)], value: impl Fn(usize) -> f64) -> f64 {
    let first = value(same[0].2);
    if same.iter().all(|&(_, _, outcome)| value(outcome) == first) {
        return first;
    }
    let mass: f64 = same.iter().map(|&(_, p, _)| p).sum();
    same.iter().map(|&(_, p, outcome)| p * value(outcome)).sum::<f64>() / mass
}

/// Values in another order: the value `i` becomes what value `order[i].1` was.
fn permute(values: &mut [f64], order: &[(u32, usize)], before: &mut Vec<f64>) {
    before.clear();
    before.extend_from_slice(values);
    values.iter_mut().zip(order).for_each(|(value, &(_, place))| *value = before[place]);
}

/// One value for each transition from one for each row.
fn spread(support: &Support, of_rows: &[f64]) -> Vec<f64> {
    let mut values = Vec::with_capacity(support.transitions());
    for (row, &value) in of_rows.iter().enumerate() {
        values.resize(support.entries(row).end, value);
    }
    values
}
