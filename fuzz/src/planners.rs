//! The planners on a tiny model: each answers, its answer holds when its policies are evaluated, and they agree.

use crate::{Tiny, check_agreement, check_error, check_policies, check_verdict};
use occupancy::plan::Problem;
use occupancy::plan::{PlannerConfig, PlannerKind, Verdict, frontier};

/// What is wrong with the planners' answers, in words.
pub fn check_planners(tiny: &Tiny) -> Result<(), String> {
    let prices = answer(tiny, PlannerKind::Prices)?;
    let sweeps = answer(tiny, PlannerKind::PricesByValueIteration)?;
    if let (Some(prices), Some(sweeps)) = (&prices, &sweeps) {
        check_agreement(tiny, prices, sweeps)?;
    }
    if tiny.model.costs() > 0 {
        let mut planner = PlannerConfig::default().build();
        match frontier(planner.as_mut(), &Problem::average(&tiny.model).counted_from(tiny.from), 0) {
            Ok(found) => {
                let rises =
                    found.points.windows(2).all(|p| p[0].budget < p[1].budget && p[0].gain < p[1].gain);
                if !rises {
                    return Err(format!("the frontier is {:?}", found.points));
                }
            }
            Err(error) => check_error(tiny, &error, 1.0)?,
        }
    }
    Ok(())
}

/// The verdict of a planner, checked; none where it may refuse.
fn answer(tiny: &Tiny, kind: PlannerKind) -> Result<Option<Verdict>, String> {
    let mut planner = PlannerConfig { kind, off_support: tiny.off_support }.build();
    let in_words = |problem: String| format!("{kind:?}: {problem}");
    match planner.plan(&Problem::average(&tiny.model).counted_from(tiny.from)) {
        Ok(verdict) => {
            check_verdict(tiny, &verdict).and_then(|()| check_policies(tiny, &verdict)).map_err(in_words)?;
            Ok(Some(verdict))
        }
        Err(error) => check_error(tiny, &error, 1.0).map(|()| None).map_err(in_words),
    }
}
