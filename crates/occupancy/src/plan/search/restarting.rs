//! Discounted sums as averages, if every state can follow every pair.
//!
//! A chain that goes back to its start with probability 1 − γ after every step has the averages (1 − γ) E Σ γ^t x. That makes
//! rows dense; those that are dense already lose nothing by it, and the search over averages guesses prices and policies
//! before it solves a system: it takes a quarter of the time on 64 and 121 states.

use super::prices::PriceSearch;
use crate::error::Result;
use crate::model::{Cmdp, Criterion, Origin};
use crate::plan::response::Inner;
use crate::plan::response::choices::Choices;
use crate::plan::sums::start_of;
use crate::plan::{Problem, Progress, Verdict, Watch};

/// A discounted sum, as the average of another model.
pub(super) struct Restarting {
    model: Cmdp,
    /// 1/(1 − γ): how many steps a sum has.
    length: f64,
}

impl PriceSearch {
    /// The model to plan averages in, if that is the quicker way to a discounted sum.
    pub(super) fn restarting(&self, problem: &Problem) -> Result<Option<Restarting>> {
        let Problem { model, criterion: Criterion::Discounted { factor }, origin } = problem else {
            return Ok(None);
        };
        if !model.kernel().is_positive() || self.responder.inner != Inner::PolicyIteration {
            return Ok(None);
        }
        problem.criterion.check(model)?;
        let model = model.restarting(&start_of(model, *origin)?, *factor);
        Ok(model.map(|model| Restarting { model, length: 1.0 / (1.0 - factor) }))
    }

    /// The verdict on a discounted sum. Every policy visits all states, so that one policy attains it and it does not matter
    /// where the average is counted from.
    pub(super) fn plan_restarting(&mut self, restarting: &Restarting, watch: Watch) -> Result<Verdict> {
        let Restarting { model, length } = restarting;
        let mut watch = |progress: &Progress| {
            let gain = progress.gain.map(|gain| length * gain);
            watch(&Progress { gain, upper: length * progress.upper, ..*progress })
        };
        let choices = Choices { model, radii: None };
        let (verdict, _) = self.search(choices, Origin::Anywhere, &mut watch)?;
        Ok(in_sums(verdict, *length))
    }
}

/// A verdict on averages as one on sums of so many steps.
fn in_sums(verdict: Verdict, length: f64) -> Verdict {
    let scale = |numbers: &mut [f64]| numbers.iter_mut().for_each(|x| *x *= length);
    match verdict {
        Verdict::Optimal(mut plan) => {
            plan.value.reward *= length;
            scale(&mut plan.value.costs);
            scale(&mut plan.value.errors);
            scale(&mut plan.occupancy);
            plan.gap *= length;
            plan.classes = 0;
            Verdict::Optimal(plan)
        }
        Verdict::Infeasible(mut found) => {
            scale(&mut found.least_costs);
            scale(&mut found.occupancy);
            // Weights are for violations, which are counted in units of the sum.
            found.weights.iter_mut().for_each(|weight| *weight /= length);
            Verdict::Infeasible(found)
        }
    }
}
