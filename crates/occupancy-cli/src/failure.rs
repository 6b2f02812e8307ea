//! Why a command stops early: wrong use, an error of the library, too little time, or a reader that has gone.

use clap::error::{ContextKind, ContextValue};
use occupancy_lab::Error;
use occupancy_lab::error::KeyProblem;
use std::ffi::OsString;
use std::fmt;

/// The result of everything that can stop a command.
pub type Result<T> = std::result::Result<T, Failure>;

/// Why a command stops early.
#[derive(Debug)]
pub enum Failure {
    /// What was asked for does not make sense; the text says what would.
    Use(String),
    /// The library refuses, e.g. a file with a mistake in it.
    Library(Error),
    /// Stored results are not what was written; the text names the files.
    Damaged(String),
    /// A search was stopped before it had anything to show; the text says by what.
    Stopped(String),
    /// A proof does not hold; the text says what is not proved.
    Unproved(String),
    /// A signal ended what has nothing to show before its end; the text says how far it came.
    Interrupted {
        /// What to say.
        text: String,
        /// The signal's number.
        signal: u8,
    },
    /// Nobody reads the output any more (`occupancy envs | head -1`): no reason to complain.
    Closed,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Use(text)
            | Failure::Damaged(text)
            | Failure::Stopped(text)
            | Failure::Unproved(text)
            | Failure::Interrupted { text, .. } => f.write_str(text),
            Failure::Library(error) => write!(f, "{error}{}", probably_meant(error)),
            Failure::Closed => f.write_str("the output was closed"),
        }
    }
}

impl Failure {
    /// 1 where the use was right but the work was not done or what is stored is damaged, 2 for wrong use, 128 + signal where
    /// a signal ended it.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Closed => 0,
            Failure::Stopped(_) | Failure::Damaged(_) | Failure::Unproved(_) => 1,
            Failure::Library(error) if error.is_damage() => 1,
            Failure::Interrupted { signal, .. } => 128 + signal,
            Failure::Use(_) | Failure::Library(_) => 2,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Library(error)
    }
}

impl From<occupancy::Error> for Failure {
    fn from(error: occupancy::Error) -> Failure {
        Failure::Library(error.into())
    }
}

/// What was probably meant by a name that nobody has, to be said after the error.
fn probably_meant(error: &Error) -> String {
    let hint = |name: &str, known: &[&str]| {
        nearest(name, known.iter().copied()).map(|near| format!("; did you mean {near}?")).unwrap_or_default()
    };
    match error {
        Error::InFile { source, .. } | Error::AtLine { source, .. } => probably_meant(source),
        Error::Key { problem: KeyProblem::Unknown { key, known, .. } } => {
            hint(key, &known.split(", ").collect::<Vec<&str>>())
        }
        Error::Model(error) => {
            let mut inner = error;
            while let occupancy::Error::InFile { source, .. } | occupancy::Error::AtLine { source, .. } =
                inner
            {
                inner = source;
            }
            match inner {
                occupancy::Error::Unknown { name, known, .. }
                | occupancy::Error::UnknownOption { option: name, known, .. } => {
                    hint(name, &known.iter().map(String::as_str).collect::<Vec<&str>>())
                }
                _ => String::new(),
            }
        }
        _ => String::new(),
    }
}

/// Wrong use, in words.
pub fn wrong<T>(text: impl Into<String>) -> Result<T> {
    Err(Failure::Use(text.into()))
}

/// Makes a fault of the program one line on stderr instead of a stack trace.
pub fn say_faults_in_one_line() {
    std::panic::set_hook(Box::new(|fault| {
        let text = fault.payload().downcast_ref::<&str>().copied();
        let text = text
            .or_else(|| fault.payload().downcast_ref::<String>().map(String::as_str))
            .unwrap_or("unknown");
        let place = fault.location().map(|at| format!(" ({}:{})", at.file(), at.line())).unwrap_or_default();
        let text = text.lines().next().unwrap_or_default();
        crate::output::complain(&format!("a fault in occupancy, please report it: {text}{place}"));
    }));
}

/// What is wrong with the arguments `given`, without the lines on usage.
pub fn in_one_line(error: &clap::Error, given: impl IntoIterator<Item = OsString>) -> String {
    let text = error.to_string();
    if error.kind() == clap::error::ErrorKind::UnknownArgument {
        let no_number = |word: &str| word.starts_with('-') && word.parse().is_ok_and(|x: f64| !x.is_finite());
        let mut words = given.into_iter().filter_map(|word| word.into_string().ok());
        if let Some(word) = words.find(|word| no_number(word)) {
            return format!(
                "{word} cannot be used: expected a number, or inf for a cost without a constraint"
            );
        }
    }
    let is_said = |line: &&str| !line.starts_with("Usage:") && !line.starts_with("For more information");
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let mut said = String::new();
    let misleads = suggestion_misleads(error);
    let helps =
        |line: &&str| !(line.starts_with("tip: ") && (misleads || line.contains("' as a value, use '-- ")));
    for line in lines.iter().copied().take_while(is_said).filter(helps) {
        said.push_str(match line.strip_prefix("tip: ") {
            Some(_) => "; ",
            None if said.is_empty() => "",
            None => " ",
        });
        said.push_str(line.strip_prefix("tip: ").unwrap_or(line));
    }
    let hint = if lines.iter().any(|line| line.starts_with("Usage:")) { " (see --help)" } else { "" };
    said.strip_prefix("error: ").unwrap_or(&said).to_string() + hint
}

/// Whether what the parser suggests instead of an unknown word has little in common with it: `--discount` is not `--json`.
fn suggestion_misleads(error: &clap::Error) -> bool {
    let words = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => vec![word.clone()],
        Some(ContextValue::Strings(words)) => words.clone(),
        _ => Vec::new(),
    };
    let bare =
        |word: &String| word.trim_start_matches('-').split(['=', ' ']).next().unwrap_or("").to_string();
    let pairs = [
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        (ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand),
    ];
    pairs.into_iter().any(|(given, suggested)| {
        let suggested: Vec<String> = words(suggested).iter().map(bare).collect();
        let is_near = |given: &String| nearest(&bare(given), suggested.iter().map(String::as_str)).is_some();
        !suggested.is_empty() && !words(given).iter().any(is_near)
    })
}

/// A word as an error repeats it: one that is empty can be seen.
pub fn seen(word: &str) -> &str {
    if word.is_empty() { "''" } else { word }
}

/// The one of `known` that was probably meant.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let close = |other: &str| match strsim::osa_distance(&name, other) {
        // Short names are far apart by their common letters alone.
        0 | 1 if name.chars().count() > 1 => 1.0,
        _ => strsim::jaro_winkler(&name, other),
    };
    let known = known.into_iter().map(|other| (close(&other.to_lowercase()), other));
    let best = known.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 > 0.8).then_some(best.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_recognised_and_a_stranger_is_not() {
        let known = ["marsrover-4x4", "marsrover-8x8", "box"];
        assert_eq!(nearest("marsrover-4x5", known), Some("marsrover-4x4"));
        assert_eq!(nearest("Boxx", known), Some("box"));
        assert_eq!(
            (nearest("bx", known), nearest("b", known), nearest("", known)),
            (Some("box"), None, None)
        );
        assert_eq!(nearest("queue", known), None);
    }
}
