//! A text block by block, each of whole lines, from a file or a stream that may be packed: a model of ten million states has
//! gigabytes of text, which need not be in memory beside it.

use super::stream::Unpacked;
use crate::error::{Error, LineProblem, Result};
use std::path::Path;

/// So many bytes are read at once; only a line that is longer makes a longer block.
const BLOCK: usize = 1 << 18;

/// The mark that some editors put in front of a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// What is left of a text.
pub(super) struct Blocks<'a> {
    from: Unpacked<'a>,
    bytes: Vec<u8>,
    /// How much of `bytes` has been handed out.
    given: usize,
    /// How many bytes and lines came before what is in `bytes`.
    position: usize,
    lines: usize,
    ended: bool,
}

impl<'a> Blocks<'a> {
    /// The text of a stream.
    pub fn of(from: Unpacked<'a>) -> Blocks<'a> {
        Blocks { from, bytes: Vec::new(), given: 0, position: 0, lines: 0, ended: false }
    }

    /// The lines of a text that is in memory already.
    pub fn of_text(text: &'a str) -> Result<Blocks<'a>> {
        Ok(Blocks::of(Unpacked::of(text.as_bytes(), Path::new(""), None)?))
    }

    /// The next lines and the number of the first of them, from 1; `None` at the end.
    pub fn next(&mut self) -> Result<Option<(usize, &str)>> {
        self.lines += self.bytes[..self.given].iter().filter(|&&byte| byte == b'\n').count();
        self.position += self.given;
        self.bytes.drain(..self.given);
        self.given = self.fill()?;
        let is_first = self.position == 0;
        let block = &self.bytes[..self.given];
        let text = std::str::from_utf8(block).map_err(|wrong| {
            let within = wrong.valid_up_to();
            let line = 1 + self.lines + block[..within].iter().filter(|&&byte| byte == b'\n').count();
            Error::Line { line, problem: LineProblem::NotText { position: self.position + within } }
        })?;
        let text = text.strip_prefix(BYTE_ORDER_MARK).filter(|_| is_first).unwrap_or(text);
        Ok((self.given > 0).then_some((1 + self.lines, text)))
    }

    /// Reads on until there is a whole line, or the end; returns where the last whole line ends.
    fn fill(&mut self) -> Result<usize> {
        let mut searched = 0;
        loop {
            if let Some(last) = self.bytes[searched..].iter().rposition(|&byte| byte == b'\n') {
                return Ok(searched + last + 1);
            }
            if self.ended {
                return Ok(self.bytes.len());
            }
            searched = self.bytes.len();
            self.ended = self.from.read_to(&mut self.bytes, BLOCK)? == 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    /// The lines of a text in pieces of so many bytes, numbered.
    fn lines(text: &[u8], piece: usize) -> Result<Vec<(usize, String)>> {
        struct Pieces<'a>(&'a [u8], usize);
        impl Read for Pieces<'_> {
            fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
                let count = self.1.min(self.0.len()).min(to.len());
                to[..count].copy_from_slice(&self.0[..count]);
                self.0 = &self.0[count..];
                Ok(count)
            }
        }
        let from = Unpacked::of(Pieces(text, piece), Path::new("pieces"), None)?;
        let (mut blocks, mut all) = (Blocks::of(from), Vec::new());
        while let Some((first, block)) = blocks.next()? {
            all.extend((first..).zip(block.lines().map(String::from)));
        }
        Ok(all)
    }

    #[test]
    fn blocks_have_the_lines_of_the_text_however_it_comes() {
        let text = "\u{feff}first\r\n\nthird \u{e9}\n\n\nlast";
        let whole: Vec<(usize, String)> = (1..).zip(text[3..].lines().map(String::from)).collect();
        for piece in 1..text.len() + 1 {
            assert_eq!(lines(text.as_bytes(), piece).unwrap(), whole, "pieces of {piece}");
        }
        assert_eq!(lines(b"", 1).unwrap(), []);
        let long = "x".repeat(3 * BLOCK) + "\ny\n";
        assert_eq!(lines(long.as_bytes(), usize::MAX).unwrap()[1], (2, "y".to_string()));
    }

    #[test]
    fn bytes_that_are_no_text_are_named_with_their_line_and_place() {
        for piece in 1..10 {
            let error = lines(b"ab\ncd\nef\xffg\n", piece).unwrap_err().to_string();
            assert_eq!(error, "line 3: byte 8 is not UTF-8 text", "pieces of {piece}");
        }
    }

    #[test]
    fn a_text_whose_model_cannot_fit_is_refused_while_it_is_read() {
        let text = vec![b'#'; 10 * BLOCK];
        let from = Unpacked::of(&text[..], Path::new("long"), Some(BLOCK as u64)).unwrap();
        let mut blocks = Blocks::of(from);
        assert!(matches!(blocks.next(), Err(Error::Memory { .. })));
    }
}
