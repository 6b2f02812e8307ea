//! A policy as a table of comma-separated lines: the probability of an action in a state, at a stage if they differ; several
//! policies have weights.
//!
//! ```text
//! stage,state,action,probability
//! 0,home,walk,0.75
//! ```
//!
//! The columns may come in any order. `state`, `action` and `probability` are needed; an action that is left out is never
//! taken, but every state needs one. Without the column `stage` a table holds for all stages.

mod known;

use crate::cell;
use crate::error::{Error, Result};
use crate::model::format::blocks::Blocks;
use crate::model::format::stream::{Meter, Unpacked};
use crate::model::{Cmdp, Policy};
use known::{Given, States};
use std::borrow::Cow;
use std::path::Path;

/// The columns that are read; the first three are needed.
const COLUMNS: [&str; 7] = ["state", "action", "probability", "policy", "weight", "occupancy", "stage"];
/// How far probabilities and weights may be off a sum of 1.
const SUM_TOLERANCE: f64 = 1e-9;

/// What is wrong, with its line.
type Problem = String;

/// The policies of a file for this model with their weights, which sum to 1. Episodes have so many stages, everything else has
/// none.
pub fn read(path: &Path, model: &Cmdp, stages: Option<usize>) -> Result<Vec<(f64, Policy)>> {
    let meter = Meter::default();
    let blocks = Blocks::of(Unpacked::of_file(path, &meter)?);
    drafts(blocks, model, stages).map_err(|error| error.in_file_once(path))
}

/// The same of a text.
pub fn parse(text: &str, model: &Cmdp, stages: Option<usize>) -> Result<Vec<(f64, Policy)>> {
    drafts(Blocks::of_text(text)?, model, stages)
}

/// Where the columns are.
struct Columns {
    places: [Option<usize>; 7],
    count: usize,
}

/// A policy as far as it is read.
struct Draft {
    name: String,
    weight: f64,
    given: Given,
}

fn drafts(mut blocks: Blocks<'_>, model: &Cmdp, stages: Option<usize>) -> Result<Vec<(f64, Policy)>> {
    let told = |problem| Error::PolicyTable { problem };
    let mut states = States::of(model);
    let (mut columns, mut drafts): (Option<Columns>, Vec<Draft>) = (None, Vec::new());
    while let Some((first, block)) = blocks.next()? {
        let mut cells = Vec::new();
        for (line, text) in (first..).zip(block.lines()).filter(|(_, text)| !text.trim().is_empty()) {
            let at = |problem: String| told(format!("line {line}: {problem}"));
            cell::split(text, &mut cells)
                .map_err(|_| at("expected a closing quote, and a comma after it".into()))?;
            match &columns {
                None => columns = Some(Columns::of(&cells, stages.is_some()).map_err(at)?),
                Some(columns) => {
                    let stages = stages.unwrap_or(1);
                    columns.take(line, &cells, (model, stages), &mut states, &mut drafts).map_err(at)?;
                }
            }
        }
    }
    let Some(columns) = columns else {
        return Err(told(format!("line 1: expected the columns {}", COLUMNS[..3].join(", "))));
    };
    let finished = match stages {
        Some(stages) if columns.places[6].is_some() => finish(drafts, model, stages, 1),
        stages => finish(drafts, model, 1, stages.unwrap_or(1)),
    };
    finished.map_err(told)
}

impl Columns {
    fn of(cells: &[Cow<str>], are_episodes: bool) -> std::result::Result<Columns, Problem> {
        let mut places = [None; 7];
        for (place, name) in cells.iter().enumerate() {
            let Some(column) = COLUMNS.iter().position(|column| column == name) else {
                return Err(format!("unknown column {}; known: {}", seen(name), COLUMNS.join(", ")));
            };
            if places[column].replace(place).is_some() {
                return Err(format!("column {name} is given twice"));
            }
        }
        match COLUMNS[..3].iter().zip(places).find(|(_, place)| place.is_none()) {
            Some((missing, _)) => {
                Err(format!("there is no column {missing}; needed are {}", COLUMNS[..3].join(", ")))
            }
            None if !are_episodes && places[6].is_some() => {
                Err("the column stage belongs to episodes: give their length by --horizon".into())
            }
            None => Ok(Columns { places, count: cells.len() }),
        }
    }

    fn take(
        &self,
        line: usize,
        cells: &[Cow<str>],
        (model, stages): (&Cmdp, usize),
        states: &mut States,
        drafts: &mut Vec<Draft>,
    ) -> std::result::Result<(), Problem> {
        if cells.len() != self.count {
            return Err(format!("expected {} cells as in the header, found {}", self.count, cells.len()));
        }
        let cell = |column: usize| self.places[column].map(|place| cell::read(&cells[place]));
        let (state, action) = (cell(0).unwrap_or(""), cell(1).unwrap_or(""));
        let pair = pair(model, states, state, action)?;
        let number =
            |text: &str| text.parse::<f64>().ok().filter(|p| (0.0..=1.0 + SUM_TOLERANCE).contains(p));
        let expected = |what: String, found: &str| {
            format!(
                "{what} is {}, expected a number from 0 to 1",
                if found.is_empty() { "empty" } else { found }
            )
        };
        let place = || format!("(state {state}, action {action})");
        let given = cell(2).unwrap_or("");
        let probability =
            number(given).ok_or_else(|| expected(format!("the probability of {}", place()), given))?;
        let (name, weight) = (cell(3).unwrap_or("0"), cell(4).unwrap_or("1"));
        let weight =
            number(weight).ok_or_else(|| expected(format!("the weight of policy {name}"), weight))?;
        let draft = match drafts.iter().position(|draft| draft.name == name) {
            Some(known) => &mut drafts[known],
            None => {
                drafts.push(Draft { name: name.to_string(), weight, given: Given::default() });
                let last = drafts.len() - 1;
                &mut drafts[last]
            }
        };
        if draft.weight != weight {
            return Err(format!("the weight of policy {name} is {weight}, and {} further up", draft.weight));
        }
        let stage = match cell(6) {
            Some(text) => text.parse::<usize>().ok().filter(|&stage| stage < stages).ok_or_else(|| {
                format!(
                    "the stage is {}, expected a number from 0 to {}",
                    seen(text),
                    stages.saturating_sub(1)
                )
            })?,
            None => 0,
        };
        match draft.given.add((stage as u32, pair as u32), probability, line) {
            Some(before) => Err(format!("{} is given twice, first in line {before}", place())),
            None => Ok(()),
        }
    }
}

/// The pair of a state and an action by their names.
fn pair(model: &Cmdp, states: &mut States, state: &str, action: &str) -> std::result::Result<usize, Problem> {
    let Some(found) = states.find(state) else {
        let known: Vec<String> = (0..model.states().min(10)).map(|s| model.names().state(s)).collect();
        let more = if model.states() > known.len() { ", …" } else { "" };
        return Err(format!(
            "the model has no state {}; its states: {}{more}",
            seen(state),
            known.join(", ")
        ));
    };
    let mut pairs = model.pairs_of(found).enumerate();
    let named = pairs.find(|&(index, pair)| model.names.action(pair, index) == action);
    named.map(|(_, pair)| pair).ok_or_else(|| {
        let known: Vec<String> = model.pairs_of(found).map(|pair| model.action_name(pair)).collect();
        format!("state {state} has no action {}; its actions: {}", seen(action), known.join(", "))
    })
}

/// Checks that every policy has a distribution in every state at every stage, and that the weights are one. The tables are repeated
/// so many times.
fn finish(
    drafts: Vec<Draft>,
    model: &Cmdp,
    stages: usize,
    times: usize,
) -> std::result::Result<Vec<(f64, Policy)>, Problem> {
    let total: f64 = drafts.iter().map(|draft| draft.weight).sum();
    if (total - 1.0).abs() > SUM_TOLERANCE {
        return Err(format!("the weights of the policies sum to {total}, expected 1 within 1e-9"));
    }
    let mut policies = Vec::new();
    for draft in drafts {
        let of_several = if draft.name == "0" { String::new() } else { format!(" of policy {}", draft.name) };
        let (mut probabilities, mut given) = (vec![0.0; model.pairs() * stages], Vec::new());
        for (stage, state) in
            (0..stages).flat_map(|stage| (0..model.states()).map(move |state| (stage, state)))
        {
            given.clear();
            let found = model.pairs_of(state).filter_map(|pair| {
                draft.given.get((stage as u32, pair as u32)).map(|(p, line)| (pair, p, line))
            });
            given.extend(found);
            let at_stage = || if stages > 1 { format!(" at stage {stage}") } else { String::new() };
            let name = || format!("{}{}", model.names().state(state), at_stage());
            let Some(first) = given.iter().map(|(_, _, line)| *line).min() else {
                return Err(format!(
                    "there is no line for state {}{of_several}: every state needs an action",
                    name()
                ));
            };
            let sum: f64 = given.iter().map(|(_, p, _)| p).sum();
            if (sum - 1.0).abs() > SUM_TOLERANCE {
                return Err(format!(
                    "line {first}: the probabilities in state {}{of_several} sum to {sum}, expected 1 within 1e-9",
                    name()
                ));
            }
            given.iter().for_each(|&(pair, p, _)| probabilities[stage * model.pairs() + pair] = p);
        }
        let tables = if times == 1 { probabilities } else { probabilities.repeat(times) };
        let policy = Policy::staged(model, tables, stages * times).map_err(|error| error.to_string())?;
        policies.push((draft.weight / total, policy));
    }
    Ok(policies)
}

/// A word as an error repeats it: one that is empty can be seen.
fn seen(word: &str) -> &str {
    if word.is_empty() { "''" } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::text;

    fn model() -> Cmdp {
        text::parse("state a\n  stay -> a\n  go -> b\nstate b\n  back -> a\n").unwrap()
    }

    /// What is wrong with a table.
    fn wrong(text: &str, stages: Option<usize>) -> String {
        match parse(text, &model(), stages).unwrap_err() {
            Error::PolicyTable { problem } => problem,
            other => other.to_string(),
        }
    }

    #[test]
    fn a_policy_is_read_by_names_and_actions_left_out_are_never_taken() {
        let found = parse("action, state, probability\nback,b,1\ngo,a,1\n", &model(), None).unwrap();
        assert_eq!((found.len(), found[0].1.probabilities()), (1, &[0.0, 1.0, 1.0][..]));
        let two = "policy,weight,state,action,probability,occupancy\n0,0.25,a,stay,1,0\n0,0.25,b,back,1,0\n\
                   1,0.75,a,stay,0.5,0\n1,0.75,a,go,0.5,0\n1,0.75,b,back,1,0\n";
        let found = parse(two, &model(), None).unwrap();
        assert_eq!((found[0].0, found[1].1.probabilities()), (0.25, &[0.5, 0.5, 1.0][..]));
    }

    #[test]
    fn what_is_wrong_is_named_with_line_state_action_and_number() {
        let good = "state,action,probability\na,stay,0.5\na,go,0.5\nb,back,1\n";
        for (from, to, wanted) in [
            ("a,go,0.5", "a,fly,0.5", "line 3: state a has no action fly; its actions: stay, go"),
            ("b,back", "c,back", "line 4: the model has no state c; its states: a, b"),
            (
                "a,go,0.5",
                "a,go,1.5",
                "line 3: the probability of (state a, action go) is 1.5, expected a number from 0 to 1",
            ),
            (
                "a,go,0.5",
                "a,go,",
                "line 3: the probability of (state a, action go) is empty, expected a number from 0 to 1",
            ),
            (
                "a,go,0.5",
                "a,go,0.4",
                "line 2: the probabilities in state a sum to 0.9, expected 1 within 1e-9",
            ),
            ("a,go,0.5", "a,stay,0.5", "line 3: (state a, action stay) is given twice, first in line 2"),
            ("b,back,1\n", "", "there is no line for state b: every state needs an action"),
            ("a,go,0.5", "a,go", "line 3: expected 3 cells as in the header, found 2"),
            (
                "action",
                "act",
                "line 1: unknown column act; known: state, action, probability, policy, weight, occupancy, stage",
            ),
            ("action,", "", "line 1: there is no column action; needed are state, action, probability"),
        ] {
            assert_eq!(wrong(&good.replacen(from, to, 1), None), wanted);
        }
        assert_eq!(wrong("", None), "line 1: expected the columns state, action, probability");
        let half = "policy,weight,state,action,probability\n0,0.5,a,go,1\n0,0.5,b,back,1\n";
        assert_eq!(wrong(half, None), "the weights of the policies sum to 0.5, expected 1 within 1e-9");
    }

    #[test]
    fn a_policy_of_episodes_has_stages_or_holds_for_all_of_them() {
        let one = "state,action,probability\na,go,1\nb,back,1\n";
        let found = parse(one, &model(), Some(2)).unwrap();
        assert_eq!(found[0].1.probabilities(), [0.0, 1.0, 1.0, 0.0, 1.0, 1.0]);
        let two = "stage,state,action,probability\n0,a,go,1\n0,b,back,1\n1,a,stay,1\n1,b,back,1\n";
        let found = parse(two, &model(), Some(2)).unwrap();
        assert_eq!(found[0].1.table(1), [1.0, 0.0, 1.0]);
        assert_eq!(
            wrong(two, None),
            "line 1: the column stage belongs to episodes: give their length by --horizon"
        );
        assert_eq!(
            wrong(two, Some(3)),
            "there is no line for state a at stage 2: every state needs an action"
        );
    }
}
