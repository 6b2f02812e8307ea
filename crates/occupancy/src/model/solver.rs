//! One face for the two ways to solve a chain: elimination for small or dense ones, iteration for large sparse ones.

use super::elimination::Elimination;
pub(crate) use super::elimination::Stuck;
use super::iterative::{Iterative, NotConverged};

/// Chains of up to this many nodes are eliminated; larger ones only if they are dense.
const SMALL: usize = 1000;

/// Above this many nodes a dense table is too large; below, elimination also takes over where iteration fails.
const LARGEST_TABLE: usize = 8000;

/// Solves chains whose node 0 is reached from every node.
#[derive(Default)]
pub(crate) struct Solver {
    elimination: Elimination,
    iterative: Iterative,
    is_iterative: bool,
    /// Of every signal, by node; for iteration only.
    signals: Vec<Vec<f64>>,
    /// The half-width of the interval that the gain of each signal is certified to lie in.
    pub errors: Vec<f64>,
}

impl Solver {
    /// Whether a chain is to be solved by iteration.
    pub fn is_large(nodes: usize, entries: usize) -> bool {
        nodes > SMALL && (nodes > LARGEST_TABLE || entries < nodes * (nodes / 16))
    }

    /// Solves the chain with the given rows (successors and probabilities) and signals; node 0 is recurrent, or
    /// absorbing.
    pub fn solve<I: Iterator<Item = (usize, f64)>>(
        &mut self,
        (nodes, signals): (usize, usize),
        absorbing: bool,
        row: impl Fn(usize) -> I,
        signal: impl Fn(usize, usize) -> f64,
    ) -> Result<(), Stuck> {
        let entries = if nodes > SMALL { (0..nodes).map(|node| row(node).count()).sum() } else { 0 };
        self.is_iterative = Solver::is_large(nodes, entries);
        self.errors.clear();
        self.errors.resize(signals, 0.0);
        if self.is_iterative {
            self.iterative.load(nodes, absorbing, &row);
            self.signals.resize_with(signals, Vec::new);
            for (k, values) in self.signals.iter_mut().enumerate() {
                values.clear();
                values.extend((0..nodes).map(|node| signal(node, k)));
            }
            return Ok(());
        }
        self.elimination.reset(nodes, signals);
        for node in 0..nodes {
            let (rates, probabilities) = self.elimination.row_mut(node);
            rates.iter_mut().enumerate().for_each(|(k, rate)| *rate = signal(node, k));
            row(node).for_each(|(next, p)| probabilities[next] += p);
        }
        self.elimination.reduce(1)
    }

    /// A table for a chain of dense rows, to be filled in and reduced.
    pub fn table(&mut self, nodes: usize, signals: usize) -> &mut Elimination {
        self.is_iterative = false;
        self.errors.clear();
        self.errors.resize(signals, 0.0);
        self.elimination.shape(nodes, signals);
        &mut self.elimination
    }

    /// The table of the last chain, of which rows of the head are to be written again before
    /// [`Elimination::reduce_again`].
    pub fn table_again(&mut self) -> &mut Elimination {
        &mut self.elimination
    }

    /// J(x) of every signal and its bias by node, h(0) = 0; for absorbing chains totals until absorption, and gains
    /// of 0. A bias of the right length is a first guess.
    pub fn biases(
        &mut self,
        absorbing: bool,
        gains: &mut [f64],
        biases: &mut [Vec<f64>],
    ) -> Result<(), Stuck> {
        if self.is_iterative {
            let nodes = self.iterative.nodes();
            let solved = biases.iter_mut().enumerate().try_for_each(|(k, bias)| {
                bias.resize(nodes, 0.0);
                (gains[k], self.errors[k]) = self.iterative.bias(&self.signals[k], bias)?;
                Ok::<(), NotConverged>(())
            });
            if solved.is_ok() {
                return Ok(());
            }
            self.eliminate()?;
        }
        match absorbing {
            false => self.elimination.gains(gains),
            true => gains.fill(0.0),
        }
        self.elimination.biases(gains, biases);
        Ok(())
    }

    /// J(x) of every signal of a recurrent chain.
    pub fn gains(&mut self, gains: &mut [f64]) -> Result<(), Stuck> {
        let count = if self.is_iterative { gains.len() } else { 0 };
        self.biases(false, gains, &mut vec![Vec::new(); count])
    }

    /// Changes from iteration, which has failed, to elimination, if the table is not too large for that.
    fn eliminate(&mut self) -> Result<(), Stuck> {
        let nodes = self.iterative.nodes();
        if nodes > LARGEST_TABLE {
            return Err(Stuck(0));
        }
        self.is_iterative = false;
        self.errors.fill(0.0);
        self.elimination.reset(nodes, self.signals.len());
        for node in 0..nodes {
            let (rates, _) = self.elimination.row_mut(node);
            rates.iter_mut().zip(&self.signals).for_each(|(rate, signal)| *rate = signal[node]);
        }
        let elimination = &mut self.elimination;
        self.iterative.transitions(|from, to, p| elimination.row_mut(from).1[to] += p);
        self.elimination.reduce(1)
    }

    /// The stationary law, by node.
    pub fn stationary(&mut self, law: &mut [f64]) -> Result<(), Stuck> {
        if self.is_iterative && self.iterative.stationary(law).is_ok() {
            return Ok(());
        }
        if self.is_iterative {
            self.eliminate()?;
        }
        self.elimination.stationary(law);
        Ok(())
    }

    /// Whether the chain is solved by iteration, so that the law costs as much as a bias.
    pub fn is_iterative(&self) -> bool {
        self.is_iterative
    }

    /// Expected visits before absorption, from weights, by node.
    pub fn visits(&mut self, weights: &mut [f64]) -> Result<(), Stuck> {
        if self.is_iterative && self.iterative.visits(weights).is_ok() {
            return Ok(());
        }
        if self.is_iterative {
            self.eliminate()?;
        }
        self.elimination.visits(weights);
        Ok(())
    }
}
