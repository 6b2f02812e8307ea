//! Episodes from Rust: models that differ by stage, and optimism over sets of kernels.

use super::answer;
use super::episodes::{Episodes, Layers};
use super::favourable::{Favourable, KernelSet};
use super::search::{Responder, search};
use crate::error::{Error, Result};
use crate::model::{Policy, Value};
use crate::plan::{OffSupport, Verdict};
use crate::stop::StopFlag;
use std::ops::ControlFlow;

/// Plans episodes whose model may depend on the stage; keeps the prices of the last plan as a first guess.
///
/// ```
/// use occupancy::model::text;
/// use occupancy::plan::{EpisodePlanner, KernelSet, Layers, OffSupport, Verdict};
/// let model = text::parse("state A\n  stay reward 1 -> A\n  go -> B\nstate B\n  stay reward 3 -> B").unwrap();
/// let mut planner = EpisodePlanner::new(OffSupport::Pinned);
/// let Verdict::Optimal(plan) = planner.plan(Layers::same(&model, 2), None).unwrap() else { panic!() };
/// assert_eq!(plan.value.reward, 3.0);
/// // Staying in A might lead to B as well, with probability 3/4 at most.
/// let set = KernelSet::Box(&[0.75; 6]);
/// let Verdict::Optimal(plan) = planner.plan(Layers::same(&model, 2), Some(set)).unwrap() else { panic!() };
/// assert_eq!(plan.value.reward, 1.0 + 0.25 * 1.0 + 0.75 * 3.0);
/// ```
#[derive(Debug)]
pub struct EpisodePlanner {
    off_support: OffSupport,
    prices: Vec<f64>,
}

impl EpisodePlanner {
    /// Policies act by `off_support` in states that the plan never visits.
    pub fn new(off_support: OffSupport) -> EpisodePlanner {
        EpisodePlanner { off_support, prices: Vec::new() }
    }

    /// The best policy for the reward less the costs at their prices, whatever the budgets, and what it comes to: by backward
    /// induction, the first of equal actions. With a set of kernels it is the best for the most favourable one, and the value is
    /// that of this kernel.
    pub fn respond(
        &mut self,
        layers: Layers,
        set: Option<KernelSet>,
        prices: &[f64],
    ) -> Result<(Policy, Value)> {
        let (model, horizon) = (layers.first(), layers.horizon());
        if prices.len() != model.costs() {
            let (found, expected) = (prices.len(), model.costs());
            return Err(Error::TableLength { what: "the prices", found, expected });
        }
        if let Some(set) = &set {
            set.check(model, horizon)?;
        }
        self.respond_unchecked(layers, set, prices)
    }

    /// The same for prices and radii that are known to fit: looking at all radii takes a tenth of a response.
    pub(crate) fn respond_unchecked(
        &mut self,
        layers: Layers,
        set: Option<KernelSet>,
        prices: &[f64],
    ) -> Result<(Policy, Value)> {
        let (model, horizon) = (layers.first(), layers.horizon());
        let favourable = set.map(|set| Favourable::new(set, layers));
        let mut episodes = Episodes::new(layers, favourable, model.start(), StopFlag::default())?;
        let weights: Vec<f64> = std::iter::once(1.0).chain(prices.iter().map(|price| -price)).collect();
        let gains = episodes.respond(&weights)?.column.gains;
        let value = Value { reward: gains[0], costs: gains[1..].to_vec(), errors: vec![0.0; gains.len()] };
        let mut probabilities = vec![0.0; model.pairs() * horizon];
        for (stage, table) in probabilities.chunks_exact_mut(model.pairs()).enumerate() {
            (0..model.states()).for_each(|state| table[episodes.pair(stage, state)] = 1.0);
        }
        Ok((Policy::unchecked(probabilities, horizon), value))
    }

    /// The best policy from the start of the first stage's model, within its budgets; with a set of kernels, for the most
    /// favourable one of it, whose values and occupancy the plan then has.
    pub fn plan(&mut self, layers: Layers, set: Option<KernelSet>) -> Result<Verdict> {
        let (model, horizon) = (layers.first(), layers.horizon());
        if let Some(set) = &set {
            set.check(model, horizon)?;
        }
        let favourable = set.map(|set| Favourable::new(set, layers));
        let mut episodes = Episodes::new(layers, favourable, model.start(), StopFlag::default())?;
        let found = search(&mut episodes, model, &self.prices, &mut |_| ControlFlow::Continue(()))?;
        self.prices.clone_from(&found.first_prices);
        answer::of_episodes(&mut episodes, found, self.off_support)
    }
}
