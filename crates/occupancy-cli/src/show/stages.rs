//! A plan of episodes in words: where it is likely to be at every stage, and what it does there.

use super::table::{Align, table};
use crate::solve::Answer;
use occupancy::model::{Cmdp, Policy};
use occupancy_lab::figure::scene::NOTHING;
use occupancy_lab::number::{count, number, percent};

/// At most this many rows are shown.
const MOST_ROWS: usize = 40;

/// Whether a stage's policy draws lots, and where.
pub fn mixing(model: &Cmdp, answer: &Answer, policy: &Policy) -> String {
    let occupancy = answer.occupancy_by_stage();
    let mut mixed = 0;
    for stage in 0..policy.stages() {
        let masses = &occupancy[stage * model.pairs()..(stage + 1) * model.pairs()];
        mixed += (0..model.states())
            .filter(|&state| {
                let pairs = model.pairs_of(state);
                masses[pairs.clone()].iter().sum::<f64>() > NOTHING
                    && policy.table(stage)[pairs].iter().filter(|&&p| p > NOTHING).count() > 1
            })
            .count();
    }
    let stages = count(policy.stages(), "stage");
    match mixed {
        0 => format!("one policy by stage ({stages}), deterministic where it goes\n"),
        1 => format!("one policy by stage ({stages}), random at one stage in one state\n"),
        n => {
            format!("one policy by stage ({stages}), random in {n} of the places (stage, state) it visits\n")
        }
    }
}

/// The expected path: for every stage the likeliest states, how likely they are, and the actions taken there.
pub fn path(answer: &Answer) -> String {
    use Align::{Left, Right};
    let model = &answer.source.model;
    let Some(policy) = answer.policies().first().map(|one| &one.policy) else { return String::new() };
    let occupancy = answer.occupancy_by_stage();
    let each = (MOST_ROWS / policy.stages().max(1)).clamp(1, 3);
    let step = policy.stages().div_ceil(MOST_ROWS).max(1);
    let mut rows = vec![["stage", "state", "likely", "action"].map(String::from).to_vec()];
    for stage in (0..policy.stages()).step_by(step) {
        let masses = &occupancy[stage * model.pairs()..(stage + 1) * model.pairs()];
        let mass = |state: usize| masses[model.pairs_of(state)].iter().sum::<f64>();
        let mut states: Vec<usize> = (0..model.states()).filter(|&state| mass(state) > NOTHING).collect();
        states.sort_by(|&a, &b| mass(b).total_cmp(&mass(a)));
        for (i, &state) in states.iter().take(each).enumerate() {
            let first = if i == 0 { stage.to_string() } else { String::new() };
            let table = policy.table(stage);
            rows.push(vec![
                first,
                model.names().state(state),
                percent(mass(state)),
                actions(model, table, state),
            ]);
        }
        if states.len() > each && each > 1 {
            let others: f64 = states[each..].iter().map(|&state| mass(state)).sum();
            let name = format!("{} others", states.len() - each);
            rows.push(vec![String::new(), name, percent(others), String::new()]);
        }
    }
    let mut text = format!("\nwhere it is likely to be:\n{}", table(&[Right, Left, Right, Left], &rows));
    if step > 1 {
        text.push_str(&format!("one stage in {step} is shown; --policy writes them all\n"));
    }
    text
}

/// The actions of a state with their probabilities, if there are several.
fn actions(model: &Cmdp, table: &[f64], state: usize) -> String {
    let taken: Vec<usize> = model.pairs_of(state).filter(|&pair| table[pair] > NOTHING).collect();
    match &taken[..] {
        [one] => model.action_name(*one),
        many => {
            let each =
                many.iter().map(|&pair| format!("{} {}", model.action_name(pair), number(table[pair])));
            each.collect::<Vec<_>>().join(", ")
        }
    }
}
