//! Options of environments and learners: declared once, each with its meaning, default and range, and read from experiment files
//! (by serde) or from `key=value` texts of a command line.

mod declare;
#[cfg(test)]
mod tests;
mod values;

pub use values::Budgets;

use crate::error::{Error, Result};

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
