//! The posterior of the transitions: p(·∣s,a) ~ Dir(prior weights combined with N(s,a,·)), drawn for every pair.

use super::dirichlet::{draw_dense, draw_process, draw_sparse};
use super::prior::{Prior, PriorRows};
use crate::error::Result;
use crate::learn::{Counts, Knowledge};
use crate::model::{Cmdp, Task};
use crate::seed::Rng;

/// Draws models from what was counted.
#[derive(Clone, Debug)]
pub enum Posterior {
    /// Dir(α + N).
    Add(f64),
    /// Dir(max(N, x)).
    Floor(f64),
    /// Dir(w + N), where most weights may be 0.
    Own(PriorRows),
    /// Dir(N, α), where the last share is that of all states together.
    Process(f64),
}

impl Posterior {
    /// The posterior of a prior, with the weights that the prior's file or the possible successors give.
    pub fn new(prior: &Prior, task: &Task, knowledge: &Knowledge) -> Result<Posterior> {
        Ok(match (prior.rows(task, knowledge)?, prior) {
            (Some(rows), _) => Posterior::Own(rows),
            (None, Prior::Floor(least)) => Posterior::Floor(*least),
            (None, Prior::Add(weight) | Prior::Known(weight)) => Posterior::Add(*weight),
            (None, Prior::Sparse(weight)) => Posterior::Process(*weight),
            (None, Prior::File(_)) => Posterior::Add(1.0),
        })
    }

    /// Draws every row of `model`.
    pub fn draw(&self, counts: &Counts, model: &mut Cmdp, rng: &mut Rng) -> Result<()> {
        match self {
            Posterior::Add(weight) => model.resample(|pair, row| {
                draw_dense(row, *weight, counts.transitions(pair).map(|(s, n)| (s, weight + n as f64)), rng);
            }),
            Posterior::Floor(least) => model.resample(|pair, row| {
                draw_dense(row, *least, counts.transitions(pair).map(|(s, n)| (s, least.max(n as f64))), rng);
            }),
            Posterior::Own(rows) => {
                let mut weights = Vec::new();
                model.rewrite_rows(|pair, row| {
                    combine(&rows[pair], counts.transitions(pair), &mut weights);
                    draw_sparse(row, &weights, rng);
                })
            }
            Posterior::Process(weight) => {
                let states = model.states();
                model.rewrite_rows(|pair, row| {
                    draw_process(row, counts.transitions(pair), *weight, states, rng);
                })
            }
        }
    }
}

/// Weights and counts of a row added up, successors ascending.
fn combine(
    prior: &[(usize, f64)],
    seen: impl Iterator<Item = (usize, u64)>,
    weights: &mut Vec<(usize, f64)>,
) {
    weights.clear();
    weights.extend_from_slice(prior);
    for (successor, count) in seen {
        match weights.binary_search_by_key(&successor, |&(successor, _)| successor) {
            Ok(place) => weights[place].1 += count as f64,
            Err(place) => weights.insert(place, (successor, count as f64)),
        }
    }
}
