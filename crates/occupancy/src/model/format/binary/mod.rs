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
//! Numbers are little-endian. A list begins with its length as u64, a text is a list of UTF-8 bytes. Names of states are a byte
//! and for 1 a list of texts, for 2 the width of a grid and a list of lists of its cells u32; names of actions are a byte and for 1 the
//! distinct names, a list of texts, and for each pair which of them it is, a list of u32; names of costs are a byte and for 1 a list of texts;
//! labels are a list of a text and a list of states u32.

mod read;
mod write;

pub use read::read;
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
    use crate::model::{Cmdp, text};

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

    #[test]
    fn numbers_that_are_no_model_are_refused_although_their_checksum_is_right() {
        let model = text::parse("state a\n  x reward 1 -> a 0.5, b 0.5\nstate b\n  x -> a\n").unwrap();
        let bytes = written(&model);
        let half = 0.5f64.to_le_bytes();
        let place = bytes.windows(8).position(|found| found == half).unwrap();
        for wrong in [0.25, f64::NAN, -0.5, 1.5] {
            let mut changed = bytes[..bytes.len() - 4].to_vec();
            changed[place..place + 8].copy_from_slice(&wrong.to_le_bytes());
            let mut crc = flate2::Crc::new();
            crc.update(&changed);
            changed.extend(crc.sum().to_le_bytes());
            assert!(matches!(read(&changed), Err(Error::Damaged { .. })), "{wrong}");
        }
    }
}
