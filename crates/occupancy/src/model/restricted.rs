//! A model with some of its actions.

use super::{Cmdp, CmdpBuilder};
use crate::error::Result;

impl Cmdp {
    /// The model with these pairs alone, ascending, of which every state has one at least. Signals are means, and names are left
    /// out: it is for planning.
    pub(crate) fn restricted(&self, pairs: &[usize]) -> Result<Cmdp> {
        let mut model = CmdpBuilder::new(self.states(), self.budgets());
        let (mut row, mut costs) = (Vec::new(), Vec::new());
        for &pair in pairs {
            row.clear();
            row.extend(self.kernel().row(pair).iter());
            costs.clear();
            costs.extend((0..self.costs()).map(|i| self.signals().cost(i)[pair]));
            model.pair(self.state_of(pair), &row, self.signals().reward()[pair], &costs);
        }
        model.start_distribution(self.start()).build()
    }
}
