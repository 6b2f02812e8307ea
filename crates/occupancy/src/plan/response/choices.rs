//! What a planner may choose from: the rows of a model, or any row within a radius of them.
//!
//! ```text
//! plain        { P(·∣s,a) }
//! box          { p : |p(s′) − P(s′∣s,a)| ≤ b(s,a) for all s′,  Σ p = 1,  p ≥ 0 }
//! L1           { p : Σ |p(s′) − P(s′∣s,a)| ≤ b(s,a),  Σ p = 1,  p ≥ 0 }
//! ```
//!
//! All answer the same question, max over rows of p·h: the first by a dot product, the second by a fractional
//! knapsack (start from the lower ends, give the remaining mass to the successors of greatest h), the third by moving half of
//! the radius from the worst successors to the best. Everything built on them, policy iteration, value iteration and the
//! price search, is written once.

use crate::model::{AllRows, Cmdp, Row};

/// How far from the rows of a model a row may be: b(s,a) of every pair.
#[derive(Clone, Copy, Debug)]
pub enum Radii<'a> {
    /// In every entry.
    Box(&'a [f64]),
    /// In the sum of all entries' distances.
    L1(&'a [f64]),
}

impl<'a> Radii<'a> {
    /// The radius of every pair.
    pub fn of_pairs(self) -> &'a [f64] {
        let (Radii::Box(radii) | Radii::L1(radii)) = self;
        radii
    }
}

/// The rows of a model, and how far from them a row may be.
#[derive(Clone, Copy)]
pub(crate) struct Choices<'a> {
    pub model: &'a Cmdp,
    /// None means 0 everywhere.
    pub radii: Option<Radii<'a>>,
}

/// The states of a component by descending h, for the knapsack.
pub(crate) type Order = Vec<u32>;

impl<'a> Choices<'a> {
    /// The radius of a pair.
    #[inline]
    pub fn radius(&self, pair: usize) -> f64 {
        self.radii.map_or(0.0, |radii| radii.of_pairs()[pair])
    }

    /// Whether a pair has more than one row to choose from.
    #[inline]
    pub fn is_free(&self, pair: usize) -> bool {
        self.radius(pair) > 0.0
    }

    /// Whether rows are lists of a few successors, and none is to be chosen.
    pub fn has_sparse_rows(&self) -> bool {
        self.radii.is_none() && self.model.kernel().dense().is_none()
    }

    /// Whether every state can follow every pair, whatever is chosen.
    pub fn connects_all(&self) -> bool {
        match self.radii {
            None => self.model.kernel().is_positive(),
            Some(radii) => radii.of_pairs().iter().all(|&b| b > 0.0),
        }
    }

    /// Whether all rows that may be chosen have all states as successors, so that every chain has one class.
    pub fn always_unichain(&self) -> bool {
        self.radii.is_none() && self.model.kernel().is_positive()
    }

    /// Calls `visit` for every state that can follow a pair.
    pub fn successors(&self, pair: usize, visit: impl FnMut(usize)) {
        self.row_successors(pair, self.model.kernel().all_rows(), visit);
    }

    /// [`Choices::successors`] where all rows are at hand.
    #[inline(always)]
    pub fn row_successors(&self, pair: usize, rows: AllRows, visit: impl FnMut(usize)) {
        if self.is_free(pair) {
            (0..self.model.states()).for_each(visit);
        } else {
            rows.visit_successors(pair, visit);
        }
    }

    /// Whether some row of a pair leads to states inside a set only; all rows are at hand.
    #[inline(always)]
    pub fn can_stay(&self, pair: usize, rows: AllRows, inside: impl Fn(usize) -> bool) -> bool {
        if self.radii.is_none() {
            rows.leads_into(pair, inside)
        } else {
            self.can_stay_freely(pair, rows.row(pair), inside)
        }
    }

    /// [`Choices::can_stay`] where rows may be chosen.
    fn can_stay_freely(&self, pair: usize, row: Row, inside: impl Fn(usize) -> bool) -> bool {
        let radius = self.radius(pair);
        if let Some(Radii::L1(_)) = self.radii {
            return row.iter().filter(|&(s, _)| !inside(s)).map(|(_, p)| p).sum::<f64>() <= 0.5 * radius;
        }
        if row.iter().any(|(state, p)| p > radius && !inside(state)) {
            return false;
        }
        if radius == 0.0 {
            return true;
        }
        // Enough room inside: Σ min(1, p + b) ≥ 1 over the states of the set.
        let near: f64 = row.iter().filter(|&(s, _)| inside(s)).map(|(_, p)| (p + radius).min(1.0)).sum();
        let named = row.iter().filter(|&(s, _)| inside(s)).count();
        let members = (0..self.model.states()).filter(|&s| inside(s)).count();
        near + (members - named) as f64 * radius.min(1.0) >= 1.0
    }

    /// Writes the pairs of a state that may lead elsewhere, all of them where rows may be chosen; how many they are.
    pub fn leaving(&self, state: usize, into: &mut [u32]) -> u32 {
        let pairs = self.model.pairs_of(state);
        if self.radii.is_some() {
            into.iter_mut().zip(pairs.clone()).for_each(|(listed, pair)| *listed = pair as u32);
            return pairs.len() as u32;
        }
        self.model.kernel().all_rows().leaving(pairs, state, into) as u32
    }

    /// How likely a pair leads to one of `count` states at most, if it is `likely` by the model's row.
    pub fn greatest_chance(&self, pair: usize, likely: f64, count: usize) -> f64 {
        let radius = self.radius(pair).min(1.0);
        match self.radii {
            Some(Radii::L1(_)) if count > 0 => likely + 0.5 * radius,
            _ => likely + radius * count as f64,
        }
    }

    /// The row of a free pair that maximises p·h among the states in `order` (descending h), and p·h.
    pub fn best_row(
        &self,
        pair: usize,
        h: &[f64],
        order: &Order,
        row: &mut Vec<(u32, f64)>,
        scratch: &mut [f64],
    ) -> f64 {
        if let Some(Radii::L1(_)) = self.radii {
            self.best_of_ball(pair, order, row, scratch);
            return row.iter().map(|&(state, p)| p * h[state as usize]).sum();
        }
        let radius = self.radius(pair);
        row.clear();
        let mut left = 1.0;
        let centre = self.model.kernel().row(pair);
        for (state, p) in centre.iter() {
            scratch[state] = p;
            left -= (p - radius).max(0.0);
        }
        for &state in order {
            let p = scratch[state as usize];
            let low = (p - radius).max(0.0);
            let extra = ((p + radius).min(1.0) - low).min(left.max(0.0));
            left -= extra;
            if low + extra > 0.0 {
                row.push((state, low + extra));
            }
            scratch[state as usize] = 0.0;
            // What is left by rounding would otherwise be a link of its own.
            if left <= 1e-14 {
                break;
            }
        }
        // The lower ends of the states that the walk did not come to.
        for (state, _) in centre.iter() {
            let p = std::mem::take(&mut scratch[state]);
            if p > radius {
                row.push((state as u32, p - radius));
            }
        }
        let total: f64 = row.iter().map(|entry| entry.1).sum();
        row.iter_mut().for_each(|entry| entry.1 /= total);
        row.iter().map(|&(state, p)| p * h[state as usize]).sum()
    }

    /// The same within an L1 ball: mass moves to the first state of `order`, from states that are not in it and then from the
    /// last ones of it.
    fn best_of_ball(&self, pair: usize, order: &Order, row: &mut Vec<(u32, f64)>, scratch: &mut [f64]) {
        row.clear();
        let centre = self.model.kernel().row(pair);
        centre.iter().for_each(|(state, p)| scratch[state] = p);
        let Some((&best, others)) = order.split_first() else { return };
        let most = (0.5 * self.radius(pair)).min(1.0 - scratch[best as usize]).max(0.0);
        let outside = (1.0 - order.iter().map(|&state| scratch[state as usize]).sum::<f64>()).max(0.0);
        let (mut left, mut moved) = (most, 0.0);
        if outside > 1e-14 {
            let kept = 1.0 - (most / outside).min(1.0);
            let is_outside = |state: &usize| !order.contains(&(*state as u32));
            let states: Vec<usize> = centre.iter().map(|(state, _)| state).filter(is_outside).collect();
            for state in states {
                moved += scratch[state] * (1.0 - kept);
                scratch[state] *= kept;
            }
            left -= moved;
        }
        for &state in others.iter().rev() {
            if left <= 1e-14 {
                break;
            }
            let taken = scratch[state as usize].min(left);
            scratch[state as usize] -= taken;
            left -= taken;
            moved += taken;
        }
        scratch[best as usize] += moved;
        let mut total = 0.0;
        for state in centre.iter().map(|(state, _)| state as u32).chain([best]) {
            let p = std::mem::take(&mut scratch[state as usize]);
            if p > 0.0 {
                row.push((state, p));
                total += p;
            }
        }
        row.iter_mut().for_each(|entry| entry.1 /= total);
    }
}

#[cfg(test)]
mod tests;
