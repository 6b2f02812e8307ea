//! Criteria that are sums: discounted, over an episode, or until absorption.
//!
//! ```text
//! max over policies  J(r)  s.t.  J(c) ≤ τ        =        min over λ ≥ 0  λ·τ + max over policies  J(r − λ·c)
//! ```
//!
//! The search over prices is that of averages; what differs is the response to prices. Backward induction answers for
//! episodes (`episodes`), policy iteration on a chain that ends for the other two (`stationary`). Occupancies of sums
//! mix without a remainder: one policy always attains what a mixture does.

pub(crate) mod answer;
pub(crate) mod boxes;
pub(crate) mod certificate;
mod connect;
pub(crate) mod episodes;
pub(crate) mod favourable;
pub(crate) mod layered;
pub(crate) mod search;
pub(crate) mod stationary;
mod swept;
mod value_iteration;

use crate::error::{Error, Result};
use crate::model::{Cmdp, Criterion, Origin};
use crate::plan::{OffSupport, Problem, Verdict, Watch};
use crate::stop::StopFlag;
use episodes::{Episodes, Layers};
use search::search;
use stationary::Stationary;

/// Plans sums; keeps the prices of the last plan as a first guess.
#[derive(Debug, Default)]
pub(crate) struct SumPlanner {
    /// The prices of the last plan, in its units.
    prices: Vec<f64>,
    pub stop: StopFlag,
}

impl SumPlanner {
    /// The best policy for a problem whose criterion is a sum.
    pub fn plan(&mut self, problem: &Problem, off_support: OffSupport, watch: Watch) -> Result<Verdict> {
        let Problem { model, criterion, .. } = problem;
        criterion.check(model)?;
        let start = start_of(model, problem.origin)?;
        match criterion {
            Criterion::Episodes { horizon } => {
                let layers = Layers::same(model, *horizon);
                let mut episodes = Episodes::new(layers, None, &start, self.stop.clone())?;
                let found = search(&mut episodes, model, &self.prices, watch)?;
                self.prices.clone_from(&found.first_prices);
                answer::of_episodes(&mut episodes, found, off_support)
            }
            _ => {
                let mut stationary = Stationary::new(model, criterion, start, self.stop.clone())?;
                let found = search(&mut stationary, model, &self.prices, watch)?;
                self.prices.clone_from(&found.first_prices);
                answer::of_stationary(&mut stationary, found, off_support)
            }
        }
    }
}

/// The distribution that a sum is counted from.
pub(crate) fn start_of(model: &Cmdp, origin: Origin) -> Result<Vec<(usize, f64)>> {
    match origin {
        Origin::Start => Ok(model.start().to_vec()),
        Origin::State(state) if state < model.states() => Ok(vec![(state, 1.0)]),
        Origin::State(state) => Err(Error::UnknownState { state, states: model.states() }),
        Origin::Anywhere => Err(Error::Criterion {
            what: "a sum that is not tied to a start".into(),
            expected: "the model's start or one state: only long-run averages are asked for from anywhere",
        }),
    }
}
