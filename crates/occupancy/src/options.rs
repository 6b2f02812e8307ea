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
    pub in_range: bool,
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
pub trait OptionValue: Sized {
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

/// What [`options!`](crate::options!) says of one option.
#[doc(hidden)]
pub fn info<T: OptionValue>(
    name: &'static str,
    about: &'static str,
    expected: &'static str,
    value: &T,
    accepts: impl Fn(&T) -> bool,
) -> OptionInfo {
    let (shown, form, in_range) = (value.show(), T::FORM, accepts(value));
    OptionInfo { name, about, value: shown, expected, form, in_range }
}

/// Sets an option's value from a text, or appends to it if it has been set before.
#[doc(hidden)]
pub fn assign<T: OptionValue>(
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

/// A set of options: each is described, and set from a text. [`options!`](crate::options!) implements it.
pub trait Options {
    /// Every option with its present value, in the order of declaration.
    fn infos(&self) -> Vec<OptionInfo>;

    /// Sets an option from a text; `again` if it has been set before, so that a list grows. `None` if there is no such option.
    fn assign(&mut self, option: &str, text: &str, again: bool) -> Option<Result<()>>;

    /// The error of the first option whose value is outside its range.
    fn check_ranges(&self) -> Result<()> {
        match self.infos().into_iter().find(|option| !option.in_range) {
            Some(OptionInfo { name: option, value, expected, .. }) => {
                Err(Error::Option { option, value, expected })
            }
            None => Ok(()),
        }
    }
}

/// Declares a struct of options and implements [`Options`](crate::options::Options): for each option its meaning, type, default, and
/// the values it takes in words and as a predicate. A line `with field: Group = default;` takes in a group of options that is
/// declared elsewhere; groups stand together, with options before and after them.
///
/// ```
/// occupancy::options! {
///     /// The options of a learner that explores now and then.
///     pub struct Greedy {
///         /// How often any action is taken.
///         share: f64 = 0.1, "a number from 0 to 1" => |share| (0.0..=1.0).contains(share);
///     }
/// }
///
/// use occupancy::options::Options;
/// let mut options = Greedy::default();
/// options.assign("share", "0.5", false).unwrap().unwrap();
/// assert_eq!(options.infos()[0].value, "0.5");
/// ```
#[macro_export]
macro_rules! options {
    (
        $(#[$meta:meta])*
        pub struct $options:ident {
            $(
                $(#[doc = $about:literal])+
                $field:ident: $kind:ty = $default:expr, $expected:literal => $in_range:expr;
            )*
        }
    ) => {
        $crate::options! {
            $(#[$meta])*
            pub struct $options {
                $($(#[doc = $about])+ $field: $kind = $default, $expected => $in_range;)*
                with {}
            }
        }
    };
    (
        $(#[$meta:meta])*
        pub struct $options:ident {
            $(
                $(#[doc = $about:literal])+
                $field:ident: $kind:ty = $default:expr, $expected:literal => $in_range:expr;
            )*
            with { $($(#[doc = $group_about:literal])+ $group:ident: $group_kind:ty = $group_default:expr;)* }
            $(
                $(#[doc = $late_about:literal])+
                $late:ident: $late_kind:ty = $late_default:expr, $late_expected:literal => $late_in_range:expr;
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $options {
            $($(#[doc = $about])+ pub $field: $kind,)*
            $($(#[doc = $group_about])+ pub $group: $group_kind,)*
            $($(#[doc = $late_about])+ pub $late: $late_kind,)*
        }

        impl Default for $options {
            fn default() -> $options {
                $options {
                    $($field: $default,)*
                    $($group: $group_default,)*
                    $($late: $late_default,)*
                }
            }
        }

        impl $crate::options::Options for $options {
            fn infos(&self) -> Vec<$crate::options::OptionInfo> {
                [
                    vec![$($crate::options::info(
                        stringify!($field),
                        concat!($($about),+).trim_ascii(),
                        $expected,
                        &self.$field,
                        $in_range,
                    )),*],
                    $($crate::options::Options::infos(&self.$group),)*
                    vec![$($crate::options::info(
                        stringify!($late),
                        concat!($($late_about),+).trim_ascii(),
                        $late_expected,
                        &self.$late,
                        $late_in_range,
                    )),*],
                ]
                .concat()
            }

            fn assign(&mut self, option: &str, text: &str, again: bool) -> Option<$crate::Result<()>> {
                $(if option == stringify!($field) {
                    return Some($crate::options::assign(&mut self.$field, stringify!($field), text, $expected, again));
                })*
                $(if let Some(assigned) = $crate::options::Options::assign(&mut self.$group, option, text, again) {
                    return Some(assigned);
                })*
                $(if option == stringify!($late) {
                    return Some($crate::options::assign(&mut self.$late, stringify!($late), text, $late_expected, again));
                })*
                let _ = (option, text, again);
                None
            }
        }
    };
}

/// Declares an option that is one of a few words, each with its meaning.
#[macro_export]
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
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    options! {
        /// A group of options.
        pub struct Group {
            /// An inner one.
            inner: u64 = 3, "a count of at least 1" => |inner| *inner >= 1;
        }
    }

    options! {
        /// Options before, in and after a group.
        pub struct Grouped {
            /// The first.
            first: f64 = 0.0, "a number" => |_| true;
            with {
                /// The group.
                group: Group = Group { inner: 7 };
            }
            /// The last.
            last: bool = false, "true or false" => |_| true;
        }
    }

    #[test]
    fn groups_are_described_and_set_like_options_of_their_own() {
        let mut options = Grouped::default();
        let shown = |options: &Grouped| {
            options.infos().into_iter().map(|info| (info.name, info.value)).collect::<Vec<_>>()
        };
        let expected = [("first", "0"), ("inner", "7"), ("last", "false")];
        assert_eq!(shown(&options), expected.map(|(name, value)| (name, value.to_string())));
        options.assign("inner", "0", false).unwrap().unwrap();
        options.assign("last", "true", false).unwrap().unwrap();
        assert_eq!((options.group.inner, options.last), (0, true));
        let refused = options.check_ranges().unwrap_err().to_string();
        assert_eq!(refused, "inner is 0, expected a count of at least 1");
        assert!(options.assign("outer", "1", false).is_none());
    }

    options! {
        /// Options for the tests below.
        #[derive(Deserialize)]
        #[serde(default, deny_unknown_fields)]
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
        options.assign("share", "1e-1", false).unwrap().unwrap();
        options.assign("budget", "0.1, inf", false).unwrap().unwrap();
        options.assign("budget", "3", true).unwrap().unwrap();
        options.assign("flag", "false", false).unwrap().unwrap();
        let expected =
            Sample { share: 0.1, budget: Budgets(vec![0.1, f64::INFINITY, 3.0]), flag: Some(false) };
        assert_eq!(options, expected);
        assert_eq!(options.infos()[1].value, "0.1,inf,3");
        assert!(options.assign("shares", "1", false).is_none());
        let wrong = options.assign("share", "half", false).unwrap().unwrap_err();
        assert_eq!(wrong.to_string(), "share is half, expected a number from 0 to 1");
        let twice = options.assign("share", "0.2", true).unwrap().unwrap_err();
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
