//! A line of the text format as words: names, numbers and the marks `,` `(` `)`; the grammar is at the head of
//! [`super`].

use crate::error::{Error, LineProblem, Result};
use crate::model::format::ReadOptions;
use crate::model::format::lines::{expected, number, probability};

/// The words of one line that are still to be read.
pub(super) struct Words<'a> {
    /// The line's number.
    pub line: usize,
    rest: &'a str,
}

impl<'a> Words<'a> {
    /// The words of a line, without its comment.
    pub fn of(line: usize, text: &'a str) -> Words<'a> {
        let text = text.split_once('#').map_or(text, |(text, _)| text);
        Words { line, rest: text.trim() }
    }

    /// What is still to be read.
    pub fn text(&self) -> &'a str {
        self.rest
    }

    /// Every line of a text, numbered from 1, that has words.
    pub fn of_lines(text: &'a str) -> impl Iterator<Item = Words<'a>> {
        let lines = text.lines().enumerate().map(|(index, text)| Words::of(index + 1, text));
        lines.filter(|words| !words.rest.is_empty())
    }

    /// Whether the arrow of an action is among the words.
    pub fn have_arrow(&self) -> bool {
        self.rest.contains("->") && Words { line: self.line, rest: self.rest }.any(|word| word == "->")
    }

    /// The next word, which stays.
    pub fn peek(&self) -> Option<&'a str> {
        let mark = |c: char| matches!(c, ',' | '(' | ')');
        let first = self.rest.chars().next()?;
        let ends = |c: char| c.is_whitespace() || mark(c);
        let length = if mark(first) { 1 } else { self.rest.find(ends).unwrap_or(self.rest.len()) };
        self.rest.get(..length)
    }

    /// Takes the next word if it is this one.
    pub fn accept(&mut self, word: &str) -> bool {
        let found = self.peek() == Some(word);
        if found {
            self.next();
        }
        found
    }

    /// Takes the next word, which must be this one.
    pub fn require(&mut self, word: &str, wanted: &str) -> Result<()> {
        if self.accept(word) { Ok(()) } else { Err(self.wrong(wanted)) }
    }

    /// Takes a name.
    pub fn name(&mut self, what: &str) -> Result<&'a str> {
        match self.peek() {
            None | Some("->" | "," | "(" | ")") => Err(self.wrong(what)),
            Some(name) => {
                self.next();
                Ok(name)
            }
        }
    }

    /// Takes a finite number.
    pub fn number(&mut self, what: &str) -> Result<f64> {
        let value = self.peek().and_then(number).ok_or_else(|| self.wrong(what))?;
        self.next();
        Ok(value)
    }

    /// Takes a probability.
    pub fn probability(&mut self, what: &str, options: ReadOptions) -> Result<f64> {
        let found = self.peek().and_then(|word| probability(word, options));
        let value = found.ok_or_else(|| self.wrong(what))?;
        self.next();
        Ok(value)
    }

    /// Takes the end of the line.
    pub fn end(&self, wanted: &str) -> Result<()> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.wrong(wanted)) }
    }

    /// The error that something else was expected here.
    pub fn wrong(&self, wanted: &str) -> Error {
        match self.peek() {
            Some(word) => expected(self.line, wanted, word),
            None => {
                let (wanted, found) = (wanted.to_string(), "the end of the line".to_string());
                Error::Line { line: self.line, problem: LineProblem::Expected { expected: wanted, found } }
            }
        }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.rest = self.rest.get(word.len()..).unwrap_or("").trim_start();
        Some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_words_of_their_own() {
        let words: Vec<&str> = Words::of(1, " run heat 1 -> a 0.5(reward 4),b 0.5 # a,b").collect();
        let wanted = ["run", "heat", "1", "->", "a", "0.5", "(", "reward", "4", ")", ",", "b", "0.5"];
        assert_eq!(words, wanted);
    }

    #[test]
    fn an_arrow_inside_a_name_is_none() {
        assert!(!Words::of(1, "a->b reward 1").have_arrow());
        assert!(Words::of(1, "a->b reward 1 -> c").have_arrow());
    }
}
