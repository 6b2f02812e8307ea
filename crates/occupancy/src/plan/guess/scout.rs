//! Finds policies near the best mixture before anything is factored, on models where all states follow all pairs.
//!
//! Two sweeps correct what is known of the last model's policies, or nothing at all:
//!
//! ```text
//! h_k ← x_k + P_π h_k   (less its value in the first state)          μ ← μ P_π
//! ```
//!
//! and [`Forecast`] finds the best mixture that they foresee. On kernels drawn from a posterior, chains forget in a few
//! steps: on eight draws of 121 states, two rounds left a policy that differed from the best one in two states at most; a
//! sweep of biases and law reads as many numbers as the chain has, where a factorisation takes S³ / 3 operations. After
//! another model, the first round does without a mixture: the best policy at its prices and for its biases takes one
//! product with all rows instead of one for every signal, and no program.
//!
//! The policies are then evaluated exactly. Where they turn out not to mix within the budgets as foreseen, they are
//! forecast again from the exact evaluation, which also serves chains that forget slowly.

use super::forecast::Forecast;
use crate::arithmetic::dense::{products, push};
use crate::error::Result;
use crate::model::Cmdp;
use crate::plan::mixture::pool::Pool;
use crate::plan::response::column::Column;
use crate::plan::response::evaluation::{Evaluated, most_visited};
use crate::plan::response::region::Chosen;
use crate::plan::response::{Inner, Responder, Scope};

/// Rounds of sweeps, and of forecasts from exact evaluations.
const ROUNDS: usize = 6;
const EXACT_ROUNDS: usize = 4;

/// Sweeps between two forecasts.
const SWEEPS: usize = 2;

/// A policy that changes in no more states than this from one forecast to the next is worth a factorisation.
const NEAR: usize = 8;

/// Buffers of the forecasts.
#[derive(Default)]
pub(crate) struct Scout {
    forecast: Forecast,
    before: Chosen,
    swept: Vec<f64>,
}

impl Scout {
    /// Whether there is something to look for: budgets to be met, in a model where every policy has a law everywhere.
    /// Value iteration is there to check policy iteration, and gets no help.
    pub fn can_see(&self, responder: &Responder, scope: &Scope, pool: &Pool) -> bool {
        let is_worth_it = responder.inner == Inner::PolicyIteration && !pool.terms.constraints.is_empty();
        is_worth_it && scope.choices.always_unichain() && !scope.is_large()
    }

    /// Fills the pool with policies near the best mixture, exactly evaluated.
    pub fn fill_pool(
        &mut self,
        responder: &mut Responder,
        scope: &mut Scope,
        pool: &mut Pool,
        last: &[(f64, Column)],
    ) -> Result<()> {
        let model = scope.choices.model;
        responder.evaluated.resize_with(1, Evaluated::default);
        self.forecast.start_from(model, last);
        self.sweep_rounds(model, pool, &mut responder.evaluated[0]);
        for _ in 0..EXACT_ROUNDS {
            self.forecast.near_ties(model, &mut responder.iteration.evaluator.likely);
            pool.terms.weigh(1.0, std::iter::empty());
            self.evaluate(responder, scope, pool)?;
            if pool.columns.is_empty() {
                break;
            }
            let met = pool.least_violation(0.0).is_some() && pool.master.mixed.value <= 0.0;
            let as_foreseen = met && pool.best(0.0).is_some() && {
                pool.master.mixed.weights.len() >= self.forecast.mixture().count()
            };
            let evaluated = &responder.evaluated[0];
            if as_foreseen {
                break;
            }
            self.forecast.look_at_all(model);
            if self.forecast.solve(model, &mut pool.terms, evaluated).is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Takes the policies of the forecast mixture into the pool; the search goes on from the last one, whose biases alone
    /// are found.
    fn evaluate(&self, responder: &mut Responder, scope: &mut Scope, pool: &mut Pool) -> Result<()> {
        let mut policies = self.forecast.mixture().peekable();
        while let Some(policy) = policies.next() {
            let weights = &pool.terms.weights;
            let column = match policies.peek() {
                Some(_) => responder.attain(scope, weights, policy)?,
                None => responder.evaluate_first(scope, weights, Some(policy))?,
            };
            pool.add_if_new(scope.choices.model.signals(), column, responder);
        }
        Ok(())
    }

    /// Forecasts and sweeps by turns, until the policy hardly changes.
    fn sweep_rounds(&mut self, model: &Cmdp, pool: &mut Pool, evaluated: &mut Evaluated) {
        let (states, signals) = (model.states(), model.signals().count());
        evaluated.biases.resize_with(signals, Vec::new);
        let known = evaluated.law.len() == states && evaluated.biases.iter().all(|bias| bias.len() == states);
        if !known {
            evaluated.law.clear();
            evaluated.law.resize(states, 1.0 / states as f64);
            evaluated.biases.iter_mut().for_each(|bias| {
                bias.clear();
                bias.resize(states, 0.0);
            });
        }
        self.before.pair.clear();
        if known && self.forecast.at_last_prices(model, &mut pool.terms, &evaluated.biases, &mut self.before)
        {
            for _ in 0..SWEEPS {
                self.sweep_biases(model, evaluated);
                self.sweep_law(model, evaluated);
            }
        } else {
            self.forecast.look_at_all(model);
        }
        for _ in 0..ROUNDS {
            if self.forecast.solve(model, &mut pool.terms, evaluated).is_none() {
                break;
            }
            let main = self.forecast.main();
            let kept = main.pair.iter().zip(&self.before.pair).filter(|(a, b)| a == b).count();
            self.before.clone_from(main);
            if kept + NEAR >= states {
                break;
            }
            // The forecast has made the first sweep of the biases already.
            self.forecast.sweep(&self.before, &mut evaluated.biases);
            self.sweep_law(model, evaluated);
            for _ in 1..SWEEPS {
                self.sweep_biases(model, evaluated);
                self.sweep_law(model, evaluated);
            }
        }
        evaluated.reference = most_visited(&evaluated.law).unwrap_or(0) as u32;
    }

    fn sweep_biases(&mut self, model: &Cmdp, evaluated: &mut Evaluated) {
        let (states, pairs, biases) = (model.states(), &self.before.pair, &mut evaluated.biases);
        self.swept.resize(states * biases.len(), 0.0);
        products(model.kernel().dense().unwrap_or(&[]), Some(pairs), biases, &mut self.swept);
        for ((k, bias), swept) in biases.iter_mut().enumerate().zip(self.swept.chunks_exact(states)) {
            let signal = model.signals().signal(k);
            let next = |(&pair, onward): (&u32, &f64)| signal[pair as usize] + onward;
            let first = next((&pairs[0], &swept[0]));
            bias.iter_mut().zip(pairs.iter().zip(swept)).for_each(|(h, from)| *h = next(from) - first);
        }
    }

    fn sweep_law(&mut self, model: &Cmdp, evaluated: &mut Evaluated) {
        self.swept.resize(model.states(), 0.0);
        let all = model.kernel().dense().unwrap_or(&[]);
        push(all, &self.before.pair, &evaluated.law, &mut self.swept);
        let total: f64 = self.swept.iter().sum();
        evaluated.law.iter_mut().zip(&self.swept).for_each(|(share, mass)| *share = mass / total);
    }
}
