//! A policy acts in a model, step by step: a trajectory without a learner.

use crate::model::{Cmdp, Policy};
use crate::seed::{Rng, Seed};
use rand::RngExt;

/// One step of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where it is taken.
    pub state: usize,
    /// What is done.
    pub pair: usize,
    /// Where it leads.
    pub next: usize,
}

/// An endless walk; the same seed walks the same way.
#[derive(Debug)]
pub struct Walk<'a> {
    model: &'a Cmdp,
    policy: &'a Policy,
    state: usize,
    rng: Rng,
}

impl<'a> Walk<'a> {
    /// Draws one of the policies by its weight, and a state from `start`. Without either there is no walk.
    pub fn new(
        model: &'a Cmdp,
        policies: &[(f64, &'a Policy)],
        start: &[(usize, f64)],
        seed: Seed,
    ) -> Option<Walk<'a>> {
        let mut rng = seed.rng("walk");
        let which = draw(&mut rng, policies.iter().map(|(weight, _)| *weight))?;
        let state = start.get(draw(&mut rng, start.iter().map(|(_, p)| *p))?)?.0;
        Some(Walk { model, policy: policies.get(which)?.1, state, rng })
    }
}

impl Iterator for Walk<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let (state, pairs) = (self.state, self.model.pairs_of(self.state));
        let actions = self.policy.probabilities()[pairs.clone()].iter().copied();
        let pair = pairs.start + draw(&mut self.rng, actions)?;
        let row = self.model.kernel().row(pair);
        let next = row.iter().nth(draw(&mut self.rng, row.iter().map(|(_, p)| p))?)?.0;
        self.state = next;
        Some(Step { state, pair, next })
    }
}

/// An index, drawn by weights that sum to 1 up to rounding; one of no weight is never drawn.
fn draw(rng: &mut Rng, weights: impl Iterator<Item = f64>) -> Option<usize> {
    let mut left: f64 = rng.random();
    let mut last = None;
    for (index, weight) in weights.enumerate().filter(|(_, weight)| *weight > 0.0) {
        if left < weight {
            return Some(index);
        }
        left -= weight;
        last = Some(index);
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::evaluate;
    use crate::model::text;

    #[test]
    fn a_long_walk_visits_pairs_as_often_as_the_policy_does_in_the_long_run() {
        let text = "state a\n  x -> a 0.25, b 0.75\n  y -> b\nstate b\n  x -> a 0.5, b 0.5\n";
        let model = text::parse(text).unwrap();
        let policy = Policy::new(&model, vec![0.3, 0.7, 1.0]).unwrap();
        let steps = 40_000;
        let mut counts = vec![0.0; model.pairs()];
        let walk = Walk::new(&model, &[(1.0, &policy)], model.start(), Seed(7)).unwrap();
        walk.take(steps).for_each(|step| counts[step.pair] += 1.0 / steps as f64);
        let law = evaluate(&model, &policy, model.start()).unwrap().occupancy;
        assert!(
            counts.iter().zip(&law).all(|(seen, share)| (seen - share).abs() < 0.01),
            "{counts:?} {law:?}"
        );
        let again = || Walk::new(&model, &[(1.0, &policy)], model.start(), Seed(7)).unwrap().take(100);
        assert!(again().eq(again()));
    }

    #[test]
    fn what_has_no_probability_never_happens() {
        let mut rng = Seed(1).rng("test");
        for _ in 0..1000 {
            assert_eq!(draw(&mut rng, [0.0, 1.0 - 1e-15, 0.0].into_iter()), Some(1));
        }
        assert_eq!(draw(&mut rng, [0.0].into_iter()), None);
    }
}
