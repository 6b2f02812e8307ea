//! The iteration of a chain's systems, from a guess to a residual that is computed afresh.

use super::super::bicgstab::{Limits, bicgstab};
use super::super::lanes::{Lanes, clear_lanes};
use super::{Iterative, NotConverged, Way};
use crate::arithmetic::extremes::{greater, greatest_size};
use crate::threads::at_once;

/// Iterations after which each way counts as not fit: factors cost as much as some 20 sweeps, and bring most chains to the
/// end in 10 iterations.
const QUICK: usize = 25;
const BY_FACTORS: usize = 200;
pub(super) const ITERATIONS: usize = 3000;

/// Sweeps that have not brought the residual down by this factor after so many iterations will not be quick. On grids and queues
/// it stands still for as long; on random jumps, which sweeps solve in 14 iterations, it has fallen by 1e-5.
const CHECKED: usize = 8;
const COURSE: f64 = 1e-2;

/// The residual to be content with if rounding allows no better; relative to the right-hand side.
const CONTENT: f64 = 1e-9;

/// A guess whose residual is this many times the right-hand side is worse than none. It is mostly what rounding has left of a signal
/// that is 0 throughout this chain: next to a right-hand side of 0 no residual is small.
const WORSE_THAN_NONE: f64 = 1e3;

/// Recurrences are not believed below this residual.
const LEAST_AIM: f64 = 1e-15;

impl Iterative {
    /// A x = b (or Aᵀ x = b) by BiCGSTAB from the guess in `x`, in the way that is set; fails if one lane does. The most iterations that a
    /// lane took are counted.
    pub(super) fn solve<const K: usize>(
        &self,
        b: &[Lanes<K>],
        x: &mut [Lanes<K>],
        (work, iterations): (&mut [Vec<f64>; 6], &mut usize),
        transposed: bool,
    ) -> Result<(), NotConverged> {
        work.iter_mut().for_each(|vector| vector.resize(K * self.nodes(), 0.0));
        let [r, others @ ..] = work.each_mut().map(|vector| vector.as_chunks_mut::<K>().0);
        let mut others = others;
        if x.iter().flatten().any(|x| !x.is_finite()) {
            // Another way has lost its numbers.
            x.fill([0.0; K]);
        }
        let right = sizes(b);
        let size = right.map(|size| size.max(f64::MIN_POSITIVE));
        let most = match self.way {
            Way::QuickSweep => QUICK,
            Way::Factors(_) => BY_FACTORS,
            Way::Sweep => ITERATIONS,
        };
        let least = size.map(|size| 0.3 * self.aim.max(LEAST_AIM) * size);
        let (mut first, mut taken) = (None, [0; K]);
        let (mut left, mut last, mut reached) = ([most; K], [f64::INFINITY; K], [f64::INFINITY; K]);
        let mut runs = [true; K];
        // Restarts from the true residual when the recurrences have drifted away from it.
        loop {
            if transposed {
                self.apply_transposed(x, r);
            } else {
                self.apply(x, r);
            }
            let parts = self.pieces.cut(r).into_iter().zip(self.pieces.slices(b));
            let now = at_once(parts.collect(), |(r, b)| {
                for (r, b) in r.iter_mut().zip(b) {
                    (0..K).for_each(|k| r[k] = b[k] - r[k]);
                }
                sizes(r)
            });
            let now: Lanes<K> = std::array::from_fn(|k| now.iter().map(|size| size[k]).fold(0.0, greater));
            let worse: [bool; K] = std::array::from_fn(|k| now[k] > WORSE_THAN_NONE * right[k]);
            if first.is_none() && worse.contains(&true) {
                clear_lanes(x, worse.map(|worse| !worse));
                continue;
            }
            let course = first.get_or_insert(now).map(|first| COURSE * first);
            for k in 0..K {
                if !runs[k] {
                    continue;
                }
                if self.way == Way::QuickSweep && most - left[k] >= CHECKED && now[k] > course[k] {
                    left[k] = 0;
                }
                reached[k] = now[k] / size[k];
                let is_done = reached[k] <= self.aim || !reached[k].is_finite() || reached[k] > 0.5 * last[k];
                if !is_done && left[k] == 0 && self.way != Way::Sweep {
                    // There is still a better way.
                    reached[k] = f64::INFINITY;
                }
                runs[k] = !(is_done || left[k] == 0 || self.stop.asked());
                left[k] = if runs[k] { left[k] } else { 0 };
                last[k] = reached[k];
            }
            if runs == [false; K] {
                break;
            }
            let checked = if self.way == Way::QuickSweep { CHECKED } else { usize::MAX };
            let limits = Limits { least, most: left, course: (checked, course) };
            let used = self.iterate((x, r, others.each_mut().map(|v| &mut **v)), &limits, transposed);
            (0..K).for_each(|k| (left[k], taken[k]) = (left[k] - used[k], taken[k] + used[k]));
        }
        *iterations = taken.into_iter().fold(*iterations, usize::max);
        let worst = greatest_size(reached);
        if worst <= CONTENT { Ok(()) } else { Err(NotConverged(worst)) }
    }

    fn iterate<const K: usize>(
        &self,
        vectors: (&mut [Lanes<K>], &mut [Lanes<K>], [&mut [Lanes<K>]; 5]),
        limits: &Limits<K>,
        transposed: bool,
    ) -> [usize; K] {
        let (by_factors, flag, pieces) = (self.has_factors(), &self.stop, &self.pieces);
        let limits = (limits, pieces);
        match (by_factors, transposed) {
            (true, false) => {
                let factored = |x: &[Lanes<K>], y: &mut [Lanes<K>]| self.factors.apply(x, y, pieces);
                bicgstab(factored, |_, y, out| self.apply(y, out), vectors, limits, flag)
            }
            (true, true) => {
                let factored = |x: &[Lanes<K>], y: &mut [Lanes<K>]| self.factors.apply_transposed(x, y);
                bicgstab(factored, |_, y, out| self.apply_transposed(y, out), vectors, limits, flag)
            }
            (false, false) => {
                let swept = |x: &[Lanes<K>], y: &mut [Lanes<K>]| self.sweep(x, y);
                bicgstab(swept, |x, y, out| self.apply_swept(x, y, out), vectors, limits, flag)
            }
            (false, true) => {
                let swept = |x: &[Lanes<K>], y: &mut [Lanes<K>]| self.sweep_transposed(x, y);
                bicgstab(swept, |x, y, out| self.apply_swept_transposed(x, y, out), vectors, limits, flag)
            }
        }
    }
}

/// The greatest absolute value of every lane.
fn sizes<const K: usize>(vector: &[Lanes<K>]) -> Lanes<K> {
    let mut sizes = [0.0; K];
    for x in vector {
        (0..K).for_each(|k| sizes[k] = greater(sizes[k], x[k].abs()));
    }
    sizes
}
