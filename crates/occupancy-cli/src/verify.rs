//! `occupancy verify`: the proof of an answer, checked by the library's `verify` alone.

use crate::args::{CriterionArgs, SourceArgs, Verify};
use crate::busy::Work;
use crate::constraint::{Constraint, Direction};
use crate::failure::{Failure, Result, seen, wrong};
use crate::output;
use crate::source::{self, Source};
use occupancy::arithmetic::Interval;
use occupancy::model::{Criterion, Origin, Policy};
use occupancy::verify::{Claims, Proof, Witness, missed, prove};
use occupancy_lab::number::rough;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};
use std::fmt;
use std::fs::File;
use std::io::BufReader;

/// What `solve --json --witness` printed, as far as the proof is about it.
#[derive(Deserialize)]
struct AnswerFile {
    cost_names: Vec<String>,
    directions: Vec<String>,
    budgets: Vec<Option<f64>>,
    criterion: String,
    discount: Option<f64>,
    horizon: Option<usize>,
    until: Option<Vec<String>>,
    reward: Option<String>,
    #[serde(default)]
    normalise: bool,
    options: Map<String, Value>,
    model_hash: String,
    scope: String,
    from_state: Option<String>,
    verdict: String,
    gain: Option<f64>,
    gap: Option<f64>,
    costs: Option<Vec<f64>>,
    gain_range: Option<(f64, f64)>,
    cost_ranges: Option<Vec<(f64, f64)>>,
    policies: Vec<PolicyRows>,
    #[serde(default)]
    deterministic: bool,
    #[serde(default)]
    gap_deterministic: Option<f64>,
    #[serde(default)]
    gain_with_lotteries: Option<f64>,
    witness: Option<Witness>,
}

/// A policy of the answer.
#[derive(Deserialize)]
struct PolicyRows {
    weight: f64,
    #[serde(default)]
    rows: Rows,
    /// For episodes, one list of rows for each stage.
    #[serde(default)]
    stages: Vec<Rows>,
}

/// Lists of numbers one after the other in one list, with the end of each: ten million lists of their own would take a gigabyte.
#[derive(Default)]
struct Rows {
    values: Vec<f64>,
    ends: Vec<usize>,
}

impl<'de> Deserialize<'de> for Rows {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Rows, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Rows;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of lists of numbers")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> std::result::Result<Rows, A::Error> {
                let mut all = Rows::default();
                while let Some(row) = rows.next_element::<Vec<f64>>()? {
                    all.values.extend(row);
                    all.ends.push(all.values.len());
                }
                Ok(all)
            }
        }
        from.deserialize_seq(Reader)
    }
}

/// Runs the command.
pub fn run(args: &Verify) -> Result<()> {
    let mut answer = read(args)?;
    if answer.verdict == "infeasible" && answer.gain_with_lotteries.is_some() {
        let what = "that no policy without lotteries meets the budgets rests on the search for one";
        return Err(Failure::Unproved(format!("{} is not proved: {what}", args.answer.display())));
    }
    let Some(witness) = answer.witness.take() else {
        return wrong(format!(
            "{} has no witness: print the answer with `solve --json --witness`",
            args.answer.display()
        ));
    };
    let source = source::open(&answer.question(&args.source)?)?;
    let unproved =
        |what: String| Failure::Unproved(format!("{} is not proved: {what}", args.answer.display()));
    if source.model.fingerprint() != answer.model_hash {
        return Err(unproved(format!("it is about another model than {}", args.source)));
    }
    let policies = answer.take_policies(&source)?;
    let weighted: Vec<(f64, &Policy)> = policies.iter().map(|(weight, policy)| (*weight, policy)).collect();
    let (criterion, origin) = (answer.criterion(&source)?, answer.origin(&source)?);
    let proof = prove(&source.model, &criterion, origin, &weighted, &witness)
        .map_err(|why| unproved(why.to_string()))?;
    let missing = answer.claims(&source).unproved(&source.model, &proof);
    if !missing.is_empty() {
        return Err(unproved(missing.join("; ")));
    }
    let unproved = answer.unproved();
    let text = if args.json {
        json(&source, &proof, &unproved)
    } else {
        describe(args, &source, &proof)
            + &unproved.iter().map(|(_, what)| format!("{what}\n")).collect::<String>()
    };
    output::print(&text)
}

fn read(args: &Verify) -> Result<AnswerFile> {
    let path = &args.answer;
    let file = |source| Failure::Library(occupancy_lab::Error::File { path: path.clone(), source });
    let from = BufReader::with_capacity(1 << 16, File::open(path).map_err(file)?);
    let reading = || serde_json::from_reader(from);
    let words = |seconds: f64| format!("reading the answer, {seconds:.1} s; Ctrl-C ends it");
    let read = Work::on(format!("reading {}", path.display())).watched(words, |_| reading());
    read.or_else(|error: serde_json::Error| {
        if let Some(kind) = error.io_error_kind() {
            return Err(file(kind.into()));
        }
        wrong(format!("{}: {error}; expected what `solve --json --witness` prints", path.display()))
    })
}

impl AnswerFile {
    /// The question that was answered, of a model that may lie elsewhere by now.
    fn question(&self, source: &str) -> Result<SourceArgs> {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), String::from);
        let one = |((name, direction), budget): ((&String, &String), &Option<f64>)| {
            let (direction, no_constraint) = match direction.as_str() {
                ">=" => (Direction::AtLeast, f64::NEG_INFINITY),
                _ => (Direction::AtMost, f64::INFINITY),
            };
            Constraint { name: name.clone(), direction, budget: budget.unwrap_or(no_constraint) }
        };
        if self.directions.len() != self.cost_names.len() || self.budgets.len() != self.cost_names.len() {
            return wrong("the answer does not have a direction and a budget for every cost");
        }
        Ok(SourceArgs {
            source: source.to_string(),
            format: None,
            normalise: self.normalise,
            budget: Vec::new(),
            cost: self.cost_names.iter().zip(&self.directions).zip(&self.budgets).map(one).collect(),
            reward: self.reward.clone(),
            slip: None,
            bump_cost: None,
            states: None,
            set: self.options.iter().map(|(key, value)| (key.clone(), text(value))).collect(),
        })
    }

    /// The policies, which are taken out of the answer.
    fn take_policies(&mut self, source: &Source) -> Result<Vec<(f64, Policy)>> {
        let model = &source.model;
        let fits =
            |rows: &Rows| rows.ends.iter().copied().eq((0..model.states()).map(|s| model.pairs_of(s).end));
        let policy = |one: PolicyRows| {
            let PolicyRows { weight, rows, mut stages } = one;
            if stages.is_empty() {
                stages.push(rows);
            }
            if !stages.iter().all(fits) {
                return wrong("a policy of the answer does not have a number for every action of the model");
            }
            let count = stages.len();
            let all = stages.into_iter().map(|rows| rows.values).reduce(|mut all, more| {
                all.extend(more);
                all
            });
            Ok((weight, Policy::unchecked(all.unwrap_or_default(), count)))
        };
        std::mem::take(&mut self.policies).into_iter().map(policy).collect()
    }

    /// What is made of rewards and costs over time.
    fn criterion(&self, source: &Source) -> Result<Criterion> {
        let args = CriterionArgs {
            discount: self.discount,
            horizon: self.horizon,
            until: self.until.clone().unwrap_or_default(),
        };
        let criterion = source::criterion(&args, source)?;
        if criterion.name() != self.criterion {
            let (said, given) = (seen(&self.criterion), criterion.name());
            return wrong(format!("the answer says that its criterion is {said}, and gives {given}"));
        }
        Ok(criterion)
    }

    fn origin(&self, source: &Source) -> Result<Origin> {
        let model = &source.model;
        match (self.scope.as_str(), &self.from_state) {
            ("start", _) => Ok(Origin::Start),
            ("anywhere", _) => Ok(Origin::Anywhere),
            ("state", Some(name)) => match (0..model.states()).find(|&s| model.names().state(s) == *name) {
                Some(state) => Ok(Origin::State(state)),
                None => {
                    wrong(format!("the answer is about state {}, which the model does not have", seen(name)))
                }
            },
            (scope, _) => {
                wrong(format!("the answer has the scope {}, expected start, anywhere or state", seen(scope)))
            }
        }
    }

    /// What the answer says that no witness proves: the key and the sentence.
    fn unproved(&self) -> Vec<(&'static str, String)> {
        let Some(gap) = self.gap_deterministic.filter(|_| self.deterministic) else { return Vec::new() };
        let more = if gap > 0.0 { format!(" by more than {}", rough(gap)) } else { String::new() };
        let what = format!(
            "not proved, but found by a search: no policy without lotteries is better{more} (gap_deterministic)"
        );
        vec![("gap_deterministic", what)]
    }

    /// What the answer claims, in the signs of the planner.
    fn claims(&self, source: &Source) -> Claims {
        if self.verdict == "infeasible" {
            return Claims::Infeasible;
        }
        let sign = |i: usize| source.costs.get(i).map_or(1.0, |cost| cost.direction.shown(1.0));
        let costs = self.costs.iter().flatten().enumerate().map(|(i, cost)| sign(i) * cost);
        let range = |(i, &(low, high)): (usize, &(f64, f64))| {
            if sign(i) < 0.0 { (0.0 - high, 0.0 - low) } else { (low, high) }
        };
        Claims::Feasible {
            gain: self.gain.unwrap_or(f64::NAN),
            gap: self.gap.unwrap_or(f64::NAN),
            costs: costs.collect(),
            gain_range: self.gain_range.unwrap_or((f64::NAN, f64::NAN)),
            cost_ranges: self.cost_ranges.iter().flatten().enumerate().map(range).collect(),
        }
    }
}

/// What was proved, for programs.
fn json(source: &Source, proof: &Proof, unproved: &[(&'static str, String)]) -> String {
    let mut found = json!({ "proved": true, "infeasible": proof.excess.is_some() });
    if !unproved.is_empty() {
        found["unproved"] = json!(unproved.iter().map(|(key, _)| key).collect::<Vec<_>>());
    }
    if proof.excess.is_none() {
        found["gain_at_least"] = json!(proof.gain.low);
        found["optimum_at_most"] = json!(proof.optimum);
        let most = |(i, cost): (usize, &Interval)| source.shown(i, cost.high);
        found["cost_bounds"] = json!(proof.costs.iter().enumerate().map(most).collect::<Vec<f64>>());
        let missed = proof.costs.iter().enumerate().map(|(i, &cost)| missed(&source.model, i, cost));
        found["budgets_missed_by"] = json!(missed.collect::<Vec<f64>>());
    }
    format!("{found}\n")
}

/// What was proved, in words.
fn describe(args: &Verify, source: &Source, proof: &Proof) -> String {
    let mut text = format!(
        "{}: proved, without a planner and in arithmetic that rounds outward\n\n",
        args.answer.display()
    );
    if let Some(excess) = proof.excess {
        text += "no policy meets the budgets\n";
        return text + &format!("at its weights every policy exceeds them by at least {}\n", rough(excess));
    }
    text += &format!("the policies earn at least {}\n", proof.gain.low);
    text += &format!("no policy within the budgets earns more than {}\n", proof.optimum);
    for (i, cost) in proof.costs.iter().enumerate() {
        let label = &source.costs[i];
        let side = if label.direction == Direction::AtLeast { "at least" } else { "at most" };
        let budget = missed(&source.model, i, *cost);
        let over = if budget > 0.0 {
            format!(", missing its budget by {} at most", rough(budget))
        } else {
            String::new()
        };
        text += &format!("their `{}` is {side} {}{over}\n", label.name, source.shown(i, cost.high));
    }
    text
}
