//! The values that options have: numbers, flags, paths, lists, budgets.

use super::{Form, OptionValue};
use crate::error::{Error, Result};
use serde::Deserialize;
use std::path::PathBuf;

/// Budgets of the costs, one number or a list; empty stands for the environment's own.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(from = "OneOrMany")]
pub struct Budgets(pub Vec<f64>);

#[derive(Deserialize)]
#[serde(untagged, expecting = "a budget: a number or a list of numbers")]
enum OneOrMany {
    One(f64),
    Many(Vec<f64>),
}

impl From<OneOrMany> for Budgets {
    fn from(given: OneOrMany) -> Budgets {
        match given {
            OneOrMany::One(budget) => Budgets(vec![budget]),
            OneOrMany::Many(budgets) => Budgets(budgets),
        }
    }
}

impl Budgets {
    /// These budgets, or the environment's own where none are given; an error where their number differs.
    pub fn or(&self, own: &[f64]) -> Result<Vec<f64>> {
        match self.0.len() {
            0 => Ok(own.to_vec()),
            found if found == own.len() => Ok(self.0.clone()),
            found => Err(Error::BudgetCount { found, expected: own.len() }),
        }
    }

    /// Whether every budget is a number that a cost can be compared with.
    pub fn in_range(&self) -> bool {
        self.0.iter().all(|&budget| budget > f64::NEG_INFINITY)
    }
}

macro_rules! plain_values {
    ($($kind:ty: $form:ident),+) => {$(
        impl OptionValue for $kind {
            const FORM: Form = Form::$form;
            fn parse(text: &str) -> Option<$kind> {
                text.trim().parse().ok()
            }
            fn show(&self) -> String {
                self.to_string()
            }
        }
    )+};
}

plain_values!(f64: Number, usize: Count, u64: Count, bool: Flag);

impl OptionValue for PathBuf {
    const FORM: Form = Form::Word;

    fn parse(text: &str) -> Option<PathBuf> {
        Some(PathBuf::from(text))
    }

    fn show(&self) -> String {
        self.display().to_string()
    }
}

/// Numbers separated by commas; given again, they are appended.
impl OptionValue for Vec<f64> {
    const FORM: Form = Form::Numbers;

    fn parse(text: &str) -> Option<Vec<f64>> {
        text.split(',').map(f64::parse).collect()
    }

    fn show(&self) -> String {
        self.iter().map(f64::to_string).collect::<Vec<_>>().join(",")
    }

    fn add(&mut self, later: Vec<f64>) -> bool {
        self.extend(later);
        true
    }
}

impl OptionValue for Budgets {
    const FORM: Form = Form::Numbers;

    fn parse(text: &str) -> Option<Budgets> {
        Vec::parse(text).map(Budgets)
    }

    fn show(&self) -> String {
        if self.0.is_empty() { "own".to_string() } else { self.0.show() }
    }

    fn add(&mut self, later: Budgets) -> bool {
        self.0.add(later.0)
    }
}

impl<T: OptionValue> OptionValue for Option<T> {
    const FORM: Form = T::FORM;

    fn parse(text: &str) -> Option<Option<T>> {
        T::parse(text).map(Some)
    }

    fn show(&self) -> String {
        self.as_ref().map_or_else(|| "own".to_string(), T::show)
    }
}
