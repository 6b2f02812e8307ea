//! A model that begins again now and then: its long-run averages are the discounted sums of the model itself.

use super::{Cmdp, Names};

impl Cmdp {
    /// The model that goes back to the distribution `start` with probability 1 − γ after every step: its averages are 1 − γ
    /// times the discounted sums from there, and so are its budgets. Names are left out: it is for planning. `None` if rows are
    /// not dense, and would become so.
    pub(crate) fn restarting(&self, start: &[(usize, f64)], factor: f64) -> Option<Cmdp> {
        let leak = 1.0 - factor;
        Some(Cmdp {
            first_pair: self.first_pair.clone(),
            kernel: self.kernel.restarting(start, factor)?,
            signals: self.signals.clone(),
            budgets: self.budgets.iter().map(|budget| leak * budget).collect(),
            start: start.to_vec(),
            names: Names::default(),
            stages: None,
        })
    }
}
