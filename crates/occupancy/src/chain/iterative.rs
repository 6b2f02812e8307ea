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

use super::lanes::{Lanes, Pieces};
use super::reference::often_visited;
use super::solver::THREADED;
use crate::arithmetic::extremes::greater;
use crate::stop::StopFlag;
use crate::threads::at_once;
use factors::Factors;
use rows::Rows;
use std::ops::Range;

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
    way: Way,
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
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    /// A sweep, as long as a few iterations are enough.
    QuickSweep,
    /// Factors without fill below this.
    Factors(f64),
    /// A sweep to the end: factors are too large, or did not help.
    Sweep,
}

/// Vectors that the solution of a system needs, with the numbers of all lanes.
#[derive(Default)]
pub(crate) struct Work {
    right: Vec<f64>,
    solution: Vec<f64>,
    iteration: [Vec<f64>; 6],
}

/// How many signals are solved for at once. With 4 a row of numbers fills half of a cache line.
pub(crate) const MOST_LANES: usize = 4;

/// A signal by node, and what is found: J(x) (0 for absorbing chains) with the half-width of the interval it is certified to
/// lie in, and h by node with h(0) = 0. Gain and bias hold a first guess, and if the system is not solved, a better one.
pub(crate) struct System<'a> {
    pub signal: &'a [f64],
    pub gain: &'a mut f64,
    pub error: &'a mut f64,
    pub bias: &'a mut [f64],
    /// The gain as the system has it, before it is bounded.
    unbounded: f64,
}

impl<'a> System<'a> {
    /// The systems of signals, with room for what is found.
    pub fn of(
        signals: &'a [Vec<f64>],
        gains: &'a mut [f64],
        errors: &'a mut [f64],
        biases: &'a mut [Vec<f64>],
    ) -> Vec<System<'a>> {
        let found = gains.iter_mut().zip(errors).zip(biases);
        let systems = signals.iter().zip(found).map(|(signal, ((gain, error), bias))| System {
            signal,
            gain,
            error,
            bias,
            unbounded: 0.0,
        });
        systems.collect()
    }

    /// Sets the gain to what the solution says, as it is where there is none yet: if another system has to be solved in another way,
    /// all begin again, with the same bits whether they were solved side by side or not.
    pub fn guess_again(&mut self) {
        *self.gain = self.unbounded;
    }
}

/// Fill that is left out of factors: at first, and if these were too coarse, as they are for chains that loiter.
const DROPS: [f64; 2] = [1e-3, 1e-5];

/// Products for each entry of a chain in an iteration with sweeps: it multiplies by the chain twice and sweeps twice.
const PER_ENTRY: usize = 4;

/// An order is kept as long as at least this share of the flow goes with it that went with it at first. Making an order takes as long
/// as a fifth of an evaluation by factors.
const KEPT: f64 = 0.98;

/// From so many nodes on, an order for factors has two sides where it can.
const TWO_SIDED: usize = 100_000;

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
    /// recurrent.
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
            self.has_hubs = by_factors && self.rows.order.move_hubs_last(&rows);
            if by_factors && !self.has_hubs && nodes >= TWO_SIDED {
                self.rows.order.turn_far_side(&rows);
            }
            self.rows.fill(absorbing, &rows);
            self.with_order = self.rows.with_order;
        }
        if let Way::Factors(drop) = self.way
            && !self.factors.set(&self.rows, absorbing, drop)
        {
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
            Some(drop) if self.factors.set(&self.rows, self.absorbing, drop) => self.way = Way::Factors(drop),
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

    /// The biases of up to [`MOST_LANES`] signals at once.
    pub fn biases(&self, systems: &mut [System], work: &mut Work) -> Result<(), NotConverged> {
        match systems {
            [a, b, c, d] => self.biases_in_lanes([a, b, c, d], work),
            [a, b, c] => self.biases_in_lanes([a, b, c], work),
            [a, b] => self.biases_in_lanes([a, b], work),
            systems => systems.iter_mut().try_for_each(|system| self.biases_in_lanes([system], work)),
        }
    }

    fn biases_in_lanes<const K: usize>(
        &self,
        mut systems: [&mut System; K],
        work: &mut Work,
    ) -> Result<(), NotConverged> {
        let order = &self.rows.order;
        // The solution is the bias that is 0 at the reference, with the gain added to it.
        let gain = |system: &System| if self.absorbing { 0.0 } else { *system.gain };
        let guesses = systems.each_ref().map(|system| gain(system) - system.bias[self.reference]);
        let Work { right, solution, iteration } = work;
        let signal = |i: usize| systems.each_ref().map(|system| system.signal[order.node[i] as usize]);
        let right = &*self.written(right, signal);
        let guess = |i: usize| -> Lanes<K> {
            std::array::from_fn(|k| systems[k].bias[order.node[i] as usize] + guesses[k])
        };
        let x = self.written(solution, guess);
        let solved = self.solve(right, x, iteration, false);
        let (base, zero) = (x[0], x[order.place[0] as usize]);
        let biases = systems.each_mut().map(|system| self.pieces.cut(system.bias));
        let mut biases = biases.map(Vec::into_iter);
        let parts = self.pieces.slices(&order.place).into_iter();
        let parts = parts.map(|places| (places, biases.each_mut().map(Iterator::next)));
        at_once(parts.collect(), |(places, biases)| {
            for (k, bias) in biases.into_iter().enumerate() {
                let values = places.iter().map(|&place| x[place as usize][k] - zero[k]);
                bias.into_iter().flatten().zip(values).for_each(|(h, value)| *h = value);
            }
        });
        for (k, system) in systems.iter_mut().enumerate() {
            system.unbounded = if self.absorbing { 0.0 } else { base[k] };
            system.guess_again();
        }
        solved?;
        if !self.absorbing {
            self.bound_gains(right, x, &mut systems);
        }
        Ok(())
    }

    /// Numbers of lanes, side by side by place, in a vector of whatever content.
    fn written<'a, const K: usize>(
        &self,
        into: &'a mut Vec<f64>,
        numbers: impl Fn(usize) -> Lanes<K> + Sync,
    ) -> &'a mut [Lanes<K>] {
        into.resize(K * self.nodes(), 0.0);
        let lanes = into.as_chunks_mut().0;
        at_once(self.pieces.ranges().zip(self.pieces.cut(lanes)).collect(), |(places, lanes)| {
            places.zip(lanes).for_each(|(i, lanes): (usize, &mut Lanes<K>)| *lanes = numbers(i));
        });
        lanes
    }

    /// Sets gains to the middle of the intervals that they are certified to lie in, and errors to their half-widths.
    fn bound_gains<const K: usize>(
        &self,
        right: &[Lanes<K>],
        h: &[Lanes<K>],
        systems: &mut [&mut System; K],
    ) {
        let ends = at_once(self.pieces.ranges().collect(), |places: Range<usize>| {
            let mut ends = [[f64::NEG_INFINITY; K]; 2];
            for i in places {
                let (gain, rounding) = self.one_step(i, &right[i], h);
                for k in 0..K {
                    ends[0][k] = greater(ends[0][k], rounding[k] - gain[k]);
                    ends[1][k] = greater(ends[1][k], gain[k] + rounding[k]);
                }
            }
            ends
        });
        let end =
            |which: usize, k: usize| ends.iter().map(|ends| ends[which][k]).fold(f64::NEG_INFINITY, greater);
        for (k, system) in systems.iter_mut().enumerate() {
            let (low, high) = (-end(0, k), end(1, k));
            *system.gain = 0.5 * (low + high);
            *system.error = 0.5 * (high - low);
        }
    }

    /// x + P h − h at a place, and how far rounding may have carried it. Differences of h between neighbours are small even
    /// if h is not, so that they keep the digits that P h and h lose in each other.
    fn one_step<const K: usize>(&self, i: usize, signal: &Lanes<K>, h: &[Lanes<K>]) -> (Lanes<K>, Lanes<K>) {
        let (mut drift, mut size, mut count) = ([0.0; K], signal.map(f64::abs), 0);
        for (j, p) in self.rows.of(i) {
            for k in 0..K {
                drift[k] += p * (h[j][k] - h[i][k]);
                size[k] += p * (h[j][k] - h[i][k]).abs();
            }
            count += 1;
        }
        // One rounding for each sum, and those of the difference, the product and the sum of the row.
        let operations = f64::from(count + 4);
        let gain = std::array::from_fn(|k| signal[k] + drift[k]);
        (gain, size.map(|size| operations * f64::EPSILON * size))
    }

    /// The stationary law, by node; `law` holds a first guess, and if the system is not solved, a better one.
    pub fn stationary(&self, law: &mut [f64], work: &mut Work) -> Result<(), NotConverged> {
        let (nodes, Work { right, solution, iteration }) = (&self.rows.order.node, work);
        let right = &*self.written(right, |i| [if i == 0 { 1.0 } else { 0.0 }]);
        let x = self.written(solution, |i| [law[nodes[i] as usize]]);
        let solved = self.solve(right, x, iteration, true);
        let total: f64 = x.iter().map(|[mass]| mass.max(0.0)).sum();
        nodes.iter().zip(&*x).for_each(|(&node, [mass])| law[node as usize] = mass.max(0.0) / total);
        solved
    }

    /// Expected visits before absorption, from weights, by node.
    pub fn visits(&self, weights: &[f64], work: &mut Work) -> Result<Vec<f64>, NotConverged> {
        let (order, Work { right, solution, iteration }) = (&self.rows.order.node, work);
        let right = &*self.written(right, |i| [if i == 0 { 0.0 } else { weights[order[i] as usize] }]);
        let x = self.written(solution, |_| [0.0]);
        self.solve(right, x, iteration, true)?;
        let mut visits = vec![0.0; self.nodes()];
        order.iter().zip(&*x).for_each(|(&node, [mass])| visits[node as usize] = mass.max(0.0));
        visits[0] = 0.0;
        Ok(visits)
    }
}

#[cfg(test)]
mod tests;
