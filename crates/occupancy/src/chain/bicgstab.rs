//! BiCGSTAB (van der Vorst, 1992) with a preconditioner M from the right: solves A x = b for matrices that are not
//! symmetric, in seven vectors.

use crate::arithmetic::dense::dot;
use crate::arithmetic::extremes::greater;
use crate::stop::StopFlag;

/// Runs until the residual (as the recurrence has it) is below `stop.0`, a breakdown, `stop.1` iterations, or the flag; returns
/// how many. `sweep(x, y)` solves M y = x, `apply(x, y, out)` is A y then. Each pass over the vectors does all it can:
/// at a million states memory is what the time goes into.
pub(crate) fn bicgstab(
    sweep: impl Fn(&[f64], &mut [f64]),
    apply: impl Fn(&[f64], &[f64], &mut [f64]),
    (x, r, work): (&mut [f64], &mut [f64], &mut [Vec<f64>]),
    stop: (f64, usize),
    flag: &StopFlag,
) -> usize {
    let [r0, p, v, y, z, t] = work else { return 1 };
    r0.copy_from_slice(r);
    p.copy_from_slice(r);
    let mut rho = dot(r0, r);
    for iteration in 1..=stop.1.max(1) {
        sweep(p, y);
        apply(p, y, v);
        let alpha = rho / dot(r0, v);
        if !alpha.is_finite() || flag.asked() {
            return iteration;
        }
        r.iter_mut().zip(v.iter()).for_each(|(r, v)| *r -= alpha * v);
        sweep(r, z);
        apply(r, z, t);
        let omega = dot(t, r) / dot(t, t).max(f64::MIN_POSITIVE);
        let steps = y.iter().zip(z.iter()).map(|(y, z)| alpha * y + omega * z);
        x.iter_mut().zip(steps).for_each(|(x, step)| *x += step);
        let mut most = 0.0;
        for (r, t) in r.iter_mut().zip(t.iter()) {
            *r -= omega * t;
            most = greater(most, r.abs());
        }
        let before = std::mem::replace(&mut rho, dot(r0, r));
        let beta = rho / before * (alpha / omega);
        if most <= stop.0 || !beta.is_finite() {
            return iteration;
        }
        p.iter_mut().zip(v.iter()).zip(r.iter()).for_each(|((p, v), r)| *p = r + beta * (*p - omega * v));
    }
    stop.1
}
