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

use crate::error::{Error, Result};
use crate::model::{Cmdp, Row};

/// How far the rows of a kernel may be from those of a model.
#[derive(Clone, Copy, Debug)]
pub enum KernelSet<'a> {
    /// b(s,a,s′) for every pair and state; for all stages, or one table after the other.
    Box(&'a [f64]),
    /// b(s,a) for every pair; for all stages, or one table after the other.
    L1(&'a [f64]),
}

impl<'a> KernelSet<'a> {
    fn radii(&self) -> &'a [f64] {
        match self {
            KernelSet::Box(radii) | KernelSet::L1(radii) => radii,
        }
    }

    /// Refuses radii that do not fit an episode, or are no sizes.
    pub(crate) fn check(&self, model: &Cmdp, horizon: usize) -> Result<()> {
        let width = self.width(model);
        let (found, expected) = (self.radii().len(), model.pairs() * width);
        if found != expected && found != expected * horizon {
            return Err(Error::TableLength { what: "the radii", found, expected });
        }
        match self.radii().iter().position(|radius| radius.is_nan() || *radius < 0.0) {
            Some(at) => {
                let pair = at / width % model.pairs();
                let state = model.names().state(model.state_of(pair));
                Err(Error::Radius { state, action: model.action_name(pair), value: self.radii()[at] })
            }
            None => Ok(()),
        }
    }

    /// How many radii a pair has.
    fn width(&self, model: &Cmdp) -> usize {
        match self {
            KernelSet::Box(_) => model.states(),
            KernelSet::L1(_) => 1,
        }
    }
}

/// The set, and the order of the states at every stage by what follows.
pub(crate) struct Favourable<'a> {
    set: KernelSet<'a>,
    states: usize,
    /// The states of every stage by descending v_{h+1}.
    orders: Vec<u32>,
    /// One row of the model, if it stores them sparse.
    dense: Vec<f64>,
}

impl<'a> Favourable<'a> {
    pub fn new(set: KernelSet<'a>, states: usize, horizon: usize) -> Favourable<'a> {
        Favourable { set, states, orders: vec![0; states * horizon], dense: vec![0.0; states] }
    }

    /// The radii of a pair at a stage.
    fn radii_of(set: KernelSet<'a>, model: &Cmdp, stage: usize, pair: usize) -> &'a [f64] {
        let (width, radii) = (set.width(model), set.radii());
        let table = model.pairs() * width;
        let first = if radii.len() > table { stage * table } else { 0 };
        &radii[first + pair * width..first + (pair + 1) * width]
    }

    /// max p·v over the set of every pair, into `out`.
    pub fn look_ahead(&mut self, model: &Cmdp, stage: usize, value: &[f64], out: &mut [f64]) {
        let order = &mut self.orders[stage * self.states..(stage + 1) * self.states];
        order.iter_mut().enumerate().for_each(|(i, state)| *state = i as u32);
        order.sort_by(|&a, &b| value[b as usize].total_cmp(&value[a as usize]));
        for (pair, out) in out.iter_mut().enumerate() {
            let radii = Self::radii_of(self.set, model, stage, pair);
            let row = dense_row(model, pair, &mut self.dense);
            *out = match self.set {
                KernelSet::Box(_) => box_value(row, radii, value, order),
                KernelSet::L1(_) => {
                    let mut sum = row.iter().zip(value).map(|(p, v)| p * v).sum::<f64>();
                    shift_mass(row, radii[0], order, |state, moved| sum += moved * value[state]);
                    sum
                }
            };
            undo(model, pair, &mut self.dense);
        }
    }

    /// The row that was best for a pair at a stage: `visit(state, probability)`, some states possibly twice.
    pub fn row(&mut self, model: &Cmdp, stage: usize, pair: usize, mut visit: impl FnMut(usize, f64)) {
        let order = &self.orders[stage * self.states..(stage + 1) * self.states];
        let radii = Self::radii_of(self.set, model, stage, pair);
        let row = dense_row(model, pair, &mut self.dense);
        match self.set {
            KernelSet::Box(_) => {
                let mut left = 1.0;
                for (state, (p, radius)) in row.iter().zip(radii).enumerate() {
                    let low = (p - radius).max(0.0);
                    left -= low;
                    visit(state, low);
                }
                fill(row, radii, order, left, visit);
            }
            KernelSet::L1(_) => {
                row.iter().enumerate().for_each(|(state, &p)| visit(state, p));
                shift_mass(row, radii[0], order, visit);
            }
        }
        undo(model, pair, &mut self.dense);
    }
}

/// The row of a pair with an entry for every state.
fn dense_row<'b>(model: &'b Cmdp, pair: usize, scratch: &'b mut [f64]) -> &'b [f64] {
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

/// max p·v over the box.
fn box_value(row: &[f64], radii: &[f64], value: &[f64], order: &[u32]) -> f64 {
    let (mut low_mass, mut sum) = (0.0, 0.0);
    for ((p, radius), v) in row.iter().zip(radii).zip(value) {
        let low = (p - radius).max(0.0);
        low_mass += low;
        sum += low * v;
    }
    fill(row, radii, order, 1.0 - low_mass, |state, extra| sum += extra * value[state]);
    sum
}

/// Gives what is left of the mass to the states in order, as far as their radii go.
#[inline]
fn fill(row: &[f64], radii: &[f64], order: &[u32], mut left: f64, mut visit: impl FnMut(usize, f64)) {
    for &state in order {
        if left <= 0.0 {
            return;
        }
        let (p, radius) = (row[state as usize], radii[state as usize]);
        let room = (p + radius).min(1.0) - (p - radius).max(0.0);
        let extra = room.min(left);
        left -= extra;
        visit(state as usize, extra);
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
    fn a_box_gives_what_is_free_to_the_best_states() {
        let (row, value, order) = ([0.5, 0.3, 0.2], [1.0, 3.0, 2.0], [1, 2, 0]);
        // Lower ends 0.4, 0.2, 0.1; of the 0.3 left, 0.2 fit into the best state and 0.1 into the next.
        let found = box_value(&row, &[0.1; 3], &value, &order);
        assert!((found - (0.4 + 3.0 * 0.4 + 2.0 * 0.2)).abs() < 1e-15, "{found}");
        assert_eq!(box_value(&row, &[1.0; 3], &value, &order), 3.0);
        assert!((box_value(&row, &[0.0; 3], &value, &order) - 1.8).abs() < 1e-15);
    }

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
