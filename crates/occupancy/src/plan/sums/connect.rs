//! Loops that a mixture pays for but never comes to: whether a policy can go there at no loss.
//!
//! At the prices of the answer a loop in the mixture pays exactly nothing, and so does any way there by pairs that are as good as
//! the best ones. If there is such a way, a little of the policy that takes it joins the mixture, the other shares make up for
//! it, and the same value is attained; otherwise the loop would have to be entered ever more rarely.

use super::search::{Column, Found};
use super::stationary::{Pairs, Stationary};
use crate::error::Result;
use crate::plan::mixture::master::{Master, Points};

/// Pairs that lose less than this, as a share of the values' size, are as good as the best ones.
const TIED: f64 = 1e-9;

/// The shares of the new policy that are tried, the largest first.
const SHARES: [f64; 4] = [0.1, 1e-2, 1e-3, 1e-4];

/// Brings a policy into the mixture that goes to the loop, if that costs nothing; whether it did.
pub(super) fn connect(
    stationary: &mut Stationary,
    found: &mut Found<Pairs>,
    weights: &[f64],
    loop_states: &[u32],
) -> Result<bool> {
    let Some(policy) = stationary.tied_policy_to(loop_states, weights, TIED)? else { return Ok(false) };
    let column = stationary.column_of(policy)?;
    let model = stationary.model;
    let constrained: Vec<usize> = (0..model.costs()).filter(|&i| model.budgets()[i].is_finite()).collect();
    let sizes: Vec<f64> = (0..model.signals().count())
        .map(|k| found.mixture.iter().map(|(_, column)| column.gains[k].abs()).fold(1e-12, f64::max))
        .collect();
    let before: f64 = found.mixture.iter().map(|(weight, column)| weight * column.gains[0]).sum();
    for share in SHARES {
        // The others keep 1 − share of the weight, and the budgets that the new policy leaves them.
        let left = |i: usize| (model.budgets()[i] - share * column.gains[i + 1]) / (1.0 - share);
        let mut points = Points::default();
        points.reset(constrained.len(), found.mixture.len());
        for (_, other) in &found.mixture {
            let reward = other.gains[0] / sizes[0];
            let over = |i: &usize| {
                (other.gains[i + 1] - if other.is_loop() { 0.0 } else { left(*i) }) / sizes[i + 1]
            };
            if other.is_loop() {
                points.push_ray(reward, constrained.iter().map(over));
            } else {
                points.push(reward, constrained.iter().map(over));
            }
        }
        let mut master = Master::default();
        let solved = master.least_violation(&points, 0.0).and_then(|()| master.best(&points, 1e-14));
        let value = share * column.gains[0] + (1.0 - share) * master.mixed.value * sizes[0];
        let uses_loops = master.mixed.weights.iter().any(|&(k, _)| found.mixture[k].1.is_loop());
        if solved.is_some() && uses_loops && value >= before - TIED * sizes[0] {
            let shares: Vec<(usize, f64)> = master.mixed.weights.clone();
            let mut mixture: Vec<(f64, Column<Pairs>)> = shares
                .into_iter()
                .map(|(k, weight)| ((1.0 - share) * weight, found.mixture[k].1.clone()))
                .collect();
            mixture.push((share, column));
            found.mixture = mixture;
            return Ok(true);
        }
    }
    Ok(false)
}
