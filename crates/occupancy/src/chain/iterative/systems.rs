//! The systems of a chain: biases and gains of signals, the stationary law, and visits before absorption.

use super::{Iterative, NotConverged};
use crate::arithmetic::extremes::greater;
use crate::chain::lanes::Lanes;
use crate::threads::at_once;
use std::ops::Range;

/// Vectors that the solution of a system needs, with the numbers of all lanes.
#[derive(Default)]
pub(crate) struct Work {
    right: Vec<f64>,
    solution: Vec<f64>,
    iteration: [Vec<f64>; 6],
    /// The most iterations that the biases of a signal took since somebody asked.
    pub iterations: usize,
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
    pub(super) unbounded: f64,
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

impl Iterative {
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
        let Work { right, solution, iteration, iterations } = work;
        let signal = |i: usize| systems.each_ref().map(|system| system.signal[order.node[i] as usize]);
        let right = &*self.written(right, signal);
        let guess = |i: usize| -> Lanes<K> {
            std::array::from_fn(|k| systems[k].bias[order.node[i] as usize] + guesses[k])
        };
        let x = self.written(solution, guess);
        let solved = self.solve(right, x, (iteration, iterations), false);
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
        let (nodes, Work { right, solution, iteration, .. }) = (&self.rows.order.node, work);
        let right = &*self.written(right, |i| [if i == 0 { 1.0 } else { 0.0 }]);
        let x = self.written(solution, |i| [law[nodes[i] as usize]]);
        let solved = self.solve(right, x, (iteration, &mut 0), true);
        let total: f64 = x.iter().map(|[mass]| mass.max(0.0)).sum();
        nodes.iter().zip(&*x).for_each(|(&node, [mass])| law[node as usize] = mass.max(0.0) / total);
        solved
    }

    /// Expected visits before absorption, from weights, by node.
    pub fn visits(&self, weights: &[f64], work: &mut Work) -> Result<Vec<f64>, NotConverged> {
        let (order, Work { right, solution, iteration, .. }) = (&self.rows.order.node, work);
        let right = &*self.written(right, |i| [if i == 0 { 0.0 } else { weights[order[i] as usize] }]);
        let x = self.written(solution, |_| [0.0]);
        self.solve(right, x, (iteration, &mut 0), true)?;
        let mut visits = vec![0.0; self.nodes()];
        order.iter().zip(&*x).for_each(|(&node, [mass])| visits[node as usize] = mass.max(0.0));
        visits[0] = 0.0;
        Ok(visits)
    }
}
