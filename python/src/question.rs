//! What is asked of a model, from Python's arguments.

use crate::errors::{self, wrong};
use crate::model::Model;
use occupancy::model::{Criterion, Origin};
use occupancy::plan::{OffSupport, PlannerConfig, PlannerKind};
use pyo3::prelude::*;

/// A criterion and where it is counted from. It may be asked of any model of the same shape.
#[derive(Clone, Debug)]
pub struct Question {
    /// What is made of rewards and costs over time.
    pub criterion: Criterion,
    /// Where it is counted from.
    pub origin: Origin,
}

/// The arguments of Python that say what is asked.
#[derive(FromPyObject)]
pub struct Asked {
    discount: Option<f64>,
    horizon: Option<usize>,
    until: Vec<usize>,
    anywhere: bool,
    from_state: Option<usize>,
}

impl Question {
    /// What is asked of a model: sums over an episode if it has episodes of its own and nothing else is asked for.
    pub fn of(asked: &Asked, model: &Model) -> PyResult<Question> {
        let criterion = match (asked.discount, asked.horizon) {
            (Some(factor), _) => Criterion::Discounted { factor },
            (None, Some(horizon)) => Criterion::Episodes { horizon },
            (None, None) if asked.until.is_empty() => model.own_criterion(),
            (None, None) => Criterion::Until { states: asked.until.clone() },
        };
        criterion.check(&model.cmdp).map_err(errors::of)?;
        let origin = match (asked.anywhere, asked.from_state) {
            (true, _) => Origin::Anywhere,
            (false, Some(state)) => Origin::State(state),
            (false, None) => Origin::Start,
        };
        if !criterion.is_average() && origin == Origin::Anywhere {
            return wrong(
                "scope=\"anywhere\" is about the long run; a sum is counted from the start or from a state",
            );
        }
        Ok(Question { criterion, origin })
    }
}

/// The planner of a name.
pub fn planner(name: &str, off_support: &str) -> PyResult<PlannerConfig> {
    let kind = match name {
        "prices" => PlannerKind::Prices,
        "prices-vi" => PlannerKind::PricesByValueIteration,
        "lp" => PlannerKind::Lp,
        _ => return wrong(format!("planner is {name:?}, expected \"prices\", \"prices-vi\" or \"lp\"")),
    };
    let off_support = match off_support {
        "pinned" => OffSupport::Pinned,
        "uniform" => OffSupport::Uniform,
        "first" => OffSupport::First,
        _ => {
            let expected = "\"pinned\", \"uniform\" or \"first\"";
            return wrong(format!("off_support is {off_support:?}, expected {expected}"));
        }
    };
    Ok(PlannerConfig { kind, off_support })
}
