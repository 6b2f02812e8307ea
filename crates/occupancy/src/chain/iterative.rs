//! Large sparse chains: the quantities of [`super::elimination`] by a preconditioned Krylov iteration.
//!
//! With a recurrent reference at place 0, one system gives gain and bias, its transpose the stationary law:
//!
//! ```text
//! (I − P + e e₀ᵀ) h = x    ⇒    h(0) = J(x) ,  h − h(0) is a bias          (I − P + e e₀ᵀ)ᵀ μ = e₀
//! ```
//!
//! With node 0 absorbing, (I − Q) v = x gives totals until absorption and its transpose the visits. Both are solved
//! by BiCGSTAB (van der Vorst, 1992), preconditioned from the right: at first by one Gauss–Seidel sweep in the order of
//! the chain's likeliest steps, which follows the flow of a chain and suits those that mix fast; if that takes more than
//! 25 iterations, by [`factors`]. Residuals are computed afresh at the end, so that what is
//! returned is certified: J(x) lies between the least and the greatest of x + P h − h.

mod factors;
mod order;
mod products;
mod rows;
mod solve;
mod systems;

use super::lanes::Pieces;
use super::reference::often_visited;
use super::solver::THREADED;
use crate::stop::StopFlag;
use crate::threads::at_once;
use factors::Factors;
use rows::Rows;
pub(crate) use systems::{MOST_LANES, System, Work};

/// A sparse chain and the way to solve its systems. All vectors inside are in the order of sweeps.
#[derive(Clone, Debug)]
pub(crate) struct Iterative {
    absorbing: bool,
    /// The node at place 0 of recurrent chains.
    reference: usize,
    rows: Rows,
    /// One over the diagonal of the sweep.
    per_diagonal: Vec<f64>,
    /// The shift e e₀ᵀ is a part of the sweep: node 0 is sticky. Otherwise the sweep leaves it out.
    sweeps_shift: bool,
    factors: Factors,
    /// What each thread works on, if the threads share a system and do not have one each.
    pieces: Pieces,
    /// How systems are solved.
    pub way: Way,
    /// How often factors were refused or did not help, and how many chains are left to sweeps before they are tried again.
    refused: u32,
    patience: u32,
    /// [`Rows::with_order`] of the chain that the order was made for, and whether it has its hubs last. An order with hubs is not
    /// kept: which nodes are hubs changes with the policy, and factors fill up.
    with_order: u64,
    has_hubs: bool,
    /// The nodes whose rows are not those of the last chain, if that is known of the next one.
    pub changed: Option<Vec<u32>>,
    /// The residual to aim at, relative to the right-hand side.
    pub aim: f64,
    /// Ends iterations early.
    pub stop: StopFlag,
}

/// How systems are preconditioned. The way that a chain needed is tried first on the next one, which is mostly alike.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Way {
    /// A sweep, as long as a few iterations are enough.
    #[default]
    QuickSweep,
    /// Factors without fill below this.
    Factors(f64),
    /// A sweep to the end: factors are too large, or did not help.
    Sweep,
}

/// Fill that is left out of factors: at first, and if these were too coarse, as they are for chains that loiter.
const DROPS: [f64; 2] = [1e-3, 1e-5];

/// Products for each entry of a chain in an iteration with sweeps: it multiplies by the chain twice and sweeps twice.
const PER_ENTRY: usize = 4;

/// An order is kept as long as at least this share of the flow goes with it that went with it at first. Making an order takes as long
/// as a fifth of an evaluation by factors.
const KEPT: f64 = 0.98;

/// The residual that a search aims at, relative to the right-hand side.
const AIM: f64 = 1e-12;

/// A reference that is left with less than this probability is sticky: the sweep then takes the shift into its diagonal,
/// because that of I − P alone is next to nothing, and 0 if the reference is absorbing.
const STICKY: f64 = 1e-2;

/// The system was not solved; the relative residual that was reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NotConverged(pub f64);

impl Default for Iterative {
    fn default() -> Iterative {
        Iterative {
            absorbing: false,
            reference: 0,
            rows: Rows::default(),
            per_diagonal: Vec::new(),
            sweeps_shift: false,
            factors: Factors::default(),
            pieces: Pieces::default(),
            way: Way::QuickSweep,
            refused: 0,
            patience: 0,
            with_order: 0,
            has_hubs: false,
            changed: None,
            aim: AIM,
            stop: StopFlag::default(),
        }
    }
}

impl Iterative {
    /// Takes the rows of a chain: `rows(node)` lists (successor, probability). Node 0 must be reached from all; it is absorbing or
    /// recurrent. If the end is asked for meanwhile, there is no chain.
    pub fn load<I: Iterator<Item = (usize, f64)>>(
        &mut self,
        nodes: usize,
        absorbing: bool,
        rows: impl Fn(usize) -> I + Sync,
    ) {
        self.absorbing = absorbing;
        if self.way == Way::Sweep {
            // One chain in an odd order says little of the others.
            self.patience = self.patience.saturating_sub(1);
            self.way = if self.patience == 0 { Way::QuickSweep } else { Way::Sweep };
        }
        let by_factors = self.has_factors();
        // The order of the last chain serves this one, too, if it has the same reference and most of the flow goes with it.
        let may_keep =
            by_factors && !self.has_hubs && self.nodes() == nodes && self.node(0) == self.reference;
        let changed = self.changed.take().filter(|_| may_keep);
        let (mut reference, mut is_refilled) = (0, false);
        let last = self.reference;
        let mut tasks: Vec<Box<dyn FnOnce() + Send>> = Vec::new();
        if !absorbing {
            tasks.push(Box::new(|| reference = often_visited(nodes, last, &rows)));
        }
        if let Some(changed) = &changed {
            tasks.push(Box::new(|| is_refilled = self.rows.refill(changed, &rows)));
        }
        if nodes < THREADED {
            tasks.into_iter().for_each(|task| task());
        } else {
            at_once(tasks, |task| task());
        }
        let kept = may_keep && reference == last;
        self.reference = reference;
        if kept && !is_refilled {
            self.rows.fill(absorbing, &rows);
        }
        if !kept || (self.rows.with_order as f64) < KEPT * self.with_order as f64 {
            self.rows.order.by_flow(nodes, self.reference, &rows);
            self.has_hubs = by_factors && self.rows.order.suit_factors(&rows);
            if self.stop.asked() {
                // Rows in another order are none.
                self.rows = Rows::default();
                return;
            }
            self.rows.fill(absorbing, &rows);
            self.with_order = self.rows.with_order;
        }
        if self.stop.asked() {
            return;
        }
        if let Way::Factors(drop) = self.way
            && !self.factors.set(&self.rows, absorbing, drop, &self.stop)
        {
            if self.stop.asked() {
                return;
            }
            self.fall_back();
        }
        self.prepare();
    }

    /// Sweeps to the end from now on; each time for twice as many chains.
    fn fall_back(&mut self) {
        self.way = Way::Sweep;
        self.refused = (self.refused + 1).min(30);
        self.patience = 1 << (self.refused - 1);
    }

    /// Sets what a solution needs: threads' pieces, and the diagonal of a sweep, unless factors take its place.
    fn prepare(&mut self) {
        let nodes = self.nodes();
        self.pieces = if self.shares_systems() { Pieces::shared(nodes) } else { Pieces::whole(nodes) };
        if matches!(self.way, Way::Factors(_)) {
            self.per_diagonal = Vec::new();
            return;
        }
        self.per_diagonal.clear();
        self.per_diagonal.extend(self.rows.leave.iter().map(|leave| 1.0 / leave));
        self.sweeps_shift = !self.absorbing && self.rows.leave[0] < STICKY;
        if self.sweeps_shift {
            self.per_diagonal[0] = 1.0 / (1.0 + self.rows.leave[0]);
        }
    }

    /// Takes the next way to solve the systems of this chain, after one has failed; `false` if there is none.
    pub fn try_harder(&mut self) -> bool {
        if self.stop.asked() || self.way == Way::Sweep {
            return false;
        }
        let finer = DROPS.into_iter().find(|&drop| match self.way {
            Way::Factors(last) => drop < last,
            _ => true,
        });
        if self.way == Way::QuickSweep {
            self.has_hubs = self.rows.reorder_for_factors(self.absorbing);
            self.with_order = self.rows.with_order;
        }
        match finer {
            Some(drop) if self.factors.set(&self.rows, self.absorbing, drop, &self.stop) => {
                self.way = Way::Factors(drop);
            }
            _ if self.stop.asked() => return false,
            _ => self.fall_back(),
        }
        self.prepare();
        true
    }

    /// Whether threads share a system: each has a side of its factors.
    pub fn shares_systems(&self) -> bool {
        self.has_factors() && self.rows.order.sides.is_some()
    }

    /// Whether systems are preconditioned by factors.
    pub fn has_factors(&self) -> bool {
        matches!(self.way, Way::Factors(_))
    }

    /// How many products an iteration with sweeps takes that comes to its limit.
    pub fn products_of_sweeps(&self) -> usize {
        solve::ITERATIONS * PER_ENTRY * self.rows.entries()
    }

    /// Gives its memory back; the way that the last chain needed is kept.
    pub fn shrink(&mut self) {
        let Iterative { way, refused, patience, aim, .. } = *self;
        let stop = std::mem::take(&mut self.stop);
        *self = Iterative { way, refused, patience, aim, stop, ..Iterative::default() };
    }

    /// Begins with quick sweeps again.
    pub fn forget_way(&mut self) {
        (self.way, self.refused) = (Way::QuickSweep, 0);
    }

    /// A node that is never left, although node 0 has to be reached from it.
    pub fn stuck(&self) -> Option<usize> {
        let is_stuck = |&i: &usize| self.rows.leave[i] <= 0.0 && (i > 0 || self.absorbing);
        (0..self.nodes()).find(is_stuck).map(|i| self.node(i))
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.rows.nodes()
    }

    fn node(&self, i: usize) -> usize {
        self.rows.order.node[i] as usize
    }

    /// Calls `visit` for every transition between different nodes.
    pub fn transitions(&self, mut visit: impl FnMut(usize, usize, f64)) {
        for i in 0..self.nodes() {
            self.rows.of(i).for_each(|(j, p)| visit(self.node(i), self.node(j), p));
        }
    }
}

#[cfg(test)]
mod tests;
