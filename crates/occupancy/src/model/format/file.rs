//! Reads a file or a stream, unpacked if it is gzip, as bytes or as text, or says where it stops being text; what memory has no room for
//! is not read.

use crate::error::{Error, LineProblem, Result};
use crate::memory;
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{Cursor, Read};
use std::path::Path;

/// So many times its size a text takes at least while a model is made of it: itself and the model. Measured are 1.7 times
/// for dense rows, 2.3 for short ones of DRN and 6 for the shortest of the text format.
const TIMES: u64 = 3;

/// The two bytes that gzip begins with; no text does.
pub(super) const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The bytes of a file, unpacked.
pub fn read_model_bytes(path: impl AsRef<Path>) -> Result<Vec<u8>> {
    read(path.as_ref(), memory::free())
}

/// The bytes of a stream, such as the standard input, unpacked; errors do not name it.
pub fn read_model_bytes_from(stream: impl Read) -> Result<Vec<u8>> {
    unpacked_within(stream, memory::free())
}

/// The text of a file, unpacked, without the byte order mark that some editors put in front.
pub fn read_text(path: impl AsRef<Path>) -> Result<String> {
    let path = path.as_ref();
    text_of(read_model_bytes(path)?).map_err(|error| error.in_file(path))
}

/// The same of a stream, such as the standard input; errors do not name it.
pub fn read_text_from(stream: impl Read) -> Result<String> {
    text_of(read_model_bytes_from(stream)?)
}

/// The bytes of a file, unpacked; of those beyond `most`, one.
pub(crate) fn read_bytes(path: &Path, most: u64) -> Result<Vec<u8>> {
    let failed = |source| Error::File { path: path.into(), source };
    unpacked(File::open(path).map_err(failed)?, most, failed).map_err(|error| error.in_file_once(path))
}

/// The bytes of a file, of which a model fits into so many free bytes.
fn read(path: &Path, free: Option<u64>) -> Result<Vec<u8>> {
    let failed = |source| Error::File { path: path.into(), source };
    let file = File::open(path).map_err(failed)?;
    refuse_too_large(file.metadata().map_err(failed)?.len(), free).map_err(|error| error.in_file(path))?;
    // A pipe has no size before its end, and gzip tells the size of what it packs only there.
    let bytes =
        unpacked(file, free.unwrap_or(u64::MAX) / TIMES, failed).map_err(|error| error.in_file_once(path))?;
    refuse_too_large(bytes.len() as u64, free).map_err(|error| error.in_file(path))?;
    Ok(bytes)
}

fn unpacked_within(stream: impl Read, free: Option<u64>) -> Result<Vec<u8>> {
    let failed = |source| Error::File { path: "standard input".into(), source };
    let bytes = unpacked(stream, free.unwrap_or(u64::MAX) / TIMES, failed)?;
    refuse_too_large(bytes.len() as u64, free)?;
    Ok(bytes)
}

fn refuse_too_large(size: u64, free: Option<u64>) -> Result<()> {
    memory::refuse_more(size.saturating_mul(TIMES), free)
}

/// The bytes of a stream, unpacked if they are gzip; of those beyond `most`, one, so that no stream is without end.
fn unpacked(mut from: impl Read, most: u64, failed: impl Fn(std::io::Error) -> Error) -> Result<Vec<u8>> {
    let mut first = Vec::new();
    from.by_ref().take(GZIP.len() as u64).read_to_end(&mut first).map_err(&failed)?;
    let is_packed = first == GZIP;
    let whole = Cursor::new(first).chain(from);
    let (mut bytes, limit) = (Vec::new(), most.saturating_add(1));
    if is_packed {
        let damaged = |error: std::io::Error| Error::Gzip { reason: error.to_string() };
        MultiGzDecoder::new(whole).take(limit).read_to_end(&mut bytes).map_err(damaged)?;
    } else {
        whole.take(limit).read_to_end(&mut bytes).map_err(failed)?;
    }
    Ok(bytes)
}

/// Bytes as text, without a byte order mark.
pub fn text_of(bytes: Vec<u8>) -> Result<String> {
    let mut text = String::from_utf8(bytes).map_err(|wrong| {
        let position = wrong.utf8_error().valid_up_to();
        let before = wrong.as_bytes().iter().take(position);
        let line = 1 + before.filter(|&&byte| byte == b'\n').count();
        Error::Line { line, problem: LineProblem::NotText { position } }
    })?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(bytes).unwrap();
        gzip.finish().unwrap()
    }

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

    #[test]
    fn gzip_is_known_by_its_content_and_so_are_several_files_in_one() {
        let twice = [packed(b"state a\n"), packed(b" x -> a\n")].concat();
        assert_eq!(read_text_from(&twice[..]).unwrap(), "state a\n x -> a\n");
        assert_eq!(read_text_from(&b"\xef\xbb\xbfstate"[..]).unwrap(), "state");
        assert_eq!(read_text_from(&b""[..]).unwrap(), "");
    }

    #[test]
    fn a_small_file_that_unpacks_to_a_large_one_is_unpacked_only_as_far_as_there_is_room() {
        let bomb = packed(&vec![b'#'; 10_000_000]);
        assert!(bomb.len() < 20_000);
        let error = unpacked_within(&bomb[..], Some(300_000)).unwrap_err();
        assert!(matches!(error, Error::Memory { needed: 300_003, free: 300_000 }), "{error}");
    }

    #[test]
    fn damaged_gzip_is_refused_wherever_it_is_damaged() {
        let whole = packed(&b"state a\n  x reward 1 -> a\n".repeat(20));
        for length in 2..whole.len() {
            let error = read_text_from(&whole[..length]).unwrap_err().to_string();
            assert!(error.starts_with("the gzip data are damaged or cut off ("), "{length}: {error}");
        }
        let mut changed = whole.clone();
        let middle = whole.len() / 2;
        changed[middle] ^= 0x55;
        assert!(matches!(read_text_from(&changed[..]).unwrap_err(), Error::Gzip { .. }));
        let followed = [&whole[..], b"and more"].concat();
        assert!(matches!(read_text_from(&followed[..]).unwrap_err(), Error::Gzip { .. }));
    }
}
