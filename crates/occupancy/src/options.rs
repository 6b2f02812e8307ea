//! Options of environments and learners: declared once, each with its meaning, default and range, and read from experiment files
//! (by serde) or from `key=value` texts of a command line.

use crate::error::{Error, Result};
use serde::Deserialize;
use std::path::PathBuf;

/// An option of an environment or a learner, as shown to its user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionInfo {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub about: &'static str,
    /// Its value, as it would be written.
    pub value: String,
    /// The values it takes.
    pub expected: &'static str,
    /// How a value is written in an experiment file.
    pub form: Form,
    /// Whether the value is one of them.
    pub(crate) in_range: bool,
}

/// How a value is written where numbers, words and lists are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `true` or `false`.
    Flag,
    /// A whole number.
    Count,
    /// A number.
    Number,
    /// A number or a list of numbers.
    Numbers,
    /// A text.
    Word,
    /// A number, or a text that is none.
    NumberOrWord,
    /// A whole number, or a text that is no number.
    CountOrWord,
}

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

/// A value of an option that can be written as text.
pub(crate) trait OptionValue: Sized {
    /// How it is written in an experiment file.
    const FORM: Form;
    /// The value a text stands for.
    fn parse(text: &str) -> Option<Self>;
    /// The text that stands for the value.
    fn show(&self) -> String;
    /// Adds a value given later; `false` where an option takes only one.
    fn add(&mut self, _later: Self) -> bool {
        false
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

/// Sets an option's value from a text, or appends to it when it has been set before.
pub(crate) fn assign<T: OptionValue>(
    value: &mut T,
    option: &'static str,
    text: &str,
    expected: &'static str,
    again: bool,
) -> Result<()> {
    let wrong = || Error::Option { option, value: text.to_string(), expected };
    let given = T::parse(text).ok_or_else(wrong)?;
    if !again {
        *value = given;
    } else if !value.add(given) {
        return Err(Error::OptionTwice { option });
    }
    Ok(())
}

/// Declares the options of an environment or a learner: for each its meaning, type, default, and the values it takes in words
/// and as a predicate.
macro_rules! options {
    (
        $(#[$meta:meta])*
        pub struct $options:ident {
            $(
                $(#[doc = $about:literal])+
                $field:ident: $kind:ty = $default:expr, $expected:literal => $in_range:expr;
            )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $options {
            $($(#[doc = $about])+ pub $field: $kind,)+
        }

        impl Default for $options {
            fn default() -> $options {
                $options { $($field: $default,)+ }
            }
        }

        impl $options {
            /// Every option with its present value.
            pub(crate) fn infos(&self) -> Vec<$crate::options::OptionInfo> {
                use $crate::options::OptionValue;
                fn form<T: OptionValue>(_: &T) -> $crate::options::Form {
                    T::FORM
                }
                fn in_range<T>(value: &T, accepts: impl Fn(&T) -> bool) -> bool {
                    accepts(value)
                }
                vec![$($crate::options::OptionInfo {
                    name: stringify!($field),
                    about: concat!($($about),+).trim_ascii(),
                    value: self.$field.show(),
                    expected: $expected,
                    form: form(&self.$field),
                    in_range: in_range(&self.$field, $in_range),
                }),+]
            }

            /// Sets an option from a text; `again` when it has been set before. `None` where there is no such option.
            pub(crate) fn set(&mut self, option: &str, text: &str, again: bool) -> Option<$crate::error::Result<()>> {
                use $crate::options::assign;
                match option {
                    $(stringify!($field) => {
                        Some(assign(&mut self.$field, stringify!($field), text, $expected, again))
                    })+
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use options;

/// Declares an option that is one of a few words, each with its meaning.
macro_rules! words {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $($(#[$about:meta])* $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$about])* $variant,)+
        }

        impl $crate::options::OptionValue for $name {
            const FORM: $crate::options::Form = $crate::options::Form::Word;

            fn parse(text: &str) -> Option<$name> {
                match text {
                    $($word => Some($name::$variant),)+
                    _ => None,
                }
            }
            fn show(&self) -> String {
                match self {
                    $($name::$variant => $word.to_string(),)+
                }
            }
        }

        $crate::options::read_as_text!($name);
    };
}

pub(crate) use words;

/// Lets serde read an option that is written as a text.
macro_rules! read_as_text {
    ($name:ident) => {
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> std::result::Result<$name, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(from)?;
                let wrong = || serde::de::Error::custom(format!("{text} is not a value of this option"));
                <$name as $crate::options::OptionValue>::parse(&text).ok_or_else(wrong)
            }
        }
    };
}

pub(crate) use read_as_text;

#[cfg(test)]
mod tests {
    use super::*;

    options! {
        /// Options for the tests below.
        pub struct Sample {
            /// A share
            /// of something.
            share: f64 = 0.5, "a number from 0 to 1" => |x| (0.0..=1.0).contains(x);
            /// Budgets.
            budget: Budgets = Budgets::default(), "numbers" => Budgets::in_range;
            /// A flag.
            flag: Option<bool> = None, "true or false" => |_| true;
        }
    }

    #[test]
    fn an_option_is_described_by_its_declaration() {
        let infos = Sample::default().infos();
        assert_eq!(infos.iter().map(|info| info.name).collect::<Vec<_>>(), ["share", "budget", "flag"]);
        assert_eq!(infos.iter().map(|info| info.value.as_str()).collect::<Vec<_>>(), ["0.5", "own", "own"]);
        assert_eq!(infos[0].about, "A share of something.");
        assert!(infos.iter().all(|info| info.in_range));
        let wrong = Sample { share: f64::NAN, budget: Budgets(vec![0.1, f64::NAN]), flag: None };
        let in_range: Vec<bool> = wrong.infos().iter().map(|info| info.in_range).collect();
        assert_eq!(in_range, [false, false, true]);
    }

    #[test]
    fn texts_become_values_and_lists_grow() {
        let mut options = Sample::default();
        options.set("share", "1e-1", false).unwrap().unwrap();
        options.set("budget", "0.1, inf", false).unwrap().unwrap();
        options.set("budget", "3", true).unwrap().unwrap();
        options.set("flag", "false", false).unwrap().unwrap();
        let expected =
            Sample { share: 0.1, budget: Budgets(vec![0.1, f64::INFINITY, 3.0]), flag: Some(false) };
        assert_eq!(options, expected);
        assert_eq!(options.infos()[1].value, "0.1,inf,3");
        assert!(options.set("shares", "1", false).is_none());
        let wrong = options.set("share", "half", false).unwrap().unwrap_err();
        assert_eq!(wrong.to_string(), "share is half, expected a number from 0 to 1");
        let twice = options.set("share", "0.2", true).unwrap().unwrap_err();
        assert_eq!(twice.to_string(), "option share is given twice");
    }

    #[test]
    fn a_budget_is_a_number_or_a_list() {
        let read = |text: &str| serde_json::from_str::<Sample>(text);
        assert_eq!(read(r#"{"budget": 1}"#).unwrap().budget, Budgets(vec![1.0]));
        assert_eq!(read(r#"{"budget": [0.5, 1]}"#).unwrap().budget, Budgets(vec![0.5, 1.0]));
        assert_eq!(read("{}").unwrap(), Sample::default());
        let wrong = read(r#"{"budget": "much"}"#).unwrap_err().to_string();
        assert!(wrong.contains("a number or a list of numbers"), "{wrong}");
        let unknown = read(r#"{"slip": 1}"#).unwrap_err().to_string();
        assert!(unknown.contains("unknown field `slip`, expected one of `share`"), "{unknown}");
    }
}
