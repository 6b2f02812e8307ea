//! JSON files that carry their own checksum: the last key is the SHA-256 of the file as it would be without that key.
//!
//! One file is replaced in one step, so that it and its checksum never disagree because of a kill or of another process.

use crate::experiment::sha256;
use serde::Serialize;

const BEFORE: &str = ",\n  \"checksum\": \"sha256:";
const AFTER: &str = "\"\n}\n";

/// What the checksum of a file says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Seal {
    /// The bytes are those that were written.
    Whole,
    /// They are not.
    Broken,
    /// There is no checksum.
    Absent,
}

/// A value as a file with its checksum.
pub(super) fn seal(value: &impl Serialize) -> Vec<u8> {
    // What is stored has nothing that JSON cannot write.
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    let body = text.strip_suffix("\n}").unwrap_or(&text);
    format!("{body}{BEFORE}{}{AFTER}", sha256(bare(body).as_bytes())).into_bytes()
}

/// The file without the checksum.
fn bare(body: &str) -> String {
    format!("{body}\n}}\n")
}

/// Whether a file is what was written.
pub(super) fn check(bytes: &[u8]) -> Seal {
    let Ok(text) = std::str::from_utf8(bytes) else { return Seal::Broken };
    let Some((body, rest)) = text.rsplit_once(BEFORE) else { return Seal::Absent };
    let noted = rest.strip_suffix(AFTER);
    if noted.is_some_and(|noted| noted == sha256(bare(body).as_bytes())) { Seal::Whole } else { Seal::Broken }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_byte_and_every_cut_breaks_the_seal() {
        let bytes = seal(&serde_json::json!({ "name": "a\n}", "numbers": [1, 0.1] }));
        assert_eq!(check(&bytes), Seal::Whole);
        let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(value["checksum"].as_str().map(str::len), Some("sha256:".len() + 64));
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_ne!(check(&changed), Seal::Whole, "byte {at}");
            assert_ne!(check(&bytes[..at]), Seal::Whole, "cut at {at}");
        }
        assert_eq!(check(b"{\n  \"name\": \"a\"\n}\n"), Seal::Absent);
    }
}
