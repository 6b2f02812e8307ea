//! Reads a file as text, or says where it stops being text; one that memory has no room for is not read.

use crate::error::{Error, LineProblem, Result};
use crate::memory;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// So many times its size a file takes at least while a model is made of it: itself and the model. Measured are 1.7 times
/// for dense rows, 2.3 for short ones of DRN and 6 for the shortest of the text format.
const TIMES: u64 = 3;

/// The text of a file, without the byte order mark that some editors put in front.
pub(super) fn read_text(path: &Path) -> Result<String> {
    let bytes = read(path, memory::free())?;
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

/// The bytes of a file, of which a model fits into so many free bytes.
fn read(path: &Path, free: Option<u64>) -> Result<Vec<u8>> {
    let failed = |source| Error::File { path: path.into(), source };
    let file = File::open(path).map_err(failed)?;
    let free = free.unwrap_or(u64::MAX);
    let refuse = |size: u64| {
        let needed = size.saturating_mul(TIMES);
        if needed > free { Err(Error::Memory { needed, free }.in_file(path)) } else { Ok(()) }
    };
    refuse(file.metadata().map_err(failed)?.len())?;
    // A pipe has no size before its end.
    let mut bytes = Vec::new();
    file.take(free / TIMES + 1).read_to_end(&mut bytes).map_err(failed)?;
    refuse(bytes.len() as u64)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_does_not_fit_is_refused_with_the_size_it_needs() {
        let path = std::env::temp_dir().join(format!("occupancy-file-{}.cmdp", std::process::id()));
        std::fs::write(&path, [b'#'; 1000]).unwrap();
        let error = read(&path, Some(2899)).unwrap_err().to_string();
        let expected = "at least 3.0 kB of memory are needed to read it, and 2.9 kB are free";
        assert_eq!(error, format!("{}: {expected}", path.display()));
        assert_eq!([Some(3000), None].map(|free| read(&path, free).unwrap().len()), [1000, 1000]);
        std::fs::remove_file(&path).unwrap();
    }
}
