//! The constrained MDP as plain data: max J(r) subject to J(c_i) ≤ τ_i.
//!
//! Pairs are flat: state `s` owns the pairs `first_pair[s] .. first_pair[s + 1]`, so action sets may differ by state
//! and every table over pairs is one vector. Everything is checked once, by [`CmdpBuilder::build`]; a [`Cmdp`] that
//! exists is consistent.

use super::layered::Stages;
use super::rows::SUM_TOLERANCE;
use super::support::Support;
use super::{Kernel, Names, Signals};
use crate::error::{Error, Result, RowProblem};
use std::ops::Range;
use std::sync::Arc;

/// A finite constrained MDP with a start distribution.
#[derive(Clone, Debug)]
pub struct Cmdp {
    pub(super) first_pair: Vec<usize>,
    pub(super) kernel: Kernel,
    pub(super) signals: Signals,
    pub(super) budgets: Vec<f64>,
    pub(super) start: Vec<(usize, f64)>,
    pub(super) names: Names,
    pub(super) stages: Option<Arc<Stages>>,
}

impl Cmdp {
    /// How many states there are.
    pub fn states(&self) -> usize {
        self.first_pair.len() - 1
    }

    /// How many pairs (state, action) there are.
    pub fn pairs(&self) -> usize {
        self.first_pair[self.states()]
    }

    /// How many costs there are (m).
    pub fn costs(&self) -> usize {
        self.budgets.len()
    }

    /// The pairs of a state.
    #[inline]
    pub fn pairs_of(&self, state: usize) -> Range<usize> {
        self.first_pair[state]..self.first_pair[state + 1]
    }

    /// The state that a pair belongs to.
    pub fn state_of(&self, pair: usize) -> usize {
        self.first_pair.partition_point(|&first| first <= pair) - 1
    }

    /// The transitions P(s′∣s,a).
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// Rewards and costs of the pairs.
    pub fn signals(&self) -> &Signals {
        &self.signals
    }

    /// The budgets τ_i; infinite where a cost is not constrained.
    pub fn budgets(&self) -> &[f64] {
        &self.budgets
    }

    /// The start distribution, as states with positive probability.
    pub fn start(&self) -> &[(usize, f64)] {
        &self.start
    }

    /// Names of states, actions and costs.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The name of a pair's action.
    pub fn action_name(&self, pair: usize) -> String {
        self.names.action(pair, pair - self.first_pair[self.state_of(pair)])
    }

    /// The names of a state's actions, in the order of its pairs.
    pub fn action_names(&self, state: usize) -> impl Iterator<Item = String> + '_ {
        self.pairs_of(state).enumerate().map(|(index, pair)| self.names.action(pair, index))
    }

    /// The same model with other budgets.
    pub fn with_budgets(mut self, budgets: &[f64]) -> Result<Cmdp> {
        if budgets.len() != self.costs() {
            return Err(Error::BudgetCount { found: budgets.len(), expected: self.costs() });
        }
        for (i, &value) in budgets.iter().enumerate() {
            check_budget(&self.names.cost(i), value)?;
        }
        self.budgets.copy_from_slice(budgets);
        Ok(self)
    }

    /// The same model with −c_i in the place of c_i, and −τ_i in that of a finite τ_i: J(c_i) ≥ x is J(−c_i) ≤ −x.
    /// The names remember it.
    pub fn with_negated_cost(mut self, i: usize) -> Result<Cmdp> {
        self.check_cost(i)?;
        self.signals.negate(i + 1);
        if self.budgets[i].is_finite() {
            self.budgets[i] = 0.0 - self.budgets[i];
        }
        match self.names.negated.iter().position(|&other| other == i) {
            Some(place) => drop(self.names.negated.remove(place)),
            None => self.names.negated.push(i),
        }
        Ok(self)
    }

    /// Refuses what is not the index of a cost.
    pub(crate) fn check_cost(&self, cost: usize) -> Result<()> {
        let expected = "the index of one of the model's costs";
        if cost < self.costs() {
            Ok(())
        } else {
            Err(Error::Option { option: "cost", value: cost.to_string(), expected })
        }
    }

    /// The same transitions with other signals per pair and other budgets: `costs[i]` has one value per pair.
    ///
    /// This is how a second question is asked of a model: the least cost, the least cost of the best reward, a
    /// frontier.
    pub fn with_signals(&self, reward: Vec<f64>, costs: Vec<Vec<f64>>, budgets: &[f64]) -> Result<Cmdp> {
        if budgets.len() != costs.len() {
            return Err(Error::BudgetCount { found: budgets.len(), expected: costs.len() });
        }
        for table in std::iter::once(&reward).chain(&costs) {
            if table.len() != self.pairs() {
                let (found, expected) = (table.len(), self.pairs());
                return Err(Error::TableLength { what: "a signal's table", found, expected });
            }
        }
        let model = Cmdp {
            first_pair: self.first_pair.clone(),
            kernel: self.kernel.clone(),
            signals: Signals::of_pairs(reward, costs),
            budgets: budgets.to_vec(),
            start: self.start.clone(),
            names: Names { costs: None, negated: Vec::new(), ..self.names.clone() },
            stages: self.stages.clone(),
        };
        for pair in 0..model.pairs() {
            model.check_signals(pair)?;
        }
        for (i, &value) in budgets.iter().enumerate() {
            check_budget(&model.names.cost(i), value)?;
        }
        Ok(model)
    }

    /// Rewrites every row, without allocating after the second time: `draw(pair, row)` fills in one weight per state,
    /// which are then divided by their sum. This is how a learner draws a kernel from its posterior. A row that is none is an
    /// error, and the model stays as it was.
    pub fn resample(&mut self, mut draw: impl FnMut(usize, &mut [f64])) -> Result<()> {
        let (states, pairs) = (self.states(), self.pairs());
        let (first_pair, names) = (&self.first_pair, &self.names);
        self.kernel.replace(pairs, |all| {
            for (pair, row) in all.chunks_exact_mut(states).enumerate() {
                draw(pair, row);
                let sum: f64 = row.iter().sum();
                if !(sum > 0.0 && sum.is_finite() && row.iter().all(|&p| p >= 0.0)) {
                    let state = first_pair.partition_point(|&first| first <= pair) - 1;
                    let action = names.action(pair, pair - first_pair[state]);
                    let (state, problem) =
                        (names.state(state), RowProblem::Sum { sum, within: SUM_TOLERANCE });
                    return Err(Error::Row { state, action, problem });
                }
                let scale = 1.0 / sum;
                row.iter_mut().for_each(|p| *p *= scale);
            }
            Ok(())
        })
    }

    /// Replaces all rows by sparse ones: `write(pair, row)` appends successors in ascending order with positive weights,
    /// which are then divided by their sum. This is how a learner writes down what it has counted.
    pub fn rewrite_rows(&mut self, mut write: impl FnMut(usize, &mut Vec<(usize, f64)>)) -> Result<()> {
        let (mut support, mut probability, mut row) = (Support::new(), Vec::new(), Vec::new());
        for pair in 0..self.pairs() {
            row.clear();
            write(pair, &mut row);
            let sum: f64 = row.iter().map(|&(_, weight)| weight).sum();
            let ordered = row.windows(2).all(|two| two[0].0 < two[1].0);
            let known = row.last().is_some_and(|&(last, _)| last < self.states());
            let positive = row.iter().all(|&(_, weight)| weight > 0.0);
            if !(sum.is_finite() && positive && ordered && known) {
                let state = self.names.state(self.state_of(pair));
                let (action, problem) =
                    (self.action_name(pair), RowProblem::Sum { sum, within: SUM_TOLERANCE });
                return Err(Error::Row { state, action, problem });
            }
            for &(next, weight) in &row {
                support.push(next as u32);
                probability.push(weight / sum);
            }
            support.end_pair();
        }
        self.kernel = Kernel::from_sparse(self.states(), Arc::new(support), probability);
        Ok(())
    }

    /// The same from one state.
    #[cfg(feature = "learn")]
    pub(crate) fn start_in(&mut self, state: usize) {
        self.start.clear();
        self.start.push((state, 1.0));
    }

    /// Replaces the row of one pair by a distribution, to which `write` fills an entry for each state; all rows become dense.
    #[cfg(feature = "learn")]
    pub(crate) fn rewrite_row(&mut self, pair: usize, write: impl FnOnce(&mut [f64])) {
        self.kernel.replace_row(pair, write);
    }

    /// Gives one pair a new mean of signal `k`, in the manner of [`Cmdp::rewrite_signal`].
    #[cfg(feature = "learn")]
    pub(crate) fn rewrite_signal_of(&mut self, k: usize, pair: usize, value: f64) -> Result<()> {
        if !in_range(value) {
            return Err(self.bad_signal(k, pair, value));
        }
        self.signals.rewrite_one(k, pair, value);
        Ok(())
    }

    /// Gives every pair a new mean of signal `k` (0 is the reward, i + 1 the cost i). A number that is none is an error, and
    /// the model stays as it was.
    pub fn rewrite_signal(&mut self, k: usize, value: impl FnMut(usize) -> f64) -> Result<()> {
        if k > self.costs() {
            let expected = "0 for the reward, or 1 + the index of one of the model's costs";
            return Err(Error::Option { option: "signal", value: k.to_string(), expected });
        }
        let values: Vec<f64> = (0..self.pairs()).map(value).collect();
        if let Some(pair) = values.iter().position(|&value| !in_range(value)) {
            return Err(self.bad_signal(k, pair, values[pair]));
        }
        self.signals.rewrite(k, values);
        Ok(())
    }

    pub(super) fn check_signals(&self, pair: usize) -> Result<()> {
        for k in 0..=self.costs() {
            let value = self.signals.signal(k)[pair];
            if !in_range(value) {
                return Err(self.bad_signal(k, pair, value));
            }
        }
        Ok(())
    }

    fn bad_signal(&self, k: usize, pair: usize, value: f64) -> Error {
        let (state, action) = (self.names.state(self.state_of(pair)), self.action_name(pair));
        Error::Signal { signal: self.names.signal(k), state, action, value }
    }
}

/// Whether a reward or cost can be computed with.
pub(super) fn in_range(value: f64) -> bool {
    value.abs() <= 1e100
}

/// No cost is below -1e100, so that a budget below it is a mistake; and its distance from a cost could overflow.
pub(super) fn check_budget(cost: &str, value: f64) -> Result<()> {
    if value.is_nan() || value < -1e100 {
        return Err(Error::Budget { cost: cost.to_string(), value });
    }
    Ok(())
}
