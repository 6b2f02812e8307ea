//! One face for the ways to solve a chain: a table for small or dense ones, iteration for large sparse ones, and
//! elimination in fronts where iteration does not converge.
//!
//! Whatever is returned is certified: by elimination without subtraction, or by a residual computed afresh. Where
//! neither is to be had, the answer is [`Unsolved::NotConverged`].

use super::elimination::{Elimination, Stuck};
pub(crate) use super::iterative::Way;
use super::iterative::{Iterative, MOST_LANES, NotConverged, System, Work};
use super::sparse_elimination::{Refused, SparseElimination};
use crate::error::Error;
use crate::stop::StopFlag;
use crate::threads::{at_once, most as most_threads};

/// Chains of up to this many nodes are solved in a table; larger ones only if they are dense.
const SMALL: usize = 1000;

/// From this many nodes on, the signals of a chain are solved for at once: a thread costs some 30 µs, an iteration as much
/// on 5000 nodes.
pub(crate) const THREADED: usize = 20_000;

/// Above this many nodes two signals at most are solved for side by side: each takes 64 bytes a node.
const TWO_AT_ONCE: usize = 4_000_000;

/// Above this many nodes a dense table is too large.
const LARGEST_TABLE: usize = 8000;

/// Why a chain was not solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unsolved {
    /// From this node, node 0 is not reached in floating-point arithmetic.
    Stuck(usize),
    /// Iteration ended with this relative residual, and the factors of the chain are too large.
    NotConverged { nodes: usize, residual: f64 },
    /// The end was asked for.
    Stopped,
}

impl Unsolved {
    /// The error to report, given the names of nodes.
    pub fn error(self, name: impl FnOnce(usize) -> String) -> Error {
        match self {
            Unsolved::Stuck(node) => Error::Underflow { state: name(node) },
            Unsolved::NotConverged { nodes, residual } => Error::NotConverged { states: nodes, residual },
            Unsolved::Stopped => Error::Stopped { violation: f64::INFINITY },
        }
    }
}

impl From<Stuck> for Unsolved {
    fn from(stuck: Stuck) -> Unsolved {
        Unsolved::Stuck(stuck.0)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Method {
    #[default]
    Table,
    Iteration,
    SparseElimination,
}

/// Solves chains whose node 0 is reached from every node.
#[derive(Default)]
pub(crate) struct Solver {
    method: Method,
    table: Elimination,
    iterative: Iterative,
    sparse: SparseElimination,
    /// Vectors for the iterations, of every signal.
    work: Vec<Work>,
    /// Of every signal, by node; not for tables.
    signals: Vec<Vec<f64>>,
    /// The half-width of the interval that the gain of each signal is certified to lie in.
    pub errors: Vec<f64>,
    /// How many chains were eliminated because iteration did not converge. From the first on, the others are not
    /// tried by iteration: policies that follow each other are alike.
    pub switched: usize,
    /// The iterations that biases took, counted for the system of each chain that took most.
    pub iterations: usize,
    /// A chain was too large for elimination; the others are not tried.
    too_large: bool,
}

impl Solver {
    /// Whether a chain is to be solved by iteration.
    pub fn is_large(nodes: usize, entries: usize) -> bool {
        nodes > SMALL && (nodes > LARGEST_TABLE || entries < nodes * (nodes / 16))
    }

    /// A solver that tries this way of iteration first, which chains alike have needed; the flag ends its work early.
    pub fn beginning(way: Way, stop: &StopFlag) -> Solver {
        let mut solver = Solver::default();
        solver.iterative.way = way;
        solver.stop_by(stop.clone());
        solver
    }

    /// The way that iteration solved the last chain.
    pub fn way(&self) -> Way {
        self.iterative.way
    }

    /// Long work ends early when this flag asks for it, with [`Unsolved::Stopped`].
    pub fn stop_by(&mut self, stop: StopFlag) {
        self.iterative.stop = stop;
    }

    /// The flag by which long work ends early.
    pub fn stop(&self) -> &StopFlag {
        &self.iterative.stop
    }

    /// Iterates to the last digits that rounding leaves, not only to those that a search needs.
    pub fn aim_high(&mut self) {
        self.iterative.aim = 0.0;
    }

    /// Begins as if no chain had failed yet.
    pub fn forget_failures(&mut self) {
        (self.switched, self.iterations, self.too_large) = (0, 0, false);
        self.iterative.forget_way();
    }

    /// Gives its memory back, and begins as if no chain had failed yet; but the way of iteration is kept.
    pub fn shrink(&mut self) {
        let mut iterative = std::mem::take(&mut self.iterative);
        iterative.shrink();
        *self = Solver { iterative, ..Solver::default() };
    }

    /// The next chain has the nodes of the last one, and but for these the same rows.
    pub fn expect_changes(&mut self, nodes: Vec<u32>) {
        self.iterative.changed = Some(nodes);
    }

    /// Solves the chain with the given rows (successors and probabilities) and signals; node 0 is recurrent, or
    /// absorbing.
    pub fn solve<I: Iterator<Item = (usize, f64)>>(
        &mut self,
        (nodes, signals): (usize, usize),
        absorbing: bool,
        row: impl Fn(usize) -> I + Sync,
        signal: impl Fn(usize, usize) -> f64 + Sync,
    ) -> Result<(), Unsolved> {
        let decides = nodes > SMALL && nodes <= LARGEST_TABLE;
        let entries = if decides { (0..nodes).map(|node| row(node).count()).sum() } else { 0 };
        if !Solver::is_large(nodes, entries) {
            self.begin_table(signals);
            self.table.reset(nodes, signals);
            for node in 0..nodes {
                let (rates, probabilities) = self.table.row_mut(node);
                rates.iter_mut().enumerate().for_each(|(k, rate)| *rate = signal(node, k));
                row(node).for_each(|(next, p)| probabilities[next] += p);
            }
            return Ok(self.table.reduce(1)?);
        }
        if self.iterative.stop.asked() {
            return Err(Unsolved::Stopped);
        }
        self.method = Method::Iteration;
        self.errors.clear();
        self.errors.resize(signals, 0.0);
        self.iterative.load(nodes, absorbing, &row);
        if self.iterative.stop.asked() {
            return Err(Unsolved::Stopped);
        }
        if let Some(node) = self.iterative.stuck() {
            return Err(Unsolved::Stuck(node));
        }
        self.signals.resize_with(signals, Vec::new);
        let read = |(k, values): (usize, &mut Vec<f64>)| {
            values.clear();
            values.extend((0..nodes).map(|node| signal(node, k)));
        };
        if nodes < THREADED {
            self.signals.iter_mut().enumerate().for_each(read);
        } else {
            at_once(self.signals.iter_mut().enumerate().collect(), read);
        }
        if self.switched > 0 && !self.too_large {
            match self.eliminate(NotConverged(f64::INFINITY)) {
                Err(Unsolved::Stopped) => Err(Unsolved::Stopped),
                _ => Ok(()),
            }
        } else {
            Ok(())
        }
    }

    /// A table for a chain of dense rows, to be filled in and reduced.
    pub fn table(&mut self, nodes: usize, signals: usize) -> &mut Elimination {
        self.begin_table(signals);
        self.table.shape(nodes, signals);
        &mut self.table
    }

    fn begin_table(&mut self, signals: usize) {
        self.method = Method::Table;
        self.errors.clear();
        self.errors.resize(signals, 0.0);
    }

    /// The table of the last chain, of which rows of the head are to be written again before
    /// [`Elimination::reduce_again`].
    pub fn table_again(&mut self) -> &mut Elimination {
        &mut self.table
    }

    /// J(x) of every signal and its bias by node, h(0) = 0; for absorbing chains totals until absorption, and gains
    /// of 0. A bias of the right length is a first guess.
    pub fn biases(
        &mut self,
        absorbing: bool,
        gains: &mut [f64],
        biases: &mut [Vec<f64>],
    ) -> Result<(), Unsolved> {
        if self.method == Method::Iteration {
            let solved = self.by_iteration(|solver| solver.iterate(gains, biases))?;
            if solved.is_some() {
                return Ok(());
            }
        }
        if self.method == Method::Table {
            if absorbing {
                gains.fill(0.0);
            } else {
                self.table.gains(gains);
            }
            self.table.biases(gains, biases);
            return Ok(());
        }
        for (k, bias) in biases.iter_mut().enumerate() {
            bias.clear();
            bias.resize(self.iterative.nodes(), 0.0);
            gains[k] = self.sparse.bias(absorbing, &self.signals[k], bias);
        }
        Ok(())
    }

    /// [`Solver::biases`] by iteration: the signals of a chain at once, side by side, or each in a thread of its own unless all
    /// threads work on the same. They share nothing that is written, so that the numbers do not depend on that.
    fn iterate(&mut self, gains: &mut [f64], biases: &mut [Vec<f64>]) -> Result<(), NotConverged> {
        let Solver { iterative, signals, errors, work, iterations, .. } = self;
        let iterative = &*iterative;
        biases.iter_mut().for_each(|bias| bias.resize(iterative.nodes(), 0.0));
        let mut systems = System::of(signals, gains, errors, biases);
        let most = if iterative.nodes() > TWO_AT_ONCE { 2 } else { MOST_LANES };
        let is_shared_out = iterative.nodes() >= THREADED && !iterative.shares_systems();
        let threads = if is_shared_out { most_threads() } else { 1 };
        let side_by_side = systems.len().div_ceil(threads).clamp(1, most);
        let mut groups: Vec<&mut [System]> = systems.chunks_mut(side_by_side).collect();
        work.resize_with(groups.len().min(threads).max(1), Work::default);
        let mut solved = Vec::new();
        for groups in groups.chunks_mut(threads) {
            let tasks = groups.iter_mut().zip(work.iter_mut()).collect();
            solved.extend(at_once(tasks, |(group, work)| iterative.biases(group, work)));
        }
        let taken = work.iter_mut().map(|work| std::mem::take(&mut work.iterations));
        *iterations += taken.fold(0, usize::max);
        let failures = solved.iter().filter_map(|solved| solved.err());
        let worst = failures.max_by(|a, b| a.0.total_cmp(&b.0));
        if worst.is_some() {
            groups.into_iter().flatten().for_each(System::guess_again);
        }
        worst.map_or(Ok(()), Err)
    }

    /// Solves systems by iteration in one way after the other. `None` if none does it, but elimination has taken over.
    fn by_iteration<T>(
        &mut self,
        mut solve: impl FnMut(&mut Solver) -> Result<T, NotConverged>,
    ) -> Result<Option<T>, Unsolved> {
        loop {
            let failed = match solve(self) {
                Ok(solved) => return Ok(Some(solved)),
                Err(failed) => failed,
            };
            let had_factors = self.iterative.has_factors();
            if !self.iterative.try_harder() {
                self.eliminate(failed)?;
                return Ok(None);
            }
            // Where factors were of no help, sweeps hardly are: they come to their limit, unless elimination takes less.
            if had_factors && !self.iterative.has_factors() && !self.too_large {
                match self.eliminate_within(self.iterative.products_of_sweeps()) {
                    Ok(true) => return Ok(None),
                    Err(Unsolved::Stopped) => return Err(Unsolved::Stopped),
                    Ok(false) | Err(_) => {}
                }
            }
        }
    }

    /// The bias of Σ ω_k (x_k − J(x_k)) of a recurrent chain, by node, if it was eliminated in fronts: such chains
    /// fall nearly apart, and where their huge biases cancel out, a sum of them has few digits. `None` of others.
    pub fn bias_of_sum(&self, weights: &[f64], gains: &[f64]) -> Option<Vec<f64>> {
        if self.method != Method::SparseElimination {
            return None;
        }
        let mut sum = vec![0.0; self.iterative.nodes()];
        for ((signal, weight), gain) in self.signals.iter().zip(weights).zip(gains) {
            sum.iter_mut().zip(signal).for_each(|(sum, x)| *sum += weight * (x - gain));
        }
        let mut bias = vec![0.0; sum.len()];
        self.sparse.bias(false, &sum, &mut bias);
        Some(bias).filter(|bias| bias.iter().all(|h| h.is_finite()))
    }

    /// J(x) of every signal of a recurrent chain.
    pub fn gains(&mut self, gains: &mut [f64]) -> Result<(), Unsolved> {
        if self.method == Method::Table {
            self.table.gains(gains);
            return Ok(());
        }
        self.biases(false, gains, &mut vec![Vec::new(); gains.len()])
    }

    /// Changes from iteration, which has failed, to elimination, if its factors are not too large for that.
    fn eliminate(&mut self, NotConverged(residual): NotConverged) -> Result<(), Unsolved> {
        if self.too_large || !self.eliminate_within(usize::MAX)? {
            self.too_large = true;
            return Err(Unsolved::NotConverged { nodes: self.iterative.nodes(), residual });
        }
        Ok(())
    }

    /// Changes from iteration to elimination, if its factors are not too large and take no more products than these; whether it
    /// did.
    fn eliminate_within(&mut self, products: usize) -> Result<bool, Unsolved> {
        let iterative = &self.iterative;
        if iterative.stop.asked() {
            return Err(Unsolved::Stopped);
        }
        let visit_all = |visit: &mut dyn FnMut(usize, usize, f64)| iterative.transitions(visit);
        match self.sparse.reduce(iterative.nodes(), products, &iterative.stop, visit_all) {
            Ok(()) => {}
            Err(Refused::Stuck(node)) => return Err(Unsolved::Stuck(node)),
            Err(Refused::Stopped) => return Err(Unsolved::Stopped),
            Err(Refused::TooLarge) => return Ok(false),
        }
        self.method = Method::SparseElimination;
        self.switched += 1;
        self.errors.fill(0.0);
        Ok(true)
    }

    /// The stationary law, by node.
    pub fn stationary(&mut self, law: &mut [f64]) -> Result<(), Unsolved> {
        if self.method == Method::Iteration {
            self.work.resize_with(self.work.len().max(1), Work::default);
            let solved = self.by_iteration(|solver| solver.iterative.stationary(law, &mut solver.work[0]))?;
            if solved.is_some() {
                return Ok(());
            }
        }
        match self.method {
            Method::Table => self.table.stationary(law),
            _ => self.sparse.stationary(law),
        }
        Ok(())
    }

    /// Whether the chain is solved by iteration, so that the law costs as much as a bias.
    pub fn is_iterative(&self) -> bool {
        self.method == Method::Iteration
    }

    /// Whether the chain is solved in a table.
    pub fn is_in_table(&self) -> bool {
        self.method == Method::Table
    }

    /// Expected visits before absorption, from weights, by node.
    pub fn visits(&mut self, weights: &mut [f64]) -> Result<(), Unsolved> {
        if self.method == Method::Iteration {
            self.work.resize_with(self.work.len().max(1), Work::default);
            let solved = self.by_iteration(|solver| solver.iterative.visits(weights, &mut solver.work[0]))?;
            if let Some(visits) = solved {
                weights.copy_from_slice(&visits);
                return Ok(());
            }
        }
        match self.method {
            Method::Table => self.table.visits(weights),
            _ => self.sparse.visits(weights),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
