//! BiCGSTAB (van der Vorst, 1992) with a preconditioner M from the right: solves A x = b for matrices that are not
//! symmetric, in seven vectors; for several right-hand sides at once, so that the matrix is read once for all.

use super::lanes::{BLOCK, Lanes, Pieces, block_dots, clear_lanes, sum_of_blocks};
use crate::arithmetic::extremes::greater;
use crate::stop::StopFlag;
use crate::threads::at_once;

/// When lanes end.
pub(super) struct Limits<const K: usize> {
    /// A residual, as the recurrence has it, that is small enough.
    pub least: Lanes<K>,
    pub most: [usize; K],
    /// After so many iterations the residual has to be below these numbers, or the rest is not worth it.
    pub course: (usize, Lanes<K>),
}

impl<const K: usize> Limits<K> {
    fn end(&self, k: usize, used: usize, residual: f64) -> bool {
        let (checked, course) = self.course;
        residual <= self.least[k] || used >= self.most[k] || (used == checked && residual > course[k])
    }
}

/// Runs every lane until it comes to its limits, a breakdown, or the flag; returns how many iterations it took.
/// `precondition(x, y)` solves M y = x, `apply(x, y, out)` is A y then. Each pass over the vectors does
/// all it can: at a million states memory is what the time goes into. A lane that is done stays at 0, and the others
/// get the same bits as if they were alone.
pub(super) fn bicgstab<const K: usize>(
    precondition: impl Fn(&[Lanes<K>], &mut [Lanes<K>]),
    apply: impl Fn(&[Lanes<K>], &[Lanes<K>], &mut [Lanes<K>]),
    (x, r, work): (&mut [Lanes<K>], &mut [Lanes<K>], [&mut [Lanes<K>]; 5]),
    (limits, pieces): (&Limits<K>, &Pieces),
    flag: &StopFlag,
) -> [usize; K] {
    let [r0, p, v, y, t] = work;
    let (mut used, mut runs) = ([0; K], limits.most.map(|most| most > 0));
    clear_lanes(r, runs);
    r0.copy_from_slice(r);
    p.copy_from_slice(r);
    let mut rho = pieces.dots(r0, r);
    while runs.contains(&true) {
        (0..K).filter(|&k| runs[k]).for_each(|k| used[k] += 1);
        precondition(p, y);
        apply(p, y, v);
        let mut alpha = quotients(rho, pieces.dots(r0, v));
        if stop_broken(&mut alpha, &mut runs) {
            [&mut *r, &mut *r0, &mut *p, &mut *y, &mut *v]
                .into_iter()
                .for_each(|vector| clear_lanes(vector, runs));
        }
        if flag.asked() || !runs.contains(&true) {
            return used;
        }
        let steps = pieces.cut(x).into_iter().zip(pieces.slices(y));
        let residuals = pieces.cut(r).into_iter().zip(pieces.slices(v));
        at_once(steps.zip(residuals).collect(), |((x, y), (r, v))| {
            for ((x, y), (r, v)) in x.iter_mut().zip(y).zip(r.iter_mut().zip(v)) {
                for k in 0..K {
                    x[k] += alpha[k] * y[k];
                    r[k] -= alpha[k] * v[k];
                }
            }
        });
        precondition(r, y);
        apply(r, y, t);
        let sums = at_once(pieces.slices(t).into_iter().zip(pieces.slices(r)).collect(), |(t, r)| {
            let blocks = t.chunks(BLOCK).zip(r.chunks(BLOCK));
            blocks.map(|(t, r)| (block_dots(t, r), block_dots(t, t))).unzip::<_, _, Vec<_>, Vec<_>>()
        });
        let (onward, length): (Vec<_>, Vec<_>) = sums.into_iter().unzip();
        let (onward, length) = (sum_of_blocks(onward), sum_of_blocks(length));
        let mut omega = quotients(onward, length.map(|length| length.max(f64::MIN_POSITIVE)));
        if stop_broken(&mut omega, &mut runs) {
            [&mut *r, &mut *y, &mut *t].into_iter().for_each(|vector| clear_lanes(vector, runs));
        }
        let steps = pieces.cut(x).into_iter().zip(pieces.slices(y));
        let residuals = pieces.cut(r).into_iter().zip(pieces.slices(t)).zip(pieces.slices(r0));
        let found = at_once(steps.zip(residuals).collect(), |((x, y), ((r, t), r0))| {
            let (mut size, mut sums) = ([0.0; K], Vec::new());
            let steps = x.chunks_mut(BLOCK).zip(y.chunks(BLOCK));
            let residuals = r.chunks_mut(BLOCK).zip(t.chunks(BLOCK)).zip(r0.chunks(BLOCK));
            for ((x, y), ((r, t), r0)) in steps.zip(residuals) {
                for (x, y) in x.iter_mut().zip(y) {
                    (0..K).for_each(|k| x[k] += omega[k] * y[k]);
                }
                for (r, t) in r.iter_mut().zip(t) {
                    for k in 0..K {
                        r[k] -= omega[k] * t[k];
                        size[k] = greater(size[k], r[k].abs());
                    }
                }
                sums.push(block_dots(r0, r));
            }
            (size, sums)
        });
        let (sizes, sums): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        let size: Lanes<K> = std::array::from_fn(|k| sizes.iter().map(|size| size[k]).fold(0.0, greater));
        let before = std::mem::replace(&mut rho, sum_of_blocks(sums));
        let mut beta: Lanes<K> = std::array::from_fn(|k| rho[k] / before[k] * (alpha[k] / omega[k]));
        let mut ends = stop_broken(&mut beta, &mut runs);
        for k in (0..K).filter(|&k| limits.end(k, used[k], size[k])) {
            ends |= std::mem::replace(&mut runs[k], false);
        }
        let directions = pieces.cut(p).into_iter().zip(pieces.slices(v)).zip(pieces.slices(r));
        at_once(directions.collect(), |((p, v), r)| {
            for (p, (v, r)) in p.iter_mut().zip(v.iter().zip(r)) {
                (0..K).for_each(|k| p[k] = r[k] + beta[k] * (p[k] - omega[k] * v[k]));
            }
        });
        if ends {
            [&mut *r, &mut *r0, &mut *p].into_iter().for_each(|vector| clear_lanes(vector, runs));
            (0..K).filter(|&k| !runs[k]).for_each(|k| rho[k] = 0.0);
        }
    }
    used
}

fn quotients<const K: usize>(x: Lanes<K>, y: Lanes<K>) -> Lanes<K> {
    std::array::from_fn(|k| x[k] / y[k])
}

/// Ends the lanes whose number is lost, and makes it 0; whether one of them has run until now.
fn stop_broken<const K: usize>(numbers: &mut Lanes<K>, runs: &mut [bool; K]) -> bool {
    let mut ends = false;
    for (number, runs) in numbers.iter_mut().zip(runs) {
        if !(number.is_finite() && *runs) {
            ends |= *runs;
            (*number, *runs) = (0.0, false);
        }
    }
    ends
}
