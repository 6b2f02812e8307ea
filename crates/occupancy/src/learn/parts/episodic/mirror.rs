//! One step of mirror descent over the occupancies of an episode, with kernels in balls around the estimates.
//!
//! ```text
//! min over q   ⟨ℓ, q⟩ + α Σ ( q ln(q/q̃) − q + q̃ )        q = q_h(s,a,s′) ,  what flows into a state flows out of it ,
//!                                                        ‖q(s,a,·)/Σq(s,a,·) − p̄‖₁ ≤ ε(s,a)
//! ```
//!
//! With a dual variable ν_h(s) for the flow through each state, the best kernel of a row is found by itself, and the best mass
//! μ of the row is a formula:
//!
//! ```text
//! W(s,a) = min over p in the ball   Σ p ( −ν_{h+1} + α ln(p/q̃) ) ,        μ(s,a) = exp( −(ℓ(s,a) + ν_h(s) + W(s,a)) / α )
//! ```
//!
//! In a ball that binds, p is A w where that is above p̄, B w where that is below, and p̄ elsewhere, with w = q̃ exp(ν_{h+1}/α):
//! half of ε is added above and half taken away below, so that A and B are found apart, each by one pass over the ratios p̄/w. What
//! is left is smooth and concave in ν. Newton's method takes four to nine steps in the cases of `tests/table1`; its matrix couples neighbouring stages alone.

use super::estimates::Estimates;
use crate::arithmetic::elementary::{exp, ln};
use crate::arithmetic::extremes::greatest;

/// Newton steps at most; twenty have not been seen.
const STEPS: usize = 200;
/// The flow through a state may be off by this.
const BALANCED: f64 = 1e-12;
/// Exponents below this would be 0 as numbers.
const LEAST_EXPONENT: f64 = -700.0;

/// What a step starts from; tables are by row, or by row and successor.
#[derive(Clone, Copy, Debug)]
pub struct MirrorStep<'a> {
    /// The layout, and the start.
    pub estimates: &'a Estimates,
    /// p̄.
    pub centre: &'a [f64],
    /// ε of every row; 2 and more is no limit.
    pub radii: &'a [f64],
    /// q̃, positive wherever an episode may be.
    pub previous: &'a [f64],
    /// ℓ of every row.
    pub losses: &'a [f64],
    /// α.
    pub alpha: f64,
}

/// The masses and kernels at dual variables.
struct Point {
    masses: Vec<f64>,
    kernels: Vec<f64>,
    sides: Vec<Side>,
    value: f64,
}

/// Where an entry of a kernel is, in a ball that binds; all are `Above` in one that does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Above,
    Below,
    Centre,
}

impl MirrorStep<'_> {
    /// The best occupancy q by row and successor. `dual` is a first guess of ν, and becomes the one found.
    pub fn solve(&self, dual: &mut Vec<f64>) -> Vec<f64> {
        let states = self.estimates.states();
        dual.resize(self.estimates.horizon() * states, 0.0);
        let mut point = self.at(dual);
        if !point.value.is_finite() {
            dual.fill(0.0);
            point = self.at(dual);
        }
        for _ in 0..STEPS {
            let (gradient, mut curvature) = self.derivatives(&point);
            if greatest(gradient.iter().map(|x| x.abs())) <= BALANCED {
                break;
            }
            let direction = curvature.solve(&gradient);
            let rise: f64 = gradient.iter().zip(&direction).map(|(g, d)| g * d).sum();
            let Some(next) = self.along(dual, &direction, rise, point.value) else { break };
            point = next;
        }
        let by_row = point.kernels.chunks_exact(states).zip(&point.masses);
        by_row.flat_map(|(kernel, &mass)| kernel.iter().map(move |p| mass * p)).collect()
    }

    /// Goes along a direction until the dual value has risen enough; `None` if it does not rise any more.
    fn along(&self, dual: &mut [f64], direction: &[f64], rise: f64, value: f64) -> Option<Point> {
        let mut length = 1.0;
        let before = dual.to_vec();
        while length > 1e-10 {
            for ((to, from), d) in dual.iter_mut().zip(&before).zip(direction) {
                *to = from + length * d;
            }
            let point = self.at(dual);
            if point.value >= value + 1e-4 * length * rise - 1e-13 * value.abs() {
                return Some(point);
            }
            length *= 0.5;
        }
        dual.copy_from_slice(&before);
        None
    }

    /// Whether an episode may be in a state at a stage.
    fn is_possible(&self, stage: usize, state: usize) -> bool {
        stage > 0 || self.start(state) > 0.0
    }

    fn start(&self, state: usize) -> f64 {
        let start = self.estimates.models[0].start();
        start.iter().find(|(at, _)| *at == state).map_or(0.0, |(_, weight)| *weight)
    }

    fn at(&self, dual: &[f64]) -> Point {
        let (states, rows) = (self.estimates.states(), self.estimates.rows());
        let mut point = Point {
            masses: vec![0.0; rows],
            kernels: vec![0.0; rows * states],
            sides: vec![Side::Above; rows * states],
            value: (0..states).map(|state| -self.start(state) * dual[state]).sum(),
        };
        let none = vec![0.0; states];
        let mut order = Vec::new();
        for (stage, state) in self.estimates.places().filter(|&(h, s)| self.is_possible(h, s)) {
            let onward = dual.get((stage + 1) * states..(stage + 2) * states).unwrap_or(&none);
            for row in self.estimates.rows_of(stage, state) {
                let entries = row * states..(row + 1) * states;
                let (kernel, sides) =
                    (&mut point.kernels[entries.clone()], &mut point.sides[entries.clone()]);
                let previous = &self.previous[entries.clone()];
                self.best_kernel(row, onward, kernel, sides, &mut order);
                let terms = kernel.iter().zip(previous).zip(onward).filter(|((p, _), _)| **p > 0.0);
                let inner: f64 = terms.map(|((p, q), nu)| p * (self.alpha * ln(p / q) - nu)).sum();
                let exponent = -(self.losses[row] + dual[stage * states + state] + inner) / self.alpha;
                point.masses[row] = exp(exponent);
                point.value -= self.alpha * point.masses[row];
            }
        }
        point
    }

    /// The kernel of a row that is best for ν of the next stage.
    fn best_kernel(
        &self,
        row: usize,
        onward: &[f64],
        kernel: &mut [f64],
        sides: &mut [Side],
        order: &mut Vec<usize>,
    ) {
        let states = kernel.len();
        let centre = &self.centre[row * states..(row + 1) * states];
        let previous = &self.previous[row * states..(row + 1) * states];
        let most = greatest(onward.iter().copied());
        let mut sum = 0.0;
        for ((w, q), nu) in kernel.iter_mut().zip(previous).zip(onward) {
            *w = q * exp(((nu - most) / self.alpha).max(LEAST_EXPONENT));
            sum += *w;
        }
        let distance: f64 = kernel.iter().zip(centre).map(|(w, p)| (w / sum - p).abs()).sum();
        if distance <= self.radii[row] {
            kernel.iter_mut().for_each(|w| *w /= sum);
            return;
        }
        let ratio = |i: usize, w: &[f64]| centre[i] / w[i];
        order.clear();
        order.extend(0..states);
        order.sort_by(|&a, &b| ratio(a, kernel).total_cmp(&ratio(b, kernel)));
        sides.fill(Side::Centre);
        let half = 0.5 * self.radii[row];
        let (mut weight, mut mass, mut count) = (0.0, half, 0);
        while count < states && (count == 0 || mass / weight > ratio(order[count], kernel)) {
            weight += kernel[order[count]];
            mass += centre[order[count]];
            count += 1;
        }
        let above = (count, mass / weight);
        (weight, mass, count) = (0.0, -half, states);
        while count > above.0 && (count == states || mass / weight < ratio(order[count - 1], kernel)) {
            count -= 1;
            weight += kernel[order[count]];
            mass += centre[order[count]];
        }
        for (place, &i) in order.iter().enumerate() {
            (kernel[i], sides[i]) = match place {
                place if place < above.0 => (above.1 * kernel[i], Side::Above),
                place if place >= count => (mass / weight * kernel[i], Side::Below),
                _ => (centre[i], Side::Centre),
            };
        }
    }

    /// What flows out of every state less what flows in, and how that changes with ν.
    fn derivatives(&self, point: &Point) -> (Vec<f64>, Band) {
        let (states, horizon) = (self.estimates.states(), self.estimates.horizon());
        let mut gradient = vec![0.0; horizon * states];
        let mut curvature = Band::new(horizon * states, 2 * states);
        for (stage, state) in self.estimates.places() {
            let at = stage * states + state;
            if !self.is_possible(stage, state) {
                curvature.add(at, at, 1.0);
                continue;
            }
            if stage == 0 {
                gradient[at] -= self.start(state);
            }
            for row in self.estimates.rows_of(stage, state) {
                let mass = point.masses[row];
                gradient[at] += mass;
                curvature.add(at, at, mass / self.alpha);
                if stage + 1 < horizon {
                    self.add_onward(point, row, at, (stage + 1) * states, &mut gradient, &mut curvature);
                }
            }
        }
        (gradient, curvature)
    }

    /// The share of a row in the flow into the next stage.
    fn add_onward(
        &self,
        point: &Point,
        row: usize,
        at: usize,
        next: usize,
        gradient: &mut [f64],
        curvature: &mut Band,
    ) {
        let states = self.estimates.states();
        let (mass, entries) = (point.masses[row], row * states..(row + 1) * states);
        let (kernel, sides) = (&point.kernels[entries.clone()], &point.sides[entries]);
        let total = |side: Side| -> f64 {
            kernel.iter().zip(sides).filter(|(_, of)| **of == side).map(|(p, _)| p).sum()
        };
        let totals = [total(Side::Above), total(Side::Below)];
        for (i, (&p, &side)) in kernel.iter().zip(sides).enumerate() {
            gradient[next + i] -= mass * p;
            curvature.add(next + i, at, -mass * p / self.alpha);
            if side != Side::Centre {
                curvature.add(next + i, next + i, mass * p / self.alpha);
            }
            for (j, (&other, &of)) in kernel.iter().zip(sides).enumerate().take(i + 1) {
                // Entries of one side share a fixed total: what one gains the others lose.
                let shared = match (side == of, side) {
                    (true, Side::Above) => 1.0 / totals[0],
                    (true, Side::Below) => 1.0 / totals[1],
                    _ => 0.0,
                };
                curvature.add(next + i, next + j, mass * p * other * (1.0 - shared) / self.alpha);
            }
        }
    }
}

/// A symmetric positive matrix whose entries are near the diagonal; the lower half is stored.
struct Band {
    size: usize,
    width: usize,
    /// Row i has the columns i − width … i.
    entries: Vec<f64>,
}

impl Band {
    fn new(size: usize, width: usize) -> Band {
        Band { size, width, entries: vec![0.0; size * (width + 1)] }
    }

    fn index(&self, row: usize, column: usize) -> usize {
        row * (self.width + 1) + self.width + column - row
    }

    fn add(&mut self, row: usize, column: usize, value: f64) {
        let index = self.index(row, column);
        self.entries[index] += value;
    }

    /// The solution of matrix · x = right, by Cholesky's factors, which take the matrix's place.
    fn solve(&mut self, right: &[f64]) -> Vec<f64> {
        for i in 0..self.size {
            for j in i.saturating_sub(self.width)..=i {
                let first = i.saturating_sub(self.width).max(j.saturating_sub(self.width));
                let known: f64 =
                    (first..j).map(|k| self.entries[self.index(i, k)] * self.entries[self.index(j, k)]).sum();
                let (index, diagonal) = (self.index(i, j), self.index(j, j));
                let left = self.entries[index] - known;
                // A state that nobody passes has no curvature; it does not move.
                self.entries[index] =
                    if i == j { left.max(1e-300).sqrt() } else { left / self.entries[diagonal] };
            }
        }
        let mut x = right.to_vec();
        for i in 0..self.size {
            let known: f64 =
                (i.saturating_sub(self.width)..i).map(|k| self.entries[self.index(i, k)] * x[k]).sum();
            x[i] = (x[i] - known) / self.entries[self.index(i, i)];
        }
        for i in (0..self.size).rev() {
            let last = (i + self.width).min(self.size - 1);
            let known: f64 = (i + 1..=last).map(|k| self.entries[self.index(k, i)] * x[k]).sum();
            x[i] = (x[i] - known) / self.entries[self.index(i, i)];
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_is_solved() {
        // 4 1 0 | 1 5 2 | 0 2 6, and x = (1, 2, 3).
        let mut band = Band::new(3, 1);
        for (row, column, value) in [(0, 0, 4.0), (1, 0, 1.0), (1, 1, 5.0), (2, 1, 2.0), (2, 2, 6.0)] {
            band.add(row, column, value);
        }
        let x = band.solve(&[6.0, 17.0, 22.0]);
        assert!(x.iter().zip([1.0, 2.0, 3.0]).all(|(x, y)| (x - y).abs() < 1e-14), "{x:?}");
    }
}
