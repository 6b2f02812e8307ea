//! P x − x and x + P h − h along rows, in arithmetic that rounds outward.

use crate::arithmetic::{Interval, Twofold};
use crate::model::Cmdp;

/// h by state: one number each, or the sum of two where one has too few digits.
#[derive(Clone, Copy, Debug)]
pub struct Bias<'a> {
    /// The numbers, or the greater part of each.
    pub high: &'a [f64],
    /// What is added to them; empty if that is nothing.
    pub low: &'a [f64],
}

impl<'a> From<&'a [f64]> for Bias<'a> {
    fn from(high: &'a [f64]) -> Bias<'a> {
        Bias { high, low: &[] }
    }
}

/// Σ P(s′) (x(s′) − x(s)) for the row of a pair, divided by its exact sum.
pub fn drift(model: &Cmdp, pair: usize, state: usize, x: &[f64]) -> Interval {
    let here = Interval::exact(x[state]);
    let (mut moved, mut whole) = (Interval::ZERO, Interval::ZERO);
    for (next, p) in model.kernel().row(pair).iter() {
        moved = moved + (Interval::exact(x[next]) - here).times(p);
        whole = whole + Interval::exact(p);
    }
    // A row without movement does not need its sum.
    if moved == Interval::ZERO { moved } else { moved.over(whole) }
}

/// The same for sums of two numbers. Where a chain is left once in 1e12 steps, terms of 1e11 add up to 1.
fn drift_of_both(model: &Cmdp, pair: usize, state: usize, Bias { high, low }: Bias) -> Twofold {
    let (mut moved, mut whole) = (Twofold::ZERO, Twofold::ZERO);
    for (next, p) in model.kernel().row(pair).iter() {
        let rest = Interval::exact(low[next]) - Interval::exact(low[state]);
        let way = Twofold::exact(high[next]) - Twofold::exact(high[state]) + Twofold::from(rest);
        moved = moved + way.times(p);
        whole = whole + Twofold::exact(p);
    }
    moved.over(whole)
}

/// The mean of a quantity of pairs over a row, its weights divided by their exact sum.
pub fn mean(row: &[(usize, f64)], of: impl Fn(usize) -> Interval) -> Interval {
    if let [(pair, _)] = row {
        return of(*pair);
    }
    let sum: Interval = row.iter().map(|&(pair, weight)| of(pair).times(weight)).sum();
    let whole: Interval = row.iter().map(|&(_, weight)| Interval::exact(weight)).sum();
    if sum == Interval::ZERO { sum } else { sum.over(whole) }
}

/// x + P h − h over a row, for a signal x of pairs: what the row brings.
pub fn brings(
    model: &Cmdp,
    (state, row): (usize, &[(usize, f64)]),
    signal: impl Fn(usize) -> Interval,
    bias: Bias,
) -> Interval {
    if bias.low.is_empty() {
        return mean(row, |pair| signal(pair) + drift(model, pair, state, bias.high));
    }
    let of = |pair: usize| Twofold::from(signal(pair)) + drift_of_both(model, pair, state, bias);
    if let [(pair, _)] = row {
        return of(*pair).interval();
    }
    let sum: Twofold = row.iter().map(|&(pair, weight)| of(pair).times(weight)).sum();
    let whole: Twofold = row.iter().map(|&(_, weight)| Twofold::exact(weight)).sum();
    sum.over(whole).interval()
}
