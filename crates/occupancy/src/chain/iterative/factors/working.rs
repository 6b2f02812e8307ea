//! One row while it is eliminated.

/// The entries of a row, of which those to earlier nodes are taken in their order.
pub(super) struct Working {
    pub value: Vec<f64>,
    /// The last row that an entry belonged to, counted from 1.
    owner: Vec<u32>,
    pub earlier: Vec<u32>,
    pub later: Vec<u32>,
    /// What leads to node 0, and what was left out.
    pub ends: f64,
    pub lost: f64,
}

impl Working {
    pub fn new(nodes: usize) -> Working {
        let (value, owner) = (vec![0.0; nodes], vec![0; nodes]);
        Working { value, owner, earlier: Vec::new(), later: Vec::new(), ends: 0.0, lost: 0.0 }
    }

    /// Begins the row of a node.
    pub fn begin(&mut self) {
        self.earlier.clear();
        self.later.clear();
        (self.ends, self.lost) = (0.0, 0.0);
    }

    /// Takes an entry of the row of node `i`; those to earlier nodes are to be sorted afterwards.
    pub fn put(&mut self, i: usize, j: usize, p: f64) {
        if self.owner[j] == i as u32 + 1 {
            self.value[j] += p;
        } else {
            (self.owner[j], self.value[j]) = (i as u32 + 1, p);
            if j < i { self.earlier.push(j as u32) } else { self.later.push(j as u32) }
        }
    }

    /// Adds what goes on from an earlier node; `done` of the earlier nodes are eliminated.
    pub fn add(&mut self, i: usize, j: usize, value: f64, drop: f64, done: usize) {
        if j == i {
            // It comes back: the probability of leaving is summed from the other entries.
        } else if self.owner[j] == i as u32 + 1 {
            self.value[j] += value;
        } else if value < drop {
            self.lost += value;
        } else {
            (self.owner[j], self.value[j]) = (i as u32 + 1, value);
            if j < i {
                let at = done + self.earlier[done..].partition_point(|&k| (k as usize) < j);
                self.earlier.insert(at, j as u32);
            } else {
                self.later.push(j as u32);
            }
        }
    }
}
