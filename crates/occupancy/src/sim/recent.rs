//! Counts of the last steps in a large model, each in a byte.
//!
//! Counts of 8 bytes for each of 160 000 transitions would push what a step waits for out of the cache. Here a transition has a
//! byte, which is added to its count when an epoch ends; when it overflows, which a processor foresees that it does not, the
//! transition is noted for 256 steps.

/// How often transitions were taken since they were counted.
pub(super) struct Recent {
    counts: Vec<u8>,
    /// A cell for each 256 steps that its byte had no room for.
    full: Vec<u32>,
}

impl Recent {
    /// Nothing taken yet.
    pub fn new(cells: usize) -> Recent {
        Recent { counts: vec![0; cells], full: Vec::new() }
    }

    /// The transition of a cell was taken.
    #[inline(always)]
    pub fn add(&mut self, cell: u32) {
        let count = &mut self.counts[cell as usize];
        *count = count.wrapping_add(1);
        if *count == 0 {
            self.note(cell);
        }
    }

    #[cold]
    #[inline(never)]
    fn note(&mut self, cell: u32) {
        self.full.push(cell);
    }

    /// Tells of every cell that was taken and how often, and forgets it. A cell may be told of several times.
    pub fn empty(&mut self, mut tell: impl FnMut(u32, u64)) {
        self.full.drain(..).for_each(|cell| tell(cell, 1 << 8));
        for (cell, count) in self.counts.iter_mut().enumerate().filter(|(_, count)| **count > 0) {
            tell(cell as u32, u64::from(std::mem::take(count)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_told_of_once() {
        let mut recent = Recent::new(4);
        let times = [0, 255, 256, 70_000];
        for _ in 0..2 {
            for (cell, &times) in times.iter().enumerate() {
                (0..times).for_each(|_| recent.add(cell as u32));
            }
            let mut told = [0; 4];
            recent.empty(|cell, count| told[cell as usize] += count);
            assert_eq!(told, times);
        }
    }
}
