//! Bold, dim and colours, where the terminal wants them.

use std::io::IsTerminal;

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
            Paint::Bold => "1",
            Paint::Dim => "2",
            Paint::Green => "32",
            Paint::Purple => "35",
            Paint::Blue => "34",
            Paint::Red => "31",
        };
        if self.on { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
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
