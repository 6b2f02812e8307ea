//! The way of large models into their budgets.

use super::Search;
use crate::arithmetic::extremes::greatest;
use crate::error::Result;
use crate::plan::response::Response;

/// Prices are doubled so often at most: by 2⁴⁸ from a 256th of a level that is about right.
const MOST_RISES: usize = 48;

impl Search<'_, '_> {
    /// Looks for policies within the budgets by raising all prices together, from far below the level at which giving
    /// up every reward would pay. At prices without end, as the least violation asks for them, policies loiter in
    /// places that are hardly ever left, and chains of many states that fall nearly apart cannot be solved by
    /// iteration.
    pub(super) fn approach(&mut self) -> Result<()> {
        let (mut level, count) = (0.0, self.pool.terms.constraints.len());
        for _ in 0..MOST_RISES {
            let Some(column) = self.pool.columns.last() else { return Ok(()) };
            let worst = greatest((0..count).map(|i| self.pool.violation(column, i)));
            let reward = column.gains[0];
            let gain = Some(reward).filter(|_| worst <= 0.0);
            if worst <= 0.0 || self.tell(gain, f64::INFINITY, worst).is_break() {
                return Ok(());
            }
            if level == 0.0 {
                let above_least = reward - self.least_signal(0);
                level = (above_least / self.pool.terms.reward_scale / worst / 256.0).max(1e-12);
            }
            self.pool.terms.weigh(1.0, std::iter::repeat(level));
            let Response { column, .. } = self.responder.respond(self.scope, &self.pool.terms.weights)?;
            self.add_if_new(column);
            level *= 2.0;
        }
        Ok(())
    }
}
