//! Constraints as they are written: `NAME<=BUDGET`, or `NAME>=X`, which is J(−c) ≤ −X for the planner.

use crate::failure::{Failure, Result, nearest, wrong};
use occupancy::model::{Bound, Cmdp};

/// On which side of its budget a cost has to stay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// J(c) ≤ τ.
    #[default]
    AtMost,
    /// J(c) ≥ τ; the planner is given −c and −τ.
    AtLeast,
}

/// A constraint from the command line.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// The cost's name.
    pub name: String,
    /// Its direction.
    pub direction: Direction,
    /// Its budget, as written.
    pub budget: f64,
}

/// How a cost of the planner's model is shown: its name, and its original direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostLabel {
    /// The name.
    pub name: String,
    /// The direction that was asked for.
    pub direction: Direction,
}

impl Direction {
    /// A value or a budget of the planner's model in the original sign.
    pub fn shown(self, x: f64) -> f64 {
        // Adding 0 turns −0 into 0.
        if self == Direction::AtLeast { 0.0 - x } else { x + 0.0 }
    }

    /// The bound of a cost that has to stay on this side of a number.
    pub fn bound(self, value: f64) -> Bound {
        if self == Direction::AtLeast { Bound::AtLeast(value) } else { Bound::AtMost(value) }
    }

    /// The sign between a cost and its budget.
    pub fn sign(self) -> &'static str {
        if self == Direction::AtLeast { "≥" } else { "≤" }
    }

    /// The same in ASCII.
    pub fn ascii(self) -> &'static str {
        if self == Direction::AtLeast { ">=" } else { "<=" }
    }
}

impl Constraint {
    /// Reads `NAME=BUDGET`, `NAME<=BUDGET` or `NAME>=X`.
    pub fn parse(text: &str) -> std::result::Result<Constraint, String> {
        let expected =
            || "expected NAME=BUDGET, 'NAME<=BUDGET' or 'NAME>=X', with a number or inf".to_string();
        let (left, right) = text.rsplit_once('=').ok_or_else(expected)?;
        let (name, direction) = match (left.strip_suffix('<'), left.strip_suffix('>')) {
            (Some(name), _) => (name, Direction::AtMost),
            (_, Some(name)) => (name, Direction::AtLeast),
            _ => (left, Direction::AtMost),
        };
        let budget: f64 = right.trim().parse().map_err(|_| expected())?;
        let no_constraint = if direction == Direction::AtLeast { f64::NEG_INFINITY } else { f64::INFINITY };
        if name.trim().is_empty() || !(budget.is_finite() || budget == no_constraint) {
            return Err(expected());
        }
        Ok(Constraint { name: name.trim().to_string(), direction, budget })
    }
}

/// The costs of a model as they are.
pub fn labels(model: &Cmdp) -> Vec<CostLabel> {
    let direction = |i| match model.bound(i) {
        Bound::AtMost(_) => Direction::AtMost,
        Bound::AtLeast(_) => Direction::AtLeast,
    };
    (0..model.costs()).map(|i| CostLabel { name: model.names().cost(i), direction: direction(i) }).collect()
}

/// The index of a cost by its name.
pub fn find_cost(labels: &[CostLabel], name: &str) -> Result<usize> {
    let found = labels.iter().position(|label| label.name == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = labels.iter().map(|label| label.name.as_str()).collect();
        let known = if names.is_empty() {
            "there are no costs".into()
        } else {
            format!("known: {}", names.join(", "))
        };
        let hint = nearest(name, names).map(|near| format!("; did you mean {near}?")).unwrap_or_default();
        Failure::Use(format!("unknown cost {name}; {known}{hint}"))
    })
}

/// The model with these constraints; costs that are not named keep their budgets.
pub fn apply(model: Cmdp, constraints: &[Constraint]) -> Result<(Cmdp, Vec<CostLabel>)> {
    let mut labels = labels(&model);
    let mut bounds: Vec<Bound> = (0..model.costs()).map(|i| model.bound(i)).collect();
    let mut given = vec![false; labels.len()];
    for constraint in constraints {
        let i = find_cost(&labels, &constraint.name)?;
        if std::mem::replace(&mut given[i], true) {
            return wrong(format!("--cost {} is given twice", constraint.name));
        }
        labels[i].direction = constraint.direction;
        bounds[i] = constraint.direction.bound(constraint.budget);
    }
    Ok((model.with_bounds(&bounds)?, labels))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    fn parse(text: &str) -> Option<(String, &'static str, f64)> {
        Constraint::parse(text).ok().map(|c| (c.name, c.direction.ascii(), c.budget))
    }

    #[test]
    fn constraints_are_read_in_three_forms() {
        assert_eq!(parse("risky=0.2"), Some(("risky".into(), "<=", 0.2)));
        assert_eq!(parse("risky <= 0.2"), Some(("risky".into(), "<=", 0.2)));
        assert_eq!(parse("a=b>=-1"), Some(("a=b".into(), ">=", -1.0)));
        assert_eq!(parse("risky=inf"), Some(("risky".into(), "<=", f64::INFINITY)));
        for bad in ["risky", "=1", "risky=", "risky=much", "risky=nan", "risky>=inf", "risky=-inf"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn at_least_negates_the_cost_for_the_planner_and_back_for_the_reader() {
        let model = fixture::rover().model;
        let before = model.signals().cost(0).to_vec();
        let (model, labels) = apply(model, &[Constraint::parse("risky>=0.1").unwrap()]).unwrap();
        assert_eq!(model.budgets(), [-0.1]);
        assert_eq!(labels[0].name, "risky");
        assert!(model.signals().cost(0).iter().zip(&before).all(|(a, b)| *a == -b));
        assert_eq!(labels[0].direction.shown(model.budgets()[0]), 0.1);
    }

    #[test]
    fn an_unknown_cost_and_one_given_twice_are_refused() {
        let apply = |list: &[&str]| {
            let list: Vec<Constraint> = list.iter().map(|text| Constraint::parse(text).unwrap()).collect();
            apply(fixture::rover().model, &list).unwrap_err().to_string()
        };
        assert_eq!(apply(&["rsky=1"]), "unknown cost rsky; known: risky; did you mean risky?");
        assert_eq!(apply(&["risky=1", "risky=2"]), "--cost risky is given twice");
    }
}
