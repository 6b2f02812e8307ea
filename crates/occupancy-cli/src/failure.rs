//! Why a command stops early: wrong use, an error of the library, too little time, or a reader that has gone.

use std::fmt;

/// The result of everything that can stop a command.
pub type Result<T> = std::result::Result<T, Failure>;

/// Why a command stops early.
#[derive(Debug)]
pub enum Failure {
    /// What was asked for does not make sense; the text says what would.
    Use(String),
    /// The library refuses, e.g. a file with a mistake in it.
    Library(occupancy::Error),
    /// A search was stopped before it had anything to show; the text says by what.
    Stopped(String),
    /// Nobody reads the output any more (`occupancy envs | head -1`): no reason to complain.
    Closed,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Use(text) | Failure::Stopped(text) => f.write_str(text),
            Failure::Library(error) => write!(f, "{error}"),
            Failure::Closed => f.write_str("the output was closed"),
        }
    }
}

impl Failure {
    /// 1 where the use was right but the work was not done, 2 for wrong use.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Closed => 0,
            Failure::Stopped(_) => 1,
            Failure::Use(_) | Failure::Library(_) => 2,
        }
    }
}

impl From<occupancy::Error> for Failure {
    fn from(error: occupancy::Error) -> Failure {
        Failure::Library(error)
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

/// The one of `known` that was probably meant.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let close = |other: &str| strsim::jaro_winkler(&name.to_lowercase(), &other.to_lowercase());
    let best = known.into_iter().map(|other| (close(other), other)).max_by(|a, b| a.0.total_cmp(&b.0))?;
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
        assert_eq!(nearest("queue", known), None);
    }
}
