//! Reads a file as text, or says where it stops being text.

use crate::error::{Error, LineProblem, Result};
use std::path::Path;

/// The text of a file, without the byte order mark that some editors put in front.
pub(super) fn read_text(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).map_err(|source| Error::File { path: path.into(), source })?;
    let mut text = String::from_utf8(bytes).map_err(|wrong| {
        let position = wrong.utf8_error().valid_up_to();
        let before = wrong.as_bytes().iter().take(position);
        let line = 1 + before.filter(|&&byte| byte == b'\n').count();
        Error::Line { line, problem: LineProblem::NotText { position } }.in_file(path)
    })?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}
