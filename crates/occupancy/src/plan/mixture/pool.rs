//! The policies that a search over prices has evaluated, and the mixtures of them.
//!
//! All vectors stay from plan to plan: a learner plans thousands of times on models of one shape.

use super::master::{Master, Points};
use crate::model::{Cmdp, Signals};
use crate::plan::response::Responder;
use crate::plan::response::column::Column;

/// One budget that can bind: J(c_i) ≤ τ_i, measured in units of the largest |c_i|.
pub(crate) struct Constraint {
    pub signal: usize,
    pub budget: f64,
    pub scale: f64,
}

/// The budgets that can bind, and the units of all signals.
#[derive(Default)]
pub(crate) struct Terms {
    pub constraints: Vec<Constraint>,
    pub reward_scale: f64,
    /// The weights ω of the signals set last.
    pub weights: Vec<f64>,
}

impl Terms {
    fn reset(&mut self, model: &Cmdp) {
        let binding = |&i: &usize| model.budgets()[i] < model.signals().range(i + 1).1;
        let constraint = |i: usize| Constraint {
            signal: i + 1,
            budget: model.budgets()[i],
            scale: model.signals().size(i + 1).max(1e-12),
        };
        self.constraints.clear();
        self.constraints.extend((0..model.costs()).filter(binding).map(constraint));
        let size = model.signals().size(0);
        self.reward_scale = if size > 0.0 { size } else { 1.0 };
        self.weights.clear();
        self.weights.resize(model.signals().count(), 0.0);
    }

    /// Sets the weights ω of the signals at prices per unit of the scaled costs.
    pub fn weigh(&mut self, reward: f64, prices: impl Iterator<Item = f64>) {
        self.weights.fill(0.0);
        self.weights[0] = reward / self.reward_scale;
        for (constraint, price) in self.constraints.iter().zip(prices) {
            self.weights[constraint.signal] = -price / constraint.scale;
        }
    }
}

/// For how many policies there is room without growing.
const ROOM: usize = 64;

/// Policies and the points that they are.
#[derive(Default)]
pub(crate) struct Pool {
    pub terms: Terms,
    pub columns: Vec<Column>,
    points: Points,
    pub master: Master,
    /// The prices of the least upper bound so far, per unit of the scaled costs.
    pub best_prices: Vec<f64>,
}

impl Pool {
    /// An empty pool for the budgets of a model.
    pub fn reset(&mut self, model: &Cmdp) {
        self.terms.reset(model);
        self.columns.clear();
        self.columns.reserve(ROOM);
        self.points.reset(self.terms.constraints.len(), ROOM);
        self.master.reset();
        self.best_prices.clear();
    }

    /// (J(c_i) − τ_i) / scale_i.
    pub fn violation(&self, column: &Column, i: usize) -> f64 {
        let constraint = &self.terms.constraints[i];
        (column.gains[constraint.signal] - constraint.budget) / constraint.scale
    }

    /// The mixture whose greatest violation is least, into `master.mixed`; `None` if the numbers are lost.
    pub fn least_violation(&mut self, floor: f64) -> Option<()> {
        self.master.least_violation(&self.points, floor)
    }

    /// The mixture of greatest reward within the budgets widened by `slack`, into `master.mixed`.
    pub fn best(&mut self, slack: f64) -> Option<()> {
        self.master.best(&self.points, slack)
    }

    /// Sets the weights ω to the prices of the last mixture.
    pub fn weigh(&mut self, reward: f64) {
        self.terms.weigh(reward, self.master.mixed.prices.iter().copied());
    }

    /// Whether the pool has a point at the same place, so that only rounding makes another one look better.
    fn is_known(&self, signals: &Signals, column: &Column) -> bool {
        let same = |other: &Column| {
            let both = other.gains.iter().zip(&column.gains);
            both.enumerate().all(|(k, (x, y))| (x - y).abs() <= 4.0 * f64::EPSILON * signals.size(k))
        };
        self.columns.iter().any(same)
    }

    /// Takes a policy into the pool, with the point that it is.
    pub fn add(&mut self, column: Column) {
        let Terms { constraints, reward_scale, .. } = &self.terms;
        let violations = constraints.iter().map(|c| (column.gains[c.signal] - c.budget) / c.scale);
        self.points.push(column.gains[0] / reward_scale, violations);
        self.columns.push(column);
    }

    /// Takes a policy into the pool if it is a new one, or gives it back.
    pub fn add_if_new(&mut self, signals: &Signals, column: Column, responder: &mut Responder) -> bool {
        let new = !self.is_known(signals, &column);
        if new {
            self.add(column)
        } else {
            responder.reuse(std::iter::once(column))
        }
        new
    }

    /// The policies of the last mixture and their weights.
    pub fn mixture(&mut self, into: &mut Vec<(f64, Column)>) {
        let weights = &self.master.mixed.weights;
        let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
        into.extend(
            weights.iter().map(|&(k, weight)| (weight / total, std::mem::take(&mut self.columns[k]))),
        );
    }

    /// Gives all columns back that no mixture has taken.
    pub fn clear(&mut self, responder: &mut Responder) {
        responder.reuse(self.columns.drain(..).filter(|column| !column.gains.is_empty()));
    }
}

#[cfg(test)]
mod tests;
