//! Large sparse chains: the quantities of [`super::elimination`] by a preconditioned Krylov iteration.
//!
//! With node 0 recurrent, one system gives gain and bias, its transpose the stationary law:
//!
//! ```text
//! (I − P + e e₀ᵀ) h = x    ⇒    h(0) = J(x) ,  h − h(0) is the bias          (I − P + e e₀ᵀ)ᵀ μ = e₀
//! ```
//!
//! With node 0 absorbing, (I − Q) v = x gives totals until absorption and its transpose the visits. Both are solved
//! by BiCGSTAB (van der Vorst, 1992), preconditioned from the right by one Gauss–Seidel sweep in the order of
//! the chain's likeliest steps. The sweep alone follows the flow of a chain; the Krylov iteration takes care of the few slow
//! modes that the sweep leaves. Memory is a few vectors. Residuals are computed afresh at the end, so that what is
//! returned is certified: J(x) lies between the least and the greatest of x + P h − h.

use super::bicgstab::bicgstab;
use crate::arithmetic::extremes::{greater, greatest_size};
use crate::stop::StopFlag;
use std::ops::Range;

/// A sparse chain, its nodes renumbered in sweep order.
#[derive(Clone, Debug)]
pub(crate) struct Iterative {
    absorbing: bool,
    /// Row `i` (in sweep order) owns the entries `first[i]..first[i + 1]`, those to earlier nodes before `middle[i]`.
    first: Vec<usize>,
    middle: Vec<usize>,
    next: Vec<u32>,
    probability: Vec<f64>,
    /// 1 − P(i,i), and one over the diagonal of the sweep.
    leave: Vec<f64>,
    per_diagonal: Vec<f64>,
    /// The shift e e₀ᵀ is a part of the sweep: node 0 is sticky. Otherwise the sweep leaves it out.
    sweeps_shift: bool,
    /// The place of every node in the sweep, and the node at every place.
    place: Vec<u32>,
    node: Vec<u32>,
    /// The residual to aim at, relative to the right-hand side.
    pub aim: f64,
    /// Ends iterations early.
    pub stop: StopFlag,
}

/// Vectors that an iteration needs, for one system at a time.
pub(crate) type Work = Vec<Vec<f64>>;

/// Iterations after which a system counts as not solved.
const ITERATIONS: usize = 3000;

/// Residuals that a search aims at, and to be content with if rounding allows no better; relative to the right-hand side.
const AIM: f64 = 1e-12;
const CONTENT: f64 = 1e-9;

/// Recurrences are not believed below this residual.
const LEAST_AIM: f64 = 1e-15;

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
            first: Vec::new(),
            middle: Vec::new(),
            next: Vec::new(),
            probability: Vec::new(),
            leave: Vec::new(),
            per_diagonal: Vec::new(),
            sweeps_shift: false,
            place: Vec::new(),
            node: Vec::new(),
            aim: AIM,
            stop: StopFlag::default(),
        }
    }
}

impl Iterative {
    /// Takes the rows of a chain: `rows(node)` lists (successor, probability). Node 0 must be reached from all.
    pub fn load<I: Iterator<Item = (usize, f64)>>(
        &mut self,
        nodes: usize,
        absorbing: bool,
        rows: impl Fn(usize) -> I,
    ) {
        self.absorbing = absorbing;
        self.order(nodes, &rows);
        self.first.clear();
        self.first.push(0);
        self.middle.clear();
        self.next.clear();
        self.probability.clear();
        self.leave.clear();
        let mut row: Vec<(usize, f64)> = Vec::new();
        for place in 0..nodes {
            let node = self.node[place] as usize;
            row.clear();
            if !absorbing || node != 0 {
                row.extend(rows(node).map(|(next, p)| (self.place[next] as usize, p)));
            }
            let mut keep = |is_wanted: &dyn Fn(usize) -> bool| {
                for &(next, p) in row.iter().filter(|(next, _)| is_wanted(*next)) {
                    self.next.push(next as u32);
                    self.probability.push(p);
                }
                self.next.len()
            };
            self.middle.push(keep(&|next| next < place));
            let end = keep(&|next| next > place);
            // Summed from the entries, not subtracted from 1: a state that is hardly ever left keeps its digits.
            let stay: f64 = row.iter().filter(|(next, _)| *next == place).map(|(_, p)| p).sum();
            let out: f64 = self.probability[self.first[place]..].iter().sum();
            self.leave.push(if stay > 0.5 && out > 0.0 { out } else { 1.0 - stay });
            self.first.push(end);
        }
        self.per_diagonal.clear();
        self.per_diagonal.extend(self.leave.iter().map(|leave| 1.0 / leave));
        self.sweeps_shift = !absorbing && self.leave[0] < STICKY;
        if self.sweeps_shift {
            self.per_diagonal[0] = 1.0 / (1.0 + self.leave[0]);
        }
    }

    /// A node that is never left, although node 0 has to be reached from it.
    pub fn stuck(&self) -> Option<usize> {
        let is_stuck = |&i: &usize| self.leave[i] <= 0.0 && (i > 0 || self.absorbing);
        (0..self.nodes()).find(is_stuck).map(|i| self.node[i] as usize)
    }

    /// Numbers the nodes so that the likeliest successor of each comes before it, as far as these do not go round:
    /// first those whose likeliest steps lead to node 0, then, cycle by cycle, the others. (By distance alone, any
    /// rare slip towards node 0 would turn a part of the order against the flow.)
    fn order<I: Iterator<Item = (usize, f64)>>(&mut self, nodes: usize, rows: &impl Fn(usize) -> I) {
        let likeliest = |node: usize| {
            let others = rows(node).filter(|&(next, _)| next != node);
            others.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(node, |(next, _)| next) as u32
        };
        let main: Vec<u32> = (0..nodes).map(likeliest).collect();
        let mut first = vec![0u32; nodes + 2];
        main.iter().for_each(|&next| first[next as usize + 2] += 1);
        (2..nodes + 2).for_each(|node| first[node] += first[node - 1]);
        let mut sources = vec![0u32; nodes];
        for (node, &next) in main.iter().enumerate() {
            let end = &mut first[next as usize + 1];
            sources[*end as usize] = node as u32;
            *end += 1;
        }
        const NEW: u32 = u32::MAX;
        const SEEN: u32 = u32::MAX - 1;
        self.place.clear();
        self.place.resize(nodes, NEW);
        self.node.clear();
        for root in 0..nodes {
            // Down the likeliest steps to a node that is numbered already or comes round again.
            let mut root = root as u32;
            while self.place[root as usize] == NEW && root != 0 {
                self.place[root as usize] = SEEN;
                root = main[root as usize];
            }
            if self.place[root as usize] < SEEN {
                continue;
            }
            let mut at = self.node.len();
            self.place[root as usize] = at as u32;
            self.node.push(root);
            while at < self.node.len() {
                let target = self.node[at] as usize;
                for &source in &sources[first[target] as usize..first[target + 1] as usize] {
                    if self.place[source as usize] >= SEEN {
                        self.place[source as usize] = self.node.len() as u32;
                        self.node.push(source);
                    }
                }
                at += 1;
            }
        }
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.node.len()
    }

    /// Calls `visit` for every transition between different nodes.
    pub fn transitions(&self, mut visit: impl FnMut(usize, usize, f64)) {
        for i in 0..self.nodes() {
            self.entries(i).for_each(|(j, p)| visit(self.node[i] as usize, self.node[j] as usize, p));
        }
    }

    fn entries(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.slice(self.first[i]..self.first[i + 1])
    }

    fn earlier(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.slice(self.first[i]..self.middle[i])
    }

    fn later(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.slice(self.middle[i]..self.first[i + 1])
    }

    fn slice(&self, range: Range<usize>) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.next[range.clone()].iter().zip(&self.probability[range]).map(|(&j, &p)| (j as usize, p))
    }

    /// out = A x.
    fn apply(&self, x: &[f64], out: &mut [f64]) {
        let shift = if self.absorbing { 0.0 } else { x[0] };
        for (i, out) in out.iter_mut().enumerate() {
            let onward: f64 = self.entries(i).map(|(j, p)| p * x[j]).sum();
            *out = self.leave[i] * x[i] - onward + shift;
        }
    }

    /// out = Aᵀ x.
    fn apply_transposed(&self, x: &[f64], out: &mut [f64]) {
        out.iter_mut().enumerate().for_each(|(i, y)| *y = self.leave[i] * x[i]);
        for (i, x) in x.iter().enumerate() {
            self.entries(i).for_each(|(j, p)| out[j] -= p * x);
        }
        if !self.absorbing {
            out[0] += x.iter().sum::<f64>();
        }
    }

    /// M y = x, where M is the part of A on and below the diagonal: one sweep.
    fn sweep(&self, x: &[f64], y: &mut [f64]) {
        let mut shift = 0.0;
        for (i, &x) in x.iter().enumerate() {
            let below: f64 = self.earlier(i).map(|(j, p)| p * y[j]).sum();
            y[i] = (x + below - shift) * self.per_diagonal[i];
            if i == 0 && self.sweeps_shift {
                shift = y[0];
            }
        }
    }

    /// out = A y of a sweep, M y = x: what is left of A is the part above the diagonal (Eisenstat, 1981).
    fn apply_swept(&self, x: &[f64], y: &[f64], out: &mut [f64]) {
        let shift = if self.absorbing || self.sweeps_shift { 0.0 } else { y[0] };
        for (i, (&x, out)) in x.iter().zip(out).enumerate() {
            let above: f64 = self.later(i).map(|(j, p)| p * y[j]).sum();
            *out = x - above + shift;
        }
    }

    /// Mᵀ y = x.
    fn sweep_transposed(&self, x: &[f64], y: &mut [f64]) {
        y.copy_from_slice(x);
        for i in (0..self.nodes()).rev() {
            y[i] *= self.per_diagonal[i];
            let value = y[i];
            self.earlier(i).for_each(|(j, p)| y[j] += p * value);
            if i > 0 && self.sweeps_shift {
                y[0] -= value;
            }
        }
    }

    /// out = Aᵀ y of a sweep, Mᵀ y = x.
    fn apply_swept_transposed(&self, x: &[f64], y: &[f64], out: &mut [f64]) {
        out.copy_from_slice(x);
        for (i, y) in y.iter().enumerate() {
            self.later(i).for_each(|(j, p)| out[j] -= p * y);
        }
        if !self.absorbing && !self.sweeps_shift {
            out[0] += y.iter().sum::<f64>();
        }
    }

    /// J(x) (0 for absorbing chains) with the half-width of the interval it is certified to lie in, and h by node with
    /// h(0) = 0; `bias` holds a first guess.
    pub fn bias(
        &self,
        signal: &[f64],
        bias: &mut [f64],
        work: &mut Work,
    ) -> Result<(f64, f64), NotConverged> {
        let right: Vec<f64> = self.node.iter().map(|&node| signal[node as usize]).collect();
        let mut x: Vec<f64> = self.node.iter().map(|&node| bias[node as usize]).collect();
        self.solve(&right, &mut x, work, false)?;
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        if !self.absorbing {
            for (i, &signal) in right.iter().enumerate() {
                let (gain, rounding) = self.one_step(i, signal, &x);
                (low, high) = (-greater(-low, rounding - gain), greater(high, gain + rounding));
            }
        }
        let base = x[0];
        self.node.iter().zip(&x).for_each(|(&node, h)| bias[node as usize] = h - base);
        Ok(if self.absorbing { (0.0, 0.0) } else { (0.5 * (low + high), 0.5 * (high - low)) })
    }

    /// x + P h − h at a place, and how far rounding may have carried it. Differences of h between neighbours are small even
    /// if h is not, so that they keep the digits that P h and h lose in each other.
    fn one_step(&self, i: usize, signal: f64, h: &[f64]) -> (f64, f64) {
        let (mut drift, mut size) = (0.0, signal.abs());
        for (j, p) in self.entries(i) {
            drift += p * (h[j] - h[i]);
            size += p * (h[j] - h[i]).abs();
        }
        // One rounding for each sum, and those of the difference, the product and the sum of the row.
        let operations = (self.first[i + 1] - self.first[i] + 4) as f64;
        (signal + drift, operations * f64::EPSILON * size)
    }

    /// The stationary law, by node; `law` holds a first guess.
    pub fn stationary(&self, law: &mut [f64], work: &mut Work) -> Result<(), NotConverged> {
        let mut right = vec![0.0; self.nodes()];
        right[0] = 1.0;
        let mut x: Vec<f64> = self.node.iter().map(|&node| law[node as usize]).collect();
        self.solve(&right, &mut x, work, true)?;
        let total: f64 = x.iter().map(|mass| mass.max(0.0)).sum();
        self.node.iter().zip(&x).for_each(|(&node, mass)| law[node as usize] = mass.max(0.0) / total);
        Ok(())
    }

    /// Expected visits before absorption, from weights, by node.
    pub fn visits(&self, weights: &mut [f64], work: &mut Work) -> Result<(), NotConverged> {
        let mut right: Vec<f64> = self.node.iter().map(|&node| weights[node as usize]).collect();
        right[0] = 0.0;
        let mut x = vec![0.0; self.nodes()];
        self.solve(&right, &mut x, work, true)?;
        self.node.iter().zip(&x).for_each(|(&node, visits)| weights[node as usize] = visits.max(0.0));
        weights[0] = 0.0;
        Ok(())
    }

    /// A x = b (or Aᵀ x = b) by BiCGSTAB from the guess in `x`.
    fn solve(&self, b: &[f64], x: &mut [f64], work: &mut Work, transposed: bool) -> Result<(), NotConverged> {
        let nodes = self.nodes();
        work.resize_with(7, Vec::new);
        work.iter_mut().for_each(|vector| vector.resize(nodes, 0.0));
        let [r, others @ ..] = &mut work[..] else { return Err(NotConverged(f64::INFINITY)) };
        let size = greatest_size(b.iter().copied()).max(f64::MIN_POSITIVE);
        let (mut used, mut last) = (0, f64::INFINITY);
        // Restarts from the true residual when the recurrences have drifted away from it.
        let reached = loop {
            if transposed {
                self.apply_transposed(x, r);
            } else {
                self.apply(x, r);
            }
            r.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r);
            let residual = greatest_size(r.iter().copied()) / size;
            if residual <= self.aim
                || !residual.is_finite()
                || residual > 0.5 * last
                || used >= ITERATIONS
                || self.stop.asked()
            {
                break residual;
            }
            last = residual;
            let stop = (0.1 * self.aim.max(LEAST_AIM) * size, ITERATIONS - used);
            used += if transposed {
                bicgstab(
                    |x, y| self.sweep_transposed(x, y),
                    |x, y, out| self.apply_swept_transposed(x, y, out),
                    (x, r, others),
                    stop,
                    &self.stop,
                )
            } else {
                bicgstab(
                    |x, y| self.sweep(x, y),
                    |x, y, out| self.apply_swept(x, y, out),
                    (x, r, others),
                    stop,
                    &self.stop,
                )
            };
        };
        if reached <= CONTENT { Ok(()) } else { Err(NotConverged(reached)) }
    }
}

#[cfg(test)]
mod tests;
