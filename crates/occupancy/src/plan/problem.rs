//! The question that a planner answers.

use crate::model::{Cmdp, Criterion, Origin};

/// A model, what is made of its signals over time, and where that is counted from.
///
/// ```
/// use occupancy::model::{Origin, text};
/// use occupancy::plan::Problem;
/// let model = text::parse("state A\n  stay reward 1 -> A").unwrap();
/// let problem = Problem::average(&model).counted_from(Origin::State(0));
/// assert_eq!(problem.origin, Origin::State(0));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Problem<'a> {
    /// The model with its budgets.
    pub model: &'a Cmdp,
    /// What is made of its signals over time.
    pub criterion: Criterion,
    /// Where that is counted from.
    pub origin: Origin,
}

impl<'a> Problem<'a> {
    /// The averages of a model in the long run, from its start.
    pub fn average(model: &'a Cmdp) -> Problem<'a> {
        Problem { model, criterion: Criterion::Average, origin: Origin::Start }
    }

    /// Sums or averages by a criterion, from the model's start.
    pub fn new(model: &'a Cmdp, criterion: Criterion) -> Problem<'a> {
        Problem { model, criterion, origin: Origin::Start }
    }

    /// The same question about another model.
    pub fn about<'b>(&self, model: &'b Cmdp) -> Problem<'b> {
        Problem { model, criterion: self.criterion.clone(), origin: self.origin }
    }

    /// The same, counted from elsewhere.
    pub fn counted_from(self, origin: Origin) -> Problem<'a> {
        Problem { origin, ..self }
    }
}
