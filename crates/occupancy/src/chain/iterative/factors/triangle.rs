//! The rows of a triangle, with numbers of single precision: they only have to be near.

/// Rows of (number of a node, value), one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Triangle {
    first: Vec<u32>,
    entries: Vec<(u32, f32)>,
}

impl Triangle {
    pub fn clear(&mut self) {
        self.entries.clear();
        self.first.clear();
        self.first.push(0);
    }

    pub fn push(&mut self, node: usize, value: f64) {
        self.entries.push((node as u32, value as f32));
    }

    pub fn end_row(&mut self) {
        self.first.push(self.entries.len() as u32);
    }

    /// How many entries there are.
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let entries = &self.entries[self.first[row] as usize..self.first[row + 1] as usize];
        entries.iter().map(|&(j, value)| (j as usize, f64::from(value)))
    }
}
