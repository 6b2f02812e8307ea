//! What the average of a cost is held to: at most a number, or at least one, which is −c ≤ −x for planners.

use super::Cmdp;
use super::cmdp::check_budget;
use crate::error::Result;
use std::borrow::Cow;

/// The budget of a cost as people write it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// J(c) ≤ x; infinite for no constraint.
    AtMost(f64),
    /// J(c) ≥ x; −∞ for no constraint.
    AtLeast(f64),
}

impl Bound {
    /// The bound that a sign (`<=` or `>=`) and a number stand for; `None` for any other sign.
    pub fn of(sign: &str, value: f64) -> Option<Bound> {
        match sign {
            "<=" => Some(Bound::AtMost(value)),
            ">=" => Some(Bound::AtLeast(value)),
            _ => None,
        }
    }

    /// The sign between a cost and its bound.
    pub fn sign(self) -> &'static str {
        if matches!(self, Bound::AtMost(_)) { "<=" } else { ">=" }
    }

    /// The number, as it is written.
    pub fn value(self) -> f64 {
        let (Bound::AtMost(value) | Bound::AtLeast(value)) = self;
        value
    }

    /// The budget of the cost as a model holds it: −x for c ≥ x.
    pub fn budget(self) -> f64 {
        match self {
            Bound::AtMost(value) => value,
            Bound::AtLeast(value) => 0.0 - value,
        }
    }

    /// Refuses what no cost can be compared with.
    pub(super) fn check(self, cost: &str) -> Result<()> {
        check_budget(cost, self.budget())
    }
}

impl Cmdp {
    /// The bound of a cost as it was written.
    pub fn bound(&self, cost: usize) -> Bound {
        let budget = self.budgets()[cost];
        if self.names().is_negated(cost) { Bound::AtLeast(0.0 - budget) } else { Bound::AtMost(budget) }
    }

    /// The same model with these bounds, one for each cost; costs that change their side are negated.
    pub fn with_bounds(mut self, bounds: &[Bound]) -> Result<Cmdp> {
        let budgets: Vec<f64> = bounds.iter().map(|bound| bound.budget()).collect();
        for (i, bound) in bounds.iter().enumerate().take(self.costs()) {
            if self.names().is_negated(i) == matches!(bound, Bound::AtMost(_)) {
                self = self.with_negated_cost(i)?;
            }
        }
        self.with_budgets(&budgets)
    }

    /// The model with every cost as it is called: none negated.
    pub(super) fn as_written(&self) -> Cow<'_, Cmdp> {
        if self.names.negated.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut model = self.clone();
        for cost in std::mem::take(&mut model.names.negated) {
            model.signals.negate(cost + 1);
            model.budgets[cost] = 0.0 - model.budgets[cost];
        }
        Cow::Owned(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::text;

    #[test]
    fn a_cost_changes_its_side_and_comes_back() {
        let model = text::parse("cost c <= 0.5\nstate a\n x c 2 -> a\n y c -1 -> a").unwrap();
        let turned = model.clone().with_bounds(&[Bound::AtLeast(0.25)]).unwrap();
        assert_eq!((turned.signals().cost(0), turned.budgets()), (&[-2.0, 1.0][..], &[-0.25][..]));
        assert_eq!((turned.bound(0), turned.names().held_cost(0)), (Bound::AtLeast(0.25), "-c".into()));
        let back = turned.clone().with_bounds(&[Bound::AtMost(0.5)]).unwrap();
        assert_eq!(
            (back.signals(), back.budgets(), back.names()),
            (model.signals(), model.budgets(), model.names())
        );
        assert_eq!(turned.as_written().signals(), model.signals());
    }

    #[test]
    fn a_bound_that_nothing_can_be_compared_with_is_refused() {
        let model = text::parse("cost c <= 1\nstate a\n x -> a").unwrap();
        for wrong in
            [Bound::AtMost(f64::NEG_INFINITY), Bound::AtLeast(f64::INFINITY), Bound::AtLeast(f64::NAN)]
        {
            assert!(model.clone().with_bounds(&[wrong]).is_err(), "{wrong:?}");
        }
        assert!(model.with_bounds(&[Bound::AtLeast(f64::NEG_INFINITY)]).is_ok());
    }
}
