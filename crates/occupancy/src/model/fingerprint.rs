//! The hash by which an answer knows its model again.

use super::Cmdp;
use sha2::{Digest, Sha256};

impl Cmdp {
    /// The SHA-256 of transitions, signals and start, as they are stored: the same for models that are the same to the last
    /// bit, whatever their names and budgets are.
    pub fn fingerprint(&self) -> String {
        let mut hash = Hash { sha: Sha256::new(), waiting: Vec::with_capacity(FULL) };
        let mut number = |x: u64| hash.number(x);
        number(self.states() as u64);
        number(self.signals.count() as u64);
        for state in 0..self.states() {
            number(self.pairs_of(state).len() as u64);
            for pair in self.pairs_of(state) {
                (0..self.signals.count()).for_each(|k| number(self.signals.signal(k)[pair].to_bits()));
                for (next, p) in self.kernel.row(pair).iter() {
                    number(next as u64);
                    number(p.to_bits());
                }
            }
        }
        for &(state, weight) in &self.start {
            number(state as u64);
            number(weight.to_bits());
        }
        hash.sha.update(&hash.waiting);
        hash.sha.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// So many bytes are hashed at once: one number at a time takes twice as long.
const FULL: usize = 1 << 12;

struct Hash {
    sha: Sha256,
    waiting: Vec<u8>,
}

impl Hash {
    fn number(&mut self, x: u64) {
        self.waiting.extend_from_slice(&x.to_le_bytes());
        if self.waiting.len() == FULL {
            self.sha.update(&self.waiting);
            self.waiting.clear();
        }
    }
}
