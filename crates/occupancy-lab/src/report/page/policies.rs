//! Policies of environments that are no grid, as tables: what is done in the states where most time is spent.

use super::numbers::{Exact, Keyed};
use super::snapshots::{SnapshotData, plan, shares};
use crate::Result;
use crate::report::Chapter;
use occupancy::model::Cmdp;
use serde::Serialize;

/// So many states are listed, those with the most time first.
const MOST_ROWS: usize = 20;
/// Policies in more states than this are not shown: to plan and to evaluate them takes longer than a reader waits.
const MOST_STATES: usize = 2000;
/// In more states than this, only the last policy of a learner is.
const MOST_FOLLOWED: usize = 300;
/// Actions below this probability are left out.
const RARE: f64 = 0.0005;

/// The optimal policy and those of run 0 of each learner on its way.
#[derive(Clone, Debug, Serialize)]
pub struct PolicyTables {
    optimal: Option<Vec<StateRow>>,
    policies: Keyed<Vec<SnapshotData<Vec<StateRow>>>>,
}

/// A state, the percent of the time that is spent there, and the percents of its actions.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct StateRow {
    state: String,
    share: Exact,
    actions: Vec<(String, Exact)>,
}

/// The tables of a chapter; `None` if there are too many states.
pub fn of(chapter: &Chapter) -> Result<Option<PolicyTables>> {
    let model = &chapter.env.model;
    if model.states() > MOST_STATES {
        return Ok(None);
    }
    let optimal = plan(model, None)?.map(|plan| rows(model, &shares(&plan, model), &plan.occupancy));
    let mut policies = Keyed::default();
    for label in chapter.results.labels() {
        let snapshots = chapter.results.snapshots(label, model)?;
        let first = if model.states() > MOST_FOLLOWED { snapshots.len().saturating_sub(1) } else { 0 };
        let shown = snapshots[first..].iter().map(|snapshot| {
            SnapshotData::of(model, snapshot, |probabilities, occupancy| {
                rows(model, probabilities, occupancy)
            })
        });
        policies.insert(label, shown.collect::<Result<Vec<_>>>()?);
    }
    Ok(Some(PolicyTables { optimal, policies }))
}

/// The states with the most time, and what is done there.
fn rows(model: &Cmdp, probabilities: &[f64], occupancy: &[f64]) -> Vec<StateRow> {
    let time = |state: usize| model.pairs_of(state).map(|pair| occupancy[pair]).sum::<f64>();
    let mut states: Vec<(usize, f64)> = (0..model.states()).map(|state| (state, time(state))).collect();
    states.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    states.truncate(MOST_ROWS);
    let row = |(state, time): (usize, f64)| {
        let taken = model.pairs_of(state).filter(|&pair| probabilities[pair] >= RARE);
        let mut actions: Vec<(f64, usize)> = taken.map(|pair| (probabilities[pair], pair)).collect();
        actions.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let named = |(p, pair): (f64, usize)| (model.action_name(pair), Exact(100.0 * p));
        StateRow {
            state: model.names().state(state),
            share: Exact(100.0 * time),
            actions: actions.into_iter().map(named).collect(),
        }
    };
    states.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use occupancy::env::EnvConfig;

    #[test]
    fn the_states_with_the_most_time_come_first_with_their_likeliest_action() {
        let env = EnvConfig::from_options("queue", &[]).unwrap().build().unwrap();
        let model = &env.model;
        let mut occupancy = vec![0.0; model.pairs()];
        let mut probabilities = vec![0.0; model.pairs()];
        for (state, [few, many]) in [[0.1, 0.2], [0.1, 0.6]].into_iter().enumerate() {
            let pairs = model.pairs_of(state);
            let (first, last) = (pairs.start, pairs.end - 1);
            (occupancy[first], occupancy[last]) = (few, many);
            (probabilities[first], probabilities[last]) = (few / (few + many), many / (few + many));
        }
        let found = rows(model, &probabilities, &occupancy);
        assert_eq!((found.len(), found[0].state.clone()), (model.states(), model.names().state(1)));
        assert!((found[0].share.0 - 70.0).abs() < 1e-9);
        let last = model.action_name(model.pairs_of(1).end - 1);
        assert_eq!((found[0].actions.len(), &found[0].actions[0].0), (2, &last));
        assert!(found[5].actions.is_empty() && found[5].share == Exact(0.0));
    }
}
