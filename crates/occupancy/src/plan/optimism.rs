//! Optimism over transitions: the best policy together with the most favourable kernel within a set.
//!
//! ```text
//! max over occupancies μ and rows p   Σ μ r    s.t.  Σ μ c_i ≤ τ_i ,   μ balanced under p ,
//!                                     |p(s′∣s,a) − P(s′∣s,a)| ≤ b(s,a)  for all s′ ,   Σ_{s′} p(s′∣s,a) = 1
//! ```
//!
//! or with Σ_{s′} |p(s′∣s,a) − P(s′∣s,a)| ≤ b(s,a) instead: a ball ([`Radii::L1`]) in the place of a box.
//!
//! The paper calls this program intractable because μ and p are multiplied in the balance. It is a linear program in
//! q(s,a,s′) = μ(s,a) p(s′∣s,a), and it is also an ordinary constrained MDP in which an action comes with the choice
//! of a vertex of its box. Pricing a vertex is a fractional knapsack, so that the price search with policy iteration
//! solves it as it solves any other model, without writing down the S²A variables.

use super::{OffSupport, PriceSearch, Verdict};
use crate::error::{Error, Result};
use crate::model::Cmdp;
use crate::model::Origin;
use crate::plan::response::choices::{Choices, Radii};
use crate::plan::response::column::Column;
use std::ops::ControlFlow;

/// Plans optimistically; keeps the last policy as a warm start.
pub struct Optimist {
    search: PriceSearch,
}

/// An optimistic plan and the kernel that it believes in.
#[derive(Clone, Debug)]
pub struct Optimism {
    /// The best occupancy over policies and kernels, not tied to a start: with positive radii every state can be
    /// reached from every other. [`super::Plan::policies`] holds the policy.
    pub verdict: Verdict,
    /// Rows of the most favourable kernel, for the pairs that are occupied: (pair, successors and probabilities).
    pub rows: Vec<(usize, Vec<(usize, f64)>)>,
}

impl Optimist {
    /// Policies act by `off_support` in states that the plan never visits.
    pub fn new(off_support: OffSupport) -> Optimist {
        Optimist { search: PriceSearch::new(off_support) }
    }

    /// The best policy for the most favourable kernel within `radii` (one per pair) of the model's, entry by entry.
    pub fn plan(&mut self, model: &Cmdp, radii: &[f64]) -> Result<Optimism> {
        self.plan_within(model, Radii::Box(radii))
    }

    /// The best policy for the most favourable kernel within a box or a ball around each of the model's rows.
    pub fn plan_within(&mut self, model: &Cmdp, set: Radii) -> Result<Optimism> {
        let radii = set.of_pairs();
        if radii.len() != model.pairs() {
            let (found, expected) = (radii.len(), model.pairs());
            return Err(Error::TableLength { what: "the radii", found, expected });
        }
        if let Some(pair) = radii.iter().position(|b| b.is_nan() || *b < 0.0) {
            let (state, action) = (model.names().state(model.state_of(pair)), model.action_name(pair));
            return Err(Error::Radius { state, action, value: radii[pair] });
        }
        let choices = Choices { model, radii: Some(set) };
        let (verdict, columns) =
            self.search.search(choices, Origin::Anywhere, &mut |_| ControlFlow::Continue(()))?;
        Ok(Optimism { verdict, rows: favourable_rows(choices, columns) })
    }
}

/// p(·∣s,a) = Σ_k w_k μ_k(s) p_k(·∣s,a) / Σ_k w_k μ_k(s), over the policies of the mixture that take the pair.
fn favourable_rows(choices: Choices, columns: &[(f64, Column)]) -> Vec<(usize, Vec<(usize, f64)>)> {
    let mut rows = Vec::new();
    for state in 0..choices.model.states() {
        for pair in choices.model.pairs_of(state) {
            let takes =
                |column: &Column| column.chosen.pair[state] as usize == pair && column.mass[state] > 0.0;
            let users: Vec<_> = columns.iter().filter(|(_, column)| takes(column)).collect();
            let total: f64 = users.iter().map(|(weight, column)| weight * column.mass[state]).sum();
            if total > 0.0 {
                let mut row = std::collections::BTreeMap::new();
                for (weight, column) in users {
                    let share = weight * column.mass[state] / total;
                    let add = |next, p| *row.entry(next).or_insert(0.0) += share * p;
                    column.chosen.successors(&choices, state, add);
                }
                rows.push((pair, row.into_iter().collect()));
            }
        }
    }
    rows
}
