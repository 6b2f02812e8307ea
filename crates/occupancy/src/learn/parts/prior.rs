//! What is believed of the transitions before anything is seen: the weights of a Dirichlet distribution for every row.
//!
//! ```text
//! add:α      Dir(α + N)          a proper posterior
//! floor:x    Dir(max(N, x))      the paper's published code, x = 1
//! known:α    Dir(α + N) on the successors that are possible, which the learner is told
//! sparse:α   Dir(N, α) on the successors seen and all others together: a Dirichlet process
//! file:F     Dir(w + N) with weights of the user's own
//! ```
//!
//! `add` and `floor` give every state a share of every row: a row of 1000 states of which 4 occur is drawn and planned with as
//! a thousand. `sparse` is told nothing either, but what was never seen has one weight for all states together, whose share
//! goes to a few states that are drawn afresh with every row (Ferguson, *A Bayesian analysis of some nonparametric
//! problems*, 1973; the shares are broken off one after the other as by Sethuraman 1994).
//!
//! The paper's text has prior Dir(1) and posterior Dir(N), which is not defined where a count is 0.

use crate::cell;
use crate::error::{Error, Result};
use crate::learn::{DenseOption, Knowledge};
use crate::model::{Cmdp, Task};
use crate::options::{Form, OptionValue};
use std::path::{Path, PathBuf};

/// The weights of every row before anything is seen.
#[derive(Clone, Debug, PartialEq)]
pub enum Prior {
    /// This weight for every successor.
    Add(f64),
    /// At least this weight for every successor.
    Floor(f64),
    /// This weight for the possible successors of each pair, none for the others.
    Known(f64),
    /// This weight for all states together, and none for any of them alone.
    Sparse(f64),
    /// Weights from a table with the columns `state,action,successor,weight`.
    File(PathBuf),
}

impl Prior {
    /// What the option takes, in words.
    pub const EXPECTED: &'static str = "add:α, floor:x or known:α with a number from 1e-6 to 1e6, sparse:α with one from 1e-6 to 10, or file:PATH";

    /// Whether the weight is one that can be drawn with.
    pub fn in_range(&self) -> bool {
        match self {
            Prior::Add(weight) | Prior::Floor(weight) | Prior::Known(weight) => (1e-6..=1e6).contains(weight),
            // Rows have about 7 states for each unit of it.
            Prior::Sparse(weight) => (1e-6..=10.0).contains(weight),
            Prior::File(path) => !path.as_os_str().is_empty(),
        }
    }

    /// Whether a learner has to be told the possible successors.
    pub fn wants_successors(&self) -> bool {
        matches!(self, Prior::Known(_))
    }

    /// The option by which rows hold all states, if they do.
    pub fn dense_option(&self) -> Option<DenseOption> {
        let dense = matches!(self, Prior::Add(_) | Prior::Floor(_));
        dense.then(|| DenseOption { option: "prior", value: self.show(), instead: "sparse:1" })
    }

    /// The weights, if they differ by successor.
    pub(super) fn rows(&self, task: &Task, knowledge: &Knowledge) -> Result<Option<PriorRows>> {
        match self {
            Prior::Add(_) | Prior::Floor(_) | Prior::Sparse(_) => Ok(None),
            Prior::File(path) => read_weights(path, &task.blank()).map(Some),
            Prior::Known(weight) => {
                let all = || vec![(0..task.states()).collect(); task.pairs()];
                let known: Vec<Vec<usize>> = knowledge.successors.clone().unwrap_or_else(all);
                let row = |next: Vec<usize>| next.into_iter().map(|next| (next, *weight)).collect();
                Ok(Some(known.into_iter().map(row).collect()))
            }
        }
    }
}

impl OptionValue for Prior {
    const FORM: Form = Form::Word;

    fn parse(text: &str) -> Option<Prior> {
        match text.split_once(':')? {
            ("add", weight) => Some(Prior::Add(weight.parse().ok()?)),
            ("floor", weight) => Some(Prior::Floor(weight.parse().ok()?)),
            ("known", weight) => Some(Prior::Known(weight.parse().ok()?)),
            ("sparse", weight) => Some(Prior::Sparse(weight.parse().ok()?)),
            ("file", path) => Some(Prior::File(path.into())),
            _ => None,
        }
    }

    fn show(&self) -> String {
        match self {
            Prior::Add(weight) => format!("add:{weight}"),
            Prior::Floor(weight) => format!("floor:{weight}"),
            Prior::Known(weight) => format!("known:{weight}"),
            Prior::Sparse(weight) => format!("sparse:{weight}"),
            Prior::File(path) => format!("file:{}", path.display()),
        }
    }
}

/// Successors and weights of every pair, successors ascending.
pub type PriorRows = Vec<Vec<(usize, f64)>>;

/// The weights of a table with the columns `state,action,successor,weight`, states and actions by name or index.
fn read_weights(path: &Path, shape: &Cmdp) -> Result<PriorRows> {
    let text = std::fs::read_to_string(path).map_err(|source| Error::File { path: path.into(), source })?;
    read(&text, shape).map_err(|problem| problem.in_file(path))
}

fn read(text: &str, shape: &Cmdp) -> Result<PriorRows> {
    let mut rows: PriorRows = vec![Vec::new(); shape.pairs()];
    let mut table = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let wrong = |line: u64, problem: String| Error::PriorTable { line, problem };
    let columns = ["state", "action", "successor", "weight"];
    let header = table.headers().map_err(|error| wrong(1, error.to_string()))?;
    if header.iter().ne(columns) {
        return Err(wrong(1, format!("the columns are not {}", columns.join(","))));
    }
    let (states, actions) = (NamedIndex::of_states(shape), |state| NamedIndex::of_actions(shape, state));
    for record in table.records() {
        let record =
            record.map_err(|error| wrong(error.position().map_or(0, |p| p.line()), error.to_string()))?;
        let line = record.position().map_or(0, csv::Position::line);
        let find =
            |places: &NamedIndex, name: &str| places.find(name).map_err(|problem| wrong(line, problem));
        let state = find(&states, &record[0])?;
        let action = find(&actions(state), &record[1])?;
        let successor = find(&states, &record[2])?;
        let weight = record[3].parse::<f64>().ok().filter(|weight| (1e-6..=1e12).contains(weight));
        let problem = || format!("the weight is {}, expected a number from 1e-6 to 1e12", &record[3]);
        rows[shape.pairs_of(state).start + action]
            .push((successor, weight.ok_or_else(|| wrong(line, problem()))?));
    }
    for (pair, row) in rows.iter_mut().enumerate() {
        let place = || (shape.names().state(shape.state_of(pair)), shape.action_name(pair));
        row.sort_by_key(|&(successor, _)| successor);
        if row.is_empty() {
            let (state, action) = place();
            return Err(Error::PriorRow { state, action, problem: "no successor" });
        }
        if row.windows(2).any(|two| two[0].0 == two[1].0) {
            let (state, action) = place();
            return Err(Error::PriorRow { state, action, problem: "a successor twice" });
        }
    }
    Ok(rows)
}

/// Names and the places they stand for.
struct NamedIndex {
    what: &'static str,
    names: std::collections::HashMap<String, usize>,
    count: usize,
}

impl NamedIndex {
    fn new(what: &'static str, names: impl Iterator<Item = String>) -> NamedIndex {
        let names: std::collections::HashMap<_, _> = names.zip(0..).collect();
        NamedIndex { what, count: names.len(), names }
    }

    fn of_states(shape: &Cmdp) -> NamedIndex {
        NamedIndex::new("state", (0..shape.states()).map(|state| shape.names().state(state)))
    }

    fn of_actions(shape: &Cmdp, state: usize) -> NamedIndex {
        NamedIndex::new("action", shape.pairs_of(state).map(|pair| shape.action_name(pair)))
    }

    fn find(&self, name: &str) -> std::result::Result<usize, String> {
        let index = || name.parse().ok().filter(|&index: &usize| index < self.count);
        let place = self.names.get(name).or_else(|| self.names.get(cell::read(name))).copied().or_else(index);
        place.ok_or_else(|| format!("there is no {} {name}", self.what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::text;

    fn shape() -> Cmdp {
        text::parse("state A\n  stay -> A\n  go -> B\nstate B\n  back -> A").unwrap()
    }

    fn read_text(name: &str, text: &str) -> Result<PriorRows> {
        let path = std::env::temp_dir().join(format!("occupancy-prior-{}-{name}.csv", std::process::id()));
        std::fs::write(&path, text).unwrap();
        let read = read_weights(&path, &shape());
        std::fs::remove_file(&path).unwrap();
        read
    }

    #[test]
    fn weights_are_read_by_name_or_index_in_any_order() {
        let table = "state,action,successor,weight\nB,back,A,2\nA, go, 1, 0.5\nA,go,A,1.5\n0,stay,A,1\n";
        assert_eq!(
            read_text("good", table).unwrap(),
            [vec![(0, 1.0)], vec![(0, 1.5), (1, 0.5)], vec![(0, 2.0)]]
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        let head = "state,action,successor,weight\n";
        let refused = |name, rows: &str| read_text(name, &format!("{head}{rows}")).unwrap_err().to_string();
        let good = "A,stay,A,1\nA,go,B,1\n";
        assert!(refused("state", "C,go,A,1\n").contains("line 2: there is no state C"));
        assert!(refused("action", "A,fly,A,1\n").contains("line 2: there is no action fly"));
        assert!(
            refused("weight", "A,go,B,-1\n")
                .contains("the weight is -1, expected a number from 1e-6 to 1e12")
        );
        assert!(refused("missing", good).contains("(state B, action back) is given no successor"));
        let twice = format!("{good}B,back,A,1\nB,back,A,2\n");
        assert!(refused("twice", &twice).contains("(state B, action back) is given a successor twice"));
        let columns = read_text("columns", "a,b\n1,2\n").unwrap_err().to_string();
        assert!(columns.contains("line 1: the columns are not state,action,successor,weight"), "{columns}");
    }
}
