//! Options for tests, declared and set.

use super::*;
use crate::options;
use serde::Deserialize;

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
    let expected = Sample { share: 0.1, budget: Budgets(vec![0.1, f64::INFINITY, 3.0]), flag: Some(false) };
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
