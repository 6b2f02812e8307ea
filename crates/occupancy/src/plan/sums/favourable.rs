//! Optimism over an episode: at every stage and pair, the row of a set that is best for what follows.
//!
//! ```text
//! box   { p : |p(s′) − P(s′∣s,a)| ≤ b_h(s,a,s′) for all s′ ,  Σ p = 1 ,  p ≥ 0 }
//! L1    { p : Σ |p(s′) − P(s′∣s,a)| ≤ b_h(s,a) ,  Σ p = 1 ,  p ≥ 0 }
//! ```
//!
//! Over the first, max p·v is a fractional knapsack: begin at the lower ends, give what is left to the states of greatest v.
//! Over the second, half of the radius goes to the best state, from the worst ones upwards. One sort of the states serves all
//! pairs of a stage. Together with the search over prices this is the extended linear program in q_h(s,a,s′) of the
//! literature, of H S² A variables, none of which is written down.

use super::boxes::Boxes;
use super::episodes::Layers;
use crate::error::{Error, Result};
use crate::model::{Cmdp, Row};
use std::borrow::Cow;

/// How far the rows of a kernel may be from those of a model.
#[derive(Clone, Copy, Debug)]
pub enum KernelSet<'a> {
    /// b(s,a,s′) for every pair and state; for all stages, or one table after the other.
    Box(&'a [f64]),
    /// The same, prepared for many plans between which few rows change.
    Boxes(&'a Boxes),
    /// b(s,a) for every pair; for all stages, or one table after the other.
    L1(&'a [f64]),
}

impl<'a> KernelSet<'a> {
    /// Refuses radii that do not fit an episode, or are no sizes.
    pub(crate) fn check(&self, model: &Cmdp, horizon: usize) -> Result<()> {
        let (radii, width) = match self {
            KernelSet::Box(radii) => (*radii, model.states()),
            KernelSet::Boxes(boxes) if boxes.shape() == (model.states(), model.pairs()) => {
                (boxes.radii(), model.states())
            }
            KernelSet::Boxes(boxes) => (boxes.radii(), usize::MAX),
            KernelSet::L1(radii) => (*radii, 1),
        };
        let (found, expected) = (radii.len(), model.pairs().saturating_mul(width));
        if found != expected && Some(found) != expected.checked_mul(horizon) {
            return Err(Error::TableLength { what: "the radii", found, expected });
        }
        match radii.iter().position(|radius| radius.is_nan() || *radius < 0.0) {
            Some(at) => {
                let pair = at / width % model.pairs();
                let state = model.names().state(model.state_of(pair));
                Err(Error::Radius { state, action: model.action_name(pair), value: radii[at] })
            }
            None => Ok(()),
        }
    }
}

/// The set, and the order of the states at every stage by what follows.
pub(crate) struct Favourable<'a> {
    set: Set<'a>,
    states: usize,
    /// The states of every stage by descending v_{h+1}.
    orders: Vec<u32>,
    /// One row of the model, if it stores them sparse.
    dense: Vec<f64>,
    /// What is left of every pair's mass at a stage.
    left: Vec<f64>,
}

/// Boxes as they are read, or the radii of balls.
enum Set<'a> {
    Boxes(Cow<'a, Boxes>),
    L1(&'a [f64]),
}

impl<'a> Favourable<'a> {
    pub fn new(set: KernelSet<'a>, layers: Layers) -> Favourable<'a> {
        let (states, horizon) = (layers.first().states(), layers.horizon());
        let set = match set {
            KernelSet::Box(radii) => Set::Boxes(Cow::Owned(Boxes::of(layers, radii))),
            KernelSet::Boxes(boxes) => Set::Boxes(Cow::Borrowed(boxes)),
            KernelSet::L1(radii) => Set::L1(radii),
        };
        let orders = (0..horizon).flat_map(|_| 0..states as u32).collect();
        Favourable { set, states, orders, dense: vec![0.0; states], left: Vec::new() }
    }

    /// max p·v over the set of every pair, into `out`.
    pub fn look_ahead(&mut self, model: &Cmdp, stage: usize, value: &[f64], out: &mut [f64]) {
        let order = &mut self.orders[stage * self.states..(stage + 1) * self.states];
        order.sort_unstable_by(|&a, &b| value[b as usize].total_cmp(&value[a as usize]).then(a.cmp(&b)));
        let radii = match &self.set {
            Set::Boxes(boxes) => return boxes.look_ahead(stage, value, order, &mut self.left, out),
            Set::L1(radii) => *radii,
        };
        for (pair, out) in out.iter_mut().enumerate() {
            let row = dense_row(model, pair, &mut self.dense);
            let mut sum = row.iter().zip(value).map(|(p, v)| p * v).sum::<f64>();
            shift_mass(row, radius(radii, model, stage, pair), order, |state, moved| {
                sum += moved * value[state];
            });
            *out = sum;
            undo(model, pair, &mut self.dense);
        }
    }

    /// The row that was best for a pair at a stage: `visit(state, probability)`, some states possibly twice.
    pub fn row(&mut self, model: &Cmdp, stage: usize, pair: usize, mut visit: impl FnMut(usize, f64)) {
        let order = &self.orders[stage * self.states..(stage + 1) * self.states];
        let row = dense_row(model, pair, &mut self.dense);
        match &self.set {
            Set::Boxes(boxes) => boxes.row(stage, pair, row, order, visit),
            Set::L1(radii) => {
                row.iter().enumerate().for_each(|(state, &p)| visit(state, p));
                shift_mass(row, radius(radii, model, stage, pair), order, visit);
            }
        }
        undo(model, pair, &mut self.dense);
    }
}

/// The radius of a pair's ball at a stage.
fn radius(radii: &[f64], model: &Cmdp, stage: usize, pair: usize) -> f64 {
    if radii.len() > model.pairs() { radii[stage * model.pairs() + pair] } else { radii[pair] }
}

/// The row of a pair with an entry for every state.
pub(super) fn dense_row<'b>(model: &'b Cmdp, pair: usize, scratch: &'b mut [f64]) -> &'b [f64] {
    match model.kernel().row(pair) {
        Row::Dense(row) => row,
        Row::Sparse(next, probability) => {
            next.iter().zip(probability).for_each(|(&state, &p)| scratch[state as usize] = p);
            scratch
        }
    }
}

/// Clears what [`dense_row`] wrote.
fn undo(model: &Cmdp, pair: usize, scratch: &mut [f64]) {
    if let Row::Sparse(next, _) = model.kernel().row(pair) {
        next.iter().for_each(|&state| scratch[state as usize] = 0.0);
    }
}

/// Moves half of the radius to the best state, as far as there is room, from the worst ones upwards.
#[inline]
pub(crate) fn shift_mass(row: &[f64], radius: f64, order: &[u32], mut visit: impl FnMut(usize, f64)) {
    let Some((&best, others)) = order.split_first() else { return };
    let mut left = (0.5 * radius).min(1.0 - row[best as usize]).max(0.0);
    let mut moved = 0.0;
    for &state in others.iter().rev() {
        if left <= 0.0 {
            break;
        }
        let taken = row[state as usize].min(left);
        left -= taken;
        moved += taken;
        visit(state as usize, -taken);
    }
    visit(best as usize, moved);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_moves_half_of_its_radius_from_the_worst_state_to_the_best() {
        let given = [0.5, 0.25, 0.25];
        let moved_by = |radius: f64| {
            let mut row = given;
            shift_mass(&given, radius, &[1, 2, 0], |state, moved| row[state] += moved);
            row
        };
        assert_eq!(moved_by(0.5), [0.25, 0.5, 0.25]);
        assert_eq!(moved_by(1.25), [0.0, 0.875, 0.125]);
        assert_eq!(moved_by(2.0), [0.0, 1.0, 0.0]);
    }
}
