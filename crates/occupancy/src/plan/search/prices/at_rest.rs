//! The end of a search by a policy that rests in pairs which bring the greatest reward of the model.
//!
//! Nobody earns more, whatever the prices are, so that nobody has to be asked. Where pairs that have not been visited stay where they
//! are and are hoped to be good, nearly all plans end like that: the response took a quarter of their instructions, most of it
//! for components that do not matter.

use super::{Found, Search};
use crate::plan::Ended;

impl Search<'_, '_> {
    /// The end of the search, where the only policy so far attains the greatest reward at prices of 0, `value` in its scale. Only
    /// where the policy rests everywhere: what a response finds out of the others is where the next plan begins.
    pub(super) fn at_rest(&mut self, value: f64) -> Option<Found> {
        let (_, most) = self.scope.choices.model.signals().range(0);
        let prices = &self.pool.master.mixed.prices;
        let gain = value * self.pool.terms.reward_scale;
        let is_free = self.pool.columns.len() == 1 && prices.iter().all(|&price| price == 0.0);
        if !(is_free && gain >= most && self.responder.rests()) {
            return None;
        }
        self.pool.best_prices.clone_from(prices);
        self.responder.forget_bias();
        let stopped = self.tell(Some(gain), most, 0.0).is_break();
        Some(self.found(f64::INFINITY, if stopped { Ended::Stopped } else { Ended::Proved }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Result;
    use crate::model::{Cmdp, Origin};
    use crate::plan::fixture::{Given, model};
    use crate::plan::search::prices::PriceSearch;
    use crate::plan::{OffSupport, Plan, Planner, Problem, Verdict};
    use std::ops::ControlFlow;

    /// States 0 and 1 lead to each other and may be kept, state 0 for a reward of 1 and a cost of 0, state 1 for 2 and 1; state 2
    /// leads to both.
    fn three_rooms(budget: f64) -> Cmdp {
        let pairs: &[Given] = &[
            (0, &[(0, 1.0)], 1.0, &[0.0]),
            (0, &[(1, 1.0)], 0.0, &[0.0]),
            (1, &[(0, 1.0)], 0.0, &[0.0]),
            (1, &[(1, 1.0)], 2.0, &[1.0]),
            (2, &[(0, 0.5), (1, 0.5)], 0.0, &[0.0]),
        ];
        model(3, &[budget], pairs)
    }

    /// A plan from anywhere, and how many steps the watcher was told of before it answered as it does.
    fn watched(model: &Cmdp, answer: ControlFlow<()>) -> (Result<Verdict>, usize) {
        let mut steps = 0;
        let found = PriceSearch::new(OffSupport::Pinned).plan_watched(
            &Problem::average(model).counted_from(Origin::Anywhere),
            &mut |progress| {
                steps = progress.steps;
                answer
            },
        );
        (found, steps)
    }

    fn plan(verdict: Result<Verdict>) -> Plan {
        match verdict.unwrap() {
            Verdict::Optimal(plan) => plan,
            Verdict::Infeasible(nearest) => panic!("no plan: {nearest:?}"),
        }
    }

    #[test]
    fn the_greatest_reward_within_the_budgets_ends_the_search_at_once() {
        let (verdict, steps) = watched(&three_rooms(1.5), ControlFlow::Continue(()));
        let found = plan(verdict);
        assert_eq!((found.value.reward, found.gap, found.prices, steps), (2.0, 0.0, vec![0.0], 1));
        assert_eq!((found.occupancy, found.ended), (vec![0.0, 0.0, 0.0, 1.0, 0.0], Ended::Proved));
        // All others return.
        assert_eq!(found.policies[0].policy.probabilities(), [0.0, 1.0, 0.0, 1.0, 1.0]);
    }

    #[test]
    fn a_watcher_that_breaks_off_is_heard() {
        let (verdict, steps) = watched(&three_rooms(1.5), ControlFlow::Break(()));
        let found = plan(verdict);
        assert_eq!((found.value.reward, found.gap, found.ended, steps), (2.0, 0.0, Ended::Stopped, 1));
    }

    #[test]
    fn a_budget_in_the_way_has_its_price() {
        let (verdict, steps) = watched(&three_rooms(0.5), ControlFlow::Continue(()));
        let found = plan(verdict);
        assert!((found.value.reward - 1.5).abs() <= 1e-12 && (found.prices[0] - 1.0).abs() <= 1e-12);
        assert!(steps > 1);
    }
}
