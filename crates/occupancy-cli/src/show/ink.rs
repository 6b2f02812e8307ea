//! Bold, dim and colours, where the terminal wants them.

use std::io::IsTerminal;

/// Ends every paint.
const PLAIN: &str = "\x1b[0m";

/// Paints text, or leaves it plain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ink {
    on: bool,
}

/// How text is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Heavier.
    Bold,
    /// Fainter.
    Dim,
    /// The start, and good news.
    Green,
    /// Risk.
    Purple,
    /// The box.
    Blue,
    /// Bad news.
    Red,
}

impl Ink {
    /// Colours if stdout is a terminal and `NO_COLOR` is not set.
    pub fn for_stdout() -> Ink {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Ink { on: std::io::stdout().is_terminal() && !refused }
    }

    /// The text in this paint.
    pub fn paint(self, paint: Paint, text: &str) -> String {
        let code = match paint {
            Paint::Bold => "\x1b[1m",
            Paint::Dim => "\x1b[2m",
            Paint::Green => "\x1b[32m",
            Paint::Purple => "\x1b[35m",
            Paint::Blue => "\x1b[34m",
            Paint::Red => "\x1b[31m",
        };
        if self.on { format!("{code}{text}{PLAIN}") } else { text.to_string() }
    }

    /// How many bytes of a text are a code that begins or ends a paint; none where there are no colours.
    pub fn code(self, text: &str) -> Option<usize> {
        let codes = ["\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[35m", "\x1b[34m", "\x1b[31m", PLAIN];
        codes.into_iter().find(|code| self.on && text.starts_with(code)).map(str::len)
    }

    /// Colours in any case.
    #[cfg(test)]
    pub fn always() -> Ink {
        Ink { on: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_plain_without_a_terminal() {
        assert_eq!(Ink::default().paint(Paint::Red, "x"), "x");
        assert_eq!(Ink { on: true }.paint(Paint::Red, "x"), "\x1b[31mx\x1b[0m");
    }
}
