//! The hash by which an answer knows its model again.

use super::Cmdp;
use sha2::{Digest, Sha256};

impl Cmdp {
    /// The SHA-256 of transitions, signals and start, as they are stored: the same for models that are the same to the last
    /// bit, whatever their names and budgets are.
    pub fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        let mut number = |x: u64| hash.update(x.to_le_bytes());
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
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
