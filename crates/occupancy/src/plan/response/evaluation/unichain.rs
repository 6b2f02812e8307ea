//! Policies with several recurrent classes are made ones of the best.

use super::{Evaluated, Evaluator, name, often_visited};
use crate::chain::graph::Graph;
use crate::chain::solver::Solver;
use crate::error::Result;
use crate::plan::response::leading::leads_to;
use crate::plan::response::policy_iteration::dot;
use crate::plan::response::region::{Chosen, Region};

impl Evaluator {
    /// Where the policy has several recurrent classes, keeps the best and sends all other states there; sets the
    /// reference to a state of the class.
    pub(super) fn make_unichain(
        &mut self,
        region: &Region,
        weights: &[f64],
        chosen: &mut Chosen,
        found: &mut Evaluated,
    ) -> Result<()> {
        if region.unichain || region.states.len() == 1 {
            if !region.contains(found.reference) {
                found.reference = region.states[0];
            }
            return Ok(());
        }
        let is_large = Solver::is_large(region.states.len(), 0);
        if is_large && leads_to(region, chosen, found.reference) {
            return Ok(());
        }
        let local = region.local;
        self.draw(region, chosen);
        let mut parts = std::mem::take(&mut self.parts);
        self.walk.strong_components(&self.graph, &mut parts);
        let closed = parts.closed(&self.graph);
        let is_in = |state: u32, class: usize| parts.of[local[state as usize] as usize] as usize == class;
        let classes = (0..parts.count).filter(|&part| closed[part]);
        let mut best = (f64::NEG_INFINITY, classes.clone().next().unwrap_or(0));
        if classes.clone().count() > 1 {
            let mut reference = region.states[0];
            for class in classes {
                let members = region.states.iter().copied().filter(|&state| is_in(state, class));
                let members: Vec<u32> = members.collect();
                found.reference = members[0];
                self.factor(region, &members, chosen, found)?;
                self.check_stop()?;
                let solved = self.solver.gains(&mut found.gains);
                solved.map_err(|why| why.error(|node| name(region, members[node])))?;
                let gain = dot(weights, &found.gains);
                if gain > best.0 {
                    best = (gain, class);
                    reference = members[often_visited(&found.law, 0)];
                }
            }
            found.reference = reference;
            let mut reached = only_reaching(&self.graph, &parts.of, &closed, best.1);
            region.route(&mut reached, chosen);
        }
        let is_inside = region.contains(found.reference);
        if !(is_inside && is_in(found.reference, best.1)) {
            let first = region.states.iter().find(|&&state| is_in(state, best.1));
            found.reference = first.copied().unwrap_or(region.states[0]);
        }
        self.parts = parts;
        if is_large {
            // Only the first policy of a large region is likely to need them.
            (self.graph, self.walk, self.parts) = Default::default();
        }
        Ok(())
    }
}

/// Which nodes can reach no other closed part than `class`.
fn only_reaching(graph: &Graph, part_of: &[u32], closed: &[bool], class: usize) -> Vec<bool> {
    // Parts are numbered so that edges lead to lower numbers: one pass in ascending order sees successors first.
    let mut good: Vec<bool> = (0..closed.len()).map(|part| !closed[part] || part == class).collect();
    let mut nodes: Vec<usize> = (0..graph.nodes()).collect();
    nodes.sort_by_key(|&node| part_of[node]);
    for node in nodes {
        if graph.successors(node).iter().any(|&next| !good[part_of[next as usize] as usize]) {
            good[part_of[node] as usize] = false;
        }
    }
    part_of.iter().map(|&part| good[part as usize]).collect()
}
