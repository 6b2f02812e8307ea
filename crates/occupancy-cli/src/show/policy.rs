//! A policy as a table: the states that matter first.

use super::table::{Align, table as aligned};
use crate::failure::Result;
use crate::solve::Answer;
use occupancy::chain::{evaluate, evaluate_sum};
use occupancy::model::{Criterion, Origin};
use occupancy_lab::figure::scene::NOTHING;
use occupancy_lab::number::{count, number, percent};

/// At most this many rows are shown.
const MOST_ROWS: usize = 30;
/// The policy of a model with more states is for a file.
const MOST_STATES: usize = 1000;
/// The longest name that is shown in full.
const LONGEST: usize = 24;

/// An action that is taken: by which policy, in which state, how often there, and its share of all time.
struct Row {
    policy: usize,
    state: usize,
    pair: usize,
    probability: f64,
    share: f64,
    /// The share of all time that the policy spends in the state.
    stays: f64,
}

/// The policy of a small model below the words, with a blank line before it.
pub fn table(answer: &Answer) -> Result<String> {
    if answer.source.model.states() > MOST_STATES {
        return Ok("\nThe policy is too large to be shown; --policy writes it.\n".into());
    }
    let mut rows = rows(answer)?;
    rows.sort_by(|a, b| {
        let by_state = a.policy.cmp(&b.policy).then(b.stays.total_cmp(&a.stays)).then(a.state.cmp(&b.state));
        by_state.then(b.probability.total_cmp(&a.probability)).then(a.pair.cmp(&b.pair))
    });
    let several = answer.parts().len() > 1;
    let left_out = rows.len().saturating_sub(MOST_ROWS);
    rows.truncate(MOST_ROWS);
    let mut text = format!("\n{}", lines(answer, &rows, several));
    if left_out > 0 {
        text += &format!("and {}, all of them in --policy FILE.csv\n", count(left_out, "row") + " more");
    }
    Ok(text)
}

fn rows(answer: &Answer) -> Result<Vec<Row>> {
    let model = &answer.source.model;
    let (parts, mut rows) = (answer.parts(), Vec::new());
    for (i, part) in parts.iter().enumerate() {
        let policy = &answer.policies()[part.policy].policy;
        let shares: Vec<f64> = if parts.len() == 1 {
            let mut shares = answer.occupancy().to_vec();
            shares.resize(model.pairs(), 0.0);
            shares
        } else {
            let one = match (part.from, answer.from) {
                (Some(state), _) | (None, Origin::State(state)) => vec![(state, 1.0)],
                (None, _) => model.start().to_vec(),
            };
            let occupancy = match &answer.criterion {
                Criterion::Average => evaluate(model, policy, &one)?.occupancy,
                sum => evaluate_sum(model, sum, policy, &one)?.occupancy,
            };
            occupancy.iter().map(|share| part.weight * share).collect()
        };
        for state in 0..model.states() {
            let stays = shares[model.pairs_of(state)].iter().sum();
            let taken = model.pairs_of(state).filter(|&pair| policy.probabilities()[pair] > NOTHING);
            rows.extend(taken.map(|pair| Row {
                policy: i,
                state,
                pair,
                probability: policy.probabilities()[pair],
                share: shares[pair],
                stays,
            }));
        }
    }
    Ok(rows)
}

fn lines(answer: &Answer, rows: &[Row], several: bool) -> String {
    use Align::{Left, Right};
    // A sum has no shares of time, but visits.
    let in_shares = answer.criterion.is_average();
    let last = if in_shares { "share of time" } else { "visits" };
    let names = ["policy", "state", "action", "probability", last];
    let skipped = usize::from(!several);
    let mut all = vec![names[skipped..].iter().map(|name| name.to_string()).collect::<Vec<String>>()];
    let model = &answer.source.model;
    for row in rows {
        let cells = [
            (row.policy + 1).to_string(),
            short(&model.names().state(row.state)),
            short(&model.action_name(row.pair)),
            percent(row.probability),
            match if row.share > NOTHING { row.share } else { 0.0 } {
                share if in_shares => percent(share),
                visits => number(visits),
            },
        ];
        all.push(cells[skipped..].to_vec());
    }
    aligned(&[Right, Left, Left, Right, Right][skipped..], &all)
}

/// A name that leaves room for the others.
fn short(name: &str) -> String {
    if name.chars().count() <= LONGEST {
        return name.to_string();
    }
    name.chars().take(LONGEST - 1).chain(['…']).collect()
}
