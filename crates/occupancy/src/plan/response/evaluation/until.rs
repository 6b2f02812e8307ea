//! Totals until a policy comes to its reference, on large regions whose rows are lists of successors.

use super::{Evaluator, name};
use crate::chain::graph::strong_components;
use crate::error::Result;
use crate::plan::response::leading::leads_to;
use crate::plan::response::region::{Chosen, Region};

impl Evaluator {
    /// Whether a policy comes to the target from every state.
    pub fn leads_to(&mut self, region: &Region, chosen: &Chosen, target: u32) -> bool {
        if leads_to(region, chosen, target) {
            return true;
        }
        self.draw(region, chosen);
        let parts = strong_components(&self.graph);
        let closed = parts.closed(&self.graph);
        let last = parts.of[region.local[target as usize] as usize] as usize;
        (0..parts.count).all(|part| closed[part] == (part == last))
    }

    /// The expected total of a signal of pairs from every state until the policy comes to the reference, by position.
    /// From every state it must come there.
    pub fn total_until(
        &mut self,
        region: &Region,
        chosen: &Chosen,
        reference: u32,
        signal: impl Fn(usize) -> f64 + Sync,
        total: &mut Vec<f64>,
    ) -> Result<()> {
        // The next chain is recurrent again, with other rows than this one.
        self.forget();
        let (kernel, count) = (region.choices.model.kernel(), region.states.len());
        self.places.reset(count);
        self.places.bring(region.local[reference as usize] as usize, 0);
        let places = &self.places;
        let pair = |node: usize| chosen.pair[region.states[places.position(node)] as usize] as usize;
        let row = |node: usize| {
            let (next, p) = kernel.sparse_row(pair(node)).unwrap_or((&[], &[]));
            next.iter().zip(p).map(|(&next, &p)| (places.node(region.local[next as usize] as usize), p))
        };
        let signal = |node: usize, _| if node == 0 { 0.0 } else { signal(pair(node)) };
        total.resize(count, 0.0);
        places.to_nodes(total);
        let totals = std::slice::from_mut(total);
        let solved = self.solver.solve((count, 1), true, row, signal);
        let solved = solved.and_then(|()| self.solver.biases(true, &mut [0.0], totals));
        places.to_positions(total);
        solved.map_err(|why| why.error(|node| name(region, region.states[places.position(node)])))
    }
}
