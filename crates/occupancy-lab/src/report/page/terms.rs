//! What regret and violation of run 0 are made of: three terms, and what is left.

use super::numbers::Short;
use crate::Result;
use crate::number::count;
use crate::report::Chapter;
use crate::terms::{self, TermRow, Terms};
use serde::Serialize;

/// The name of a term for readers, and where it stands in a row.
pub type NamedTerm = (&'static str, fn(&TermRow) -> f64);
/// The terms that a sum is made of, in their order.
pub const NAMED_TERMS: [NamedTerm; 4] = [
    ("1 posterior sampling, CMDP", |row| row.posterior_cmdp),
    ("2 Lagrangian relaxation", |row| row.relaxation),
    ("3 posterior sampling, MDP", |row| row.posterior_mdp),
    ("remainder", |row| row.remainder),
];

/// The terms of a learner.
pub struct Explained {
    /// Its label.
    pub label: String,
    /// Of regret, then of the violations; nothing if they are not stored.
    pub terms: Option<Vec<Terms>>,
}

/// The learners of a chapter that have run 0 and show what they drew.
pub fn of(chapter: &Chapter) -> Result<Vec<Explained>> {
    let results = &chapter.results;
    let mut found = Vec::new();
    for learner in &chapter.experiment.learners {
        let shows = terms::are_known(learner.config.as_ref());
        if shows && results.runs(&learner.label)?.contains(&0) {
            found.push(Explained { label: learner.label.clone(), terms: results.terms(&learner.label)? });
        }
    }
    Ok(found)
}

/// The name of a sum for readers: `violation of risk`.
pub fn title(chapter: &Chapter, quantity: &str) -> String {
    let cost = quantity.strip_prefix("violation_").and_then(|i| i.parse::<usize>().ok());
    let name = cost.and_then(|i| chapter.results.manifest.environment.costs.get(i));
    name.map_or_else(|| quantity.to_string(), |name| format!("violation of {name}"))
}

/// The terms of a learner as the page shows them.
#[derive(Clone, Debug, Serialize)]
pub struct ExplainedData {
    label: String,
    said: Option<String>,
    sums: Option<Vec<TermColumns>>,
}

/// The terms of one sum, column by column.
#[derive(Clone, Debug, Serialize)]
struct TermColumns {
    title: String,
    x: Vec<u64>,
    epoch: Vec<u64>,
    sum: Vec<Short>,
    posterior_cmdp: Vec<Short>,
    relaxation: Vec<Short>,
    posterior_mdp: Vec<Short>,
    remainder: Vec<Short>,
}

/// The data of a chapter.
pub fn data(chapter: &Chapter, explained: &[Explained]) -> Vec<ExplainedData> {
    let one = |Explained { label, terms }: &Explained| ExplainedData {
        label: label.clone(),
        said: terms.as_ref().and_then(|terms| said(label, terms.first()?)),
        sums: terms.as_ref().map(|terms| terms.iter().map(|terms| columns(chapter, terms)).collect()),
    };
    explained.iter().map(one).collect()
}

fn columns(chapter: &Chapter, terms: &Terms) -> TermColumns {
    let column = |value: fn(&TermRow) -> f64| terms.rows.iter().map(|row| Short(value(row))).collect();
    TermColumns {
        title: title(chapter, &terms.quantity),
        x: terms.rows.iter().map(|row| row.step).collect(),
        epoch: terms.rows.iter().map(|row| row.epoch).collect(),
        sum: column(|row| row.sum),
        posterior_cmdp: column(|row| row.posterior_cmdp),
        relaxation: column(|row| row.relaxation),
        posterior_mdp: column(|row| row.posterior_mdp),
        remainder: column(|row| row.remainder),
    }
}

/// How the sum came about, which term is the largest, and which one changes most in the second half of the rounds.
fn said(label: &str, terms: &Terms) -> Option<String> {
    let last = terms.rows.last()?;
    let half = terms.rows.iter().rfind(|row| 2 * row.step <= last.step).copied().unwrap_or_default();
    let parts: Vec<String> = NAMED_TERMS.iter().map(|(_, value)| whole(value(last))).collect();
    let [one, two, three, rest] = &parts[..] else { return None };
    let largest = largest(|value| value(last));
    let late = self::largest(|value| value(last) - value(&half));
    let late =
        if late == largest { "and it also changes".into() } else { format!("but term {late} changes") };
    let mut text = format!(
        "In the {} of run 0, {label} has a {} of {}: {one} by term 1, {two} by term 2, {three} by term 3, and {rest} that \
         is left. Term {largest} is the largest, {late} most in the second half of the rounds.",
        count(last.epoch as usize, "epoch"),
        terms.quantity,
        whole(last.sum),
    );
    for (epochs, what) in [
        (
            last.infeasible,
            "no policy met the budgets in the drawn model, and the closest one stands for its optimum",
        ),
        (last.unsettled, "rounding hid a gain"),
    ] {
        if epochs > 0 {
            text += &format!(" In {}, {what}.", count(epochs as usize, "epoch"));
        }
    }
    Some(text)
}

/// The number of the term of the greatest size.
fn largest(size: impl Fn(fn(&TermRow) -> f64) -> f64) -> usize {
    let sizes = NAMED_TERMS[..3].iter().map(|(_, value)| size(*value).abs());
    1 + sizes.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(at, _)| at)
}

fn whole(x: f64) -> String {
    let text = format!("{x:.0}");
    if text == "-0" { "0".into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(epoch: u64, [one, two, three, rest]: [f64; 4]) -> TermRow {
        TermRow {
            epoch,
            step: 100 * epoch,
            sum: one + two + three + rest,
            posterior_cmdp: one,
            relaxation: two,
            posterior_mdp: three,
            remainder: rest,
            ..TermRow::default()
        }
    }

    #[test]
    fn the_sentence_is_made_from_the_numbers() {
        let rows = vec![row(1, [-9.0, 0.0, 10.0, -0.2]), row(2, [-9.0, 5.0, 10.0, 0.5])];
        let mut terms = Terms { quantity: "regret".into(), rows };
        assert_eq!(
            said("learner", &terms).unwrap(),
            "In the 2 epochs of run 0, learner has a regret of 6: -9 by term 1, 5 by term 2, 10 by term 3, and 0 that is \
             left. Term 3 is the largest, but term 2 changes most in the second half of the rounds."
        );
        terms.rows[1].infeasible = 1;
        assert!(
            said("learner", &terms).unwrap().contains(" In 1 epoch, no policy met the budgets in the drawn")
        );
        assert_eq!(said("learner", &Terms { quantity: "regret".into(), rows: Vec::new() }), None);
    }
}
