//! A model as bytes: what is read has the bits of what was written, names included. Texts divide every row by its sum again.
//!
//! ```text
//! "OCCMODEL"  version u32 = 1
//! states u64   costs u64
//! first pair of every state, and the end u64 × (states + 1)
//! rows:        first transition of every pair, and the end u32 × (pairs + 1)   next u32 × n   probability f64 × n
//! signals:     means f64 × pairs for the reward and every cost; then for each a byte, and if it is 1 values f64 × n by transition
//! budgets f64 × costs   which costs are held negated: list of u64   start: list of (u64, f64)
//! names:       states, actions, costs, labels
//! episodes:    a byte; if it is 1 the horizon u64, names of a stage, and rows of where the last step leads
//! CRC-32 of all of the above
//! ```
//!
//! Numbers are little-endian. The version and the checksum stand in these places in every version, so that a damaged file and one from a
//! newer program are told apart. A list begins with its length as u64, a text is a list of UTF-8 bytes. Names of states are a byte
//! and for 1 a list of texts, for 2 the width of a grid and a list of lists of its cells u32; names of actions are a byte and for 1 the
//! distinct names, a list of texts, and for each pair which of them it is, a list of u32; names of costs are a byte and for 1 a list of texts;
//! labels are a list of a text and a list of states u32.

mod bytes;
mod read;
mod write;

pub use read::{read, read_file};
pub use write::write;

/// What the bytes of a model begin with.
pub const MAGIC: [u8; 8] = *b"OCCMODEL";
/// The version that is written, and the only one that is read.
pub const VERSION: u32 = 1;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::{EnvConfig, list};
    use crate::error::Error;
    use crate::model::{Cmdp, Meter, text};

    fn written(model: &Cmdp) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(model, &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn every_environment_comes_back_to_the_last_bit() {
        for entry in list().into_iter().filter(|entry| entry.config.build().is_ok()) {
            let model = EnvConfig::from_options(entry.name, &[]).unwrap().build().unwrap().model;
            let back = read(&written(&model)).unwrap();
            assert_eq!(back.fingerprint(), model.fingerprint(), "{}", entry.name);
            assert_eq!((&back.kernel, &back.signals), (&model.kernel, &model.signals), "{}", entry.name);
            assert_eq!((&back.names, back.budgets()), (&model.names, model.budgets()), "{}", entry.name);
            assert_eq!((back.horizon(), back.ends()), (model.horizon(), model.ends()), "{}", entry.name);
            assert_eq!(written(&back), written(&model), "{}", entry.name);
        }
    }

    #[test]
    fn every_damaged_byte_and_every_end_is_refused() {
        let text = "cost c >= 0.5\nlabel home: a\nstate a\n  x reward 1 -> a 0.3, b 0.7\n  y c 1 -> b\nstate b\n  x c 2 -> a\n";
        let text = text.replace("label home: a\n", "");
        let bytes = written(&text::parse(&text).unwrap());
        assert!(read(&bytes).is_ok());
        for end in 0..bytes.len() {
            assert!(matches!(read(&bytes[..end]), Err(Error::Damaged { .. })), "{end}");
        }
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x41;
            assert!(matches!(read(&damaged), Err(Error::Damaged { .. })), "{place}");
        }
    }

    /// Other bytes before the checksum, which fits them.
    fn resealed(body: &[u8]) -> Vec<u8> {
        let mut crc = flate2::Crc::new();
        crc.update(body);
        [body, &crc.sum().to_le_bytes()].concat()
    }

    #[test]
    fn a_version_from_the_future_is_refused_by_its_name() {
        let bytes = written(&text::parse("state a\n  x -> a\n").unwrap());
        let mut newer = bytes[..bytes.len() - 4].to_vec();
        newer[MAGIC.len()] = 7;
        let said = read(&resealed(&newer)).unwrap_err().to_string();
        assert_eq!(
            said,
            "the model is in version 7 of its binary form, and this program reads version 1: it needs a newer one"
        );
        let more = resealed(&[&bytes[..bytes.len() - 4], b"more"].concat());
        assert!(
            read(&more).unwrap_err().to_string().starts_with("the bytes are no model that can be read: ")
        );
    }

    #[test]
    fn a_packed_file_is_read_like_a_plain_one_and_its_meter_runs_to_its_end() {
        let model = EnvConfig::from_options("river-swim", &[]).unwrap().build().unwrap().model;
        let (bytes, path) = (written(&model), std::env::temp_dir());
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        std::io::Write::write_all(&mut gzip, &bytes).unwrap();
        for (name, stored) in [("plain", bytes.clone()), ("packed", gzip.finish().unwrap())] {
            let path = path.join(format!("occupancy-{name}-{}.occ", std::process::id()));
            std::fs::write(&path, &stored).unwrap();
            let meter = Meter::default();
            assert_eq!(written(&read_file(&path, &meter).unwrap()), bytes);
            assert_eq!(meter.bytes(), (stored.len() as u64, stored.len() as u64));
            std::fs::write(&path, &stored[..stored.len() / 2]).unwrap();
            let said = read_file(&path, &meter).unwrap_err().to_string();
            assert!(said.starts_with(&path.display().to_string()) && said.contains("cut off"), "{said}");
            std::fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    fn numbers_that_are_no_model_are_refused_although_their_checksum_is_right() {
        let model = text::parse("state a\n  x reward 1 -> a 0.5, b 0.5\nstate b\n  x -> a\n").unwrap();
        let bytes = written(&model);
        let half = 0.5f64.to_le_bytes();
        let place = bytes.windows(8).position(|found| found == half).unwrap();
        for wrong in [0.25, f64::NAN, -0.5, 1.5] {
            let mut changed = bytes[..bytes.len() - 4].to_vec();
            changed[place..place + 8].copy_from_slice(&wrong.to_le_bytes());
            assert!(matches!(read(&resealed(&changed)), Err(Error::Damaged { .. })), "{wrong}");
        }
    }
}
