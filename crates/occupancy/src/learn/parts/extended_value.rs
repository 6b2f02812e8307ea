//! Extended value iteration: the best policy, or the value of one, for the most favourable rows within L1 balls.
//!
//! ```text
//! u_0 = 0 ,   q_i(s,a) = x(s,a) + max over p in the ball of (s,a) of p·u_i ,   u_{i+1}(s) = max_a q_i(s,a)  or  Σ_a π(a∣s) q_i(s,a)
//! until span(u_{i+1} − u_i) ≤ accuracy
//! ```
//!
//! Half of a radius moves from the states of least u to the one of greatest u; one sort of the states serves all pairs (Jaksch,
//! Ortner and Auer 2010). A pair that was never visited may lead anywhere. All balls of a learner have some radius, so that the
//! iteration does not swing for ever; should it need more than a million sweeps, the last one counts.

use crate::error::Result;
use crate::learn::{Counts, check_table};
use crate::model::{Policy, Task};
use crate::plan::shift_mass;

/// More sweeps than any chain of a few hundred states took.
const MOST_SWEEPS: usize = 1_000_000;

/// The balls around what was counted.
#[derive(Clone, Debug)]
pub struct Balls {
    states: usize,
    /// The first pair of every state, and the number of pairs.
    first_pair: Vec<usize>,
    /// p̄(·∣s,a), one row after the other; 0 where nothing was seen.
    rows: Vec<f64>,
    /// The radius of every pair; infinite where nothing was seen.
    radii: Vec<f64>,
}

/// What the iteration ended with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extended {
    /// u_{i+1}.
    pub value: Vec<f64>,
    /// q_i(s,a).
    pub action_values: Vec<f64>,
    /// The sweeps it took.
    pub sweeps: usize,
}

impl Balls {
    /// Nothing counted yet.
    pub fn new(learner: &'static str, task: &Task) -> Result<Balls> {
        check_table(learner, task.states(), task.pairs())?;
        let first_pair = (0..task.states()).map(|state| task.pairs_of(state).start).chain([task.pairs()]);
        Ok(Balls {
            states: task.states(),
            first_pair: first_pair.collect(),
            rows: vec![0.0; task.states() * task.pairs()],
            radii: vec![f64::INFINITY; task.pairs()],
        })
    }

    /// Rows and radii √(`scale` / N) for what was counted.
    pub fn count(&mut self, counts: &Counts, scale: f64) {
        for (pair, row) in self.rows.chunks_exact_mut(self.states).enumerate() {
            let visits = counts.visits(pair);
            row.fill(0.0);
            self.radii[pair] = f64::INFINITY;
            if visits > 0 {
                counts.transitions(pair).for_each(|(next, n)| row[next] = n as f64 / visits as f64);
                self.radii[pair] = (scale / visits as f64).sqrt();
            }
        }
    }

    /// p̄(·∣s,a); 0 everywhere if the pair was never visited.
    pub fn row(&self, pair: usize) -> &[f64] {
        &self.rows[pair * self.states..(pair + 1) * self.states]
    }

    /// max p·u over the ball of a pair; `order` has the states by descending u.
    fn best(&self, pair: usize, u: &[f64], order: &[u32]) -> f64 {
        if self.radii[pair].is_infinite() {
            return u[order[0] as usize];
        }
        let row = self.row(pair);
        let mut sum: f64 = row.iter().zip(u).map(|(p, u)| p * u).sum();
        shift_mass(row, self.radii[pair], order, |state, moved| sum += moved * u[state]);
        sum
    }

    /// Iterates with the rewards `x`: for the policy, or for the best actions if none is given.
    pub fn iterate(&self, x: &[f64], policy: Option<&Policy>, accuracy: f64) -> Extended {
        let mut order: Vec<u32> = (0..self.states as u32).collect();
        let mut found = Extended { action_values: vec![0.0; x.len()], ..Extended::default() };
        let mut u = vec![0.0; self.states];
        found.value = u.clone();
        loop {
            order.sort_by(|&a, &b| u[b as usize].total_cmp(&u[a as usize]).then(a.cmp(&b)));
            for (pair, q) in found.action_values.iter_mut().enumerate() {
                *q = x[pair] + self.best(pair, &u, &order);
            }
            self.gather(policy, &mut found);
            found.sweeps += 1;
            let (least, most) =
                found.value.iter().zip(&u).fold((f64::INFINITY, f64::NEG_INFINITY), |ends, (new, old)| {
                    (ends.0.min(new - old), ends.1.max(new - old))
                });
            if most - least <= accuracy || found.sweeps >= MOST_SWEEPS {
                return found;
            }
            // What all states have in common changes no row, and would grow without end.
            let common = found.value.iter().copied().fold(f64::INFINITY, f64::min);
            u.iter_mut().zip(&found.value).for_each(|(u, new)| *u = new - common);
        }
    }

    /// u_{i+1} of q_i.
    fn gather(&self, policy: Option<&Policy>, found: &mut Extended) {
        for (state, value) in found.value.iter_mut().enumerate() {
            let pairs = self.first_pair[state]..self.first_pair[state + 1];
            let q = &found.action_values[pairs.clone()];
            *value = match policy {
                Some(policy) => q.iter().zip(&policy.probabilities()[pairs]).map(|(q, p)| q * p).sum(),
                None => q.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            };
        }
    }
}
